/// @file pair_kernels.h
/// Points between two solids, many at once: steps towards both, and what far nodes of fields prove of boxes around them.
#ifndef ABUT_SIMD_PAIR_KERNELS_H
#define ABUT_SIMD_PAIR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Arrays of points; they have room for whole groups of eight.
typedef struct AbutPairPoints
{
    float* at[3];
    const float* distance[2];
    const float* gradient[2][3];
} AbutPairPoints;

/// A field as seen from another frame.
typedef struct AbutFarField
{
    const void* nodes;
    const uint32_t* slots; // of bricks; NULL for a dense field
    uint32_t format;       // AbutFieldFormat
    float cells[3];
    uint32_t bricks[3];
    uint32_t row, slab, fine_start;       // of nodes, as in AbutFieldView
    float value_scale;                    // numbers of nodes to cells
    float relative_error, absolute_error; // of a node's value, in cells
    float to_grid[3][4];                  // a point of the outer frame to cells
    float turn[3][3];                     // the rotation of it alone
    float unit;                           // length of a cell in the outer frame
    float inverse_growth;                 // of what the field is of
    float rounding;                       // of lengths in the outer frame
} AbutFarField;

typedef struct AbutPairKernels
{
    /// Moves each point that is further than `target` from a solid: to the surface of the one that is further away, or the shortest way
    /// to both when that takes both, as far as the gradients tell. moved[i] is 1 or 0.
    void (*approach)(const AbutPairPoints* points, size_t count, float target, uint8_t* moved);

    /// Lower bounds of the larger of both distances over boxes around the points that are wanted (and perhaps others), of half sides
    /// half · scale[i]; see search/gap_bound.h. NaN or −INFINITY where nothing is known.
    void (*low_between)(const AbutFarField fields[2], const AbutPairPoints* points, size_t count,
                        const uint8_t* wanted, const float half[3], const float* scale, float* low);
} AbutPairKernels;

#endif
