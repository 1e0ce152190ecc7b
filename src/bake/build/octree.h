/// @file octree.h (bake)
/// The octree of proved distances of a field that is baked.
#ifndef ABUT_BAKE_BUILD_OCTREE_H
#define ABUT_BAKE_BUILD_OCTREE_H

#include "bake/build/build.h"

/// Fills the section of a block whose bounds are complete. @return ABUT_OUT_OF_MEMORY.
AbutResult abut_build_octree(AbutBuild* build);

#endif
