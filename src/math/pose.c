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
    double x = axis.x, y = axis.y, z = axis.z;
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.0) || !isfinite(length) || !isfinite(angle))
    {
        return abut_quat_identity();
    }
    double s = sin(0.5 * (double)angle) / length;
    AbutQuat q = { (float)(x * s), (float)(y * s), (float)(z * s), (float)cos(0.5 * (double)angle) };
    return q;
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

static AbutPosition rotate(AbutQuat q, double x, double y, double z)
{
    AbutDMat3 m = abut_dmat3_from_quat(q);
    return abut_dvec3_to_position(abut_dmat3_transform(&m, abut_dvec3(x, y, z)));
}

AbutVec3 abut_quat_rotate(AbutQuat q, AbutVec3 v)
{
    ABUT_FP_CALL(abut_quat_rotate, q, v);
    AbutPosition r = rotate(q, v.x, v.y, v.z);
    return abut_vec3((float)r.x, (float)r.y, (float)r.z);
}

bool abut_pose_is_valid(const AbutPose* pose)
{
    ABUT_FP_CALL(abut_pose_is_valid, pose);
    AbutQuat q = pose->rotation;
    double n = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    return isfinite(pose->position.x) && isfinite(pose->position.y) && isfinite(pose->position.z) &&
           isfinite(pose->scale) && pose->scale > 0.0f && n >= 0.999 * 0.999 && n <= 1.001 * 1.001;
}

AbutPose abut_pose_multiply(const AbutPose* parent, const AbutPose* local)
{
    ABUT_FP_CALL(abut_pose_multiply, parent, local);
    double a = parent->scale;
    AbutPosition p =
        rotate(parent->rotation, a * local->position.x, a * local->position.y, a * local->position.z);
    AbutPose r = {
        { p.x + parent->position.x, p.y + parent->position.y, p.z + parent->position.z },
        abut_quat_multiply(parent->rotation, local->rotation),
        parent->scale * local->scale,
    };
    return r;
}

AbutPose abut_pose_inverse(const AbutPose* pose)
{
    ABUT_FP_CALL(abut_pose_inverse, pose);
    double a = 1.0 / (double)pose->scale;
    AbutQuat q = abut_quat_conjugate(pose->rotation);
    AbutPosition p = rotate(q, -a * pose->position.x, -a * pose->position.y, -a * pose->position.z);
    AbutPose r = { p, abut_quat_normalize(q), (float)a };
    return r;
}

AbutPose abut_pose_relative(const AbutPose* a, const AbutPose* b)
{
    ABUT_FP_CALL(abut_pose_relative, a, b);
    double s = 1.0 / (double)a->scale;
    AbutQuat q = abut_quat_conjugate(a->rotation);
    AbutPosition p = rotate(q, s * (b->position.x - a->position.x), s * (b->position.y - a->position.y),
                            s * (b->position.z - a->position.z));
    AbutPose r = { p, abut_quat_multiply(q, b->rotation), (float)(s * (double)b->scale) };
    return r;
}

AbutPosition abut_pose_transform_point(const AbutPose* pose, AbutVec3 point)
{
    ABUT_FP_CALL(abut_pose_transform_point, pose, point);
    double a = pose->scale;
    AbutPosition p = rotate(pose->rotation, a * point.x, a * point.y, a * point.z);
    p.x += pose->position.x;
    p.y += pose->position.y;
    p.z += pose->position.z;
    return p;
}

AbutVec3 abut_pose_inverse_transform_point(const AbutPose* pose, AbutPosition point)
{
    ABUT_FP_CALL(abut_pose_inverse_transform_point, pose, point);
    double s = 1.0 / (double)pose->scale;
    AbutPosition p = rotate(abut_quat_conjugate(pose->rotation), s * (point.x - pose->position.x),
                            s * (point.y - pose->position.y), s * (point.z - pose->position.z));
    return abut_vec3((float)p.x, (float)p.y, (float)p.z);
}

AbutBox abut_pose_transform_box(const AbutPose* pose, AbutBox box)
{
    ABUT_FP_CALL(abut_pose_transform_box, pose, box);
    AbutTransform frame = abut_transform_from_pose(pose);
    return abut_transform_box(&frame, box);
}
