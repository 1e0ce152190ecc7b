/// @file speculative.h
/// Speculative distance, relative travel and speed units of a pair.
#ifndef ABUT_DYNAMICS_STATE_SPECULATIVE_H
#define ABUT_DYNAMICS_STATE_SPECULATIVE_H

#include "dynamics/state/step_context.h"

/// Largest gap of a contact of a pair at rest.
double abut_pair_speculative_distance(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// Speed after a free fall of a fifth of the radius; without gravity, a tenth of the radius per second. Sleep
/// and depenetration speeds are multiples of it, and so independent of the unit of length.
double abut_world_speed_unit(const AbutWorld* world, double radius);

/// Speed unit of the smaller dynamic body.
double abut_pair_speed_unit(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// Upper bound of the approach of two bodies in the pass, at the present velocities.
double abut_pair_travel(const AbutStepContext* step, const AbutBody* a, const AbutBody* b);

/// The same from the predicted poses, to the start as well as to the end of the pass.
double abut_pair_remaining_travel(const AbutStepContext* step, const AbutBody* a, const AbutBody* b);

#endif
