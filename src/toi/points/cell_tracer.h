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
    ABUT_TRACER_SPANS = 32 // of a leaf that are prepared once for all of its points
};

_Static_assert(ABUT_TRACER_SPANS* ABUT_TRACER_STARTS <= ABUT_TRACER_BATCH,
               "points that start together have room");

/// What is shorter than this, in s, is as short as time has a meaning.
#define ABUT_TRACER_SHORTEST 0x1p-22

/// A span of all points of a sphere: their paths as polynomials whose coefficients are affine maps of the points, in cells, and what holds
/// for all of them.
typedef struct AbutTracerSpan
{
    AbutSpan span;
    AbutDAffine maps[ABUT_TRACER_DEGREE + 1];
    double max_speed; // upper bound of |change with s|
    double least;     // s of a way out that is less high than the tolerance
    float nudge, inverse_speed, margin, curvature;
} AbutTracerSpan;

/// A span of a point, and where it was left when its events were too many.
typedef struct AbutTracerRecord
{
    AbutCrossings crossings;
    double max_speed, least;
    bool is_full; // of events: it goes on when these have been taken, as a piece of these numbers
    float c[ABUT_TRACER_DEGREE + 1][3];
    float nudge, inverse_speed, margin, curvature;
    float time, end, side;
} AbutTracerRecord;

/// Follows points through their windows.
typedef struct AbutCellTracer
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    AbutIntervalWriter* sink;
    uint64_t budget;
    uint64_t* evaluations;
    AbutTracerField field;
    double origin[3], per_length;
    double slope_bound; // at least 1, and at least the slope of the interpolant
    double fine;   // way, in cells, that needs no proof: what it jumps over is less deep than the tolerance
    bool straight; // all paths are
    uint32_t count;
    AbutTracerSpan spans[ABUT_TRACER_SPANS];
    AbutTracerRecord records[ABUT_TRACER_BATCH];
    AbutTracerBatch batch;
} AbutCellTracer;

/// False for a side whose points cannot be followed so. The caller adds *run->evaluations to run->budget.
bool abut_cell_tracer_init(AbutCellTracer* tracer, const AbutToiPointSide* side,
                           AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* sink,
                           uint64_t budget);

/// Adds the points of a node, in the order of points. False when the budget is spent: the intervals of points before are in the
/// sink.
bool abut_cell_tracer_add(AbutCellTracer* tracer, const AbutPointNode* node,
                          const AbutOpenIntervals* open_intervals);

/// Follows all that were added to their ends, and puts what they found. False when the budget is spent.
bool abut_cell_tracer_flush(AbutCellTracer* tracer);

// ---------------------------------------------------------------------------------------------------------------------
// Parts of it
// ---------------------------------------------------------------------------------------------------------------------

static inline int abut_cell_tracer_degree(const AbutCellTracer* tracer)
{
    return tracer->straight ? 1 : ABUT_TRACER_DEGREE;
}

/// Prepares as many of the next spans as there is room for, for all points of a node, and says how many.
uint32_t abut_cell_tracer_next_spans(AbutCellTracer* tracer, const AbutPointNode* node, AbutSpans* spans);

/// Finds out how a piece goes on that may have turned.
void abut_cell_tracer_cross(AbutCellTracer* tracer, size_t i);

#endif
