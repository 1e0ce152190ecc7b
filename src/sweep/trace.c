// The kernel takes a step of all pieces per round and leaves those to this file that may have turned to the other side. A step along
// which the field's cubic changes its sign once has a crossing, which is that of the cubic. One that may change it more often is halved, and
// where the path bends by too much to tell, the step is made as short as what is in doubt.
#include "sweep/trace.h"

#include "simd/kernels.h"
#include "sweep/segment.h"
#include "vec/rounding.h"

#include <math.h>

/// Steps of a float below 1, for numbers that are rounded a few times.
static const double FLOAT_STEP = 0x1p-23;

/// What is shorter than this, in s, is as short as time has a meaning.
static const double SHORTEST = 0x1p-22;

/// Cubics of values up to a few cells are rounded to this, in cells per slope.
static const double VALUE_ROUNDING = 0x1p-19;

/// Bending by this part of what rounds is none.
static const double STRAIGHT = 0.25;

enum
{
    MOST_NEWTON = 24 // steps to a root; halving alone needs as many
};

/// Roots are found to within this, as a part of the step.
static const double ROOT_STEP = 1e-7;

// ---------------------------------------------------------------------------------------------------------------------
// Spans
// ---------------------------------------------------------------------------------------------------------------------

static int top_degree(const AbutTraceRun* run)
{
    return run->straight ? 1 : ABUT_TRACE_DEGREE;
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How far a map takes two points apart that are 1 apart, at most: the Frobenius norm.
static double stretch_of(double map[3][4])
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        sum += map[i / 3][i % 3] * map[i / 3][i % 3];
    }
    return sqrt(sum);
}

/// The velocity's control points, which it lies in the hull of, are affine in the coefficients. So are those of the acceleration.
static double longest_control(double c[6][3], const double weights[][6], int count)
{
    double longest = 0.0;
    for (int i = 0; i < count; ++i)
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int k = 1; k <= ABUT_TRACE_DEGREE; ++k)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                sum[axis] += weights[i][k] * c[k][axis];
            }
        }
        longest = fmax(longest, length3(sum));
    }
    return longest;
}

static const double VELOCITY[5][6] = { { 0, 1, 0, 0, 0, 0 },
                                       { 0, 1, 0.5, 0, 0, 0 },
                                       { 0, 1, 1, 0.5, 0, 0 },
                                       { 0, 1, 1.5, 1.5, 1, 0 },
                                       { 0, 1, 2, 3, 4, 5 } };
static const double ACCELERATION[4][6] = {
    { 0, 0, 2, 0, 0, 0 }, { 0, 0, 2, 2, 0, 0 }, { 0, 0, 2, 4, 4, 0 }, { 0, 0, 2, 6, 12, 20 }
};

/// What holds for all points of a sphere: that of its centre, and how much others differ from it by.
typedef struct SpanBounds
{
    double way, pull;
    double places; // of terms of a place along an axis, each as often as it is rounded in float
} SpanBounds;

static SpanBounds bound_span(const AbutTraceRun* run, AbutTraceSpan* span, const double center[3],
                             double radius)
{
    const int top = top_degree(run);
    double c[6][3] = { { 0 } }, spread[6] = { 0 }, most[3] = { 0 };
    SpanBounds out = { 0 };
    for (int k = 0; k <= top; ++k)
    {
        abut_path_apply(span->maps[k], center, c[k]);
        spread[k] = radius * stretch_of(span->maps[k]);
        for (int axis = 0; axis < 3; ++axis)
        {
            most[axis] += (2 * k + 2) * (fabs(c[k][axis]) + spread[k]);
        }
        out.way += k * spread[k];
        out.pull += k * (k - 1) * spread[k];
    }
    out.places = fmax(most[0], fmax(most[1], most[2]));
    out.way += run->straight ? length3(c[1]) : longest_control(c, VELOCITY, 5);
    out.pull += run->straight ? 0.0 : longest_control(c, ACCELERATION, 4);
    return out;
}

/// Prepares a span for all points of a node.
static void make_span(const AbutTraceRun* run, const AbutPointNode* node, AbutTraceSpan* out)
{
    const double center[3] = { node->center.x, node->center.y, node->center.z };
    if (!out->span.is_open)
    {
        return;
    }
    abut_knots_maps(run->knots, out->span.begin, out->span.end, out->maps);
    for (int k = 0; k <= top_degree(run); ++k)
    {
        for (int i = 0; i < 12; ++i)
        {
            const double origin = k == 0 && i % 4 == 3 ? run->origin[i / 4] : 0.0;
            out->maps[k][i / 4][i % 4] = (out->maps[k][i / 4][i % 4] - origin) * run->per_length;
        }
    }
    SpanBounds bounds = bound_span(run, out, center, (double)node->radius);
    double rounding = 0.5 * FLOAT_STEP * (bounds.places + 2.0);
    out->way = bounds.way * (1.0 + 1e-9) + 1e-12;
    double nudge = fmax(rounding / out->way, SHORTEST);
    // Places are off along three axes, and a nudge jumps over some.
    double off = 2.0 * rounding + nudge * out->way;
    out->least = run->fine / out->way;
    out->nudge = abut_round_up(nudge);
    out->per_way = abut_round_down(1.0 / out->way);
    out->margin = abut_round_up(run->steep * (off + VALUE_ROUNDING));
    out->bend = abut_round_up(0.5 * run->steep * bounds.pull);
}

