/// @file closest_pair.h
/// How far the surfaces of two fields are apart, from their octrees.
///
/// Pairs of boxes, one of each octree, that the surfaces may pass through are divided from coarse to fine. A
/// pair is done when it is proved to be no nearer than the nearest points that are known, less the tolerance.
/// Boxes alone prove it for most; small ones are cut down to where nodes let a surface be: no point of it is
/// nearer to a node than the distance that is kept there. So grids need not meet, or be near each other, and
/// nothing but the errors of nodes is lost.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_H

#include "narrow/distance/witness.h"
#include "search/pair.h"

#include <math.h>

/// True when a shape is a field, and something is proved of those that are.
bool abut_closest_pair_applies(const AbutPair* pair);

/// How near each other the bounds are to be.
typedef struct AbutClosestPairGoal
{
    // the lower bound is to be no more than this under the distance of the witness, as far as samples tell...
    float tolerance;
    // ...or than this under its upper bound, whichever is less; nodes may not be good enough for either
    float width;
    uint64_t budget; // numbers and samples to look at; boxes that wait then count as they are
} AbutClosestPairGoal;

/// A pair of points of the surfaces, and a lower bound of the distance of the surfaces, in the pair's unit.
float abut_closest_pair_search(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness);

/// The same for a field and a shape that is none. Its samples take the place of the second octree.
float abut_closest_pair_search_shape(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness);

/// What the lower bound is to be.
static inline float abut_closest_pair_limit(const AbutClosestPairGoal* goal, const AbutWitness* witness)
{
    return fminf((float)witness->distance - goal->tolerance, (float)witness->high - goal->width);
}

#endif
