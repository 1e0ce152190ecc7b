// Triangles in general position take the test of Devillers and Guigue (sided_triangle.h): eight signs. A sign
// of zero means a corner in a plane, and then two triangles touch exactly when an edge of one touches the
// other: six segments against a triangle, in three, two or one dimension.
#include "mesh/triangle/touch.h"

#include "mesh/triangle/dorient.h"
#include "mesh/triangle/sided_triangle.h"

// -----------------------------------------------------------------------------------------------------------
// Segments and triangles, exactly
// -----------------------------------------------------------------------------------------------------------

static bool is_between(double x, double a, double b)
{
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

static bool is_in_box(AbutDVec3 p, AbutDVec3 a, AbutDVec3 b)
{
    return is_between(p.x, a.x, b.x) && is_between(p.y, a.y, b.y) && is_between(p.z, a.z, b.z);
}

/// Segments of one plane that `axis` is not parallel to, so that the view along it loses nothing.
static bool segments_touch_in_plane(AbutDVec3 p, AbutDVec3 q, AbutDVec3 r, AbutDVec3 s, int axis)
{
    int side_r = abut_dorient_2d(p, q, r, axis), side_s = abut_dorient_2d(p, q, s, axis);
    int side_p = abut_dorient_2d(r, s, p, axis), side_q = abut_dorient_2d(r, s, q, axis);
    if (side_r * side_s < 0 && side_p * side_q < 0)
    {
        return true;
    }
    return (side_r == 0 && is_in_box(r, p, q)) || (side_s == 0 && is_in_box(s, p, q)) ||
           (side_p == 0 && is_in_box(p, r, s)) || (side_q == 0 && is_in_box(q, r, s));
}

/// An axis along which the points are not in line; −1 for points that are.
static int axis_of_area(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (abut_dorient_2d(a, b, c, axis) != 0)
        {
            return axis;
        }
    }
    return -1;
}

static bool intervals_overlap(double p, double q, double r, double s)
{
    return is_between(r, p, q) || is_between(s, p, q) || is_between(p, r, s);
}

static bool segments_touch(AbutDVec3 p, AbutDVec3 q, AbutDVec3 r, AbutDVec3 s)
{
    if (abut_dorient_3d(p, q, r, s) != 0)
    {
        return false;
    }
    const AbutDVec3 triples[4][3] = { { p, q, r }, { p, q, s }, { r, s, p }, { r, s, q } };
    for (int i = 0; i < 4; ++i)
    {
        int axis = axis_of_area(triples[i][0], triples[i][1], triples[i][2]);
        if (axis >= 0)
        {
            return segments_touch_in_plane(p, q, r, s, axis);
        }
    }
    // All four in line: on an axis that the line is not perpendicular to, the view loses nothing; on others
    // all coordinates are equal.
    return intervals_overlap(p.x, q.x, r.x, s.x) && intervals_overlap(p.y, q.y, r.y, s.y) &&
           intervals_overlap(p.z, q.z, r.z, s.z);
}

