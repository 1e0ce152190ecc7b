// Passes of the kernel over all spans in progress; steps with a possible crossing go to
// cell_tracer_crossing.c.
#include "toi/points/cell_tracer.h"

#include "base/assert.h"
#include "cast/grid_walk.h"
#include "math/rounding.h"
#include "toi/points/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    VERDICTS = sizeof(uint64_t) // read at once
};

_Static_assert(ABUT_TRACER_BATCH + VERDICTS <= ABUT_TRACER_PADDED,
               "a read of the last verdicts stays within the array");

/// Margin around the box of a solid, in cells: the cell of its border, and some for rounding.
static const double BOX_CELLS = 1.25;

// -----------------------------------------------------------------------------------------------------------
// Spans in progress
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 coefficient(const AbutTracerBatch* batch, int k, size_t i)
{
    return abut_vec3(batch->c[k][0][i], batch->c[k][1][i], batch->c[k][2][i]);
}

static void set_coefficient(AbutTracerBatch* batch, int k, size_t i, AbutVec3 c)
{
    batch->c[k][0][i] = c.x;
    batch->c[k][1][i] = c.y;
    batch->c[k][2][i] = c.z;
}

/// Moves the last span to position i.
static void remove_path(AbutTracerBatch* batch, int degree, size_t i)
{
    const size_t last = --batch->count;
    if (i == last)
    {
        return;
    }
    for (int k = 0; k <= degree; ++k)
    {
        set_coefficient(batch, k, i, coefficient(batch, k, last));
    }
    batch->time[i] = batch->time[last];
    batch->end[i] = batch->end[last];
    batch->ahead[i] = batch->ahead[last];
    batch->longest[i] = batch->longest[last];
    batch->nudge[i] = batch->nudge[last];
    batch->inverse_speed[i] = batch->inverse_speed[last];
    batch->margin[i] = batch->margin[last];
    batch->curvature[i] = batch->curvature[last];
    batch->side[i] = batch->side[last];
    batch->id[i] = batch->id[last];
}

/// Starts a span of `count` points. Their records exist, at a distance of `step` from one point to the next.
static void start_paths(AbutCellTracer* tracer, const AbutTracerSpan* span, uint32_t point, uint32_t count,
                        uint32_t id, uint32_t step)
{
    const AbutPointSet* points = tracer->side->points;
    const uint8_t before = span->span.before;
    const AbutTracerStart start = {
        .maps = span->maps,
        .points = { points->at[0] + point, points->at[1] + point, points->at[2] + point },
        .count = count,
        .side = before == ABUT_NOT_KNOWN ? 0.0f : (before != 0 ? -1.0f : 1.0f),
        .nudge = span->nudge,
        .inverse_speed = span->inverse_speed,
        .margin = span->margin,
        .curvature = span->curvature,
        .id = id,
        .id_step = step,
    };
    AbutTracerBatch* batch = &tracer->batch;
    const size_t first = batch->count;
    abut_tracer_kernels()->start(&tracer->field, tracer->straight, &start, batch);
    for (size_t i = batch->count; i-- > first;)
    {
        if (!(batch->time[i] < batch->end[i]))
        {
            remove_path(batch, abut_cell_tracer_degree(tracer), i);
        }
    }
}

/// Suspends a span with full crossings until they are flushed.
static void suspend(AbutCellTracer* tracer, size_t i)
{
    const AbutTracerBatch* batch = &tracer->batch;
    AbutTracerRecord* record = &tracer->records[batch->id[i]];
    for (int k = 0; k <= abut_cell_tracer_degree(tracer); ++k)
    {
        record->c[k] = coefficient(batch, k, i);
    }
    record->time = batch->time[i];
    record->end = batch->end[i];
    record->side = batch->side[i];
    record->nudge = batch->nudge[i];
    record->inverse_speed = batch->inverse_speed[i];
    record->margin = batch->margin[i];
    record->curvature = batch->curvature[i];
    record->is_full = true;
    remove_path(&tracer->batch, abut_cell_tracer_degree(tracer), i);
}

/// Resumes a suspended span.
static void resume(AbutCellTracer* tracer, uint32_t id)
{
    AbutTracerRecord* record = &tracer->records[id];
    AbutTracerBatch* batch = &tracer->batch;
    ABUT_ASSERT(batch->count < ABUT_TRACER_BATCH && record->is_full);
    const size_t i = batch->count++;
    for (int k = 0; k <= abut_cell_tracer_degree(tracer); ++k)
    {
        set_coefficient(batch, k, i, record->c[k]);
    }
    batch->time[i] = record->time;
    batch->ahead[i] = record->time;
    batch->end[i] = record->end;
    batch->side[i] = record->side;
    batch->longest[i] = INFINITY;
    batch->nudge[i] = record->nudge;
    batch->inverse_speed[i] = record->inverse_speed;
    batch->margin[i] = record->margin;
    batch->curvature[i] = record->curvature;
    batch->id[i] = id;
    record->is_full = false;
}

