/// @file dquat.h
/// Rotations as quaternions of doubles, by value: x, y, z, w as AbutQuat. Sums of four go from the left.
#ifndef ABUT_MATH_DQUAT_H
#define ABUT_MATH_DQUAT_H

#include "math/dvec3.h"

typedef struct AbutDQuat
{
    double x, y, z, w;
} AbutDQuat;

static inline AbutDQuat abut_dquat(double x, double y, double z, double w)
{
    return (AbutDQuat){ x, y, z, w };
}

static inline AbutDQuat abut_dquat_identity(void)
{
    return abut_dquat(0.0, 0.0, 0.0, 1.0);
}

static inline AbutDQuat abut_dquat_from_quat(AbutQuat q)
{
    return abut_dquat(q.x, q.y, q.z, q.w);
}

/// Each component to the nearest float.
static inline AbutQuat abut_dquat_to_quat(AbutDQuat q)
{
    return (AbutQuat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
}

static inline AbutDQuat abut_dquat_conjugate(AbutDQuat q)
{
    return abut_dquat(-q.x, -q.y, -q.z, q.w);
}

/// ((x² + y²) + z²) + w²
static inline double abut_dquat_squared_length(AbutDQuat q)
{
    return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

static inline AbutDQuat abut_dquat_div(AbutDQuat q, double s)
{
    return abut_dquat(q.x / s, q.y / s, q.z / s, q.w / s);
}

/// The identity for a quaternion of length zero or of infinite length, as abut_quat_normalize().
static inline AbutDQuat abut_dquat_normalize(AbutDQuat q)
{
    double length = sqrt(abut_dquat_squared_length(q));
    return length > 0.0 && isfinite(length) ? abut_dquat_div(q, length) : abut_dquat_identity();
}

/// First b, then a; not normalised. The term of a.w first, then a.x, a.y, a.z.
static inline AbutDQuat abut_dquat_multiply(AbutDQuat a, AbutDQuat b)
{
    return abut_dquat(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

#endif
