// Exact distances of primitives in their own frame, as bodies over one Wide: compiled with lanes of floats
// per instruction set (primitive_kernels.inl), and with a double for shapes that are large or far away
// (precise.c). shape.h defines the choice where a gradient is undefined. The includer has included
// simd/vec_lanes.inl.
#ifndef ABUT_SHAPE_PRIMITIVE_LANES_INL
#define ABUT_SHAPE_PRIMITIVE_LANES_INL

typedef WideSample WidePrimitiveFn(const Wide* p, WideVec point);

/// −1 where a < 0, otherwise 1.
KERNEL_INLINE Wide sign_of(Wide a)
{
    return wide_select(wide_less(a, wide_zero()), wide_splat(-1.0f), wide_splat(1.0f));
}

KERNEL_INLINE Wide clamp_to(Wide a, Wide half_range)
{
    return wide_max(wide_negate(half_range), wide_min(half_range, a));
}

// -----------------------------------------------------------------------------------------------------------
// Primitives in their own frame
// -----------------------------------------------------------------------------------------------------------

/// Distance to a centre less a radius; +x where the point is the centre.
KERNEL_INLINE WideSample ball_at(WideVec from_center, Wide radius)
{
    Wide length = wide_sqrt(dot3(from_center, from_center));
    WideVec direction = scale3(from_center, inverse_length(length));
    WideVec plus_x = { wide_splat(1.0f), wide_zero(), wide_zero() };
    return (WideSample){ wide_sub(length, radius),
                         select3(wide_less(wide_zero(), length), direction, plus_x) };
}

KERNEL_INLINE WideSample sphere_formula(const Wide* p, WideVec point)
{
    return ball_at(point, p[0]);
}

KERNEL_INLINE WideSample capsule_formula(const Wide* p, WideVec point)
{
    WideVec from_axis = { point.x, wide_sub(point.y, clamp_to(point.y, p[1])), point.z };
    return ball_at(from_axis, p[0]);
}

KERNEL_INLINE WideSample rounded_box_formula(const Wide* p, WideVec point)
{
    WideVec q = { wide_sub(wide_abs(point.x), p[0]), wide_sub(wide_abs(point.y), p[1]),
                  wide_sub(wide_abs(point.z), p[2]) };
    WideVec out = { wide_max(wide_zero(), q.x), wide_max(wide_zero(), q.y), wide_max(wide_zero(), q.z) };
    Wide length = wide_sqrt(dot3(out, out));
    Wide face_distance = wide_max(wide_max(q.x, q.y), q.z);
    Wide distance = wide_sub(wide_add(length, wide_min(wide_zero(), face_distance)), p[3]);

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

KERNEL_INLINE WideSample cylinder_formula(const Wide* p, WideVec point)
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
KERNEL_INLINE WideSample cone_formula(const Wide* p, WideVec point)
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

KERNEL_INLINE WideSample torus_formula(const Wide* p, WideVec point)
{
    Radial radial = radial_of(point);
    Wide out = wide_sub(radial.length, p[0]);
    Wide length = wide_sqrt(dot2(out, point.y, out, point.y));
    Wide inverse = inverse_length(length);
    WideMask off_circle = wide_less(wide_zero(), length);
    Wide outward = wide_select(off_circle, wide_mul(out, inverse), wide_splat(1.0f));
    return (WideSample){ wide_sub(length, p[1]), unroll(radial, outward, wide_mul(point.y, inverse)) };
}

KERNEL_INLINE WideSample plane_formula(const Wide* p, WideVec point)
{
    WideVec normal = { p[0], p[1], p[2] };
    return (WideSample){ wide_sub(dot3(normal, point), p[3]), normal };
}

#endif
