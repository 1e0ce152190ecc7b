// FCL's trees over triangles compiled for this processor, from its module.
#include "peer_module.hpp"
#include "peers.h"

namespace
{

const BenchCollider* module()
{
    static const auto* table = load_peer<BenchCollider>(ABUT_FCLNATIVE_MODULE, "bench_collider_fcl_module");
    return table;
}

void* create(const AbutMesh* a, const AbutMesh* b)
{
    return module() != nullptr ? module()->create(a, b) : nullptr;
}

void destroy(void* pair)
{
    module()->destroy(pair);
}

bool touches(void* pair, const AbutPose* pose)
{
    return module()->touches(pair, pose);
}

int contacts(void* pair, const AbutPose* pose)
{
    return module()->contacts(pair, pose);
}

double distance(void* pair, const AbutPose* pose, double nearest[2][3])
{
    return module()->distance(pair, pose, nearest);
}

} // namespace

extern "C" const BenchCollider bench_collider_fclnative = { "FCL native", create,   destroy,
                                                            touches,      contacts, distance };
