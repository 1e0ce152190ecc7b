// Boxes around a point (bvh/kernels.h).
#ifndef ABUT_BVH_POINT_KERNELS_INL
#define ABUT_BVH_POINT_KERNELS_INL

#include "bvh/pack_kernels.inl"

#include <float.h>

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

/// A point of the segment about as close to the origin as any.
KERNEL_INLINE WideVec closest_on_segment_to_origin(WideVec a, WideVec b)
{
    WideVec edge = sub3(b, a);
    Wide length = wide_max(dot3(edge, edge), wide_splat(FLT_MIN));
    Wide t = wide_div(wide_negate(dot3(a, edge)), length);
    t = wide_min(wide_max(t, wide_zero()), wide_splat(1.0f));
    return (WideVec){ wide_add(a.x, wide_mul(t, edge.x)), wide_add(a.y, wide_mul(t, edge.y)),
                      wide_add(a.z, wide_mul(t, edge.z)) };
}

KERNEL_INLINE WideVec nearer_origin(WideVec p, WideVec q)
{
    return select3(wide_less(dot3(q, q), dot3(p, p)), q, p);
}

/// Whether the foot of the origin on the plane of a triangle is inside of the edge from a to b.
KERNEL_INLINE WideMask foot_is_inside(WideVec a, WideVec b, WideVec normal)
{
    return wide_less_equal(dot3(cross_lanes(sub3(b, a), a), normal), wide_zero());
}

/// A point of the triangle about as close to the origin as any.
KERNEL_INLINE WideVec closest_on_triangle_to_origin(WideVec a, WideVec b, WideVec c)
{
    WideVec q =
        nearer_origin(nearer_origin(closest_on_segment_to_origin(a, b), closest_on_segment_to_origin(b, c)),
                      closest_on_segment_to_origin(c, a));
    WideVec normal = cross_lanes(sub3(b, a), sub3(c, a));
    Wide share = wide_div(dot3(normal, a), dot3(normal, normal));
    WideVec foot = { wide_mul(share, normal.x), wide_mul(share, normal.y), wide_mul(share, normal.z) };
    WideMask inside = wide_and(wide_and(foot_is_inside(a, b, normal), foot_is_inside(b, c, normal)),
                               foot_is_inside(c, a, normal));
    return select3(inside, nearer_origin(q, foot), q);
}

/// Bounds of the squared distance of triangles about the point: that of the plane with normal q that they are
/// behind, whatever q is, and that of q. Rounding of corners and products is within twice the slack.
KERNEL_INLINE void bound_triangles(const AbutTrianglePack* pack, int i, WideVec center, WideVec position,
                                   Wide slack, float low[ABUT_TREE_WIDTH], float high[ABUT_TREE_WIDTH])
{
    WideVec a = sub3(sub3(load_corner(pack->corner[0], i), center), position),
            b = sub3(sub3(load_corner(pack->corner[1], i), center), position),
            c = sub3(sub3(load_corner(pack->corner[2], i), center), position);
    WideVec q = closest_on_triangle_to_origin(a, b, c);
    Wide length = wide_sqrt(dot3(q, q)), least = wide_min(wide_min(dot3(a, q), dot3(b, q)), dot3(c, q));
    Wide twice = wide_add(slack, slack), down = wide_splat(1.0f - 0x1p-20f), up = wide_splat(1.0f + 0x1p-20f);
    Wide height = wide_sub(wide_div(least, wide_max(length, wide_splat(FLT_MIN))), twice);
    Wide top = wide_add(length, twice);
    height = wide_select(wide_less(wide_zero(), height), height, wide_zero()); // NaN, too
    wide_store(low + i, wide_mul(wide_mul(height, height), down));
    wide_store(high + i, wide_mul(wide_mul(top, top), up));
}

/// Of the triangles in the mask those that may be closest; `limit` gets the least upper bound.
KERNEL_INLINE unsigned closest_triangles(const AbutTrianglePack* pack, AbutVec3 center,
                                         const AbutBoxPoint* point, unsigned mask, float* limit)
{
    float low[ABUT_TREE_WIDTH], high[ABUT_TREE_WIDTH];
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        bound_triangles(pack, i, splat_vec(center), splat_vec(point->position), wide_splat(point->slack), low,
                        high);
    }
    for (unsigned bits = mask; bits != 0; bits &= bits - 1)
    {
        float bound = high[__builtin_ctz(bits)];
        *limit = bound < *limit ? bound : *limit;
    }
    unsigned left = mask;
    for (unsigned bits = mask; bits != 0; bits &= bits - 1)
    {
        left &= low[__builtin_ctz(bits)] > *limit ? ~(bits & -bits) : ~0u;
    }
    return left;
}

static unsigned point_pack_kernel(const AbutTrianglePack* pack, AbutVec3 center, const AbutBoxPoint* point,
                                  float* limit)
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
        bits |= wide_bits(wide_and(wide_less(sum, wide_splat(*limit)), wide_equal(x, x))) << i;
    }
    bool several = (bits & (bits - 1)) != 0; // one alone is measured at once
    return several ? closest_triangles(pack, center, point, bits, limit) : bits;
}

#endif