// -----------------------------------------------------------------------------------------------------------
// Passes
// -----------------------------------------------------------------------------------------------------------

/// Applies the verdict of the kernel on a span.
static void take_verdict(AbutCellTracer* tracer, size_t i, uint8_t verdict)
{
    AbutTracerBatch* batch = &tracer->batch;
    AbutTracerRecord* record = &tracer->records[batch->id[i]];
    if ((verdict & ABUT_TRACER_BEGIN) != 0)
    {
        abut_crossings_put(&record->crossings, batch->side[i] < 0.0f, 0.0, record->least);
    }
    if ((verdict & ABUT_TRACER_CROSSING) != 0)
    {
        abut_cell_tracer_cross(tracer, i);
    }
    if (batch->time[i] >= batch->end[i])
    {
        // Outside there, up to rounding.
        if (batch->side[i] < 0.0f && batch->end[i] < 1.0f)
        {
            abut_crossings_put(&record->crossings, false, (double)batch->end[i], record->least);
        }
        remove_path(batch, abut_cell_tracer_degree(tracer), i);
    }
    else if (!abut_crossings_have_capacity(&record->crossings))
    {
        suspend(tracer, i);
    }
}

static void run_pass(AbutCellTracer* tracer)
{
    AbutTracerBatch* batch = &tracer->batch;
    AbutTracerStates verdicts;
    *tracer->evaluations += batch->count;
    abut_tracer_kernels()->step(&tracer->field, tracer->straight, batch, verdicts);
    // From the last to the first: spans after position i are in progress. Most groups have no verdict.
    const size_t count = batch->count;
    memset(verdicts + count, 0, VERDICTS);
    for (size_t group = (count + VERDICTS - 1) / VERDICTS; group-- > 0;)
    {
        uint64_t some;
        memcpy(&some, verdicts + group * VERDICTS, sizeof(some));
        for (size_t i = group * VERDICTS + VERDICTS; some != 0 && i-- > group * VERDICTS;)
        {
            if (verdicts[i] != 0)
            {
                take_verdict(tracer, i, verdicts[i]);
            }
        }
    }
}

/// Runs spans until they are done or full. False when the budget is spent.
static bool run_paths(AbutCellTracer* tracer)
{
    while (tracer->batch.count > 0)
    {
        if (*tracer->evaluations >= tracer->budget)
        {
            return false;
        }
        run_pass(tracer);
    }
    return true;
}

