// Trajectories of points under a relative motion, or straight from start to end.
#include "toi/points/trajectory.h"

#include <math.h>

static AbutDAffine position_map(const AbutRelativeMotion* motion, double time)
{
    AbutTransform frame = abut_relative_motion_frame(motion, time);
    return abut_transform_affine(&frame);
}

/// Spread of the speeds of a straight trajectory: the difference of two rotations stretches by its Frobenius
/// norm over √2 at most.
static double straight_spread(const AbutTrajectory* trajectory)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        double difference = trajectory->ends.m[i / 3][i % 3] - trajectory->starts.m[i / 3][i % 3];
        sum += difference * difference;
    }
    return sqrt(0.5 * sum);
}

AbutTrajectory abut_trajectory_make(const AbutRelativeMotion* motion, bool linear)
{
    AbutTrajectory trajectory = { .motion = *motion,
                                  .linear = linear,
                                  .scale_ratio = motion->scale_b / motion->scale_a };
    if (linear)
    {
        trajectory.starts = position_map(motion, 0.0);
        trajectory.ends = position_map(motion, 1.0);
        trajectory.angular_speed = straight_spread(&trajectory);
        return trajectory;
    }
    AbutDVec3 alpha = abut_dvec3_scale(motion->axis_a, motion->rate_a);
    AbutDVec3 change = abut_dvec3_cross(alpha, motion->linear_velocity);
    double angular_speed = abut_dvec3_length(motion->angular_velocity), beta = motion->rate_b;
    trajectory.angular_speed = angular_speed * trajectory.scale_ratio;
    trajectory.linear_acceleration = abut_dvec3_length(change) / motion->scale_a;
    trajectory.angular_acceleration = angular_speed * beta * trajectory.scale_ratio;
    return trajectory;
}

static void straight_at(const AbutTrajectory* trajectory, double time, AbutTrajectorySample* out)
{
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 4; ++column)
        {
            double from = trajectory->starts.m[row][column], to = trajectory->ends.m[row][column];
            out->position.m[row][column] = from * (1.0 - time) + to * time;
            out->velocity.m[row][column] = to - from;
            out->acceleration.m[row][column] = 0.0;
        }
    }
}

/// Velocities and accelerations are linear in y − center: each column of the position map by itself, the last
/// one less the centre.
static void rotate_column(const AbutMotionSample* motion, AbutDVec3 alpha, AbutDVec3 beta, int column,
                          AbutTrajectorySample* out)
{
    AbutDVec3 center = column == 3 ? motion->center : abut_dvec3_zero();
    AbutDVec3 center_velocity = column == 3 ? motion->velocity : abut_dvec3_zero();
    AbutDVec3 from_center = abut_dvec3_sub(abut_daffine_column(&out->position, column), center);
    AbutDVec3 velocity =
        abut_dvec3_add(abut_dvec3_cross(motion->angular_velocity, from_center), center_velocity);
    AbutDVec3 centripetal = abut_dvec3_cross(motion->angular_velocity, abut_dvec3_cross(beta, from_center));
    abut_daffine_set_column(&out->velocity, column, velocity);
    abut_daffine_set_column(&out->acceleration, column,
                            abut_dvec3_sub(centripetal, abut_dvec3_cross(alpha, velocity)));
}

/// In the frame of A, u = ḋ − α×d + (β − α)×Bx changes by −α×u − α×ḋ + (β − α)×(β×Bx).
void abut_trajectory_at(const AbutTrajectory* trajectory, double time, AbutTrajectorySample* out)
{
    if (trajectory->linear)
    {
        straight_at(trajectory, time, out);
        return;
    }
    const AbutRelativeMotion* motion = &trajectory->motion;
    AbutMotionSample sample = abut_relative_motion_at(motion, time);
    // The axis of A's rotation is constant in the frame of A.
    AbutDVec3 alpha =
        abut_dvec3_scale(abut_dmat3_transform_transposed(&motion->start_a, motion->axis_a), motion->rate_a);
    AbutDVec3 beta = abut_dvec3_add(sample.angular_velocity, alpha);
    AbutDVec3 from_center = abut_dvec3_sub(sample.center, motion->center_a);
    AbutDVec3 linear_velocity = abut_dvec3_add(abut_dvec3_cross(alpha, from_center), sample.velocity);
    AbutDVec3 lag = abut_dvec3_cross(alpha, linear_velocity);
    out->position = abut_transform_affine(&sample.frame);
    for (int column = 0; column < 4; ++column)
    {
        rotate_column(&sample, alpha, beta, column, out);
    }
    abut_daffine_set_column(&out->acceleration, 3,
                            abut_dvec3_sub(abut_daffine_column(&out->acceleration, 3), lag));
}

void abut_trajectory_set_bounds(AbutTrajectory* trajectory, AbutVec3 center, float radius)
{
    double from_center = abut_dvec3_distance(abut_dvec3_from_vec3(center), trajectory->motion.center_b);
    trajectory->max_acceleration =
        trajectory->linear_acceleration + trajectory->angular_acceleration * (from_center + (double)radius);
}

double abut_trajectory_max_speed(const AbutTrajectory* trajectory, AbutDVec3 point)
{
    if (trajectory->linear)
    {
        AbutTrajectorySample sample;
        straight_at(trajectory, 0.0, &sample);
        return abut_dvec3_length(abut_daffine_apply(&sample.velocity, point)) * (1.0 + 1e-9);
    }
    return abut_relative_motion_speed(&trajectory->motion, point, 0.0, 0.0, 1.0) * (1.0 + 1e-9);
}
