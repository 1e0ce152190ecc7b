/// @file particle_kernels.h
/// Particles that are projected onto what two shapes have in common: a step of them, or, for two fields, all of their way
/// without leaving the registers.
#ifndef ABUT_SIMD_PARTICLE_KERNELS_H
#define ABUT_SIMD_PARTICLE_KERNELS_H

#include "simd/field_kernels.h"

#include <abut/math.h>

enum
{
    ABUT_WALK_MOST = 256 // particles of a call
};

/// A field, and where it stands in the frame of points.
typedef struct AbutFieldSide
{
    const AbutFieldView* view;
    const struct AbutKernelTransform* transform; // NULL: in that frame
    uint32_t format;                             // AbutFieldFormat
    float inflate;                               // the solid is taken to be larger by this all round
} AbutFieldSide;

/// Points and samples of both fields there, in arrays.
typedef struct AbutWalk
{
    const AbutFieldSide* sides; // two
    float* at[3];
    float* distance[2];
    float* gradient[2][3];
    size_t count; // 1 to ABUT_WALK_MOST
} AbutWalk;

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

    /// The same steps for particles that have `steps` samples each, between two fields. at, distance and gradient become those of
    /// the last sample for particles that arrive, which the bits say. Returns how many samples of each field it took.
    size_t (*walk)(const AbutWalk* walk, uint32_t steps, float epsilon, float relaxation, uint32_t* arrived);

    /// Samples of both fields where the points are. Arrays have room for whole groups of eight.
    void (*sample)(const AbutWalk* walk);

    /// AbutPairKernels.approach for at most `steps` steps, with the samples between them: at, distance and gradient become
    /// those of the last sample. Returns how many of each field it took.
    size_t (*project)(const AbutWalk* walk, uint32_t steps, float target);
} AbutParticleKernels;

#endif
