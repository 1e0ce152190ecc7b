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

typedef struct WideVec
{
    Wide x, y, z;
} WideVec;

typedef struct WideSample
{
    Wide distance;
    WideVec gradient;
} WideSample;

typedef WideSample WideBody(const Wide* p, WideVec point);

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

/// −1 where a < 0, otherwise 1.
KERNEL_INLINE Wide sign_of(Wide a)
{
    return wide_select(wide_less(a, wide_zero()), wide_splat(-1.0f), wide_splat(1.0f));
}

KERNEL_INLINE Wide clamp_to(Wide a, Wide half_range)
{
    return wide_max(wide_negate(half_range), wide_min(half_range, a));
}

// ---------------------------------------------------------------------------------------------------------------------
// Primitives in their own frame
// ---------------------------------------------------------------------------------------------------------------------

/// Distance to a centre less a radius; +x where the point is the centre.
KERNEL_INLINE WideSample ball_at(WideVec from_center, Wide radius)
{
    Wide length = wide_sqrt(dot3(from_center, from_center));
    WideVec direction = scale3(from_center, inverse_length(length));
    WideVec plus_x = { wide_splat(1.0f), wide_zero(), wide_zero() };
    return (WideSample){ wide_sub(length, radius),
                         select3(wide_less(wide_zero(), length), direction, plus_x) };
}

KERNEL_INLINE WideSample sphere_body(const Wide* p, WideVec point)
{
    return ball_at(point, p[0]);
}

KERNEL_INLINE WideSample capsule_body(const Wide* p, WideVec point)
{
    WideVec from_axis = { point.x, wide_sub(point.y, clamp_to(point.y, p[1])), point.z };
    return ball_at(from_axis, p[0]);
}

KERNEL_INLINE WideSample rounded_box_body(const Wide* p, WideVec point)
{
    WideVec q = { wide_sub(wide_abs(point.x), p[0]), wide_sub(wide_abs(point.y), p[1]),
                  wide_sub(wide_abs(point.z), p[2]) };
    WideVec out = { wide_max(wide_zero(), q.x), wide_max(wide_zero(), q.y), wide_max(wide_zero(), q.z) };
    Wide length = wide_sqrt(dot3(out, out));
    Wide deepest = wide_max(wide_max(q.x, q.y), q.z);
    Wide distance = wide_sub(wide_add(length, wide_min(wide_zero(), deepest)), p[3]);

    WideMask x_wins = wide_and(wide_less_equal(q.y, q.x), wide_less_equal(q.z, q.x));
    WideMask y_wins = wide_less_equal(q.z, q.y);
    Wide one = wide_splat(1.0f), zero = wide_zero();
    Wide not_x = wide_select(x_wins, zero, one);
    Wide face_y = wide_select(y_wins, not_x, zero);
    WideVec face = { wide_select(x_wins, one, zero), face_y, wide_sub(not_x, face_y) };
    WideVec corner = scale3(out, inverse_length(length));
    WideVec g = select3(wide_less(zero, length), corner, face);
    WideVec sign = { sign_of(point.x), sign_of(point.y), sign_of(point.z) };
    return (WideSample){ distance, { wide_mul(g.x, sign.x), wide_mul(g.y, sign.y), wide_mul(g.z, sign.z) } };
}

/// Distance from the y axis and the direction away from it; +x on the axis.
typedef struct Radial
{
    Wide length, x, z;
} Radial;

KERNEL_INLINE Radial radial_of(WideVec point)
{
    Wide length = wide_sqrt(dot2(point.x, point.z, point.x, point.z));
    Wide inverse = inverse_length(length);
    WideMask off_axis = wide_less(wide_zero(), length);
    return (Radial){ length, wide_select(off_axis, wide_mul(point.x, inverse), wide_splat(1.0f)),
                     wide_mul(point.z, inverse) };
}

/// A gradient given in the half plane of a point: away from the axis, and along y.
KERNEL_INLINE WideVec unroll(Radial radial, Wide outward, Wide along)
{
    return (WideVec){ wide_mul(outward, radial.x), along, wide_mul(outward, radial.z) };
}

