/// @file kernels.h
/// What the nodes around a point prove of the surface near it.
#ifndef ABUT_FIELD_BOUNDS_KERNELS_H
#define ABUT_FIELD_BOUNDS_KERNELS_H

#include "field/bounds/far_nodes.h"
#include "simd/dispatch.h"

typedef struct AbutFarNodeKernels
{
    /// How far a surface within `radius` of a point reaches in a direction of unit length at most, all in
    /// cells and in the frame of the field. No point of the surface is nearer to a node than its distance
    /// there, so with w the way from the point to a node, |d − w| ≥ f says d·w ≤ (|w|² − f² + |d|²)/2; the
    /// eight nodes around what is `far` in that direction, weighed as for linear interpolation, say it of
    /// d·(far · direction). The place must be in the grid.
    float (*support)(const AbutFarNodes* field, const float point[3], const float direction[3], float far,
                     float radius);

    /// How far a point outside of a solid is from it at least, as the nodes around it say, in cells. The
    /// point must be in the grid.
    float (*distance_bound)(const AbutFarNodes* field, const float point[3]);

    /// The radius of a ball around a point with nothing of the solid in it, in cells. With balls of radii f
    /// around the nodes q of a cell, weighed as for linear interpolation, Σw |y − q|² ≥ Σw f² for all y in
    /// the solid, and the left side is |y − point|² + Σw |q − point|². 0 where the field keeps no nodes. The
    /// point must be in the grid.
    float (*empty_radius)(const AbutFarNodes* field, const float point[3]);
} AbutFarNodeKernels;

ABUT_KERNELS(AbutFarNodeKernels, abut_far_node_kernels)

#endif
