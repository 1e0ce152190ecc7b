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

/// The pose of a body in each lane.
typedef struct RoundPose
{
    RoundVec position;
    WideDouble x, y, z, w, scale; // of the rotation
    WideDouble squared;           // length of the rotation
} RoundPose;

/// A member of what each pointer points to, or the value at an index.
#if WIDE_DOUBLES == 4
#define ROUND_GATHER(Type, p, member) ((Type){ p[0] member, p[1] member, p[2] member, p[3] member })
#else
#define ROUND_GATHER(Type, p, member) ((Type){ p[0] member, p[1] member })
#endif
#define ROUND_FLOATS(p, member) round_from_floats(ROUND_GATHER(WideDoubleFloats, p, member))

KERNEL_INLINE WideDouble round_from_floats(WideDoubleFloats floats)
{
    return __builtin_convertvector(floats, WideDouble);
}

KERNEL_INLINE RoundPose round_load_pose(const AbutPose* const* p)
{
    RoundPose pose = {
        .position = { ROUND_GATHER(WideDouble, p, ->position.x), ROUND_GATHER(WideDouble, p, ->position.y),
                      ROUND_GATHER(WideDouble, p, ->position.z) },
        .x = ROUND_FLOATS(p, ->rotation.x),
        .y = ROUND_FLOATS(p, ->rotation.y),
        .z = ROUND_FLOATS(p, ->rotation.z),
        .w = ROUND_FLOATS(p, ->rotation.w),
        .scale = ROUND_FLOATS(p, ->scale),
    };
    pose.squared = pose.x * pose.x + pose.y * pose.y + pose.z * pose.z + pose.w * pose.w;
    return pose;
}

KERNEL_INLINE WideDoubleMask round_same(WideDouble a, WideDouble b)
{
    return (WideDoubleMask)a == (WideDoubleMask)b; // bits
}

