/// @file array3.h
/// Vectors as arrays of three doubles, for rows of matrices and arrays of corners. Values are AbutDVec3
/// (math/dvec3.h); the orders of sums are the same.
#ifndef ABUT_MATH_ARRAY3_H
#define ABUT_MATH_ARRAY3_H

#include <abut/math.h>
#include <math.h>

/// (a₀b₀ + a₁b₁) + a₂b₂
static inline double abut_array3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void abut_array3_sub(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a[i] - b[i];
    }
}

/// `out` is neither `a` nor `b`.
static inline void abut_array3_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double abut_array3_length(const double a[3])
{
    return sqrt(abut_array3_dot(a, a));
}

static inline void abut_array3_from_vec3(AbutVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

#endif
