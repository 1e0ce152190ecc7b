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

void abut_body_matrix(const double q[4], double m[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0][0] = 1.0 - 2.0 * (y * y + z * z);
    m[0][1] = 2.0 * (x * y - w * z);
    m[0][2] = 2.0 * (x * z + w * y);
    m[1][0] = 2.0 * (x * y + w * z);
    m[1][1] = 1.0 - 2.0 * (x * x + z * z);
    m[1][2] = 2.0 * (y * z - w * x);
    m[2][0] = 2.0 * (x * z - w * y);
    m[2][1] = 2.0 * (y * z + w * x);
    m[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

void abut_matrix_invert(double m[3][3], double out[3][3])
{
    double c0 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double c1 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    double c2 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double d = 1.0 / (m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2);
    out[0][0] = c0 * d;
    out[1][1] = (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * d;
    out[2][2] = (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * d;
    out[0][1] = out[1][0] = c1 * d;
    out[0][2] = out[2][0] = c2 * d;
    out[1][2] = out[2][1] = (m[0][1] * m[2][0] - m[0][0] * m[2][1]) * d;
}

/// R M Rᵀ
static void rotate_matrix(double r[3][3], double m[3][3], double out[3][3])
{
    double half[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            half[i][k] = r[i][0] * m[0][k] + r[i][1] * m[1][k] + r[i][2] * m[2][k];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out[i][k] = half[i][0] * r[k][0] + half[i][1] * r[k][1] + half[i][2] * r[k][2];
        }
    }
}

/// Inverse of the block of the free axes: an axle takes the torques about the locked ones.
static void invert_free(uint32_t locked, double inertia[3][3], double out[3][3])
{
    double block[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            bool is_locked = ((locked >> (3 + i)) & 1u) != 0 || ((locked >> (3 + k)) & 1u) != 0;
            block[i][k] = is_locked ? (i == k ? 1.0 : 0.0) : inertia[i][k];
        }
    }
    abut_matrix_invert(block, out);
    for (int i = 0; i < 3; ++i)
    {
        out[i][i] = ((locked >> (3 + i)) & 1u) != 0 ? 0.0 : out[i][i];
    }
}

void abut_body_refresh(AbutBody* body)
{
    double(*r)[3] = body->matrix;
    abut_body_matrix(body->rotation, r);
    if (body->kind != ABUT_BODY_DYNAMIC)
    {
        return; // infinite inertia
    }
    if ((body->locked & ABUT_LOCK_ANGULAR) == 0)
    {
        rotate_matrix(r, body->inverse_inertia, body->world_inverse_inertia);
        return;
    }
    double inertia[3][3];
    rotate_matrix(r, body->inertia, inertia);
    invert_free(body->locked, inertia, body->world_inverse_inertia);
}

AbutPose abut_body_pose_at(const AbutBody* body, const double position[3], const double rotation[4])
{
    AbutPose pose = abut_pose_identity();
    const double* q = rotation;
    pose.rotation = (AbutQuat){ (float)q[0], (float)q[1], (float)q[2], (float)q[3] };
    pose.scale = body->scale;
    double r[3][3], at[3];
    abut_quat_to_matrix(pose.rotation, r);
    for (int i = 0; i < 3; ++i)
    {
        double offset = r[i][0] * body->center[0] + r[i][1] * body->center[1] + r[i][2] * body->center[2];
        at[i] = position[i] - (double)body->scale * offset;
    }
    pose.position = (AbutPosition){ at[0], at[1], at[2] };
    return pose;
}

AbutPose abut_body_pose(const AbutBody* body)
{
    return abut_body_pose_at(body, body->position, body->rotation);
}

void abut_body_set_transform(AbutBody* body, const AbutPose* pose)
{
    AbutQuat q = abut_quat_normalize(pose->rotation);
    double length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                         (double)q.w * (double)q.w);
    body->rotation[0] = (double)q.x / length;
    body->rotation[1] = (double)q.y / length;
    body->rotation[2] = (double)q.z / length;
    body->rotation[3] = (double)q.w / length;
    double(*r)[3] = body->matrix;
    abut_body_refresh(body);
    const double at[3] = { pose->position.x, pose->position.y, pose->position.z };
    for (int i = 0; i < 3; ++i)
    {
        double offset = r[i][0] * body->center[0] + r[i][1] * body->center[1] + r[i][2] * body->center[2];
        body->position[i] = at[i] + (double)body->scale * offset;
    }
}
