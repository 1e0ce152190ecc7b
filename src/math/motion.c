#include "math/motion.h"

#include "base/fp_env.h"

#include <math.h>

#include "math/rotation.h"
#include "math/rounding.h"

// -----------------------------------------------------------------------------------------------------------
// Public motions
// -----------------------------------------------------------------------------------------------------------

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void copy3x3(double from[3][3], double to[3][3])
{
    for (int i = 0; i < 9; ++i)
    {
        to[i / 3][i % 3] = from[i / 3][i % 3];
    }
}

/// A turn by `angle` about a unit axis (Rodrigues), after the rotation `start`. The identity for a zero axis.
static void rotated(const double axis[3], double angle, double start[3][3], double out[3][3])
{
    double s, c;
    if (angle == 0.0)
    {
        copy3x3(start, out);
        return;
    }
    abut_sin_cos(angle, &s, &c);
    for (int column = 0; column < 3; ++column)
    {
        double v[3] = { start[0][column], start[1][column], start[2][column] };
        double along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
        double cross[3] = { axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2],
                            axis[0] * v[1] - axis[1] * v[0] };
        for (int row = 0; row < 3; ++row)
        {
            out[row][column] = v[row] * c + cross[row] * s + axis[row] * (along * (1.0 - c));
        }
    }
}

static double split_rotation(AbutVec3 angular, double axis[3])
{
    double v[3] = { angular.x, angular.y, angular.z };
    double rate = length3(v);
    for (int i = 0; i < 3; ++i)
    {
        axis[i] = rate > 0.0 ? v[i] / rate : 0.0;
    }
    return rate;
}

AbutPose abut_motion_pose(const AbutPose* start, const AbutMotion* motion, float time)
{
    ABUT_FP_CALL(abut_motion_pose, start, motion, time);
    double axis[3];
    double angle = 0.5 * split_rotation(motion->angular, axis) * (double)time;
    double s, c;
    abut_sin_cos(angle, &s, &c);
    AbutQuat rotation = { (float)(axis[0] * s), (float)(axis[1] * s), (float)(axis[2] * s), (float)c };
    AbutPose pose = *start;
    pose.rotation = abut_quat_multiply(rotation, start->rotation);
    AbutPosition center = abut_pose_transform_point(start, motion->center);
    pose.position = (AbutPosition){ 0.0, 0.0, 0.0 };
    AbutPosition from_center = abut_pose_transform_point(&pose, motion->center);
    double t = time;
    pose.position.x = center.x + t * (double)motion->linear.x - from_center.x;
    pose.position.y = center.y + t * (double)motion->linear.y - from_center.y;
    pose.position.z = center.z + t * (double)motion->linear.z - from_center.z;
    return pose;
}

AbutMotion abut_motion_between(const AbutPose* from, const AbutPose* to)
{
    ABUT_FP_CALL(abut_motion_between, from, to);
    AbutQuat rotation = abut_quat_multiply(to->rotation, abut_quat_conjugate(from->rotation));
    double sign = rotation.w < 0.0f ? -1.0 : 1.0;
    double v[3] = { sign * (double)rotation.x, sign * (double)rotation.y, sign * (double)rotation.z };
    double sine = length3(v);
    double angle = 2.0 * atan2(sine, sign * (double)rotation.w);
    double factor = sine > 0.0 ? angle / sine : 0.0;
    AbutMotion motion = abut_motion_none();
    motion.linear =
        abut_vec3((float)(to->position.x - from->position.x), (float)(to->position.y - from->position.y),
                  (float)(to->position.z - from->position.z));
    motion.angular = abut_vec3((float)(factor * v[0]), (float)(factor * v[1]), (float)(factor * v[2]));
    return motion;
}

/// How far an arm reaches from the axis through the centre.
static double across_axis(const double axis[3], const double from_center[3])
{
    double along = axis[0] * from_center[0] + axis[1] * from_center[1] + axis[2] * from_center[2];
    double square = from_center[0] * from_center[0] + from_center[1] * from_center[1] +
                    from_center[2] * from_center[2] - along * along;
    return sqrt(square > 0.0 ? square : 0.0);
}

float abut_motion_max_displacement(const AbutPose* start, const AbutMotion* motion, AbutBox box)
{
    ABUT_FP_CALL(abut_motion_max_displacement, start, motion, box);
    double axis[3];
    double rate = split_rotation(motion->angular, axis);
    double linear[3] = { motion->linear.x, motion->linear.y, motion->linear.z };
    if (abut_box_is_empty(box))
    {
        return 0.0f;
    }
    double max_radius = 0.0; // the distance from a line is convex, so a corner is furthest
    if (rate > 0.0 && !abut_box_is_finite(box))
    {
        return INFINITY;
    }
    double rotation[3][3];
    abut_quat_to_matrix(start->rotation, rotation);
    for (int corner = 0; corner < 8 && rate > 0.0; ++corner)
    {
        double own[3] = { (double)(corner & 1 ? box.max.x : box.min.x) - (double)motion->center.x,
                          (double)(corner & 2 ? box.max.y : box.min.y) - (double)motion->center.y,
                          (double)(corner & 4 ? box.max.z : box.min.z) - (double)motion->center.z };
        double from_center[3];
        for (int row = 0; row < 3; ++row)
        {
            const double* m = rotation[row];
            from_center[row] = (double)start->scale * (m[0] * own[0] + m[1] * own[1] + m[2] * own[2]);
        }
        max_radius = fmax(max_radius, across_axis(axis, from_center));
    }
    // Where a point is after a part of a turn is a chord away, and never more than the diameter.
    double s, c;
    const double half_rotation = 3.141592653589793;
    abut_sin_cos(0.5 * fmin(rate, half_rotation), &s, &c);
    return abut_round_up(length3(linear) + 2.0 * s * max_radius);
}

