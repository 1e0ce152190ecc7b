/// @file node_range.h
/// Boxes of nodes of a grid.
#ifndef ABUT_BAKE_DISTANCE_NODE_RANGE_H
#define ABUT_BAKE_DISTANCE_NODE_RANGE_H

#include "bake/distance/node_grid.h"
#include "math/dvec3.h"

#include <stdbool.h>

/// Nodes [begin, end) along each axis, at most ABUT_NODE_BLOCK; numbered from 0 on, x fastest.
typedef struct AbutNodeRange
{
    uint32_t begin[3], end[3];
} AbutNodeRange;

/// Nodes along each axis.
static inline void abut_node_range_size(const AbutNodeRange* range, uint32_t size[3])
{
    size[0] = range->end[0] - range->begin[0];
    size[1] = range->end[1] - range->begin[1];
    size[2] = range->end[2] - range->begin[2];
}

static inline uint32_t abut_node_range_total(const AbutNodeRange* range)
{
    return (range->end[0] - range->begin[0]) * (range->end[1] - range->begin[1]) *
           (range->end[2] - range->begin[2]);
}

static inline void abut_node_range_node(const AbutNodeRange* range, uint32_t number, uint32_t node[3])
{
    uint32_t row = range->end[0] - range->begin[0], column = range->end[1] - range->begin[1];
    node[0] = range->begin[0] + number % row;
    node[1] = range->begin[1] + number / row % column;
    node[2] = range->begin[2] + number / row / column;
}

/// The octant of a range that starts `size` nodes further along the axes of `corner`; false when it is empty.
bool abut_node_range_octant(const AbutNodeRange* range, int corner, uint32_t size, AbutNodeRange* octant);

typedef struct AbutNodeBall
{
    AbutDVec3 center;
    double radius;
} AbutNodeBall;

/// The ball around the nodes of a range.
AbutNodeBall abut_node_range_ball(const AbutNodeGrid* grid, const AbutNodeRange* range);

#endif
