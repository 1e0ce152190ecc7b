/// @file closest_pair.h
/// Closest pair search: the distance of the surfaces of two fields, from their octrees.
///
/// Pairs of boxes, one of each surface octree, are divided from coarse to fine. A pair is done when its lower
/// bound is over the distance of the best witness less the tolerance. For most pairs the boxes and half
/// spaces suffice; in small boxes nodes restrict the surface: no point of it is nearer to a node than the
/// distance stored there. The grids need not overlap, or be near each other, and the bounds lose only the
/// errors of nodes.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_H

#include "narrow/distance/witness.h"
#include "search/pair.h"

#include <math.h>

/// True when at least one shape is a field, and all fields have proved bounds.
bool abut_closest_pair_applies(const AbutPair* pair);

/// Required accuracy.
typedef struct AbutClosestPairGoal
{
    // largest difference of the lower bound and the distance of the witness by samples...
    float tolerance;
    // ...or of the lower bound and its proved upper bound, whichever is less; nodes may not suffice for
    // either
    float width;
    uint64_t budget; // octree numbers and samples; when it is spent, waiting boxes count with their bounds
} AbutClosestPairGoal;

/// Returns a lower bound of the distance of the surfaces, in the pair's unit, and a witness: a point of each
/// surface.
float abut_closest_pair_search(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness);

/// The lower bound to prove.
static inline float abut_closest_pair_limit(const AbutClosestPairGoal* goal, const AbutWitness* witness)
{
    return fminf((float)witness->distance - goal->tolerance, (float)witness->high - goal->width);
}

#endif
