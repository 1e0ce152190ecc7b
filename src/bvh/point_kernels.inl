// Boxes around a point (bvh/kernels.h).
#ifndef ABUT_BVH_POINT_KERNELS_INL
#define ABUT_BVH_POINT_KERNELS_INL

#include "bvh/pack_kernels.inl"

/// Squared distance from the interval [low, high], less the slack on either side.
KERNEL_INLINE Wide interval_distance(Wide x, Wide low, Wide high, Wide slack)
{
    Wide outside = wide_max(wide_sub(low, x), wide_sub(x, high));
    Wide gap = wide_max(wide_sub(outside, slack), wide_zero());
    return wide_mul(gap, gap);
}

static unsigned point_node_kernel(const AbutTreeNode* node, const AbutBoxPoint* point, float limit,
                                  float bounds[ABUT_TREE_WIDTH])
{
    const float p[3] = { point->position.x, point->position.y, point->position.z };
    const Wide slack = wide_splat(point->slack);
    unsigned bits = 0;
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        Wide sum = wide_zero();
        for (int axis = 0; axis < 3; ++axis)
        {
            sum = wide_add(sum, interval_distance(wide_splat(p[axis]), wide_load(node->low[axis] + i),
                                                  wide_load(node->high[axis] + i), slack));
        }
        wide_store(bounds + i, sum);
        bits |= wide_bits(wide_less(sum, wide_splat(limit))) << i;
    }
    return bits & ((1u << node->child_count) - 1);
}

static unsigned point_pack_kernel(const AbutTrianglePack* pack, AbutVec3 center, const AbutBoxPoint* point,
                                  float limit)
{
    const float p[3] = { point->position.x, point->position.y, point->position.z };
    const float c[3] = { center.x, center.y, center.z };
    const Wide slack = wide_splat(point->slack);
    unsigned bits = 0;
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        Wide sum = wide_zero();
        for (int axis = 0; axis < 3; ++axis)
        {
            Wide q = wide_load(pack->corner[0][axis] + i), r = wide_load(pack->corner[1][axis] + i),
                 s = wide_load(pack->corner[2][axis] + i), origin = wide_splat(c[axis]);
            Wide low = wide_sub(wide_min(wide_min(q, r), s), origin);
            Wide high = wide_sub(wide_max(wide_max(q, r), s), origin);
            sum = wide_add(sum, interval_distance(wide_splat(p[axis]), low, high, slack));
        }
        Wide x = wide_load(pack->corner[0][0] + i);
        bits |= wide_bits(wide_and(wide_less(sum, wide_splat(limit)), wide_equal(x, x))) << i;
    }
    return bits;
}

#endif
