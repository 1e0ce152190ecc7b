/// @file kernels.h
/// Pairs of spheres and capsules in lanes.
#ifndef ABUT_NARROW_PRIMITIVE_KERNELS_H
#define ABUT_NARROW_PRIMITIVE_KERNELS_H

#include "simd/dispatch.h"

#include <stdint.h>

enum
{
    ABUT_ROUND_LANES = 8
};

/// Pairs of spheres, or of a capsule and a sphere or capsule, neither placed nor offset: body by body, A
/// first. Lanes beyond the count, up to a multiple of four, have valid numbers.
typedef struct AbutRoundPairs
{
    uint32_t count;
    double position[2][3][ABUT_ROUND_LANES];
    double rotation[2][4][ABUT_ROUND_LANES]; // x, y, z, w
    double scale[2][ABUT_ROUND_LANES];
    double radius[2][ABUT_ROUND_LANES];
    double half_length[2][ABUT_ROUND_LANES]; // of the segment; 0 of a sphere
    double is_parallel[ABUT_ROUND_LANES];    // 1: both rotations have the same bits; else 0
    double is_capsules[ABUT_ROUND_LANES];    // 1: both are capsules; else 0
} AbutRoundPairs;

/// Numbers of a pair as abut_primitive_round() and the method "primitives" have them, with the same bits.
typedef struct AbutRoundAnswers
{
    double low[ABUT_ROUND_LANES];
    double rounding[ABUT_ROUND_LANES];
    double separation[ABUT_ROUND_LANES];
    int64_t touching[ABUT_ROUND_LANES]; // 0 or −1
    /// −1: invalid poses, or numbers that the formula of lanes does not serve (a common point of both cores,
    /// parallel segments, lengths beyond those of float); the rest is undefined then. Else 0.
    int64_t unserved[ABUT_ROUND_LANES];
    float position[3][ABUT_ROUND_LANES]; // of the contact
    float normal[3][ABUT_ROUND_LANES];
    float anchor_a[3][ABUT_ROUND_LANES];
    float anchor_b[3][ABUT_ROUND_LANES];
} AbutRoundAnswers;

typedef struct AbutRoundKernels
{
    void (*spheres)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
    void (*capsules)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
} AbutRoundKernels;

ABUT_KERNELS(AbutRoundKernels, abut_round_kernels)

#endif
