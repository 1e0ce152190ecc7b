// Motions over a step: those of single bodies (abut/math.h) and the relative motion of two.
#include "math/motion.h"

#include "base/fp_env.h"

#include <math.h>

#include "math/rotation.h"
#include "math/rounding.h"

// -----------------------------------------------------------------------------------------------------------
// Public motions
// -----------------------------------------------------------------------------------------------------------

/// Unit axis of a rotation vector, zero for a zero vector; returns the angle.
static double split_rotation(AbutVec3 rotation_vector, AbutDVec3* axis)
{
    AbutDVec3 v = abut_dvec3_from_vec3(rotation_vector);
    *axis = abut_dvec3_normalize(v);
    return abut_dvec3_length(v);
}

AbutPose abut_motion_pose(const AbutPose* start, const AbutMotion* motion, float time)
{
    ABUT_FP_CALL(abut_motion_pose, start, motion, time);
    AbutDVec3 axis;
    double angle = 0.5 * split_rotation(motion->angular, &axis) * (double)time;
    double s, c;
    abut_sin_cos(angle, &s, &c);
    AbutQuat rotation = abut_dquat_to_quat(abut_dquat(axis.x * s, axis.y * s, axis.z * s, c));
    AbutPose pose = *start;
    pose.rotation = abut_quat_multiply(rotation, start->rotation);
    AbutDVec3 center = abut_dvec3_from_position(abut_pose_transform_point(start, motion->center));
    pose.position = (AbutPosition){ 0.0, 0.0, 0.0 };
    AbutDVec3 from_origin = abut_dvec3_from_position(abut_pose_transform_point(&pose, motion->center));
    AbutDVec3 moved = abut_dvec3_mul_add(center, time, abut_dvec3_from_vec3(motion->linear));
    pose.position = abut_dvec3_to_position(abut_dvec3_sub(moved, from_origin));
    return pose;
}

AbutMotion abut_motion_between(const AbutPose* from, const AbutPose* to)
{
    ABUT_FP_CALL(abut_motion_between, from, to);
    AbutQuat rotation = abut_quat_multiply(to->rotation, abut_quat_conjugate(from->rotation));
    double sign = rotation.w < 0.0f ? -1.0 : 1.0;
    AbutDVec3 v = abut_dvec3_scale(abut_dvec3(rotation.x, rotation.y, rotation.z), sign);
    double sine = abut_dvec3_length(v);
    double angle = 2.0 * atan2(sine, sign * (double)rotation.w);
    AbutMotion motion = abut_motion_none();
    motion.linear = abut_dvec3_to_vec3(
        abut_dvec3_sub(abut_dvec3_from_position(to->position), abut_dvec3_from_position(from->position)));
    motion.angular = abut_dvec3_to_vec3(abut_dvec3_scale(v, sine > 0.0 ? angle / sine : 0.0));
    return motion;
}

/// The distance of a point from the axis through the centre.
static double axis_distance(AbutDVec3 axis, AbutDVec3 from_center)
{
    double along = abut_dvec3_dot(axis, from_center);
    double squared = abut_dvec3_squared_length(from_center) - along * along;
    return sqrt(squared > 0.0 ? squared : 0.0);
}

/// The largest distance of a box from the axis through the centre: that of a corner, because it is convex.
static double max_axis_distance(const AbutPose* start, const AbutMotion* motion, AbutDVec3 axis, AbutBox box)
{
    AbutDMat3 rotation = abut_dmat3_from_quat(start->rotation);
    AbutDVec3 center = abut_dvec3_from_vec3(motion->center);
    double max_distance = 0.0;
    for (int i = 0; i < 8; ++i)
    {
        AbutDVec3 corner = abut_dvec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                      i & 4 ? box.max.z : box.min.z);
        AbutDVec3 rotated = abut_dmat3_transform(&rotation, abut_dvec3_sub(corner, center));
        max_distance =
            fmax(max_distance, axis_distance(axis, abut_dvec3_scale(rotated, (double)start->scale)));
    }
    return max_distance;
}

float abut_motion_max_displacement(const AbutPose* start, const AbutMotion* motion, AbutBox box)
{
    ABUT_FP_CALL(abut_motion_max_displacement, start, motion, box);
    AbutDVec3 axis;
    double rate = split_rotation(motion->angular, &axis);
    if (abut_box_is_empty(box))
    {
        return 0.0f;
    }
    if (rate > 0.0 && !abut_box_is_finite(box))
    {
        return INFINITY;
    }
    double max_radius = rate > 0.0 ? max_axis_distance(start, motion, axis, box) : 0.0;
    // The displacement of a rotation by a fraction of the angle is a chord, and never more than the diameter.
    double s, c;
    const double half_rotation = 3.141592653589793;
    abut_sin_cos(0.5 * fmin(rate, half_rotation), &s, &c);
    return abut_round_up(abut_dvec3_length(abut_dvec3_from_vec3(motion->linear)) + 2.0 * s * max_radius);
}

// -----------------------------------------------------------------------------------------------------------
// Relative motion
// -----------------------------------------------------------------------------------------------------------

