/// @file distance_octree.h
/// Distance octree: proved distances at the middles of boxes, in the order in which a traversal from coarse
/// to fine reads them.
///
/// A number is a multiple of the step (AbutFieldHeader.octree_step, in cells). Its sign is that of the
/// distance, its size a lower bound of the size of the distance; 0 means unknown. All differences between the
/// nodes and the true distance (rounding, node error, slopes over 1, uncertain signs within that distance)
/// are subtracted already.
///
/// Boxes have 2, 4, 8, ... cells along a side, a brick has 8. The eight children of a box are adjacent, x
/// fastest, so that they are one load:
/// - first 72 numbers per brick with nodes of its own (dense: by brick; sparse: by slot): its eight boxes of
///   4 cells, then for each of these its eight boxes of 2 cells;
/// - then, for each box of two bricks along a side, its eight bricks; for each box of four bricks its eight
///   boxes of two; and so on up to the root. Children beyond the grid have the largest number.
#ifndef ABUT_FIELD_BOUNDS_DISTANCE_OCTREE_H
#define ABUT_FIELD_BOUNDS_DISTANCE_OCTREE_H

#include "base/assert.h"
#include "field/nodes/format.h"
#include "math/dvec3.h"

enum
{
    ABUT_DISTANCE_OCTREE_LEAF = 72, // numbers per brick with nodes
    ABUT_DISTANCE_OCTREE_LEVELS = 21
};

/// Views of the numbers.
typedef struct AbutDistanceOctree
{
    const int16_t* leaves; // NULL: the field has no octree
    const uint32_t* slots; // of the leaves of a sparse field by brick; NULL for a dense one
    uint32_t brick_count[3];
    uint32_t level_count;                               // levels above bricks
    const int16_t* levels[ABUT_DISTANCE_OCTREE_LEVELS]; // [0]: children of boxes of two bricks along a side
    uint32_t group_count[ABUT_DISTANCE_OCTREE_LEVELS][3];
    float step;
} AbutDistanceOctree;

/// Count of numbers of the section; 0 for fields without.
uint64_t abut_distance_octree_count(const AbutFieldHeader* header);

/// The unit of numbers, such that the largest one is the diagonal of the grid.
float abut_distance_octree_step(const AbutFieldHeader* header);

AbutDistanceOctree abut_distance_octree_make(void* block);

/// Index of the number of a brick in level 0.
static inline size_t abut_distance_octree_brick_index(const AbutDistanceOctree* octree, uint32_t x,
                                                      uint32_t y, uint32_t z)
{
    ABUT_ASSERT(x < octree->brick_count[0] && y < octree->brick_count[1] && z < octree->brick_count[2]);
    const uint32_t* groups = octree->group_count[0];
    size_t group = ((size_t)(z / 2) * groups[1] + y / 2) * groups[0] + x / 2;
    return 8 * group + (z % 2 * 4 + y % 2 * 2 + x % 2);
}

/// A coordinate of the middle of a box, from the first node of the grid and the size of a cell.
static inline float abut_distance_octree_middle(double origin, double cell_size, uint32_t index,
                                                uint32_t level)
{
    double cells = ((double)index + 0.5) * (double)(1u << level);
    return (float)(origin + cells * cell_size);
}

/// A box of the octree and the proved distance at its middle, both in cells; 0 for unknown. The distance at a
/// point p is at least `distance` − |p − middle|, for a distance under 0 at most `distance` + |p − middle|.
typedef struct AbutOctreeDistance
{
    AbutDVec3 middle;
    double distance;
} AbutOctreeDistance;

/// The smallest box around a point in cells from the first node, or around the nearest point of the grid. The
/// field has an octree.
AbutOctreeDistance abut_distance_octree_at(const AbutDistanceOctree* octree, AbutDVec3 cells);

/// Index of the first box beyond the grid whose number is not the largest, which would lead a search out of
/// the grid; `count`, of all numbers, when there is none. Within the grid any number is valid.
size_t abut_distance_octree_find_invalid(const void* block, size_t count);

/// Fills the section of a block with nodes and pyramid. `middles` has, per brick of a sparse field, the
/// measured distance in cells at its middle; NULL: bricks without nodes of their own follow from the coarse
/// level.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_distance_octree_build(void* block, const float* middles, const AbutHost* host);

#endif
