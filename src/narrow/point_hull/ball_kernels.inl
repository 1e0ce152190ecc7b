// Lower bounds of distances from the box of a solid and samples at eight corners.
#ifndef ABUT_NARROW_POINT_HULL_BALL_KERNELS_INL
#define ABUT_NARROW_POINT_HULL_BALL_KERNELS_INL

#include "narrow/point_hull/kernels.h"
#include "simd/lanes.inl"

/// Lengths are within this of exact arithmetic, relative to themselves: five roundings, and some to spare.
#define LENGTH_ROUNDING 1e-6f

/// How far a coordinate is outside of an interval.
KERNEL_INLINE Wide outside_of(Wide at, float min, float max)
{
    return wide_max(wide_max(wide_sub(wide_splat(min), at), wide_sub(at, wide_splat(max))), wide_zero());
}

static void ball_bound_kernel(const AbutBallBounds* bounds, const float* const at[3], size_t count,
                              float* out)
{
    const Wide longer = wide_splat(1.0f + LENGTH_ROUNDING), shorter = wide_splat(1.0f - LENGTH_ROUNDING);
    for (size_t i = 0; i < count; i += WIDE_LANES)
    {
        WideVec p = { wide_load(at[0] + i), wide_load(at[1] + i), wide_load(at[2] + i) };
        WideVec off = { outside_of(p.x, bounds->min[0], bounds->max[0]),
                        outside_of(p.y, bounds->min[1], bounds->max[1]),
                        outside_of(p.z, bounds->min[2], bounds->max[2]) };
        Wide best = wide_mul(wide_sqrt(dot3(off, off)), shorter);
        for (size_t k = 0; k < bounds->corner_count; ++k)
        {
            WideVec corner = { wide_splat(bounds->corner[k][0]), wide_splat(bounds->corner[k][1]),
                               wide_splat(bounds->corner[k][2]) };
            WideVec from = sub3(p, corner);
            Wide length = wide_mul(wide_sqrt(dot3(from, from)), longer);
            best = wide_max(best, wide_sub(wide_splat(bounds->low[k]), length));
        }
        wide_store(out + i, best);
    }
}

#endif
