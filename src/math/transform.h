/// @file transform.h
/// A pose in double, for chains of poses: rounded to float once, where the points meet a primitive.
#ifndef ABUT_MATH_TRANSFORM_H
#define ABUT_MATH_TRANSFORM_H

#include <abut/math.h>

#include "math/daffine.h"
#include "math/dmat3.h"

#include <string.h>

/// x_parent = scale · rotation · x_local + translation
typedef struct AbutTransform
{
    AbutDMat3 rotation;
    AbutDVec3 translation;
    double scale;
    bool precise; // shapes in it are sampled in double, wherever possible
} AbutTransform;

/// Error of a point's coordinates in another frame, relative to all lengths in their sum (docs/proofs.md).
#define ABUT_TRANSFORM_ROUNDING 0x1p-46

static inline AbutTransform abut_transform_identity(void)
{
    return (AbutTransform){ abut_dmat3_identity(), abut_dvec3_zero(), 1.0, false };
}

AbutTransform abut_transform_from_pose(const AbutPose* pose);

/// The same by one division instead of nine: other last bits, which docs/proofs.md allows for. For queries
/// whose results no simulation depends on.
AbutTransform abut_transform_from_pose_quick(const AbutPose* pose);

/// B in the frame of A, from both poses in double: within ABUT_TRANSFORM_ROUNDING of the distance of the two
/// origins, in the unit of A.
AbutTransform abut_transform_relative(const AbutPose* a, const AbutPose* b);

/// The same from abut_transform_from_pose_quick().
AbutTransform abut_transform_relative_quick(const AbutPose* a, const AbutPose* b);

/// As abut_pose_is_valid(), for poses on the way of many.
static inline bool abut_transform_pose_is_valid(const AbutPose* pose)
{
    AbutDQuat q = abut_dquat_from_quat(pose->rotation);
    double n = abut_dquat_squared_length(q), scale = (double)pose->scale;
    // NaN where one of them is not finite.
    double zero = pose->position.x * 0.0 + pose->position.y * 0.0 + pose->position.z * 0.0 + scale * 0.0;
    return zero == 0.0 && scale > 0.0 && n >= 0.999 * 0.999 && n <= 1.001 * 1.001;
}

static inline bool abut_transform_same_rotation(const AbutPose* a, const AbutPose* b)
{
    uint64_t x[2], y[2];
    _Static_assert(sizeof(x) == sizeof(a->rotation), "a quaternion is two words");
    memcpy(x, &a->rotation, sizeof(x));
    memcpy(y, &b->rotation, sizeof(y));
    return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

/// The same from both frames. @param same_rotation  the rotations have the same bits
AbutTransform abut_transform_between(const AbutTransform* a, const AbutTransform* b, bool same_rotation);

/// x → parent(local(x)).
AbutTransform abut_transform_multiply(const AbutTransform* parent, const AbutTransform* local);

/// A direction of the local frame in the parent one.
static inline AbutDVec3 abut_transform_rotate(const AbutTransform* frame, AbutDVec3 local)
{
    return abut_dmat3_transform(&frame->rotation, local);
}

/// A direction of the parent frame in the local one.
static inline AbutDVec3 abut_transform_inverse_rotate(const AbutTransform* frame, AbutDVec3 parent)
{
    return abut_dmat3_transform_transposed(&frame->rotation, parent);
}

/// A point of the local frame in the parent one.
static inline AbutDVec3 abut_transform_point(const AbutTransform* frame, AbutDVec3 local)
{
    return abut_dvec3_mul_add(frame->translation, frame->scale, abut_transform_rotate(frame, local));
}

/// abut_transform_point() as a map; the scale is in the matrix, so that results differ by roundings.
static inline AbutDAffine abut_transform_affine(const AbutTransform* frame)
{
    AbutDMat3 linear = abut_dmat3_scale(frame->scale, &frame->rotation);
    return abut_daffine(&linear, frame->translation);
}

/// A point of the parent frame in the local one.
static inline AbutDVec3 abut_transform_inverse_point(const AbutTransform* frame, AbutDVec3 parent)
{
    AbutDVec3 from_origin = abut_transform_inverse_rotate(frame, abut_dvec3_sub(parent, frame->translation));
    return frame->scale == 1.0 ? from_origin : abut_dvec3_div(from_origin, frame->scale);
}

/// As abut_pose_transform_box().
AbutBox abut_transform_box(const AbutTransform* frame, AbutBox box);

/// Ends of a box along the axes of the parent frame, in double.
void abut_transform_box_ends(const AbutTransform* frame, AbutBox box, AbutDVec3* low, AbutDVec3* high);

#endif
