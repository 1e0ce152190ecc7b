// The filters follow J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates" (1997): section 4 for the error bounds, theorem 10 for adding a number to an
// expansion. The exact path is simpler than his, because coordinates are floats: a product of two is exact
// in a double, and so is half of a product of three. No intermediate comes near the ends of double's range:
// (2·FLT_MAX)³ < 2^387, and a product of three floats is a multiple of 2^-447.
#include "mesh/triangle/orient.h"

#include "base/assert.h"
#include "mesh/triangle/exact_sum.h"

/// Half a unit in the last place of 1.
#define EPSILON (0.5 * DBL_EPSILON)

/// The bounds on the relative error of the two determinants as evaluated below.
#define ERROR_2D ((3.0 + 16.0 * EPSILON) * EPSILON)
#define ERROR_3D ((7.0 + 56.0 * EPSILON) * EPSILON)

/// Adds xy·z, where xy is a double and z is a float.
static void sum_add_product(AbutExactSum* sum, double xy, double z)
{
    double high = abut_exact_upper_half(xy);
    abut_exact_sum_add(sum, high * z);
    abut_exact_sum_add(sum, (xy - high) * z);
}

// -----------------------------------------------------------------------------------------------------------
// Two dimensions
// -----------------------------------------------------------------------------------------------------------

static void sum_add_orient_2d(AbutExactSum* sum, const double a[2], const double b[2], const double c[2])
{
    abut_exact_sum_add(sum, a[0] * b[1]);
    abut_exact_sum_add(sum, -a[1] * b[0]);
    abut_exact_sum_add(sum, b[0] * c[1]);
    abut_exact_sum_add(sum, -b[1] * c[0]);
    abut_exact_sum_add(sum, c[0] * a[1]);
    abut_exact_sum_add(sum, -c[1] * a[0]);
}

