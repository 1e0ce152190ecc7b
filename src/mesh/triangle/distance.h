/// @file distance.h
/// The distance of two triangles in double, with its points.
#ifndef ABUT_MESH_TRIANGLE_DISTANCE_H
#define ABUT_MESH_TRIANGLE_DISTANCE_H

#include "mesh/triangle/touch.h"

typedef struct AbutTriangleDistance
{
    AbutDVec3 point_a, point_b;
    double distance; ///< of the two points
    /// Lower bound of the distance of all pairs of triangles whose corners are within the radius: the gap
    /// along the line of the two points. Equal to the distance but for rounding where the points are the
    /// closest ones; 0 where the gap is rounding.
    double lower;
} AbutTriangleDistance;

/// Closest points of triangles that do not touch. A triangle without area is its longest edge.
AbutTriangleDistance abut_triangles_distance(const AbutDTriangle* a, const AbutDTriangle* b, double radius);

/// Lower bound of the distance of triangles whose corners are within `radius` of these in every coordinate:
/// of their gap along n, of any length. 0 where they overlap along it.
double abut_triangles_gap_along(AbutDVec3 n, const AbutDTriangle* a, const AbutDTriangle* b, double radius);

#endif
