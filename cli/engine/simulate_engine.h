/// @file simulate_engine.h
/// Other physics engines for `abut simulate`: they move the bodies of a scene by the contacts of abut.
#ifndef ABUT_CLI_SIMULATE_ENGINE_H
#define ABUT_CLI_SIMULATE_ENGINE_H

#include "scenes/simulate/scene_world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An engine with the bodies of a scene. It writes poses and velocities into the scene's world after each
/// step; sleep and contacts are its own.
typedef struct SimulateEngine
{
    void* state;
    AbutResult (*step)(void* state, AbutStepReport* report); ///< with the step and substeps of the scene
    const AbutWorldContact* (*contacts)(void* state, size_t* count); ///< of the last step
    bool (*is_asleep)(const void* state, uint32_t body);
    void (*destroy)(void* state);
} SimulateEngine;

/// Bullet's world with abut's shapes (adapters/bullet). The world outlives the engine.
/// @return ABUT_INVALID_ARGUMENT with a message where abut was built without Bullet
AbutResult simulate_engine_bullet(const Scene* scene, SceneWorld* world, SimulateEngine* out);

#ifdef __cplusplus
}
#endif

#endif
