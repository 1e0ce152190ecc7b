/// @file graph_coloring.h
/// Colours of manifolds: no two manifolds of a colour share a body that moves, so that they can be solved in
/// any order and at once.
#ifndef ABUT_DYNAMICS_IMPULSE_GRAPH_COLORING_H
#define ABUT_DYNAMICS_IMPULSE_GRAPH_COLORING_H

#include "dynamics/state/step_context.h"

enum
{
    ABUT_COLOR_OVERFLOW = 64, ///< manifolds without a free colour: solved one after the other
    ABUT_COLOR_COUNT
};

/// Colours and order of the manifolds to solve: AbutImpulse.
AbutResult abut_step_make_colors(const AbutStepContext* step);

#endif
