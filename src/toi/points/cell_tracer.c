// The kernel takes a step of all pieces per round and leaves those to cell_tracer_crossing.c that may have turned to the other side.
#include "toi/points/cell_tracer.h"

#include "cast/field_cast.h"
#include "math/rounding.h"
#include "toi/points/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    VERDICTS = sizeof(uint64_t) // that are looked at together
};

_Static_assert(ABUT_TRACES + VERDICTS <= ABUT_TRACES_PADDED, "there is room behind the last verdict");

/// Around the box of a solid, in cells: the one that it ends in, and some for margins and rounding.
static const double BOX_CELLS = 1.25;

// ---------------------------------------------------------------------------------------------------------------------
// Pieces
// ---------------------------------------------------------------------------------------------------------------------

/// The last piece takes the place of piece i.
static void remove_trace(AbutTraces* traces, int degree, size_t i)
{
    const size_t last = --traces->count;
    if (i == last)
    {
        return;
    }
    for (int k = 0; k <= degree; ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            traces->c[k][axis][i] = traces->c[k][axis][last];
        }
    }
    traces->time[i] = traces->time[last];
    traces->end[i] = traces->end[last];
    traces->ahead[i] = traces->ahead[last];
    traces->longest[i] = traces->longest[last];
    traces->nudge[i] = traces->nudge[last];
    traces->per_way[i] = traces->per_way[last];
    traces->margin[i] = traces->margin[last];
    traces->bend[i] = traces->bend[last];
    traces->side[i] = traces->side[last];
    traces->id[i] = traces->id[last];
}

/// Sends the points of a span on their way; their records are there, those of one point `step` after those of the one before.
static void start_traces(AbutTraceRun* run, const AbutTraceSpan* span, uint32_t point, uint32_t count,
                         uint32_t id, uint32_t step)
{
    const AbutPointSet* points = run->side->points;
    const uint8_t before = span->span.before;
    const AbutTraceStart start = {
        .maps = span->maps,
        .points = { points->at[0] + point, points->at[1] + point, points->at[2] + point },
        .count = count,
        .side = before == ABUT_NOT_KNOWN ? 0.0f : (before != 0 ? -1.0f : 1.0f),
        .nudge = span->nudge,
        .per_way = span->per_way,
        .margin = span->margin,
        .bend = span->bend,
        .id = id,
        .id_step = step,
    };
    AbutTraces* traces = &run->traces;
    const size_t first = traces->count;
    abut_tracer_kernels()->start(&run->field, run->straight, &start, traces);
    for (size_t i = traces->count; i-- > first;)
    {
        if (!(traces->time[i] < traces->end[i]))
        {
            remove_trace(traces, abut_trace_degree(run), i);
        }
    }
}

/// Keeps a piece that has no room for events until these have been taken.
static void suspend(AbutTraceRun* run, size_t i)
{
    const AbutTraces* traces = &run->traces;
    AbutTraceRecord* record = &run->records[traces->id[i]];
    for (int k = 0; k <= abut_trace_degree(run); ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            record->c[k][axis] = traces->c[k][axis][i];
        }
    }
    record->time = traces->time[i];
    record->end = traces->end[i];
    record->side = traces->side[i];
    record->nudge = traces->nudge[i];
    record->per_way = traces->per_way[i];
    record->margin = traces->margin[i];
    record->bend = traces->bend[i];
    record->is_full = true;
    remove_trace(&run->traces, abut_trace_degree(run), i);
}

/// Sends a piece on from where it was left.
static void resume(AbutTraceRun* run, uint32_t id)
{
    AbutTraceRecord* record = &run->records[id];
    AbutTraces* traces = &run->traces;
    const size_t i = traces->count++;
    for (int k = 0; k <= abut_trace_degree(run); ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            traces->c[k][axis][i] = record->c[k][axis];
        }
    }
    traces->time[i] = record->time;
    traces->ahead[i] = record->time;
    traces->end[i] = record->end;
    traces->side[i] = record->side;
    traces->longest[i] = INFINITY;
    traces->nudge[i] = record->nudge;
    traces->per_way[i] = record->per_way;
    traces->margin[i] = record->margin;
    traces->bend[i] = record->bend;
    traces->id[i] = id;
    record->is_full = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------------------------------------------------

