// Quaternions and poses of the public interface, computed in double.
#include <abut/math.h>
#include <string.h>

#include "math/dmat3.h"
#include "math/transform.h"

#include "base/fp_env.h"

AbutQuat abut_quat_normalize(AbutQuat q)
{
    ABUT_FP_CALL(abut_quat_normalize, q);
    return abut_dquat_to_quat(abut_dquat_normalize(abut_dquat_from_quat(q)));
}

AbutQuat abut_quat_from_axis_angle(AbutVec3 axis, float angle)
{
    ABUT_FP_CALL(abut_quat_from_axis_angle, axis, angle);
    AbutDVec3 a = abut_dvec3_from_vec3(axis);
    double length = abut_dvec3_length(a);
    if (!(length > 0.0) || !isfinite(length) || !isfinite(angle))
    {
        return abut_quat_identity();
    }
    AbutDVec3 v = abut_dvec3_scale(a, sin(0.5 * (double)angle) / length);
    return abut_dquat_to_quat(abut_dquat(v.x, v.y, v.z, cos(0.5 * (double)angle)));
}

AbutQuat abut_quat_multiply(AbutQuat a, AbutQuat b)
{
    ABUT_FP_CALL(abut_quat_multiply, a, b);
    AbutDQuat product = abut_dquat_multiply(abut_dquat_from_quat(a), abut_dquat_from_quat(b));
    return abut_dquat_to_quat(abut_dquat_normalize(product));
}

void abut_quat_to_matrix(AbutQuat q, double matrix[3][3])
{
    ABUT_FP_CALL_VOID(abut_quat_to_matrix, q, matrix);
    AbutDMat3 m = abut_dmat3_from_quat(q);
    memcpy(matrix, m.m, sizeof(m.m));
}

static AbutDVec3 rotate(AbutQuat q, AbutDVec3 v)
{
    AbutDMat3 m = abut_dmat3_from_quat(q);
    return abut_dmat3_transform(&m, v);
}

AbutVec3 abut_quat_rotate(AbutQuat q, AbutVec3 v)
{
    ABUT_FP_CALL(abut_quat_rotate, q, v);
    return abut_dvec3_to_vec3(rotate(q, abut_dvec3_from_vec3(v)));
}

bool abut_pose_is_valid(const AbutPose* pose)
{
    ABUT_FP_CALL(abut_pose_is_valid, pose);
    double n = abut_dquat_squared_length(abut_dquat_from_quat(pose->rotation));
    return abut_dvec3_is_finite(abut_dvec3_from_position(pose->position)) && isfinite(pose->scale) &&
           pose->scale > 0.0f && n >= 0.999 * 0.999 && n <= 1.001 * 1.001;
}

AbutPose abut_pose_multiply(const AbutPose* parent, const AbutPose* local)
{
    ABUT_FP_CALL(abut_pose_multiply, parent, local);
    AbutDVec3 scaled = abut_dvec3_scale(abut_dvec3_from_position(local->position), (double)parent->scale);
    AbutDVec3 p =
        abut_dvec3_add(rotate(parent->rotation, scaled), abut_dvec3_from_position(parent->position));
    return (AbutPose){ abut_dvec3_to_position(p), abut_quat_multiply(parent->rotation, local->rotation),
                       parent->scale * local->scale };
}

AbutPose abut_pose_inverse(const AbutPose* pose)
{
    ABUT_FP_CALL(abut_pose_inverse, pose);
    double a = 1.0 / (double)pose->scale;
    AbutQuat q = abut_quat_conjugate(pose->rotation);
    AbutDVec3 p = rotate(q, abut_dvec3_scale(abut_dvec3_from_position(pose->position), -a));
    return (AbutPose){ abut_dvec3_to_position(p), abut_quat_normalize(q), (float)a };
}

/// A point of the world in the axes of a pose with the conjugate rotation q and the inverse scale s.
static AbutDVec3 to_local(const AbutPose* pose, AbutQuat q, double s, AbutPosition point)
{
    AbutDVec3 from_origin =
        abut_dvec3_sub(abut_dvec3_from_position(point), abut_dvec3_from_position(pose->position));
    return rotate(q, abut_dvec3_scale(from_origin, s));
}

AbutPose abut_pose_relative(const AbutPose* a, const AbutPose* b)
{
    ABUT_FP_CALL(abut_pose_relative, a, b);
    double s = 1.0 / (double)a->scale;
    AbutQuat q = abut_quat_conjugate(a->rotation);
    return (AbutPose){ abut_dvec3_to_position(to_local(a, q, s, b->position)),
                       abut_quat_multiply(q, b->rotation), (float)(s * (double)b->scale) };
}

AbutPosition abut_pose_transform_point(const AbutPose* pose, AbutVec3 point)
{
    ABUT_FP_CALL(abut_pose_transform_point, pose, point);
    AbutDVec3 scaled = abut_dvec3_scale(abut_dvec3_from_vec3(point), (double)pose->scale);
    AbutDVec3 p = abut_dvec3_add(rotate(pose->rotation, scaled), abut_dvec3_from_position(pose->position));
    return abut_dvec3_to_position(p);
}

AbutVec3 abut_pose_inverse_transform_point(const AbutPose* pose, AbutPosition point)
{
    ABUT_FP_CALL(abut_pose_inverse_transform_point, pose, point);
    AbutQuat q = abut_quat_conjugate(pose->rotation);
    return abut_dvec3_to_vec3(to_local(pose, q, 1.0 / (double)pose->scale, point));
}

AbutBox abut_pose_transform_box(const AbutPose* pose, AbutBox box)
{
    ABUT_FP_CALL(abut_pose_transform_box, pose, box);
    AbutTransform frame = abut_transform_from_pose(pose);
    return abut_transform_box(&frame, box);
}
