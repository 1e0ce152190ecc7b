// Bullet in double, from its module.
#include "hull_peers.h"
#include "peer_module.hpp"

namespace
{

const BenchHullPeer* module()
{
    static const auto* table = load_peer<BenchHullPeer>(ABUT_DOUBLEBULLET_MODULE, "bench_hull_bullet_module");
    return table;
}

void* create(const AbutHull* a, const AbutHull* b)
{
    return module() != nullptr ? module()->create(a, b) : nullptr;
}

void destroy(void* peer)
{
    module()->destroy(peer);
}

double distance(void* peer, const AbutPose* pose)
{
    return module()->distance(peer, pose);
}

double depth(void* peer, const AbutPose* pose)
{
    return module()->depth(peer, pose);
}

} // namespace

extern "C" const BenchHullPeer bench_hull_bullet = { "Bullet in double", create, destroy, nullptr,
                                                     distance,           depth };
