/// @file restitution.h
/// Restitution of fast contacts: three kernels of a substep, for wide constraints [first, end).
#ifndef ABUT_DYNAMICS_IMPULSE_RESTITUTION_H
#define ABUT_DYNAMICS_IMPULSE_RESTITUTION_H

#include "dynamics/impulse/kernels.h"

/// Normal velocities before forces.
AbutSolveKernel abut_restitution_record_velocity;

/// After forces: the share of the normal velocity at the time of closing, within the substep. A body with the
/// velocity of the end of the substep would gain the energy of the fall that it did not make. 0 for slow
/// contacts.
AbutSolveKernel abut_restitution_record_approach;

/// After the relaxation: the restitution's share of the impulse once more (Poisson's restitution: no target
/// velocity per contact, and no energy for two bodies without friction).
AbutSolveKernel abut_restitution_apply;

#endif
