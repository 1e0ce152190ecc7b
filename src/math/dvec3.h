/// @file dvec3.h
/// Vectors of three doubles by value.
///
/// Results have the same bits everywhere, so the order of operations is part of the contract: sums over
/// components go from the left, (x + y) + z, and start with the x term. A loop that starts from 0.0 differs
/// in the sign of a zero sum: `0.0 + abut_dvec3_dot(a, b)` differs from such a loop in nothing.
#ifndef ABUT_MATH_DVEC3_H
#define ABUT_MATH_DVEC3_H

#include <abut/math.h>
#include <math.h>

typedef struct AbutDVec3
{
    double x, y, z;
} AbutDVec3;

/// fmax() and fmin() without their rules for NaN, which cost a call.
static inline double abut_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double abut_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline AbutDVec3 abut_dvec3(double x, double y, double z)
{
    return (AbutDVec3){ x, y, z };
}

static inline AbutDVec3 abut_dvec3_zero(void)
{
    return abut_dvec3(0.0, 0.0, 0.0);
}

// -----------------------------------------------------------------------------------------------------------
// Conversions
// -----------------------------------------------------------------------------------------------------------

static inline AbutDVec3 abut_dvec3_from_vec3(AbutVec3 v)
{
    return abut_dvec3(v.x, v.y, v.z);
}

/// Each component to the nearest float.
static inline AbutVec3 abut_dvec3_to_vec3(AbutDVec3 v)
{
    return abut_vec3((float)v.x, (float)v.y, (float)v.z);
}

static inline AbutDVec3 abut_dvec3_from_position(AbutPosition p)
{
    return abut_dvec3(p.x, p.y, p.z);
}

static inline AbutPosition abut_dvec3_to_position(AbutDVec3 v)
{
    return (AbutPosition){ v.x, v.y, v.z };
}

static inline AbutDVec3 abut_dvec3_from_array(const double a[3])
{
    return abut_dvec3(a[0], a[1], a[2]);
}

static inline void abut_dvec3_to_array(AbutDVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/// @param axis 0, 1 or 2
static inline double abut_dvec3_get(AbutDVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// `v` with one component replaced. @param axis 0, 1 or 2
static inline AbutDVec3 abut_dvec3_with(AbutDVec3 v, int axis, double value)
{
    return abut_dvec3(axis == 0 ? value : v.x, axis == 1 ? value : v.y, axis == 2 ? value : v.z);
}

// -----------------------------------------------------------------------------------------------------------
// By component
// -----------------------------------------------------------------------------------------------------------

static inline AbutDVec3 abut_dvec3_add(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline AbutDVec3 abut_dvec3_sub(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline bool abut_dvec3_equal(AbutDVec3 a, AbutDVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline AbutDVec3 abut_dvec3_neg(AbutDVec3 v)
{
    return abut_dvec3(-v.x, -v.y, -v.z);
}

static inline AbutDVec3 abut_dvec3_scale(AbutDVec3 v, double s)
{
    return abut_dvec3(v.x * s, v.y * s, v.z * s);
}

/// v / s by three divisions; v · (1 / s) has other bits.
static inline AbutDVec3 abut_dvec3_div(AbutDVec3 v, double s)
{
    return abut_dvec3(v.x / s, v.y / s, v.z / s);
}

/// Product of each component.
static inline AbutDVec3 abut_dvec3_mul(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/// a + s·b, rounded after the product and after the sum.
static inline AbutDVec3 abut_dvec3_mul_add(AbutDVec3 a, double s, AbutDVec3 b)
{
    return abut_dvec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/// a − s·b, rounded after the product and after the difference.
static inline AbutDVec3 abut_dvec3_mul_sub(AbutDVec3 a, double s, AbutDVec3 b)
{
    return abut_dvec3(a.x - s * b.x, a.y - s * b.y, a.z - s * b.z);
}

/// a + t·(b − a)
static inline AbutDVec3 abut_dvec3_lerp(AbutDVec3 a, AbutDVec3 b, double t)
{
    return abut_dvec3_mul_add(a, t, abut_dvec3_sub(b, a));
}

static inline AbutDVec3 abut_dvec3_abs(AbutDVec3 v)
{
    return abut_dvec3(fabs(v.x), fabs(v.y), fabs(v.z));
}

/// As abut_smaller(): b where a component of a is NaN.
static inline AbutDVec3 abut_dvec3_min(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(abut_smaller(a.x, b.x), abut_smaller(a.y, b.y), abut_smaller(a.z, b.z));
}

/// As abut_larger(): b where a component of a is NaN.
static inline AbutDVec3 abut_dvec3_max(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(abut_larger(a.x, b.x), abut_larger(a.y, b.y), abut_larger(a.z, b.z));
}

// -----------------------------------------------------------------------------------------------------------
// Products and lengths
// -----------------------------------------------------------------------------------------------------------

/// (x + y) + z of the products
static inline double abut_dvec3_dot(AbutDVec3 a, AbutDVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Each component a difference of two products, in cyclic order: a.y·b.z − a.z·b.y first.
static inline AbutDVec3 abut_dvec3_cross(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// |x| + |y| + |z|: at least the length, without squares that overflow.
static inline double abut_dvec3_taxicab(AbutDVec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static inline double abut_dvec3_squared_length(AbutDVec3 v)
{
    return abut_dvec3_dot(v, v);
}

static inline double abut_dvec3_length(AbutDVec3 v)
{
    return sqrt(abut_dvec3_squared_length(v));
}

static inline double abut_dvec3_distance(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_length(abut_dvec3_sub(a, b));
}

/// v / |v| by three divisions; zero stays zero.
static inline AbutDVec3 abut_dvec3_normalize(AbutDVec3 v)
{
    double length = abut_dvec3_length(v);
    return length > 0.0 ? abut_dvec3_div(v, length) : abut_dvec3_zero();
}

static inline bool abut_dvec3_is_finite(AbutDVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

#endif
