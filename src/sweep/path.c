#include "sweep/path.h"

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
        }
    }
}

void abut_path_at(const AbutPath* path, double time, AbutPathAt* out)
{
    if (path->linear)
    {
        straight_at(path, time, out);
        return;
    }
    AbutMotionMoment moment = abut_relative_motion_at(&path->motion, time);
    const double* spin = moment.turn;
    frame_map(&moment.frame, out->at);
    for (int column = 0; column < 4; ++column)
    {
        // spin × (y − c) is linear in y: the columns of y's map, and its last one less the centre.
        double v[3];
        for (int row = 0; row < 3; ++row)
        {
            v[row] = out->at[row][column] - (column == 3 ? moment.center[row] : 0.0);
        }
        out->rate[0][column] = spin[1] * v[2] - spin[2] * v[1];
        out->rate[1][column] = spin[2] * v[0] - spin[0] * v[2];
        out->rate[2][column] = spin[0] * v[1] - spin[1] * v[0];
    }
    for (int row = 0; row < 3; ++row)
    {
        out->rate[row][3] += moment.velocity[row];
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
