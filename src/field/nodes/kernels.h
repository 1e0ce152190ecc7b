/// @file kernels.h
/// How far a blend of nodes may be from the distance that the nodes are samples of.
///
/// A distance changes by at most the way that one goes. So a node that is far from a box, in the direction in
/// which the distance grows, says from below what it is all over the box, to the second order: f(x) ≥ f(node)
/// − |x − node|, and where the surface is smooth the two differ by s²/2D, D away and s aside. Nodes on the
/// other side say it from above. |x − node| is convex, so over a box it stays under the blend of its values
/// at the corners, and the largest excess of one blend over the other is at a corner.
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
    float direction[3]; // in which the blend grows, of length 1 (or 0 where it does not)
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
    /// from its sides. `slope` is how fast the distance may change. Nothing better than `enough` is looked
    /// for.
    AbutBlendExcess (*blend_excess)(const float* nodes, float slope, const AbutBlendBox* box, float enough);
} AbutNodeKernels;

ABUT_KERNELS(AbutNodeKernels, abut_node_kernels)

#endif
