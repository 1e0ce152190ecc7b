// Steps with a possible crossing. A step with one change of sign of the field's cubic has one crossing, the
// root of the cubic. One with more possible changes is halved, and where the curvature of the trajectory
// leaves it undecided, the step is shortened to the undecided interval.
#include "toi/points/cell_tracer.h"

#include <math.h>

/// Curvature, as a fraction of the rounding margin, that is neglected.
static const double STRAIGHT = 0.25;

enum
{
    MAX_NEWTON = 24 // steps to a root; bisection alone needs as many
};

/// Precision of roots, as a fraction of the step.
static const double ROOT_STEP = 1e-7;

/// A step with a possible crossing.
typedef struct Crossing
{
    AbutCellTracer* tracer;
    AbutTracerRecord* record;
    size_t i;
    double begin, step, curvature;
    double b[4]; // Bernstein coefficients, less the margin
} Crossing;

static void put_crossing(const Crossing* crossing, bool is_inside, double s)
{
    abut_crossings_put(&crossing->record->crossings, is_inside, s < 1.0 ? s : 1.0, crossing->record->least);
}

/// The point is on a side from s on, and stays there until `time`.
static void take_side(const Crossing* crossing, bool is_inside, double s, float time)
{
    AbutTracerBatch* batch = &crossing->tracer->batch;
    float side = is_inside ? -1.0f : 1.0f;
    if (batch->side[crossing->i] == 0.0f)
    {
        put_crossing(crossing, is_inside, 0.0);
    }
    else if (batch->side[crossing->i] != side)
    {
        put_crossing(crossing, is_inside, s);
    }
    batch->side[crossing->i] = side;
    batch->time[crossing->i] = time;
    batch->ahead[crossing->i] = time;
    batch->longest[crossing->i] = INFINITY;
}

/// Number of sign changes of the coefficients less a level.
static int count_changes(const double b[4], double level)
{
    const bool above[4] = { b[0] > level, b[1] > level, b[2] > level, b[3] > level };
    return (above[0] != above[1]) + (above[1] != above[2]) + (above[2] != above[3]);
}

/// Root of a cubic less a level, with one sign change of its coefficients.
static double find_root(const double b[4], double level)
{
    const double c0 = b[0] - level, c1 = 3.0 * (b[1] - b[0]), c2 = 3.0 * (b[2] - 2.0 * b[1] + b[0]);
    const double c3 = b[3] - b[0] + 3.0 * (b[1] - b[2]), curve = fabs(c2) + 3.0 * fabs(c3);
    double low = 0.0, high = 1.0, s = c0 / (b[0] - b[3]);
    for (int i = 0; i < MAX_NEWTON && high - low > ROOT_STEP; ++i)
    {
        s = s > low && s < high ? s : 0.5 * (low + high);
        double value = c0 + s * (c1 + s * (c2 + s * c3)), slope = c1 + s * (2.0 * c2 + s * 3.0 * c3);
        bool is_low = (value > 0.0) == (c0 > 0.0);
        low = is_low ? s : low;
        high = is_low ? high : s;
        double step = value / slope;
        s -= step;
        // The error of Newton's step.
        if (curve * step * step < 0.25 * ROOT_STEP * fabs(slope))
        {
            return s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
        }
    }
    return 0.5 * (low + high);
}

/// The step has one crossing and negligible curvature. Begins are early, ends are late.
static void cross_once(const Crossing* crossing)
{
    const double* b = crossing->b;
    bool is_inside = !(b[3] > 0.0);
    double root = find_root(b, 0.0) + (is_inside ? -ROOT_STEP : ROOT_STEP);
    take_side(crossing, !is_inside, crossing->begin, (float)crossing->begin);
    take_side(crossing, is_inside, crossing->begin + root * crossing->step,
              (float)(crossing->begin + crossing->step));
}