// -----------------------------------------------------------------------------------------------------------
// Relative motion
// -----------------------------------------------------------------------------------------------------------

static bool motion_is_finite(const AbutMotion* motion)
{
    return abut_vec3_is_finite(motion->linear) && abut_vec3_is_finite(motion->angular) &&
           abut_vec3_is_finite(motion->center);
}

/// From the origin of a body to a point of it, in the axes of the world.
static AbutPosition from_center_of(const AbutPose* pose, AbutVec3 point)
{
    AbutPose at_origin = *pose;
    at_origin.position = (AbutPosition){ 0.0, 0.0, 0.0 };
    return abut_pose_transform_point(&at_origin, point);
}

AbutResult abut_relative_motion_init(const AbutPose* pose_a, const AbutMotion* motion_a,
                                     const AbutPose* pose_b, const AbutMotion* motion_b,
                                     AbutRelativeMotion* motion)
{
    for (int side = 0; side < 2; ++side)
    {
        const char name = side == 0 ? 'a' : 'b';
        if (!abut_pose_is_valid(side == 0 ? pose_a : pose_b))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT,
                             "sweep: pose_%c is no pose: it needs finite numbers, a positive scale and a "
                             "quaternion of length 1",
                             name);
        }
        if (!motion_is_finite(side == 0 ? motion_a : motion_b))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "sweep: motion_%c has a number that is not finite", name);
        }
    }
    const AbutMotion *a = motion_a, *b = motion_b;
    abut_quat_to_matrix(pose_a->rotation, motion->start_a);
    abut_quat_to_matrix(pose_b->rotation, motion->start_b);
    motion->rate_a = split_rotation(a->angular, motion->axis_a);
    motion->rate_b = split_rotation(b->angular, motion->axis_b);
    motion->scale_a = pose_a->scale;
    motion->scale_b = pose_b->scale;
    // Positions first: far from the origin of the world their difference is exact, and sums with arms would
    // not be.
    AbutPosition from = from_center_of(pose_a, a->center), to = from_center_of(pose_b, b->center);
    const AbutPosition *at_a = &pose_a->position, *at_b = &pose_b->position;
    double offset[3] = { (at_b->x - at_a->x) + (to.x - from.x), (at_b->y - at_a->y) + (to.y - from.y),
                         (at_b->z - at_a->z) + (to.z - from.z) };
    double linear_velocity[3] = { (double)b->linear.x - (double)a->linear.x,
                                  (double)b->linear.y - (double)a->linear.y,
                                  (double)b->linear.z - (double)a->linear.z };
    double angular_velocity[3] = { (double)b->angular.x - (double)a->angular.x,
                                   (double)b->angular.y - (double)a->angular.y,
                                   (double)b->angular.z - (double)a->angular.z };
    double center_a[3] = { a->center.x, a->center.y, a->center.z };
    double center_b[3] = { b->center.x, b->center.y, b->center.z };
    for (int i = 0; i < 3; ++i)
    {
        motion->offset[i] = offset[i];
        motion->linear_velocity[i] = linear_velocity[i];
        motion->angular_velocity[i] = angular_velocity[i];
        motion->center_a[i] = center_a[i];
        motion->center_b[i] = center_b[i];
    }
    return ABUT_OK;
}

double abut_relative_motion_length(const AbutRelativeMotion* motion)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        sum += (fabs(motion->offset[axis]) + fabs(motion->linear_velocity[axis])) / motion->scale_a +
               fabs(motion->center_a[axis]) +
               fabs(motion->center_b[axis]) * motion->scale_b / motion->scale_a;
    }
    return sum * (1.0 + motion->rate_a + motion->rate_b); // angles are known to a part of their size
}