static bool motion_is_finite(const AbutMotion* motion)
{
    return abut_vec3_is_finite(motion->linear) && abut_vec3_is_finite(motion->angular) &&
           abut_vec3_is_finite(motion->center);
}

static AbutResult check_side(const AbutPose* pose, const AbutMotion* motion, char name)
{
    if (!abut_pose_is_valid(pose))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "sweep: pose_%c is no pose: it needs finite numbers, a positive scale and a "
                         "quaternion of length 1",
                         name);
    }
    if (!motion_is_finite(motion))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "sweep: motion_%c has a number that is not finite", name);
    }
    return ABUT_OK;
}

/// From the origin of a body to a point of it, in the axes of the world.
static AbutDVec3 from_origin_of(const AbutPose* pose, AbutVec3 point)
{
    AbutPose at_origin = *pose;
    at_origin.position = (AbutPosition){ 0.0, 0.0, 0.0 };
    return abut_dvec3_from_position(abut_pose_transform_point(&at_origin, point));
}

/// d(0). The difference of the positions first: far from the origin of the world it is exact, and sums of
/// positions and offsets of centres are not.
static AbutDVec3 start_offset(const AbutPose* pose_a, AbutVec3 center_a, const AbutPose* pose_b,
                              AbutVec3 center_b)
{
    AbutDVec3 positions = abut_dvec3_sub(abut_dvec3_from_position(pose_b->position),
                                         abut_dvec3_from_position(pose_a->position));
    AbutDVec3 centers = abut_dvec3_sub(from_origin_of(pose_b, center_b), from_origin_of(pose_a, center_a));
    return abut_dvec3_add(positions, centers);
}

