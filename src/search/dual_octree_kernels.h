/// @file dual_octree_kernels.h
/// One step of a dual octree traversal (field/bounds/distance_octree.h).
#ifndef ABUT_SEARCH_DUAL_OCTREE_KERNELS_H
#define ABUT_SEARCH_DUAL_OCTREE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Two fields A and B. Lengths are in cells of A unless said otherwise.
typedef struct AbutDualOctreePair
{
    float a_step, b_step;           // unit of the numbers; that of B in cells of B
    float ratio;                    // length of a cell of B
    float rounding;                 // of a point in B, in cells of B
    float inflate;                  // offset of the surface of B outwards
    float to_b[3][4];               // a point in cells of A's grid to cells of B's
    const int16_t* leaves;          // of B: all numbers
    uint32_t first_brick;           // of B: index of the first number of level 0
    const uint32_t* slots;          // of B when it is sparse, else NULL
    float cells[3];                 // of B
    float last[3];                  // of B: index of the last box of two cells
    uint32_t brick_row, brick_slab; // of B
    uint32_t group_row, group_slab; // of B: boxes of two bricks
} AbutDualOctreePair;

/// Masks of the eight children of a box, a bit for each.
typedef struct AbutDualOctreeChildren
{
    uint32_t open;   // neither solid is proved to be further than the threshold
    uint32_t hit;    // the middle is proved to be in both solids
    uint32_t inside; // the whole box is proved to be in both solids
    uint32_t best;   // not a mask: the open child with the least maximum of both numbers
} AbutDualOctreeChildren;

/// A box of A to be divided.
typedef struct AbutDualOctreeBox
{
    const int16_t* numbers; // eight, of its children
    float middle[3];
    float half;          // from its middle to those of its children, along each axis
    float radius;        // half-diagonal of a child
    float open_distance; // a child is open when both solids may be nearer than this to its middle
} AbutDualOctreeBox;

#endif