static bool same_sides(int a, int b, int c)
{
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool segment_touches_in_plane(AbutDVec3 p, AbutDVec3 q, const AbutDVec3 t[3], int axis)
{
    return same_sides(abut_dorient_2d(t[0], t[1], p, axis), abut_dorient_2d(t[1], t[2], p, axis),
                      abut_dorient_2d(t[2], t[0], p, axis)) ||
           segments_touch_in_plane(p, q, t[0], t[1], axis) ||
           segments_touch_in_plane(p, q, t[1], t[2], axis) || segments_touch_in_plane(p, q, t[2], t[0], axis);
}

bool abut_segment_touches_triangle(AbutDVec3 p, AbutDVec3 q, const AbutDVec3 t[3])
{
    int axis = axis_of_area(t[0], t[1], t[2]);
    if (axis < 0)
    {
        return segments_touch(p, q, t[0], t[1]) || segments_touch(p, q, t[1], t[2]) ||
               segments_touch(p, q, t[2], t[0]);
    }
    int side_p = abut_dorient_3d(t[0], t[1], t[2], p), side_q = abut_dorient_3d(t[0], t[1], t[2], q);
    if (side_p * side_q > 0)
    {
        return false;
    }
    if (side_p == 0 && side_q == 0)
    {
        return segment_touches_in_plane(p, q, t, axis);
    }
    // The line meets the plane in one point of the segment.
    return same_sides(abut_dorient_3d(p, q, t[0], t[1]), abut_dorient_3d(p, q, t[1], t[2]),
                      abut_dorient_3d(p, q, t[2], t[0]));
}

static bool edges_touch(const AbutDTriangle* edges, const AbutDTriangle* t)
{
    for (int i = 0; i < 3; ++i)
    {
        if (abut_segment_touches_triangle(edges->corners[i], edges->corners[(i + 1) % 3], t->corners))
        {
            return true;
        }
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// General position
// -----------------------------------------------------------------------------------------------------------

static bool all_on_one_side(const AbutSidedTriangle* t)
{
    return (t->sides[0] > 0 && t->sides[1] > 0 && t->sides[2] > 0) ||
           (t->sides[0] < 0 && t->sides[1] < 0 && t->sides[2] < 0);
}

static bool has_zero_side(const AbutSidedTriangle* t)
{
    return t->sides[0] == 0 || t->sides[1] == 0 || t->sides[2] == 0;
}

static AbutSidedTriangle exact_sides(const AbutDTriangle* t, const AbutDTriangle* plane)
{
    AbutSidedTriangle sided = { .corners = { t->corners[0], t->corners[1], t->corners[2] } };
    abut_dorient_sides(plane->corners, t->corners, sided.sides);
    return sided;
}

bool abut_triangles_touch(const AbutDTriangle* a, const AbutDTriangle* b)
{
    AbutSidedTriangle sided_b = exact_sides(b, a);
    if (all_on_one_side(&sided_b))
    {
        return false;
    }
    AbutSidedTriangle sided_a = exact_sides(a, b);
    if (all_on_one_side(&sided_a))
    {
        return false;
    }
    if (has_zero_side(&sided_a) || has_zero_side(&sided_b))
    {
        return edges_touch(a, b) || edges_touch(b, a);
    }
    abut_sided_put_apexes_first(&sided_a, &sided_b);
    const AbutDVec3 *p = sided_a.corners, *q = sided_b.corners;
    return abut_dorient_3d(p[0], p[2], q[0], q[2]) >= 0 && abut_dorient_3d(p[0], p[1], q[0], q[1]) <= 0;
}

// -----------------------------------------------------------------------------------------------------------
// Corners within a radius
// -----------------------------------------------------------------------------------------------------------

static AbutSidedTriangle sides_within(const AbutDTriangle* t, const AbutDTriangle* plane, double radius)
{
    AbutSidedTriangle sided = { .corners = { t->corners[0], t->corners[1], t->corners[2] } };
    abut_dorient_sides_within(plane->corners, t->corners, radius, sided.sides);
    return sided;
}

/// Rounding of a projection on an axis: the sum of three products, and the axis itself is whatever it is.
static const double PROJECTION_ROUNDING = 0x1p-50;

/// True when the corners keep apart along the axis wherever they are within the radius.
static bool separates(AbutDVec3 axis, const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY, largest = 0.0;
    AbutDVec3 origin = a->corners[0], magnitudes = abut_dvec3_abs(axis);
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 p = abut_dvec3_sub(a->corners[i], origin), q = abut_dvec3_sub(b->corners[i], origin);
        double at_p = abut_dvec3_dot(axis, p), at_q = abut_dvec3_dot(axis, q);
        low_a = abut_smaller(at_p, low_a);
        high_a = abut_larger(at_p, high_a);
        low_b = abut_smaller(at_q, low_b);
        high_b = abut_larger(at_q, high_b);
        double p_size = abut_dvec3_dot(magnitudes, abut_dvec3_abs(p));
        double q_size = abut_dvec3_dot(magnitudes, abut_dvec3_abs(q));
        largest = abut_larger(abut_larger(p_size, q_size), largest);
    }
    double gap = abut_larger(low_b - high_a, low_a - high_b);
    double length = magnitudes.x + magnitudes.y + magnitudes.z;
    return gap > (2.0 * radius * length + PROJECTION_ROUNDING * largest) * (1.0 + 0x1p-40);
}

static AbutDVec3 edge_of(const AbutDTriangle* t, int i)
{
    return abut_dvec3_sub(t->corners[(i + 1) % 3], t->corners[i]);
}

static AbutDVec3 normal_of(const AbutDTriangle* t)
{
    return abut_dvec3_cross(edge_of(t, 0), edge_of(t, 1));
}

/// Any axis is a proof; these are the ones that separate triangles with a gap: normals, products of edges,
/// and normals of edges in the two planes.
static bool has_separating_axis(const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    AbutDVec3 normal_a = normal_of(a), normal_b = normal_of(b);
    if (separates(normal_a, a, b, radius) || separates(normal_b, a, b, radius))
    {
        return true;
    }
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 edge_a = edge_of(a, i);
        if (separates(abut_dvec3_cross(normal_a, edge_a), a, b, radius) ||
            separates(abut_dvec3_cross(normal_b, edge_of(b, i)), a, b, radius) ||
            separates(abut_dvec3_cross(edge_a, edge_of(b, 0)), a, b, radius) ||
            separates(abut_dvec3_cross(edge_a, edge_of(b, 1)), a, b, radius) ||
            separates(abut_dvec3_cross(edge_a, edge_of(b, 2)), a, b, radius))
        {
            return true;
        }
    }
    return false;
}

static AbutTrianglesState state_of_axes(const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    return has_separating_axis(a, b, radius) ? ABUT_TRIANGLES_APART : ABUT_TRIANGLES_CLOSE;
}

AbutTrianglesState abut_triangles_touch_within(const AbutDTriangle* a, const AbutDTriangle* b, double radius)
{
    AbutSidedTriangle sided_b = sides_within(b, a, radius);
    if (all_on_one_side(&sided_b))
    {
        return ABUT_TRIANGLES_APART;
    }
    AbutSidedTriangle sided_a = sides_within(a, b, radius);
    if (all_on_one_side(&sided_a))
    {
        return ABUT_TRIANGLES_APART;
    }
    if (has_zero_side(&sided_a) || has_zero_side(&sided_b))
    {
        return state_of_axes(a, b, radius);
    }
    abut_sided_put_apexes_first(&sided_a, &sided_b);
    const AbutDVec3 *p = sided_a.corners, *q = sided_b.corners;
    int lower = abut_dorient_3d_within(p[0], p[2], q[0], q[2], radius);
    int upper = abut_dorient_3d_within(p[0], p[1], q[0], q[1], radius);
    if (lower < 0 || upper > 0)
    {
        return ABUT_TRIANGLES_APART;
    }
    return lower > 0 && upper < 0 ? ABUT_TRIANGLES_TOUCH : state_of_axes(a, b, radius);
}
