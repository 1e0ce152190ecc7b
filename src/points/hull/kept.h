/// @file kept.h
/// The point hull that a shape keeps, or a shape inside of it.
#ifndef ABUT_POINTS_HULL_KEPT_H
#define ABUT_POINTS_HULL_KEPT_H

#include "points/hull/point_hull.h"

/// A point hull in the frame of a shape: its balls are moved by `frame` and grown by `offset`.
typedef struct AbutKeptHull
{
    const AbutPointHull* hull; // NULL: none
    AbutTransform frame;
    double offset;
    double error;  // of coverage and protrusion, in the unit of the shape
    double length; // lengths that the rounding of the frame depends on
} AbutKeptHull;

/// Placed shapes, and shapes that are offset outwards by an exact distance, have the hull of the shape
/// inside.
AbutKeptHull abut_point_hull_find(const AbutShape* shape);

#endif
