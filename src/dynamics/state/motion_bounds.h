/// @file motion_bounds.h
/// Bounds of the motion of bodies over a pass, and the pairs whose bounds overlap.
#ifndef ABUT_DYNAMICS_STATE_MOTION_BOUNDS_H
#define ABUT_DYNAMICS_STATE_MOTION_BOUNDS_H

#include <abut/dynamics.h>

/// Starts a pass of `seconds`: predicted poses, travel and swept boxes of all bodies, and AbutWorld.pairs,
/// the pairs (a < b) with overlapping boxes and a body that can react.
AbutResult abut_world_predict(AbutWorld* world, double seconds);

/// Box of the broad phase around a body at its present pose.
void abut_world_fit_box(AbutWorld* world, uint32_t index);

#endif
