// The filters are those of orient.c. The exact path adds products of differences where the differences have
// no rounding error, which is the case for points on a common grid, and products of coordinates elsewhere.
#include "mesh/triangle/dorient.h"

#include "base/assert.h"
#include "mesh/triangle/exact_sum.h"

/// Half a unit in the last place of 1.
#define EPSILON (0.5 * DBL_EPSILON)

/// The bounds on the relative error of the two determinants as evaluated below (Shewchuk, section 4).
#define ERROR_2D ((3.0 + 16.0 * EPSILON) * EPSILON)
#define ERROR_3D ((7.0 + 56.0 * EPSILON) * EPSILON)

// -----------------------------------------------------------------------------------------------------------
// Differences
// -----------------------------------------------------------------------------------------------------------

static bool difference_is_exact(double a, double b, double difference)
{
    double b_recovered = a - difference;
    double a_recovered = difference + b_recovered;
    return b_recovered - b == 0.0 && a - a_recovered == 0.0;
}

static bool differences_are_exact(AbutDVec3 p, AbutDVec3 origin, AbutDVec3 difference)
{
    return difference_is_exact(p.x, origin.x, difference.x) &&
           difference_is_exact(p.y, origin.y, difference.y) &&
           difference_is_exact(p.z, origin.z, difference.z);
}

// -----------------------------------------------------------------------------------------------------------
// Two dimensions
// -----------------------------------------------------------------------------------------------------------

typedef struct Point2
{
    double u, v;
} Point2;

static Point2 project(AbutDVec3 p, int axis)
{
    return (Point2){ abut_dvec3_get(p, (axis + 1) % 3), abut_dvec3_get(p, (axis + 2) % 3) };
}

static int orient_2d_exact(Point2 a, Point2 b, Point2 c)
{
    AbutExactSum sum = { .count = 0 };
    abut_exact_sum_add_product(&sum, a.u, b.v);
    abut_exact_sum_add_product(&sum, -a.v, b.u);
    abut_exact_sum_add_product(&sum, b.u, c.v);
    abut_exact_sum_add_product(&sum, -b.v, c.u);
    abut_exact_sum_add_product(&sum, c.u, a.v);
    abut_exact_sum_add_product(&sum, -c.v, a.u);
    return abut_exact_sum_sign(&sum);
}

int abut_dorient_2d(AbutDVec3 va, AbutDVec3 vb, AbutDVec3 vc, int axis)
{
    ABUT_ASSERT(axis >= 0 && axis < 3);
    Point2 a = project(va, axis), b = project(vb, axis), c = project(vc, axis);
    double left = (b.u - a.u) * (c.v - a.v);
    double right = (b.v - a.v) * (c.u - a.u);
    double determinant = left - right;
    double magnitude = fabs(left) + fabs(right);
    if (fabs(determinant) > ERROR_2D * magnitude || magnitude == 0.0)
    {
        return abut_sign_of(determinant);
    }
    return orient_2d_exact(a, b, c);
}

// -----------------------------------------------------------------------------------------------------------
// Three dimensions
// -----------------------------------------------------------------------------------------------------------

/// Adds sign · (a × b) · c.
static void sum_add_determinant(AbutExactSum* sum, double sign, AbutDVec3 a, AbutDVec3 b, AbutDVec3 c)
{
    double x = sign * c.x, y = sign * c.y, z = sign * c.z;
    abut_exact_sum_add_triple(sum, a.y, b.z, x);
    abut_exact_sum_add_triple(sum, a.z, b.y, -x);
    abut_exact_sum_add_triple(sum, a.z, b.x, y);
    abut_exact_sum_add_triple(sum, a.x, b.z, -y);
    abut_exact_sum_add_triple(sum, a.x, b.y, z);
    abut_exact_sum_add_triple(sum, a.y, b.x, -z);
}

static int orient_3d_exact(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 d)
{
    AbutDVec3 ab = abut_dvec3_sub(b, a), ac = abut_dvec3_sub(c, a), ad = abut_dvec3_sub(d, a);
    AbutExactSum sum = { .count = 0 };
    if (differences_are_exact(b, a, ab) && differences_are_exact(c, a, ac) && differences_are_exact(d, a, ad))
    {
        sum_add_determinant(&sum, 1.0, ab, ac, ad);
    }
    else
    {
        sum_add_determinant(&sum, 1.0, b, c, d);
        sum_add_determinant(&sum, -1.0, a, c, d);
        sum_add_determinant(&sum, 1.0, a, b, d);
        sum_add_determinant(&sum, -1.0, a, b, c);
    }
    return abut_exact_sum_sign(&sum);
}

