/// @file kernels.h
/// Vertices and planes of a hull in lanes. Of equal values the first index wins.
#ifndef ABUT_HULL_KERNELS_H
#define ABUT_HULL_KERNELS_H

#include "math/dvec3.h"
#include "simd/dispatch.h"

typedef struct AbutHullKernels
{
    /// The vertex with the largest direction · v. `lanes`: all x, then all y, then all z, `count` each, a
    /// multiple of 8.
    uint32_t (*support)(const float* lanes, uint32_t count, AbutDVec3 direction);

    /// The plane with the largest normal · point − offset. `planes`: components x, y, z of the normals, then
    /// offsets, `count` each, a multiple of 4.
    uint32_t (*highest_plane)(const double* planes, uint32_t count, AbutDVec3 point, double* height);
} AbutHullKernels;

ABUT_KERNELS(AbutHullKernels, abut_hull_kernels)

#endif