AbutRelativeMotion abut_relative_motion_swap(const AbutRelativeMotion* motion)
{
    AbutRelativeMotion source = *motion;
    AbutRelativeMotion swapped;
    copy3x3(source.start_b, swapped.start_a);
    copy3x3(source.start_a, swapped.start_b);
    swapped.rate_a = source.rate_b;
    swapped.rate_b = source.rate_a;
    swapped.scale_a = source.scale_b;
    swapped.scale_b = source.scale_a;
    for (int i = 0; i < 3; ++i)
    {
        swapped.axis_a[i] = source.axis_b[i];
        swapped.axis_b[i] = source.axis_a[i];
        swapped.offset[i] = -source.offset[i];
        swapped.linear_velocity[i] = -source.linear_velocity[i];
        swapped.center_a[i] = source.center_b[i];
        swapped.center_b[i] = source.center_a[i];
        swapped.angular_velocity[i] = -source.angular_velocity[i];
    }
    return swapped;
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// ḋ − α×d at a time, in the world.
static void transport_velocity(const AbutRelativeMotion* motion, const double d[3], double out[3])
{
    const double* n = motion->axis_a;
    out[0] = motion->linear_velocity[0] - motion->rate_a * (n[1] * d[2] - n[2] * d[1]);
    out[1] = motion->linear_velocity[1] - motion->rate_a * (n[2] * d[0] - n[0] * d[2]);
    out[2] = motion->linear_velocity[2] - motion->rate_a * (n[0] * d[1] - n[1] * d[0]);
}

static void offset_at(const AbutRelativeMotion* motion, double time, double d[3])
{
    for (int i = 0; i < 3; ++i)
    {
        d[i] = motion->offset[i] + time * motion->linear_velocity[i];
    }
}

AbutMotionSample abut_relative_motion_at(const AbutRelativeMotion* motion, double time)
{
    double a[3][3], b[3][3], d[3], v[3];
    rotated(motion->axis_a, motion->rate_a * time, (double(*)[3])motion->start_a, a);
    rotated(motion->axis_b, motion->rate_b * time, (double(*)[3])motion->start_b, b);
    offset_at(motion, time, d);
    transport_velocity(motion, d, v);
    AbutMotionSample moment = { .time = time };
    moment.frame.scale = motion->scale_b / motion->scale_a;
    for (int row = 0; row < 3; ++row)
    {
        double* r = moment.frame.rotation[row];
        for (int column = 0; column < 3; ++column)
        {
            r[column] = a[0][row] * b[0][column] + a[1][row] * b[1][column] + a[2][row] * b[2][column];
        }
        double along = a[0][row] * d[0] + a[1][row] * d[1] + a[2][row] * d[2];
        double speed = a[0][row] * v[0] + a[1][row] * v[1] + a[2][row] * v[2];
        const double* angular_velocity = motion->angular_velocity;
        const double* c = motion->center_b;
        moment.center[row] = motion->center_a[row] + along / motion->scale_a;
        moment.velocity[row] = speed / motion->scale_a;
        moment.angular_velocity[row] = a[0][row] * angular_velocity[0] + a[1][row] * angular_velocity[1] +
                                       a[2][row] * angular_velocity[2];
        moment.frame.translation[row] =
            moment.center[row] - moment.frame.scale * (r[0] * c[0] + r[1] * c[1] + r[2] * c[2]);
    }
    return moment;
}

AbutTransform abut_relative_motion_frame(const AbutRelativeMotion* motion, double time)
{
    return abut_relative_motion_at(motion, time).frame;
}

/// −2α×ḋ + α×(α×d), in the world.
static void transport_acceleration(const AbutRelativeMotion* motion, const double d[3], double out[3])
{
    double rotated[3], own[3];
    cross3(motion->axis_a, d, rotated);
    for (int i = 0; i < 3; ++i)
    {
        own[i] = motion->rate_a * (motion->rate_a * rotated[i] - 2.0 * motion->linear_velocity[i]);
    }
    cross3(motion->axis_a, own, out);
}

AbutMotionBounds abut_relative_motion_bounds(const AbutRelativeMotion* motion, double begin, double end)
{
    // In A's frame the second derivative is β×(β×y) − 2α×(ḋ + β×y) + α×(α×(d + y)), y = Bx the arm. With δ =
    // β − α the parts with y are δ×(δ×y) + (δ×α)×y, so what turns with A is not accelerated; the others are
    // affine in t.
    double d[2][3], v[2][3], a[2][3], beside[3];
    const double times[2] = { begin, end };
    for (int i = 0; i < 2; ++i)
    {
        offset_at(motion, times[i], d[i]);
        transport_velocity(motion, d[i], v[i]);
        transport_acceleration(motion, d[i], a[i]);
    }
    cross3(motion->angular_velocity, motion->axis_a, beside);
    double unit = 1.0 / motion->scale_a, angular_speed = length3(motion->angular_velocity);
    AbutMotionBounds bounds = {
        .linear_speed = unit * fmax(length3(v[0]), length3(v[1])),
        .angular_speed = angular_speed,
        .linear_acceleration = unit * fmax(length3(a[0]), length3(a[1])),
        .angular_acceleration = angular_speed * angular_speed + motion->rate_a * length3(beside),
    };
    return bounds;
}

double abut_relative_motion_speed(const AbutRelativeMotion* motion, const double center[3], double radius,
                                  double begin, double end)
{
    double from_center[3];
    for (int i = 0; i < 3; ++i)
    {
        from_center[i] = center[i] - motion->center_b[i];
    }
    AbutMotionBounds bounds = abut_relative_motion_bounds(motion, begin, end);
    double max_radius = motion->scale_b / motion->scale_a * (length3(from_center) + radius);
    return bounds.linear_speed + bounds.angular_speed * max_radius;
}
