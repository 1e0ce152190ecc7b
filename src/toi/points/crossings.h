/// @file crossings.h
/// Pieces of the paths of points, and what is found out about them: when a point comes into a solid and when it leaves it.
#ifndef ABUT_TOI_POINTS_CROSSINGS_H
#define ABUT_TOI_POINTS_CROSSINGS_H

#include "toi/points/interval_writer.h"
#include "toi/points/trajectory_samples.h"

enum
{
    ABUT_OPEN_INTERVALS_MAX = 6, // of a sphere, at most
    ABUT_CROSSINGS_MAX = 8       // that a piece has room for
};

/// What is known of a sphere and of all points in it: windows of the time, in ticks, in which it is open where they are. Before window
/// k, and after the last, all of them are outside, or inside where bit k is set.
typedef struct AbutOpenIntervals
{
    uint8_t count;
    uint8_t inside;
    uint16_t begin[ABUT_OPEN_INTERVALS_MAX], end[ABUT_OPEN_INTERVALS_MAX];
} AbutOpenIntervals;

static inline bool abut_open_intervals_inside(const AbutOpenIntervals* open_intervals, uint32_t k)
{
    return (open_intervals->inside >> k & 1u) != 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Spans
// ---------------------------------------------------------------------------------------------------------------------

enum
{
    ABUT_NOT_KNOWN = 2 // beside outside, 0, and inside, 1
};

/// A part of the time of a point, in ticks: a piece of its path in a window, or what is before the first window.
typedef struct AbutSpan
{
    double begin, end;
    bool is_open;          // in a window
    uint8_t known;         // bits for the events of the span
    uint8_t before, after; // inside at its begin and at its end, or ABUT_NOT_KNOWN
} AbutSpan;

/// The spans of a point, in order.
typedef struct AbutSpans
{
    const AbutOpenIntervals* open_intervals;
    double span_ticks; // ticks that a span in a window may be long
    double next;       // where the next one begins, in its window
    uint32_t open_interval;
    bool has_begun;
} AbutSpans;

static inline AbutSpans abut_spans(const AbutOpenIntervals* open_intervals, double span_ticks)
{
    return (AbutSpans){ .open_intervals = open_intervals, .span_ticks = span_ticks };
}

/// False when there is none left.
bool abut_spans_next(AbutSpans* spans, AbutSpan* out);

// ---------------------------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------------------------

/// What was found out about a span, in order.
typedef struct AbutCrossings
{
    double begin, length; // of the span, in ticks
    uint32_t point;
    uint8_t known, count;
    uint8_t inside[ABUT_CROSSINGS_MAX]; // from there on
    double at[ABUT_CROSSINGS_MAX];      // as a part of the span
} AbutCrossings;

void abut_crossings_init(AbutCrossings* crossings, uint32_t point, const AbutSpan* span);

/// From s on the point is inside, or outside. `least`: a way out that is shorter, in s, is none.
void abut_crossings_put(AbutCrossings* crossings, bool is_inside, double s, double least);

/// Is there room for two more?
static inline bool abut_crossings_have_capacity(const AbutCrossings* crossings)
{
    return crossings->count + 2 <= ABUT_CROSSINGS_MAX;
}

/// Hands them to the sink in this order, for all spans of all points: start, whatever turns, end.
void abut_crossings_start(const AbutCrossings* crossings, AbutIntervalWriter* sink);
void abut_crossings_flush(AbutCrossings* crossings, AbutIntervalWriter* sink);
void abut_crossings_end(const AbutCrossings* crossings, AbutIntervalWriter* sink);

#endif
