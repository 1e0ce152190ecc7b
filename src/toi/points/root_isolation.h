/// @file root_isolation.h
/// The times at which points are in a solid: many pieces of the paths of points at once.
#ifndef ABUT_TOI_POINTS_ROOT_ISOLATION_H
#define ABUT_TOI_POINTS_ROOT_ISOLATION_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

enum
{
    ABUT_ROOT_SEARCH_DEPTH = 16 // samples ahead that a lane remembers
};

/// A sample at s, which is proved to keep its sign for a way of `safe_radius`.
typedef struct AbutRootSample
{
    double s, f, safe_radius;
} AbutRootSample;

/// A piece of the path of a point. Samples divide it, from the left to the right, until what is between two of them is proved or is
/// short; then a change of sign between them is narrowed down.
typedef struct AbutRootSearch
{
    AbutQuintic path;
    AbutCrossings crossings;
    uint8_t phase;
    uint8_t after; // inside at the end, or ABUT_NOT_KNOWN
    uint8_t depth;
    uint32_t samples;
    double next; // where the next sample is taken
    double fine; // that of the run; longer: what is not longer and not proved counts as inside
    double low, high, f_low, f_high; // a bracket
    double outer;                    // the sample at its end that is outside
    int iterations, last_side;
    AbutRootSample left, ahead[ABUT_ROOT_SEARCH_DEPTH]; // the last one is the nearest
} AbutRootSearch;

/// Follows points through their windows.
typedef struct AbutRootIsolation
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    AbutIntervalWriter* sink;
    uint64_t budget;
    uint64_t* evaluations;
    double
        fine; // way between samples that needs no proof: what it jumps over is less deep than the tolerance
    double coarsest; // the longest that counted as inside without proof
    uint32_t
        sample_limit; // samples of a lane after which it takes wider steps: what is not proved then counts as inside
    uint32_t count;
    AbutRootSearch searches[ABUT_TOI_POINT_BATCH];
} AbutRootIsolation;

/// `budget`: samples that it may take. The caller adds *run->evaluations to run->budget.
void abut_root_isolation_init(AbutRootIsolation* isolation, const AbutToiPointSide* side,
                              AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* sink,
                              uint64_t budget);

/// Adds a point, in the order of points. False when the budget is spent: the intervals of points before are in the sink.
bool abut_root_isolation_add(AbutRootIsolation* isolation, uint32_t point,
                             const AbutOpenIntervals* open_intervals);

/// Follows all that were added to their ends, and puts what they found. False when the budget is spent.
bool abut_root_isolation_flush(AbutRootIsolation* isolation);

#endif
