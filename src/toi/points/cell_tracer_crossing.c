// How a piece goes on that may have turned to the other side. A step along which the field's cubic changes its sign once has a crossing, which is
// that of the cubic. One that may change it more often is halved, and where the path bends by too much to tell, the step is made as short as
// what is in doubt.
#include "toi/points/cell_tracer.h"

#include <math.h>

/// Bending by this part of what rounds is none.
static const double STRAIGHT = 0.25;

enum
{
    MOST_NEWTON = 24 // steps to a root; halving alone needs as many
};

/// Roots are found to within this, as a part of the step.
static const double ROOT_STEP = 1e-7;

/// A step that may turn.
typedef struct Turn
{
    AbutTraceRun* run;
    AbutTraceRecord* record;
    size_t i;
    double begin, step, bend;
    double b[4]; // over the margin
} Turn;

static void put_event(const Turn* turn, bool is_inside, double s)
{
    abut_events_put(&turn->record->events, is_inside, s < 1.0 ? s : 1.0, turn->record->least);
}

/// From s on the piece is on a side, and known to stay there until `time`.
static void take_side(const Turn* turn, bool is_inside, double s, float time)
{
    AbutTraces* traces = &turn->run->traces;
    float side = is_inside ? -1.0f : 1.0f;
    if (traces->side[turn->i] == 0.0f)
    {
        put_event(turn, is_inside, 0.0);
    }
    else if (traces->side[turn->i] != side)
    {
        put_event(turn, is_inside, s);
    }
    traces->side[turn->i] = side;
    traces->time[turn->i] = time;
    traces->ahead[turn->i] = time;
    traces->longest[turn->i] = INFINITY;
}

/// How often coefficients over a level change sign.
static int count_changes(const double b[4], double level)
{
    int count = 0;
    for (int k = 0; k < 3; ++k)
    {
        count += (b[k] > level) != (b[k + 1] > level) ? 1 : 0;
    }
    return count;
}

/// Where a cubic whose coefficients over a level change sign once is at that level.
static double find_root(const double b[4], double level)
{
    const double c0 = b[0] - level, c1 = 3.0 * (b[1] - b[0]), c2 = 3.0 * (b[2] - 2.0 * b[1] + b[0]);
    const double c3 = b[3] - b[0] + 3.0 * (b[1] - b[2]), curve = fabs(c2) + 3.0 * fabs(c3);
    double low = 0.0, high = 1.0, s = c0 / (b[0] - b[3]);
    for (int i = 0; i < MOST_NEWTON && high - low > ROOT_STEP; ++i)
    {
        s = s > low && s < high ? s : 0.5 * (low + high);
        double value = c0 + s * (c1 + s * (c2 + s * c3)), slope = c1 + s * (2.0 * c2 + s * 3.0 * c3);
        bool is_low = (value > 0.0) == (c0 > 0.0);
        low = is_low ? s : low;
        high = is_low ? high : s;
        double step = value / slope;
        s -= step;
        // What Newton's step is off by.
        if (curve * step * step < 0.25 * ROOT_STEP * fabs(slope))
        {
            return s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
        }
    }
    return 0.5 * (low + high);
}

/// The step has one crossing and no bend worth mentioning. Begins are early, ends are late.
static void cross_once(const Turn* turn)
{
    const double* b = turn->b;
    bool is_inside = !(b[3] > 0.0);
    double root = find_root(b, 0.0) + (is_inside ? -ROOT_STEP : ROOT_STEP);
    take_side(turn, !is_inside, turn->begin, (float)turn->begin);
    take_side(turn, is_inside, turn->begin + root * turn->step, (float)(turn->begin + turn->step));
}

/// The step has one crossing, but the path bends: what is in doubt is between where the cubic is over and under the surface by
/// that. Goes there, and no further than it. False when that is not much shorter.
static bool close_in(const Turn* turn)
{
    AbutTraces* traces = &turn->run->traces;
    const double* b = turn->b;
    if (count_changes(b, turn->bend) != 1 || count_changes(b, -turn->bend) != 1)
    {
        return false;
    }
    double high = find_root(b, turn->bend), low = find_root(b, -turn->bend);
    double first = fmin(high, low) - ROOT_STEP, last = fmax(high, low) + ROOT_STEP;
    double longest = 1.5 * (last - first) * turn->step + ABUT_TRACE_SHORTEST;
    if (longest > 0.5 * turn->step)
    {
        return false;
    }
    double time = turn->begin + fmax(first, 0.0) * turn->step - (double)traces->nudge[turn->i];
    take_side(turn, !(b[0] > 0.0), turn->begin, fmaxf((float)time, traces->time[turn->i]));
    traces->longest[turn->i] = (float)longest;
    return true;
}

/// The step is so short that what it may hide is less deep than the tolerance.
static void pass_over(const Turn* turn)
{
    bool first = !(turn->b[0] > 0.0), last = !(turn->b[3] > 0.0);
    float end = (float)(turn->begin + turn->step);
    take_side(turn, first, turn->begin, end);
    take_side(turn, last, last ? turn->begin : turn->begin + turn->step, end);
}

static void halve(const Turn* turn)
{
    turn->run->traces.longest[turn->i] = (float)(0.5 * turn->step);
}

/// Finds out how a piece goes on whose step bends by next to nothing.
static void turn_straight(const Turn* turn, bool is_short)
{
    const AbutTraces* traces = &turn->run->traces;
    int changes = count_changes(turn->b, 0.0);
    bool is_inside = !(turn->b[0] > 0.0);
    if (changes == 0)
    {
        double since = is_inside ? (double)traces->time[turn->i] : turn->begin;
        take_side(turn, is_inside, since, traces->next[turn->i]);
    }
    else if (changes == 1)
    {
        cross_once(turn);
    }
    else if (is_short)
    {
        pass_over(turn);
    }
    else
    {
        halve(turn);
    }
}

/// The same where it bends: what is nearer to the surface than that may be on either side.
static void turn_bent(const Turn* turn, bool is_short)
{
    const AbutTraces* traces = &turn->run->traces;
    const double *b = turn->b, bend = turn->bend;
    bool is_out = b[0] > bend && b[3] > bend, is_in = b[0] <= -bend && b[3] <= -bend;
    if (is_out && (is_short || (b[1] > bend && b[2] > bend)))
    {
        take_side(turn, false, turn->begin, traces->next[turn->i]);
    }
    else if (is_in && (is_short || (b[1] <= -bend && b[2] <= -bend)))
    {
        take_side(turn, true, (double)traces->time[turn->i], traces->next[turn->i]);
    }
    else if (!close_in(turn))
    {
        halve(turn);
    }
}

void abut_trace_turn(AbutTraceRun* run, size_t i)
{
    const AbutTraces* traces = &run->traces;
    Turn turn = { .run = run, .record = &run->records[traces->id[i]], .i = i };
    turn.begin = (double)traces->begin[i];
    turn.step = (double)traces->step[i];
    turn.bend = (double)traces->bend[i] * turn.step * turn.step;
    for (int k = 0; k < 4; ++k)
    {
        turn.b[k] = (double)traces->b[k][i] - (double)traces->margin[i];
    }
    bool is_shortest = turn.step <= 2.0 * ABUT_TRACE_SHORTEST;
    bool is_short = turn.record->way * turn.step <= run->fine || is_shortest;
    if (turn.bend <= STRAIGHT * (double)traces->margin[i] || is_shortest)
    {
        turn_straight(&turn, is_short);
    }
    else
    {
        turn_bent(&turn, is_short);
    }
}
