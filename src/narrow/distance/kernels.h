/// @file kernels.h
/// Boxes of two octrees, seen from each other: how far they are apart.
#ifndef ABUT_NARROW_DISTANCE_KERNELS_H
#define ABUT_NARROW_DISTANCE_KERNELS_H

#include "simd/dispatch.h"

#include <stdint.h>

/// How the grids of A and B are turned against each other. Lengths are in cells of A.
typedef struct AbutClosestPairRotation
{
    /// corner[s][f]: what is added to the way from the middle of the box of f to that of the other, in the
    /// frame of f, when the box of s is moved to the eight corners of a cube with sides of 2 cells of s
    /// around its middle.
    float corner[2][2][3][8];
} AbutClosestPairRotation;

/// Two boxes, one of each side.
typedef struct AbutClosestPairBoxes
{
    float to_other[2][3]; // from the middle of each to that of the other, in its frame
    float half_space
        [2][4];    // of each in its frame (field/bounds/half_spaces.h): normal, and offset from the middle
    float half[2]; // sides
    float low;     // what is in them is proved to be so far apart
} AbutClosestPairBoxes;

/// The eight parts of one of them.
typedef struct AbutClosestPairChildren
{
    int side;                   // whose box is divided: 0 for A
    const int16_t* numbers;     // as centers are kept
    int limits[2];              // parts with numbers beyond these hold nothing
    const uint8_t* half_spaces; // as they are kept; NULL: that of the box is theirs, too
    float half_space_unit;      // a step of their offsets
    float step;     // from the middle of the box to those of the parts along each axis, in its own cells
    float rounding; // is taken off
} AbutClosestPairChildren;

typedef struct AbutClosestPairKernels
{
    /// Lower bounds of how far the parts are from the other box. Returns a bit for each that may be nearer
    /// than `limit`; `least` has eight running minima of the bounds of others, but for parts that hold
    /// nothing.
    unsigned (*divide)(const AbutClosestPairRotation* rotation, const AbutClosestPairBoxes* boxes,
                       const AbutClosestPairChildren* children, float limit, float low[8], float least[8]);
} AbutClosestPairKernels;

ABUT_KERNELS(AbutClosestPairKernels, abut_closest_pair_kernels)

#endif
