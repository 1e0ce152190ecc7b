/// @file closest_point.h
/// The point of a triangle that is nearest to another point, in double.
#ifndef ABUT_MESH_TRIANGLE_CLOSEST_POINT_H
#define ABUT_MESH_TRIANGLE_CLOSEST_POINT_H

/// Writes the point of triangle abc nearest to p; returns the squared distance. A triangle without area is
/// taken as its longest edge.
double abut_triangle_closest_point(const double a[3], const double b[3], const double c[3], const double p[3],
                                   double closest[3]);

/// The part of a triangle that a point lies on. Edge k runs from corner k to the next.
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

/// The same, and says on which part of the triangle the point is.
double abut_triangle_closest_feature(const double a[3], const double b[3], const double c[3],
                                     const double p[3], double closest[3], AbutTriangleFeature* feature);

#endif
