/// @file lanes.h
/// The times at which points are in a solid: many points at once, each along its own path.
#ifndef ABUT_SWEEP_LANES_H
#define ABUT_SWEEP_LANES_H

#include "sweep/knots.h"
#include "sweep/points.h"

enum
{
    ABUT_LANE_INTERVALS = 6
};

/// A point and the parts of the time (slots, the first in the lowest bit) in which it is known to be inside, and in which it is
/// not known. In the others it is outside.
typedef struct AbutLaneTask
{
    uint32_t point;
    uint32_t inside, open;
} AbutLaneTask;

/// Where intervals go, in order of points and times.
typedef struct AbutIntervalSink
{
    AbutPointInterval* intervals;
    int capacity, count, total;
    uint8_t side;
    bool has_last; // an interval of this side has been put
    AbutPointInterval last;
} AbutIntervalSink;

/// Adds an interval, merged with the last where they meet.
void abut_sink_put(AbutIntervalSink* sink, uint32_t point, float begin, float end);

typedef struct AbutLaneRun
{
    const AbutPointSide* side;
    AbutKnots* knots;
    AbutIntervalSink* sink;
    uint64_t budget;
    uint64_t* evaluations;
} AbutLaneRun;

/// Follows up to ABUT_SWEEP_BATCH points. False when the budget is spent: nothing of them was put then.
bool abut_lanes_run(const AbutLaneRun* run, const AbutLaneTask* tasks, uint32_t count);

#endif
