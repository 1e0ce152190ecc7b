/// @file distance_octree.h
/// Proved distances at the middles of boxes, in the order in which a search from coarse to fine reads them.
///
/// A center is a whole number of steps (AbutFieldHeader.octree_step, in cells). Its sign is that of the
/// distance, which is at least so large; 0 means that nothing is known. Whatever is between a field's nodes
/// and the truth (rounding, the error of nodes, slopes over 1, signs in doubt within that distance) has been
/// taken off already.
///
/// Boxes have 2, 4, 8, ... cells along a side, a brick has 8. The eight parts of a box stand side by side, x
/// fastest, so that they are one load:
/// - first 72 numbers per brick that keeps its own nodes (dense: by brick; sparse: by slot): the eight boxes
///   of 4 cells, then for each of these its eight boxes of 2 cells;
/// - then, for each box of two bricks along a side, its eight bricks; for each box of four its eight boxes of
///   two; and so on up to one box around everything. Parts beyond the grid have the largest number.
#ifndef ABUT_FIELD_BOUNDS_DISTANCE_OCTREE_H
#define ABUT_FIELD_BOUNDS_DISTANCE_OCTREE_H

#include "field/nodes/format.h"

enum
{
    ABUT_DISTANCE_OCTREE_LEAF = 72, // numbers per brick with nodes
    ABUT_DISTANCE_OCTREE_LEVELS = 21
};

/// Where the numbers are.
typedef struct AbutDistanceOctree
{
    const int16_t* leaves; // NULL: the field has no centers
    const uint32_t* slots; // of the leaves of a sparse field by brick; NULL for a dense one
    uint32_t brick_count[3];
    uint32_t level_count;                               // of boxes over bricks
    const int16_t* levels[ABUT_DISTANCE_OCTREE_LEVELS]; // [0]: the parts of boxes of two bricks along a side
    uint32_t group_count[ABUT_DISTANCE_OCTREE_LEVELS][3];
    float step;
} AbutDistanceOctree;

/// Numbers of the section; 0 for fields without.
uint64_t abut_distance_octree_count(const AbutFieldHeader* header);

/// The largest number stands for the diagonal of the grid.
float abut_distance_octree_step(const AbutFieldHeader* header);

AbutDistanceOctree abut_distance_octree_make(void* block);

/// Where the number of a brick is among those of level 0.
static inline size_t abut_distance_octree_brick_index(const AbutDistanceOctree* octree, uint32_t x,
                                                      uint32_t y, uint32_t z)
{
    const uint32_t* groups = octree->group_count[0];
    size_t group = ((size_t)(z / 2) * groups[1] + y / 2) * groups[0] + x / 2;
    return 8 * group + (z % 2 * 4 + y % 2 * 2 + x % 2);
}

/// The first number of a box that begins beyond the grid which is not the largest: a search would go there.
/// `count`, that of all numbers, when there is none. Any number will do in the grid.
size_t abut_distance_octree_find_invalid(const void* block, size_t count);

/// Fills the section of a block whose nodes and pyramid are done. `middles` has, per brick of a sparse field,
/// the distance in cells at its middle as it was measured, or is NULL: then bricks without nodes of their own
/// follow from the coarse level.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_distance_octree_build(void* block, const float* middles, const AbutHost* host);

#endif
