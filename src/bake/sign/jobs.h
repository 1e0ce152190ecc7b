/// @file jobs.h (internal to the signs)
/// A job on its way, and the two ways to do a range of its nodes.
#ifndef ABUT_BAKE_SIGN_JOBS_H
#define ABUT_BAKE_SIGN_JOBS_H

#include "bake/sign/classifier.h"

#include <stdatomic.h>

typedef struct AbutSignState
{
    const AbutSignClassifier* classifier;
    const AbutSignJob* job;
    double link;          // neighbours with a surface between them have distances that add up to less
    double touch_squared; // nearer nodes are on the surface, up to rounding
    uint32_t tile_count[3];
    _Atomic uint64_t evaluated, winding_nodes,
        uncertain_nodes; // whole numbers: the order of adding is of no matter
} AbutSignState;

/// Nodes [begin, end) along each axis, at most ABUT_NODE_BLOCK; numbered from 0 on, x fastest.
typedef struct AbutNodeRange
{
    uint32_t begin[3], end[3];
} AbutNodeRange;

/// Nodes in sets that no surface divides, one of which is looked at for all. Where the sign is certain.
void abut_sign_chains(AbutSignState* state, const AbutNodeRange* range);

/// The winding number of every node, at most 4³ of them. Where it may pass ½ in free space.
void abut_sign_gap(AbutSignState* state, const AbutNodeRange* range);

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

/// The part of a range that starts `size` nodes further along the axes of `corner`; false when it is empty.
bool abut_node_range_octant(const AbutNodeRange* range, int corner, uint32_t size, AbutNodeRange* octant);

/// Centre and radius of the ball around the nodes of a range.
double abut_node_range_ball(const AbutNodeGrid* grid, const AbutNodeRange* range, double center[3]);

static inline size_t abut_sign_node_index(const AbutSignState* state, const uint32_t node[3])
{
    return abut_node_index(&state->job->grid, node[0], node[1], node[2]);
}

/// Where the distance of a node was taken.
static inline void abut_sign_node_point(const AbutSignState* state, const uint32_t node[3], double point[3])
{
    for (int i = 0; i < 3; ++i)
    {
        point[i] = abut_node_coordinate(&state->job->grid, i, node[i]);
    }
}

static inline void abut_sign_set_origin(const AbutSignState* state, size_t index, uint8_t origin)
{
    if (state->job->origins != NULL)
    {
        state->job->origins[index] = origin;
    }
}

static inline void abut_sign_set_inside(const AbutSignState* state, size_t index, bool inside)
{
    float* squared = &state->job->squared[index];
    *squared = inside ? -*squared : *squared;
}

static inline void abut_sign_add(_Atomic uint64_t* counter, uint64_t count)
{
    atomic_fetch_add_explicit(counter, count, memory_order_relaxed);
}

#endif
