/// @file brick_bounds.h
/// What is proved of a field while it is baked: bounds per brick and the pyramid above them.
#ifndef ABUT_BAKE_BUILD_BRICK_BOUNDS_H
#define ABUT_BAKE_BUILD_BRICK_BOUNDS_H

#include "bake/build/build.h"

/// Fills the pyramid and the header's slope.
void abut_build_bounds(AbutBuild* build);

/// Counts the bricks whose bounds say that the sign is in doubt, and fills the header's doubtful nodes and
/// volume.
void abut_build_count_uncertain(AbutBuild* build);

#endif
