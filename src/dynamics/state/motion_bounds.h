/// @file motion_bounds.h
/// Bounds of the motion of bodies over a pass, and the pairs whose bounds overlap.
#ifndef ABUT_DYNAMICS_STATE_MOTION_BOUNDS_H
#define ABUT_DYNAMICS_STATE_MOTION_BOUNDS_H

#include "dynamics/state/step_context.h"

/// Starts a pass: predicted poses, travel and swept boxes of all bodies, and AbutStepContext.pairs, the pairs
/// (a < b) with overlapping boxes and a body that can react.
AbutResult abut_step_update_pairs(AbutStepContext* step);

/// Box of the broad phase around a body at its present pose.
void abut_world_fit_box(AbutWorld* world, uint32_t index);

#endif
