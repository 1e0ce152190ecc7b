/// @file build.h (internal to scenes)
/// The builders behind builders.c, and what they share.
#ifndef ABUT_SCENES_BUILD_H
#define ABUT_SCENES_BUILD_H

#include "scenes/simulate/builders.h"

/// A static body.
SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose);

void scene_build_pile(Scene* scene, const SceneOptions* options);

#endif
