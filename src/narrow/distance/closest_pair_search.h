/// @file closest_pair_search.h
/// The state of a search for the gap between two fields (closest_pair.h), and what is done with its smallest
/// boxes.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H

#include "narrow/distance/closest_pair.h"
#include "narrow/distance/kernels.h"
#include "search/octree_side.h"

enum
{
    ABUT_CLOSEST_PAIR_STACK =
        8 * 2 * ABUT_OCTREE_SIDE_LEVELS, // eight parts per level of each octree wait at most
    ABUT_CLOSEST_PAIR_STARTS = 16        // of witnesses that are remembered
};

/// A box of each side. Lengths are in cells of A, here and in all that follows.
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
    float to_a[3][3], to_b[3][3]; // directions
    float shift[3];               // first node of B's grid in A's
    float rounding;
    const AbutClosestPairGoal* goal;
    float limit;    // pairs that are further apart are done
    float low;      // of small ones that are
    float least[8]; // of others, in eight running minima
    AbutWitness best;
    float line[2][3]; // direction from one of its points to the other's, in the frame of each
    float starts[ABUT_CLOSEST_PAIR_STARTS][2]
                [3]; // where witnesses were looked for from, in cells of each side
    uint32_t start_count;
    AbutBoxPair stack[ABUT_CLOSEST_PAIR_STACK];
    uint32_t count;
    uint64_t evaluations;
} AbutClosestPairSearch;

/// A lower bound of how far what is in two boxes is apart, from plates and nodes; infinite when one of them
/// is empty.
float abut_closest_pair_leaf_bound(const AbutClosestPairSearch* self, const AbutBoxPair* boxes);

/// Looks for points of the surfaces that are nearer than those that are known, from where two boxes are; only
/// where none was looked for from nearby unless told to.
void abut_closest_pair_find_witness(AbutClosestPairSearch* self, const AbutBoxPair* boxes, bool again);

#endif
