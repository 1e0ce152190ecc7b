// Convex sets are apart exactly when a plane separates them, and for triangles it is enough to try planes
// that are parallel to a face or to an edge of each.
#include "mesh/inspect/disjoint.h"

#include "mesh/corners.h"

/// In parts of the size of the triangles, which are floats: far above the rounding of double, far below that
/// of float.
static const double CLEARANCE = 1e-10;

// -----------------------------------------------------------------------------------------------------------
// Triangles without a common corner
// -----------------------------------------------------------------------------------------------------------

/// Two triangles, seen from a corner of the first.
typedef struct Pair
{
    double points[2][3][3]; // corners
    double edges[2][3][3];  // from each corner to the next
    double normals[2][3];
    double size; // largest coordinate of both
} Pair;

static Pair make_pair(double a[3][3], double b[3][3])
{
    Pair pair = { .size = 0.0 };
    for (int k = 0; k < 3; ++k)
    {
        abut_array3_sub(a[k], a[0], pair.points[0][k]);
        abut_array3_sub(b[k], a[0], pair.points[1][k]);
        for (int i = 0; i < 3; ++i)
        {
            double x = fabs(pair.points[0][k][i]), y = fabs(pair.points[1][k][i]);
            pair.size = abut_larger(pair.size, abut_larger(x, y));
        }
    }
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 3; ++k)
        {
            abut_array3_sub(pair.points[t][(k + 1) % 3], pair.points[t][k], pair.edges[t][k]);
        }
        abut_array3_cross(pair.edges[t][0], pair.edges[t][1], pair.normals[t]);
    }
    return pair;
}

/// True when the triangles are apart along an axis of any length.
static bool separates(const Pair* pair, const double axis[3])
{
    double low[2], high[2];
    for (int t = 0; t < 2; ++t)
    {
        double x = abut_array3_dot(axis, pair->points[t][0]), y = abut_array3_dot(axis, pair->points[t][1]);
        double z = abut_array3_dot(axis, pair->points[t][2]);
        low[t] = abut_smaller(x, abut_smaller(y, z));
        high[t] = abut_larger(x, abut_larger(y, z));
    }
    double gap = abut_larger(low[0] - high[1], low[1] - high[0]), least = CLEARANCE * pair->size;
    return gap > 0.0 && gap * gap > least * least * abut_array3_dot(axis, axis);
}

static bool edges_separate(const Pair* pair)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            double axis[3];
            abut_array3_cross(pair->edges[0][i], pair->edges[1][k], axis);
            if (separates(pair, axis))
            {
                return true;
            }
        }
    }
    return false;
}

/// For triangles in one plane, whose edges span no other.
static bool borders_separate(const Pair* pair)
{
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 3; ++k)
        {
            double axis[3];
            abut_array3_cross(pair->normals[t], pair->edges[t][k], axis);
            if (separates(pair, axis))
            {
                return true;
            }
        }
    }
    return false;
}

bool abut_triangles_are_disjoint(double a[3][3], double b[3][3])
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
    double rays[2][2][3];
} WedgePair;

/// Which side of the plane with this normal a ray is on.
static int side_of(const double axis[3], double clearance, const double ray[3])
{
    double height = abut_array3_dot(axis, ray);
    return height > clearance ? 1 : (height < -clearance ? -1 : 0);
}

static bool are_same_ray(const double a[3], const double b[3])
{
    double across[3];
    abut_array3_cross(a, b, across);
    return abut_array3_dot(a, b) > 0.0 && abut_array3_length(across) <= 1e3 * CLEARANCE;
}

/// True when a plane through the corner has one wedge on each side. Each may have one ray in the plane, if
/// these differ.
static bool splits(const WedgePair* pair, const double axis[3])
{
    int count[2] = { 0, 0 }, side[2] = { 0, 0 };
    const double* in_plane[2] = { NULL, NULL };
    double clearance = CLEARANCE * abut_array3_length(axis);
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
    // A wedge that lies in the plane is met by nothing when the other one keeps off the plane.
    return count[0] == 0 || count[1] == 0 || !are_same_ray(in_plane[0], in_plane[1]);
}

static bool ray_planes_split(const WedgePair* pair)
{
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            double axis[3];
            abut_array3_cross(pair->rays[0][i], pair->rays[1][k], axis);
            if (splits(pair, axis))
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
        double normal[3], axis[3];
        abut_array3_cross(pair->rays[t][0], pair->rays[t][1], normal);
        if (splits(pair, normal))
        {
            return true;
        }
        for (int k = 0; k < 2; ++k)
        {
            abut_array3_cross(normal, pair->rays[t][k], axis);
            if (splits(pair, axis))
            {
                return true;
            }
        }
    }
    return false;
}

bool abut_wedges_are_disjoint(double a[3][3], double b[3][3])
{
    WedgePair pair;
    double(*const corners[2])[3] = { a, b };
    for (int t = 0; t < 2; ++t)
    {
        for (int k = 0; k < 2; ++k)
        {
            double* ray = pair.rays[t][k];
            abut_array3_sub(corners[t][k + 1], corners[t][0], ray);
            double length = abut_array3_length(ray);
            for (int i = 0; i < 3; ++i)
            {
                ray[i] = length > 0.0 ? ray[i] / length : 0.0;
            }
        }
    }
    return own_planes_split(&pair) || ray_planes_split(&pair);
}
