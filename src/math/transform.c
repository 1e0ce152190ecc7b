#include "math/transform.h"

#include <string.h>

AbutTransform abut_transform_from_pose(const AbutPose* pose)
{
    AbutTransform frame;
    abut_quat_to_matrix(pose->rotation, frame.rotation);
    frame.translation[0] = pose->position.x;
    frame.translation[1] = pose->position.y;
    frame.translation[2] = pose->position.z;
    frame.scale = pose->scale;
    frame.precise = false;
    return frame;
}

AbutTransform abut_transform_relative(const AbutPose* a, const AbutPose* b)
{
    AbutTransform in_a = abut_transform_from_pose(a), frame = abut_transform_from_pose(b), relative;
    const double apart[3] = { frame.translation[0], frame.translation[1], frame.translation[2] };
    abut_transform_inverse_point(&in_a, apart, relative.translation);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            relative.rotation[i][j] = in_a.rotation[0][i] * frame.rotation[0][j] +
                                      in_a.rotation[1][i] * frame.rotation[1][j] +
                                      in_a.rotation[2][i] * frame.rotation[2][j];
        }
    }
    if (memcmp(&a->rotation, &b->rotation, sizeof(a->rotation)) == 0) // what is parallel stays so to the bit
    {
        memcpy(relative.rotation, abut_transform_identity().rotation, sizeof(relative.rotation));
    }
    relative.scale = frame.scale / in_a.scale;
    relative.precise = false;
    return relative;
}

void abut_transform_rotate(const AbutTransform* frame, const double local[3], double parent[3])
{
    const double x = local[0], y = local[1], z = local[2];
    for (int i = 0; i < 3; ++i)
    {
        parent[i] = frame->rotation[i][0] * x + frame->rotation[i][1] * y + frame->rotation[i][2] * z;
    }
}

AbutTransform abut_transform_multiply(const AbutTransform* parent, const AbutTransform* local)
{
    AbutTransform frame;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            frame.rotation[i][j] = parent->rotation[i][0] * local->rotation[0][j] +
                                   parent->rotation[i][1] * local->rotation[1][j] +
                                   parent->rotation[i][2] * local->rotation[2][j];
        }
    }
    abut_transform_rotate(parent, local->translation, frame.translation);
    for (int i = 0; i < 3; ++i)
    {
        frame.translation[i] = parent->scale * frame.translation[i] + parent->translation[i];
    }
    frame.scale = parent->scale * local->scale;
    frame.precise = parent->precise || local->precise;
    return frame;
}

void abut_transform_inverse_point(const AbutTransform* frame, const double parent[3], double local[3])
{
    const double x = parent[0] - frame->translation[0];
    const double y = parent[1] - frame->translation[1];
    const double z = parent[2] - frame->translation[2];
    for (int i = 0; i < 3; ++i)
    {
        local[i] = (frame->rotation[0][i] * x + frame->rotation[1][i] * y + frame->rotation[2][i] * z) /
                   frame->scale;
    }
}