/// Takes what the kernel says of a piece.
static void take_verdict(AbutTraceRun* run, size_t i, uint8_t verdict)
{
    AbutTraces* traces = &run->traces;
    AbutTraceRecord* record = &run->records[traces->id[i]];
    if ((verdict & ABUT_TRACE_BEGIN) != 0)
    {
        abut_events_put(&record->events, traces->side[i] < 0.0f, 0.0, record->least);
    }
    if ((verdict & ABUT_TRACE_TURN) != 0)
    {
        abut_trace_turn(run, i);
    }
    if (traces->time[i] >= traces->end[i])
    {
        // Its samples have it outside there, but for rounding.
        if (traces->side[i] < 0.0f && traces->end[i] < 1.0f)
        {
            abut_events_put(&record->events, false, (double)traces->end[i], record->least);
        }
        remove_trace(traces, abut_trace_degree(run), i);
    }
    else if (!abut_events_have_room(&record->events))
    {
        suspend(run, i);
    }
}

static void run_round(AbutTraceRun* run)
{
    AbutTraces* traces = &run->traces;
    AbutTraceVerdicts verdicts;
    *run->evaluations += traces->count;
    abut_tracer_kernels()->step(&run->field, run->straight, traces, verdicts);
    // From the last to the first: those behind are all still on their way. Most groups have nothing to tell.
    const size_t count = traces->count;
    memset(verdicts + count, 0, VERDICTS);
    for (size_t group = (count + VERDICTS - 1) / VERDICTS; group-- > 0;)
    {
        uint64_t some;
        memcpy(&some, verdicts + group * VERDICTS, sizeof(some));
        for (size_t i = group * VERDICTS + VERDICTS; some != 0 && i-- > group * VERDICTS;)
        {
            if (verdicts[i] != 0)
            {
                take_verdict(run, i, verdicts[i]);
            }
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
            resume(run, id);
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

/// Adds records for spans of points from `first` on, as many as start together at most. False when the budget is spent.
static bool add_records(AbutTraceRun* run, uint32_t first, uint32_t count, const AbutTraceSpan* spans,
                        uint32_t span_count)
{
    if (run->count + count * span_count > ABUT_TRACES && !abut_traces_flush(run))
    {
        return false;
    }
    const uint32_t id = run->count;
    for (uint32_t i = 0; i < count * span_count; ++i)
    {
        const AbutTraceSpan* span = &spans[i % span_count];
        AbutTraceRecord* record = &run->records[id + i];
        abut_events_init(&record->events, first + i / span_count, &span->span);
        record->way = span->way;
        record->least = span->least;
        record->is_full = false;
    }
    for (uint32_t k = 0; k < span_count; ++k)
    {
        if (spans[k].span.is_open)
        {
            start_traces(run, &spans[k], first, count, id + k, span_count);
        }
    }
    run->count += count * span_count;
    return true;
}

/// Very fast turns have more spans than are prepared: all points one after the other, and `ABUT_TRACE_SPANS` of their spans at a time.
static bool add_many_spans(AbutTraceRun* run, const AbutPointNode* node, const AbutWindows* windows)
{
    for (uint32_t p = 0; p < node->point_count; ++p)
    {
        AbutSpans all = abut_spans(windows, run->knots->piece);
        uint32_t count;
        do
        {
            count = abut_trace_spans_next(run, node, &all);
            if (count > 0 && !add_records(run, node->first_point + p, 1, run->spans, count))
            {
                return false;
            }
        } while (count == ABUT_TRACE_SPANS);
    }
    return true;
}

bool abut_traces_add(AbutTraceRun* run, const AbutPointNode* node, const AbutWindows* windows)
{
    AbutSpans all = abut_spans(windows, run->knots->piece);
    uint32_t span_count = abut_trace_spans_next(run, node, &all);
    if (span_count == ABUT_TRACE_SPANS)
    {
        return add_many_spans(run, node, windows);
    }
    for (uint32_t p = 0; p < node->point_count; p += ABUT_TRACE_STARTS)
    {
        const uint32_t left = node->point_count - p;
        const uint32_t count = left < ABUT_TRACE_STARTS ? left : ABUT_TRACE_STARTS;
        if (!add_records(run, node->first_point + p, count, run->spans, span_count))
        {
            return false;
        }
    }
    return true;
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
    run->field.per_bend = abut_round_up(1.0 / run->steep);
}

/// Where all nodes of a cell are beyond the solid's box, all of the cell is outside.
static void set_box(AbutTraceRun* run, const AbutSegmentField* field)
{
    const AbutFieldHeader* h = field->field->block;
    const double cell = field->sparse ? ABUT_BRICK_CELLS : 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = ((double)h->solid[axis] - h->origin[axis]) * field->per_length - BOX_CELLS * cell;
        double high = ((double)h->solid[axis + 3] - h->origin[axis]) * field->per_length + BOX_CELLS * cell;
        run->field.low[axis] = (float)fmax(low, 0.0);
        run->field.high[axis] = (float)fmin(high, field->cells[axis]);
    }
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
    set_box(run, &field);
    for (int axis = 0; axis < 3; ++axis)
    {
        run->origin[axis] = field.origin[axis];
    }
    return true;
}