/// As abut_transform_same_rotation().
KERNEL_INLINE WideDoubleMask round_same_rotation(const RoundPose* a, const RoundPose* b)
{
    return round_same(a->x, b->x) & round_same(a->y, b->y) & round_same(a->z, b->z) & round_same(a->w, b->w);
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

/// As abut_dmat3_from_dquat_quick().
KERNEL_INLINE RoundMat round_rotation(const RoundPose* pose)
{
    WideDouble x = pose->x, y = pose->y, z = pose->z, w = pose->w, s = 1.0 / pose->squared, d = 2.0 * s;
    return (RoundMat){ {
        { ((w * w - z * z) + (x * x - y * y)) * s, (x * y - w * z) * d, (x * z + w * y) * d },
        { (x * y + w * z) * d, ((w * w - x * x) + (y * y - z * z)) * s, (y * z - w * x) * d },
        { (x * z - w * y) * d, (y * z + w * x) * d, ((w * w - y * y) + (z * z - x * x)) * s },
    } };
}

/// As abut_pose_is_valid().
KERNEL_INLINE WideDoubleMask round_is_valid(const RoundPose* pose)
{
    RoundVec p = pose->position;
    WideDouble n = pose->squared, scale = pose->scale;
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

KERNEL_INLINE RoundFrame round_relative(const AbutPose* const* poses, const RoundPose* pose_a,
                                        const RoundMat* a)
{
    RoundFrame frame;
    RoundPose pose_b = round_load_pose(poses);
    frame.valid = round_is_valid(pose_a) & round_is_valid(&pose_b);
    RoundMat b = round_rotation(&pose_b);
    RoundVec between = round_sub(pose_b.position, pose_a->position);
    frame.at = round_unscale(round_transposed(a, between), pose_a->scale);
    frame.scale = pose_b.scale / pose_a->scale;
    WideDoubleMask parallel = round_same_rotation(pose_a, &pose_b);
    const WideDouble zero = wide_double_splat(0.0), one = wide_double_splat(1.0);
    const RoundVec identity[3] = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
    for (int row = 0; row < 3; ++row)
    {
        RoundVec own = round_transposed(&b, round_column(a, row));
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

KERNEL_INLINE RoundCores round_cores(const AbutRoundPairs* pairs, uint32_t i, const RoundFrame* frame,
                                     bool segments)
{
    const WideDouble zero = wide_double_splat(0.0);
    const double *const *size_a = pairs->sizes[0] + i, *const *size_b = pairs->sizes[1] + i;
    const WideDouble radius_a = ROUND_GATHER(WideDouble, size_a, [0]),
                     radius_b = ROUND_GATHER(WideDouble, size_b, [0]);
    RoundCores cores = {
        .radius_a = radius_a,
        .radius_b = radius_b * frame->scale,
        .half_a = segments ? round_load(pairs->half_length[0] + i) : zero,
        .half_b = segments ? round_load(pairs->half_length[1] + i) * frame->scale : zero,
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
KERNEL_INLINE WideDoubleMask round_is_parallel(const RoundCores* c)
{
    const RoundVec a = c->axis_a, b = c->axis_b;
    RoundVec across = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return (c->half_a > 0.0) & (c->half_b > 0.0) &
           (round_dot(across, across) < ABUT_PRIMITIVE_PARALLEL_SINE * ABUT_PRIMITIVE_PARALLEL_SINE);
}

KERNEL_INLINE WideDoubleFloats round_to_floats(WideDouble a)
{
    return __builtin_convertvector(a, WideDoubleFloats);
}

KERNEL_INLINE WideDoubleInts round_to_ints(WideDoubleMask mask)
{
    return __builtin_convertvector(mask, WideDoubleInts);
}

KERNEL_INLINE void round_store(float* p, WideDouble a)
{
    WideDoubleFloats floats = round_to_floats(a);
    memcpy(p, &floats, sizeof(floats));
}

KERNEL_INLINE void round_store_mask(int32_t* p, WideDoubleMask mask)
{
    WideDoubleInts ints = round_to_ints(mask);
    memcpy(p, &ints, sizeof(ints));
}

/// As abut_round_down() and abut_round_up() of numbers that are not negative.
KERNEL_INLINE void round_store_below(float* p, WideDouble a)
{
    WideDoubleFloats f = round_to_floats(a);
    WideDoubleInts bits = (WideDoubleInts)f + round_to_ints(round_from_floats(f) > a);
    memcpy(p, &bits, sizeof(bits));
}

KERNEL_INLINE void round_store_above(float* p, WideDouble a)
{
    WideDoubleFloats f = round_to_floats(a);
    WideDoubleInts bits = (WideDoubleInts)f - round_to_ints(round_from_floats(f) < a);
    memcpy(p, &bits, sizeof(bits));
}

/// State, gap and uncertainty of pairs, by the lower and upper bounds of their distances.
KERNEL_INLINE void round_store_state(AbutRoundAnswers* out, uint32_t i, WideDouble low, WideDouble high,
                                     WideDouble rounding)
{
    WideDoubleMask apart = low > 0.0;
    WideDoubleInts is_apart = round_to_ints(apart), is_contact = round_to_ints(high <= 0.0);
    WideDoubleInts state =
        (is_apart & ABUT_COLLIDE_SEPARATED) |
        (~is_apart & ((is_contact & ABUT_COLLIDE_CONTACT) | (~is_contact & ABUT_COLLIDE_CLOSE)));
    memcpy(out->state + i, &state, sizeof(state));
    round_store_below(out->gap + i, wide_double_select(apart, low, wide_double_splat(0.0)));
    round_store_above(out->uncertainty + i, 4.0 * rounding);
}

KERNEL_INLINE void round_store_vec(float (*p)[ABUT_ROUND_LANES], uint32_t i, RoundVec v)
{
    round_store(p[0] + i, v.x);
    round_store(p[1] + i, v.y);
    round_store(p[2] + i, v.z);
}

/// The contact of two core points, as abut_primitive_add() and make_contact() of primitives.c have it.
KERNEL_INLINE WideDoubleMask round_contact(const RoundFrame* frame, const RoundCores* c, RoundVec at_a,
                                           RoundVec at_b, RoundVec normal, WideDouble separation, uint32_t i,
                                           AbutRoundAnswers* out)
{
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

/// The poses of these lanes are those of the lanes before.
KERNEL_INLINE bool round_same_poses(const AbutPose* const* p)
{
    bool same = true;
    for (int lane = 0; lane < WIDE_DOUBLES; ++lane)
    {
        same = same & (p[lane] == p[lane - WIDE_DOUBLES]);
    }
    return same;
}

KERNEL_INLINE void round_pairs(const AbutRoundPairs* pairs, AbutRoundAnswers* out, bool segments)
{
    RoundPose pose_a;
    RoundMat rotation_a;
    for (uint32_t i = 0; i < pairs->count; i += WIDE_DOUBLES)
    {
        if (i == 0 || !round_same_poses(pairs->poses[0] + i))
        {
            pose_a = round_load_pose(pairs->poses[0] + i);
            rotation_a = round_rotation(&pose_a);
        }
        RoundFrame frame = round_relative(pairs->poses[1] + i, &pose_a, &rotation_a);
        RoundCores c = round_cores(pairs, i, &frame, segments);
        const WideDouble zero = wide_double_splat(0.0);
        RoundVec at_a = { zero, zero, zero }, at_b = frame.at, to_center = round_sub(at_a, frame.at);
        WideDoubleMask unserved = ~frame.valid;
        if (segments)
        {
            WideDouble along_a, along_b;
            round_closest(&c, frame.at, &along_a, &along_b);
            at_a = round_add(at_a, round_scale(c.axis_a, along_a));
            at_b = round_add(at_b, round_scale(c.axis_b, along_b));
            unserved |= round_is_parallel(&c);
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
        WideDouble separation = length - c.radius_a - c.radius_b;
        unserved |= round_contact(&frame, &c, at_a, at_b, normal, separation, i, out);
        low = low - radius - c.rounding;
        round_store_state(out, i, low, length - radius + c.rounding, c.rounding);
        round_store_mask(out->within + i, (low <= pairs->margin) & (separation <= pairs->margin));
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
