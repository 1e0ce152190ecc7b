/// @file kernels.h
/// Kernels that sample grids, and the view of a field that they read.
#ifndef ABUT_FIELD_KERNELS_H
#define ABUT_FIELD_KERNELS_H

#include <abut/math.h>

#include "simd/dispatch.h"

enum
{
    ABUT_FIELD_KERNEL_FORMATS = 3 // in the order of AbutFieldFormat
};

typedef struct AbutFieldView
{
    const void* nodes;
    const uint32_t* slots; // per brick; NULL for a dense field
    float origin_high[3], origin_low[3];
    float cell_size, inverse_cell_size;
    uint32_t cell_count[3];
    uint32_t brick_row, brick_slab; // bricks per row and per slab
    uint32_t row, slab;             // nodes per row and per slab: of the dense grid, or of the coarse level
    uint32_t fine_start;            // number of the first node of the stored bricks
} AbutFieldView;

typedef void AbutFieldKernel(const AbutFieldView* view, AbutPoints points, size_t count, AbutSamples out);

typedef struct AbutFieldKernels
{
    AbutFieldKernel* dense[ABUT_FIELD_KERNEL_FORMATS];
    AbutFieldKernel* sparse[ABUT_FIELD_KERNEL_FORMATS];
} AbutFieldKernels;

ABUT_KERNELS(AbutFieldKernels, abut_field_kernels)

#endif