KERNEL_INLINE WideSample cylinder_body(const Wide* p, WideVec point)
{
    Radial radial = radial_of(point);
    Wide side = wide_sub(radial.length, p[0]);
    Wide cap = wide_sub(wide_abs(point.y), p[1]);
    Wide side_out = wide_max(wide_zero(), side), cap_out = wide_max(wide_zero(), cap);
    Wide length = wide_sqrt(dot2(side_out, cap_out, side_out, cap_out));
    Wide distance = wide_add(length, wide_min(wide_zero(), wide_max(side, cap)));

    WideMask outside = wide_less(wide_zero(), length);
    WideMask side_wins = wide_less_equal(cap, side);
    Wide inverse = inverse_length(length);
    Wide one = wide_splat(1.0f), zero = wide_zero();
    Wide outward = wide_select(outside, wide_mul(side_out, inverse), wide_select(side_wins, one, zero));
    Wide along = wide_select(outside, wide_mul(cap_out, inverse), wide_select(side_wins, zero, one));
    return (WideSample){ distance, unroll(radial, outward, wide_mul(along, sign_of(point.y))) };
}

/// In the half plane of the point the cone is a convex trapezium. From inside the nearest of its lines
/// counts; from outside the cap, the side or the rim, each where the point projects onto it.
KERNEL_INLINE WideSample cone_body(const Wide* p, WideVec point)
{
    Wide bottom_radius = p[0], top_radius = p[1], half_length = p[2];
    Wide normal_out = p[3], normal_y = p[4];
    Wide zero = wide_zero(), one = wide_splat(1.0f);
    Radial radial = radial_of(point);
    Wide from_rim_out = wide_sub(radial.length, bottom_radius);
    Wide from_rim_y = wide_add(point.y, half_length);
    Wide side = dot2(from_rim_out, from_rim_y, normal_out, normal_y);
    Wide t = dot2(from_rim_out, from_rim_y, p[5], p[6]);
    Wide cap = wide_sub(wide_abs(point.y), half_length);
    WideMask below = wide_less(point.y, zero);

    WideMask bottom_rim = wide_less(t, wide_splat(0.5f));
    Wide rim_out = wide_select(bottom_rim, from_rim_out, wide_sub(radial.length, top_radius));
    Wide rim_y = wide_select(bottom_rim, from_rim_y, wide_sub(point.y, half_length));
    Wide rim = wide_sqrt(dot2(rim_out, rim_y, rim_out, rim_y));
    Wide rim_inverse = inverse_length(rim);

    WideMask inside = wide_and(wide_less_equal(side, zero), wide_less_equal(cap, zero));
    WideMask over_cap = wide_and(
        wide_less(zero, cap), wide_less_equal(radial.length, wide_select(below, bottom_radius, top_radius)));
    WideMask side_wins = wide_less_equal(cap, side);
    WideMask beside =
        wide_and(wide_and(wide_less(zero, side), wide_less_equal(zero, t)), wide_less_equal(t, one));
    Wide use_cap = wide_select(inside, wide_select(side_wins, zero, one), wide_select(over_cap, one, zero));
    Wide use_side =
        wide_select(inside, wide_sub(one, use_cap), wide_select(beside, wide_sub(one, use_cap), zero));
    WideMask is_cap = wide_less(zero, use_cap), is_side = wide_less(zero, use_side);

    Wide distance = wide_select(is_cap, cap, wide_select(is_side, side, rim));
    Wide outward =
        wide_select(is_cap, zero, wide_select(is_side, normal_out, wide_mul(rim_out, rim_inverse)));
    Wide along =
        wide_select(is_cap, sign_of(point.y), wide_select(is_side, normal_y, wide_mul(rim_y, rim_inverse)));
    return (WideSample){ distance, unroll(radial, outward, along) };
}

KERNEL_INLINE WideSample torus_body(const Wide* p, WideVec point)
{
    Radial radial = radial_of(point);
    Wide out = wide_sub(radial.length, p[0]);
    Wide length = wide_sqrt(dot2(out, point.y, out, point.y));
    Wide inverse = inverse_length(length);
    WideMask off_circle = wide_less(wide_zero(), length);
    Wide outward = wide_select(off_circle, wide_mul(out, inverse), wide_splat(1.0f));
    return (WideSample){ wide_sub(length, p[1]), unroll(radial, outward, wide_mul(point.y, inverse)) };
}

KERNEL_INLINE WideSample plane_body(const Wide* p, WideVec point)
{
    WideVec normal = { p[0], p[1], p[2] };
    return (WideSample){ wide_sub(dot3(normal, point), p[3]), normal };
}

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
