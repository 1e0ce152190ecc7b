#include "mesh/triangle/closest_point.h"

#include <stdbool.h>

static AbutTriangleFeature edge_feature(int edge, double along)
{
    if (along > 0.0 && along < 1.0)
    {
        return (AbutTriangleFeature)(ABUT_FEATURE_EDGE_0 + edge);
    }
    return (AbutTriangleFeature)(ABUT_FEATURE_CORNER_0 + (along > 0.0 ? (edge + 1) % 3 : edge));
}

/// The point of edge number `edge`, from a to b, closest to p.
static AbutClosestPoint closest_on_edge(AbutDVec3 a, AbutDVec3 b, AbutDVec3 p, int edge)
{
    AbutDVec3 ab = abut_dvec3_sub(b, a), ap = abut_dvec3_sub(p, a);
    double length = abut_dvec3_dot(ab, ab);
    double t = length > 0.0 ? abut_dvec3_dot(ap, ab) / length : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    AbutDVec3 at = t < 1.0 ? abut_dvec3_mul_add(a, t, ab) : b;
    AbutDVec3 offset = abut_dvec3_sub(p, at);
    return (AbutClosestPoint){ at, abut_dvec3_dot(offset, offset), edge_feature(edge, t) };
}

/// True when p projects to the inner side of edge ab, seen along the triangle's normal.
static bool inside_of_edge(AbutDVec3 a, AbutDVec3 b, AbutDVec3 p, AbutDVec3 normal)
{
    AbutDVec3 across = abut_dvec3_cross(normal, abut_dvec3_sub(b, a));
    return abut_dvec3_dot(across, abut_dvec3_sub(p, a)) >= 0.0;
}

/// Squares of the sine of the angle at a. Under the first, rounding tilts the normal noticeably; under the
/// second the normal is rounding alone, and the triangle no wider than that.
static const double THIN = 1e-8, FLAT = 1e-30;

/// The normal without its component along the longest edge: the remaining error rotates the triangle about
/// that edge, which moves no point of a thin triangle by much.
static AbutDVec3 straighten_normal(AbutDVec3 ab, AbutDVec3 ac, AbutDVec3 normal)
{
    AbutDVec3 bc = abut_dvec3_sub(ac, ab);
    double b_length = abut_dvec3_dot(ab, ab), c_length = abut_dvec3_dot(ac, ac),
           a_length = abut_dvec3_dot(bc, bc);
    AbutDVec3 longest = b_length > c_length ? ab : ac;
    longest = a_length > b_length && a_length > c_length ? bc : longest;
    double along = abut_dvec3_dot(normal, longest) / abut_dvec3_dot(longest, longest);
    return abut_dvec3_mul_sub(normal, along, longest);
}

/// A vector perpendicular to the triangle, of any length; false when it has no area.
static bool face_normal(const AbutDVec3 corners[3], AbutDVec3* normal)
{
    AbutDVec3 ab = abut_dvec3_sub(corners[1], corners[0]), ac = abut_dvec3_sub(corners[2], corners[0]);
    AbutDVec3 n = abut_dvec3_cross(ab, ac);
    double squared_area = abut_dvec3_dot(n, n), product = abut_dvec3_dot(ab, ab) * abut_dvec3_dot(ac, ac);
    *normal = squared_area < THIN * product ? straighten_normal(ab, ac, n) : n;
    return squared_area > FLAT * product;
}

AbutClosestPoint abut_triangle_closest_feature(const AbutDVec3 corners[3], AbutDVec3 p)
{
    AbutDVec3 normal;
    if (face_normal(corners, &normal) && inside_of_edge(corners[0], corners[1], p, normal) &&
        inside_of_edge(corners[1], corners[2], p, normal) &&
        inside_of_edge(corners[2], corners[0], p, normal))
    {
        double squared_length = abut_dvec3_dot(normal, normal),
               height = abut_dvec3_dot(abut_dvec3_sub(p, corners[0]), normal) / squared_length;
        AbutDVec3 at = abut_dvec3_mul_sub(p, height, normal);
        return (AbutClosestPoint){ at, height * height * squared_length, ABUT_FEATURE_FACE };
    }
    AbutClosestPoint best = closest_on_edge(corners[0], corners[1], p, 0);
    for (int edge = 1; edge < 3; ++edge)
    {
        AbutClosestPoint candidate = closest_on_edge(corners[edge], corners[(edge + 1) % 3], p, edge);
        best = candidate.squared < best.squared ? candidate : best;
    }
    return best;
}
