/// @file double3.h (internal to scenes)
/// Vectors and rigid poses in double, for references that share nothing with what they judge.
#ifndef ABUT_SCENES_DOUBLE3_H
#define ABUT_SCENES_DOUBLE3_H

#include <abut/math.h>
#include <math.h>

typedef struct Double3
{
    double x, y, z;
} Double3;

static inline Double3 double3(double x, double y, double z)
{
    Double3 v = { x, y, z };
    return v;
}

static inline Double3 double3_of(AbutVec3 v)
{
    return double3((double)v.x, (double)v.y, (double)v.z);
}

static inline Double3 double3_add(Double3 a, Double3 b)
{
    return double3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Double3 double3_sub(Double3 a, Double3 b)
{
    return double3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Double3 double3_scale(Double3 v, double s)
{
    return double3(v.x * s, v.y * s, v.z * s);
}

static inline double double3_dot(Double3 a, Double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Double3 double3_cross(Double3 a, Double3 b)
{
    return double3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double double3_length(Double3 v)
{
    return sqrt(double3_dot(v, v));
}

/// x → axes[0]·x.x + axes[1]·x.y + axes[2]·x.z + origin.
typedef struct SceneRigid
{
    Double3 axes[3];
    Double3 origin;
} SceneRigid;

static inline Double3 scene_rigid_rotate(const SceneRigid* r, Double3 v)
{
    return double3_add(double3_add(double3_scale(r->axes[0], v.x), double3_scale(r->axes[1], v.y)),
                       double3_scale(r->axes[2], v.z));
}

static inline Double3 scene_rigid_point(const SceneRigid* r, Double3 p)
{
    return double3_add(scene_rigid_rotate(r, p), r->origin);
}

static inline Double3 scene_rigid_inverse_point(const SceneRigid* r, Double3 p)
{
    Double3 d = double3_sub(p, r->origin);
    return double3(double3_dot(r->axes[0], d), double3_dot(r->axes[1], d), double3_dot(r->axes[2], d));
}

#endif
