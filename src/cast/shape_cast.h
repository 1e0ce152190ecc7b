/// @file shape_cast.h
/// Segments against shapes other than fields, by steps of the slope bound (sphere tracing).
#ifndef ABUT_CAST_SHAPE_CAST_H
#define ABUT_CAST_SHAPE_CAST_H

#include <abut/cast.h>

#include "cast/cell_crossing.h"

/// First crossings of many segments at once.
void abut_cast_shape_batch(const AbutShape* shape, const AbutCastSettings* settings, AbutSegments segments,
                           size_t count, AbutCastHits out);

/// All intervals with f ≤ σ of one segment. Returns the time at which the budget was spent; 1 when it was
/// not.
double abut_cast_shape_intervals(const AbutShape* shape, const AbutCastSettings* settings, AbutVec3 from,
                                 AbutVec3 to, const AbutCastVisitor* visitor, uint64_t* samples);

#endif
