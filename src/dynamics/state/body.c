// Ids, poses and inertia of bodies.
#include "dynamics/state/body.h"

#include "base/assert.h"
#include "dynamics/state/world.h"

#include <math.h>

AbutBody* abut_world_body(const AbutWorld* world, AbutBodyId id)
{
    if (id.index == 0 || id.index > world->body_count)
    {
        return NULL;
    }
    AbutBody* body = &world->bodies[id.index - 1];
    return abut_body_is_alive(body) && body->generation == id.generation ? body : NULL;
}

AbutBodyId abut_world_id(const AbutWorld* world, uint32_t index)
{
    ABUT_ASSERT(index < world->body_count);
    return (AbutBodyId){ index + 1, world->bodies[index].generation };
}

AbutDMat3 abut_body_matrix(AbutDQuat q)
{
    double x = q.x, y = q.y, z = q.z, w = q.w;
    return (AbutDMat3){ {
        { 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y) },
        { 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x) },
        { 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y) },
    } };
}

AbutDMat3 abut_matrix_invert(const AbutDMat3* matrix)
{
    const double(*m)[3] = matrix->m;
    double c0 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double c1 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    double c2 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double d = 1.0 / (m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2);
    double xx = c0 * d, xy = c1 * d, xz = c2 * d;
    double yy = (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * d;
    double zz = (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * d;
    double yz = (m[0][1] * m[2][0] - m[0][0] * m[2][1]) * d;
    return (AbutDMat3){ { { xx, xy, xz }, { xy, yy, yz }, { xz, yz, zz } } };
}

/// R M Rᵀ
static AbutDMat3 rotate_matrix(const AbutDMat3* r, const AbutDMat3* m)
{
    AbutDMat3 half = abut_dmat3_multiply(r, m), transposed = abut_dmat3_transpose(r);
    return abut_dmat3_multiply(&half, &transposed);
}

/// Inverse of the block of the free axes: an axle takes the torques about the locked ones.
static AbutDMat3 invert_free(uint32_t locked, const AbutDMat3* inertia)
{
    AbutDMat3 block;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            bool is_locked = ((locked >> (3 + i)) & 1u) != 0 || ((locked >> (3 + k)) & 1u) != 0;
            block.m[i][k] = is_locked ? (i == k ? 1.0 : 0.0) : inertia->m[i][k];
        }
    }
    AbutDMat3 out = abut_matrix_invert(&block);
    for (int i = 0; i < 3; ++i)
    {
        out.m[i][i] = ((locked >> (3 + i)) & 1u) != 0 ? 0.0 : out.m[i][i];
    }
    return out;
}

void abut_body_refresh(AbutBody* body)
{
    body->matrix = abut_body_matrix(body->rotation);
    if (body->kind != ABUT_BODY_DYNAMIC)
    {
        return; // infinite inertia
    }
    if ((body->locked & ABUT_LOCK_ANGULAR) == 0)
    {
        body->world_inverse_inertia = rotate_matrix(&body->matrix, &body->inverse_inertia);
        return;
    }
    AbutDMat3 inertia = rotate_matrix(&body->matrix, &body->inertia);
    body->world_inverse_inertia = invert_free(body->locked, &inertia);
}

AbutPose abut_body_pose_at(const AbutBody* body, AbutDVec3 position, AbutDQuat rotation)
{
    AbutPose pose = abut_pose_identity();
    pose.rotation = abut_dquat_to_quat(rotation);
    pose.scale = body->scale;
    AbutDMat3 r = abut_dmat3_from_quat(pose.rotation);
    AbutDVec3 offset = abut_dmat3_transform(&r, body->center);
    pose.position = abut_dvec3_to_position(abut_dvec3_mul_sub(position, (double)body->scale, offset));
    return pose;
}

AbutPose abut_body_pose(const AbutBody* body)
{
    return abut_body_pose_at(body, body->position, body->rotation);
}

void abut_body_set_transform(AbutBody* body, const AbutPose* pose)
{
    AbutDQuat q = abut_dquat_from_quat(abut_quat_normalize(pose->rotation));
    body->rotation = abut_dquat_div(q, sqrt(abut_dquat_squared_length(q)));
    abut_body_refresh(body);
    AbutDVec3 offset = abut_dmat3_transform(&body->matrix, body->center);
    body->position =
        abut_dvec3_mul_add(abut_dvec3_from_position(pose->position), (double)body->scale, offset);
}
