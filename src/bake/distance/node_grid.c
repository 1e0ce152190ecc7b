#include "bake/distance/node_grid.h"

#include "base/assert.h"

static uint32_t blocks_along(const AbutNodeGrid* grid, int axis)
{
    return (grid->node_count[axis] + ABUT_NODE_BLOCK - 1) / ABUT_NODE_BLOCK;
}

uint32_t abut_node_block_count(const AbutNodeGrid* grid)
{
    return blocks_along(grid, 0) * blocks_along(grid, 1) * blocks_along(grid, 2);
}

AbutNodeGrid abut_node_block(const AbutNodeGrid* grid, uint32_t block, uint32_t first[3])
{
    ABUT_ASSERT(block < abut_node_block_count(grid));
    const uint32_t position[3] = { block % blocks_along(grid, 0),
                                   block / blocks_along(grid, 0) % blocks_along(grid, 1),
                                   block / blocks_along(grid, 0) / blocks_along(grid, 1) };
    AbutNodeGrid subgrid = *grid;
    for (int axis = 0; axis < 3; ++axis)
    {
        first[axis] = position[axis] * ABUT_NODE_BLOCK;
        uint32_t left = grid->node_count[axis] - first[axis];
        subgrid.begin[axis] = grid->begin[axis] + first[axis];
        subgrid.node_count[axis] = left < ABUT_NODE_BLOCK ? left : ABUT_NODE_BLOCK;
    }
    return subgrid;
}
