/// @file crossing_kernels.h
/// The test of the one cell that a segment is in, for many segments: the quick way through
/// cast/cell_crossing.c, in double and with the same bits. Where it is not as simple as that, nothing is
/// found, and the test itself has to look.
#ifndef ABUT_CAST_CROSSING_KERNELS_H
#define ABUT_CAST_CROSSING_KERNELS_H

#include "cast/ray_kernels.h"

/// What the test and the kernel must agree on.
#define ABUT_CAST_MIN_DISPLACEMENT 1e-12 // less than this in cells is no movement
#define ABUT_CAST_POSITION_ROUNDING                                                                          \
    0x1p-48 // a line from far away has no better places than this part of the way
#define ABUT_CAST_VALUE_ROUNDING 0x1p-21 // values in float are off by a few of its steps
#define ABUT_CUBIC_ROOT_TOLERANCE 1e-9   // roots are found to within this part of the curve
#define ABUT_CUBIC_NEWTON_TOLERANCE 1e-6 // a step of Newton's as short as this has landed within that
#define ABUT_CUBIC_NEWTON_MAX_STEPS 6    // of Newton's, when they are left alone

/// A field of floats.
typedef struct AbutCrossingField
{
    const float* nodes;
    const uint32_t* slots; // per brick; NULL for a dense field
    uint32_t brick_row, brick_slab;
    size_t row, slab, fine_start;
    double origin[3], per_length;
    double iso, rounding; // in cells
    int32_t cells[3];
} AbutCrossingField;

typedef struct AbutCellCrossings
{
    float from[3][ABUT_RAYS_PADDED], to[3][ABUT_RAYS_PADDED]; // segments in the shape's frame
    float time[ABUT_RAYS_PADDED];                             // at which they are in their cells
    double touch[ABUT_RAYS_PADDED];                           // when they first touch there
    uint8_t has_crossing[ABUT_RAYS_PADDED];
} AbutCellCrossings;

/// Fills touch and found of the first `count`.
typedef void AbutCrossingKernel(const AbutCrossingField* field, AbutCellCrossings* crossings, size_t count);

#endif
