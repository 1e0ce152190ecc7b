// Bodies of the kernels, written once and compiled per instruction set: a file defines ABUT_WIDE_<SET>,
// includes this one and fills KERNEL_TABLE. The formulas are exact distances; shape.h says what they choose
// where a gradient is undefined. A NaN coordinate makes its lane NaN: operands of min and max stand so that
// the second, which wins when one is NaN, is the one that may be.

#include "simd/kernels.h"
#include "simd/wide.h"

#include <math.h>

// Sanitizers check every access; with a whole kernel in one function compilers take minutes for that.
#ifdef ABUT_SANITIZED
#define KERNEL_INLINE static inline
#else
#define KERNEL_INLINE static inline __attribute__((always_inline))
#endif

#include "simd/primitive_bodies.inl"

// ---------------------------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------------------------

/// `n` floats, fewer than the lanes, with zeros behind them.
static Wide load_part(const float* p, size_t n)
{
    float lanes[WIDE_LANES] = { 0.0f };
    memcpy(lanes, p, n * sizeof(float));
    return wide_load(lanes);
}

static void store_part(float* p, size_t n, Wide a)
{
    float lanes[WIDE_LANES];
    wide_store(lanes, a);
    memcpy(p, lanes, n * sizeof(float));
}

KERNEL_INLINE Wide load_lanes(const float* p, size_t n)
{
    return n == WIDE_LANES ? wide_load(p) : load_part(p, n);
}

KERNEL_INLINE void store_lanes(float* p, size_t n, Wide a)
{
    if (n == WIDE_LANES)
    {
        wide_store(p, a);
    }
    else
    {
        store_part(p, n, a);
    }
}

KERNEL_INLINE WideVec load_points(AbutPoints points, size_t i, size_t n)
{
    return (WideVec){ load_lanes(points.x + i, n), load_lanes(points.y + i, n), load_lanes(points.z + i, n) };
}

KERNEL_INLINE WideSample load_samples(AbutSamples s, size_t i, size_t n, bool gradient)
{
    WideSample sample = { load_lanes(s.distance + i, n), { wide_zero(), wide_zero(), wide_zero() } };
    if (gradient)
    {
        sample.gradient = (WideVec){ load_lanes(s.gradient_x + i, n), load_lanes(s.gradient_y + i, n),
                                     load_lanes(s.gradient_z + i, n) };
    }
    return sample;
}

/// A lane whose distance is NaN gets a NaN gradient.
KERNEL_INLINE void store_samples(AbutSamples s, size_t i, size_t n, WideSample sample, bool gradient)
{
    store_lanes(s.distance + i, n, sample.distance);
    if (gradient)
    {
        WideMask number = wide_less_equal(sample.distance, sample.distance);
        WideVec nan = { sample.distance, sample.distance, sample.distance };
        WideVec g = select3(number, sample.gradient, nan);
        store_lanes(s.gradient_x + i, n, g.x);
        store_lanes(s.gradient_y + i, n, g.y);
        store_lanes(s.gradient_z + i, n, g.z);
    }
}

/// Runs STATEMENT for full groups of lanes and once more for what is left; `i` is the first item, `n` how
/// many.
#define FOR_LANES(count, STATEMENT)                                                                          \
    do                                                                                                       \
    {                                                                                                        \
        size_t i = 0;                                                                                        \
        for (; i + WIDE_LANES <= (count); i += WIDE_LANES)                                                   \
        {                                                                                                    \
            const size_t n = WIDE_LANES;                                                                     \
            STATEMENT;                                                                                       \
        }                                                                                                    \
        if (WIDE_LANES > 1 && i < (count))                                                                   \
        {                                                                                                    \
            const size_t n = (count)-i;                                                                      \
            STATEMENT;                                                                                       \
        }                                                                                                    \
    } while (0)

