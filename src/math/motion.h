/// @file motion.h
/// One body seen from another while both move and turn.
///
/// In the world a point x of B is at b(t) + B(t)·x and A's frame stands at a(t) with the rotation A(t), where
/// a and b are the centres that move straight, and x is counted from B's centre. Seen from A it is at y =
/// Aᵀ(d + B x) with d = b − a, and its velocity is Aᵀ(ḋ − α×d + (β − α)×B x), α and β the rates of turning.
/// The first part is the norm of something affine in t, so it is largest at an end of an interval; the second
/// is at most |β − α|·|x|.
#ifndef ABUT_MATH_MOTION_H
#define ABUT_MATH_MOTION_H

#include <abut/math.h>

#include "math/transform.h"

/// The motion of B in the frame of A, in A's units.
typedef struct AbutRelativeMotion
{
    double start_a[3][3], start_b[3][3];  // rotations at time 0
    double axis_a[3], axis_b[3];          // unit, or zero
    double rate_a, rate_b;                // radians per step
    double offset[3], linear_velocity[3]; // d(t) = offset + t·drift, in the world
    double center_a[3], center_b[3];      // in the frames of the bodies
    double scale_a, scale_b;
    double angular_velocity[3]; // β − α
} AbutRelativeMotion;

/// @return ABUT_INVALID_ARGUMENT with a message for poses and motions that are not finite or have no scale.
AbutResult abut_relative_motion_init(const AbutPose* pose_a, const AbutMotion* motion_a,
                                     const AbutPose* pose_b, const AbutMotion* motion_b,
                                     AbutRelativeMotion* motion);

/// Of the numbers that its frames are made from, in A's units: they are within ABUT_TRANSFORM_ROUNDING of
/// this.
double abut_relative_motion_length(const AbutRelativeMotion* motion);

/// The same seen from B: what A does in the frame of B.
AbutRelativeMotion abut_relative_motion_swap(const AbutRelativeMotion* motion);

/// The frame of B in the frame of A.
AbutTransform abut_relative_motion_frame(const AbutRelativeMotion* motion, double time);

/// Where B is at a time, and how it moves: in A's frame the point x of B has the velocity velocity + turn ×
/// arm, arm being the way from B's centre to it.
typedef struct AbutMotionSample
{
    double time;
    AbutTransform frame; // of B in the frame of A
    double center[3];    // where B's centre of motion is
    double velocity[3];  // of it
    double angular_velocity[3];
} AbutMotionSample;

AbutMotionSample abut_relative_motion_at(const AbutRelativeMotion* motion, double time);

/// What holds between two times of all points that are within a reach of B's centre, in A's frame and units:
/// they have at most the speed carried + turning · reach and the acceleration pull + swing · reach.
typedef struct AbutMotionBounds
{
    double linear_speed, angular_speed;
    double linear_acceleration, angular_acceleration;
} AbutMotionBounds;

AbutMotionBounds abut_relative_motion_bounds(const AbutRelativeMotion* motion, double begin, double end);

/// Upper bound of the speed, in A's frame and units per step, of any point of B within `radius` (B's units)
/// of the point `center` (B's frame), between two times.
double abut_relative_motion_speed(const AbutRelativeMotion* motion, const double center[3], double radius,
                                  double begin, double end);

#endif
