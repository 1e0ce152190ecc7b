/// @file frame.h
/// A pose in double, for chains of placements: rounded to float once, where the points meet a primitive.
#ifndef ABUT_VEC_FRAME_H
#define ABUT_VEC_FRAME_H

#include <abut/vec.h>

/// x_outer = scale · rotation · x_inner + translation
typedef struct AbutFrame
{
    double rotation[3][3];
    double translation[3];
    double scale;
} AbutFrame;

AbutFrame abut_frame_from_pose(const AbutPose* pose);

static inline AbutFrame abut_frame_identity(void)
{
    return (AbutFrame){ { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } }, { 0.0, 0.0, 0.0 }, 1.0 };
}

/// As abut_pose_box().
AbutBox abut_frame_box(const AbutFrame* frame, AbutBox box);

/// x → outer(inner(x)).
AbutFrame abut_frame_multiply(const AbutFrame* outer, const AbutFrame* inner);

/// A point of the outer frame in the inner one.
void abut_frame_to_inner(const AbutFrame* frame, const double outer[3], double inner[3]);

/// A direction of the inner frame in the outer one.
void abut_frame_rotate(const AbutFrame* frame, const double inner[3], double outer[3]);

#endif
