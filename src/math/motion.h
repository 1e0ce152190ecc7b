/// @file motion.h
/// The relative motion of two bodies that both move and rotate at constant rates: samples and bounds.
///
/// In the world a point x of B is at b(t) + B(t)·x and the frame of A at a(t) with the rotation A(t), where a
/// and b are the centres of motion, which move straight, and x is relative to B's centre. In the frame of A
/// the point is at y = Aᵀ(d + B x) with d = b − a, and its velocity is Aᵀ(ḋ − α×d + (β − α)×B x), α and β the
/// angular velocities. The first part is the norm of a function affine in t, so its maximum over an interval
/// is at an end; the second is at most |β − α|·|x|.
#ifndef ABUT_MATH_MOTION_H
#define ABUT_MATH_MOTION_H

#include <abut/math.h>

#include "math/transform.h"

/// The motion of B in the frame of A, in A's units.
typedef struct AbutRelativeMotion
{
    AbutDMat3 start_a, start_b;        // rotations at time 0
    AbutDVec3 axis_a, axis_b;          // of the rotations over the step: unit, or zero
    double rate_a, rate_b;             // about them, radians per step
    AbutDVec3 offset, linear_velocity; // d(t) = offset + t·linear_velocity, in the world
    AbutDVec3 center_a, center_b;      // centres of motion in the frames of the bodies
    double scale_a, scale_b;
    AbutDVec3 angular_velocity; // β − α, in the world
} AbutRelativeMotion;

/// @return ABUT_INVALID_ARGUMENT with a message for poses and motions that are not finite or have no scale.
AbutResult abut_relative_motion_init(const AbutPose* pose_a, const AbutMotion* motion_a,
                                     const AbutPose* pose_b, const AbutMotion* motion_b,
                                     AbutRelativeMotion* motion);

/// Sum of the lengths in the motion, in A's units: its frames are within ABUT_TRANSFORM_ROUNDING of this.
double abut_relative_motion_length(const AbutRelativeMotion* motion);

/// The motion of A in the frame of B.
AbutRelativeMotion abut_relative_motion_swap(const AbutRelativeMotion* motion);

/// The frame of B in the frame of A.
AbutTransform abut_relative_motion_frame(const AbutRelativeMotion* motion, double time);

/// Pose and velocity of B in the frame of A at a time: the point y of A's frame, moving with B, has the
/// velocity velocity + angular_velocity × (y − center).
typedef struct AbutMotionSample
{
    double time;
    AbutTransform frame; // of B in the frame of A
    AbutDVec3 center;    // B's centre of motion
    AbutDVec3 velocity;  // of the centre
    AbutDVec3 angular_velocity;
} AbutMotionSample;

AbutMotionSample abut_relative_motion_at(const AbutRelativeMotion* motion, double time);

/// The velocity of a point of A's frame that moves with B.
static inline AbutDVec3 abut_motion_sample_velocity(const AbutMotionSample* sample, AbutDVec3 point)
{
    AbutDVec3 w = sample->angular_velocity, r = abut_dvec3_sub(point, sample->center);
    return abut_dvec3(sample->velocity.x + w.y * r.z - w.z * r.y, sample->velocity.y + w.z * r.x - w.x * r.z,
                      sample->velocity.z + w.x * r.y - w.y * r.x);
}

/// Upper bounds between two times for all points within a radius r (A's units) of B's centre, in the frame
/// and units of A: the speed linear_speed + angular_speed·r and the acceleration linear_acceleration +
/// angular_acceleration·r.
typedef struct AbutMotionBounds
{
    double linear_speed, angular_speed;
    double linear_acceleration, angular_acceleration;
} AbutMotionBounds;

static inline double abut_motion_bounds_speed(const AbutMotionBounds* bounds, double radius)
{
    return bounds->linear_speed + bounds->angular_speed * radius;
}

static inline double abut_motion_bounds_acceleration(const AbutMotionBounds* bounds, double radius)
{
    return bounds->linear_acceleration + bounds->angular_acceleration * radius;
}

AbutMotionBounds abut_relative_motion_bounds(const AbutRelativeMotion* motion, double begin, double end);

/// Upper bound of the speed, in A's frame and units per step, of any point of B within `radius` (B's units)
/// of the point `center` (B's frame), between two times.
double abut_relative_motion_speed(const AbutRelativeMotion* motion, AbutDVec3 center, double radius,
                                  double begin, double end);

#endif
