/// @file particle_kernels.h
/// A step of particles that are projected onto what two shapes have in common.
#ifndef ABUT_SIMD_PARTICLE_KERNELS_H
#define ABUT_SIMD_PARTICLE_KERNELS_H

#include <abut/vec.h>

typedef struct AbutParticleStep
{
    float* at[3];
    AbutSamples a, b; // of the two shapes there, with gradients
    float* left;      // samples that a particle may still have, with these
    float epsilon, relaxation;
} AbutParticleStep;

typedef struct AbutParticleKernels
{
    /// Particles have arrived where both distances are under epsilon. The others go
    ///     x ← x − relaxation · max(a, b) · ∇(the larger one; a where they are equal)
    /// and have a sample less left. Bit i % 32 of word i / 32 says that particle i has arrived, or is done: has arrived or has
    /// none left. Bits past `count` are 0.
    void (*step)(const AbutParticleStep* step, size_t count, uint32_t* arrived, uint32_t* done);
} AbutParticleKernels;

#endif
