// The test for two planes is that of O. Devillers and P. Guigue, "Faster Triangle-Triangle Intersection
// Tests" (INRIA RR-4488, 2002), with strict comparisons instead of theirs, because contact of two borders is
// not a crossing here.
#include "mesh/triangle/triangle.h"

#include "mesh/triangle/dorient.h"
#include "mesh/triangle/orient.h"
#include "mesh/triangle/sided_triangle.h"

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

static AbutSidedTriangle find_sides(const AbutTriangle* t, const AbutTriangle* plane)
{
    const AbutVec3* p = plane->corners;
    AbutSidedTriangle sided;
    for (int i = 0; i < 3; ++i)
    {
        sided.corners[i] = abut_dvec3_from_vec3(t->corners[i]);
        sided.sides[i] = abut_orient_3d(p[0], p[1], p[2], t->corners[i]);
    }
    return sided;
}

static bool segments_overlap(AbutSidedTriangle a, AbutSidedTriangle b)
{
    abut_sided_put_apexes_first(&a, &b);
    return abut_dorient_3d(a.corners[0], a.corners[2], b.corners[0], b.corners[2]) > 0 &&
           abut_dorient_3d(a.corners[0], a.corners[1], b.corners[0], b.corners[1]) < 0;
}

bool abut_triangles_cross(const AbutTriangle* a, const AbutTriangle* b)
{
    AbutSidedTriangle sided_b = find_sides(b, a);
    if (abut_sided_is_in_plane(&sided_b))
    {
        return overlap_in_plane(a, b);
    }
    // A triangle that stays on one side of a plane touches it with its border at most.
    if (!abut_sided_crosses_plane(&sided_b))
    {
        return false;
    }
    AbutSidedTriangle sided_a = find_sides(a, b);
    return abut_sided_crosses_plane(&sided_a) && segments_overlap(sided_a, sided_b);
}
