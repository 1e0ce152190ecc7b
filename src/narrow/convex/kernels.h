/// @file kernels.h
/// The iterations over the difference of two cores, compiled for every instruction set: supports in lanes are
/// inlined into them.
#ifndef ABUT_NARROW_CONVEX_KERNELS_H
#define ABUT_NARROW_CONVEX_KERNELS_H

#include "narrow/convex/convex.h"
#include "simd/dispatch.h"

typedef struct AbutConvexKernels
{
    void (*gjk)(const AbutConvexPair* pair, AbutConvexQuestion question, const AbutGjkStart* start,
                AbutGjkResult* out);

    /// From the simplex of the result of GJK; any simplex will do.
    void (*epa)(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutEpaResult* out);
} AbutConvexKernels;

ABUT_KERNELS(AbutConvexKernels, abut_convex_kernels)

#endif
