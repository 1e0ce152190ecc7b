// Lower bounds of the distances of boxes and of triangles (bvh/kernels.h). All bounds are squared, in the
// unit of A.
#ifndef ABUT_BVH_DISTANCE_KERNELS_INL
#define ABUT_BVH_DISTANCE_KERNELS_INL

#include "bvh/node_kernels.inl"
#include "bvh/pack_kernels.inl"

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

/// Squared distance of lanes [i, i + WIDE_LANES) of boxes from one box.
KERNEL_INLINE Wide lanes_distance(const float low[3][ABUT_TREE_WIDTH], const float high[3][ABUT_TREE_WIDTH],
                                  int i, const float box_low[3][ABUT_TREE_WIDTH],
                                  const float box_high[3][ABUT_TREE_WIDTH], int lane)
{
    Wide sum = wide_zero();
    for (int axis = 0; axis < 3; ++axis)
    {
        Wide above = wide_sub(wide_load(low[axis] + i), wide_splat(box_high[axis][lane]));
        Wide below = wide_sub(wide_splat(box_low[axis][lane]), wide_load(high[axis] + i));
        Wide gap = wide_max(wide_max(above, below), wide_zero());
        sum = wide_add(sum, wide_mul(gap, gap));
    }
    return sum;
}

/// Boxes of the witness frame around oriented boxes.
KERNEL_INLINE void move_oriented(const AbutOrientedNode* node, const AbutTreeView* view, LaneBoxes* out)
{
    const Wide slack = wide_splat(view->slack);
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        WideVec center = load_corner(node->center, i);
        for (int row = 0; row < 3; ++row)
        {
            const float* m = view->linear[row];
            WideVec direction = { wide_splat(m[0]), wide_splat(m[1]), wide_splat(m[2]) };
            Wide c = wide_add(dot3(direction, center), wide_splat(view->offset[row]));
            Wide e = slack;
            for (int axis = 0; axis < 3; ++axis)
            {
                Wide along = wide_abs(dot3(direction, load_corner(node->axis[axis], i)));
                e = wide_add(e, wide_mul(along, wide_load(node->half[axis] + i)));
            }
            wide_store(out->low[row] + i, wide_sub(c, e));
            wide_store(out->high[row] + i, wide_add(c, e));
        }
    }
}

static void node_bounds_kernel(const AbutTreeBoxes* a, const AbutTreeBoxes* b, const AbutTreeFrame* frame,
                               const AbutWitnessFrame* witness, float best,
                               float bounds[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH], AbutLaneHits* hits)
{
    const AbutTreeNode *node_a = a->aligned, *node_b = b->aligned;
    LaneBoxes moved_a, moved_b, witness_a, witness_b;
    move_boxes(node_a, &frame->a_in_b, &moved_a);
    move_boxes(node_b, &frame->b_in_a, &moved_b);
    move_oriented(a->oriented, &witness->of_a, &witness_a);
    move_oriented(b->oriented, &witness->of_b, &witness_b);
    const Wide square = wide_splat(frame->squared_scale), limit = wide_splat(best);
    for (uint32_t k = 0; k < node_a->child_count; ++k)
    {
        unsigned bits = 0;
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            Wide in_a = lanes_distance(moved_b.low, moved_b.high, i, node_a->low, node_a->high, (int)k);
            Wide in_b = lanes_distance(node_b->low, node_b->high, i, moved_a.low, moved_a.high, (int)k);
            Wide along =
                lanes_distance(witness_b.low, witness_b.high, i, witness_a.low, witness_a.high, (int)k);
            Wide bound = wide_max(wide_max(wide_mul(square, in_b), in_a), along);
            wide_store(bounds[k] + i, bound);
            bits |= wide_bits(wide_less(bound, limit)) << i;
        }
        hits->hits[k] = (uint8_t)(bits & ((1u << node_b->child_count) - 1)); // NaN lanes are not far away
    }
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

KERNEL_INLINE Wide clamp_unit(Wide s)
{
    return wide_max(wide_min(s, wide_splat(1.0f)), wide_zero());
}

/// The shortest vector so far from a point of the first triangle to one of the second.
typedef struct LaneWitness
{
    WideVec vector;
    Wide squared;
} LaneWitness;

KERNEL_INLINE void keep_shorter(LaneWitness* best, WideMask valid, WideVec vector)
{
    Wide squared = dot3(vector, vector);
    WideMask shorter = wide_and(valid, wide_less(squared, best->squared));
    best->vector = select3(shorter, vector, best->vector);
    best->squared = wide_select(shorter, squared, best->squared);
}

