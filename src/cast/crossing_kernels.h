/// @file crossing_kernels.h
/// The test of one cell per segment, for many segments: the simple case of cast/cell_crossing.c, in double
/// and with the same bits. In all other cases there is no result, and the test itself is needed.
#ifndef ABUT_CAST_CROSSING_KERNELS_H
#define ABUT_CAST_CROSSING_KERNELS_H

#include "cast/ray_kernels.h"

// Constants that the test and the kernel share.

/// Displacements below this, in cells, count as none.
#define ABUT_CAST_MIN_DISPLACEMENT 1e-12
/// Relative rounding of positions on a line from far away.
#define ABUT_CAST_POSITION_ROUNDING 0x1p-48
/// Relative error of values in float.
#define ABUT_CAST_VALUE_ROUNDING 0x1p-21
/// Precision of roots, as a fraction of the curve.
#define ABUT_CUBIC_ROOT_TOLERANCE 1e-9
/// A Newton step of this length ends within that precision.
#define ABUT_CUBIC_NEWTON_TOLERANCE 1e-6
/// Newton steps without a bracket.
#define ABUT_CUBIC_NEWTON_MAX_STEPS 6

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
    float time[ABUT_RAYS_PADDED];                             // of a position in the cell
    double touch[ABUT_RAYS_PADDED];                           // time of the first crossing in the cell
    uint8_t has_crossing[ABUT_RAYS_PADDED];
} AbutCellCrossings;

/// Fills touch and has_crossing of the first `count`.
typedef void AbutCrossingKernel(const AbutCrossingField* field, AbutCellCrossings* crossings, size_t count);

#endif
