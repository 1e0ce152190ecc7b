// Steps of particles (narrow/particles/kernels.h).
#ifndef ABUT_NARROW_PARTICLES_PARTICLE_KERNELS_INL
#define ABUT_NARROW_PARTICLES_PARTICLE_KERNELS_INL

#include "narrow/particles/kernels.h"
#include "search/walk_lanes.inl"

#include "narrow/particles/particle_math.inl"

KERNEL_INLINE void store_bits(uint32_t* words, size_t i, size_t n, WideMask mask)
{
    uint32_t bits = (uint32_t)wide_bits(mask) & (uint32_t)((1ull << n) - 1);
    words[i / 32] |= bits << i % 32;
}

KERNEL_INLINE void step_lanes(const AbutParticleStep* step, size_t i, size_t n, uint32_t* arrived,
                              uint32_t* done)
{
    WideSample a = load_samples(step->a, i, n, true), b = load_samples(step->b, i, n, true);
    WideVec at = load_points((AbutPoints){ step->at[0], step->at[1], step->at[2] }, i, n);
    WideParticle particle = particle_step(at, a, b, wide_splat(step->epsilon), wide_splat(step->relaxation));
    Wide left = wide_sub(load_lanes(step->left + i, n), wide_splat(1.0f));
    Wide over = wide_select(particle.arrived, wide_zero(), left);
    store_lanes(step->at[0] + i, n, particle.at.x);
    store_lanes(step->at[1] + i, n, particle.at.y);
    store_lanes(step->at[2] + i, n, particle.at.z);
    store_lanes(step->left + i, n, left);
    store_bits(arrived, i, n, particle.arrived);
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

static size_t iterate_kernel(const AbutFieldPairBatch* walk, uint32_t steps, float epsilon, float relaxation,
                             uint32_t* arrived)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    ActiveParticles particles;
    size_t samples = 0;
    start_particles(walk, &particles);
    memset(arrived, 0, (walk->count + 31) / 32 * sizeof(arrived[0]));
    for (uint32_t step = 0; step < steps && particles.count > 0; ++step)
    {
        samples += particles.count;
        for (size_t i = 0; i < particles.count; i += WIDE_LANES)
        {
            FieldPairSamples s = sample_particles(walk, samplers, &particles, i);
            WideParticle next = particle_step(s.at, s.a, s.b, wide_splat(epsilon), wide_splat(relaxation));
            store_columns(particles.to, i, next.at);
            particles.stays[i / WIDE_LANES] = (uint8_t)(~wide_bits(next.arrived) & all);
        }
        compact_particles(walk, arrived, &particles);
    }
    return samples;
}

#endif
