/// @file root_isolation.h
/// Crossings of points with the surface of a shape, from samples: many spans at once.
#ifndef ABUT_TOI_POINTS_ROOT_ISOLATION_H
#define ABUT_TOI_POINTS_ROOT_ISOLATION_H

#include "toi/points/crossings.h"
#include "toi/points/points.h"

enum
{
    ABUT_ROOT_SEARCH_DEPTH = 16 // stored samples ahead of the present one
};

/// A sample at s, with its sign proved within `safe_radius` of its position.
typedef struct AbutRootSample
{
    double s, f, safe_radius;
} AbutRootSample;

/// A span of the trajectory of a point. Samples divide it, from the left to the right, until the gap between
/// two of them is proved or short; then a change of sign between them is bracketed.
typedef struct AbutRootSearch
{
    AbutQuintic path;
    AbutCrossings crossings;
    uint8_t phase;
    uint8_t after; // inside at the end, or ABUT_NOT_KNOWN
    uint8_t depth;
    uint32_t samples;
    double next; // s of the next sample
    // As AbutRootIsolation.fine, or larger after many samples: shorter gaps without proof then count as
    // inside.
    double fine;
    double low, high, f_low, f_high; // a bracket
    double outer;                    // the sample at its outer end
    int iterations, last_side;
    AbutRootSample left, ahead[ABUT_ROOT_SEARCH_DEPTH]; // the last one is the next in time
} AbutRootSearch;

/// Searches of many points in their open intervals.
typedef struct AbutRootIsolation
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples* trajectory_samples;
    AbutIntervalWriter* writer;
    uint64_t budget;
    uint64_t* evaluations;
    double fine;     // displacement without proof: a penetration in it is less deep than the tolerance
    double coarsest; // the longest gap that counted as inside without proof
    // Samples of a search after which its steps are wider: gaps without proof then count as inside.
    uint32_t sample_limit;
    uint32_t count;
    AbutRootSearch searches[ABUT_TOI_POINT_BATCH];
} AbutRootIsolation;

/// @param budget number of samples. The caller adds *isolation->evaluations to isolation->budget.
void abut_root_isolation_init(AbutRootIsolation* isolation, const AbutToiPointSide* side,
                              AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* writer,
                              uint64_t budget);

/// Adds a point, in the order of points. False when the budget is spent: the intervals of earlier points are
/// written.
bool abut_root_isolation_add(AbutRootIsolation* isolation, uint32_t point,
                             const AbutOpenIntervals* open_intervals);

/// Completes all searches and writes their crossings. False when the budget is spent.
bool abut_root_isolation_flush(AbutRootIsolation* isolation);

#endif
