// Points of two fields to where both distances are small.
#ifndef ABUT_NARROW_CONTACTS_PROJECT_KERNELS_INL
#define ABUT_NARROW_CONTACTS_PROJECT_KERNELS_INL

#include "narrow/contacts/kernels.h"
#include "search/approach_lanes.inl"
#include "search/walk_lanes.inl"

static size_t project_kernel(const AbutWalk* walk, uint32_t steps, float target)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    Walkers walkers;
    size_t samples = 0;
    start_walk(walk, &walkers);
    for (uint32_t step = 0; walkers.count > 0; ++step)
    {
        samples += walkers.count;
        for (size_t i = 0; i < walkers.count; i += WIDE_LANES)
        {
            WalkSamples s = sample_walkers(walk, samplers, &walkers, i);
            WideMask active;
            store_walk(walkers.to, i, approach_from(s.at, s.a, s.b, wide_splat(target), &active));
            walkers.stays[i / WIDE_LANES] = (uint8_t)(step < steps ? wide_bits(active) : 0);
        }
        sort_out(walk, NULL, &walkers);
    }
    return samples;
}

#endif
