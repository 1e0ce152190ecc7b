/// @file brick_bounds.h
/// Proved bounds per brick during a bake, and the pyramid above them.
#ifndef ABUT_BAKE_BUILD_BRICK_BOUNDS_H
#define ABUT_BAKE_BUILD_BRICK_BOUNDS_H

#include "bake/build/build.h"

/// Fills the pyramid and the header's slope.
void abut_build_bounds(AbutBuild* build);

/// Counts the bricks with uncertain bounds, and fills the header's uncertain nodes and volume.
void abut_build_count_uncertain(AbutBuild* build);

#endif
