// The test for two planes is that of O. Devillers and P. Guigue, "Faster Triangle-Triangle Intersection
// Tests" (INRIA RR-4488, 2002), with strict comparisons instead of theirs, because contact of two borders is
// not a crossing here.
#include "mesh/triangle/triangle.h"

#include "mesh/triangle/orient.h"

bool abut_triangle_is_degenerate(const AbutTriangle* triangle)
{
    const AbutVec3* p = triangle->corners;
    return abut_orient_2d(p[0], p[1], p[2], 0) == 0 && abut_orient_2d(p[0], p[1], p[2], 1) == 0 &&
           abut_orient_2d(p[0], p[1], p[2], 2) == 0;
}

// -----------------------------------------------------------------------------------------------------------
// One plane
// -----------------------------------------------------------------------------------------------------------

/// True when an edge of `a` has all of `b` on its outer side or on its line, seen along `axis`; `orientation`
/// is the orientation of a.
static bool has_separating_edge(const AbutTriangle* a, const AbutTriangle* b, int axis, int orientation)
{
    for (int i = 0; i < 3; ++i)
    {
        AbutVec3 from = a->corners[i], to = a->corners[(i + 1) % 3];
        if (orientation * abut_orient_2d(from, to, b->corners[0], axis) <= 0 &&
            orientation * abut_orient_2d(from, to, b->corners[1], axis) <= 0 &&
            orientation * abut_orient_2d(from, to, b->corners[2], axis) <= 0)
        {
            return true;
        }
    }
    return false;
}

/// Convex figures of one plane have no inner point in common exactly when an edge of one of them separates
/// them.
static bool overlap_in_plane(const AbutTriangle* a, const AbutTriangle* b)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        int orientation_a = abut_orient_2d(a->corners[0], a->corners[1], a->corners[2], axis);
        int orientation_b = abut_orient_2d(b->corners[0], b->corners[1], b->corners[2], axis);
        if (orientation_a != 0) // then the plane is not seen edge on, and turn_b is not 0 either
        {
            return !has_separating_edge(a, b, axis, orientation_a) &&
                   !has_separating_edge(b, a, axis, orientation_b);
        }
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Two planes
// -----------------------------------------------------------------------------------------------------------

/// A triangle and the sides of the other's plane its corners are on.
typedef struct SidedTriangle
{
    AbutVec3 corners[3];
    int sides[3];
} SidedTriangle;

static SidedTriangle find_sides(const AbutTriangle* t, const AbutTriangle* plane)
{
    const AbutVec3* p = plane->corners;
    SidedTriangle sided;
    for (int i = 0; i < 3; ++i)
    {
        sided.corners[i] = t->corners[i];
        sided.sides[i] = abut_orient_3d(p[0], p[1], p[2], t->corners[i]);
    }
    return sided;
}

static bool is_in_plane(const SidedTriangle* t)
{
    return t->sides[0] == 0 && t->sides[1] == 0 && t->sides[2] == 0;
}

static bool crosses_plane(const SidedTriangle* t)
{
    return t->sides[0] * t->sides[1] < 0 || t->sides[1] * t->sides[2] < 0 || t->sides[2] * t->sides[0] < 0;
}

static void flip(SidedTriangle* t)
{
    AbutVec3 corner = t->corners[1];
    t->corners[1] = t->corners[2];
    t->corners[2] = corner;
    int side = t->sides[1];
    t->sides[1] = t->sides[2];
    t->sides[2] = side;
}

static SidedTriangle rotated(const SidedTriangle* t, int first)
{
    SidedTriangle r;
    for (int i = 0; i < 3; ++i)
    {
        r.corners[i] = t->corners[(first + i) % 3];
        r.sides[i] = t->sides[(first + i) % 3];
    }
    return r;
}

/// Puts the corner that is alone on its side of the plane first, and turns the other triangle's plane so
/// that it is above.
static void put_apex_first(SidedTriangle* t, SidedTriangle* other)
{
    for (int i = 0; i < 3; ++i)
    {
        int side = t->sides[i];
        if (side != 0 && t->sides[(i + 1) % 3] * side <= 0 && t->sides[(i + 2) % 3] * side <= 0)
        {
            *t = rotated(t, i);
            if (side < 0)
            {
                flip(other);
            }
            return;
        }
    }
}

/// Both triangles meet the line that their planes have in common in a segment. With each apex first and
/// above the other's plane, the one of `a` runs from its edge 0–2 to its edge 0–1, the one of `b` from its
/// edge 0–1 to its edge 0–2. Two edges that reach the line have the orientation that their points on the
/// line have, so two signs order the ends.
static bool segments_overlap(SidedTriangle a, SidedTriangle b)
{
    put_apex_first(&a, &b);
    put_apex_first(&b, &a); // may swap the last two corners of a: its apex stays where it is
    return abut_orient_3d(a.corners[0], a.corners[2], b.corners[0], b.corners[2]) > 0 &&
           abut_orient_3d(a.corners[0], a.corners[1], b.corners[0], b.corners[1]) < 0;
}

bool abut_triangles_cross(const AbutTriangle* a, const AbutTriangle* b)
{
    SidedTriangle sided_b = find_sides(b, a);
    if (is_in_plane(&sided_b))
    {
        return overlap_in_plane(a, b);
    }
    // A triangle that stays on one side of a plane touches it with its border at most.
    if (!crosses_plane(&sided_b))
    {
        return false;
    }
    SidedTriangle sided_a = find_sides(a, b);
    return crosses_plane(&sided_a) && segments_overlap(sided_a, sided_b);
}