/// Edges from p along d and from q along e. Any two points of them are an upper bound; these are the closest
/// ones but for rounding.
KERNEL_INLINE void measure_edges(WideVec p, WideVec d, Wide dd, WideVec q, WideVec e, Wide ee,
                                 LaneWitness* best)
{
    const Wide least = wide_splat(0x1p-120f);
    WideVec r = sub3(p, q);
    Wide c = dot3(d, r), f = dot3(e, r), b = dot3(d, e);
    Wide denominator = wide_max(wide_sub(wide_mul(dd, ee), wide_mul(b, b)), least);
    Wide s = clamp_unit(wide_div(wide_sub(wide_mul(b, f), wide_mul(c, ee)), denominator));
    Wide t = clamp_unit(wide_div(wide_add(wide_mul(b, s), f), wide_max(ee, least)));
    s = clamp_unit(wide_div(wide_sub(wide_mul(b, t), c), wide_max(dd, least)));
    WideVec vector = sub3(add_scaled(q, t, e), add_scaled(p, s, d));
    keep_shorter(best, wide_less_equal(wide_zero(), wide_zero()), vector);
}

typedef struct LaneFace
{
    WideVec corner[3], edge[3], normal;
    Wide edge_square[3], normal_square;
} LaneFace;

KERNEL_INLINE LaneFace face_of(WideVec a, WideVec b, WideVec c)
{
    LaneFace face;
    face.corner[0] = a;
    face.corner[1] = b;
    face.corner[2] = c;
    face.edge[0] = sub3(b, a);
    face.edge[1] = sub3(c, b);
    face.edge[2] = sub3(a, c);
    face.normal = cross_lanes(face.edge[0], face.edge[1]);
    face.normal_square = dot3(face.normal, face.normal);
    for (int edge = 0; edge < 3; ++edge)
    {
        face.edge_square[edge] = dot3(face.edge[edge], face.edge[edge]);
    }
    return face;
}

/// A corner that projects into the face; corners beside it are closest to an edge.
KERNEL_INLINE void measure_corner(const LaneFace* face, WideVec p, float sign, LaneWitness* best)
{
    WideMask inside = wide_less(wide_splat(0x1p-120f), face->normal_square);
    for (int k = 0; k < 3; ++k)
    {
        WideVec across = cross_lanes(face->normal, face->edge[k]);
        inside = wide_and(inside, wide_less_equal(wide_zero(), dot3(across, sub3(p, face->corner[k]))));
    }
    Wide height = wide_div(dot3(face->normal, sub3(p, face->corner[0])), face->normal_square);
    keep_shorter(best, inside, scale3(face->normal, wide_mul(wide_splat(sign), height)));
}

KERNEL_INLINE LaneWitness measure_faces(const LaneFace* a, const LaneFace* b)
{
    LaneWitness best = { sub3(b->corner[0], a->corner[0]), wide_splat(INFINITY) };
    best.squared = dot3(best.vector, best.vector);
    for (int k = 0; k < 3; ++k)
    {
        for (int edge = 0; edge < 3; ++edge)
        {
            measure_edges(a->corner[k], a->edge[k], a->edge_square[k], b->corner[edge], b->edge[edge],
                          b->edge_square[edge], &best);
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        measure_corner(a, b->corner[k], 1.0f, &best);
        measure_corner(b, a->corner[k], -1.0f, &best);
    }
    return best;
}

/// The gap along the witness: a lower bound of the distance whatever the witness is. Squared; 0 for none.
KERNEL_INLINE Wide gap_along(const LaneFace* a, const LaneFace* b, const LaneWitness* witness, float delta)
{
    // Of a length just under 1, so that rounding makes no gap larger.
    Wide length = wide_sqrt(wide_max(witness->squared, wide_splat(0x1p-120f)));
    WideVec n = scale3(witness->vector, wide_div(wide_splat(1.0f - 0x1p-20f), length));
    Wide high = wide_max(wide_max(dot3(n, a->corner[0]), dot3(n, a->corner[1])), dot3(n, a->corner[2]));
    Wide low = wide_min(wide_min(dot3(n, b->corner[0]), dot3(n, b->corner[1])), dot3(n, b->corner[2]));
    Wide gap = wide_max(wide_sub(wide_sub(low, high), wide_splat(2.0f * delta)), wide_zero());
    return wide_mul(gap, gap);
}

KERNEL_INLINE WideVec splat_corner(const LaneTriangles* t, int corner, int lane)
{
    return (WideVec){ wide_splat(t->corner[corner][0][lane]), wide_splat(t->corner[corner][1][lane]),
                      wide_splat(t->corner[corner][2][lane]) };
}

/// Boxes of triangles in the witness frame: of corners, not of boxes.
KERNEL_INLINE void project_triangles(const LaneTriangles* t, const AbutWitnessFrame* witness, float delta,
                                     LaneBoxes* out)
{
    const Wide d = wide_splat(2.0f * delta); // three coordinates
    for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* row = witness->of_a.linear[axis];
            WideVec direction = { wide_splat(row[0]), wide_splat(row[1]), wide_splat(row[2]) };
            Wide p = dot3(direction, load_corner(t->corner[0], i)),
                 q = dot3(direction, load_corner(t->corner[1], i)),
                 r = dot3(direction, load_corner(t->corner[2], i));
            wide_store(out->low[axis] + i, wide_sub(wide_min(wide_min(p, q), r), d));
            wide_store(out->high[axis] + i, wide_add(wide_max(wide_max(p, q), r), d));
        }
    }
}

