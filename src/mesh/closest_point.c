#include "mesh/closest_point.h"

#include <stdbool.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a[i] - b[i];
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double squared_distance(const double a[3], const double b[3])
{
    double d[3];
    subtract(a, b, d);
    return dot(d, d);
}

static double closest_on_edge(const double a[3], const double b[3], const double p[3], double closest[3])
{
    double ab[3], ap[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    double length = dot(ab, ab);
    double t = length > 0.0 ? dot(ap, ab) / length : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        closest[i] = t < 1.0 ? a[i] + t * ab[i] : b[i];
    }
    return squared_distance(p, closest);
}

/// True when p projects to the inner side of edge ab, seen along the triangle's normal.
static bool inside_of_edge(const double a[3], const double b[3], const double p[3], const double normal[3])
{
    double ab[3], ap[3], across[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    cross(normal, ab, across);
    return dot(across, ap) >= 0.0;
}

double abut_triangle_closest_point(const double a[3], const double b[3], const double c[3], const double p[3],
                                   double closest[3])
{
    double ab[3], ac[3], normal[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    cross(ab, ac, normal);
    double squared_area = dot(normal, normal);
    if (squared_area > 0.0 && inside_of_edge(a, b, p, normal) && inside_of_edge(b, c, p, normal) &&
        inside_of_edge(c, a, p, normal))
    {
        double ap[3];
        subtract(p, a, ap);
        double height = dot(ap, normal) / squared_area;
        for (int i = 0; i < 3; ++i)
        {
            closest[i] = p[i] - height * normal[i];
        }
        return height * height * squared_area;
    }

    const double* const corners[4] = { a, b, c, a };
    double best = closest_on_edge(a, b, p, closest);
    for (int edge = 1; edge < 3; ++edge)
    {
        double candidate[3];
        double squared = closest_on_edge(corners[edge], corners[edge + 1], p, candidate);
        if (squared < best)
        {
            best = squared;
            for (int i = 0; i < 3; ++i)
            {
                closest[i] = candidate[i];
            }
        }
    }
    return best;
}
