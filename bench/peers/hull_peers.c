#include "hull_peers.h"

#include <stddef.h>

#if defined(BENCH_HAS_CCD)
extern const BenchHullPeer bench_hull_ccd;
#endif
#if defined(BENCH_HAS_DOUBLEBULLET)
extern const BenchHullPeer bench_hull_bullet;
#endif
#if defined(BENCH_HAS_FCL)
extern const BenchHullPeer bench_hull_fcl;
#endif
#if defined(BENCH_HAS_FCLNATIVE)
extern const BenchHullPeer bench_hull_fclnative;
#endif

const BenchHullPeer* const* bench_hull_peers(void)
{
    static const BenchHullPeer* const peers[] = {
#if defined(BENCH_HAS_CCD)
        &bench_hull_ccd,
#endif
#if defined(BENCH_HAS_DOUBLEBULLET)
        &bench_hull_bullet,
#endif
#if defined(BENCH_HAS_FCL)
        &bench_hull_fcl,
#endif
#if defined(BENCH_HAS_FCLNATIVE)
        &bench_hull_fclnative,
#endif
        NULL,
    };
    return peers;
}
