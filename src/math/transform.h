/// @file transform.h
/// A pose in double, for chains of placements: rounded to float once, where the points meet a primitive.
#ifndef ABUT_MATH_TRANSFORM_H
#define ABUT_MATH_TRANSFORM_H

#include <abut/math.h>

/// x_outer = scale · rotation · x_inner + translation
typedef struct AbutFrame
{
    double rotation[3][3];
    double translation[3];
    double scale;
    bool precise; // shapes in it are sampled in double, wherever they can be
} AbutFrame;

AbutFrame abut_frame_from_pose(const AbutPose* pose);

static inline AbutFrame abut_frame_identity(void)
{
    return (AbutFrame){
        { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } }, { 0.0, 0.0, 0.0 }, 1.0, false
    };
}

/// B in the frame of A, from both poses in double: within ABUT_FRAME_ROUNDING of the distance of the two origins, in the unit of A.
AbutFrame abut_frame_relative(const AbutPose* a, const AbutPose* b);

/// Of the coordinates of a point in another frame, as a part of all lengths that meet in them (docs/proofs.md).
#define ABUT_FRAME_ROUNDING 0x1p-46

/// As abut_pose_box().
AbutBox abut_frame_box(const AbutFrame* frame, AbutBox box);

/// Ends of a box along the axes of the outer frame, in double.
void abut_frame_ends(const AbutFrame* frame, AbutBox box, double low[3], double high[3]);

/// x → outer(inner(x)).
AbutFrame abut_frame_multiply(const AbutFrame* outer, const AbutFrame* inner);

/// A point of the outer frame in the inner one.
void abut_frame_to_inner(const AbutFrame* frame, const double outer[3], double inner[3]);

/// A direction of the inner frame in the outer one.
void abut_frame_rotate(const AbutFrame* frame, const double inner[3], double outer[3]);

#endif
