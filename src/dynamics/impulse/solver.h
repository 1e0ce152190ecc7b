/// @file solver.h
/// Substeps of the impulse response.
#ifndef ABUT_DYNAMICS_IMPULSE_SOLVER_H
#define ABUT_DYNAMICS_IMPULSE_SOLVER_H

#include "dynamics/state/profile.h"

/// Velocities, impulses and poses over a pass of `seconds`, after abut_constraints_reserve().
void abut_world_solve(AbutWorld* world, double seconds, AbutProfiler* profiler);

#endif
