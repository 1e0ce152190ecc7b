#include "math/transform.h"

#include <string.h>

AbutFrame abut_frame_from_pose(const AbutPose* pose)
{
    AbutFrame frame;
    abut_quat_to_matrix(pose->rotation, frame.rotation);
    frame.translation[0] = pose->position.x;
    frame.translation[1] = pose->position.y;
    frame.translation[2] = pose->position.z;
    frame.scale = pose->scale;
    frame.precise = false;
    return frame;
}

AbutFrame abut_frame_relative(const AbutPose* a, const AbutPose* b)
{
    AbutFrame in_a = abut_frame_from_pose(a), frame = abut_frame_from_pose(b), relative;
    const double apart[3] = { frame.translation[0], frame.translation[1], frame.translation[2] };
    abut_frame_to_inner(&in_a, apart, relative.translation);
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
        memcpy(relative.rotation, abut_frame_identity().rotation, sizeof(relative.rotation));
    }
    relative.scale = frame.scale / in_a.scale;
    relative.precise = false;
    return relative;
}

void abut_frame_rotate(const AbutFrame* frame, const double inner[3], double outer[3])
{
    const double x = inner[0], y = inner[1], z = inner[2];
    for (int i = 0; i < 3; ++i)
    {
        outer[i] = frame->rotation[i][0] * x + frame->rotation[i][1] * y + frame->rotation[i][2] * z;
    }
}

AbutFrame abut_frame_multiply(const AbutFrame* outer, const AbutFrame* inner)
{
    AbutFrame frame;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            frame.rotation[i][j] = outer->rotation[i][0] * inner->rotation[0][j] +
                                   outer->rotation[i][1] * inner->rotation[1][j] +
                                   outer->rotation[i][2] * inner->rotation[2][j];
        }
    }
    abut_frame_rotate(outer, inner->translation, frame.translation);
    for (int i = 0; i < 3; ++i)
    {
        frame.translation[i] = outer->scale * frame.translation[i] + outer->translation[i];
    }
    frame.scale = outer->scale * inner->scale;
    frame.precise = outer->precise || inner->precise;
    return frame;
}

void abut_frame_to_inner(const AbutFrame* frame, const double outer[3], double inner[3])
{
    const double x = outer[0] - frame->translation[0];
    const double y = outer[1] - frame->translation[1];
    const double z = outer[2] - frame->translation[2];
    for (int i = 0; i < 3; ++i)
    {
        inner[i] = (frame->rotation[0][i] * x + frame->rotation[1][i] * y + frame->rotation[2][i] * z) /
                   frame->scale;
    }
}
