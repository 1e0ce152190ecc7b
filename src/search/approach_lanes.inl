// A step towards both solids, and lower bounds over boxes between them by far nodes.
#ifndef ABUT_SEARCH_APPROACH_LANES_INL
#define ABUT_SEARCH_APPROACH_LANES_INL

#include "field/bounds/far_node_lanes.inl"
#include "search/approach_math.inl"
#include "search/pair_kernels.h"

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

/// Next position of a point; `active` where it moves.
KERNEL_INLINE WideVec approach_from(WideVec at, WideSample sample_a, WideSample sample_b, Wide target,
                                    WideMask* active)
{
    WideApproach next = approach_step(at, sample_a, sample_b, target);
    *active = next.moves;
    return next.at;
}

// -----------------------------------------------------------------------------------------------------------
// Far nodes
// -----------------------------------------------------------------------------------------------------------

/// The best far point n: the distance at x is at least `low` − |x − n|.
typedef struct WideFarPoint
{
    Wide low, bound;
    WideVec displacement; // from it, in the outer frame
    Wide length;
} WideFarPoint;

KERNEL_INLINE Wide row3(const float row[3], WideVec v)
{
    return wide_add(wide_add(wide_mul(wide_splat(row[0]), v.x), wide_mul(wide_splat(row[1]), v.y)),
                    wide_mul(wide_splat(row[2]), v.z));
}

KERNEL_INLINE Wide closest_in_grid(Wide at, float cells)
{
    at = wide_max(wide_min(wide_add(at, wide_splat(0.5f)), wide_splat(cells)), wide_zero());
    return wide_int_to_float(wide_int_from_float(at));
}

/// Tries the node nearest to the point `step` cells from a point of the grid.
KERNEL_INLINE void try_node(const AbutFarNodes* f, WideVec at, WideVec direction, float step,
                            WideFarPoint* best)
{
    Wide s = wide_splat(step);
    WideVec node = { closest_in_grid(wide_add(at.x, wide_mul(s, direction.x)), f->cells[0]),
                     closest_in_grid(wide_add(at.y, wide_mul(s, direction.y)), f->cells[1]),
                     closest_in_grid(wide_add(at.z, wide_mul(s, direction.z)), f->cells[2]) };
    Wide value = node_value(f, node);
    WideVec displacement = sub3(at, node);
    Wide length = wide_sqrt(dot3(displacement, displacement));
    Wide error = wide_add(wide_mul(value, wide_splat(f->relative_error)), wide_splat(f->absolute_error));
    Wide low = wide_mul(wide_sub(value, error), wide_splat(f->inverse_slope)), bound = wide_sub(low, length);
    WideMask better = wide_and(wide_less(wide_zero(), value), wide_less(best->bound, bound));
    best->low = wide_select(better, low, best->low);
    best->bound = wide_select(better, bound, best->bound);
    best->displacement = select3(better, displacement, best->displacement);
    best->length = wide_select(better, length, best->length);
}

KERNEL_INLINE WideFarPoint far_point(const AbutFarNodes* f, WideVec at, WideVec gradient)
{
    WideVec direction = scale3(gradient, inverse_length(wide_sqrt(dot3(gradient, gradient))));
    WideVec rotated = { row3(f->rotation[0], direction), row3(f->rotation[1], direction),
                        row3(f->rotation[2], direction) };
    WideVec position = { wide_add(row3(f->to_grid[0], at), wide_splat(f->to_grid[0][3])),
                         wide_add(row3(f->to_grid[1], at), wide_splat(f->to_grid[1][3])),
                         wide_add(row3(f->to_grid[2], at), wide_splat(f->to_grid[2][3])) };
    Wide none = wide_splat(-INFINITY);
    WideFarPoint best = { none, none, { wide_zero(), wide_zero(), wide_zero() }, wide_splat(1.0f) };
    try_node(f, position, rotated, 6.0f, &best);
    try_node(f, position, rotated, 3.0f, &best);
    // Back to the outer frame.
    Wide unit = wide_splat(f->unit);
    const float columns[3][3] = { { f->rotation[0][0], f->rotation[1][0], f->rotation[2][0] },
                                  { f->rotation[0][1], f->rotation[1][1], f->rotation[2][1] },
                                  { f->rotation[0][2], f->rotation[1][2], f->rotation[2][2] } };
    WideVec displacement = { row3(columns[0], best.displacement), row3(columns[1], best.displacement),
                             row3(columns[2], best.displacement) };
    best.displacement = scale3(displacement, unit);
    best.low = wide_mul(best.low, unit);
    best.length = wide_mul(best.length, unit);
    return best;
}

KERNEL_INLINE Wide abs_sum(WideVec a, WideVec b)
{
    return wide_add(wide_add(wide_mul(a.x, wide_abs(b.x)), wide_mul(a.y, wide_abs(b.y))),
                    wide_mul(a.z, wide_abs(b.z)));
}

/// Lower bound of the larger of both distances over boxes of half sides half · size; see search/gap_bound.h.
KERNEL_INLINE Wide bound_gap(const AbutFarNodes fields[2], WideVec at, WideVec gradient_a, WideVec gradient_b,
                             const float half[3], Wide size)
{
    Wide two = wide_splat(0.5f), alone[2];
    WideVec half_extents = { wide_mul(wide_splat(half[0]), size), wide_mul(wide_splat(half[1]), size),
                             wide_mul(wide_splat(half[2]), size) };
    WideVec along[2];
    Wide squared = wide_mul(two, dot3(half_extents, half_extents));
    for (int side = 0; side < 2; ++side)
    {
        WideFarPoint far = far_point(&fields[side], at, side == 0 ? gradient_a : gradient_b);
        along[side] = scale3(far.displacement, wide_div(wide_splat(1.0f), far.length));
        alone[side] = wide_sub(wide_sub(wide_sub(far.low, far.length), wide_div(squared, far.length)),
                               wide_splat(fields[side].rounding));
    }
    WideVec sum = { wide_add(along[0].x, along[1].x), wide_add(along[0].y, along[1].y),
                    wide_add(along[0].z, along[1].z) };
    Wide joint = wide_mul(two, wide_sub(wide_add(alone[0], alone[1]), abs_sum(half_extents, sum)));
    Wide a = wide_sub(alone[0], abs_sum(half_extents, along[0])),
         b = wide_sub(alone[1], abs_sum(half_extents, along[1]));
    return wide_max(wide_max(a, b), joint);
}

#endif
