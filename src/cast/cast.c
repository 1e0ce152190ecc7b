// Segments against a shape: checks of the input, dispatch to fields and other shapes, batches on workers.
#include "cast/cast.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "cast/batch.h"
#include "cast/field_cast.h"
#include "cast/shape_cast.h"
#include "math/rounding.h"

#include <math.h>

enum
{
    DEFAULT_BUDGET = 4096,
    BLOCK = 4096 // segments per task
};

AbutCastSettings abut_cast_settings(void)
{
    AbutCastSettings settings = { .method = ABUT_CAST_SPHERE_TRACING, .budget = DEFAULT_BUDGET };
    return settings;
}

const char* abut_cast_method_name(AbutCastMethod method)
{
    static const char* const names[ABUT_CAST_METHOD_COUNT] = { "sphere tracing", "pyramid", "cells" };
    return (unsigned)method < ABUT_CAST_METHOD_COUNT ? names[method] : "unknown method";
}

const char* abut_cast_state_name(AbutCastState state)
{
    static const char* const names[ABUT_CAST_STATE_COUNT] = { "miss", "hit", "inside", "budget", "invalid" };
    return (unsigned)state < ABUT_CAST_STATE_COUNT ? names[state] : "unknown state";
}

AbutResult abut_cast_check(const AbutCastSettings* settings)
{
    if ((unsigned)settings->method >= ABUT_CAST_METHOD_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "segments: there is no method %d", (int)settings->method);
    }
    if (settings->budget == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "segments: the budget is 0; start from abut_cast_settings(), and it is at least 1");
    }
    if (!isfinite(settings->iso))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "segments: iso is %g; it must be finite",
                         (double)settings->iso);
    }
    if (!(settings->tolerance >= 0.0f) || !isfinite(settings->tolerance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "segments: the tolerance is %g; it must be 0 (automatic) or more",
                         (double)settings->tolerance);
    }
    return ABUT_OK;
}

static AbutCastSkipFn* skip_of(AbutCastMethod method)
{
    static AbutCastSkipFn* const skips[ABUT_CAST_METHOD_COUNT] = {
        [ABUT_CAST_SPHERE_TRACING] = abut_cast_skip_distance,
        [ABUT_CAST_PYRAMID] = abut_cast_skip_pyramid,
        [ABUT_CAST_CELLS] = abut_cast_skip_none,
    };
    return skips[method];
}

// -----------------------------------------------------------------------------------------------------------
// First crossings
// -----------------------------------------------------------------------------------------------------------

typedef struct FirstJob
{
    const AbutShape* shape;
    const AbutCastSettings* settings;
    AbutCastField field;
    AbutSegments segments;
    size_t count;
    AbutCastHits out;
} FirstJob;

static AbutPoints points_from(AbutPoints points, size_t first)
{
    return (AbutPoints){ points.x + first, points.y + first, points.z + first };
}

static void first_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FirstJob* job = context;
    size_t begin = (size_t)block * BLOCK, left = job->count - begin, count = left < BLOCK ? left : BLOCK;
    AbutSegments chunk = { points_from(job->segments.from, begin), points_from(job->segments.to, begin) };
    AbutCastHits out = { job->out.time + begin, job->out.state + begin };
    if (!abut_shape_is_field(job->shape))
    {
        abut_cast_shape_batch(job->shape, job->settings, chunk, count, out);
        return;
    }
    if (job->settings->method == ABUT_CAST_SPHERE_TRACING && job->field.field->octree.leaves != NULL)
    {
        abut_cast_field_batch(&job->field, chunk, count, out);
        return;
    }
    for (size_t i = 0; i < count; ++i)
    {
        abut_cast_first(&job->field, skip_of(job->settings->method), chunk, i, out);
    }
}

