/// @file cell_tracer.h
/// The times at which points are in a field of order 0: their paths from cell to cell, many at once, with the cubic that the field is
/// in each. Other shapes are sampled (root_isolation.h).
#ifndef ABUT_TOI_POINTS_CELL_TRACER_H
#define ABUT_TOI_POINTS_CELL_TRACER_H

#include "toi/points/crossings.h"
#include "toi/points/kernels.h"
#include "toi/points/points.h"

enum
{
    ABUT_TRACE_SPANS = 32 // of a leaf that are prepared once for all of its points
};

_Static_assert(ABUT_TRACE_SPANS* ABUT_TRACE_STARTS <= ABUT_TRACES, "points that start together have room");

/// What is shorter than this, in s, is as short as time has a meaning.
#define ABUT_TRACE_SHORTEST 0x1p-22

/// A span of all points of a sphere: their paths as polynomials whose coefficients are affine maps of the points, in cells, and what holds
/// for all of them.
typedef struct AbutTraceSpan
{
    AbutSpan span;
    double maps[ABUT_TRACE_DEGREE + 1][3][4];
    double way;   // upper bound of |change with s|
    double least; // s of a way out that is less high than the tolerance
    float nudge, per_way, margin, bend;
} AbutTraceSpan;

/// A span of a point, and where it was left when its events were too many.
typedef struct AbutTraceRecord
{
    AbutEvents events;
    double way, least;
    bool is_full; // of events: it goes on when these have been taken, as a piece of these numbers
    float c[ABUT_TRACE_DEGREE + 1][3];
    float nudge, per_way, margin, bend;
    float time, end, side;
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
    AbutTraceSpan spans[ABUT_TRACE_SPANS];
    AbutTraceRecord records[ABUT_TRACES];
    AbutTraces traces;
} AbutTraceRun;

/// False for a side whose points cannot be followed so. The caller adds *run->evaluations to run->budget.
bool abut_traces_init(AbutTraceRun* run, const AbutPointSide* side, AbutKnots* knots, AbutIntervalSink* sink,
                      uint64_t budget);

/// Adds the points of a node, in the order of points. False when the budget is spent: the intervals of points before are in the
/// sink.
bool abut_traces_add(AbutTraceRun* run, const AbutPointNode* node, const AbutWindows* windows);

/// Follows all that were added to their ends, and puts what they found. False when the budget is spent.
bool abut_traces_flush(AbutTraceRun* run);

// ---------------------------------------------------------------------------------------------------------------------
// Parts of it
// ---------------------------------------------------------------------------------------------------------------------

static inline int abut_trace_degree(const AbutTraceRun* run)
{
    return run->straight ? 1 : ABUT_TRACE_DEGREE;
}

/// Prepares as many of the next spans as there is room for, for all points of a node, and says how many.
uint32_t abut_trace_spans_next(AbutTraceRun* run, const AbutPointNode* node, AbutSpans* spans);

/// Finds out how a piece goes on that may have turned.
void abut_trace_turn(AbutTraceRun* run, size_t i);

#endif
