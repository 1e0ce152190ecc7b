/// @file kernels.h
/// Kernels of segments through fields: many at once, and the test of the cell that each is in.
#ifndef ABUT_CAST_KERNELS_H
#define ABUT_CAST_KERNELS_H

#include "cast/crossing_kernels.h"
#include "cast/ray_kernels.h"
#include "simd/dispatch.h"

typedef struct AbutCastKernels
{
    /// Adds rays for `count` segments; their numbers are the caller's affair. Stuck are those that no kernel
    /// can handle: not finite, from far away, or outside of the grid where something may be met.
    void (*begin)(const AbutRayField* field, AbutPoints from, AbutPoints to, size_t count, AbutRays* rays,
                  AbutRayStates states);

    /// Each ray goes one step by proved distances; stuck where they are too small.
    void (*step)(const AbutRayField* field, AbutRays* rays, AbutRayStates states);

    /// Asks for the memory that crossing the cells of the rays from `first` on will need: best a turn before.
    void (*prepare)(const AbutRayField* field, const AbutRays* rays, size_t first);

    /// Each ray goes through one cell and as far beyond as the cell's values allow; order 0. Stuck where the
    /// cell may have a crossing. `above` gets how far over σ a ray is.
    void (*cross)(const AbutRayField* field, AbutRays* rays, AbutRayStates states,
                  float above[ABUT_RAYS_PADDED]);

    AbutCrossingKernel* cell_crossing;
} AbutCastKernels;

ABUT_KERNELS(AbutCastKernels, abut_cast_kernels)

#endif
