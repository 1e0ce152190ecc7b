// Kernels of points between two solids (search/pair_kernels.h).
#ifndef ABUT_SEARCH_GAP_BOUND_KERNELS_INL
#define ABUT_SEARCH_GAP_BOUND_KERNELS_INL

#include "search/approach_lanes.inl"

KERNEL_INLINE WideVec load_vec(float* const arrays[3], size_t i)
{
    return (WideVec){ wide_load(arrays[0] + i), wide_load(arrays[1] + i), wide_load(arrays[2] + i) };
}

KERNEL_INLINE WideVec load_gradient(const AbutPairPoints* points, int side, size_t i)
{
    const float* const* g = points->gradient[side];
    return (WideVec){ wide_load(g[0] + i), wide_load(g[1] + i), wide_load(g[2] + i) };
}

KERNEL_INLINE unsigned approach_lanes(const AbutPairPoints* points, size_t i, Wide target)
{
    WideSample a = { wide_load(points->distance[0] + i), load_gradient(points, 0, i) };
    WideSample b = { wide_load(points->distance[1] + i), load_gradient(points, 1, i) };
    WideMask active;
    WideVec at = approach_from(load_vec(points->at, i), a, b, target, &active);
    wide_store(points->at[0] + i, at.x);
    wide_store(points->at[1] + i, at.y);
    wide_store(points->at[2] + i, at.z);
    return wide_bits(active);
}

static void approach_kernel(const AbutPairPoints* points, size_t count, float target, uint8_t* moved)
{
    for (size_t i = 0; i < count; i += WIDE_LANES)
    {
        unsigned bits = approach_lanes(points, i, wide_splat(target));
        for (size_t k = 0; k < WIDE_LANES && i + k < count; ++k)
        {
            moved[i + k] = (uint8_t)(bits >> k & 1u);
        }
    }
}

KERNEL_INLINE bool any_wanted(const uint8_t* wanted, size_t first, size_t count)
{
    bool any = false;
    for (size_t i = first; i < first + WIDE_LANES && i < count; ++i)
    {
        any = any || wanted[i] != 0;
    }
    return any;
}

static void gap_bound_kernel(const AbutFarNodes fields[2], const AbutPairPoints* points, size_t count,
                             const uint8_t* wanted, const float half[3], const float* scale, float* low)
{
    for (size_t i = 0; i < count; i += WIDE_LANES)
    {
        if (any_wanted(wanted, i, count))
        {
            wide_store(low + i, bound_gap(fields, load_vec(points->at, i), load_gradient(points, 0, i),
                                          load_gradient(points, 1, i), half, wide_load(scale + i)));
        }
    }
}

#endif
