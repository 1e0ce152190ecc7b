/// @file pair_kernels.h
/// Points between two solids in arrays, as kernels read them.
#ifndef ABUT_SEARCH_PAIR_KERNELS_H
#define ABUT_SEARCH_PAIR_KERNELS_H

#include "field/kernels.h"

#include <stddef.h>
#include <stdint.h>

/// Arrays of points, with a capacity of whole groups of eight.
typedef struct AbutPairPoints
{
    float* at[3];
    const float* distance[2];
    const float* gradient[2][3];
} AbutPairPoints;

enum
{
    ABUT_FIELD_PAIR_BATCH_MAX = 256 // particles of a call
};

/// A field, and its transform in the frame of points.
typedef struct AbutFieldSide
{
    const AbutFieldView* view;
    const struct AbutKernelTransform* transform; // NULL: in that frame
    uint32_t format;                             // AbutFieldFormat
    float inflate;                               // offset of the surface outwards
} AbutFieldSide;

/// Points and samples of both fields there, in arrays.
typedef struct AbutFieldPairBatch
{
    const AbutFieldSide* sides; // two
    float* at[3];
    float* distance[2];
    float* gradient[2][3];
    size_t count; // 1 to ABUT_FIELD_PAIR_BATCH_MAX
} AbutFieldPairBatch;

#endif
