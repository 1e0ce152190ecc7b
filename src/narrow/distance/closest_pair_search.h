/// @file closest_pair_search.h
/// The state of a search for the gap between two fields (closest_pair.h), and what is done with its smallest boxes.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H

#include "field/bounds/surface_octree.h"
#include "narrow/distance/closest_pair.h"
#include "narrow/distance/kernels.h"

enum
{
    ABUT_OCTREE_SIDE_FINEST = -2, // level of quarters of cells, which are not divided
    ABUT_OCTREE_SIDE_LEVELS =
        ABUT_DISTANCE_OCTREE_LEVELS + ABUT_SURFACE_OCTREE_BRICK - ABUT_OCTREE_SIDE_FINEST + 1,
    ABUT_CLOSEST_PAIR_STACK =
        8 * 2 * ABUT_OCTREE_SIDE_LEVELS, // eight parts per level of each octree wait at most
    ABUT_CLOSEST_PAIR_STARTS = 16        // of witnesses that are remembered
};

typedef struct AbutOctreeSide
{
    AbutSurfaceOctree surface_octree;
    AbutFarNodes nodes;
    float unit; // a cell, in cells of A
    int limits[ABUT_OCTREE_SIDE_LEVELS]
              [2]; // numbers of boxes that hold something, by level from the finest on
} AbutOctreeSide;

/// A box of each side. Lengths are in cells of A, here and in all that follows.
typedef struct AbutBoxPair
{
    AbutSurfaceOctreeBox box[2];
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

/// Fills a side, but for its unit.
void abut_octree_side_init(AbutOctreeSide* self, const AbutPairSide* side);

/// The plate of part `corner` of a box, whose own one `half_space` was: the part's own, or the same as seen from its middle.
void abut_octree_side_half_space(const AbutClosestPairChildren* children, uint32_t corner, float unit,
                                 float half_space[4]);

/// How far what is in a box behind its plate reaches in a direction of unit length, as the plate and, for small boxes, nodes
/// say. −INFINITY when nothing is in it.
float abut_octree_side_support(const AbutOctreeSide* side, const AbutSurfaceOctreeBox* box,
                               const float half_space[4], const float direction[3]);

/// A lower bound of how far what is in two boxes is apart, from plates and nodes; infinite when one of them is empty.
float abut_closest_pair_leaf_bound(const AbutClosestPairSearch* self, const AbutBoxPair* boxes);

/// Looks for points of the surfaces that are nearer than those that are known, from where two boxes are; only where none
/// was looked for from nearby unless told to.
void abut_closest_pair_find_witness(AbutClosestPairSearch* self, const AbutBoxPair* boxes, bool again);

#endif