AbutResult abut_cast_segments(const AbutShape* shape, const AbutCastSettings* settings, AbutSegments segments,
                              size_t count, AbutCastHits out)
{
    ABUT_FP_CALL(abut_cast_segments, shape, settings, segments, count, out);
    AbutResult result = abut_cast_check(settings);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost host = abut_host_resolve(settings->host);
    FirstJob job = { .shape = shape, .settings = settings, .segments = segments, .count = count, .out = out };
    if (abut_shape_is_field(shape))
    {
        job.field = abut_cast_field(shape, settings->iso);
    }
    if (count > (size_t)UINT32_MAX * BLOCK)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "segments: %zu are too many for one call", count);
    }
    abut_parallel_for(&host, abut_block_count(count, BLOCK), first_block, &job);
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Intervals
// -----------------------------------------------------------------------------------------------------------

/// Joins intervals that touch and stores the first `capacity` of them.
typedef struct IntervalList
{
    AbutTimeInterval* intervals;
    uint32_t capacity, total;
    double begin;          // of the first
    AbutTimeInterval last; // not yet stored
} IntervalList;

static void store_last(IntervalList* list)
{
    if (list->total > 0 && list->total <= list->capacity)
    {
        list->intervals[list->total - 1] = list->last;
    }
}

static bool visit_interval(void* user, double begin, double end)
{
    IntervalList* list = user;
    AbutTimeInterval chunk = { abut_round_down(begin), abut_round_up(end) };
    if (list->total > 0 && chunk.begin <= list->last.end)
    {
        list->last.end = fmaxf(list->last.end, chunk.end);
        return true;
    }
    store_last(list);
    list->begin = list->total == 0 ? begin : list->begin;
    list->last = chunk;
    ++list->total;
    return true;
}

static bool check_segment(AbutVec3 from, AbutVec3 to, const AbutTimeInterval* intervals, uint32_t capacity)
{
    if (intervals == NULL && capacity > 0)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "segments: intervals is NULL, the capacity is %u", capacity);
        return false;
    }
    if (!abut_vec3_is_finite(from) || !abut_vec3_is_finite(to))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "segments: an end of the segment is not finite");
        return false;
    }
    return true;
}

static void conclude(const IntervalList* list, double known, AbutCastOutput* output)
{
    output->interval_total = list->total;
    output->interval_count = list->total < list->capacity ? list->total : list->capacity;
    if (known < 1.0)
    {
        output->state = ABUT_CAST_BUDGET;
        output->time = abut_round_down(known);
        return;
    }
    output->state =
        list->total == 0 ? ABUT_CAST_MISS : (list->begin > 0.0 ? ABUT_CAST_HIT : ABUT_CAST_INSIDE);
    output->time = list->total == 0 ? 1.0f : abut_round_down(list->begin);
}

AbutCastOutput abut_cast_intervals(const AbutShape* shape, const AbutCastSettings* settings, AbutVec3 from,
                                   AbutVec3 to, AbutTimeInterval* intervals, uint32_t capacity)
{
    ABUT_FP_CALL(abut_cast_intervals, shape, settings, from, to, intervals, capacity);
    AbutCastOutput output = { .state = ABUT_CAST_INVALID };
    if (abut_cast_check(settings) != ABUT_OK || !check_segment(from, to, intervals, capacity))
    {
        return output;
    }
    IntervalList list = { .intervals = intervals, .capacity = capacity };
    const AbutCastVisitor visitor = { visit_interval, &list, false };
    double known = 1.0;
    if (abut_shape_is_field(shape))
    {
        AbutCastField field = abut_cast_field(shape, settings->iso);
        AbutCastWalk walk = { .field = &field };
        abut_cast_line_init(&field, from, to, &walk.line);
        abut_cast_follow(&walk, skip_of(settings->method), 0.0, &visitor, &output.steps);
    }
    else
    {
        known = abut_cast_shape_intervals(shape, settings, from, to, &visitor, &output.steps);
    }
    store_last(&list);
    conclude(&list, known, &output);
    return output;
}
