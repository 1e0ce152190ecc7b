/// @file closest_pair_search.h
/// The state of a search for the gap between two fields (closest_pair.h), and what is done with its smallest boxes.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SEARCH_H

#include "field/bounds/surface_octree.h"
#include "narrow/distance/closest_pair.h"
#include "narrow/distance/kernels.h"

enum
{
    ABUT_GAP_FINEST = -2, // level of quarters of cells, which are not divided
    ABUT_GAP_LEVELS = ABUT_CENTER_LEVELS + ABUT_SHELL_BRICK - ABUT_GAP_FINEST + 1,
    ABUT_GAP_STACK = 8 * 2 * ABUT_GAP_LEVELS, // eight parts per level of each octree wait at most
    ABUT_GAP_STARTS = 16                      // of witnesses that are remembered
};

typedef struct AbutGapSide
{
    AbutShell shell;
    AbutFarField nodes;
    float unit;                     // a cell, in cells of A
    int limits[ABUT_GAP_LEVELS][2]; // numbers of boxes that hold something, by level from the finest on
} AbutGapSide;

/// A box of each side. Lengths are in cells of A, here and in all that follows.
typedef struct AbutBoxPair
{
    AbutShellBox box[2];
    AbutGapBoxes gap;
} AbutBoxPair;

typedef struct AbutGapSearch
{
    AbutPair* pair;
    const AbutClosestPairKernels* kernels;
    AbutGapSide sides[2];
    AbutGapTurn turn;
    float to_a[3][3], to_b[3][3]; // directions
    float shift[3];               // first node of B's grid in A's
    float rounding;
    const AbutGapWish* wish;
    float limit;    // pairs that are further apart are done
    float low;      // of small ones that are
    float least[8]; // of others, in eight running minima
    AbutWitness best;
    float line[2][3]; // direction from one of its points to the other's, in the frame of each
    float starts[ABUT_GAP_STARTS][2][3]; // where witnesses were looked for from, in cells of each side
    uint32_t start_count;
    AbutBoxPair stack[ABUT_GAP_STACK];
    uint32_t count;
    uint64_t looked_at;
} AbutGapSearch;

/// Fills a side, but for its unit.
void abut_gap_side_init(AbutGapSide* self, const AbutPairSide* side);

/// The plate of part `corner` of a box, whose own one `plate` was: the part's own, or the same as seen from its middle.
void abut_gap_take_plate(const AbutGapParts* parts, uint32_t corner, float unit, float plate[4]);

/// How far what is in a box behind its plate reaches in a direction of unit length, as the plate and, for small boxes, nodes
/// say. −INFINITY when nothing is in it.
float abut_gap_reach(const AbutGapSide* side, const AbutShellBox* box, const float plate[4],
                     const float direction[3]);

/// A lower bound of how far what is in two boxes is apart, from plates and nodes; infinite when one of them is empty.
float abut_gap_low_of_small(const AbutGapSearch* self, const AbutBoxPair* boxes);

/// Looks for points of the surfaces that are nearer than those that are known, from where two boxes are; only where none
/// was looked for from nearby unless told to.
void abut_gap_look_for_witness(AbutGapSearch* self, const AbutBoxPair* boxes, bool again);

#endif
