/// @file transform.h
/// A pose in double, for chains of placements: rounded to float once, where the points meet a primitive.
#ifndef ABUT_MATH_TRANSFORM_H
#define ABUT_MATH_TRANSFORM_H

#include <abut/math.h>

/// x_outer = scale · rotation · x_inner + translation
typedef struct AbutTransform
{
    double rotation[3][3];
    double translation[3];
    double scale;
    bool precise; // shapes in it are sampled in double, wherever they can be
} AbutTransform;

AbutTransform abut_transform_from_pose(const AbutPose* pose);

static inline AbutTransform abut_transform_identity(void)
{
    return (AbutTransform){
        { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } }, { 0.0, 0.0, 0.0 }, 1.0, false
    };
}

/// B in the frame of A, from both poses in double: within ABUT_TRANSFORM_ROUNDING of the distance of the two
/// origins, in the unit of A.
AbutTransform abut_transform_relative(const AbutPose* a, const AbutPose* b);

/// Of the coordinates of a point in another frame, as a part of all lengths that meet in them
/// (docs/proofs.md).
#define ABUT_TRANSFORM_ROUNDING 0x1p-46

/// As abut_pose_transform_box().
AbutBox abut_transform_box(const AbutTransform* frame, AbutBox box);

/// Ends of a box along the axes of the outer frame, in double.
void abut_transform_box_ends(const AbutTransform* frame, AbutBox box, double low[3], double high[3]);

/// x → outer(inner(x)).
AbutTransform abut_transform_multiply(const AbutTransform* parent, const AbutTransform* local);

/// A point of the outer frame in the inner one.
void abut_transform_inverse_point(const AbutTransform* frame, const double parent[3], double local[3]);

/// A direction of the inner frame in the outer one.
void abut_transform_rotate(const AbutTransform* frame, const double local[3], double parent[3]);

#endif
