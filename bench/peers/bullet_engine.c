// Whether this program has the adapter of Bullet.
#include "bullet_engine.h"

#if defined(BENCH_HAS_ADAPTER)
extern const BenchEngine bench_engine_bullet;
#endif

const BenchEngine* bench_bullet_engine(void)
{
#if defined(BENCH_HAS_ADAPTER)
    return &bench_engine_bullet;
#else
    return NULL;
#endif
}
