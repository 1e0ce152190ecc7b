// Vectors of lanes and samples of distances.
//
// The texts named *_math.inl compile unchanged as C, for every instruction set, and as GLSL. So they have no
// pointers, casts, compound literals or designated initialisers; structs are passed by value or through the
// names *Ref; memory is read by functions of the layers; `sample`, `half`, `in` and `out` are no identifiers.
// Every sum, difference and product is a call, so that none is contracted with another.
#ifndef ABUT_SIMD_VEC_MATH_INL
#define ABUT_SIMD_VEC_MATH_INL

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
    return WideVec(wide_sub(a.x, b.x), wide_sub(a.y, b.y), wide_sub(a.z, b.z));
}

KERNEL_INLINE WideVec scale3(WideVec v, Wide s)
{
    return WideVec(wide_mul(v.x, s), wide_mul(v.y, s), wide_mul(v.z, s));
}

/// a + s b.
KERNEL_INLINE WideVec add_scaled(WideVec a, Wide s, WideVec b)
{
    return WideVec(wide_add(a.x, wide_mul(s, b.x)), wide_add(a.y, wide_mul(s, b.y)),
                   wide_add(a.z, wide_mul(s, b.z)));
}

KERNEL_INLINE WideVec select3(WideMask mask, WideVec a, WideVec b)
{
    return WideVec(wide_select(mask, a.x, b.x), wide_select(mask, a.y, b.y), wide_select(mask, a.z, b.z));
}

KERNEL_INLINE WideSample choose_sample(WideMask mask, WideSample a, WideSample b)
{
    return WideSample(wide_select(mask, a.distance, b.distance), select3(mask, a.gradient, b.gradient));
}

/// 1/length, or 0 where it is not positive.
KERNEL_INLINE Wide inverse_length(Wide length)
{
    return wide_select(wide_less(wide_zero(), length), wide_div(wide_splat(1.0f), length), wide_zero());
}

/// The difference to a coordinate in two floats, so that differences of large numbers are exact.
KERNEL_INLINE Wide shift(Wide a, float high, float low)
{
    return wide_sub(wide_sub(a, wide_splat(high)), wide_splat(low));
}

#endif