// ---------------------------------------------------------------------------------------------------------------------
// Pieces
// ---------------------------------------------------------------------------------------------------------------------

/// Sends the piece of a record on its way, from where it was left.
static void launch(AbutTraceRun* run, uint32_t id)
{
    const AbutTraceRecord* record = &run->records[id];
    AbutTraces* traces = &run->traces;
    const size_t i = traces->count++;
    const int top = top_degree(run);
    for (int k = 0; k <= top; ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            traces->c[k][axis][i] = record->c[k][axis];
        }
    }
    traces->time[i] = record->time;
    traces->ahead[i] = record->time;
    traces->side[i] = record->side;
    traces->longest[i] = INFINITY;
    traces->nudge[i] = record->nudge;
    traces->per_way[i] = record->per_way;
    traces->margin[i] = record->margin;
    traces->bend[i] = record->bend;
    traces->id[i] = id;
}

static void fill_record(const AbutTraceRun* run, uint32_t point, AbutTraceSpan* span, AbutTraceRecord* out)
{
    const AbutPointSet* points = run->side->points;
    const double x[3] = { points->at[0][point], points->at[1][point], points->at[2][point] };
    const int top = top_degree(run);
    for (int k = 0; k <= top; ++k)
    {
        double c[3];
        abut_path_apply(span->maps[k], x, c);
        for (int axis = 0; axis < 3; ++axis)
        {
            out->c[k][axis] = (float)c[axis];
        }
    }
    const uint8_t before = span->span.before;
    out->time = 0.0f;
    out->side = before == ABUT_NOT_KNOWN ? 0.0f : (before != 0 ? -1.0f : 1.0f);
    out->nudge = span->nudge;
    out->per_way = span->per_way;
    out->margin = span->margin;
    out->bend = span->bend;
    out->way = span->way;
    out->least = span->least;
}

/// The last piece takes the place of piece i.
static void remove_trace(AbutTraces* traces, bool straight, size_t i)
{
    const size_t last = --traces->count;
    const int top = straight ? 1 : ABUT_TRACE_DEGREE;
    if (i == last)
    {
        return;
    }
    for (int k = 0; k <= top; ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            traces->c[k][axis][i] = traces->c[k][axis][last];
        }
    }
    traces->time[i] = traces->time[last];
    traces->ahead[i] = traces->ahead[last];
    traces->longest[i] = traces->longest[last];
    traces->nudge[i] = traces->nudge[last];
    traces->per_way[i] = traces->per_way[last];
    traces->margin[i] = traces->margin[last];
    traces->bend[i] = traces->bend[last];
    traces->side[i] = traces->side[last];
    traces->id[i] = traces->id[last];
}

// ---------------------------------------------------------------------------------------------------------------------
// Turns
// ---------------------------------------------------------------------------------------------------------------------

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
    double longest = 1.5 * (last - first) * turn->step + SHORTEST;
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

/// Finds out how a piece goes on that may have turned.
static void turn_trace(AbutTraceRun* run, size_t i)
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
    bool is_shortest = turn.step <= 2.0 * SHORTEST;
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

// ---------------------------------------------------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------------------------------------------------

/// Keeps what the next round needs of a piece that has no room for events.
static void suspend(AbutTraceRun* run, size_t i)
{
    AbutTraceRecord* record = &run->records[run->traces.id[i]];
    record->time = run->traces.time[i];
    record->side = run->traces.side[i];
    record->is_full = true;
    remove_trace(&run->traces, run->straight, i);
}

static void run_round(AbutTraceRun* run)
{
    AbutTraces* traces = &run->traces;
    AbutTraceVerdicts verdicts;
    *run->evaluations += traces->count;
    abut_kernels()->trace(&run->field, run->straight, traces, verdicts);
    // From the last to the first: those behind are all still on their way.
    for (size_t i = traces->count; i-- > 0;)
    {
        if (verdicts[i] == 0)
        {
            continue;
        }
        if ((verdicts[i] & ABUT_TRACE_TURN) != 0)
        {
            turn_trace(run, i);
        }
        if (traces->time[i] >= 1.0f)
        {
            remove_trace(traces, run->straight, i);
        }
        else if (!abut_events_have_room(&run->records[traces->id[i]].events))
        {
            suspend(run, i);
        }
    }
}

