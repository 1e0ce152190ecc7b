/// @file sweep.h
/// The methods behind abut_sweep(). Each is one file: shape against shape in impact.c, points against shape in points.c.
#ifndef ABUT_SWEEP_SWEEP_H
#define ABUT_SWEEP_SWEEP_H

#include <abut/sweep.h>

#include "sweep/motion.h"

/// `motion` is that of `input`, which has been checked.
AbutSweepOutput abut_sweep_shapes(const AbutSweepInput* input, const AbutRelativeMotion* motion);

/// The first touch of a point.
AbutSweepOutput abut_sweep_points_first(const AbutSweepInput* input, const AbutRelativeMotion* motion);

AbutSweepOutput abut_sweep_points_intervals(const AbutSweepInput* input, const AbutRelativeMotion* motion,
                                            AbutPointInterval* intervals, int capacity);

#endif