static double coordinate(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

int abut_orient_2d(AbutVec3 va, AbutVec3 vb, AbutVec3 vc, int axis)
{
    ABUT_ASSERT(axis >= 0 && axis < 3);
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double a[2] = { coordinate(va, u), coordinate(va, v) };
    const double b[2] = { coordinate(vb, u), coordinate(vb, v) };
    const double c[2] = { coordinate(vc, u), coordinate(vc, v) };

    double left = (b[0] - a[0]) * (c[1] - a[1]);
    double right = (b[1] - a[1]) * (c[0] - a[0]);
    double determinant = left - right;
    double magnitude = fabs(left) + fabs(right);
    if (fabs(determinant) > ERROR_2D * magnitude || magnitude == 0.0)
    {
        return abut_sign_of(determinant);
    }
    AbutExactSum sum = { .count = 0 };
    sum_add_orient_2d(&sum, a, b, c);
    return abut_exact_sum_sign(&sum);
}

// -----------------------------------------------------------------------------------------------------------
// Three dimensions
// -----------------------------------------------------------------------------------------------------------

/// Adds sign · (a × b) · c.
static void sum_add_determinant(AbutExactSum* sum, double sign, AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    double x = sign * c.x, y = sign * c.y, z = sign * c.z;
    sum_add_product(sum, (double)a.y * b.z, x);
    sum_add_product(sum, (double)a.z * b.y, -x);
    sum_add_product(sum, (double)a.z * b.x, y);
    sum_add_product(sum, (double)a.x * b.z, -y);
    sum_add_product(sum, (double)a.x * b.y, z);
    sum_add_product(sum, (double)a.y * b.x, -z);
}

static int orient_3d_exact(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d)
{
    AbutExactSum sum = { .count = 0 };
    sum_add_determinant(&sum, 1.0, b, c, d);
    sum_add_determinant(&sum, -1.0, a, c, d);
    sum_add_determinant(&sum, 1.0, a, b, d);
    sum_add_determinant(&sum, -1.0, a, b, c);
    return abut_exact_sum_sign(&sum);
}

static bool equal(AbutVec3 a, AbutVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

int abut_orient_3d(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d)
{
    double bx = (double)b.x - a.x, by = (double)b.y - a.y, bz = (double)b.z - a.z;
    double cx = (double)c.x - a.x, cy = (double)c.y - a.y, cz = (double)c.z - a.z;
    double dx = (double)d.x - a.x, dy = (double)d.y - a.y, dz = (double)d.z - a.z;

    double yz = by * cz, zy = bz * cy;
    double zx = bz * cx, xz = bx * cz;
    double xy = bx * cy, yx = by * cx;
    double determinant = (yz - zy) * dx + (zx - xz) * dy + (xy - yx) * dz;
    double magnitude = (fabs(yz) + fabs(zy)) * fabs(dx) + (fabs(zx) + fabs(xz)) * fabs(dy) +
                       (fabs(xy) + fabs(yx)) * fabs(dz);
    // Differences vanish exactly when coordinates are equal, so a magnitude of zero is exact too: flat,
    // axis-aligned faces.
    if (fabs(determinant) > ERROR_3D * magnitude || magnitude == 0.0)
    {
        return abut_sign_of(determinant);
    }
    // Neighbours share corners: the commonest zero there is.
    if (equal(d, b) || equal(d, c))
    {
        return 0;
    }
    return orient_3d_exact(a, b, c, d);
}

// -----------------------------------------------------------------------------------------------------------
// Normals and order along a direction
// -----------------------------------------------------------------------------------------------------------

/// The component `axis` of (b − a) × (c − a). The components of the sum do not overlap, so that the rounding
/// of their sum is that of its last step.
static double normal_component(AbutVec3 va, AbutVec3 vb, AbutVec3 vc, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double a[2] = { coordinate(va, u), coordinate(va, v) };
    const double b[2] = { coordinate(vb, u), coordinate(vb, v) };
    const double c[2] = { coordinate(vc, u), coordinate(vc, v) };
    AbutExactSum sum = { .count = 0 };
    sum_add_orient_2d(&sum, a, b, c);
    double value = 0.0;
    for (int i = 0; i < sum.count; ++i)
    {
        value += sum.components[i];
    }
    return value;
}

AbutDVec3 abut_orient_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    double x = normal_component(a, b, c, 0);
    double y = normal_component(a, b, c, 1);
    double z = normal_component(a, b, c, 2);
    return abut_dvec3(x, y, z);
}

/// `x`, or 0 where products with it could lose bits below the range of double.
static double without_tiny(double x)
{
    return fabs(x) < 0x1p-500 ? 0.0 : x;
}

/// The error of direction · (b − a) in double, relative to the sum of its terms' sizes: one rounding for each
/// difference and product, and two for the sums.
#define ERROR_ALONG ((4.0 + 16.0 * EPSILON) * EPSILON)

int abut_orient_along(AbutDVec3 direction, AbutVec3 a, AbutVec3 b)
{
    double x = without_tiny(direction.x), y = without_tiny(direction.y), z = without_tiny(direction.z);
    double along_x = x * ((double)b.x - a.x), along_y = y * ((double)b.y - a.y);
    double along_z = z * ((double)b.z - a.z);
    double along = along_x + along_y + along_z;
    double magnitude = fabs(along_x) + fabs(along_y) + fabs(along_z);
    if (fabs(along) > ERROR_ALONG * magnitude || magnitude == 0.0)
    {
        return abut_sign_of(along);
    }
    AbutExactSum sum = { .count = 0 };
    sum_add_product(&sum, x, b.x);
    sum_add_product(&sum, x, -(double)a.x);
    sum_add_product(&sum, y, b.y);
    sum_add_product(&sum, y, -(double)a.y);
    sum_add_product(&sum, z, b.z);
    sum_add_product(&sum, z, -(double)a.z);
    return abut_exact_sum_sign(&sum);
}
