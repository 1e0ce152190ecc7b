#include "pile_peers.h"

#include <stddef.h>

#if defined(BENCH_HAS_ODE)
extern const BenchPilePeer bench_pile_ode;
#endif
#if defined(BENCH_HAS_BULLET)
extern const BenchPilePeer bench_pile_gimpact;
#endif

const BenchPilePeer* const* bench_pile_peers(void)
{
    static const BenchPilePeer* const peers[] = {
#if defined(BENCH_HAS_ODE)
        &bench_pile_ode,
#endif
#if defined(BENCH_HAS_BULLET)
        &bench_pile_gimpact,
#endif
        NULL,
    };
    return peers;
}
