/// @file kernels.h
/// Kernels of segments through fields: steps of many segments at once, and the test of one cell each.
#ifndef ABUT_CAST_KERNELS_H
#define ABUT_CAST_KERNELS_H

#include "cast/crossing_kernels.h"
#include "cast/ray_kernels.h"
#include "simd/dispatch.h"

typedef struct AbutCastKernels
{
    /// Adds rays for `count` segments; the caller sets their ids. Stuck are those that no kernel supports:
    /// not finite, from far away, or outside of the grid with a possible crossing there.
    void (*begin)(const AbutRayField* field, AbutPoints from, AbutPoints to, size_t count, AbutRays* rays,
                  AbutRayStates states);

    /// One step of each ray by proved distances; stuck where they are too small.
    void (*step)(const AbutRayField* field, AbutRays* rays, AbutRayStates states);

    /// Prefetches the cells of the rays from `first` on, one pass before `cross`.
    void (*prepare)(const AbutRayField* field, const AbutRays* rays, size_t first);

    /// One step of each ray through a cell and as far beyond as its values permit; order 0. Stuck where the
    /// cell has a possible crossing. `above`: value over σ after the step.
    void (*cross)(const AbutRayField* field, AbutRays* rays, AbutRayStates states,
                  float above[ABUT_RAYS_PADDED]);

    AbutCrossingKernel* cell_crossing;
} AbutCastKernels;

ABUT_KERNELS(AbutCastKernels, abut_cast_kernels)

#endif
