/// @file dvec3.h
/// Three doubles as a vector, for geometry that floats are too coarse for.
#ifndef ABUT_MATH_DVEC3_H
#define ABUT_MATH_DVEC3_H

#include <abut/math.h>
#include <math.h>

/// fmax() and fmin() without their rules for NaN, which cost a call.
static inline double abut_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double abut_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double abut_dvec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void abut_dvec3_sub(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a[i] - b[i];
    }
}

static inline void abut_dvec3_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double abut_dvec3_length(const double a[3])
{
    return sqrt(abut_dvec3_dot(a, a));
}

static inline void abut_dvec3_from_vec3(AbutVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

#endif
