// Half spaces of boxes of an octree, and supports in them, in lanes.
#ifndef ABUT_FIELD_BOUNDS_HALF_SPACE_LANES_INL
#define ABUT_FIELD_BOUNDS_HALF_SPACE_LANES_INL

#include "simd/lanes.inl"

KERNEL_INLINE WideVec abs3(WideVec v)
{
    return (WideVec){ wide_abs(v.x), wide_abs(v.y), wide_abs(v.z) };
}

KERNEL_INLINE Wide sum3(WideVec v)
{
    return wide_add(wide_add(v.x, v.y), v.z);
}

typedef struct WideHalfSpace
{
    WideVec normal;
    Wide offset;
} WideHalfSpace;

KERNEL_INLINE WideHalfSpace splat_half_space(const float half_space[4])
{
    return (
        WideHalfSpace){ { wide_splat(half_space[0]), wide_splat(half_space[1]), wide_splat(half_space[2]) },
                        wide_splat(half_space[3]) };
}

KERNEL_INLINE Wide half_space_bytes(const uint8_t* bytes, float unit)
{
    return wide_mul(wide_sub(wide_int_to_float(wide_int_load_bytes(bytes)), wide_splat(128.0f)),
                    wide_splat(unit));
}

/// Support of the part of a box in a half space along v, times the length of v: with λ ≥ 0, v·d = λ n·d + (v
/// − λn)·d. The sum of both maxima is least at λ = 0 or where a coordinate of v − λn is 0. Larger λ, in
/// which rounding matters, count as `most`.
KERNEL_INLINE Wide half_space_support(WideVec v, Wide most, const WideHalfSpace* half_space, Wide half)
{
    const Wide scales[3] = { wide_div(v.x, half_space->normal.x), wide_div(v.y, half_space->normal.y),
                             wide_div(v.z, half_space->normal.z) };
    Wide best = wide_mul(half, sum3(abs3(v)));
    for (int i = 0; i < 3; ++i)
    {
        Wide scale = wide_max(wide_min(scales[i], most), wide_zero());
        Wide remainder = wide_mul(half, sum3(abs3(sub3(v, scale3(half_space->normal, scale)))));
        best = wide_min(wide_add(wide_mul(scale, half_space->offset), remainder), best);
    }
    return best;
}

#endif
