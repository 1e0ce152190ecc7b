// Triangles of two packs (bvh/kernels.h): by boxes, then by the sides of both planes.
//
// Coordinates are about corners of the packs, so that rounding is relative to the packs: with `largest` the
// largest of all coordinates, each is within δ = 2⁻¹⁹·largest + radius of its true value. A triangle's normal
// n = e × f and the height n·w of a corner are within δ·(28·|e|·|f| + 12·largest·(|e| + |f|)) of theirs,
// rounding included, where lengths are sums of magnitudes.
#ifndef ABUT_BVH_PACK_KERNELS_INL
#define ABUT_BVH_PACK_KERNELS_INL

#include "bvh/kernels.h"
#include "simd/lanes.inl"

/// Eight triangles about an origin.
typedef struct LaneTriangles
{
    float corner[3][3][ABUT_TREE_WIDTH]; // by corner, axis
    float low[3][ABUT_TREE_WIDTH], high[3][ABUT_TREE_WIDTH];
    float normal[3][ABUT_TREE_WIDTH];
    float tolerance[ABUT_TREE_WIDTH]; // of heights
} LaneTriangles;

KERNEL_INLINE WideVec load_corner(const float corner[3][ABUT_TREE_WIDTH], int i)
{
    return (WideVec){ wide_load(corner[0] + i), wide_load(corner[1] + i), wide_load(corner[2] + i) };
}

KERNEL_INLINE void store_corner(float corner[3][ABUT_TREE_WIDTH], int i, WideVec v)
{
    wide_store(corner[0] + i, v.x);
    wide_store(corner[1] + i, v.y);
    wide_store(corner[2] + i, v.z);
}

KERNEL_INLINE WideVec splat_vec(AbutVec3 v)
{
    return (WideVec){ wide_splat(v.x), wide_splat(v.y), wide_splat(v.z) };
}

KERNEL_INLINE WideVec move_lanes(WideVec v, const AbutPackFrame* frame)
{
    Wide out[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        const float* m = frame->linear[axis];
        WideVec row = { wide_splat(m[0]), wide_splat(m[1]), wide_splat(m[2]) };
        out[axis] = wide_add(dot3(row, v), wide_splat(frame->offset[axis]));
    }
    return (WideVec){ out[0], out[1], out[2] };
}

KERNEL_INLINE WideVec cross_lanes(WideVec a, WideVec b)
{
    return (WideVec){ wide_sub(wide_mul(a.y, b.z), wide_mul(a.z, b.y)),
                      wide_sub(wide_mul(a.z, b.x), wide_mul(a.x, b.z)),
                      wide_sub(wide_mul(a.x, b.y), wide_mul(a.y, b.x)) };
}

KERNEL_INLINE Wide sum_of_magnitudes(WideVec v)
{
    return wide_add(wide_add(wide_abs(v.x), wide_abs(v.y)), wide_abs(v.z));
}

KERNEL_INLINE Wide largest_magnitude(WideVec v, Wide largest)
{
    largest = wide_max(wide_abs(v.x), largest); // NaN lanes leave the second operand
    largest = wide_max(wide_abs(v.y), largest);
    return wide_max(wide_abs(v.z), largest);
}

/// Corners about the origin; in the frame of A when `frame` has one for them. Returns the largest magnitude.
KERNEL_INLINE Wide load_triangles(const AbutTrianglePack* pack, AbutVec3 origin, const AbutPackFrame* frame,
                                  Wide largest, LaneTriangles* out)
{
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        for (int k = 0; k < 3; ++k)
        {
            WideVec v = sub3(load_corner(pack->corner[k], i), splat_vec(origin));
            v = frame != NULL ? move_lanes(v, frame) : v;
            store_corner(out->corner[k], i, v);
            largest = largest_magnitude(v, largest);
        }
    }
    return largest;
}

