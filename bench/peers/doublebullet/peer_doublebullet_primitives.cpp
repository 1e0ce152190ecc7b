// Bullet in double, from its module: primitives.
#include "peer_module.hpp"
#include "primitive_peers.h"

namespace
{

const BenchPrimitivePeer* module()
{
    static const auto* table =
        load_peer<BenchPrimitivePeer>(ABUT_DOUBLEBULLET_MODULE, "bench_primitive_bullet_module");
    return table;
}

void* create(const BenchPrimitive* a, const BenchPrimitive* b)
{
    return module() != nullptr ? module()->create(a, b) : nullptr;
}

void destroy(void* peer)
{
    module()->destroy(peer);
}

int collide(void* peer, const AbutPose* pose)
{
    return module()->collide(peer, pose);
}

} // namespace

extern "C" const BenchPrimitivePeer bench_primitive_doublebullet = { "Bullet in double", create, destroy,
                                                                     collide };
