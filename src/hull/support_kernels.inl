// Support and highest plane of a hull (hull/kernels.h).
#ifndef ABUT_HULL_SUPPORT_KERNELS_INL
#define ABUT_HULL_SUPPORT_KERNELS_INL

#include "hull/kernels.h"
#include "hull/support_lanes.inl"

static uint32_t support_kernel(const float* lanes, uint32_t count, AbutDVec3 direction)
{
    double value;
    return lanes_support(lanes, count, direction, &value);
}

static uint32_t highest_plane_kernel(const double* planes, uint32_t count, AbutDVec3 point, double* height)
{
    const double *nx = planes, *ny = nx + count, *nz = ny + count, *offset = nz + count;
    WideDouble px = wide_double_splat(point.x), py = wide_double_splat(point.y),
               pz = wide_double_splat(point.z);
    WideDouble index = wide_double_count(), step = wide_double_splat(WIDE_DOUBLES);
    WideLargest largest = { wide_double_splat(-INFINITY), wide_double_splat(0.0) };
    for (uint32_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        WideDouble above = px * wide_double_load(nx + i) + py * wide_double_load(ny + i) +
                           pz * wide_double_load(nz + i) - wide_double_load(offset + i);
        wide_largest_add(&largest, above, index);
        index += step;
    }
    return wide_largest_index(&largest, height);
}

#endif
