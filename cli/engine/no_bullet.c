// `abut simulate --response bullet` of a program without Bullet.
#include "simulate_engine.h"

#include <abut/base.h>

#if !defined(ABUT_WITH_BULLET)
AbutResult simulate_engine_bullet(const Scene* scene, SceneWorld* world, SimulateEngine* out)
{
    (void)world;
    (void)out;
    return abut_fail(ABUT_INVALID_ARGUMENT,
                     "%s: --response bullet: this abut was built without Bullet; install it (Debian: "
                     "libbullet-dev) and build again",
                     scene->title);
}
#else
typedef int SimulateEngineIsBullet; // no empty file
#endif
