// Projection of points between two fields to where both distances are small.
#ifndef ABUT_NARROW_CONTACTS_PROJECT_KERNELS_INL
#define ABUT_NARROW_CONTACTS_PROJECT_KERNELS_INL

#include "narrow/contacts/kernels.h"
#include "search/approach_lanes.inl"
#include "search/walk_lanes.inl"

static size_t project_kernel(const AbutFieldPairBatch* walk, uint32_t steps, float target)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    ActiveParticles particles;
    size_t samples = 0;
    start_particles(walk, &particles);
    for (uint32_t step = 0; particles.count > 0; ++step)
    {
        samples += particles.count;
        for (size_t i = 0; i < particles.count; i += WIDE_LANES)
        {
            FieldPairSamples s = sample_particles(walk, samplers, &particles, i);
            WideMask active;
            store_columns(particles.to, i, approach_from(s.at, s.a, s.b, wide_splat(target), &active));
            particles.stays[i / WIDE_LANES] = (uint8_t)(step < steps ? wide_bits(active) : 0);
        }
        compact_particles(walk, NULL, &particles);
    }
    return samples;
}

#endif
