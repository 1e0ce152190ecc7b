/// @file toi.h
/// The methods behind abut_sweep(). Each is one file: shape against shape in toi/solids/solids.c, points against shape in toi/points/points.c.
#ifndef ABUT_TOI_TOI_H
#define ABUT_TOI_TOI_H

#include <abut/sweep.h>

#include "math/motion.h"

/// `motion` is that of `input`, which has been checked.
AbutSweepOutput abut_sweep_shapes(const AbutSweepInput* input, const AbutRelativeMotion* motion);

/// The first touch of a point.
AbutSweepOutput abut_sweep_points_first(const AbutSweepInput* input, const AbutRelativeMotion* motion);

AbutSweepOutput abut_sweep_points_intervals(const AbutSweepInput* input, const AbutRelativeMotion* motion,
                                            AbutPointInterval* intervals, int capacity);

#endif
