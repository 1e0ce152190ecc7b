// A step of a point towards two solids: C and GLSL (simd/vec_math.inl).
#ifndef ABUT_SEARCH_APPROACH_MATH_INL
#define ABUT_SEARCH_APPROACH_MATH_INL

/// Squared length of the least gradient that leads anywhere.
#define LEAST_SQUARED_GRADIENT 1e-6f

/// Cosines under it count as 0, so that products with them are normal numbers: GPUs may flush the others.
#define LEAST_COSINE 8.673617379884035472e-19f // 2⁻⁶⁰

WIDE_STRUCT(WideApproach)
{
    WideVec at;
    WideMask moves;
};

/// Next position of a point.
KERNEL_INLINE WideApproach approach_step(WideVec at, WideSample sample_a, WideSample sample_b, Wide target)
{
    Wide a = wide_sub(sample_a.distance, target), b = wide_sub(sample_b.distance, target);
    WideVec ga = sample_a.gradient, gb = sample_b.gradient;
    Wide least = wide_splat(LEAST_SQUARED_GRADIENT);
    Wide aa = dot3(ga, ga), bb = dot3(gb, gb), ab = dot3(ga, gb);
    WideMask second = wide_less(a, b);
    WideVec g = select3(second, gb, ga);
    Wide d = wide_select(second, b, a), squared = wide_select(second, bb, aa);
    WideApproach next;
    next.moves = wide_and(wide_less(wide_zero(), d), wide_less(least, squared));
    // The shortest displacement that brings both distances to the target. It is long where the surfaces are
    // nearly parallel; and where one solid is already close enough, a step to the other suffices.
    ab = wide_keep(wide_less(wide_splat(LEAST_COSINE), wide_abs(ab)), ab);
    Wide product = wide_mul(aa, bb), determinant = wide_sub(product, wide_mul(ab, ab));
    Wide u = wide_div(wide_sub(wide_mul(a, bb), wide_mul(b, ab)), determinant);
    Wide v = wide_div(wide_sub(wide_mul(b, aa), wide_mul(a, ab)), determinant);
    WideMask both = wide_and(wide_less(wide_mul(wide_splat(1e-4f), product), determinant),
                             wide_and(wide_less(wide_zero(), u), wide_less(wide_zero(), v)));
    both = wide_and(both, wide_less(least, wide_min(aa, bb)));
    WideVec to_both = WideVec(wide_add(wide_mul(u, ga.x), wide_mul(v, gb.x)),
                              wide_add(wide_mul(u, ga.y), wide_mul(v, gb.y)),
                              wide_add(wide_mul(u, ga.z), wide_mul(v, gb.z)));
    // A little further, so that rounding does not leave the point short of the target for ever.
    WideVec displacement =
        scale3(select3(both, to_both, scale3(g, wide_div(d, squared))), wide_splat(1.001f));
    next.at = select3(next.moves, sub3(at, displacement), at);
    return next;
}

#endif
