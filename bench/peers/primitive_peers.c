#include "primitive_peers.h"

#include <stddef.h>

#if defined(BENCH_HAS_BULLET)
extern const BenchPrimitivePeer bench_primitive_bullet;
#endif
#if defined(BENCH_HAS_DOUBLEBULLET)
extern const BenchPrimitivePeer bench_primitive_doublebullet;
#endif
#if defined(BENCH_HAS_FCL)
extern const BenchPrimitivePeer bench_primitive_fcl;
#endif
#if defined(BENCH_HAS_FCLNATIVE)
extern const BenchPrimitivePeer bench_primitive_fclnative;
#endif
#if defined(BENCH_HAS_ODE)
extern const BenchPrimitivePeer bench_primitive_ode;
#endif

const BenchPrimitivePeer* const* bench_primitive_peers(void)
{
    static const BenchPrimitivePeer* const peers[] = {
#if defined(BENCH_HAS_BULLET)
        &bench_primitive_bullet,
#endif
#if defined(BENCH_HAS_DOUBLEBULLET)
        &bench_primitive_doublebullet,
#endif
#if defined(BENCH_HAS_FCL)
        &bench_primitive_fcl,
#endif
#if defined(BENCH_HAS_FCLNATIVE)
        &bench_primitive_fclnative,
#endif
#if defined(BENCH_HAS_ODE)
        &bench_primitive_ode,
#endif
        NULL,
    };
    return peers;
}
