/// @file kernels.h
/// Projection of points between two fields to where both distances are small.
#ifndef ABUT_NARROW_CONTACTS_KERNELS_H
#define ABUT_NARROW_CONTACTS_KERNELS_H

#include "search/pair_kernels.h"
#include "simd/dispatch.h"

typedef struct AbutProjectKernels
{
    /// At most `steps` steps of AbutSearchKernels.approach, with the samples between them: at, distance and
    /// gradient become those of the last sample. Returns the count of samples of each field.
    size_t (*project)(const AbutFieldPairBatch* walk, uint32_t steps, float target);
} AbutProjectKernels;

ABUT_KERNELS(AbutProjectKernels, abut_project_kernels)

#endif
