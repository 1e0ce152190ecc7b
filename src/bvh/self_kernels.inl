// Triangles of two packs of one mesh (bvh/kernels.h): as pack_hits, but corners that both triangles share are
// left out of the sides. With all other corners of a triangle on one side of the other's plane, the two have
// nothing in common but what they share.
#ifndef ABUT_BVH_SELF_KERNELS_INL
#define ABUT_BVH_SELF_KERNELS_INL

#include "bvh/pack_kernels.inl"

#include <string.h>

/// Infinite where one of the masks is set, else −infinite.
KERNEL_INLINE Wide mark_any(WideMask x, WideMask y, WideMask z)
{
    const Wide shared = wide_splat(INFINITY);
    Wide mark = wide_select(x, shared, wide_splat(-INFINITY));
    return wide_select(z, shared, wide_select(y, shared, mark));
}

/// As mixed_sides(), without marked corners; lanes with three of them stay.
KERNEL_INLINE unsigned mixed_unshared(const Wide heights[3], const Wide marks[3], Wide tolerance)
{
    Wide low = wide_splat(INFINITY), high = wide_splat(-INFINITY);
    for (int c = 0; c < 3; ++c)
    {
        low = wide_min(wide_max(heights[c], marks[c]), low);
        high = wide_max(wide_min(heights[c], wide_negate(marks[c])), high);
    }
    WideMask below = wide_less_equal(low, tolerance), above = wide_less_equal(wide_negate(tolerance), high);
    return wide_bits(wide_and(below, above)) | wide_bits(wide_equal(low, wide_splat(INFINITY)));
}

/// Heights of the corners of triangles over the plane of another, and marks of those that both share.
typedef struct Heights
{
    Wide over[3], marks[3];
    Wide tolerance;
} Heights;

/// Of the corners of lanes [i, i + WIDE_LANES) of b over the plane of lane k of a.
KERNEL_INLINE Heights heights_over_plane(const LaneTriangles* a, int k, const LaneTriangles* b, int i,
                                         WideMask same[3][3])
{
    WideVec normal = { wide_splat(a->normal[0][k]), wide_splat(a->normal[1][k]),
                       wide_splat(a->normal[2][k]) };
    WideVec origin = { wide_splat(a->corner[0][0][k]), wide_splat(a->corner[0][1][k]),
                       wide_splat(a->corner[0][2][k]) };
    Heights out = { .tolerance = wide_splat(a->tolerance[k]) };
    for (int c = 0; c < 3; ++c)
    {
        out.over[c] = dot3(normal, sub3(load_corner(b->corner[c], i), origin));
        out.marks[c] = mark_any(same[c][0], same[c][1], same[c][2]);
    }
    return out;
}

/// Of the corners of lane k of a over the planes of b.
KERNEL_INLINE Heights heights_over_planes(const LaneTriangles* a, int k, const LaneTriangles* b, int i,
                                          WideMask same[3][3])
{
    WideVec normal = load_corner(b->normal, i), origin = load_corner(b->corner[0], i);
    Heights out = { .tolerance = wide_load(b->tolerance + i) };
    for (int c = 0; c < 3; ++c)
    {
        WideVec p = { wide_splat(a->corner[c][0][k]), wide_splat(a->corner[c][1][k]),
                      wide_splat(a->corner[c][2][k]) };
        out.over[c] = dot3(normal, sub3(p, origin));
        out.marks[c] = mark_any(same[0][c], same[1][c], same[2][c]);
    }
    return out;
}

/// The two corners after a common one, in the order of the triangle.
typedef struct NextCorners
{
    unsigned single;   // lanes with one common corner, whose two others are off the plane for certain
    unsigned positive; // lanes whose first of these is above it
} NextCorners;

KERNEL_INLINE NextCorners next_corners(const Heights* h)
{
    const Wide shared = wide_splat(INFINITY);
    WideMask first = wide_equal(h->marks[0], shared), second = wide_equal(h->marks[1], shared);
    unsigned m = wide_bits(first), n = wide_bits(second), o = wide_bits(wide_equal(h->marks[2], shared));
    Wide next = wide_select(first, h->over[1], wide_select(second, h->over[2], h->over[0]));
    Wide last = wide_select(first, h->over[2], wide_select(second, h->over[0], h->over[1]));
    WideMask certain =
        wide_and(wide_less(h->tolerance, wide_abs(next)), wide_less(h->tolerance, wide_abs(last)));
    return (NextCorners){ ((m ^ n ^ o) & ~(m & n & o)) & wide_bits(certain),
                          wide_bits(wide_less(wide_zero(), next)) };
}

