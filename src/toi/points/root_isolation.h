/// @file root_isolation.h
/// The times at which points are in a solid: many pieces of the paths of points at once.
#ifndef ABUT_TOI_POINTS_ROOT_ISOLATION_H
#define ABUT_TOI_POINTS_ROOT_ISOLATION_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

enum
{
    ABUT_LANE_DEPTH = 16 // samples ahead that a lane remembers
};

/// A sample at s, which is proved to keep its sign for a way of `reach`.
typedef struct AbutLaneSample
{
    double s, f, reach;
} AbutLaneSample;

/// A piece of the path of a point. Samples divide it, from the left to the right, until what is between two of them is proved or is
/// short; then a change of sign between them is narrowed down.
typedef struct AbutLane
{
    AbutPiece path;
    AbutEvents events;
    uint8_t phase;
    uint8_t after; // inside at the end, or ABUT_NOT_KNOWN
    uint8_t depth;
    uint32_t samples;
    double next; // where the next sample is taken
    double fine; // that of the run; longer: what is not longer and not proved counts as inside
    double low, high, f_low, f_high; // a bracket
    double outer;                    // the sample at its end that is outside
    int rounds, last_side;
    AbutLaneSample left, ahead[ABUT_LANE_DEPTH]; // the last one is the nearest
} AbutLane;

/// Follows points through their windows.
typedef struct AbutLaneRun
{
    const AbutPointSide* side;
    AbutKnots* knots;
    AbutIntervalSink* sink;
    uint64_t budget;
    uint64_t* evaluations;
    double
        fine; // way between samples that needs no proof: what it jumps over is less deep than the tolerance
    double coarsest; // the longest that counted as inside without proof
    uint32_t
        patience; // samples of a lane after which it takes wider steps: what is not proved then counts as inside
    uint32_t count;
    AbutLane lanes[ABUT_SWEEP_BATCH];
} AbutLaneRun;

/// `budget`: samples that it may take. The caller adds *run->evaluations to run->budget.
void abut_lanes_init(AbutLaneRun* run, const AbutPointSide* side, AbutKnots* knots, AbutIntervalSink* sink,
                     uint64_t budget);

/// Adds a point, in the order of points. False when the budget is spent: the intervals of points before are in the sink.
bool abut_lanes_add(AbutLaneRun* run, uint32_t point, const AbutWindows* windows);

/// Follows all that were added to their ends, and puts what they found. False when the budget is spent.
bool abut_lanes_flush(AbutLaneRun* run);

#endif
