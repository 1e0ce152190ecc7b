/// @file dual_octree_kernels.h
/// One step of a search through the octree of one field with the octree of another (field/bounds/distance_octree.h).
#ifndef ABUT_SEARCH_DUAL_OCTREE_KERNELS_H
#define ABUT_SEARCH_DUAL_OCTREE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Two fields A and B. Lengths are in cells of A unless said otherwise.
typedef struct AbutDualOctreePair
{
    float a_step, b_step;           // what a number stands for; the second in cells of B
    float ratio;                    // length of a cell of B
    float rounding;                 // of a place in B, in cells of B
    float inflate;                  // B is taken to be larger by this all round
    float to_b[3][4];               // a point in cells of A's grid to cells of B's
    const int16_t* leaves;          // of B: all numbers
    uint32_t first_brick;           // of B: where those of its level 0 begin
    const uint32_t* slots;          // of B when it is sparse, else NULL
    float cells[3];                 // of B
    float last[3];                  // of B: boxes of two cells before the last one
    uint32_t brick_row, brick_slab; // of B
    uint32_t group_row, group_slab; // of B: boxes of two bricks
} AbutDualOctreePair;

/// What is known of the eight parts of a box, each a bit of the masks.
typedef struct AbutDualOctreeChildren
{
    uint32_t open;   // neither solid is proved to be out of reach
    uint32_t hit;    // the middle is proved to be in both solids
    uint32_t inside; // the whole part is
    uint32_t best;   // not a mask: the open part where the larger of both centers is least
} AbutDualOctreeChildren;

/// A box of A that is divided.
typedef struct AbutDualOctreeBox
{
    const int16_t* numbers; // eight, of its parts
    float middle[3];
    float half;          // from its middle to those of the parts, along each axis
    float radius;        // half-diagonal of a part
    float open_distance; // a part is open when the solids may both come nearer than this to its middle
} AbutDualOctreeBox;

#endif
