/// @file kernels.h
/// Bounds of the difference between a blend of nodes and the distance that was sampled at the nodes.
///
/// A distance has slope 1 at most. So a node far from a box, along the gradient, bounds the distance all over
/// the box from below, to second order: f(x) ≥ f(node) − |x − node|, and where the surface is smooth the two
/// differ by s²/2D, D away and s aside. Nodes on the other side bound it from above. |x − node| is convex, so
/// over a box it is at most the blend of its values at the corners, and the largest excess of one blend over
/// the other is at a corner.
#ifndef ABUT_FIELD_NODES_KERNELS_H
#define ABUT_FIELD_NODES_KERNELS_H

#include "simd/dispatch.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    ABUT_CUBE_MARGIN = 8, // nodes around a brick on each side
    ABUT_CUBE_SIDE = 25,
    ABUT_CUBE_TOTAL = 25 * 25 * 25
};

/// A box inside of one cell, in cells from the first node of a cube of nodes.
typedef struct AbutBlendBox
{
    float low[3], size;
    float value[8];     // of the blend at its corners
    float direction[3]; // unit gradient of the blend (or 0)
} AbutBlendBox;

/// Upper bounds of blend − distance and distance − blend over the box.
typedef struct AbutBlendExcess
{
    float above, below;
} AbutBlendExcess;

typedef struct AbutNodeKernels
{
    void (*half_to_float)(const uint16_t* halves, size_t count, float* floats);
    void (*float_to_half)(const float* floats, size_t count, uint16_t* halves);

    /// `nodes` has ABUT_CUBE_TOTAL values, NaN where there is no node; the box stays ABUT_CUBE_MARGIN away
    /// from the faces of the cube. `slope` is the Lipschitz bound of the distance. The search ends at a bound
    /// of `enough`.
    AbutBlendExcess (*blend_excess)(const float* nodes, float slope, const AbutBlendBox* box, float enough);
} AbutNodeKernels;

ABUT_KERNELS(AbutNodeKernels, abut_node_kernels)

#endif
