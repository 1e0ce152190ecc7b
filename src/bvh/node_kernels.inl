// Boxes of two nodes in each other's frame (bvh/kernels.h). Boxes of different frames are apart when a face
// of one of them separates them: both are compared as boxes of the first frame, then of the second.
#ifndef ABUT_BVH_NODE_KERNELS_INL
#define ABUT_BVH_NODE_KERNELS_INL

#include "bvh/kernels.h"
#include "simd/lanes.inl"

/// Eight boxes by coordinate.
typedef struct LaneBoxes
{
    float low[3][ABUT_TREE_WIDTH], high[3][ABUT_TREE_WIDTH];
} LaneBoxes;

/// Boxes of the other frame around the boxes of a node.
KERNEL_INLINE void move_boxes(const AbutTreeNode* node, const AbutTreeView* view, LaneBoxes* out)
{
    const Wide half = wide_splat(0.5f), slack = wide_splat(view->slack);
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        Wide center[3], extent[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            Wide low = wide_load(node->low[axis] + i), high = wide_load(node->high[axis] + i);
            center[axis] = wide_mul(wide_add(low, high), half);
            extent[axis] = wide_mul(wide_sub(high, low), half);
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* m = view->linear[axis];
            const float* n = view->magnitude[axis];
            Wide c = wide_add(wide_add(wide_add(wide_mul(wide_splat(m[0]), center[0]),
                                                wide_mul(wide_splat(m[1]), center[1])),
                                       wide_mul(wide_splat(m[2]), center[2])),
                              wide_splat(view->offset[axis]));
            Wide e = wide_add(wide_add(wide_add(wide_mul(wide_splat(n[0]), extent[0]),
                                                wide_mul(wide_splat(n[1]), extent[1])),
                                       wide_mul(wide_splat(n[2]), extent[2])),
                              slack);
            wide_store(out->low[axis] + i, wide_sub(c, e));
            wide_store(out->high[axis] + i, wide_add(c, e));
        }
    }
}

/// Lanes [i, i + WIDE_LANES) of boxes against one box.
KERNEL_INLINE WideMask lanes_overlap(const float low[3][ABUT_TREE_WIDTH],
                                     const float high[3][ABUT_TREE_WIDTH], int i,
                                     const float box_low[3][ABUT_TREE_WIDTH],
                                     const float box_high[3][ABUT_TREE_WIDTH], int lane)
{
    WideMask all = wide_and(wide_less_equal(wide_load(low[0] + i), wide_splat(box_high[0][lane])),
                            wide_less_equal(wide_splat(box_low[0][lane]), wide_load(high[0] + i)));
    for (int axis = 1; axis < 3; ++axis)
    {
        WideMask above = wide_less_equal(wide_load(low[axis] + i), wide_splat(box_high[axis][lane]));
        WideMask below = wide_less_equal(wide_splat(box_low[axis][lane]), wide_load(high[axis] + i));
        all = wide_and(all, wide_and(above, below));
    }
    return all;
}

static bool node_hits_kernel(const AbutTreeNode* a, const AbutTreeNode* b, const AbutTreeFrame* frame,
                             AbutLaneHits* out)
{
    LaneBoxes moved_a, moved_b;
    move_boxes(a, &frame->a_in_b, &moved_a);
    move_boxes(b, &frame->b_in_a, &moved_b);
    unsigned any = 0;
    for (uint32_t k = 0; k < a->child_count; ++k)
    {
        unsigned bits = 0;
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            WideMask in_a = lanes_overlap(moved_b.low, moved_b.high, i, a->low, a->high, (int)k);
            WideMask in_b = lanes_overlap(b->low, b->high, i, moved_a.low, moved_a.high, (int)k);
            bits |= wide_bits(wide_and(in_a, in_b)) << i;
        }
        out->hits[k] = (uint8_t)bits;
        any |= bits;
    }
    return any != 0;
}

static unsigned box_hits_kernel(const AbutTreeNode* node, const AbutTreeNode* other, uint32_t other_lane,
                                const AbutTreeView* view)
{
    float low[3][ABUT_TREE_WIDTH], high[3][ABUT_TREE_WIDTH];
    float center[3], extent[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        float l = other->low[axis][other_lane], h = other->high[axis][other_lane];
        center[axis] = (l + h) * 0.5f;
        extent[axis] = (h - l) * 0.5f;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        const float* m = view->linear[axis];
        const float* n = view->magnitude[axis];
        float c = ((m[0] * center[0] + m[1] * center[1]) + m[2] * center[2]) + view->offset[axis];
        float e = ((n[0] * extent[0] + n[1] * extent[1]) + n[2] * extent[2]) + view->slack;
        low[axis][0] = c - e;
        high[axis][0] = c + e;
    }
    unsigned bits = 0;
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        bits |= wide_bits(lanes_overlap(node->low, node->high, i, low, high, 0)) << i;
    }
    return bits;
}

#endif
