// Pairs of spheres and capsules in lanes of doubles: operation by operation the formulas of
// abut_transform_relative_quick(), abut_core_pair_make(), abut_primitive_round() and the contacts of the
// method "primitives", so that batches have the bits of single calls.
#ifndef ABUT_NARROW_PRIMITIVE_ROUND_KERNELS_INL
#define ABUT_NARROW_PRIMITIVE_ROUND_KERNELS_INL

#include "narrow/primitive/core.h"
#include "narrow/primitive/kernels.h"
#include "narrow/primitive/manifold.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

/// Lengths beyond which a contact may not be finite in float.
#define ROUND_LARGEST 1e37

typedef struct RoundVec
{
    WideDouble x, y, z;
} RoundVec;

/// A rotation by its rows.
typedef struct RoundMat
{
    RoundVec rows[3];
} RoundMat;

KERNEL_INLINE WideDouble round_load(const double* p)
{
    WideDouble a;
    memcpy(&a, p, sizeof(a));
    return a;
}

KERNEL_INLINE RoundVec round_load_vec(const double (*p)[ABUT_ROUND_LANES], uint32_t i)
{
    return (RoundVec){ round_load(p[0] + i), round_load(p[1] + i), round_load(p[2] + i) };
}

KERNEL_INLINE RoundVec round_sub(RoundVec a, RoundVec b)
{
    return (RoundVec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

KERNEL_INLINE RoundVec round_add(RoundVec a, RoundVec b)
{
    return (RoundVec){ a.x + b.x, a.y + b.y, a.z + b.z };
}

KERNEL_INLINE RoundVec round_scale(RoundVec a, WideDouble s)
{
    return (RoundVec){ a.x * s, a.y * s, a.z * s };
}

KERNEL_INLINE RoundVec round_div(RoundVec a, WideDouble s)
{
    return (RoundVec){ a.x / s, a.y / s, a.z / s };
}

KERNEL_INLINE WideDouble round_dot(RoundVec a, RoundVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL_INLINE WideDouble round_taxicab(RoundVec a)
{
    return wide_double_abs(a.x) + wide_double_abs(a.y) + wide_double_abs(a.z);
}

KERNEL_INLINE RoundVec round_select(WideDoubleMask mask, RoundVec a, RoundVec b)
{
    return (RoundVec){ wide_double_select(mask, a.x, b.x), wide_double_select(mask, a.y, b.y),
                       wide_double_select(mask, a.z, b.z) };
}

/// As clamp() of round.c.
KERNEL_INLINE WideDouble round_clamp(WideDouble x, WideDouble limit)
{
    return wide_double_select(x < -limit, -limit, wide_double_select(x > limit, limit, x));
}

/// As abut_dmat3_transform_transposed().
KERNEL_INLINE RoundVec round_transposed(const RoundMat* m, RoundVec v)
{
    const RoundVec* r = m->rows;
    return (RoundVec){ r[0].x * v.x + r[1].x * v.y + r[2].x * v.z, r[0].y * v.x + r[1].y * v.y + r[2].y * v.z,
                       r[0].z * v.x + r[1].z * v.y + r[2].z * v.z };
}

KERNEL_INLINE RoundVec round_column(const RoundMat* m, int column)
{
    const RoundVec* r = m->rows;
    return column == 0   ? (RoundVec){ r[0].x, r[1].x, r[2].x }
           : column == 1 ? (RoundVec){ r[0].y, r[1].y, r[2].y }
                         : (RoundVec){ r[0].z, r[1].z, r[2].z };
}

/// a / s; without a division where all are 1, with the same bits.
KERNEL_INLINE RoundVec round_unscale(RoundVec a, WideDouble s)
{
    return wide_double_all(s == 1.0) ? a : round_div(a, s);
}

/// As abut_dmat3_from_dquat_quick(), of a quaternion of the squared length `n`.
KERNEL_INLINE RoundMat round_rotation(const double (*q)[ABUT_ROUND_LANES], uint32_t i, WideDouble n)
{
    WideDouble x = round_load(q[0] + i), y = round_load(q[1] + i), z = round_load(q[2] + i),
               w = round_load(q[3] + i), s = 1.0 / n, d = 2.0 * s;
    return (RoundMat){ {
        { ((w * w - z * z) + (x * x - y * y)) * s, (x * y - w * z) * d, (x * z + w * y) * d },
        { (x * y + w * z) * d, ((w * w - x * x) + (y * y - z * z)) * s, (y * z - w * x) * d },
        { (x * z - w * y) * d, (y * z + w * x) * d, ((w * w - y * y) + (z * z - x * x)) * s },
    } };
}

KERNEL_INLINE WideDouble round_squared_length(const double (*q)[ABUT_ROUND_LANES], uint32_t i)
{
    WideDouble x = round_load(q[0] + i), y = round_load(q[1] + i), z = round_load(q[2] + i),
               w = round_load(q[3] + i);
    return x * x + y * y + z * z + w * w;
}

/// As abut_pose_is_valid().
KERNEL_INLINE WideDoubleMask round_is_valid(const AbutRoundPairs* pairs, int side, uint32_t i, WideDouble n)
{
    RoundVec p = round_load_vec(pairs->position[side], i);
    WideDouble scale = round_load(pairs->scale[side] + i);
    WideDouble zero = p.x * 0.0 + p.y * 0.0 + p.z * 0.0 + scale * 0.0; // NaN where one is not finite
    return (zero == 0.0) & (scale > 0.0) & (n >= 0.999 * 0.999) & (n <= 1.001 * 1.001);
}

/// B in the frame of A.
typedef struct RoundFrame
{
    RoundMat rotation; // aᵀ·b
    RoundVec at;
    WideDouble scale;
    WideDoubleMask valid;
} RoundFrame;

KERNEL_INLINE RoundFrame round_relative(const AbutRoundPairs* pairs, uint32_t i)
{
    RoundFrame frame;
    WideDouble scale_a = round_load(pairs->scale[0] + i);
    WideDouble n_a = round_squared_length(pairs->rotation[0], i);
    WideDouble n_b = round_squared_length(pairs->rotation[1], i);
    frame.valid = round_is_valid(pairs, 0, i, n_a) & round_is_valid(pairs, 1, i, n_b);
    RoundMat a = round_rotation(pairs->rotation[0], i, n_a), b = round_rotation(pairs->rotation[1], i, n_b);
    RoundVec between =
        round_sub(round_load_vec(pairs->position[1], i), round_load_vec(pairs->position[0], i));
    frame.at = round_unscale(round_transposed(&a, between), scale_a);
    frame.scale = round_load(pairs->scale[1] + i) / scale_a;
    WideDoubleMask parallel = round_load(pairs->is_parallel + i) != 0.0;
    const WideDouble zero = wide_double_splat(0.0), one = wide_double_splat(1.0);
    const RoundVec identity[3] = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
    for (int row = 0; row < 3; ++row)
    {
        RoundVec own = round_transposed(&b, round_column(&a, row));
        frame.rotation.rows[row] = round_select(parallel, identity[row], own);
    }
    return frame;
}

/// Both cores: points or segments along y, A at the origin of its own frame.
typedef struct RoundCores
{
    WideDouble radius_a, radius_b, half_a, half_b;
    RoundVec axis_a, axis_b;
    WideDouble rounding;
} RoundCores;

KERNEL_INLINE RoundCores round_cores(const AbutRoundPairs* pairs, uint32_t i, const RoundFrame* frame)
{
    const WideDouble zero = wide_double_splat(0.0);
    RoundCores cores = {
        .radius_a = round_load(pairs->radius[0] + i),
        .radius_b = round_load(pairs->radius[1] + i) * frame->scale,
        .half_a = round_load(pairs->half_length[0] + i),
        .half_b = round_load(pairs->half_length[1] + i) * frame->scale,
        .axis_a = { zero, wide_double_splat(1.0), zero },
        .axis_b = round_column(&frame->rotation, 1),
    };
    WideDouble length = round_taxicab(frame->at);
    WideDouble lengths = (cores.half_a + cores.radius_a) + (length + cores.half_b + cores.radius_b);
    cores.rounding = (ABUT_TRANSFORM_ROUNDING + ABUT_CORE_ROUNDING) * (lengths + length);
    return cores;
}

/// As closest_on_segments() of round.c.
KERNEL_INLINE void round_closest(const RoundCores* c, RoundVec between, WideDouble* along_a,
                                 WideDouble* along_b)
{
    WideDouble cosine = round_dot(c->axis_a, c->axis_b);
    WideDouble t_a = round_dot(between, c->axis_a), t_b = round_dot(between, c->axis_b);
    WideDouble sine_squared = 1.0 - cosine * cosine;
    WideDoubleMask slanted = sine_squared > 1e-14;
    WideDouble s = (t_a - cosine * t_b) / wide_double_select(slanted, sine_squared, wide_double_splat(1.0));
    s = round_clamp(wide_double_select(slanted, s, wide_double_splat(0.0)), c->half_a);
    WideDouble t = round_clamp(cosine * s - t_b, c->half_b);
    *along_a = round_clamp(t_a + cosine * t, c->half_a);
    *along_b = round_clamp(cosine * *along_a - t_b, c->half_b);
}

/// Segments that count as parallel have contacts of their own.
KERNEL_INLINE WideDoubleMask round_is_parallel(const RoundCores* c, WideDouble is_capsules)
{
    const RoundVec a = c->axis_a, b = c->axis_b;
    RoundVec across = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return (is_capsules != 0.0) &
           (round_dot(across, across) < ABUT_PRIMITIVE_PARALLEL_SINE * ABUT_PRIMITIVE_PARALLEL_SINE);
}

KERNEL_INLINE void round_store(double* p, WideDouble a)
{
    memcpy(p, &a, sizeof(a));
}

KERNEL_INLINE void round_store_mask(int64_t* p, WideDoubleMask mask)
{
    memcpy(p, &mask, sizeof(mask));
}

KERNEL_INLINE void round_store_vec(float (*p)[ABUT_ROUND_LANES], uint32_t i, RoundVec v)
{
    WideDoubleFloats x = __builtin_convertvector(v.x, WideDoubleFloats);
    WideDoubleFloats y = __builtin_convertvector(v.y, WideDoubleFloats);
    WideDoubleFloats z = __builtin_convertvector(v.z, WideDoubleFloats);
    memcpy(p[0] + i, &x, sizeof(x));
    memcpy(p[1] + i, &y, sizeof(y));
    memcpy(p[2] + i, &z, sizeof(z));
}

/// The contact of two core points, as abut_primitive_add() and make_contact() of primitives.c have it.
KERNEL_INLINE WideDoubleMask round_contact(const RoundFrame* frame, const RoundCores* c, RoundVec at_a,
                                           RoundVec at_b, RoundVec normal, WideDouble length, uint32_t i,
                                           AbutRoundAnswers* out)
{
    WideDouble separation = length - c->radius_a - c->radius_b;
    RoundVec on_a = round_sub(at_a, round_scale(normal, c->radius_a));
    RoundVec on_b = round_add(at_b, round_scale(normal, c->radius_b));
    RoundVec middle = round_scale(round_add(on_a, on_b), wide_double_splat(0.5));
    RoundVec own =
        round_unscale(round_transposed(&frame->rotation, round_sub(on_b, frame->at)), frame->scale);
    round_store(out->separation + i, separation);
    round_store_vec(out->position, i, round_select(separation > 0.0, middle, on_b));
    round_store_vec(out->normal, i, normal);
    round_store_vec(out->anchor_a, i, on_a);
    round_store_vec(out->anchor_b, i, own);
    WideDouble largest = round_taxicab(on_a) + round_taxicab(on_b) + round_taxicab(own);
    return ~(largest < ROUND_LARGEST); // NaN too
}

KERNEL_INLINE void round_pairs(const AbutRoundPairs* pairs, AbutRoundAnswers* out, bool segments)
{
    for (uint32_t i = 0; i < pairs->count; i += WIDE_DOUBLES)
    {
        RoundFrame frame = round_relative(pairs, i);
        RoundCores c = round_cores(pairs, i, &frame);
        const WideDouble zero = wide_double_splat(0.0);
        RoundVec at_a = { zero, zero, zero }, at_b = frame.at, to_center = round_sub(at_a, frame.at);
        WideDoubleMask unserved = ~frame.valid;
        if (segments)
        {
            WideDouble along_a, along_b;
            round_closest(&c, frame.at, &along_a, &along_b);
            at_a = round_add(at_a, round_scale(c.axis_a, along_a));
            at_b = round_add(at_b, round_scale(c.axis_b, along_b));
            unserved |= round_is_parallel(&c, round_load(pairs->is_capsules + i));
        }
        RoundVec between = round_sub(at_a, at_b);
        WideDouble length = wide_double_sqrt(round_dot(between, between)), radius = c.radius_a + c.radius_b;
        RoundVec normal = round_div(between, length);
        WideDouble low = length;
        if (segments)
        {
            low = round_dot(to_center, normal) - c.half_a * wide_double_abs(round_dot(c.axis_a, normal)) -
                  c.half_b * wide_double_abs(round_dot(c.axis_b, normal));
        }
        unserved |= ~(length > c.rounding);
        unserved |= round_contact(&frame, &c, at_a, at_b, normal, length, i, out);
        round_store(out->low + i, low - radius - c.rounding);
        round_store(out->rounding + i, c.rounding);
        round_store_mask(out->touching + i, length - radius + c.rounding <= 0.0);
        round_store_mask(out->unserved + i, unserved);
    }
}

static void spheres_kernel(const AbutRoundPairs* pairs, AbutRoundAnswers* out)
{
    round_pairs(pairs, out, false);
}

static void capsules_kernel(const AbutRoundPairs* pairs, AbutRoundAnswers* out)
{
    round_pairs(pairs, out, true);
}

#endif
