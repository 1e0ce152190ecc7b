#include "broad_peers.h"

#include <stddef.h>

#if defined(BENCH_HAS_BULLET)
extern const BenchBroadPeer bench_broad_bullet_tree, bench_broad_bullet_sweep;
#endif
#if defined(BENCH_HAS_FCL)
extern const BenchBroadPeer bench_broad_fcl_updated, bench_broad_fcl_rebuilt;
#endif
#if defined(BENCH_HAS_EMBREE)
extern const BenchBroadPeer bench_broad_embree;
#endif

const BenchBroadPeer* const* bench_broad_peers(void)
{
    static const BenchBroadPeer* const peers[] = {
#if defined(BENCH_HAS_BULLET)
        &bench_broad_bullet_tree,
        &bench_broad_bullet_sweep,
#endif
#if defined(BENCH_HAS_FCL)
        &bench_broad_fcl_updated,
        &bench_broad_fcl_rebuilt,
#endif
#if defined(BENCH_HAS_EMBREE)
        &bench_broad_embree,
#endif
        NULL,
    };
    return peers;
}
