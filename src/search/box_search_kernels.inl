// Boxes between two fields, and points that are moved into both solids (search/kernels.h).
#ifndef ABUT_SEARCH_BOX_SEARCH_KERNELS_INL
#define ABUT_SEARCH_BOX_SEARCH_KERNELS_INL

#include "search/approach_lanes.inl"
#include "search/field_pair_lanes.inl"
#include "search/kernels.h"

static void sample_both_kernel(const AbutFieldPairBatch* batch)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&batch->sides[0]), sampler_of(&batch->sides[1]) };
    for (size_t i = 0; i < batch->count; i += WIDE_LANES)
    {
        WideVec at = { wide_load(batch->at[0] + i), wide_load(batch->at[1] + i),
                       wide_load(batch->at[2] + i) };
        for (int side = 0; side < 2; ++side)
        {
            WideSample s = sample_side(&batch->sides[side], samplers[side], at);
            wide_store(batch->distance[side] + i, s.distance);
            wide_store(batch->gradient[side][0] + i, s.gradient.x);
            wide_store(batch->gradient[side][1] + i, s.gradient.y);
            wide_store(batch->gradient[side][2] + i, s.gradient.z);
        }
    }
}

KERNEL_INLINE WideVec load_middles(const AbutBoxSearchBounds* boxes, size_t i)
{
    return (WideVec){ wide_load(boxes->at[0] + i), wide_load(boxes->at[1] + i), wide_load(boxes->at[2] + i) };
}

KERNEL_INLINE void store_gradient(float* const gradient[3], size_t i, WideVec value)
{
    wide_store(gradient[0] + i, value.x);
    wide_store(gradient[1] + i, value.y);
    wide_store(gradient[2] + i, value.z);
}

KERNEL_INLINE WideSample bound_sample(const AbutBoxSearchBounds* boxes, SampleFieldFn* sampler, int side,
                                      size_t i, WideVec at)
{
    if (sampler != NULL)
    {
        return sample_side(&boxes->sides[side], sampler, at);
    }
    float* const* gradient = boxes->gradient[side];
    return (
        WideSample){ wide_load(boxes->distance[side] + i),
                     { wide_load(gradient[0] + i), wide_load(gradient[1] + i), wide_load(gradient[2] + i) } };
}

static void bound_kernel(const AbutBoxSearchBounds* boxes)
{
    SampleFieldFn* const samplers[2] = { boxes->sides != NULL ? sampler_of(&boxes->sides[0]) : NULL,
                                         boxes->sides != NULL ? sampler_of(&boxes->sides[1]) : NULL };
    Wide threshold = wide_splat(boxes->threshold), twice = wide_splat(2.0f * boxes->threshold);
    for (size_t i = 0; i < boxes->count; i += WIDE_LANES)
    {
        WideVec at = load_middles(boxes, i);
        Wide radius = wide_load(boxes->radius + i);
        WideSample a = bound_sample(boxes, samplers[0], 0, i, at);
        WideSample b = bound_sample(boxes, samplers[1], 1, i, at);
        wide_store(boxes->distance[0] + i, a.distance);
        wide_store(boxes->distance[1] + i, b.distance);
        if (boxes->gradient[0][0] != NULL)
        {
            store_gradient(boxes->gradient[0], i, a.gradient);
            store_gradient(boxes->gradient[1], i, b.gradient);
        }
        Wide low = wide_sub(wide_max(wide_sub(a.distance, wide_splat(boxes->error[0])),
                                     wide_sub(b.distance, wide_splat(boxes->error[1]))),
                            radius);
        WideMask wanted = wide_and(wide_less_equal(low, threshold),
                                   wide_and(wide_less_equal(radius, wide_splat(boxes->gap_bound_radius)),
                                            wide_less(twice, wide_add(a.distance, b.distance))));
        if (wide_bits(wanted) != 0)
        {
            Wide other =
                bound_gap(boxes->far, at, a.gradient, b.gradient, boxes->half, wide_load(boxes->scale + i));
            low = wide_select(wide_and(wanted, wide_less(low, other)), other, low);
        }
        wide_store(boxes->low + i, low);
    }
}

KERNEL_INLINE void store_samples_at(const AbutFieldPairBatch* batch, int side, size_t i, WideSample sample)
{
    wide_store(batch->distance[side] + i, sample.distance);
    store_gradient(batch->gradient[side], i, sample.gradient);
}

/// Moves one group of points, of which `lanes` count. Returns the count of samples.
KERNEL_INLINE size_t enter_lanes(const AbutFieldPairBatch* batch, SampleFieldFn* const samplers[2],
                                 const float* const depth[2], uint32_t steps, size_t i, size_t lanes)
{
    WideVec at = { wide_load(batch->at[0] + i), wide_load(batch->at[1] + i), wide_load(batch->at[2] + i) };
    WideSample a = sample_side(&batch->sides[0], samplers[0], at);
    WideSample b = sample_side(&batch->sides[1], samplers[1], at);
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
        a = sample_side(&batch->sides[0], samplers[0], at);
        b = sample_side(&batch->sides[1], samplers[1], at);
    }
    wide_store(batch->at[0] + i, at.x);
    wide_store(batch->at[1] + i, at.y);
    wide_store(batch->at[2] + i, at.z);
    store_samples_at(batch, 0, i, a);
    store_samples_at(batch, 1, i, b);
    return samples;
}

static size_t enter_kernel(const AbutFieldPairBatch* batch, const float* const depth[2], uint32_t steps)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&batch->sides[0]), sampler_of(&batch->sides[1]) };
    size_t samples = 0;
    for (size_t i = 0; i < batch->count; i += WIDE_LANES)
    {
        size_t left = batch->count - i;
        samples += enter_lanes(batch, samplers, depth, steps, i, left < WIDE_LANES ? left : WIDE_LANES);
    }
    return samples;
}

#endif