/// Runs what is on its way until it is done or full. False when the budget is spent.
static bool run_traces(AbutTraceRun* run)
{
    while (run->traces.count > 0)
    {
        if (*run->evaluations >= run->budget)
        {
            return false;
        }
        run_round(run);
    }
    return true;
}

bool abut_traces_flush(AbutTraceRun* run)
{
    uint32_t count = run->count;
    run->count = 0;
    if (!run_traces(run))
    {
        return false;
    }
    for (uint32_t id = 0; id < count; ++id)
    {
        AbutTraceRecord* record = &run->records[id];
        abut_events_start(&record->events, run->sink);
        abut_events_turn(&record->events, run->sink);
        while (record->is_full)
        {
            record->is_full = false;
            launch(run, id);
            if (!run_traces(run))
            {
                return false;
            }
            abut_events_turn(&record->events, run->sink);
        }
        abut_events_end(&record->events, run->sink);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------------------------

static bool add_record(AbutTraceRun* run, uint32_t point, AbutTraceSpan* span)
{
    if (run->count == ABUT_TRACES && !abut_traces_flush(run))
    {
        return false;
    }
    AbutTraceRecord* record = &run->records[run->count];
    abut_events_init(&record->events, point, &span->span);
    record->is_full = false;
    if (span->span.is_open)
    {
        fill_record(run, point, span, record);
        launch(run, run->count);
    }
    run->count += 1;
    return true;
}

bool abut_traces_add(AbutTraceRun* run, const AbutPointNode* node, const AbutWindows* windows)
{
    AbutSpans first = abut_spans(windows, run->knots->piece);
    uint32_t count = 0;
    while (count < ABUT_TRACE_SPANS && abut_spans_next(&first, &run->spans[count].span))
    {
        make_span(run, node, &run->spans[count++]);
    }
    bool goes_on = true;
    for (uint32_t p = node->first_point; p < node->first_point + node->point_count && goes_on; ++p)
    {
        for (uint32_t k = 0; k < count && goes_on; ++k)
        {
            goes_on = add_record(run, p, &run->spans[k]);
        }
        // Very fast turns have more of them, each made anew for every point.
        AbutSpans rest = first;
        AbutTraceSpan other;
        while (goes_on && count == ABUT_TRACE_SPANS && abut_spans_next(&rest, &other.span))
        {
            make_span(run, node, &other);
            goes_on = add_record(run, p, &other);
        }
    }
    return goes_on;
}

/// How far a value proves its sign beyond a cell.
static void set_reach(AbutTraceRun* run, const AbutSegmentField* field)
{
    const AbutShapeInfo* info = &run->side->shape->info;
    const AbutFieldHeader* h = field->field->block;
    double cell = h->cell_size, error = 2.0 * (double)info->error / cell * (1.0 + 1e-6);
    double taken = field->sparse ? 2.0 * field->slack : error;
    bool has_far = isfinite(taken) && isfinite(h->source_slope);
    run->field.per_steep = field->sparse ? 0.0f : abut_round_down(0.999 / run->steep);
    run->field.per_far = has_far ? abut_round_down(0.999 / fmax(1.0, (double)h->source_slope)) : 0.0f;
    run->field.far_taken = has_far ? abut_round_up(taken) : 0.0f;
}

bool abut_traces_init(AbutTraceRun* run, const AbutPointSide* side, AbutKnots* knots, AbutIntervalSink* sink,
                      uint64_t budget)
{
    if (!abut_shape_is_field(side->shape))
    {
        return false;
    }
    const AbutSegmentField field = abut_segment_field(side->shape, 0.0f);
    bool signs_hold = !field.sparse || field.coarse_slack <= field.slack;
    if (field.format == ABUT_FIELD_FIRST_ORDER || !signs_hold || !isfinite(field.steep) ||
        !(field.outside > abut_segment_margin(&field, 3.0 * field.rounding, field.outside)))
    {
        return false;
    }
    run->side = side;
    run->knots = knots;
    run->sink = sink;
    run->budget = budget;
    run->per_length = field.per_length;
    run->steep = field.steep;
    run->fine = 2.0 * (side->tolerance + side->error) * field.per_length / field.steep;
    run->straight = knots->is_straight;
    run->count = 0;
    run->traces.count = 0;
    run->field.view = field.field->view;
    run->field.format = (int)field.format;
    set_reach(run, &field);
    for (int axis = 0; axis < 3; ++axis)
    {
        run->origin[axis] = field.origin[axis];
    }
    return true;
}
