// Kernels that read the eight nodes around a point (field/bounds/kernels.h).
#ifndef ABUT_FIELD_BOUNDS_FAR_NODE_KERNELS_INL
#define ABUT_FIELD_BOUNDS_FAR_NODE_KERNELS_INL

#include "field/bounds/far_node_lanes.inl"
#include "field/bounds/kernels.h"

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// The eight nodes around a point of a grid.
typedef struct CellCorners
{
    float first[3];    // the lower node along each axis, never the last one
    float fraction[3]; // of the cell, from the lower node to the point
} CellCorners;

KERNEL_INLINE CellCorners corners_around(const AbutFarNodes* field, const float at[3])
{
    CellCorners corners;
    for (int axis = 0; axis < 3; ++axis)
    {
        // NaN, to which nodes of files may lead, becomes the first node.
        float last = field->cells[axis] - 1.0f;
        corners.first[axis] = at[axis] > 0.0f ? (at[axis] < last ? (float)(int)at[axis] : last) : 0.0f;
        corners.fraction[axis] = at[axis] - corners.first[axis];
    }
    return corners;
}

static const float odd_corners[3][8] = { { 0, 1, 0, 1, 0, 1, 0, 1 },
                                         { 0, 0, 1, 1, 0, 0, 1, 1 },
                                         { 0, 0, 0, 0, 1, 1, 1, 1 } };

KERNEL_INLINE WideVec corner_lanes(const CellCorners* corners, int first)
{
    return (WideVec){ wide_add(wide_splat(corners->first[0]), wide_load(odd_corners[0] + first)),
                      wide_add(wide_splat(corners->first[1]), wide_load(odd_corners[1] + first)),
                      wide_add(wide_splat(corners->first[2]), wide_load(odd_corners[2] + first)) };
}

/// 1 − fraction for even corners times fraction for odd ones, along each axis.
KERNEL_INLINE Wide corner_weight(const CellCorners* corners, int axis, int first)
{
    float fraction = corners->fraction[axis];
    return wide_add(wide_splat(1.0f - fraction),
                    wide_mul(wide_splat(2.0f * fraction - 1.0f), wide_load(odd_corners[axis] + first)));
}

/// Radii of the empty balls around nodes; 0 where there is none.
KERNEL_INLINE Wide empty_radius(const AbutFarNodes* field, WideVec node)
{
    Wide value = node_value(field, node);
    Wide error =
        wide_add(wide_mul(value, wide_splat(field->relative_error)), wide_splat(field->absolute_error));
    return wide_max(wide_zero(), wide_mul(wide_sub(value, error), wide_splat(field->inverse_slope)));
}

KERNEL_INLINE WideVec displacement_from(WideVec at, const float point[3])
{
    return sub3(at, (WideVec){ wide_splat(point[0]), wide_splat(point[1]), wide_splat(point[2]) });
}

static float support_kernel(const AbutFarNodes* field, const float point[3], const float direction[3],
                            float far, float radius)
{
    const float at[3] = { point[0] + far * direction[0], point[1] + far * direction[1],
                          point[2] + far * direction[2] };
    CellCorners corners = corners_around(field, at);
    float terms[8], sum = 0.0f;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        WideVec node = corner_lanes(&corners, first), displacement = displacement_from(node, point);
        Wide weight = wide_mul(wide_mul(corner_weight(&corners, 0, first), corner_weight(&corners, 1, first)),
                               corner_weight(&corners, 2, first));
        Wide empty = empty_radius(field, node);
        wide_store(terms + first,
                   wide_mul(weight, wide_sub(dot3(displacement, displacement), wide_mul(empty, empty))));
    }
    for (int i = 0; i < 8; ++i)
    {
        sum += terms[i];
    }
    return (sum + radius * radius) / (2.0f * far);
}

static float distance_bound_kernel(const AbutFarNodes* field, const float point[3])
{
    CellCorners corners = corners_around(field, point);
    float distance_bound[8], best = 0.0f;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        WideVec node = corner_lanes(&corners, first), displacement = displacement_from(node, point);
        wide_store(distance_bound + first,
                   wide_sub(empty_radius(field, node), wide_sqrt(dot3(displacement, displacement))));
    }
    for (int i = 0; i < 8; ++i)
    {
        best = distance_bound[i] > best ? distance_bound[i] : best;
    }
    return best;
}

static float empty_radius_kernel(const AbutFarNodes* field, const float point[3])
{
    CellCorners corners = corners_around(field, point);
    float terms[8], sum = 0.0f, spread = 0.0f;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        Wide weight = wide_mul(wide_mul(corner_weight(&corners, 0, first), corner_weight(&corners, 1, first)),
                               corner_weight(&corners, 2, first));
        Wide empty = empty_radius(field, corner_lanes(&corners, first));
        wide_store(terms + first, wide_mul(weight, wide_mul(empty, empty)));
    }
    for (int i = 0; i < 8; ++i)
    {
        sum += terms[i];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        spread += corners.fraction[axis] * (1.0f - corners.fraction[axis]);
    }
    float left = sum * (1.0f - 4e-6f) - spread; // less the rounding
    return left > 0.0f ? sqrtf(left) : 0.0f;
}

#endif
