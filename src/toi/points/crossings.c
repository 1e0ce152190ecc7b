// Spans of a point in its open intervals, crossings of a span, and the intervals inside.
#include "toi/points/crossings.h"

#include "base/assert.h"

#include <math.h>

enum
{
    STARTS_POINT = 1,
    INSIDE_BEFORE = 2, // the first open interval of the point
    ENDS_OPEN_INTERVAL = 4,
    INSIDE_AFTER = 8, // that interval
    ENDS_POINT = 16
};

// -----------------------------------------------------------------------------------------------------------
// Spans
// -----------------------------------------------------------------------------------------------------------

/// The span before the first open interval, without crossings.
static void span_before(const AbutOpenIntervals* open_intervals, AbutSpan* out)
{
    bool is_all = open_intervals->count == 0;
    *out = (AbutSpan){ .end = is_all ? ABUT_TRAJECTORY_TICKS : open_intervals->begin[0] };
    out->known =
        (uint8_t)(STARTS_POINT | (abut_open_intervals_inside(open_intervals, 0) ? INSIDE_BEFORE : 0) |
                  (is_all ? ENDS_POINT : 0));
}

static void end_open_interval(const AbutSpans* spans, AbutSpan* out)
{
    const AbutOpenIntervals* open_intervals = spans->open_intervals;
    uint32_t after = spans->open_interval + 1;
    if (out->end < ABUT_TRAJECTORY_TICKS)
    {
        bool is_inside = abut_open_intervals_inside(open_intervals, after);
        out->after = is_inside ? 1 : 0;
        out->known |= (uint8_t)(ENDS_OPEN_INTERVAL | (is_inside ? INSIDE_AFTER : 0));
    }
    out->known |= after == open_intervals->count ? ENDS_POINT : 0;
}

bool abut_spans_next(AbutSpans* spans, AbutSpan* out)
{
    const AbutOpenIntervals* open_intervals = spans->open_intervals;
    ABUT_ASSERT(open_intervals->count <= ABUT_OPEN_INTERVALS_MAX && spans->span_ticks > 0.0);
    bool is_first = !spans->has_begun;
    spans->has_begun = true;
    if (is_first && (open_intervals->count == 0 || open_intervals->begin[0] > 0))
    {
        span_before(open_intervals, out);
        return true;
    }
    if (spans->open_interval >= open_intervals->count)
    {
        return false;
    }
    double begin = open_intervals->begin[spans->open_interval],
           end = open_intervals->end[spans->open_interval];
    bool starts_open_interval = spans->next <= begin;
    *out = (AbutSpan){ .begin = starts_open_interval ? begin : spans->next,
                       .is_open = true,
                       .known = (uint8_t)(is_first ? STARTS_POINT : 0),
                       .before = ABUT_NOT_KNOWN,
                       .after = ABUT_NOT_KNOWN };
    if (starts_open_interval && begin > 0.0)
    {
        out->before = abut_open_intervals_inside(open_intervals, spans->open_interval) ? 1 : 0;
    }
    out->end = out->begin + spans->span_ticks;
    spans->next = out->end;
    if (end - out->end <= 1e-9 * spans->span_ticks)
    {
        out->end = end;
        end_open_interval(spans, out);
        spans->open_interval += 1;
        spans->next = 0.0;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Crossings
// -----------------------------------------------------------------------------------------------------------

void abut_crossings_init(AbutCrossings* crossings, uint32_t point, const AbutSpan* span)
{
    crossings->begin = span->begin;
    crossings->length = span->end - span->begin;
    crossings->point = point;
    crossings->known = span->known;
    crossings->count = 0;
}

void abut_crossings_put(AbutCrossings* crossings, bool is_inside, double s, double least)
{
    uint32_t n = crossings->count;
    if (is_inside && n >= 2 && crossings->inside[n - 1] == 0 && s - crossings->at[n - 1] <= least)
    {
        crossings->count -= 1;
        return;
    }
    ABUT_ASSERT(n < ABUT_CROSSINGS_MAX);
    crossings->at[n] = s;
    crossings->inside[n] = is_inside ? 1 : 0;
    crossings->count += 1;
}

void abut_crossings_start(const AbutCrossings* crossings, AbutIntervalWriter* writer)
{
    if ((crossings->known & STARTS_POINT) != 0)
    {
        abut_interval_writer_start(writer, crossings->point);
        abut_interval_writer_cross(writer, (crossings->known & INSIDE_BEFORE) != 0, 0.0);
    }
}

void abut_crossings_flush(AbutCrossings* crossings, AbutIntervalWriter* writer)
{
    for (uint32_t i = 0; i < crossings->count; ++i)
    {
        double tick = crossings->begin + crossings->at[i] * crossings->length;
        abut_interval_writer_cross(writer, crossings->inside[i] != 0, tick / ABUT_TRAJECTORY_TICKS);
    }
    crossings->count = 0;
}

void abut_crossings_end(const AbutCrossings* crossings, AbutIntervalWriter* writer)
{
    if ((crossings->known & ENDS_OPEN_INTERVAL) != 0)
    {
        abut_interval_writer_cross(writer, (crossings->known & INSIDE_AFTER) != 0,
                                   (crossings->begin + crossings->length) / ABUT_TRAJECTORY_TICKS);
    }
    if ((crossings->known & ENDS_POINT) != 0)
    {
        abut_interval_writer_cross(writer, false, 1.0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Intervals
// -----------------------------------------------------------------------------------------------------------

void abut_interval_writer_put(AbutIntervalWriter* writer, uint32_t point, float begin, float end)
{
    AbutPointInterval* last = &writer->last;
    if (writer->has_last && last->point == point && begin <= last->times.end)
    {
        last->times.end = last->times.end > end ? last->times.end : end;
        if (writer->total <= writer->capacity)
        {
            writer->intervals[writer->count - 1] = *last;
        }
        return;
    }
    *last = (AbutPointInterval){ point, writer->side, { begin, end } };
    writer->has_last = true;
    writer->first = writer->total == 0 || begin < writer->first.times.begin ? *last : writer->first;
    if (writer->count < writer->capacity)
    {
        writer->intervals[writer->count++] = *last;
    }
    writer->total += writer->total < UINT32_MAX ? 1 : 0;
}
