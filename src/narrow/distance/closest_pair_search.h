/// @file closest_pair_search.h
/// The state of a closest pair search between two fields (closest_pair.h).
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H

#include "narrow/distance/closest_pair.h"
#include "narrow/distance/kernels.h"
#include "search/octree_side.h"

enum
{
    ABUT_CLOSEST_PAIR_STACK =
        8 * 2 * ABUT_OCTREE_SIDE_LEVELS, // at most eight children per level of each octree
    ABUT_CLOSEST_PAIR_STARTS = 16        // remembered starts of witnesses
};

/// A box of each side. Lengths are in cells of A, here and below.
typedef struct AbutBoxPair
{
    AbutOctreeBox box[2];
    AbutClosestPairBoxes gap;
} AbutBoxPair;

typedef struct AbutClosestPairSearch
{
    AbutPair* pair;
    const AbutClosestPairKernels* kernels;
    AbutOctreeSide sides[2];
    AbutClosestPairRotation rotation;
    float to_a[3][3], to_b[3][3]; // rotations
    float shift[3];               // first node of B's grid in cells of A's
    float rounding;
    const AbutClosestPairGoal* goal;
    float limit;    // pairs with larger bounds are done
    float low;      // least bound of finished leaves
    float least[8]; // running minima of the bounds of other pairs
    AbutWitness best;
    float line[2][3]; // unit vector from one of its points to the other, in the frame of each
    // starts of witnesses, in cells of each side
    float starts[ABUT_CLOSEST_PAIR_STARTS][2][3];
    uint32_t start_count;
    AbutBoxPair stack[ABUT_CLOSEST_PAIR_STACK];
    uint32_t count;
    uint64_t evaluations;
} AbutClosestPairSearch;

#endif
