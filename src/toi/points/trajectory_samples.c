// Samples of a trajectory at ticks, made on demand, and quintics between two times.
#include "toi/points/trajectory_samples.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

/// Largest rotation over a quintic, in radians: 0.35⁶/46080 is under 1e-7.
static const double MAX_ANGLE = 0.35;

/// Limit of the work for absurd angular velocities.
static const double MAX_QUINTICS_PER_TICK = 4096.0;

void abut_trajectory_samples_init(AbutTrajectorySamples* samples, const AbutTrajectory* path)
{
    double angle = (path->motion.rate_a + path->motion.rate_b) / ABUT_TRAJECTORY_TICKS;
    double ticks = path->linear || angle * ABUT_TRAJECTORY_TICKS <= MAX_ANGLE ? ABUT_TRAJECTORY_TICKS
                                                                              : MAX_ANGLE / angle;
    samples->path = path;
    samples->is_straight = path->linear || angle == 0.0;
    samples->span_ticks = ticks >= 1.0 ? floor(ticks) : 1.0 / fmin(ceil(1.0 / ticks), MAX_QUINTICS_PER_TICK);
    memset(samples->has, 0, sizeof(samples->has));
}

const AbutTrajectorySample* abut_trajectory_samples_at(AbutTrajectorySamples* samples, uint32_t tick)
{
    ABUT_ASSERT(tick <= ABUT_TRAJECTORY_TICKS);
    if (!samples->has[tick])
    {
        abut_trajectory_at(samples->path, (double)tick / ABUT_TRAJECTORY_TICKS, &samples->table[tick]);
        samples->has[tick] = true;
    }
    return &samples->table[tick];
}

/// The sample at any time in ticks; `other` is storage for a sample between the ticks.
static const AbutTrajectorySample* find_sample(AbutTrajectorySamples* samples, double tick,
                                               AbutTrajectorySample* other)
{
    uint32_t whole = (uint32_t)tick;
    if ((double)whole == tick)
    {
        return abut_trajectory_samples_at(samples, whole);
    }
    abut_trajectory_at(samples->path, tick / ABUT_TRAJECTORY_TICKS, other);
    return other;
}

/// A point at an end of a quintic; velocity and acceleration are per length of the quintic.
typedef struct QuinticEnd
{
    AbutDVec3 position, velocity, acceleration;
} QuinticEnd;

static QuinticEnd find_end(AbutTrajectorySamples* samples, AbutDVec3 point, double tick, double length)
{
    AbutTrajectorySample other;
    const AbutTrajectorySample* sample = find_sample(samples, tick, &other);
    double span = length / ABUT_TRAJECTORY_TICKS;
    return (QuinticEnd){
        .position = abut_daffine_apply(&sample->position, point),
        .velocity = abut_dvec3_scale(abut_daffine_apply(&sample->velocity, point), span),
        .acceleration = abut_dvec3_scale(abut_daffine_apply(&sample->acceleration, point), span * span),
    };
}

/// Coefficients of a quintic from the positions at its ends, and velocities and accelerations over its
/// length.
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

/// One axis of a quintic: its coefficients, and the squares of the control points of its velocity, which lies
/// in their convex hull.
static void fit_axis(const QuinticEnd* from, const QuinticEnd* to, int axis, double c[6], double squared[5])
{
    double begin = abut_dvec3_get(from->position, axis), end = abut_dvec3_get(to->position, axis);
    double v = abut_dvec3_get(from->velocity, axis), w = abut_dvec3_get(to->velocity, axis);
    double a = abut_dvec3_get(from->acceleration, axis), b = abut_dvec3_get(to->acceleration, axis);
    double delta = end - begin;
    fit_quintic(begin, end, v, w, a, b, c);
    const double rates[5] = { v, v + 0.25 * a, 5.0 * delta - 2.0 * (v + w) + 0.25 * (b - a), w - 0.25 * b,
                              w };
    for (int i = 0; i < 5; ++i)
    {
        squared[i] += rates[i] * rates[i];
    }
}

void abut_trajectory_samples_maps(AbutTrajectorySamples* samples, double begin, double end, AbutDAffine c[6])
{
    AbutTrajectorySample others[2];
    const AbutTrajectorySample *from = find_sample(samples, begin, &others[0]),
                               *to = find_sample(samples, end, &others[1]);
    double span = (end - begin) / ABUT_TRAJECTORY_TICKS;
    for (int i = 0; i < 12; ++i)
    {
        const int row = i / 4, column = i % 4;
        double at = from->position.m[row][column], next = to->position.m[row][column], fit[6];
        if (samples->is_straight)
        {
            c[0].m[row][column] = at;
            c[1].m[row][column] = next - at;
            continue;
        }
        fit_quintic(at, next, span * from->velocity.m[row][column], span * to->velocity.m[row][column],
                    span * span * from->acceleration.m[row][column],
                    span * span * to->acceleration.m[row][column], fit);
        for (int k = 0; k < 6; ++k)
        {
            c[k].m[row][column] = fit[k];
        }
    }
}

void abut_trajectory_samples_quintic(AbutTrajectorySamples* samples, AbutDVec3 point, double begin,
                                     double end, AbutQuintic* out)
{
    ABUT_ASSERT(begin <= end && end <= ABUT_TRAJECTORY_TICKS);
    QuinticEnd from = find_end(samples, point, begin, end - begin);
    QuinticEnd to = find_end(samples, point, end, end - begin);
    double squared[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 }, most = 0.0;
    fit_axis(&from, &to, 0, out->c[0], squared);
    fit_axis(&from, &to, 1, out->c[1], squared);
    fit_axis(&from, &to, 2, out->c[2], squared);
    for (int i = 0; i < 5; ++i)
    {
        most = squared[i] > most ? squared[i] : most;
    }
    out->max_speed = sqrt(most) * (1.0 + 1e-9);
}
