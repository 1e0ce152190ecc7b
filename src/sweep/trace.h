/// @file trace.h
/// The times at which points are in a field of order 0: their paths from cell to cell, many at once, with the cubic that the field is
/// in each. Other shapes are sampled (lanes.h).
#ifndef ABUT_SWEEP_TRACE_H
#define ABUT_SWEEP_TRACE_H

#include "simd/trace_kernels.h"
#include "sweep/events.h"
#include "sweep/points.h"

/// A span of a point, and where it was left when its events were too many.
typedef struct AbutTraceRecord
{
    AbutPiece path; // in cells
    AbutEvents events;
    float time, side;
    bool is_full; // of events: it goes on when these have been taken
} AbutTraceRecord;

/// Follows points through their windows.
typedef struct AbutTraceRun
{
    const AbutPointSide* side;
    AbutKnots* knots;
    AbutIntervalSink* sink;
    uint64_t budget;
    uint64_t* evaluations;
    AbutTraceField field;
    double origin[3], per_length;
    double steep;  // at least 1, and at least the slope of the interpolant
    double fine;   // way, in cells, that needs no proof: what it jumps over is less deep than the tolerance
    bool straight; // all paths are
    uint32_t count;
    AbutTraceRecord records[ABUT_TRACES];
    AbutTraces traces;
} AbutTraceRun;

/// False for a side whose points cannot be followed so. The caller adds *run->evaluations to run->budget.
bool abut_traces_init(AbutTraceRun* run, const AbutPointSide* side, AbutKnots* knots, AbutIntervalSink* sink,
                      uint64_t budget);

/// Adds a point, in the order of points. False when the budget is spent: the intervals of points before are in the sink.
bool abut_traces_add(AbutTraceRun* run, uint32_t point, const AbutWindows* windows);

/// Follows all that were added to their ends, and puts what they found. False when the budget is spent.
bool abut_traces_flush(AbutTraceRun* run);

#endif
