#include "mesh/triangle/closest_point.h"

#include "math/dvec3.h"

#include <stdbool.h>

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a[i] - b[i];
    }
}

static double squared_distance(const double a[3], const double b[3])
{
    double d[3];
    subtract(a, b, d);
    return abut_array3_dot(d, d);
}

/// Writes where the point is along the edge, in [0, 1].
static double closest_on_edge(const double a[3], const double b[3], const double p[3], double closest[3],
                              double* along)
{
    double ab[3], ap[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    double length = abut_array3_dot(ab, ab);
    double t = length > 0.0 ? abut_array3_dot(ap, ab) / length : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        closest[i] = t < 1.0 ? a[i] + t * ab[i] : b[i];
    }
    *along = t;
    return squared_distance(p, closest);
}

/// True when p projects to the inner side of edge ab, seen along the triangle's normal.
static bool inside_of_edge(const double a[3], const double b[3], const double p[3], const double normal[3])
{
    double ab[3], ap[3], across[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    abut_array3_cross(normal, ab, across);
    return abut_array3_dot(across, ap) >= 0.0;
}

/// Squares of the sine of the angle at a. Under the first, rounding tilts the normal noticeably; under the
/// second it is nothing but rounding, and the triangle no wider than that.
static const double THIN = 1e-8, FLAT = 1e-30;

/// Takes out of the normal what is along the longest edge: what remains of its error turns the triangle about
/// that edge, which moves no point of a thin triangle by much.
static void straighten_normal(const double ab[3], const double ac[3], double normal[3])
{
    double bc[3];
    subtract(ac, ab, bc);
    double b_length = abut_array3_dot(ab, ab), c_length = abut_array3_dot(ac, ac),
           a_length = abut_array3_dot(bc, bc);
    const double* longest = b_length > c_length ? ab : ac;
    longest = a_length > b_length && a_length > c_length ? bc : longest;
    double along = abut_array3_dot(normal, longest) / abut_array3_dot(longest, longest);
    for (int i = 0; i < 3; ++i)
    {
        normal[i] -= along * longest[i];
    }
}

/// A vector perpendicular to the triangle, of any length; false when it has no area.
static bool face_normal(const double a[3], const double b[3], const double c[3], double normal[3])
{
    double ab[3], ac[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    abut_array3_cross(ab, ac, normal);
    double squared_area = abut_array3_dot(normal, normal),
           product = abut_array3_dot(ab, ab) * abut_array3_dot(ac, ac);
    if (squared_area < THIN * product)
    {
        straighten_normal(ab, ac, normal);
    }
    return squared_area > FLAT * product;
}

static AbutTriangleFeature edge_feature(int edge, double along)
{
    if (along > 0.0 && along < 1.0)
    {
        return (AbutTriangleFeature)(ABUT_FEATURE_EDGE_0 + edge);
    }
    return (AbutTriangleFeature)(ABUT_FEATURE_CORNER_0 + (along > 0.0 ? (edge + 1) % 3 : edge));
}

double abut_triangle_closest_feature(const double a[3], const double b[3], const double c[3],
                                     const double p[3], double closest[3], AbutTriangleFeature* feature)
{
    double normal[3];
    if (face_normal(a, b, c, normal) && inside_of_edge(a, b, p, normal) && inside_of_edge(b, c, p, normal) &&
        inside_of_edge(c, a, p, normal))
    {
        double ap[3];
        subtract(p, a, ap);
        double squared_length = abut_array3_dot(normal, normal),
               height = abut_array3_dot(ap, normal) / squared_length;
        for (int i = 0; i < 3; ++i)
        {
            closest[i] = p[i] - height * normal[i];
        }
        *feature = ABUT_FEATURE_FACE;
        return height * height * squared_length;
    }

    const double* const corners[4] = { a, b, c, a };
    double along;
    double best = closest_on_edge(a, b, p, closest, &along);
    *feature = edge_feature(0, along);
    for (int edge = 1; edge < 3; ++edge)
    {
        double candidate[3];
        double squared = closest_on_edge(corners[edge], corners[edge + 1], p, candidate, &along);
        if (squared < best)
        {
            best = squared;
            *feature = edge_feature(edge, along);
            for (int i = 0; i < 3; ++i)
            {
                closest[i] = candidate[i];
            }
        }
    }
    return best;
}

double abut_triangle_closest_point(const double a[3], const double b[3], const double c[3], const double p[3],
                                   double closest[3])
{
    AbutTriangleFeature feature;
    return abut_triangle_closest_feature(a, b, c, p, closest, &feature);
}
