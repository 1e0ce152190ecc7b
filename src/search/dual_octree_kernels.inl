// A step of the dual octree traversal (search/dual_octree_kernels.h).
#ifndef ABUT_SEARCH_DUAL_OCTREE_KERNELS_INL
#define ABUT_SEARCH_DUAL_OCTREE_KERNELS_INL

#include "field/bounds/octree_lanes.inl"
#include "search/dual_octree_kernels.h"

/// Middles of the children of a box, looked up in B's octree. In cells of B.
typedef struct WideChildren
{
    uint32_t number[WIDE_LANES]; // index of the nearest of B's numbers
    Wide distance;               // the number there
    Wide off;                    // distance from the middle of the box it belongs to
    Wide outside;                // squared distance from B's grid; 0 inside
} WideChildren;

KERNEL_INLINE WideInt pair_index(Wide at, float last)
{
    return wide_int_from_float(wide_min(wide_mul(at, wide_splat(0.5f)), wide_splat(last)));
}

/// Index of the number of the box of two cells around a point of B's grid, or of the brick where it has no
/// leaves. Returns the middle of that box.
KERNEL_INLINE WideVec nearest_octree_box(const AbutDualOctreePair* pair, WideVec at, uint32_t* index)
{
    WideInt x = pair_index(at.x, pair->last[0]), y = pair_index(at.y, pair->last[1]),
            z = pair_index(at.z, pair->last[2]);
    WideInt bx = wide_int_shift_right(x, 2), by = wide_int_shift_right(y, 2), bz = wide_int_shift_right(z, 2);
    WideInt fine = wide_int_or(join_bits(x, y, z), wide_int_shift_left(join_bits(wide_int_shift_right(x, 1),
                                                                                 wide_int_shift_right(y, 1),
                                                                                 wide_int_shift_right(z, 1)),
                                                                       3));
    WideInt brick = flat_grid_index(bx, by, bz, pair->brick_row, pair->brick_slab);
    WideVec middle = { middle_of(x, 2.0f), middle_of(y, 2.0f), middle_of(z, 2.0f) };
    // A leaf has 8 numbers of larger boxes first.
    WideInt leaf = wide_int_splat(72), in_leaf = wide_int_add(fine, wide_int_splat(8));
    if (pair->slots == NULL)
    {
        wide_int_store(index, wide_int_add(wide_int_mul(brick, leaf), in_leaf));
        return middle;
    }
    wide_int_store(index, brick);
    WideInt slot = wide_int_gather(pair->slots, index);
    WideInt group = flat_grid_index(wide_int_shift_right(bx, 1), wide_int_shift_right(by, 1),
                                    wide_int_shift_right(bz, 1), pair->group_row, pair->group_slab);
    WideInt in_bricks = wide_int_or(wide_int_shift_left(group, 3), join_bits(bx, by, bz));
    WideMask coarse = wide_int_equal(slot, wide_int_splat(UINT32_MAX));
    WideInt number = wide_int_select(coarse, wide_int_add(in_bricks, wide_int_splat(pair->first_brick)),
                                     wide_int_add(wide_int_mul(slot, leaf), in_leaf));
    wide_int_store(index, number);
    return select3(coarse, (WideVec){ middle_of(bx, 8.0f), middle_of(by, 8.0f), middle_of(bz, 8.0f) },
                   middle);
}

KERNEL_INLINE Wide into_cells(Wide at, float cells)
{
    return wide_max(wide_min(at, wide_splat(cells)), wide_zero());
}

/// Row of a matrix times a point.
KERNEL_INLINE Wide transform_to_b(const float row[4], WideVec p)
{
    return wide_add(wide_add(wide_mul(wide_splat(row[0]), p.x), wide_mul(wide_splat(row[1]), p.y)),
                    wide_add(wide_mul(wide_splat(row[2]), p.z), wide_splat(row[3])));
}

/// Signs of the middles of eight children, x fastest, relative to the middle of the box.
static const float child_signs[3][8] = { { -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f },
                                         { -1.0f, -1.0f, 1.0f, 1.0f, -1.0f, -1.0f, 1.0f, 1.0f },
                                         { -1.0f, -1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f } };

KERNEL_INLINE Wide child_middle(float middle, float half, int axis, int first)
{
    return wide_add(wide_splat(middle), wide_mul(wide_splat(half), wide_load(child_signs[axis] + first)));
}

