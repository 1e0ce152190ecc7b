/// @file build.h (internal to scenes)
/// The builders behind builders.c, and what they share.
#ifndef ABUT_SCENES_BUILD_H
#define ABUT_SCENES_BUILD_H

#include "scenes/simulate/builders.h"

/// A static body.
SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose);

/// How to stack many bodies without overlap: layers of columns, each body somewhere in its cell.
typedef struct SceneStack
{
    const uint32_t* shapes; ///< taken in turn
    uint32_t shape_count;
    uint32_t count;      ///< of bodies
    uint32_t columns[2]; ///< along x and z
    double spacing[3];   ///< of cells
    double base[3];      ///< middle of the lowest layer
    double jitter;       ///< part of a cell that a body may be off its middle, 0 to 1
    bool turned;         ///< any way round, at random
    uint64_t seed;
} SceneStack;

/// Returns the number of the first body; they follow each other.
uint32_t scene_add_stack(Scene* scene, const SceneStack* stack);

void scene_build_pile(Scene* scene, const SceneOptions* options);

#endif