typedef struct Determinant
{
    double value;
    double magnitude; // of the terms
} Determinant;

/// u × v, and the magnitudes of its terms.
typedef struct Cross
{
    AbutDVec3 value, magnitude;
} Cross;

static inline Cross cross_of(AbutDVec3 u, AbutDVec3 v)
{
    double yz = u.y * v.z, zy = u.z * v.y;
    double zx = u.z * v.x, xz = u.x * v.z;
    double xy = u.x * v.y, yx = u.y * v.x;
    return (Cross){ { yz - zy, zx - xz, xy - yx },
                    { fabs(yz) + fabs(zy), fabs(zx) + fabs(xz), fabs(xy) + fabs(yx) } };
}

/// (u × v) · w
static inline Determinant determinant_of(const Cross* cross, AbutDVec3 w)
{
    return (Determinant){ abut_dvec3_dot(cross->value, w),
                          abut_dvec3_dot(cross->magnitude, abut_dvec3_abs(w)) };
}

/// True where the sign of the determinant is that of its value.
static inline bool is_certain(const Determinant* det)
{
    return fabs(det->value) > ERROR_3D * det->magnitude || det->magnitude == 0.0;
}

int abut_dorient_3d(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 d)
{
    Cross cross = cross_of(abut_dvec3_sub(b, a), abut_dvec3_sub(c, a));
    Determinant det = determinant_of(&cross, abut_dvec3_sub(d, a));
    return is_certain(&det) ? abut_sign_of(det.value) : orient_3d_exact(a, b, c, d);
}

void abut_dorient_sides(const AbutDVec3 plane[3], const AbutDVec3 points[3], int sides[3])
{
    Cross cross = cross_of(abut_dvec3_sub(plane[1], plane[0]), abut_dvec3_sub(plane[2], plane[0]));
    for (int i = 0; i < 3; ++i)
    {
        Determinant det = determinant_of(&cross, abut_dvec3_sub(points[i], plane[0]));
        sides[i] = is_certain(&det) ? abut_sign_of(det.value)
                                    : orient_3d_exact(plane[0], plane[1], plane[2], points[i]);
    }
}

/// The sign of a determinant whose vectors move by 2·radius in every coordinate, 0 where it has none.
static int sign_within(const Cross* cross, AbutDVec3 ab, AbutDVec3 ac, AbutDVec3 ad, double radius)
{
    Determinant det = determinant_of(cross, ad);
    // Differences move by δ = 2·radius in every coordinate. With u, v, w the sums of the magnitudes of the
    // three differences, the six terms move by δ·(uv + vw + wu) + 2·δ²·(u + v + w) + 6·δ³ together at most.
    double u = fabs(ab.x) + fabs(ab.y) + fabs(ab.z), v = fabs(ac.x) + fabs(ac.y) + fabs(ac.z),
           w = fabs(ad.x) + fabs(ad.y) + fabs(ad.z), delta = 2.0 * radius;
    double moved = delta * ((u * v + v * w + w * u) + 2.0 * delta * (u + v + w) + 6.0 * delta * delta);
    // One part in 2^40 covers the rounding of this bound.
    double error = (moved + ERROR_3D * det.magnitude) * (1.0 + 0x1p-40);
    return fabs(det.value) > error ? abut_sign_of(det.value) : 0;
}

int abut_dorient_3d_within(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c, AbutDVec3 d, double radius)
{
    AbutDVec3 ab = abut_dvec3_sub(b, a), ac = abut_dvec3_sub(c, a);
    Cross cross = cross_of(ab, ac);
    return sign_within(&cross, ab, ac, abut_dvec3_sub(d, a), radius);
}

void abut_dorient_sides_within(const AbutDVec3 plane[3], const AbutDVec3 points[3], double radius,
                               int sides[3])
{
    AbutDVec3 ab = abut_dvec3_sub(plane[1], plane[0]), ac = abut_dvec3_sub(plane[2], plane[0]);
    Cross cross = cross_of(ab, ac);
    for (int i = 0; i < 3; ++i)
    {
        sides[i] = sign_within(&cross, ab, ac, abut_dvec3_sub(points[i], plane[0]), radius);
    }
}
