// Separating planes: convex sets are disjoint exactly when a plane separates them, and for triangles the
// planes parallel to a face or to an edge of each are enough.
#include "mesh/inspect/disjoint.h"

#include "mesh/corners.h"

/// Relative to the size of the triangles, which are floats: far above the rounding of double, far below that
/// of float.
static const double CLEARANCE = 1e-10;

// -----------------------------------------------------------------------------------------------------------
// Triangles without a common corner
// -----------------------------------------------------------------------------------------------------------

/// Two triangles, seen from a corner of the first.
typedef struct Pair
{
    AbutDVec3 points[2][3]; // corners
    AbutDVec3 edges[2][3];  // from each corner to the next
    AbutDVec3 normals[2];
    double size; // largest coordinate of both
} Pair;

static double largest_component(AbutDVec3 v)
{
    AbutDVec3 a = abut_dvec3_abs(v);
    return abut_larger(a.x, abut_larger(a.y, a.z));
}

static Pair make_pair(const AbutDVec3 a[3], const AbutDVec3 b[3])
{
    Pair pair = { .size = 0.0 };
    for (int k = 0; k < 3; ++k)
    {
        pair.points[0][k] = abut_dvec3_sub(a[k], a[0]);
        pair.points[1][k] = abut_dvec3_sub(b[k], a[0]);
        pair.size = abut_larger(pair.size, abut_larger(largest_component(pair.points[0][k]),
                                                       largest_component(pair.points[1][k])));
    }
    for (int t = 0; t < 2; ++t)
    {
        const AbutDVec3* points = pair.points[t];
        pair.edges[t][0] = abut_dvec3_sub(points[1], points[0]);
        pair.edges[t][1] = abut_dvec3_sub(points[2], points[1]);
        pair.edges[t][2] = abut_dvec3_sub(points[0], points[2]);
        pair.normals[t] = abut_dvec3_cross(pair.edges[t][0], pair.edges[t][1]);
    }
    return pair;
}

/// True when the triangles are apart along an axis of any length.
static bool separates(const Pair* pair, AbutDVec3 axis)
{
    double low[2], high[2];
    for (int t = 0; t < 2; ++t)
    {
        double x = abut_dvec3_dot(axis, pair->points[t][0]), y = abut_dvec3_dot(axis, pair->points[t][1]);
        double z = abut_dvec3_dot(axis, pair->points[t][2]);
        low[t] = abut_smaller(x, abut_smaller(y, z));
        high[t] = abut_larger(x, abut_larger(y, z));
    }
    double gap = abut_larger(low[0] - high[1], low[1] - high[0]), least = CLEARANCE * pair->size;
    return gap > 0.0 && gap * gap > least * least * abut_dvec3_dot(axis, axis);
}

static bool edges_separate(const Pair* pair)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            if (separates(pair, abut_dvec3_cross(pair->edges[0][i], pair->edges[1][k])))
            {
                return true;
            }
        }
    }
    return false;
}

/// For triangles in one plane: their edges span no other plane.
static bool borders_separate(const Pair* pair)
{
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 3; ++k)
        {
            if (separates(pair, abut_dvec3_cross(pair->normals[t], pair->edges[t][k])))
            {
                return true;
            }
        }
    }
    return false;
}

bool abut_triangles_are_disjoint(const AbutDVec3 a[3], const AbutDVec3 b[3])
{
    Pair pair = make_pair(a, b);
    return separates(&pair, pair.normals[0]) || separates(&pair, pair.normals[1]) ||
           borders_separate(&pair) || edges_separate(&pair);
}

// -----------------------------------------------------------------------------------------------------------
// Wedges
// -----------------------------------------------------------------------------------------------------------

/// Two wedges, seen from their common corner: rays[t][0] and rays[t][1] are unit vectors.
typedef struct WedgePair
{
    AbutDVec3 rays[2][2];
} WedgePair;

/// Which side of the plane with this normal a ray is on.
static int side_of(AbutDVec3 axis, double clearance, AbutDVec3 ray)
{
    double height = abut_dvec3_dot(axis, ray);
    return height > clearance ? 1 : (height < -clearance ? -1 : 0);
}

static bool are_same_ray(AbutDVec3 a, AbutDVec3 b)
{
    double sine = abut_dvec3_length(abut_dvec3_cross(a, b));
    return abut_dvec3_dot(a, b) > 0.0 && sine <= 1e3 * CLEARANCE;
}

/// True when a plane through the corner has one wedge on each side. Each may have one ray in the plane, if
/// these differ.
static bool splits(const WedgePair* pair, AbutDVec3 axis)
{
    int count[2] = { 0, 0 }, side[2] = { 0, 0 };
    AbutDVec3 in_plane[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    double clearance = CLEARANCE * abut_dvec3_length(axis);
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 2; ++k)
        {
            int s = side_of(axis, clearance, pair->rays[t][k]);
            if (s == 0)
            {
                in_plane[t] = pair->rays[t][k];
                count[t] += 1;
            }
            else if (side[t] == -s)
            {
                return false;
            }
            else
            {
                side[t] = s;
            }
        }
    }
    if (count[0] + count[1] > 2 || side[0] * side[1] > 0)
    {
        return false;
    }
    // A wedge in the plane has no contact with a wedge off the plane.
    return count[0] == 0 || count[1] == 0 || !are_same_ray(in_plane[0], in_plane[1]);
}

static bool ray_planes_split(const WedgePair* pair)
{
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            if (splits(pair, abut_dvec3_cross(pair->rays[0][i], pair->rays[1][k])))
            {
                return true;
            }
        }
    }
    return false;
}

static bool own_planes_split(const WedgePair* pair)
{
    for (int t = 0; t < 2; ++t)
    {
        AbutDVec3 normal = abut_dvec3_cross(pair->rays[t][0], pair->rays[t][1]);
        if (splits(pair, normal))
        {
            return true;
        }
        for (int k = 0; k < 2; ++k)
        {
            if (splits(pair, abut_dvec3_cross(normal, pair->rays[t][k])))
            {
                return true;
            }
        }
    }
    return false;
}

bool abut_wedges_are_disjoint(const AbutDVec3 a[3], const AbutDVec3 b[3])
{
    WedgePair pair;
    const AbutDVec3* const corners[2] = { a, b };
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 2; ++k)
        {
            pair.rays[t][k] = abut_dvec3_normalize(abut_dvec3_sub(corners[t][k + 1], corners[t][0]));
        }
    }
    return own_planes_split(&pair) || ray_planes_split(&pair);
}
