/// @file impulse.h
/// The state of the impulse response: graph colouring and constraints. Scratch of a step, grown on demand.
#ifndef ABUT_DYNAMICS_IMPULSE_IMPULSE_H
#define ABUT_DYNAMICS_IMPULSE_IMPULSE_H

#include "dynamics/impulse/contact_constraint.h"
#include "dynamics/impulse/graph_coloring.h"
#include "dynamics/state/world.h"

typedef struct AbutImpulse
{
    uint32_t* order; // manifolds to solve, by colour, then by falling count of points
    size_t order_capacity;
    uint32_t* by_count; // the same without colours
    size_t by_count_capacity;
    AbutConstraints constraints;
    uint8_t* colors; // of manifolds
    size_t color_capacity;
    uint64_t* taken; // by body: bits of the colours of its manifolds
    size_t taken_capacity;
    uint32_t color_first[ABUT_COLOR_COUNT + 1]; // indices in `order`
} AbutImpulse;

/// Of a world with the impulse response.
static inline AbutImpulse* abut_impulse(const AbutWorld* world)
{
    return world->response_state;
}

#endif