/// The step has one crossing, but a curved trajectory: the undecided interval is between the roots for the
/// curvature above and below the surface. Shortens the step to it. False when that is not much shorter.
static bool close_in(const Crossing* crossing)
{
    AbutTracerBatch* batch = &crossing->tracer->batch;
    const double* b = crossing->b;
    if (count_changes(b, crossing->curvature) != 1 || count_changes(b, -crossing->curvature) != 1)
    {
        return false;
    }
    double high = find_root(b, crossing->curvature), low = find_root(b, -crossing->curvature);
    double first = fmin(high, low) - ROOT_STEP, last = fmax(high, low) + ROOT_STEP;
    double longest = 1.5 * (last - first) * crossing->step + ABUT_TRACER_SHORTEST;
    if (longest > 0.5 * crossing->step)
    {
        return false;
    }
    double time = crossing->begin + fmax(first, 0.0) * crossing->step - (double)batch->nudge[crossing->i];
    take_side(crossing, !(b[0] > 0.0), crossing->begin, fmaxf((float)time, batch->time[crossing->i]));
    batch->longest[crossing->i] = (float)longest;
    return true;
}

/// The step is so short that a penetration in it is less deep than the tolerance.
static void pass_over(const Crossing* crossing)
{
    bool first = !(crossing->b[0] > 0.0), last = !(crossing->b[3] > 0.0);
    float end = (float)(crossing->begin + crossing->step);
    take_side(crossing, first, crossing->begin, end);
    take_side(crossing, last, last ? crossing->begin : crossing->begin + crossing->step, end);
}

static void halve(const Crossing* crossing)
{
    crossing->tracer->batch.longest[crossing->i] = (float)(0.5 * crossing->step);
}

/// Continues after a step with negligible curvature.
static void cross_straight(const Crossing* crossing, bool is_short)
{
    const AbutTracerBatch* batch = &crossing->tracer->batch;
    int changes = count_changes(crossing->b, 0.0);
    bool is_inside = !(crossing->b[0] > 0.0);
    if (changes == 0)
    {
        double since = is_inside ? (double)batch->time[crossing->i] : crossing->begin;
        take_side(crossing, is_inside, since, batch->next[crossing->i]);
    }
    else if (changes == 1)
    {
        cross_once(crossing);
    }
    else if (is_short)
    {
        pass_over(crossing);
    }
    else
    {
        halve(crossing);
    }
}

/// The same with curvature: a point closer to the surface than that may be on either side.
static void cross_curved(const Crossing* crossing, bool is_short)
{
    const AbutTracerBatch* batch = &crossing->tracer->batch;
    const double *b = crossing->b, curvature = crossing->curvature;
    bool is_out = b[0] > curvature && b[3] > curvature, is_in = b[0] <= -curvature && b[3] <= -curvature;
    if (is_out && (is_short || (b[1] > curvature && b[2] > curvature)))
    {
        take_side(crossing, false, crossing->begin, batch->next[crossing->i]);
    }
    else if (is_in && (is_short || (b[1] <= -curvature && b[2] <= -curvature)))
    {
        take_side(crossing, true, (double)batch->time[crossing->i], batch->next[crossing->i]);
    }
    else if (!close_in(crossing))
    {
        halve(crossing);
    }
}

void abut_cell_tracer_cross(AbutCellTracer* tracer, size_t i)
{
    const AbutTracerBatch* batch = &tracer->batch;
    Crossing crossing = { .tracer = tracer, .record = &tracer->records[batch->id[i]], .i = i };
    crossing.begin = (double)batch->begin[i];
    crossing.step = (double)batch->step[i];
    crossing.curvature = (double)batch->curvature[i] * crossing.step * crossing.step;
    for (int k = 0; k < 4; ++k)
    {
        crossing.b[k] = (double)batch->b[k][i] - (double)batch->margin[i];
    }
    bool is_shortest = crossing.step <= 2.0 * ABUT_TRACER_SHORTEST;
    bool is_short = crossing.record->max_speed * crossing.step <= tracer->fine || is_shortest;
    if (crossing.curvature <= STRAIGHT * (double)batch->margin[i] || is_shortest)
    {
        cross_straight(&crossing, is_short);
    }
    else
    {
        cross_curved(&crossing, is_short);
    }
}
