/// @file kernels.h
/// Bounds of the distance of boxes of two octrees.
#ifndef ABUT_NARROW_DISTANCE_KERNELS_H
#define ABUT_NARROW_DISTANCE_KERNELS_H

#include "simd/dispatch.h"

#include <stdint.h>

/// The relative rotation of the grids of A and B. Lengths are in cells of A.
typedef struct AbutClosestPairRotation
{
    /// corner[s][f]: the change of the offset from the middle of the box of f to that of the other, in the
    /// frame of f, when the box of s moves to the eight corners of a cube with sides of 2 cells of s around
    /// its middle.
    float corner[2][2][3][8];
} AbutClosestPairRotation;

/// Two boxes, one of each side.
typedef struct AbutClosestPairBoxes
{
    float to_other[2][3];   // from the middle of each to that of the other, in its frame
    float half_space[2][4]; // of each in its frame: normal, and offset from the middle
    float half[2];          // half sides
    float low;              // proved distance of the surfaces in them
} AbutClosestPairBoxes;

/// The eight children of one of them.
typedef struct AbutClosestPairChildren
{
    int side;                   // whose box is divided: 0 for A
    const int16_t* numbers;     // of the distance octree
    int limits[2];              // children with numbers beyond these are empty
    const uint8_t* half_spaces; // as stored; NULL: that of the box holds
    float half_space_unit;      // of stored offsets
    float step;     // from the middle of the box to those of the children along each axis, in its own cells
    float rounding; // subtracted from bounds
} AbutClosestPairChildren;

typedef struct AbutClosestPairKernels
{
    /// Lower bounds of the distances of the children from the other box. Returns a bit for each that may be
    /// nearer than `limit`; `least` has eight running minima of the bounds of the others, but for empty ones.
    unsigned (*divide)(const AbutClosestPairRotation* rotation, const AbutClosestPairBoxes* boxes,
                       const AbutClosestPairChildren* children, float limit, float low[8], float least[8]);
} AbutClosestPairKernels;

ABUT_KERNELS(AbutClosestPairKernels, abut_closest_pair_kernels)

#endif