/// Of the lanes in `group` those that may touch lane k of a beyond shared corners. Triangles with one common
/// corner whose next corners are on the same sides of the other's plane have nothing else in common
/// (bvh/self_pairs.c has the argument). No branch ends it early: they are not predictable, and cost more.
KERNEL_INLINE unsigned unshared_hits(const LaneTriangles* a, const AbutPackIndex* index_a, int k,
                                     const LaneTriangles* b, const AbutPackIndex* index_b, int i,
                                     unsigned group)
{
    WideMask same[3][3]; // vertices, by corner of b and of a
    for (int c = 0; c < 3; ++c)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            same[c][corner] = wide_int_equal(wide_int_load(index_b->vertex[c] + i),
                                             wide_int_splat(index_a->vertex[corner][k]));
        }
    }
    Heights of_b = heights_over_plane(a, k, b, i, same);
    group &= mixed_unshared(of_b.over, of_b.marks, of_b.tolerance);
    Heights of_a = heights_over_planes(a, k, b, i, same);
    group &= mixed_unshared(of_a.over, of_a.marks, of_a.tolerance);
    NextCorners next_a = next_corners(&of_a), next_b = next_corners(&of_b);
    return group & ~(next_a.single & next_b.single & ~(next_a.positive ^ next_b.positive));
}

/// Lanes whose boxes overlap the box of all others.
KERNEL_INLINE unsigned lanes_in_lanes(const LaneTriangles* t, const LaneTriangles* others)
{
    unsigned bits = (1u << ABUT_TREE_WIDTH) - 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        Wide low = wide_splat(INFINITY), high = wide_splat(-INFINITY);
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            low = wide_min(wide_load(others->low[axis] + i), low); // NaN lanes leave the second operand
            high = wide_max(wide_load(others->high[axis] + i), high);
        }
        Wide least = wide_splat(wide_least(low)), most = wide_splat(-wide_least(wide_negate(high)));
        unsigned in = 0;
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            in |= wide_bits(wide_and(wide_less_equal(wide_load(t->low[axis] + i), most),
                                     wide_less_equal(least, wide_load(t->high[axis] + i))))
                  << i;
        }
        bits &= in;
    }
    return bits;
}

/// Lanes of `others` that triangle `k` of `one` may touch beyond shared corners.
KERNEL_INLINE unsigned hits_of_lane(const LaneTriangles* one, const AbutPackIndex* index, int k,
                                    const LaneTriangles* others, const AbutPackIndex* other_index)
{
    unsigned bits = 0;
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        unsigned group = wide_bits(lanes_overlap(others->low, others->high, i, one->low, one->high, k));
        bits |= (group != 0 ? unshared_hits(one, index, k, others, other_index, i, group) : 0) << i;
    }
    return bits;
}

/// Nothing moves: both are about one corner of a. Packs that overlap do so with few of their triangles, those
/// in the box of the other pack.
static bool self_hits_kernel(const AbutTrianglePack* pack_a, const AbutPackIndex* index_a,
                             const AbutTrianglePack* pack_b, const AbutPackIndex* index_b, AbutLaneHits* out)
{
    LaneTriangles a, b;
    AbutVec3 origin = { pack_a->corner[0][0][0], pack_a->corner[0][1][0], pack_a->corner[0][2][0] };
    Wide wide_largest = load_triangles(pack_a, origin, NULL, wide_zero(), &a);
    wide_largest = load_triangles(pack_b, origin, NULL, wide_largest, &b);
    float largest = -wide_least(wide_negate(wide_largest));
    float delta = 0x1p-19f * largest;
    measure_boxes(&a, delta);
    measure_boxes(&b, delta);
    measure_planes(&a, delta, largest);
    measure_planes(&b, delta, largest);
    // Those of the fewer, one by one, against all of the others.
    unsigned of_a = lanes_in_lanes(&a, &b), of_b = lanes_in_lanes(&b, &a), any = 0;
    bool by_a = __builtin_popcount(of_a) <= __builtin_popcount(of_b);
    memset(out->hits, 0, sizeof(out->hits));
    for (unsigned left = by_a ? of_a : of_b; left != 0; left &= left - 1)
    {
        int k = __builtin_ctz(left);
        unsigned bits =
            by_a ? hits_of_lane(&a, index_a, k, &b, index_b) : hits_of_lane(&b, index_b, k, &a, index_a);
        any |= bits;
        for (unsigned rest = bits; rest != 0; rest &= rest - 1)
        {
            int l = __builtin_ctz(rest);
            out->hits[by_a ? k : l] |= (uint8_t)(1u << (by_a ? l : k));
        }
    }
    return any != 0;
}

#endif
