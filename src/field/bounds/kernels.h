/// @file kernels.h
/// Bounds of the surface near a point from the nodes around it.
#ifndef ABUT_FIELD_BOUNDS_KERNELS_H
#define ABUT_FIELD_BOUNDS_KERNELS_H

#include "field/bounds/far_nodes.h"
#include "simd/dispatch.h"

typedef struct AbutFarNodeKernels
{
    /// Upper bound of the support of a surface within `radius` of a point in a direction of unit length, in
    /// cells and in the frame of the field. No point of the surface is nearer to a node than the distance f
    /// there: with w from the point to a node, |d − w| ≥ f means d·w ≤ (|w|² − f² + |d|²)/2. The eight nodes
    /// around the point `far` away in that direction, with the weights of linear interpolation, bound d·(far
    /// · direction). Both points must be in the grid.
    float (*support)(const AbutFarNodes* field, const float point[3], const float direction[3], float far,
                     float radius);

    /// Lower bound of the distance of a point outside of a solid, from the nodes around it, in cells. The
    /// point must be in the grid.
    float (*distance_bound)(const AbutFarNodes* field, const float point[3]);

    /// Radius of an empty ball around a point, in cells. With empty balls of radii f around the nodes q of a
    /// cell and the weights w of linear interpolation, Σw |y − q|² ≥ Σw f² for all y in the solid, and the
    /// left side is |y − point|² + Σw |q − point|². 0 where the field stores no nodes. The point must be in
    /// the grid.
    float (*empty_radius)(const AbutFarNodes* field, const float point[3]);
} AbutFarNodeKernels;

ABUT_KERNELS(AbutFarNodeKernels, abut_far_node_kernels)

#endif
