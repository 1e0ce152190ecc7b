// Bodies of the particle kernels; see kernels.inl for how they are compiled.

#include "simd/particle_kernels.h"

KERNEL_INLINE void step_lanes(AbutPoints at, AbutSamples a, AbutSamples b, Wide relaxation, size_t i,
                              size_t n, float* const next[3], float* larger)
{
    WideSample sample_a = load_samples(a, i, n, true), sample_b = load_samples(b, i, n, true);
    WideMask b_larger = wide_less(sample_a.distance, sample_b.distance);
    // A NaN of a stays, since nothing is larger than it; one of b is put back.
    WideMask b_number = wide_equal(sample_b.distance, sample_b.distance);
    WideSample most = choose_sample(b_larger, sample_b, sample_a);
    most.distance = wide_select(b_number, most.distance, sample_b.distance);
    WideVec point = load_points(at, i, n);
    WideVec moved = sub3(point, scale3(most.gradient, wide_mul(relaxation, most.distance)));
    store_lanes(larger + i, n, most.distance);
    store_lanes(next[0] + i, n, moved.x);
    store_lanes(next[1] + i, n, moved.y);
    store_lanes(next[2] + i, n, moved.z);
}

static void particle_step_kernel(AbutPoints at, AbutSamples a, AbutSamples b, float relaxation, size_t count,
                                 float* const next[3], float* larger)
{
    Wide factor = wide_splat(relaxation);
    FOR_LANES(count, step_lanes(at, a, b, factor, i, n, next, larger));
}

#define PARTICLE_KERNEL_TABLE                                                                                \
    {                                                                                                        \
        .step = particle_step_kernel                                                                         \
    }
