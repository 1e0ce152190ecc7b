#include "toi/points/trajectory_samples.h"

#include <math.h>
#include <string.h>

/// Radians that a piece may turn by: 0.35⁶/46080 is under 1e-7.
static const double MAX_ANGLE = 0.35;

/// Turns beyond what this many pieces per tick follow are no motion that anybody means.
static const double MAX_QUINTICS_PER_TICK = 4096.0;

void abut_trajectory_samples_init(AbutTrajectorySamples* trajectory_samples, const AbutTrajectory* path)
{
    double angle = (path->motion.rate_a + path->motion.rate_b) / ABUT_TRAJECTORY_TICKS;
    double ticks = path->linear || angle * ABUT_TRAJECTORY_TICKS <= MAX_ANGLE ? ABUT_TRAJECTORY_TICKS
                                                                              : MAX_ANGLE / angle;
    trajectory_samples->path = path;
    trajectory_samples->is_straight = path->linear || angle == 0.0;
    trajectory_samples->span_ticks =
        ticks >= 1.0 ? floor(ticks) : 1.0 / fmin(ceil(1.0 / ticks), MAX_QUINTICS_PER_TICK);
    memset(trajectory_samples->has, 0, sizeof(trajectory_samples->has));
}

AbutTrajectorySample* abut_trajectory_samples_at(AbutTrajectorySamples* trajectory_samples, uint32_t tick)
{
    if (!trajectory_samples->has[tick])
    {
        abut_trajectory_at(trajectory_samples->path, (double)tick / ABUT_TRAJECTORY_TICKS,
                           &trajectory_samples->table[tick]);
        trajectory_samples->has[tick] = true;
    }
    return &trajectory_samples->table[tick];
}

/// The knot at any time in ticks; `other` has room for one between the ticks.
static AbutTrajectorySample* find_sample(AbutTrajectorySamples* trajectory_samples, double tick,
                                         AbutTrajectorySample* other)
{
    uint32_t whole = (uint32_t)tick;
    if ((double)whole == tick)
    {
        return abut_trajectory_samples_at(trajectory_samples, whole);
    }
    abut_trajectory_at(trajectory_samples->path, tick / ABUT_TRAJECTORY_TICKS, other);
    return other;
}

/// Where a point is at an end of a piece; velocity and acceleration are over its length.
typedef struct QuinticEnd
{
    double at[3], rate[3], acceleration[3];
} QuinticEnd;

static void find_end(AbutTrajectorySamples* trajectory_samples, const double point[3], double tick,
                     double length, QuinticEnd* out)
{
    AbutTrajectorySample other, *sample = find_sample(trajectory_samples, tick, &other);
    double span = length / ABUT_TRAJECTORY_TICKS;
    abut_trajectory_apply(sample->at, point, out->at);
    abut_trajectory_apply(sample->rate, point, out->rate);
    abut_trajectory_apply(sample->acceleration, point, out->acceleration);
    for (int axis = 0; axis < 3; ++axis)
    {
        out->rate[axis] *= span;
        out->acceleration[axis] *= span * span;
    }
}

/// Coefficients of a quintic from the places at its ends, and velocities and accelerations over its length.
static void fit_quintic(double from, double to, double v, double w, double a, double b, double c[6])
{
    double delta = to - from;
    c[0] = from;
    c[1] = v;
    c[2] = 0.5 * a;
    c[3] = 10.0 * delta - 6.0 * v - 4.0 * w - 1.5 * a + 0.5 * b;
    c[4] = -15.0 * delta + 8.0 * v + 7.0 * w + 1.5 * a - b;
    c[5] = 6.0 * delta - 3.0 * v - 3.0 * w + 0.5 * (b - a);
}

/// One axis of a piece: its coefficients, and the squares of its velocity's control points, which it lies in the hull of.
static void fit_axis(const QuinticEnd* from, const QuinticEnd* to, int axis, double c[6], double squared[5])
{
    double delta = to->at[axis] - from->at[axis], v = from->rate[axis], w = to->rate[axis];
    double a = from->acceleration[axis], b = to->acceleration[axis];
    fit_quintic(from->at[axis], to->at[axis], v, w, a, b, c);
    const double rates[5] = { v, v + 0.25 * a, 5.0 * delta - 2.0 * (v + w) + 0.25 * (b - a), w - 0.25 * b,
                              w };
    for (int i = 0; i < 5; ++i)
    {
        squared[i] += rates[i] * rates[i];
    }
}

void abut_trajectory_samples_maps(AbutTrajectorySamples* trajectory_samples, double begin, double end,
                                  double c[6][3][4])
{
    AbutTrajectorySample others[2];
    AbutTrajectorySample *from = find_sample(trajectory_samples, begin, &others[0]),
                         *to = find_sample(trajectory_samples, end, &others[1]);
    double span = (end - begin) / ABUT_TRAJECTORY_TICKS;
    for (int i = 0; i < 12; ++i)
    {
        const int row = i / 4, column = i % 4;
        double at = from->at[row][column], next = to->at[row][column], fit[6];
        if (trajectory_samples->is_straight)
        {
            c[0][row][column] = at;
            c[1][row][column] = next - at;
            continue;
        }
        fit_quintic(at, next, span * from->rate[row][column], span * to->rate[row][column],
                    span * span * from->acceleration[row][column],
                    span * span * to->acceleration[row][column], fit);
        for (int k = 0; k < 6; ++k)
        {
            c[k][row][column] = fit[k];
        }
    }
}

void abut_trajectory_samples_quintic(AbutTrajectorySamples* trajectory_samples, const double point[3],
                                     double begin, double end, AbutQuintic* out)
{
    QuinticEnd from, to;
    double squared[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 }, most = 0.0;
    find_end(trajectory_samples, point, begin, end - begin, &from);
    find_end(trajectory_samples, point, end, end - begin, &to);
    for (int axis = 0; axis < 3; ++axis)
    {
        fit_axis(&from, &to, axis, out->c[axis], squared);
    }
    for (int i = 0; i < 5; ++i)
    {
        most = squared[i] > most ? squared[i] : most;
    }
    out->max_speed = sqrt(most) * (1.0 + 1e-9);
}
