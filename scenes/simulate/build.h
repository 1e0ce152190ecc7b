/// @file build.h (internal to scenes)
/// The builders behind builders.c, and what they share.
#ifndef ABUT_SCENES_BUILD_H
#define ABUT_SCENES_BUILD_H

#include "scenes/simulate/builders.h"

/// A static body.
SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose);

/// The plane y = 0 as a static body.
void scene_add_ground(Scene* scene);

/// A shape that the caller has a file for; else the one of the text. A mesh from a file is of any size, so
/// bodies that have this shape are to be scaled by scene_mesh_scale().
uint32_t scene_add_shape_or_mesh(Scene* scene, const SceneOptions* options, const char* name,
                                 const char* text, uint32_t resolution);

/// The factor that makes a mesh `size` long at its longest side, and *center what is then its middle; 1 and
/// the origin when there is none, or when it cannot be read, which is for scene_world_create() to say.
float scene_mesh_scale(const SceneOptions* options, double size, AbutVec3* center);

/// Texts of shapes that several scenes have: about 0.2 from end to end, as all that fall are.
extern const char scene_text_bunny[], scene_text_dragon[], scene_text_statue[], scene_text_bone[],
    scene_text_cup[];

/// Shapes that are as different as can be; *count of them.
enum
{
    SCENE_VARIETY = 10
};
void scene_add_variety(Scene* scene, uint32_t out[SCENE_VARIETY]);

void scene_look_at(Scene* scene, double x, double y, double z, double distance);

void scene_build_statue(Scene* scene, const SceneOptions* options);
void scene_build_objects(Scene* scene, const SceneOptions* options);
void scene_build_pipe(Scene* scene, const SceneOptions* options);
void scene_build_bunny(Scene* scene, const SceneOptions* options);
void scene_build_bowl(Scene* scene, const SceneOptions* options);
void scene_build_dragon(Scene* scene, const SceneOptions* options);
void scene_build_nut(Scene* scene, const SceneOptions* options);
void scene_build_peg(Scene* scene, const SceneOptions* options);
void scene_build_gears(Scene* scene, const SceneOptions* options);
void scene_build_chain(Scene* scene, const SceneOptions* options);
void scene_build_cards(Scene* scene, const SceneOptions* options);
void scene_build_pile(Scene* scene, const SceneOptions* options);
void scene_build_heap(Scene* scene, const SceneOptions* options);
void scene_build_thousand(Scene* scene, const SceneOptions* options);

#endif
