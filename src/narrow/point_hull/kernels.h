/// @file kernels.h
/// Lower bounds of distances from few samples of them.
#ifndef ABUT_NARROW_POINT_HULL_KERNELS_H
#define ABUT_NARROW_POINT_HULL_KERNELS_H

#include "simd/dispatch.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    ABUT_BALL_CORNERS = 8
};

/// What is known about a solid: it is in a box, and no closer to each corner than `low`.
typedef struct AbutBallBounds
{
    float min[3], max[3];
    float corner[ABUT_BALL_CORNERS][3];
    float low[ABUT_BALL_CORNERS]; // less its rounding; -INFINITY for none
    uint32_t corner_count;        // 0: the box alone
} AbutBallBounds;

typedef struct AbutBallKernels
{
    /// out[i]: lower bound of the distance of point i from the solid, rounding included. Distances of a solid
    /// are 1-Lipschitz: each corner x has d(c) >= low - |c - x|. Arrays have a capacity of whole groups of
    /// eight.
    void (*bound)(const AbutBallBounds* bounds, const float* const at[3], size_t count, float* out);
} AbutBallKernels;

ABUT_KERNELS(AbutBallKernels, abut_ball_kernels)

#endif
