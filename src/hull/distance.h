/// @file distance.h
/// Signed distance of a point from a hull, in double.
#ifndef ABUT_HULL_DISTANCE_H
#define ABUT_HULL_DISTANCE_H

#include "hull/hull.h"

typedef struct AbutHullDistance
{
    double distance;  // negative inside; never for a flat hull
    AbutDVec3 normal; // gradient of the distance, of unit length
} AbutHullDistance;

/// Inside: the nearest face. Outside: the closest point of the hull. Within rounding of double; NaN for a
/// point with a NaN.
AbutHullDistance abut_hull_distance(const AbutHull* hull, AbutDVec3 point);

#endif
