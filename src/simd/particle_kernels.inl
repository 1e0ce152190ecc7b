// Bodies of the particle kernels; see kernels.inl for how they are compiled.

#include "simd/particle_kernels.h"

KERNEL_INLINE void store_bits(uint32_t* words, size_t i, size_t n, WideMask mask)
{
    uint32_t bits = (uint32_t)wide_bits(mask) & (uint32_t)((1ull << n) - 1);
    words[i / 32] |= bits << i % 32;
}

KERNEL_INLINE void step_lanes(const AbutParticleStep* step, size_t i, size_t n, uint32_t* arrived,
                              uint32_t* done)
{
    WideSample a = load_samples(step->a, i, n, true), b = load_samples(step->b, i, n, true);
    Wide epsilon = wide_splat(step->epsilon);
    WideMask here = wide_and(wide_less(a.distance, epsilon), wide_less(b.distance, epsilon));
    WideSample larger = choose_sample(wide_less(a.distance, b.distance), b, a);
    Wide way = wide_mul(wide_splat(step->relaxation), larger.distance);
    WideVec at = load_points((AbutPoints){ step->at[0], step->at[1], step->at[2] }, i, n);
    at = select3(here, at, sub3(at, scale3(larger.gradient, way)));
    Wide left = wide_sub(load_lanes(step->left + i, n), wide_splat(1.0f));
    Wide over = wide_select(here, wide_zero(), left);
    store_lanes(step->at[0] + i, n, at.x);
    store_lanes(step->at[1] + i, n, at.y);
    store_lanes(step->at[2] + i, n, at.z);
    store_lanes(step->left + i, n, left);
    store_bits(arrived, i, n, here);
    store_bits(done, i, n, wide_less_equal(over, wide_zero()));
}

static void particle_step_kernel(const AbutParticleStep* step, size_t count, uint32_t* arrived,
                                 uint32_t* done)
{
    for (size_t i = 0; i < count; i += 32)
    {
        arrived[i / 32] = done[i / 32] = 0;
    }
    FOR_LANES(count, step_lanes(step, i, n, arrived, done));
}

#define PARTICLE_KERNEL_TABLE                                                                                \
    {                                                                                                        \
        .step = particle_step_kernel                                                                         \
    }
