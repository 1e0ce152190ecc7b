/// @file step.h
/// Phases of a step of the penalty response: members of AbutResponseTable. A pass is a substep.
#ifndef ABUT_DYNAMICS_PENALTY_STEP_H
#define ABUT_DYNAMICS_PENALTY_STEP_H

#include "dynamics/state/step_context.h"

AbutResult abut_penalty_plan(AbutStepContext* step);
AbutResult abut_penalty_update_contacts(AbutStepContext* step);
AbutResult abut_penalty_solve_pass(AbutStepContext* step);
AbutResult abut_penalty_finish(AbutStepContext* step);

/// The motion of a body by its impulse: half of the impulse before the motion, half after it.
void abut_penalty_move_body(AbutWorld* world, uint32_t index, double seconds);

#endif
