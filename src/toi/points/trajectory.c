#include "toi/points/trajectory.h"

#include <math.h>
#include <string.h>

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void frame_map(const AbutFrame* frame, double map[3][4])
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

static void place_map(const AbutRelativeMotion* motion, double time, double map[3][4])
{
    AbutFrame frame = abut_relative_motion_frame(motion, time);
    frame_map(&frame, map);
}

/// How points of a straight path spread: the difference of two rotations stretches by its Frobenius norm over √2 at most.
static double straight_spread(AbutPath* path)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        double difference = path->ends[i / 3][i % 3] - path->starts[i / 3][i % 3];
        sum += difference * difference;
    }
    return sqrt(0.5 * sum);
}

AbutPath abut_path_make(const AbutRelativeMotion* motion, bool linear)
{
    AbutPath path = { .motion = *motion, .linear = linear, .stretch = motion->scale_b / motion->scale_a };
    const double* drift = motion->drift;
    double alpha[3], beta = motion->rate_b, turn = length3(motion->turn);
    for (int i = 0; i < 3; ++i)
    {
        alpha[i] = motion->axis_a[i] * motion->rate_a;
        path.center[i] = motion->center_b[i];
    }
    if (linear)
    {
        place_map(motion, 0.0, path.starts);
        place_map(motion, 1.0, path.ends);
        path.spread = straight_spread(&path);
        return path;
    }
    double change[3] = { alpha[1] * drift[2] - alpha[2] * drift[1], alpha[2] * drift[0] - alpha[0] * drift[2],
                         alpha[0] * drift[1] - alpha[1] * drift[0] };
    path.spread = turn * path.stretch;
    path.bend[0] = length3(change) / motion->scale_a;
    path.bend[1] = turn * beta * path.stretch;
    return path;
}

static void straight_at(const AbutPath* path, double time, AbutPathAt* out)
{
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 4; ++column)
        {
            double from = path->starts[row][column], to = path->ends[row][column];
            out->at[row][column] = from * (1.0 - time) + to * time;
            out->rate[row][column] = to - from;
            out->pull[row][column] = 0.0;
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
static void turn_column(const AbutMotionMoment* moment, const double alpha[3], const double beta[3],
                        int column, AbutPathAt* out)
{
    double arm[3], rate[3], swing[3], pull[3], carried[3];
    for (int row = 0; row < 3; ++row)
    {
        arm[row] = out->at[row][column] - (column == 3 ? moment->center[row] : 0.0);
    }
    cross3(moment->turn, arm, rate);
    cross3(beta, arm, swing);
    cross3(moment->turn, swing, pull);
    for (int row = 0; row < 3; ++row)
    {
        rate[row] += column == 3 ? moment->velocity[row] : 0.0;
    }
    cross3(alpha, rate, carried);
    for (int row = 0; row < 3; ++row)
    {
        out->rate[row][column] = rate[row];
        out->pull[row][column] = pull[row] - carried[row];
    }
}

/// Seen from A, u = ḋ − α×d + (β − α)×Bx changes by −α×u − α×ḋ + (β − α)×(β×Bx).
void abut_path_at(const AbutPath* path, double time, AbutPathAt* out)
{
    if (path->linear)
    {
        straight_at(path, time, out);
        return;
    }
    const AbutRelativeMotion* motion = &path->motion;
    AbutMotionMoment moment = abut_relative_motion_at(motion, time);
    double alpha[3], beta[3], arm[3], drift[3], lag[3];
    for (int row = 0; row < 3; ++row)
    {
        // A turns about its own axis, which is the same for it all the time.
        alpha[row] = motion->rate_a * (motion->start_a[0][row] * motion->axis_a[0] +
                                       motion->start_a[1][row] * motion->axis_a[1] +
                                       motion->start_a[2][row] * motion->axis_a[2]);
        beta[row] = moment.turn[row] + alpha[row];
        arm[row] = moment.center[row] - motion->center_a[row];
    }
    cross3(alpha, arm, drift);
    for (int row = 0; row < 3; ++row)
    {
        drift[row] += moment.velocity[row];
    }
    cross3(alpha, drift, lag);
    frame_map(&moment.frame, out->at);
    for (int column = 0; column < 4; ++column)
    {
        turn_column(&moment, alpha, beta, column, out);
    }
    for (int row = 0; row < 3; ++row)
    {
        out->pull[row][3] -= lag[row];
    }
}

void abut_path_set_reach(AbutPath* path, AbutVec3 center, float radius)
{
    double arm[3] = { (double)center.x - path->center[0], (double)center.y - path->center[1],
                      (double)center.z - path->center[2] };
    path->most_bend = path->bend[0] + path->bend[1] * (length3(arm) + (double)radius);
}

double abut_path_top_speed(const AbutPath* path, const double point[3])
{
    if (path->linear)
    {
        AbutPathAt at;
        double rate[3];
        straight_at(path, 0.0, &at);
        abut_path_apply(at.rate, point, rate);
        return length3(rate) * (1.0 + 1e-9);
    }
    return abut_relative_motion_speed(&path->motion, point, 0.0, 0.0, 1.0) * (1.0 + 1e-9);
}
