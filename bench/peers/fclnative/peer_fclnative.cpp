// FCL compiled for this processor, from its module.
#include "hull_peers.h"
#include "peer_module.hpp"
#include "primitive_peers.h"

namespace
{

const BenchHullPeer* hulls()
{
    static const auto* table = load_peer<BenchHullPeer>(ABUT_FCLNATIVE_MODULE, "bench_hull_fcl_module");
    return table;
}

void* create_hulls(const AbutHull* a, const AbutHull* b)
{
    return hulls() != nullptr ? hulls()->create(a, b) : nullptr;
}

void destroy_hulls(void* peer)
{
    hulls()->destroy(peer);
}

bool touches(void* peer, const AbutPose* pose)
{
    return hulls()->touches(peer, pose);
}

double distance(void* peer, const AbutPose* pose)
{
    return hulls()->distance(peer, pose);
}

const BenchPrimitivePeer* primitives()
{
    static const auto* table =
        load_peer<BenchPrimitivePeer>(ABUT_FCLNATIVE_MODULE, "bench_primitive_fcl_module");
    return table;
}

void* create_primitives(const BenchPrimitive* a, const BenchPrimitive* b)
{
    return primitives() != nullptr ? primitives()->create(a, b) : nullptr;
}

void destroy_primitives(void* peer)
{
    primitives()->destroy(peer);
}

int collide_primitives(void* peer, const AbutPose* pose)
{
    return primitives()->collide(peer, pose);
}

} // namespace

extern "C" const BenchHullPeer bench_hull_fclnative = { "FCL native", create_hulls, destroy_hulls,
                                                        touches,      distance,     nullptr };
extern "C" const BenchPrimitivePeer bench_primitive_fclnative = { "FCL native", create_primitives,
                                                                  destroy_primitives, collide_primitives };