AbutResult abut_relative_motion_init(const AbutPose* pose_a, const AbutMotion* motion_a,
                                     const AbutPose* pose_b, const AbutMotion* motion_b,
                                     AbutRelativeMotion* motion)
{
    AbutResult result = check_side(pose_a, motion_a, 'a');
    if (result == ABUT_OK)
    {
        result = check_side(pose_b, motion_b, 'b');
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    *motion = (AbutRelativeMotion){
        .start_a = abut_dmat3_from_quat(pose_a->rotation),
        .start_b = abut_dmat3_from_quat(pose_b->rotation),
        .offset = start_offset(pose_a, motion_a->center, pose_b, motion_b->center),
        .linear_velocity =
            abut_dvec3_sub(abut_dvec3_from_vec3(motion_b->linear), abut_dvec3_from_vec3(motion_a->linear)),
        .center_a = abut_dvec3_from_vec3(motion_a->center),
        .center_b = abut_dvec3_from_vec3(motion_b->center),
        .scale_a = pose_a->scale,
        .scale_b = pose_b->scale,
        .angular_velocity =
            abut_dvec3_sub(abut_dvec3_from_vec3(motion_b->angular), abut_dvec3_from_vec3(motion_a->angular)),
    };
    motion->rate_a = split_rotation(motion_a->angular, &motion->axis_a);
    motion->rate_b = split_rotation(motion_b->angular, &motion->axis_b);
    return ABUT_OK;
}

double abut_relative_motion_length(const AbutRelativeMotion* motion)
{
    AbutDVec3 world = abut_dvec3_add(abut_dvec3_abs(motion->offset), abut_dvec3_abs(motion->linear_velocity));
    AbutDVec3 center_b = abut_dvec3_scale(abut_dvec3_abs(motion->center_b), motion->scale_b);
    AbutDVec3 sums = abut_dvec3_add(
        abut_dvec3_add(abut_dvec3_div(world, motion->scale_a), abut_dvec3_abs(motion->center_a)),
        abut_dvec3_div(center_b, motion->scale_a));
    // Angles are known to a fraction of their size.
    return (sums.x + sums.y + sums.z) * (1.0 + motion->rate_a + motion->rate_b);
}

AbutRelativeMotion abut_relative_motion_swap(const AbutRelativeMotion* motion)
{
    return (AbutRelativeMotion){
        .start_a = motion->start_b,
        .start_b = motion->start_a,
        .axis_a = motion->axis_b,
        .axis_b = motion->axis_a,
        .rate_a = motion->rate_b,
        .rate_b = motion->rate_a,
        .offset = abut_dvec3_neg(motion->offset),
        .linear_velocity = abut_dvec3_neg(motion->linear_velocity),
        .center_a = motion->center_b,
        .center_b = motion->center_a,
        .scale_a = motion->scale_b,
        .scale_b = motion->scale_a,
        .angular_velocity = abut_dvec3_neg(motion->angular_velocity),
    };
}

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

/// Rodrigues' rotation formula for one vector.
static AbutDVec3 rotate_about(AbutDVec3 axis, double sine, double cosine, AbutDVec3 v)
{
    AbutDVec3 across = abut_dvec3_scale(abut_dvec3_cross(axis, v), sine);
    AbutDVec3 along = abut_dvec3_scale(axis, abut_dvec3_dot(axis, v) * (1.0 - cosine));
    return abut_dvec3_add(abut_dvec3_add(abut_dvec3_scale(v, cosine), across), along);
}

/// The rotation by `angle` about a unit axis, after the rotation `start`; `start` itself for the angle 0.
static AbutDMat3 rotation_at(AbutDVec3 axis, double angle, const AbutDMat3* start)
{
    if (angle == 0.0)
    {
        return *start;
    }
    double s, c;
    abut_sin_cos(angle, &s, &c);
    return abut_dmat3_from_columns(rotate_about(axis, s, c, abut_dmat3_column(start, 0)),
                                   rotate_about(axis, s, c, abut_dmat3_column(start, 1)),
                                   rotate_about(axis, s, c, abut_dmat3_column(start, 2)));
}

/// ḋ − α×d, in the world.
static AbutDVec3 transport_velocity(const AbutRelativeMotion* motion, AbutDVec3 d)
{
    return abut_dvec3_mul_sub(motion->linear_velocity, motion->rate_a, abut_dvec3_cross(motion->axis_a, d));
}

static AbutDVec3 offset_at(const AbutRelativeMotion* motion, double time)
{
    return abut_dvec3_mul_add(motion->offset, time, motion->linear_velocity);
}

AbutMotionSample abut_relative_motion_at(const AbutRelativeMotion* motion, double time)
{
    AbutDMat3 a = rotation_at(motion->axis_a, motion->rate_a * time, &motion->start_a);
    AbutDMat3 b = rotation_at(motion->axis_b, motion->rate_b * time, &motion->start_b);
    AbutDVec3 d = offset_at(motion, time), v = transport_velocity(motion, d);
    AbutDVec3 d_in_a = abut_dmat3_transform_transposed(&a, d),
              v_in_a = abut_dmat3_transform_transposed(&a, v);
    AbutMotionSample sample = {
        .time = time,
        .frame = { .rotation = abut_dmat3_multiply_transposed(&a, &b),
                   .scale = motion->scale_b / motion->scale_a },
        .center = abut_dvec3_add(motion->center_a, abut_dvec3_div(d_in_a, motion->scale_a)),
        .velocity = abut_dvec3_div(v_in_a, motion->scale_a),
        .angular_velocity = abut_dmat3_transform_transposed(&a, motion->angular_velocity),
    };
    sample.frame.translation = abut_dvec3_mul_sub(sample.center, sample.frame.scale,
                                                  abut_transform_rotate(&sample.frame, motion->center_b));
    return sample;
}

AbutTransform abut_relative_motion_frame(const AbutRelativeMotion* motion, double time)
{
    return abut_relative_motion_at(motion, time).frame;
}

// -----------------------------------------------------------------------------------------------------------
// Bounds
// -----------------------------------------------------------------------------------------------------------

/// −2α×ḋ + α×(α×d), in the world.
static AbutDVec3 transport_acceleration(const AbutRelativeMotion* motion, AbutDVec3 d)
{
    AbutDVec3 rotated = abut_dvec3_scale(abut_dvec3_cross(motion->axis_a, d), motion->rate_a);
    AbutDVec3 sum = abut_dvec3_sub(rotated, abut_dvec3_scale(motion->linear_velocity, 2.0));
    return abut_dvec3_cross(motion->axis_a, abut_dvec3_scale(sum, motion->rate_a));
}

AbutMotionBounds abut_relative_motion_bounds(const AbutRelativeMotion* motion, double begin, double end)
{
    // In A's frame the second derivative is β×(β×y) − 2α×(ḋ + β×y) + α×(α×(d + y)), y = Bx. With δ = β − α
    // the terms with y are δ×(δ×y) + (δ×α)×y, so a point that rotates with A is not accelerated; the others
    // are affine in t.
    AbutDVec3 first = offset_at(motion, begin), last = offset_at(motion, end);
    double speed = fmax(abut_dvec3_length(transport_velocity(motion, first)),
                        abut_dvec3_length(transport_velocity(motion, last)));
    double acceleration = fmax(abut_dvec3_length(transport_acceleration(motion, first)),
                               abut_dvec3_length(transport_acceleration(motion, last)));
    AbutDVec3 delta_cross_axis = abut_dvec3_cross(motion->angular_velocity, motion->axis_a);
    double unit = 1.0 / motion->scale_a, angular_speed = abut_dvec3_length(motion->angular_velocity);
    return (AbutMotionBounds){
        .linear_speed = unit * speed,
        .angular_speed = angular_speed,
        .linear_acceleration = unit * acceleration,
        .angular_acceleration =
            angular_speed * angular_speed + motion->rate_a * abut_dvec3_length(delta_cross_axis),
    };
}

double abut_relative_motion_speed(const AbutRelativeMotion* motion, AbutDVec3 center, double radius,
                                  double begin, double end)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(motion, begin, end);
    double from_center = abut_dvec3_distance(center, motion->center_b);
    return abut_motion_bounds_speed(&bounds, motion->scale_b / motion->scale_a * (from_center + radius));
}
