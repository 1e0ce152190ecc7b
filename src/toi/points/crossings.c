#include "toi/points/crossings.h"

#include <math.h>

enum
{
    STARTS_POINT = 1,
    INSIDE_BEFORE = 2, // what the point starts with
    ENDS_WINDOW = 4,
    INSIDE_AFTER = 8, // that window
    ENDS_POINT = 16
};

// ---------------------------------------------------------------------------------------------------------------------
// Spans
// ---------------------------------------------------------------------------------------------------------------------

/// Nothing is to be found out before the first window.
static void span_before(const AbutWindows* windows, AbutSpan* out)
{
    bool is_all = windows->count == 0;
    *out = (AbutSpan){ .end = is_all ? ABUT_KNOT_TICKS : windows->begin[0] };
    out->known = (uint8_t)(STARTS_POINT | (abut_windows_inside(windows, 0) ? INSIDE_BEFORE : 0) |
                           (is_all ? ENDS_POINT : 0));
}

static void end_window(const AbutSpans* spans, AbutSpan* out)
{
    const AbutWindows* windows = spans->windows;
    uint32_t after = spans->window + 1;
    if (out->end < ABUT_KNOT_TICKS)
    {
        bool is_inside = abut_windows_inside(windows, after);
        out->after = is_inside ? 1 : 0;
        out->known |= (uint8_t)(ENDS_WINDOW | (is_inside ? INSIDE_AFTER : 0));
    }
    out->known |= after == windows->count ? ENDS_POINT : 0;
}

bool abut_spans_next(AbutSpans* spans, AbutSpan* out)
{
    const AbutWindows* windows = spans->windows;
    bool is_first = !spans->has_begun;
    spans->has_begun = true;
    if (is_first && (windows->count == 0 || windows->begin[0] > 0))
    {
        span_before(windows, out);
        return true;
    }
    if (spans->window >= windows->count)
    {
        return false;
    }
    double begin = windows->begin[spans->window], end = windows->end[spans->window];
    bool starts_window = spans->next <= begin;
    *out = (AbutSpan){ .begin = starts_window ? begin : spans->next,
                       .is_open = true,
                       .known = (uint8_t)(is_first ? STARTS_POINT : 0),
                       .before = ABUT_NOT_KNOWN,
                       .after = ABUT_NOT_KNOWN };
    if (starts_window && begin > 0.0)
    {
        out->before = abut_windows_inside(windows, spans->window) ? 1 : 0;
    }
    out->end = out->begin + spans->piece;
    spans->next = out->end;
    if (end - out->end <= 1e-9 * spans->piece)
    {
        out->end = end;
        end_window(spans, out);
        spans->window += 1;
        spans->next = 0.0;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------------------------

void abut_events_init(AbutEvents* events, uint32_t point, const AbutSpan* span)
{
    events->begin = span->begin;
    events->length = span->end - span->begin;
    events->point = point;
    events->known = span->known;
    events->count = 0;
}

void abut_events_put(AbutEvents* events, bool is_inside, double s, double least)
{
    uint32_t n = events->count;
    if (is_inside && n >= 2 && events->inside[n - 1] == 0 && s - events->at[n - 1] <= least)
    {
        events->count -= 1;
        return;
    }
    events->at[n] = s;
    events->inside[n] = is_inside ? 1 : 0;
    events->count += 1;
}

void abut_events_start(const AbutEvents* events, AbutIntervalSink* sink)
{
    if ((events->known & STARTS_POINT) != 0)
    {
        abut_sink_start(sink, events->point);
        abut_sink_turn(sink, (events->known & INSIDE_BEFORE) != 0, 0.0);
    }
}

void abut_events_turn(AbutEvents* events, AbutIntervalSink* sink)
{
    for (uint32_t i = 0; i < events->count; ++i)
    {
        double tick = events->begin + events->at[i] * events->length;
        abut_sink_turn(sink, events->inside[i] != 0, tick / ABUT_KNOT_TICKS);
    }
    events->count = 0;
}

void abut_events_end(const AbutEvents* events, AbutIntervalSink* sink)
{
    if ((events->known & ENDS_WINDOW) != 0)
    {
        abut_sink_turn(sink, (events->known & INSIDE_AFTER) != 0,
                       (events->begin + events->length) / ABUT_KNOT_TICKS);
    }
    if ((events->known & ENDS_POINT) != 0)
    {
        abut_sink_turn(sink, false, 1.0);
    }
}
