/// @file impulse.h
/// A pass of the impulse response: graph colouring and constraints, scratch of the step.
#ifndef ABUT_DYNAMICS_IMPULSE_IMPULSE_H
#define ABUT_DYNAMICS_IMPULSE_IMPULSE_H

#include "dynamics/impulse/contact_constraint.h"
#include "dynamics/impulse/graph_coloring.h"
#include "dynamics/state/world.h"

typedef struct AbutImpulse
{
    uint32_t* order;    // manifolds to solve, by colour, then by falling count of points
    uint32_t* by_count; // the same without colours
    AbutConstraints constraints;
    uint8_t* colors;                            // of manifolds
    uint64_t* taken;                            // by body: bits of the colours of its manifolds
    uint32_t color_first[ABUT_COLOR_COUNT + 1]; // indices in `order`
} AbutImpulse;

/// Of a step with the impulse response.
static inline AbutImpulse* abut_impulse(const AbutStepContext* step)
{
    return step->response_step;
}

#endif
