/// @file step.h
/// Steps of the penalty response.
#ifndef ABUT_DYNAMICS_PENALTY_STEP_H
#define ABUT_DYNAMICS_PENALTY_STEP_H

#include "dynamics/state/profile.h"

#include <abut/dynamics.h>

/// AbutResponseTable.step.
AbutResult abut_penalty_step(AbutWorld* world, double seconds, AbutProfiler* profiler);

/// The motion of a body by its impulse: half of the impulse before the motion, half after it.
void abut_penalty_move_body(AbutWorld* world, uint32_t index, double seconds);

#endif