/// Triangles of two packs about a corner, with boxes in the frame of A and in the witness frame.
typedef struct LanePacks
{
    LaneTriangles a, b;
    LaneBoxes along_a, along_b;
    float delta;
} LanePacks;

/// Bits of the lanes of b that may be closer to lane k of a than `best`.
KERNEL_INLINE unsigned close_lanes(const LanePacks* packs, int k, int i, float best,
                                   float gaps[ABUT_TREE_WIDTH])
{
    const LaneTriangles *a = &packs->a, *b = &packs->b;
    const LaneBoxes *along_a = &packs->along_a, *along_b = &packs->along_b;
    Wide x = wide_load(b->corner[0][0] + i), limit = wide_splat(best);
    Wide along = lanes_distance(along_b->low, along_b->high, i, along_a->low, along_a->high, k);
    WideMask close = wide_and(wide_less(along, limit), wide_equal(x, x)); // lanes with a triangle
    if (wide_bits(close) == 0)
    {
        return 0;
    }
    Wide bound = lanes_distance(b->low, b->high, i, a->low, a->high, k);
    close = wide_and(close, wide_less(bound, limit));
    if (wide_bits(close) == 0)
    {
        return 0;
    }
    LaneFace face_a = face_of(splat_corner(a, 0, k), splat_corner(a, 1, k), splat_corner(a, 2, k));
    LaneFace face_b =
        face_of(load_corner(b->corner[0], i), load_corner(b->corner[1], i), load_corner(b->corner[2], i));
    LaneWitness witness = measure_faces(&face_a, &face_b);
    // Twice for both triangles, and as much for the rounding of the products along the witness.
    Wide gap = gap_along(&face_a, &face_b, &witness, 4.0f * packs->delta);
    wide_store(gaps + i, gap);
    return wide_bits(wide_and(close, wide_less(gap, limit)));
}

static void pack_bounds_kernel(const AbutTrianglePack* pack_a, const AbutTrianglePack* pack_b,
                               const AbutPackFrame* frame, const AbutWitnessFrame* witness, float best,
                               float gaps[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH], AbutLaneHits* hits)
{
    LanePacks packs;
    Wide wide_largest = load_triangles(pack_a, frame->origin_a, NULL, wide_zero(), &packs.a);
    wide_largest = load_triangles(pack_b, frame->origin_b, frame, wide_largest, &packs.b);
    packs.delta = 0x1p-19f * -wide_least(wide_negate(wide_largest)) + frame->radius;
    measure_boxes(&packs.a, packs.delta);
    measure_boxes(&packs.b, packs.delta);
    project_triangles(&packs.a, witness, packs.delta, &packs.along_a);
    project_triangles(&packs.b, witness, packs.delta, &packs.along_b);
    for (int k = 0; k < ABUT_TREE_WIDTH; ++k)
    {
        unsigned bits = 0;
        for (int i = 0; i < ABUT_TREE_WIDTH && !isnan(packs.a.corner[0][0][k]); i += WIDE_LANES)
        {
            bits |= close_lanes(&packs, k, i, best, gaps[k]) << i;
        }
        hits->hits[k] = (uint8_t)bits;
    }
}

#endif
