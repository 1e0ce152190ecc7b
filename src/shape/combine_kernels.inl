// Kernels of transformed, combined and modified shapes.
#ifndef ABUT_SHAPE_COMBINE_KERNELS_INL
#define ABUT_SHAPE_COMBINE_KERNELS_INL

#include "shape/frame_lanes.inl"

static void transform_kernel(const AbutKernelTransform* transform, AbutPoints points, size_t count, float* x,
                             float* y, float* z)
{
    const AbutKernelTransform t = *transform; // a copy, which the stores below cannot alias
    FOR_LANES(count, WideVec v = into_frame(&t, load_points(points, i, n)); store_lanes(x + i, n, v.x);
              store_lanes(y + i, n, v.y); store_lanes(z + i, n, v.z));
}

static void transform_back_kernel(const AbutKernelTransform* transform, AbutSamples samples, size_t count)
{
    const AbutKernelTransform t = *transform;
    WITH_AND_WITHOUT_GRADIENT(
        samples,
        FOR_LANES(count, store_samples(samples, i, n, out_of_frame(&t, load_samples(samples, i, n, gradient)),
                                       gradient)));
}

// -----------------------------------------------------------------------------------------------------------
// Combinations and modifications, in place
// -----------------------------------------------------------------------------------------------------------

/// Where a is NaN it stays; where b is NaN, b is taken.
KERNEL_INLINE WideSample minimum_of(WideSample a, WideSample b)
{
    WideMask b_number = wide_less_equal(b.distance, b.distance);
    WideMask a_wins = wide_and(b_number, wide_less_equal(a.distance, b.distance));
    WideSample smaller = choose_sample(a_wins, a, b);
    return choose_sample(wide_less_equal(a.distance, a.distance), smaller, a);
}

KERNEL_INLINE WideSample maximum_of(WideSample a, WideSample b)
{
    return negated(minimum_of(negated(a), negated(b)));
}

KERNEL_INLINE WideSample difference_of(WideSample a, WideSample b)
{
    return maximum_of(a, negated(b));
}

#define COMBINE_KERNEL(name)                                                                                 \
    static void name##_kernel(AbutSamples into, AbutSamples other, size_t count)                             \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(                                                                           \
            into, FOR_LANES(count, store_samples(into, i, n,                                                 \
                                                 name##_of(load_samples(into, i, n, gradient),               \
                                                           load_samples(other, i, n, gradient)),             \
                                                 gradient)));                                                \
    }

COMBINE_KERNEL(minimum)
COMBINE_KERNEL(maximum)
COMBINE_KERNEL(difference)

/// min(a, b) − h²·radius/4 with h = max(radius − |a − b|, 0)/radius; the larger one has the weight h/2 in the
/// gradient.
KERNEL_INLINE WideSample smooth_minimum_of(float radius, WideSample a, WideSample b)
{
    Wide k = wide_splat(radius);
    WideMask equal =
        wide_and(wide_less_equal(a.distance, b.distance), wide_less_equal(b.distance, a.distance));
    // Equal ones may be infinite, and ∞ − ∞ is NaN.
    Wide gap = wide_select(equal, wide_zero(), wide_abs(wide_sub(a.distance, b.distance)));
    Wide h = wide_div(wide_max(wide_zero(), wide_sub(k, gap)), k);
    WideMask a_wins = wide_less_equal(a.distance, b.distance);
    WideSample low = choose_sample(a_wins, a, b), high = choose_sample(a_wins, b, a);
    Wide weight = wide_mul(h, wide_splat(0.5f));
    Wide remainder = wide_sub(wide_splat(1.0f), weight);
    WideVec gl = scale3(low.gradient, remainder), gh = scale3(high.gradient, weight);
    Wide dip = wide_mul(wide_mul(h, h), wide_mul(k, wide_splat(0.25f)));
    return (WideSample){ wide_sub(low.distance, dip),
                         { wide_add(gl.x, gh.x), wide_add(gl.y, gh.y), wide_add(gl.z, gh.z) } };
}

static void smooth_minimum_kernel(float radius, AbutSamples into, AbutSamples other, size_t count)
{
    WITH_AND_WITHOUT_GRADIENT(
        into, FOR_LANES(count, store_samples(into, i, n,
                                             smooth_minimum_of(radius, load_samples(into, i, n, gradient),
                                                               load_samples(other, i, n, gradient)),
                                             gradient)));
}

KERNEL_INLINE WideSample offset_of(float amount, WideSample s)
{
    return (WideSample){ wide_sub(s.distance, wide_splat(amount)), s.gradient };
}

KERNEL_INLINE WideSample shell_of(float amount, WideSample s)
{
    WideSample outward = choose_sample(wide_less(s.distance, wide_zero()), negated(s), s);
    return offset_of(amount, outward);
}

KERNEL_INLINE WideSample scale_of(float amount, WideSample s)
{
    return (WideSample){ wide_mul(s.distance, wide_splat(amount)), scale3(s.gradient, wide_splat(amount)) };
}

#define MODIFY_KERNEL(name)                                                                                  \
    static void name##_kernel(float amount, AbutSamples samples, size_t count)                               \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(                                                                           \
            samples,                                                                                         \
            FOR_LANES(count,                                                                                 \
                      store_samples(samples, i, n, name##_of(amount, load_samples(samples, i, n, gradient)), \
                                    gradient)));                                                             \
    }

MODIFY_KERNEL(offset)
MODIFY_KERNEL(shell)
MODIFY_KERNEL(scale)

#endif
