/// @file state.h
/// A job in progress.
#ifndef ABUT_BAKE_SIGN_STATE_H
#define ABUT_BAKE_SIGN_STATE_H

#include "bake/distance/node_range.h"
#include "bake/sign/classifier.h"
#include "bake/sign/jobs.h"

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

static inline size_t abut_sign_node_index(const AbutSignState* state, const uint32_t node[3])
{
    return abut_node_index(&state->job->grid, node[0], node[1], node[2]);
}

/// The point at which the distance of a node was taken.
static inline AbutDVec3 abut_sign_node_point(const AbutSignState* state, const uint32_t node[3])
{
    return abut_node_position(&state->job->grid, node);
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
