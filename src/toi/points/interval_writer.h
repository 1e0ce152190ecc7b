/// @file interval_writer.h
/// Where contact intervals go, in order of sides, points and times.
#ifndef ABUT_TOI_POINTS_INTERVAL_WRITER_H
#define ABUT_TOI_POINTS_INTERVAL_WRITER_H

#include <abut/toi.h>

typedef struct AbutIntervalWriter
{
    AbutPointInterval* intervals;
    uint32_t capacity, count, total;
    uint8_t side;
    bool has_last;                 // an interval of this side has been put
    double earliest;               // nothing is inside before
    AbutPointInterval last, first; // the latest, and that which begins first of all

    // The point that is under way.
    uint32_t point;
    bool is_inside;
    double begin; // since then
} AbutIntervalWriter;

/// Adds an interval, merged with the last where they meet.
void abut_interval_writer_put(AbutIntervalWriter* sink, uint32_t point, float begin, float end);

/// The next point begins; it is outside.
static inline void abut_interval_writer_start(AbutIntervalWriter* sink, uint32_t point)
{
    sink->point = point;
    sink->is_inside = false;
}

/// From a time on the point is inside, or outside.
static inline void abut_interval_writer_cross(AbutIntervalWriter* sink, bool is_inside, double time)
{
    if (is_inside && !sink->is_inside)
    {
        sink->begin = time > sink->earliest ? time : sink->earliest;
    }
    else if (!is_inside && sink->is_inside)
    {
        abut_interval_writer_put(sink, sink->point, (float)sink->begin, (float)time);
    }
    sink->is_inside = is_inside;
}

#endif
