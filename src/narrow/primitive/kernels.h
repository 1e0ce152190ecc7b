/// @file kernels.h
/// Pairs of spheres and capsules in lanes, and pairs of boxes that an axis of faces separates.
#ifndef ABUT_NARROW_PRIMITIVE_KERNELS_H
#define ABUT_NARROW_PRIMITIVE_KERNELS_H

#include <abut/narrow.h>

#include "simd/dispatch.h"

#include <stdint.h>

enum
{
    ABUT_ROUND_LANES = 64
};

/// Pairs of spheres, of a capsule and a sphere or capsule, or of boxes and rounded boxes, neither placed nor
/// offset: body by body, A first. Lanes beyond the count, up to a multiple of four, have valid pointers and
/// numbers.
typedef struct AbutRoundPairs
{
    uint32_t count;
    double margin;
    const AbutPose* poses[2][ABUT_ROUND_LANES];
    const double* sizes[2][ABUT_ROUND_LANES]; // abut_shape_parameters()
    double half_length[2][ABUT_ROUND_LANES];  // of the segment; 0 of a sphere; of pairs with a capsule only
} AbutRoundPairs;

/// Numbers of a pair as abut_primitive_round() and the method "primitives" have them, with the same bits.
typedef struct AbutRoundAnswers
{
    int32_t state[ABUT_ROUND_LANES]; // AbutCollideState
    float gap[ABUT_ROUND_LANES];
    float uncertainty[ABUT_ROUND_LANES];
    /// −1: invalid poses, or numbers that the formula of lanes does not serve (a common point of both cores,
    /// parallel segments, lengths beyond those of float, boxes within the margin by the axes of their faces);
    /// the rest is undefined then. Else 0.
    int32_t unserved[ABUT_ROUND_LANES];
    int32_t within[ABUT_ROUND_LANES];   // −1: the contact is within the margin; else 0
    float separation[ABUT_ROUND_LANES]; // of the contact
    // Of spheres and capsules alone:
    float position[3][ABUT_ROUND_LANES]; // of the contact
    float normal[3][ABUT_ROUND_LANES];
    float anchor_a[3][ABUT_ROUND_LANES];
    float anchor_b[3][ABUT_ROUND_LANES];
} AbutRoundAnswers;

typedef struct AbutRoundKernels
{
    void (*spheres)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
    void (*capsules)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
    void (*boxes)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
} AbutRoundKernels;

ABUT_KERNELS(AbutRoundKernels, abut_round_kernels)

#endif