bool abut_cell_tracer_flush(AbutCellTracer* tracer)
{
    uint32_t count = tracer->count;
    tracer->count = 0;
    if (!run_paths(tracer))
    {
        return false;
    }
    for (uint32_t id = 0; id < count; ++id)
    {
        AbutTracerRecord* record = &tracer->records[id];
        abut_crossings_start(&record->crossings, tracer->writer);
        abut_crossings_flush(&record->crossings, tracer->writer);
        while (record->is_full)
        {
            resume(tracer, id);
            if (!run_paths(tracer))
            {
                return false;
            }
            abut_crossings_flush(&record->crossings, tracer->writer);
        }
        abut_crossings_end(&record->crossings, tracer->writer);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

/// Adds records for spans of `count` points from `first` on, at most ABUT_TRACER_STARTS. False when the
/// budget is spent.
static bool add_records(AbutCellTracer* tracer, uint32_t first, uint32_t count, const AbutTracerSpan* spans,
                        uint32_t span_count)
{
    if (tracer->count + count * span_count > ABUT_TRACER_BATCH && !abut_cell_tracer_flush(tracer))
    {
        return false;
    }
    ABUT_ASSERT(tracer->count + count * span_count <= ABUT_TRACER_BATCH);
    const uint32_t id = tracer->count;
    for (uint32_t i = 0; i < count * span_count; ++i)
    {
        const AbutTracerSpan* span = &spans[i % span_count];
        AbutTracerRecord* record = &tracer->records[id + i];
        abut_crossings_init(&record->crossings, first + i / span_count, &span->span);
        record->max_speed = span->max_speed;
        record->least = span->least;
        record->is_full = false;
    }
    for (uint32_t k = 0; k < span_count; ++k)
    {
        if (spans[k].span.is_open)
        {
            start_paths(tracer, &spans[k], first, count, id + k, span_count);
        }
    }
    tracer->count += count * span_count;
    return true;
}

/// Very fast rotations have more than ABUT_TRACER_SPANS spans: one point after the other, so many spans at a
/// time.
static bool add_many_spans(AbutCellTracer* tracer, const AbutPointNode* node,
                           const AbutOpenIntervals* open_intervals)
{
    for (uint32_t p = 0; p < node->point_count; ++p)
    {
        AbutSpans all = abut_spans(open_intervals, tracer->trajectory_samples->span_ticks);
        uint32_t count;
        do
        {
            count = abut_cell_tracer_next_spans(tracer, node, &all);
            if (count > 0 && !add_records(tracer, node->first_point + p, 1, tracer->spans, count))
            {
                return false;
            }
        } while (count == ABUT_TRACER_SPANS);
    }
    return true;
}

bool abut_cell_tracer_add(AbutCellTracer* tracer, const AbutPointNode* node,
                          const AbutOpenIntervals* open_intervals)
{
    AbutSpans all = abut_spans(open_intervals, tracer->trajectory_samples->span_ticks);
    uint32_t span_count = abut_cell_tracer_next_spans(tracer, node, &all);
    if (span_count == ABUT_TRACER_SPANS)
    {
        return add_many_spans(tracer, node, open_intervals);
    }
    for (uint32_t p = 0; p < node->point_count; p += ABUT_TRACER_STARTS)
    {
        const uint32_t left = node->point_count - p;
        const uint32_t count = left < ABUT_TRACER_STARTS ? left : ABUT_TRACER_STARTS;
        if (!add_records(tracer, node->first_point + p, count, tracer->spans, span_count))
        {
            return false;
        }
    }
    return true;
}

/// Slopes for the proof of a sign beyond a cell.
static void set_safe_radius(AbutCellTracer* tracer, const AbutCastField* field)
{
    const AbutShapeInfo* info = &tracer->side->shape->info;
    const AbutFieldHeader* h = field->field->block;
    double cell = h->cell_size, error = 2.0 * (double)info->error / cell * (1.0 + 1e-6);
    double source_error = field->sparse ? 2.0 * field->slack : error;
    bool has_far = isfinite(source_error) && isfinite(h->source_slope);
    tracer->field.inverse_slope = field->sparse ? 0.0f : abut_round_down(0.999 / tracer->slope_bound);
    tracer->field.inverse_source_slope =
        has_far ? abut_round_down(0.999 / fmax(1.0, (double)h->source_slope)) : 0.0f;
    tracer->field.source_slack = has_far ? abut_round_up(source_error) : 0.0f;
    tracer->field.per_curvature = abut_round_up(1.0 / tracer->slope_bound);
}

/// A cell with all nodes beyond the solid's box is outside.
static void set_box(AbutCellTracer* tracer, const AbutCastField* field)
{
    const AbutFieldHeader* h = field->field->block;
    const double cell = field->sparse ? ABUT_BRICK_CELLS : 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = ((double)h->solid[axis] - h->origin[axis]) * field->per_length - BOX_CELLS * cell;
        double high = ((double)h->solid[axis + 3] - h->origin[axis]) * field->per_length + BOX_CELLS * cell;
        tracer->field.low[axis] = (float)fmax(low, 0.0);
        tracer->field.high[axis] = (float)fmin(high, field->cells[axis]);
    }
}

bool abut_cell_tracer_init(AbutCellTracer* tracer, const AbutToiPointSide* side,
                           AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* writer,
                           uint64_t budget)
{
    if (!abut_shape_is_field(side->shape))
    {
        return false;
    }
    const AbutCastField field = abut_cast_field(side->shape, 0.0f);
    bool signs_are_certain = !field.sparse || field.coarse_slack <= field.slack;
    if (field.format == ABUT_FIELD_FIRST_ORDER || !signs_are_certain || !isfinite(field.slope_bound) ||
        !(field.outside > abut_cast_margin(&field, 3.0 * field.rounding, field.outside)))
    {
        return false;
    }
    tracer->side = side;
    tracer->trajectory_samples = trajectory_samples;
    tracer->writer = writer;
    tracer->budget = budget;
    tracer->per_length = field.per_length;
    tracer->slope_bound = field.slope_bound;
    tracer->fine = 2.0 * (side->tolerance + side->error) * field.per_length / field.slope_bound;
    tracer->straight = trajectory_samples->is_straight;
    tracer->count = 0;
    tracer->batch.count = 0;
    tracer->field.view = field.field->view;
    tracer->field.format = (int)field.format;
    set_safe_radius(tracer, &field);
    set_box(tracer, &field);
    memcpy(tracer->origin, field.origin, sizeof(field.origin));
    return true;
}
