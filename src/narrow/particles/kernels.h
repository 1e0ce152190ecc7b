/// @file kernels.h
/// Particles projected onto the intersection of two shapes: one step or, for two fields, all steps in
/// registers.
#ifndef ABUT_NARROW_PARTICLES_KERNELS_H
#define ABUT_NARROW_PARTICLES_KERNELS_H

#include "search/pair_kernels.h"
#include "simd/dispatch.h"

typedef struct AbutParticleStep
{
    float* at[3];
    AbutSamples a, b; // of the two shapes, with gradients
    float* left;      // samples that a particle may still take, with these
    float epsilon, relaxation;
} AbutParticleStep;

typedef struct AbutParticleKernels
{
    /// Particles have arrived where both distances are under epsilon. The others move by
    ///     x ← x − relaxation · max(a, b) · ∇(the larger one; a where they are equal)
    /// and have a sample less left. Bit i % 32 of word i / 32: particle i has arrived, or is done (has
    /// arrived or has none left). Bits past `count` are 0.
    void (*step)(const AbutParticleStep* step, size_t count, uint32_t* arrived, uint32_t* done);

    /// The same steps for particles with `steps` samples each, between two fields. at, distance and gradient
    /// become those of the last sample for particles that arrive, whose bits are set. Returns the count of
    /// samples of each field.
    size_t (*walk)(const AbutFieldPairBatch* walk, uint32_t steps, float epsilon, float relaxation,
                   uint32_t* arrived);
} AbutParticleKernels;

ABUT_KERNELS(AbutParticleKernels, abut_particle_kernels)

#endif
