// Boxes between two fields, and points that are sent into both solids (search/kernels.h).
#ifndef ABUT_SEARCH_BOX_SEARCH_KERNELS_INL
#define ABUT_SEARCH_BOX_SEARCH_KERNELS_INL

#include "search/approach_lanes.inl"
#include "search/field_pair_lanes.inl"
#include "search/kernels.h"

static void sample_both_kernel(const AbutWalk* walk)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    for (size_t i = 0; i < walk->count; i += WIDE_LANES)
    {
        WideVec at = { wide_load(walk->at[0] + i), wide_load(walk->at[1] + i), wide_load(walk->at[2] + i) };
        for (int side = 0; side < 2; ++side)
        {
            WideSample s = sample_side(&walk->sides[side], samplers[side], at);
            wide_store(walk->distance[side] + i, s.distance);
            wide_store(walk->gradient[side][0] + i, s.gradient.x);
            wide_store(walk->gradient[side][1] + i, s.gradient.y);
            wide_store(walk->gradient[side][2] + i, s.gradient.z);
        }
    }
}

KERNEL_INLINE WideVec load_middles(const AbutPartBounds* parts, size_t i)
{
    return (WideVec){ wide_load(parts->at[0] + i), wide_load(parts->at[1] + i), wide_load(parts->at[2] + i) };
}

KERNEL_INLINE void store_gradient(float* const gradient[3], size_t i, WideVec value)
{
    wide_store(gradient[0] + i, value.x);
    wide_store(gradient[1] + i, value.y);
    wide_store(gradient[2] + i, value.z);
}

static void bound_kernel(const AbutPartBounds* parts)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&parts->sides[0]), sampler_of(&parts->sides[1]) };
    Wide clear = wide_splat(parts->clear), twice = wide_splat(2.0f * parts->clear);
    for (size_t i = 0; i < parts->count; i += WIDE_LANES)
    {
        WideVec at = load_middles(parts, i);
        Wide radius = wide_load(parts->radius + i);
        WideSample a = sample_side(&parts->sides[0], samplers[0], at);
        WideSample b = sample_side(&parts->sides[1], samplers[1], at);
        wide_store(parts->distance[0] + i, a.distance);
        wide_store(parts->distance[1] + i, b.distance);
        if (parts->gradient[0][0] != NULL)
        {
            store_gradient(parts->gradient[0], i, a.gradient);
            store_gradient(parts->gradient[1], i, b.gradient);
        }
        Wide low = wide_sub(wide_max(wide_sub(a.distance, wide_splat(parts->error[0])),
                                     wide_sub(b.distance, wide_splat(parts->error[1]))),
                            radius);
        WideMask wanted = wide_and(wide_less_equal(low, clear),
                                   wide_and(wide_less_equal(radius, wide_splat(parts->between)),
                                            wide_less(twice, wide_add(a.distance, b.distance))));
        if (wide_bits(wanted) != 0)
        {
            Wide other = bound_between(parts->far, at, a.gradient, b.gradient, parts->half,
                                       wide_load(parts->scale + i));
            low = wide_select(wide_and(wanted, wide_less(low, other)), other, low);
        }
        wide_store(parts->low + i, low);
    }
}

KERNEL_INLINE void store_samples_at(const AbutWalk* walk, int side, size_t i, WideSample sample)
{
    wide_store(walk->distance[side] + i, sample.distance);
    store_gradient(walk->gradient[side], i, sample.gradient);
}

/// Sends one group of points; `lanes` of it count. Returns their samples.
KERNEL_INLINE size_t enter_lanes(const AbutWalk* walk, SampleFieldFn* const samplers[2],
                                 const float* const depth[2], uint32_t steps, size_t i, size_t lanes)
{
    WideVec at = { wide_load(walk->at[0] + i), wide_load(walk->at[1] + i), wide_load(walk->at[2] + i) };
    WideSample a = sample_side(&walk->sides[0], samplers[0], at);
    WideSample b = sample_side(&walk->sides[1], samplers[1], at);
    Wide depth_a = wide_load(depth[0] + i), depth_b = wide_load(depth[1] + i);
    size_t samples = lanes;
    for (uint32_t step = 0; step < steps; ++step)
    {
        WideMask active;
        WideSample to_a = { wide_add(a.distance, depth_a), a.gradient };
        WideSample to_b = { wide_add(b.distance, depth_b), b.gradient };
        at = approach_from(at, to_a, to_b, wide_zero(), &active);
        unsigned moved = wide_bits(active) & ((1u << lanes) - 1u);
        if (moved == 0)
        {
            break;
        }
        samples += (size_t)__builtin_popcount(moved);
        a = sample_side(&walk->sides[0], samplers[0], at);
        b = sample_side(&walk->sides[1], samplers[1], at);
    }
    wide_store(walk->at[0] + i, at.x);
    wide_store(walk->at[1] + i, at.y);
    wide_store(walk->at[2] + i, at.z);
    store_samples_at(walk, 0, i, a);
    store_samples_at(walk, 1, i, b);
    return samples;
}

static size_t enter_kernel(const AbutWalk* walk, const float* const depth[2], uint32_t steps)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    size_t samples = 0;
    for (size_t i = 0; i < walk->count; i += WIDE_LANES)
    {
        size_t left = walk->count - i;
        samples += enter_lanes(walk, samplers, depth, steps, i, left < WIDE_LANES ? left : WIDE_LANES);
    }
    return samples;
}

#endif
