// The children of a box of a field against a point (narrow/primitive/kernels.h).
#ifndef ABUT_NARROW_PRIMITIVE_BALL_KERNELS_INL
#define ABUT_NARROW_PRIMITIVE_BALL_KERNELS_INL

#include "field/bounds/half_space_lanes.inl"
#include "narrow/primitive/kernels.h"

/// Offsets of the middles of children from that of their box, in half sides.
static const float point_children[3][8] = { { -1, 1, -1, 1, -1, 1, -1, 1 },
                                            { -1, -1, 1, 1, -1, -1, 1, 1 },
                                            { -1, -1, -1, -1, 1, 1, 1, 1 } };

KERNEL_INLINE WideHalfSpace point_half_spaces(const AbutPointChildren* children, WideVec offset, int first)
{
    if (children->half_spaces != NULL)
    {
        const float unit = 1.0f / 127.0f;
        const uint8_t* at = children->half_spaces + first;
        return (WideHalfSpace){ { half_space_bytes(at, unit), half_space_bytes(at + 8, unit),
                                  half_space_bytes(at + 16, unit) },
                                half_space_bytes(at + 24, children->half_space_unit) };
    }
    WideHalfSpace half_space = splat_half_space(children->half_space);
    half_space.offset = wide_sub(half_space.offset, dot3(half_space.normal, offset));
    return half_space;
}

KERNEL_INLINE WideMask point_occupied(const AbutPointChildren* children, const WideHalfSpace* half_space,
                                      Wide half, int first)
{
    Wide numbers = wide_load_shorts(children->numbers + first);
    WideMask occupied = wide_and(wide_less_equal(wide_splat(children->limits[0]), numbers),
                                 wide_less_equal(numbers, wide_splat(children->limits[1])));
    // A box beyond its half space is empty; a normal of 0 has an offset of 0.
    return wide_and(occupied,
                    wide_less_equal(wide_zero(), wide_add(half_space->offset,
                                                          wide_mul(half, sum3(abs3(half_space->normal))))));
}

KERNEL_INLINE unsigned point_child_lanes(const AbutPointChildren* children, int first, float* low,
                                         float* least)
{
    Wide half = wide_splat(children->half);
    WideVec offset = { wide_mul(half, wide_load(point_children[0] + first)),
                       wide_mul(half, wide_load(point_children[1] + first)),
                       wide_mul(half, wide_load(point_children[2] + first)) };
    WideVec away = { wide_sub(wide_splat(children->to_point[0]), offset.x),
                     wide_sub(wide_splat(children->to_point[1]), offset.y),
                     wide_sub(wide_splat(children->to_point[2]), offset.z) };
    WideHalfSpace half_space = point_half_spaces(children, offset, first);
    Wide squared = dot3(away, away), length = wide_sqrt(squared);
    Wide support = half_space_support(away, wide_mul(wide_splat(4.0f), length), &half_space, half);
    Wide beyond = wide_div(wide_sub(squared, support), length);
    WideVec out = { wide_max(wide_sub(wide_abs(away.x), half), wide_zero()),
                    wide_max(wide_sub(wide_abs(away.y), half), wide_zero()),
                    wide_max(wide_sub(wide_abs(away.z), half), wide_zero()) };
    Wide bound = wide_sqrt(dot3(out, out));
    bound = wide_select(wide_less(bound, beyond), beyond, bound); // NaN in the middle of a box
    bound = wide_sub(bound, wide_splat(children->rounding));
    bound = wide_select(point_occupied(children, &half_space, half, first), bound, wide_splat(INFINITY));
    WideMask closed = wide_less(wide_splat(children->limit), bound); // not where that is NaN
    wide_store(low + first, bound);
    wide_store(least + first,
               wide_min(wide_select(closed, bound, wide_splat(INFINITY)), wide_load(least + first)));
    return (wide_bits(closed) ^ ((1u << WIDE_LANES) - 1u)) << first;
}

static unsigned point_children_kernel(const AbutPointChildren* children, float low[8], float least[8])
{
    unsigned open = 0;
    for (int first = 0; first < 8; first += WIDE_LANES)
    {
        open |= point_child_lanes(children, first, low, least);
    }
    return open;
}

#endif
