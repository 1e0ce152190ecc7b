// Kernels that bound the difference between a blend of nodes and the distance (field/nodes/kernels.h).
#ifndef ABUT_FIELD_NODES_BLEND_KERNELS_INL
#define ABUT_FIELD_NODES_BLEND_KERNELS_INL

#include "field/nodes/kernels.h"
#include "simd/lanes.inl"

enum
{
    NODES_AT_ONCE = 8 // tried before the test against `enough`, in every instruction set
};

/// Distances of nodes along the direction, in cells: far ones are best for smooth surfaces, near ones for
/// rough ones.
static const float ray_steps[2][NODES_AT_ONCE] = { { 4.0f, 4.5f, 5.0f, 5.5f, 6.0f, 6.5f, 7.0f, 7.5f },
                                                   { 0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f } };

static const float corner_steps[3][NODES_AT_ONCE] = { { 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f },
                                                      { 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f },
                                                      { 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f } };

KERNEL_INLINE Wide squared_axis_distance(float from, Wide to)
{
    Wide distance = wide_sub(wide_splat(from), to);
    return wide_mul(distance, distance);
}

/// Per lane one node: the largest excess over the corners of the box, or `best` when that is less or there is
/// no node.
KERNEL_INLINE Wide excess_of_nodes(const float* nodes, float slope, const AbutBlendBox* box, float sign,
                                   WideVec at, Wide best)
{
    WideInt row = wide_int_splat(ABUT_CUBE_SIDE);
    WideInt index = wide_int_add(wide_int_mul(wide_int_from_float(at.z), row), wide_int_from_float(at.y));
    index = wide_int_add(wide_int_mul(index, row), wide_int_from_float(at.x));
    uint32_t indices[WIDE_LANES];
    wide_int_store(indices, index);
    Wide f = wide_mul(wide_splat(sign), wide_gather(nodes, indices)), most = wide_splat(-INFINITY);
    const Wide x[2] = { squared_axis_distance(box->low[0], at.x),
                        squared_axis_distance(box->low[0] + box->size, at.x) };
    const Wide y[2] = { squared_axis_distance(box->low[1], at.y),
                        squared_axis_distance(box->low[1] + box->size, at.y) };
    const Wide z[2] = { squared_axis_distance(box->low[2], at.z),
                        squared_axis_distance(box->low[2] + box->size, at.z) };
    for (int corner = 0; corner < 8; ++corner)
    {
        Wide distance = wide_sqrt(wide_add(wide_add(x[corner & 1], y[corner >> 1 & 1]), z[corner >> 2]));
        Wide over = wide_add(wide_splat(sign * box->value[corner]), wide_mul(wide_splat(slope), distance));
        most = wide_max(most, over);
    }
    return wide_min(wide_sub(most, f), best); // keeps best where f is NaN
}

/// Any direction leads to a node of the cube, NaN to its last one.
KERNEL_INLINE Wide nearest_node(float middle, Wide along, float direction)
{
    Wide at = wide_add(wide_splat(middle + 0.5f), wide_mul(along, wide_splat(direction)));
    at = wide_max(wide_min(at, wide_splat((float)(ABUT_CUBE_SIDE - 1))), wide_zero());
    return wide_int_to_float(wide_int_from_float(at)); // never negative, so this is the floor
}

KERNEL_INLINE float lowest_lane(Wide a)
{
    float lanes[WIDE_LANES], least = INFINITY;
    wide_store(lanes, a);
    for (int i = 0; i < WIDE_LANES; ++i)
    {
        least = lanes[i] < least ? lanes[i] : least;
    }
    return least;
}

KERNEL_INLINE float excess_on_side(const float* nodes, float slope, const AbutBlendBox* box, float sign,
                                   float enough)
{
    Wide best = wide_splat(INFINITY);
    const float half = 0.5f * box->size;
    const float middle[3] = { box->low[0] + half, box->low[1] + half, box->low[2] + half };
    for (int batch = 0; batch < 2; ++batch)
    {
        for (int i = 0; i < NODES_AT_ONCE; i += WIDE_LANES)
        {
            Wide along = wide_mul(wide_load(ray_steps[batch] + i), wide_splat(sign));
            WideVec at = { nearest_node(middle[0], along, box->direction[0]),
                           nearest_node(middle[1], along, box->direction[1]),
                           nearest_node(middle[2], along, box->direction[2]) };
            best = excess_of_nodes(nodes, slope, box, sign, at, best);
        }
        float least = lowest_lane(best);
        if (least <= enough)
        {
            return least;
        }
    }
    for (int i = 0; i < NODES_AT_ONCE; i += WIDE_LANES)
    {
        WideVec at = { wide_add(wide_splat((float)(int)box->low[0]), wide_load(corner_steps[0] + i)),
                       wide_add(wide_splat((float)(int)box->low[1]), wide_load(corner_steps[1] + i)),
                       wide_add(wide_splat((float)(int)box->low[2]), wide_load(corner_steps[2] + i)) };
        best = excess_of_nodes(nodes, slope, box, sign, at, best);
    }
    return lowest_lane(best);
}

static AbutBlendExcess blend_excess_kernel(const float* nodes, float slope, const AbutBlendBox* box,
                                           float enough)
{
    return (AbutBlendExcess){ excess_on_side(nodes, slope, box, 1.0f, enough),
                              excess_on_side(nodes, slope, box, -1.0f, enough) };
}

#endif
