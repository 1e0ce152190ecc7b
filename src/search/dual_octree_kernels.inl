// A step of the dual octree traversal (search/dual_octree_kernels.h).
#ifndef ABUT_SEARCH_DUAL_OCTREE_KERNELS_INL
#define ABUT_SEARCH_DUAL_OCTREE_KERNELS_INL

#include "field/bounds/octree_lanes.inl"
#include "search/dual_octree_kernels.h"

/// Middles of children of a box, looked up in B's octree. In cells of B.
typedef struct WideChild
{
    uint32_t number[WIDE_LANES]; // index of the nearest of B's numbers
    Wide off;                    // distance from the middle of the box it belongs to
    Wide outside;                // squared distance from B's grid; 0 inside
} WideChild;

#define OctreePairRef const AbutDualOctreePair*
#define OCTREE_PAIR(pair) (*(pair))
#define OCTREE_IS_DENSE(pair) ((pair)->slots == NULL)

KERNEL_INLINE WideInt load_octree_slot(const AbutDualOctreePair* pair, const uint32_t* brick)
{
    return wide_int_gather(pair->slots, brick);
}

#include "search/dual_octree_math.inl"

/// Signs of the middles of eight children, x fastest, relative to the middle of the box.
static const float child_signs[3][8] = { { -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f },
                                         { -1.0f, -1.0f, 1.0f, 1.0f, -1.0f, -1.0f, 1.0f, 1.0f },
                                         { -1.0f, -1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f } };

KERNEL_INLINE Wide child_middle(float middle, float half, int axis, int first)
{
    return wide_add(wide_splat(middle), wide_mul(wide_splat(half), wide_load(child_signs[axis] + first)));
}

KERNEL_INLINE void locate_children(const AbutDualOctreePair* pair, const AbutDualOctreeBox* box, int first,
                                   WideChild* out)
{
    WideVec in_a = { child_middle(box->middle[0], box->half, 0, first),
                     child_middle(box->middle[1], box->half, 1, first),
                     child_middle(box->middle[2], box->half, 2, first) };
    *out = locate_child(pair, in_a);
}

/// Masks of the children from `first` on.
KERNEL_INLINE void classify_children(const AbutDualOctreePair* pair, const AbutDualOctreeBox* box, int first,
                                     const WideChild* at, Wide number, float* least, float* best,
                                     AbutDualOctreeChildren* children)
{
    Wide a = wide_mul(wide_load_shorts(box->numbers + first), wide_splat(pair->a_step));
    Wide b = wide_mul(number, wide_splat(pair->b_step));
    Wide bound = wide_max(a, child_low(pair, b, at->off, at->outside));
    WideMask closed = wide_less(wide_splat(box->open_distance), bound); // not where that is NaN
    uint32_t open_bits = wide_bits(closed) ^ ((1u << WIDE_LANES) - 1u);
    Wide excess = wide_select(closed, wide_sub(bound, wide_splat(box->radius)), wide_splat(INFINITY));
    wide_store(least + first, wide_min(wide_load(least + first), excess));
    if (open_bits == 0)
    {
        return;
    }
    Wide value = wide_max(a, child_distance(pair, b));
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
        Wide high = wide_max(a, child_distance(pair, wide_add(b, at->off)));
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
    WideChild located[2 * CHILD_GROUPS];
    Wide numbers[2 * CHILD_GROUPS];
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        locate_children(pair, &boxes[i / CHILD_GROUPS], (int)(i % CHILD_GROUPS) * WIDE_LANES, &located[i]);
    }
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        numbers[i] = wide_gather_shorts(pair->leaves, located[i].number);
    }
    float best[2] = { INFINITY, INFINITY };
    for (size_t i = 0; i < count * CHILD_GROUPS; ++i)
    {
        size_t box = i / CHILD_GROUPS;
        if (i % CHILD_GROUPS == 0)
        {
            children[box] = (AbutDualOctreeChildren){ 0 };
        }
        classify_children(pair, &boxes[box], (int)(i % CHILD_GROUPS) * WIDE_LANES, &located[i], numbers[i],
                          least, &best[box], &children[box]);
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