KERNEL_INLINE void run_primitive(WideBody* body, const float* parameters, AbutPoints points, size_t count,
                                 AbutSamples out, bool gradient)
{
    Wide p[ABUT_KERNEL_PARAMETERS];
    for (int k = 0; k < ABUT_KERNEL_PARAMETERS; ++k)
    {
        p[k] = wide_splat(parameters[k]);
    }
    FOR_LANES(count, store_samples(out, i, n, body(p, load_points(points, i, n)), gradient));
}

/// Two loops per kernel, with and without the gradient, so that the work of the gradient vanishes where
/// nobody asks.
#define WITH_AND_WITHOUT_GRADIENT(samples, CALL)                                                             \
    do                                                                                                       \
    {                                                                                                        \
        if ((samples).gradient_x != NULL)                                                                    \
        {                                                                                                    \
            const bool gradient = true;                                                                      \
            CALL;                                                                                            \
        }                                                                                                    \
        else                                                                                                 \
        {                                                                                                    \
            const bool gradient = false;                                                                     \
            CALL;                                                                                            \
        }                                                                                                    \
    } while (0)

#define PRIMITIVE_KERNEL(name)                                                                               \
    static void name##_kernel(const float* parameters, AbutPoints points, size_t count, AbutSamples out)     \
    {                                                                                                        \
        WITH_AND_WITHOUT_GRADIENT(out,                                                                       \
                                  run_primitive(name##_body, parameters, points, count, out, gradient));     \
    }

PRIMITIVE_KERNEL(sphere)
PRIMITIVE_KERNEL(rounded_box)
PRIMITIVE_KERNEL(capsule)
PRIMITIVE_KERNEL(cylinder)
PRIMITIVE_KERNEL(cone)
PRIMITIVE_KERNEL(torus)
PRIMITIVE_KERNEL(plane)

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

KERNEL_INLINE WideVec multiply_matrix(const float m[3][3], WideVec v)
{
    return (WideVec){
        dot3((WideVec){ wide_splat(m[0][0]), wide_splat(m[0][1]), wide_splat(m[0][2]) }, v),
        dot3((WideVec){ wide_splat(m[1][0]), wide_splat(m[1][1]), wide_splat(m[1][2]) }, v),
        dot3((WideVec){ wide_splat(m[2][0]), wide_splat(m[2][1]), wide_splat(m[2][2]) }, v),
    };
}

KERNEL_INLINE Wide shift(Wide a, float high, float low)
{
    return wide_sub(wide_sub(a, wide_splat(high)), wide_splat(low));
}

KERNEL_INLINE WideVec into_frame(const AbutKernelTransform* t, WideVec v)
{
    WideVec shifted = { shift(v.x, t->high[0], t->low[0]), shift(v.y, t->high[1], t->low[1]),
                        shift(v.z, t->high[2], t->low[2]) };
    return multiply_matrix(t->matrix, shifted);
}

static void transform_kernel(const AbutKernelTransform* transform, AbutPoints points, size_t count, float* x,
                             float* y, float* z)
{
    const AbutKernelTransform t = *transform; // a copy, which the stores below cannot alias
    FOR_LANES(count, WideVec v = into_frame(&t, load_points(points, i, n)); store_lanes(x + i, n, v.x);
              store_lanes(y + i, n, v.y); store_lanes(z + i, n, v.z));
}

KERNEL_INLINE WideSample out_of_frame(const AbutKernelTransform* t, WideSample sample)
{
    return (WideSample){ wide_mul(sample.distance, wide_splat(t->scale)),
                         multiply_matrix(t->rotation, sample.gradient) };
}

static void transform_back_kernel(const AbutKernelTransform* transform, AbutSamples samples, size_t count)
{
    const AbutKernelTransform t = *transform;
    WITH_AND_WITHOUT_GRADIENT(
        samples,
        FOR_LANES(count, store_samples(samples, i, n, out_of_frame(&t, load_samples(samples, i, n, gradient)),
                                       gradient)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Combinations and changes, in place
// ---------------------------------------------------------------------------------------------------------------------

KERNEL_INLINE WideSample negated(WideSample s)
{
    return (
        WideSample){ wide_negate(s.distance),
                     { wide_negate(s.gradient.x), wide_negate(s.gradient.y), wide_negate(s.gradient.z) } };
}

KERNEL_INLINE WideSample choose_sample(WideMask mask, WideSample a, WideSample b)
{
    return (WideSample){ wide_select(mask, a.distance, b.distance), select3(mask, a.gradient, b.gradient) };
}

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
    // Equal ones may be infinite, far away, and ∞ − ∞ is no number.
    Wide gap = wide_select(equal, wide_zero(), wide_abs(wide_sub(a.distance, b.distance)));
    Wide h = wide_div(wide_max(wide_zero(), wide_sub(k, gap)), k);
    WideMask a_wins = wide_less_equal(a.distance, b.distance);
    WideSample low = choose_sample(a_wins, a, b), high = choose_sample(a_wins, b, a);
    Wide weight = wide_mul(h, wide_splat(0.5f));
    Wide rest = wide_sub(wide_splat(1.0f), weight);
    WideVec gl = scale3(low.gradient, rest), gh = scale3(high.gradient, weight);
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

// ---------------------------------------------------------------------------------------------------------------------
// Half precision
// ---------------------------------------------------------------------------------------------------------------------

static void half_to_float_kernel(const uint16_t* halves, size_t count, float* floats)
{
    size_t i = 0;
    for (; i + WIDE_LANES <= count; i += WIDE_LANES)
    {
        wide_store(floats + i, wide_load_half(halves + i));
    }
    for (; i < count; ++i)
    {
        floats[i] = wide_half_to_float_1(halves[i]);
    }
}

static void float_to_half_kernel(const float* floats, size_t count, uint16_t* halves)
{
    size_t i = 0;
    for (; i + WIDE_LANES <= count; i += WIDE_LANES)
    {
        wide_store_half(halves + i, wide_load(floats + i));
    }
    for (; i < count; ++i)
    {
        halves[i] = wide_float_to_half_1(floats[i]);
    }
}

#include "simd/bound_kernels.inl"
#include "simd/box_kernels.inl"
#include "simd/center_kernels.inl"
#include "simd/choice_kernels.inl"
#include "simd/field_kernels.inl"
#include "simd/look_kernels.inl"
#include "simd/pair_kernels.inl"
#include "simd/particle_kernels.inl"
#include "simd/search_kernels.inl"
#include "simd/segment_kernels.inl"
#include "simd/solve_kernels.inl"
#include "simd/triangle_kernels.inl"

// Reads nodes as pair kernels do.
#include "simd/gap_kernels.inl"

// Goes through cells as segment kernels do.
#include "simd/trace_kernels.inl"

#define KERNEL_TABLE(set_name)                                                                               \
    {                                                                                                        \
        .name = set_name, .sphere = sphere_kernel, .rounded_box = rounded_box_kernel,                        \
        .capsule = capsule_kernel, .cylinder = cylinder_kernel, .cone = cone_kernel, .torus = torus_kernel,  \
        .plane = plane_kernel, .transform = transform_kernel, .transform_back = transform_back_kernel,       \
        .minimum = minimum_kernel, .maximum = maximum_kernel, .difference = difference_kernel,               \
        .smooth_minimum = smooth_minimum_kernel, .offset = offset_kernel, .shell = shell_kernel,             \
        .scale = scale_kernel, .half_to_float = half_to_float_kernel, .float_to_half = float_to_half_kernel, \
        .triangles = TRIANGLE_KERNEL_TABLE, .fields = FIELD_KERNEL_TABLE, .bounds = BOUND_KERNEL_TABLE,      \
        .centers = CENTER_KERNEL_TABLE, .pairs = PAIR_KERNEL_TABLE, .boxes = BOX_KERNEL_TABLE,               \
        .particles = PARTICLE_KERNEL_TABLE, .searches = SEARCH_KERNEL_TABLE,                                 \
        .segments = SEGMENT_KERNEL_TABLE, .gaps = GAP_KERNEL_TABLE, .look = look_kernel,                     \
        .score = choice_kernel, .solve = SOLVE_KERNEL_TABLE, .traces = TRACE_KERNEL_TABLE,                   \
    }
