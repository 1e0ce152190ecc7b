// The closest points of triangles that do not touch are on two edges, or a corner and a face.
#include "mesh/triangle/distance.h"

#include "mesh/triangle/closest_point.h"

typedef struct Closest
{
    AbutDVec3 a, b;
    double squared;
} Closest;

static double clamp_unit(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/// Segments from p along d and from q along e (C. Ericson, "Real-Time Collision Detection", 5.1.9). Nearly
/// parallel ones, whose quotient is rounding, are as close at an end, which is a corner on the other
/// triangle.
static void keep_closer_edges(AbutDVec3 p, AbutDVec3 d, AbutDVec3 q, AbutDVec3 e, Closest* best)
{
    AbutDVec3 r = abut_dvec3_sub(p, q);
    double dd = abut_dvec3_dot(d, d), ee = abut_dvec3_dot(e, e), de = abut_dvec3_dot(d, e);
    double c = abut_dvec3_dot(d, r), f = abut_dvec3_dot(e, r);
    if (dd == 0.0 || ee == 0.0)
    {
        return; // a corner
    }
    double denominator = dd * ee - de * de;
    double s = denominator > 0.0 ? clamp_unit((de * f - c * ee) / denominator) : 0.0;
    double t = clamp_unit((de * s + f) / ee);
    s = clamp_unit((de * t - c) / dd);
    AbutDVec3 on_a = abut_dvec3_mul_add(p, s, d), on_b = abut_dvec3_mul_add(q, t, e);
    double squared = abut_dvec3_squared_length(abut_dvec3_sub(on_b, on_a));
    if (squared < best->squared)
    {
        *best = (Closest){ on_a, on_b, squared };
    }
}

static AbutDVec3 edge_of(const AbutDTriangle* t, int i)
{
    return abut_dvec3_sub(t->corners[(i + 1) % 3], t->corners[i]);
}

/// Rounding of projections on a line: of differences to a corner, of three products and their sum.
static const double PROJECTION_ROUNDING = 0x1p-50;

double abut_triangles_gap_along(AbutDVec3 n, const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    double length = abut_dvec3_length(n);
    if (!(length > 0.0))
    {
        return 0.0;
    }
    double high = -INFINITY, low = INFINITY, largest = 0.0;
    AbutDVec3 magnitudes = abut_dvec3_abs(n);
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 p = abut_dvec3_sub(a->corners[i], a->corners[0]);
        AbutDVec3 q = abut_dvec3_sub(b->corners[i], a->corners[0]);
        high = abut_larger(abut_dvec3_dot(n, p), high);
        low = abut_smaller(abut_dvec3_dot(n, q), low);
        largest = abut_larger(abut_dvec3_dot(magnitudes, abut_dvec3_abs(p)), largest);
        largest = abut_larger(abut_dvec3_dot(magnitudes, abut_dvec3_abs(q)), largest);
    }
    double slack =
        2.0 * radius * (magnitudes.x + magnitudes.y + magnitudes.z) + PROJECTION_ROUNDING * largest;
    double gap = ((low - high) - slack) / length * (1.0 - 0x1p-48);
    return gap > 0.0 ? gap : 0.0;
}

AbutTriangleDistance abut_triangles_distance(const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    Closest best = { a->corners[0], b->corners[0], INFINITY };
    for (int i = 0; i < 3; ++i)
    {
        AbutClosestPoint on_a = abut_triangle_closest_feature(a->corners, b->corners[i]);
        if (on_a.squared < best.squared)
        {
            best = (Closest){ on_a.at, b->corners[i], on_a.squared };
        }
        AbutClosestPoint on_b = abut_triangle_closest_feature(b->corners, a->corners[i]);
        if (on_b.squared < best.squared)
        {
            best = (Closest){ a->corners[i], on_b.at, on_b.squared };
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 edge_a = edge_of(a, i);
        for (int edge = 0; edge < 3; ++edge)
        {
            keep_closer_edges(a->corners[i], edge_a, b->corners[edge], edge_of(b, edge), &best);
        }
    }
    AbutDVec3 n = abut_dvec3_sub(best.b, best.a);
    return (AbutTriangleDistance){ best.a, best.b, abut_dvec3_length(n),
                                   abut_triangles_gap_along(n, a, b, radius) };
}
