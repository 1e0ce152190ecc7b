// Triangles of two packs of one mesh (bvh/kernels.h): as pack_hits, but corners that both triangles share are
// left out of the sides. With all other corners of a triangle on one side of the other's plane, the two have
// nothing in common but what they share.
#ifndef ABUT_BVH_SELF_KERNELS_INL
#define ABUT_BVH_SELF_KERNELS_INL

#include "bvh/pack_kernels.inl"

/// Infinite in the lanes where the vertex is one of the three, else −infinite.
KERNEL_INLINE Wide mark_shared(WideInt vertex, const WideInt others[3])
{
    const Wide shared = wide_splat(INFINITY);
    Wide mark = wide_splat(-INFINITY);
    for (int corner = 0; corner < 3; ++corner)
    {
        mark = wide_select(wide_int_equal(vertex, others[corner]), shared, mark);
    }
    return mark;
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

/// Lanes [i, i + WIDE_LANES) of b whose corners, but for shared ones, are not all on one side of the plane of
/// lane k of a.
KERNEL_INLINE unsigned unshared_sides_of_plane(const LaneTriangles* a, int k, const WideInt vertices_a[3],
                                               const LaneTriangles* b, int i, const WideInt vertices_b[3])
{
    WideVec normal = { wide_splat(a->normal[0][k]), wide_splat(a->normal[1][k]),
                       wide_splat(a->normal[2][k]) };
    WideVec origin = { wide_splat(a->corner[0][0][k]), wide_splat(a->corner[0][1][k]),
                       wide_splat(a->corner[0][2][k]) };
    Wide heights[3], marks[3];
    for (int c = 0; c < 3; ++c)
    {
        heights[c] = dot3(normal, sub3(load_corner(b->corner[c], i), origin));
        marks[c] = mark_shared(vertices_b[c], vertices_a);
    }
    return mixed_unshared(heights, marks, wide_splat(a->tolerance[k]));
}

/// The same of the corners of lane k of a and the planes of b.
KERNEL_INLINE unsigned unshared_sides_of_planes(const LaneTriangles* a, int k, const WideInt vertices_a[3],
                                                const LaneTriangles* b, int i, const WideInt vertices_b[3])
{
    WideVec normal = load_corner(b->normal, i), origin = load_corner(b->corner[0], i);
    Wide heights[3], marks[3];
    for (int c = 0; c < 3; ++c)
    {
        WideVec p = { wide_splat(a->corner[c][0][k]), wide_splat(a->corner[c][1][k]),
                      wide_splat(a->corner[c][2][k]) };
        heights[c] = dot3(normal, sub3(p, origin));
        marks[c] = mark_shared(vertices_a[c], vertices_b);
    }
    return mixed_unshared(heights, marks, wide_load(b->tolerance + i));
}

/// Of the lanes in `group` those that may touch lane k of a beyond shared corners.
KERNEL_INLINE unsigned unshared_hits(const LaneTriangles* a, const AbutPackIndex* index_a, int k,
                                     const LaneTriangles* b, const AbutPackIndex* index_b, int i,
                                     unsigned group)
{
    WideInt vertices_a[3], vertices_b[3];
    for (int c = 0; c < 3; ++c)
    {
        vertices_a[c] = wide_int_splat(index_a->vertex[c][k]);
        vertices_b[c] = wide_int_load(index_b->vertex[c] + i);
    }
    group &= unshared_sides_of_plane(a, k, vertices_a, b, i, vertices_b);
    return group != 0 ? group & unshared_sides_of_planes(a, k, vertices_a, b, i, vertices_b) : 0;
}

/// Nothing moves: both are about one corner of a.
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
    unsigned any = 0;
    for (int k = 0; k < ABUT_TREE_WIDTH; ++k)
    {
        unsigned bits = 0;
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            unsigned group = wide_bits(lanes_overlap(b.low, b.high, i, a.low, a.high, k));
            group = group != 0 ? unshared_hits(&a, index_a, k, &b, index_b, i, group) : 0;
            bits |= group << i;
        }
        out->hits[k] = (uint8_t)bits;
        any |= bits;
    }
    return any != 0;
}

#endif