KERNEL_INLINE void locate_children(const AbutDualOctreePair* pair, const AbutDualOctreeBox* box, int first,
                                   WideChildren* out)
{
    WideVec in_a = { child_middle(box->middle[0], box->half, 0, first),
                     child_middle(box->middle[1], box->half, 1, first),
                     child_middle(box->middle[2], box->half, 2, first) };
    WideVec at = { transform_to_b(pair->to_b[0], in_a), transform_to_b(pair->to_b[1], in_a),
                   transform_to_b(pair->to_b[2], in_a) };
    WideVec inside = { into_cells(at.x, pair->cells[0]), into_cells(at.y, pair->cells[1]),
                       into_cells(at.z, pair->cells[2]) };
    WideVec beyond = sub3(at, inside),
            displacement = sub3(inside, nearest_octree_box(pair, inside, out->number));
    out->off = wide_add(wide_sqrt(dot3(displacement, displacement)), wide_splat(pair->rounding));
    out->outside = dot3(beyond, beyond);
}

/// Masks of the children from `first` on.
KERNEL_INLINE void classify_children(const AbutDualOctreePair* pair, const AbutDualOctreeBox* box, int first,
                                     const WideChildren* at, float* least, float* best,
                                     AbutDualOctreeChildren* children)
{
    Wide a = wide_mul(wide_load_shorts(box->numbers + first), wide_splat(pair->a_step));
    Wide b = wide_mul(at->distance, wide_splat(pair->b_step)),
         low = wide_max(wide_sub(b, at->off), wide_zero());
    Wide ratio = wide_splat(pair->ratio), inflate = wide_splat(pair->inflate);
    // Beyond its grid, B is at least as far as the grid, and as the bound at the nearest point of the grid.
    low = wide_sub(wide_mul(wide_sqrt(wide_add(at->outside, wide_mul(low, low))), ratio), inflate);
    Wide bound = wide_max(a, low);
    WideMask closed = wide_less(wide_splat(box->open_distance), bound); // not where that is NaN
    uint32_t open_bits = wide_bits(closed) ^ ((1u << WIDE_LANES) - 1u);
    Wide excess = wide_select(closed, wide_sub(bound, wide_splat(box->radius)), wide_splat(INFINITY));
    wide_store(least + first, wide_min(wide_load(least + first), excess));
    if (open_bits == 0)
    {
        return;
    }
    Wide value = wide_max(a, wide_sub(wide_mul(b, ratio), inflate));
    value = wide_select(closed, wide_splat(INFINITY), value);
    float least_value = wide_least(value);
    children->open |= open_bits << first;
    if (least_value < *best)
    {
        *best = least_value;
        uint32_t same = wide_bits(wide_equal(value, wide_splat(least_value)));
        children->best = (uint32_t)first + (uint32_t)__builtin_ctz(same);
    }
    if (least_value < 0.0f)
    {
        WideMask inside_b = wide_equal(at->outside, wide_zero());
        Wide high = wide_max(a, wide_sub(wide_mul(wide_add(b, at->off), ratio), inflate));
        children->hit |= wide_bits(wide_and(wide_less(high, wide_zero()), inside_b)) << first;
        children->inside |= wide_bits(wide_and(wide_less(high, wide_splat(-box->radius)), inside_b)) << first;
    }
}

enum
{
    CHILD_GROUPS = 8 / WIDE_LANES
};

/// `count` is a constant where this is inlined.
KERNEL_INLINE void divide_boxes(const AbutDualOctreePair* pair, const AbutDualOctreeBox* boxes, size_t count,
                                float least[8], AbutDualOctreeChildren* children)
{
    WideChildren located[2 * CHILD_GROUPS];
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        locate_children(pair, &boxes[i / CHILD_GROUPS], (int)(i % CHILD_GROUPS) * WIDE_LANES, &located[i]);
    }
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        located[i].distance = wide_gather_shorts(pair->leaves, located[i].number);
    }
    float best[2] = { INFINITY, INFINITY };
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        size_t box = i / CHILD_GROUPS;
        if (i % CHILD_GROUPS == 0)
        {
            children[box] = (AbutDualOctreeChildren){ 0 };
        }
        classify_children(pair, &boxes[box], (int)(i % CHILD_GROUPS) * WIDE_LANES, &located[i], least,
                          &best[box], &children[box]);
    }
}

static void divide_kernel(const AbutDualOctreePair* pair, const AbutDualOctreeBox* boxes, size_t count,
                          float least[8], AbutDualOctreeChildren* children)
{
    if (count == 1)
    {
        divide_boxes(pair, boxes, 1, least, children);
    }
    else
    {
        divide_boxes(pair, boxes, 2, least, children);
    }
}

#endif
