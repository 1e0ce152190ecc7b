/// @file particle_kernels.h
/// A step of particles that are projected onto what two shapes have in common.
#ifndef ABUT_SIMD_PARTICLE_KERNELS_H
#define ABUT_SIMD_PARTICLE_KERNELS_H

#include <abut/vec.h>

typedef struct AbutParticleKernels
{
    /// next ← at − relaxation · max(a, b) · ∇(the larger one; a where they are equal), for samples of two shapes, and
    /// larger ← max(a, b), NaN where one of the two is.
    void (*step)(AbutPoints at, AbutSamples a, AbutSamples b, float relaxation, size_t count,
                 float* const next[3], float* larger);
} AbutParticleKernels;

#endif
