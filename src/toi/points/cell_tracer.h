/// @file cell_tracer.h
/// Crossings of points with the surface of a field of order 0: their trajectories from cell to cell, many at
/// once, with the cubic of the field in each cell. Other shapes are sampled (root_isolation.h).
#ifndef ABUT_TOI_POINTS_CELL_TRACER_H
#define ABUT_TOI_POINTS_CELL_TRACER_H

#include "toi/points/crossings.h"
#include "toi/points/kernels.h"
#include "toi/points/points.h"

enum
{
    ABUT_TRACER_SPANS = 32 // of a leaf, prepared once for all of its points
};

_Static_assert(ABUT_TRACER_SPANS* ABUT_TRACER_STARTS <= ABUT_TRACER_BATCH,
               "all spans of points that start together fit");

/// Resolution of s.
#define ABUT_TRACER_SHORTEST 0x1p-22

/// A span of all points of a sphere: their trajectories as polynomials whose coefficients are affine maps of
/// the points, in cells, and bounds of all of them.
typedef struct AbutTracerSpan
{
    AbutSpan span;
    AbutDAffine maps[ABUT_TRACER_DEGREE + 1];
    double max_speed; // upper bound of |d/ds|
    double least;     // length in s of an interval outside that is less high than the tolerance
    float nudge, inverse_speed, margin, curvature;
} AbutTracerSpan;

/// A span of a point, and its state when its crossings are full.
typedef struct AbutTracerRecord
{
    AbutCrossings crossings;
    double max_speed, least;
    bool is_full; // of crossings: it goes on with the state below when they are flushed
    AbutVec3 c[ABUT_TRACER_DEGREE + 1];
    float nudge, inverse_speed, margin, curvature;
    float time, end, side;
} AbutTracerRecord;

/// Points in their open intervals.
typedef struct AbutCellTracer
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    AbutIntervalWriter* writer;
    uint64_t budget;
    uint64_t* evaluations;
    AbutTracerField field;
    double origin[3], per_length;
    double slope_bound; // at least 1, and at least the slope of the interpolant
    double fine;   // displacement in cells without proof: a penetration in it is less deep than the tolerance
    bool straight; // all trajectories are straight
    uint32_t count;
    AbutTracerSpan spans[ABUT_TRACER_SPANS];
    AbutTracerRecord records[ABUT_TRACER_BATCH];
    AbutTracerBatch batch;
} AbutCellTracer;

/// False for a side that needs root_isolation.h. The caller adds *tracer->evaluations to tracer->budget.
bool abut_cell_tracer_init(AbutCellTracer* tracer, const AbutToiPointSide* side,
                           AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* writer,
                           uint64_t budget);

/// Adds the points of a node, in the order of points. False when the budget is spent: the intervals of
/// earlier points are written.
bool abut_cell_tracer_add(AbutCellTracer* tracer, const AbutPointNode* node,
                          const AbutOpenIntervals* open_intervals);

/// Completes all spans and writes their crossings. False when the budget is spent.
bool abut_cell_tracer_flush(AbutCellTracer* tracer);

// -----------------------------------------------------------------------------------------------------------
// Internal
// -----------------------------------------------------------------------------------------------------------

static inline int abut_cell_tracer_degree(const AbutCellTracer* tracer)
{
    return tracer->straight ? 1 : ABUT_TRACER_DEGREE;
}

/// Prepares the next spans of all points of a node, up to ABUT_TRACER_SPANS; returns their number.
uint32_t abut_cell_tracer_next_spans(AbutCellTracer* tracer, const AbutPointNode* node, AbutSpans* spans);

/// Continues a span after a step with a possible crossing.
void abut_cell_tracer_cross(AbutCellTracer* tracer, size_t i);

#endif
