/// @file search_kernels.h
/// Parts of the space between two fields: what samples at their middles tell of them, and points that are sent into both
/// solids.
#ifndef ABUT_SIMD_SEARCH_KERNELS_H
#define ABUT_SIMD_SEARCH_KERNELS_H

#include "simd/pair_kernels.h"
#include "simd/particle_kernels.h"

/// Boxes of one shape. Arrays have room for whole groups of eight, with numbers in them.
typedef struct AbutPartBounds
{
    const AbutFieldSide* sides; // two
    const AbutFarField* far;    // the same
    const float* at[3];         // middles
    const float* radius;        // half-diagonals
    const float* scale;         // half sides are so many times `half`
    float half[3];
    float between;      // parts of at most this radius are looked at as what lies between two surfaces
    float clear;        // parts are open unless max(distance of A, distance of B) is over this all over them
    float error[2];     // of samples
    float* distance[2]; // out: at the middles
    float* gradient[2][3]; // out: the same; all NULL when not wanted
    float* low;            // out: lower bound of max(distance of A, distance of B) over the part
    size_t count;
} AbutPartBounds;

typedef struct AbutSearchKernels
{
    void (*bound)(const AbutPartBounds* parts);

    /// AbutPairKernels.approach for at most `steps` steps, with the samples between them, to where each point is as deep in each
    /// solid as `depth` says. at, distance and gradient become those of the last sample. Returns how many of each field
    /// it took.
    size_t (*enter)(const AbutWalk* walk, const float* const depth[2], uint32_t steps);
} AbutSearchKernels;

#endif
