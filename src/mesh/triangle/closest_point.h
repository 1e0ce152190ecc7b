/// @file closest_point.h
/// The point of a triangle that is closest to another point, in double.
#ifndef ABUT_MESH_TRIANGLE_CLOSEST_POINT_H
#define ABUT_MESH_TRIANGLE_CLOSEST_POINT_H

#include "math/dvec3.h"

/// The face, an edge or a corner of a triangle. Edge k runs from corner k to the next.
typedef enum AbutTriangleFeature
{
    ABUT_FEATURE_FACE,
    ABUT_FEATURE_EDGE_0,
    ABUT_FEATURE_EDGE_1,
    ABUT_FEATURE_EDGE_2,
    ABUT_FEATURE_CORNER_0,
    ABUT_FEATURE_CORNER_1,
    ABUT_FEATURE_CORNER_2,
} AbutTriangleFeature;

typedef struct AbutClosestPoint
{
    AbutDVec3 at;
    double squared; // distance
    AbutTriangleFeature feature;
} AbutClosestPoint;

/// The point of a triangle closest to p, and the feature that it lies on. A triangle without area is taken as
/// its longest edge.
AbutClosestPoint abut_triangle_closest_feature(const AbutDVec3 corners[3], AbutDVec3 p);

#endif
