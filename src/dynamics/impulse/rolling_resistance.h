/// @file rolling_resistance.h
/// Rolling resistance: a torque against relative rotation, limited by the loads of the last relaxation.
#ifndef ABUT_DYNAMICS_IMPULSE_ROLLING_RESISTANCE_H
#define ABUT_DYNAMICS_IMPULSE_ROLLING_RESISTANCE_H

#include "dynamics/impulse/kernels.h"

/// For wide constraints [first, end).
AbutSolveKernel abut_rolling_resistance_apply;

#endif