/// Boxes, larger by `delta` on every side.
KERNEL_INLINE void measure_boxes(LaneTriangles* t, float delta)
{
    const Wide d = wide_splat(delta);
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            Wide p = wide_load(t->corner[0][axis] + i), q = wide_load(t->corner[1][axis] + i),
                 r = wide_load(t->corner[2][axis] + i);
            wide_store(t->low[axis] + i, wide_sub(wide_min(wide_min(p, q), r), d));
            wide_store(t->high[axis] + i, wide_add(wide_max(wide_max(p, q), r), d));
        }
    }
}

KERNEL_INLINE void measure_planes(LaneTriangles* t, float delta, float largest)
{
    // The last term is for underflow.
    const Wide d = wide_splat(delta), l = wide_splat(12.0f * largest), least = wide_splat(0x1p-140f);
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        WideVec origin = load_corner(t->corner[0], i);
        WideVec e = sub3(load_corner(t->corner[1], i), origin),
                f = sub3(load_corner(t->corner[2], i), origin);
        store_corner(t->normal, i, cross_lanes(e, f));
        Wide e_length = sum_of_magnitudes(e), f_length = sum_of_magnitudes(f);
        Wide product = wide_mul(wide_splat(28.0f), wide_mul(e_length, f_length));
        Wide sum = wide_mul(l, wide_add(e_length, f_length));
        wide_store(t->tolerance + i, wide_add(wide_mul(d, wide_add(product, sum)), least));
    }
}

/// Bits of the lanes whose corners are not all on one side: heights[k] are those of corner k.
KERNEL_INLINE unsigned mixed_sides(const Wide heights[3], Wide tolerance)
{
    Wide low = wide_min(wide_min(heights[0], heights[1]), heights[2]);
    Wide high = wide_max(wide_max(heights[0], heights[1]), heights[2]);
    WideMask below = wide_less_equal(low, tolerance), above = wide_less_equal(wide_negate(tolerance), high);
    return wide_bits(wide_and(below, above));
}

/// Corners of the lanes of b against the plane of lane k of a.
KERNEL_INLINE unsigned sides_of_plane(const LaneTriangles* a, int k, const LaneTriangles* b, int i)
{
    WideVec n = { wide_splat(a->normal[0][k]), wide_splat(a->normal[1][k]), wide_splat(a->normal[2][k]) };
    WideVec p = { wide_splat(a->corner[0][0][k]), wide_splat(a->corner[0][1][k]),
                  wide_splat(a->corner[0][2][k]) };
    Wide heights[3];
    for (int corner = 0; corner < 3; ++corner)
    {
        heights[corner] = dot3(n, sub3(load_corner(b->corner[corner], i), p));
    }
    return mixed_sides(heights, wide_splat(a->tolerance[k]));
}

/// Corners of lane k of a against the planes of the lanes of b.
KERNEL_INLINE unsigned sides_of_planes(const LaneTriangles* a, int k, const LaneTriangles* b, int i)
{
    WideVec n = load_corner(b->normal, i), p = load_corner(b->corner[0], i);
    Wide heights[3];
    for (int c = 0; c < 3; ++c)
    {
        WideVec v = { wide_splat(a->corner[c][0][k]), wide_splat(a->corner[c][1][k]),
                      wide_splat(a->corner[c][2][k]) };
        heights[c] = dot3(n, sub3(v, p));
    }
    return mixed_sides(heights, wide_load(b->tolerance + i));
}

static bool pack_hits_kernel(const AbutTrianglePack* pack_a, const AbutTrianglePack* pack_b,
                             const AbutPackFrame* frame, AbutLaneHits* out)
{
    LaneTriangles a, b;
    Wide wide_largest = load_triangles(pack_a, frame->origin_a, NULL, wide_zero(), &a);
    wide_largest = load_triangles(pack_b, frame->origin_b, frame, wide_largest, &b);
    float largest = -wide_least(wide_negate(wide_largest));
    float delta = 0x1p-19f * largest + frame->radius;
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
            group = group != 0 ? group & sides_of_plane(&a, k, &b, i) : 0;
            group = group != 0 ? group & sides_of_planes(&a, k, &b, i) : 0;
            bits |= group << i;
        }
        out->hits[k] = (uint8_t)bits;
        any |= bits;
    }
    return any != 0;
}

#endif
