/// @file node_grid.h
/// Nodes of a grid, or of a box of it.
#ifndef ABUT_BAKE_DISTANCE_NODE_GRID_H
#define ABUT_BAKE_DISTANCE_NODE_GRID_H

#include "base/assert.h"
#include "math/dvec3.h"

#include <stddef.h>
#include <stdint.h>

/// Nodes along a side of the blocks of parallel loops. Chains from node to node end at the sides of blocks,
/// so that results do not depend on the worker of a block.
#define ABUT_NODE_BLOCK 16

/// Most nodes of a block.
#define ABUT_NODE_BLOCK_TOTAL (ABUT_NODE_BLOCK * ABUT_NODE_BLOCK * ABUT_NODE_BLOCK)

/// node_count nodes along each axis from number `begin` of a grid on; x runs fastest in arrays over the
/// nodes.
typedef struct AbutNodeGrid
{
    double origin[3]; // of node 0 of the whole grid
    double cell_size;
    uint32_t begin[3];
    uint32_t node_count[3];
} AbutNodeGrid;

/// The coordinate of node `i` of the box along an axis: the same float in every box that has it.
static inline float abut_node_coordinate(const AbutNodeGrid* grid, int axis, uint32_t i)
{
    return (float)(grid->origin[axis] + grid->cell_size * (double)(grid->begin[axis] + i));
}

/// The position of a node, by its numbers in the box.
static inline AbutDVec3 abut_node_position(const AbutNodeGrid* grid, const uint32_t node[3])
{
    return abut_dvec3(abut_node_coordinate(grid, 0, node[0]), abut_node_coordinate(grid, 1, node[1]),
                      abut_node_coordinate(grid, 2, node[2]));
}

static inline size_t abut_node_total(const AbutNodeGrid* grid)
{
    return (size_t)grid->node_count[0] * grid->node_count[1] * grid->node_count[2];
}

static inline size_t abut_node_index(const AbutNodeGrid* grid, uint32_t x, uint32_t y, uint32_t z)
{
    ABUT_ASSERT(x < grid->node_count[0] && y < grid->node_count[1] && z < grid->node_count[2]);
    return ((size_t)z * grid->node_count[1] + y) * grid->node_count[0] + x;
}

/// Blocks that cover the grid.
uint32_t abut_node_block_count(const AbutNodeGrid* grid);

/// Block number `block` of the grid. `first` is the index of its first node in the grid.
AbutNodeGrid abut_node_block(const AbutNodeGrid* grid, uint32_t block, uint32_t first[3]);

#endif
