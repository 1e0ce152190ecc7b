/// @file intervals.h
/// All contact intervals of moving points.
#ifndef ABUT_TOI_POINTS_INTERVALS_H
#define ABUT_TOI_POINTS_INTERVALS_H

#include <abut/toi.h>

#include "math/motion.h"

/// abut_toi_intervals(). `motion` is that of `input`, which has been checked.
AbutToiOutput abut_toi_points_intervals(const AbutToiInput* input, const AbutRelativeMotion* motion,
                                        AbutPointInterval* intervals, uint32_t capacity);

#endif
