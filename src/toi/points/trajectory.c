#include "toi/points/trajectory.h"

#include <math.h>
#include <string.h>

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void frame_map(const AbutTransform* frame, double map[3][4])
{
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 3; ++column)
        {
            map[row][column] = frame->scale * frame->rotation[row][column];
        }
        map[row][3] = frame->translation[row];
    }
}

static void position_map(const AbutRelativeMotion* motion, double time, double map[3][4])
{
    AbutTransform frame = abut_relative_motion_frame(motion, time);
    frame_map(&frame, map);
}

/// How points of a straight path spread: the difference of two rotations stretches by its Frobenius norm over √2 at most.
static double straight_spread(AbutTrajectory* path)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        double difference = path->ends[i / 3][i % 3] - path->starts[i / 3][i % 3];
        sum += difference * difference;
    }
    return sqrt(0.5 * sum);
}

AbutTrajectory abut_trajectory_make(const AbutRelativeMotion* motion, bool linear)
{
    AbutTrajectory path = { .motion = *motion,
                            .linear = linear,
                            .scale_ratio = motion->scale_b / motion->scale_a };
    const double* linear_velocity = motion->linear_velocity;
    double alpha[3], beta = motion->rate_b, angular_velocity = length3(motion->angular_velocity);
    for (int i = 0; i < 3; ++i)
    {
        alpha[i] = motion->axis_a[i] * motion->rate_a;
        path.center[i] = motion->center_b[i];
    }
    if (linear)
    {
        position_map(motion, 0.0, path.starts);
        position_map(motion, 1.0, path.ends);
        path.angular_speed = straight_spread(&path);
        return path;
    }
    double change[3] = { alpha[1] * linear_velocity[2] - alpha[2] * linear_velocity[1],
                         alpha[2] * linear_velocity[0] - alpha[0] * linear_velocity[2],
                         alpha[0] * linear_velocity[1] - alpha[1] * linear_velocity[0] };
    path.angular_speed = angular_velocity * path.scale_ratio;
    path.acceleration_bounds[0] = length3(change) / motion->scale_a;
    path.acceleration_bounds[1] = angular_velocity * beta * path.scale_ratio;
    return path;
}

static void straight_at(const AbutTrajectory* path, double time, AbutTrajectorySample* out)
{
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 4; ++column)
        {
            double from = path->starts[row][column], to = path->ends[row][column];
            out->at[row][column] = from * (1.0 - time) + to * time;
            out->rate[row][column] = to - from;
            out->acceleration[row][column] = 0.0;
        }
    }
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Velocities and accelerations are linear in the arm y − c: a column of y's map each, the last one less the centre.
static void rotate_column(const AbutMotionSample* moment, const double alpha[3], const double beta[3],
                          int column, AbutTrajectorySample* out)
{
    double from_center[3], rate[3], centripetal[3], acceleration[3], transported[3];
    for (int row = 0; row < 3; ++row)
    {
        from_center[row] = out->at[row][column] - (column == 3 ? moment->center[row] : 0.0);
    }
    cross3(moment->angular_velocity, from_center, rate);
    cross3(beta, from_center, centripetal);
    cross3(moment->angular_velocity, centripetal, acceleration);
    for (int row = 0; row < 3; ++row)
    {
        rate[row] += column == 3 ? moment->velocity[row] : 0.0;
    }
    cross3(alpha, rate, transported);
    for (int row = 0; row < 3; ++row)
    {
        out->rate[row][column] = rate[row];
        out->acceleration[row][column] = acceleration[row] - transported[row];
    }
}

/// Seen from A, u = ḋ − α×d + (β − α)×Bx changes by −α×u − α×ḋ + (β − α)×(β×Bx).
void abut_trajectory_at(const AbutTrajectory* path, double time, AbutTrajectorySample* out)
{
    if (path->linear)
    {
        straight_at(path, time, out);
        return;
    }
    const AbutRelativeMotion* motion = &path->motion;
    AbutMotionSample moment = abut_relative_motion_at(motion, time);
    double alpha[3], beta[3], from_center[3], linear_velocity[3], lag[3];
    for (int row = 0; row < 3; ++row)
    {
        // A turns about its own axis, which is the same for it all the time.
        alpha[row] = motion->rate_a * (motion->start_a[0][row] * motion->axis_a[0] +
                                       motion->start_a[1][row] * motion->axis_a[1] +
                                       motion->start_a[2][row] * motion->axis_a[2]);
        beta[row] = moment.angular_velocity[row] + alpha[row];
        from_center[row] = moment.center[row] - motion->center_a[row];
    }
    cross3(alpha, from_center, linear_velocity);
    for (int row = 0; row < 3; ++row)
    {
        linear_velocity[row] += moment.velocity[row];
    }
    cross3(alpha, linear_velocity, lag);
    frame_map(&moment.frame, out->at);
    for (int column = 0; column < 4; ++column)
    {
        rotate_column(&moment, alpha, beta, column, out);
    }
    for (int row = 0; row < 3; ++row)
    {
        out->acceleration[row][3] -= lag[row];
    }
}

void abut_trajectory_set_bounds(AbutTrajectory* path, AbutVec3 center, float radius)
{
    double from_center[3] = { (double)center.x - path->center[0], (double)center.y - path->center[1],
                              (double)center.z - path->center[2] };
    path->max_acceleration =
        path->acceleration_bounds[0] + path->acceleration_bounds[1] * (length3(from_center) + (double)radius);
}

double abut_trajectory_max_speed(const AbutTrajectory* path, const double point[3])
{
    if (path->linear)
    {
        AbutTrajectorySample at;
        double rate[3];
        straight_at(path, 0.0, &at);
        abut_trajectory_apply(at.rate, point, rate);
        return length3(rate) * (1.0 + 1e-9);
    }
    return abut_relative_motion_speed(&path->motion, point, 0.0, 0.0, 1.0) * (1.0 + 1e-9);
}
