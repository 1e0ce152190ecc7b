/// @file solver.h
/// Substeps of the impulse response.
#ifndef ABUT_DYNAMICS_IMPULSE_SOLVER_H
#define ABUT_DYNAMICS_IMPULSE_SOLVER_H

#include "dynamics/state/step_context.h"

/// Velocities, impulses and poses over a pass, after abut_constraints_reserve().
void abut_step_solve(AbutStepContext* step);

#endif
