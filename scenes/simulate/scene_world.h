/// @file scene_world.h
/// A world made of a scene: shapes loaded and baked once, bodies created, and surfaces to draw them with.
#ifndef ABUT_SCENES_SCENE_WORLD_H
#define ABUT_SCENES_SCENE_WORLD_H

#include "scenes/simulate/scene.h"

#include <abut/mesh.h>

typedef struct SceneWorld
{
    AbutWorld* world;
    AbutBodyId* bodies; ///< of the scene's bodies, in their order
    uint32_t body_count;
    AbutShape** shapes; ///< of the scene's shapes, in their order
    AbutMesh** visuals; ///< what they look like: closed, of a few thousand triangles; NULL unless asked for
    uint32_t shape_count;
} SceneWorld;

typedef struct SceneWorldDef
{
    bool visuals; ///< make surfaces to draw
    AbutProgressFn* progress;
    void* progress_user;
    const AbutHost* host;
    AbutDevice* device; ///< of the world; or NULL
} SceneWorldDef;

/// @return what made a shape or body fail, with the scene's title and the name of the shape or body in the
/// message.
AbutResult scene_world_create(const SceneWorldDef* def, const Scene* scene, SceneWorld* out);

void scene_world_destroy(SceneWorld* world);

#endif
