/// @file crossings.h
/// Spans of the trajectories of points, the crossings of the surface in a span, and the contact intervals
/// made of them.
#ifndef ABUT_TOI_POINTS_CROSSINGS_H
#define ABUT_TOI_POINTS_CROSSINGS_H

#include <abut/toi.h>

#include "toi/points/trajectory_samples.h"

enum
{
    ABUT_OPEN_INTERVALS_MAX = 6, // of a sphere
    ABUT_CROSSINGS_MAX = 8       // of a span, until they are flushed
};

/// Open intervals of a sphere, in ticks, in which the side of its points is not known. Before interval k, and
/// after the last, all points of the sphere are outside, or inside where bit k is set.
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

// -----------------------------------------------------------------------------------------------------------
// Intervals
// -----------------------------------------------------------------------------------------------------------

/// Output of contact intervals, in order of sides, points and times.
typedef struct AbutIntervalWriter
{
    AbutPointInterval* intervals;
    uint32_t capacity, count, total;
    uint8_t side;
    bool has_last;                 // an interval of this side has been written
    double earliest;               // all points are outside before
    AbutPointInterval last, first; // the latest interval, and the one with the earliest begin

    // The present point.
    uint32_t point;
    bool is_inside;
    double begin; // of the present interval
} AbutIntervalWriter;

/// Adds an interval, merged with the last one where they touch.
void abut_interval_writer_put(AbutIntervalWriter* writer, uint32_t point, float begin, float end);

/// Starts the next point, outside.
static inline void abut_interval_writer_start(AbutIntervalWriter* writer, uint32_t point)
{
    writer->point = point;
    writer->is_inside = false;
}

/// The point is inside, or outside, from a time on.
static inline void abut_interval_writer_cross(AbutIntervalWriter* writer, bool is_inside, double time)
{
    if (is_inside && !writer->is_inside)
    {
        writer->begin = time > writer->earliest ? time : writer->earliest;
    }
    else if (!is_inside && writer->is_inside)
    {
        abut_interval_writer_put(writer, writer->point, (float)writer->begin, (float)time);
    }
    writer->is_inside = is_inside;
}

// -----------------------------------------------------------------------------------------------------------
// Spans
// -----------------------------------------------------------------------------------------------------------

enum
{
    ABUT_NOT_KNOWN = 2 // beside outside, 0, and inside, 1
};

/// A span of the time of a point, in ticks: of one quintic in an open interval, or before the first open
/// interval.
typedef struct AbutSpan
{
    double begin, end;
    bool is_open;          // in an open interval
    uint8_t known;         // flags of crossings.c: known sides at the ends, first and last span of the point
    uint8_t before, after; // inside at its begin and at its end, or ABUT_NOT_KNOWN
} AbutSpan;

/// The spans of a point, in order.
typedef struct AbutSpans
{
    const AbutOpenIntervals* open_intervals;
    double span_ticks; // largest length of a span in an open interval
    double next;       // begin of the next span in its open interval
    uint32_t open_interval;
    bool has_begun;
} AbutSpans;

static inline AbutSpans abut_spans(const AbutOpenIntervals* open_intervals, double span_ticks)
{
    return (AbutSpans){ .open_intervals = open_intervals, .span_ticks = span_ticks };
}

/// False when there is none left.
bool abut_spans_next(AbutSpans* spans, AbutSpan* out);

// -----------------------------------------------------------------------------------------------------------
// Crossings
// -----------------------------------------------------------------------------------------------------------

/// Crossings of the surface in a span, in order.
typedef struct AbutCrossings
{
    double begin, length; // of the span, in ticks
    uint32_t point;
    uint8_t known, count;
    uint8_t inside[ABUT_CROSSINGS_MAX]; // after the crossing
    double at[ABUT_CROSSINGS_MAX];      // as a fraction of the span
} AbutCrossings;

void abut_crossings_init(AbutCrossings* crossings, uint32_t point, const AbutSpan* span);

/// The point is inside, or outside, from s on. `least`: a shorter interval outside, in s, is ignored.
void abut_crossings_put(AbutCrossings* crossings, bool is_inside, double s, double least);

/// True when two more fit.
static inline bool abut_crossings_have_capacity(const AbutCrossings* crossings)
{
    return crossings->count + 2 <= ABUT_CROSSINGS_MAX;
}

/// Write the crossings in this order, for all spans of all points: start, flushes, end.
void abut_crossings_start(const AbutCrossings* crossings, AbutIntervalWriter* writer);
void abut_crossings_flush(AbutCrossings* crossings, AbutIntervalWriter* writer);
void abut_crossings_end(const AbutCrossings* crossings, AbutIntervalWriter* writer);

#endif
