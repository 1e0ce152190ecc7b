// Vectors of lanes, and samples of distances: over one Wide, whatever it is. The includer has defined Wide,
// its operations and KERNEL_INLINE.
#ifndef ABUT_SIMD_VEC_LANES_INL
#define ABUT_SIMD_VEC_LANES_INL

typedef struct WideVec
{
    Wide x, y, z;
} WideVec;

typedef struct WideSample
{
    Wide distance;
    WideVec gradient;
} WideSample;

KERNEL_INLINE Wide dot2(Wide ax, Wide ay, Wide bx, Wide by)
{
    return wide_add(wide_mul(ax, bx), wide_mul(ay, by));
}

KERNEL_INLINE Wide dot3(WideVec a, WideVec b)
{
    return wide_add(dot2(a.x, a.y, b.x, b.y), wide_mul(a.z, b.z));
}

KERNEL_INLINE WideVec sub3(WideVec a, WideVec b)
{
    return (WideVec){ wide_sub(a.x, b.x), wide_sub(a.y, b.y), wide_sub(a.z, b.z) };
}

KERNEL_INLINE WideVec scale3(WideVec v, Wide s)
{
    return (WideVec){ wide_mul(v.x, s), wide_mul(v.y, s), wide_mul(v.z, s) };
}

KERNEL_INLINE WideVec select3(WideMask mask, WideVec a, WideVec b)
{
    return (WideVec){ wide_select(mask, a.x, b.x), wide_select(mask, a.y, b.y), wide_select(mask, a.z, b.z) };
}

/// 1/length, or 0 where it is not positive.
KERNEL_INLINE Wide inverse_length(Wide length)
{
    return wide_select(wide_less(wide_zero(), length), wide_div(wide_splat(1.0f), length), wide_zero());
}

#endif
