// The distance of two meshes: depth first, the closest children first, with what is further than the best
// pair so far left out. Lower bounds of boxes are those of both frames and along the line of the best pair.
#include "mesh/triangle/distance.h"
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/scratch.h"
#include "bvh/closest.h"
#include "bvh/query.h"
#include "bvh/traverse.h"

/// A pair of children with a lower bound of its squared distance; children are lanes of nodes: 8 · node +
/// lane.
typedef struct BoundedPair
{
    float bound;
    uint32_t a, b;
} BoundedPair;

typedef struct Search
{
    const AbutTreePair* pair;
    const AbutTreeFrame* frame;
    const AbutTreeKernels* kernels;
    AbutWitnessFrame witness;
    AbutMeshTreeDistance best;
    AbutDVec3 along;   // from the best point of A to that of B
    double best_lower; // lower bound of the best pair; infinite where it is not sharp
    float squared;     // of what is worth a visit: the best distance, rounded up
    double lower;      // of all pairs of triangles that were measured
    double stop_at;    // a pair at this distance is enough
    BoundedPair* stack;
    uint32_t count, capacity;
} Search;

static const double LARGEST_TOLERANCE = 1e17;

/// Of float sums of squares.
static const float BOUND_ROUNDING = 1.0f + 0x1p-20f;

/// Of the square of a distance of points that were moved and rounded, over that of the triangles they are on.
static const double BOUND_SLACK = 1.0 + 0x1p-18;

static void set_squared(Search* s, double distance)
{
    s->squared = (float)(distance * distance) * BOUND_ROUNDING;
}

/// Any unit vector perpendicular to n.
static AbutDVec3 perpendicular(AbutDVec3 n)
{
    AbutDVec3 m = abut_dvec3_abs(n);
    AbutDVec3 axis = m.x <= m.y && m.x <= m.z ? abut_dvec3(1.0, 0.0, 0.0)
                     : m.y <= m.z             ? abut_dvec3(0.0, 1.0, 0.0)
                                              : abut_dvec3(0.0, 0.0, 1.0);
    return abut_dvec3_normalize(abut_dvec3_cross(n, axis));
}

static void set_row(AbutTreeView* view, int row, AbutDVec3 direction, double offset)
{
    for (int i = 0; i < 3; ++i)
    {
        view->linear[row][i] = (float)abut_dvec3_get(direction, i);
        view->magnitude[row][i] = fabsf(view->linear[row][i]);
    }
    view->offset[row] = (float)offset;
}

/// A frame along n, slightly smaller, so that rounding makes no distance larger.
static void set_witness(Search* s, AbutDVec3 n)
{
    const AbutTreeView* view = &s->frame->b_in_a;
    AbutDVec3 offset = abut_dvec3(view->offset[0], view->offset[1], view->offset[2]);
    AbutDVec3 along =
        abut_dvec3_squared_length(n) > 0.0 ? abut_dvec3_normalize(n) : abut_dvec3(1.0, 0.0, 0.0);
    AbutDVec3 side = perpendicular(along);
    const AbutDVec3 rows[3] = { along, side, abut_dvec3_cross(along, side) };
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 row = abut_dvec3_scale(rows[i], 1.0 - 0x1p-20);
        const AbutTransform* t = &s->frame->transform;
        AbutDVec3 in_b = abut_dvec3_scale(abut_transform_inverse_rotate(t, row), t->scale);
        set_row(&s->witness.of_a, i, row, 0.0);
        set_row(&s->witness.of_b, i, in_b, abut_dvec3_dot(row, offset));
    }
    // Rounding of both boxes and of the offset.
    s->witness.of_a.slack = view->slack;
    s->witness.of_b.slack = 2.0f * view->slack;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

/// Lower bounds that differ by no more are equal: by the rounding of projections.
static const double EQUAL_BOUNDS = 1.0 - 0x1p-44;

/// A lower bound under this part of the distance is not sharp: the closest points are not the closest ones.
static const double SHARP = 1.0 - 0x1p-30;

/// True for triangles that a plane across the line of the best points keeps at least as far apart, but for
/// rounding: most neighbours of the best pair, which share its points.
static bool is_as_far(Search* s, const AbutDTriangle* a, const AbutDTriangle* b)
{
    if (!s->best.found)
    {
        return false;
    }
    double gap = abut_triangles_gap_along(s->along, a, b, s->frame->radius);
    if (!(gap >= s->best_lower * EQUAL_BOUNDS && gap > 0.0))
    {
        return false;
    }
    s->lower = abut_smaller(gap, s->lower);
    return true;
}

static void measure(Search* s, const AbutDTriangle* a, uint32_t pack_b, uint32_t lane_b, uint32_t id_a)
{
    AbutDTriangle local = abut_pack_triangle(&s->pair->b->packs[pack_b], lane_b);
    AbutDTriangle b = abut_tree_frame_triangle(s->frame, &local);
    if (is_as_far(s, a, &b))
    {
        return;
    }
    AbutTriangleDistance d = abut_triangles_distance(a, &b, s->frame->radius);
    s->lower = abut_smaller(d.lower, s->lower);
    if (!s->best.found || d.distance < s->best.distance)
    {
        s->best.found = true;
        s->best.distance = d.distance;
        s->best.point_a = abut_dvec3_to_position(d.point_a);
        s->best.point_b = abut_dvec3_to_position(d.point_b);
        s->best.triangle_a = id_a;
        s->best.triangle_b = s->pair->b->index[pack_b].triangle[lane_b];
        s->along = abut_dvec3_sub(d.point_b, d.point_a);
        s->best_lower = d.lower >= d.distance * SHARP ? d.lower : INFINITY;
        set_squared(s, d.distance);
        set_witness(s, s->along);
    }
}

static void visit_packs(Search* s, uint32_t pack_a, uint32_t pack_b)
{
    const AbutTrianglePack* a = &s->pair->a->packs[pack_a];
    const AbutPackIndex* index_a = &s->pair->a->index[pack_a];
    AbutPackFrame frame = abut_pack_frame(s->frame, a, &s->pair->b->packs[pack_b], 0.0);
    float gaps[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH];
    AbutLaneHits lanes;
    s->kernels->pack_bounds(a, &s->pair->b->packs[pack_b], &frame, &s->witness, s->squared, gaps, &lanes);
    for (uint32_t k = 0; k < index_a->count; ++k)
    {
        for (unsigned bits = lanes.hits[k]; bits != 0; bits &= bits - 1)
        {
            uint32_t l = (uint32_t)__builtin_ctz(bits);
            if (gaps[k][l] < s->squared)
            {
                AbutDTriangle triangle = abut_pack_triangle(a, k);
                measure(s, &triangle, pack_b, l, index_a->triangle[k]);
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

static uint32_t child_of(const AbutMeshTree* tree, uint32_t slot)
{
    return tree->nodes[slot / ABUT_TREE_WIDTH].child[slot % ABUT_TREE_WIDTH];
}

/// Lanes of a node: all, or one.
typedef struct Lanes
{
    uint32_t node, first, end;
} Lanes;

static Lanes all_lanes(const AbutMeshTree* tree, uint32_t node)
{
    return (Lanes){ node, 0, tree->nodes[node].child_count };
}

static Lanes lane_of(uint32_t slot)
{
    return (Lanes){ slot / ABUT_TREE_WIDTH, slot % ABUT_TREE_WIDTH, slot % ABUT_TREE_WIDTH + 1 };
}

/// In descending order of bounds, by insertion: the closest pair comes next. Equal ones keep their order.
static void insert_sorted(Search* s, uint32_t first, BoundedPair pair)
{
    ABUT_ASSERT(s->count < s->capacity);
    uint32_t at = s->count++;
    while (at > first && s->stack[at - 1].bound < pair.bound)
    {
        s->stack[at] = s->stack[at - 1];
        at -= 1;
    }
    s->stack[at] = pair;
}

static void push_children(Search* s, Lanes a, Lanes b)
{
    const AbutMeshTree *tree_a = s->pair->a, *tree_b = s->pair->b;
    AbutTreeBoxes boxes_a = { &tree_a->nodes[a.node], &tree_a->oriented[a.node] };
    AbutTreeBoxes boxes_b = { &tree_b->nodes[b.node], &tree_b->oriented[b.node] };
    float bounds[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH];
    AbutLaneHits lanes;
    s->kernels->node_bounds(&boxes_a, &boxes_b, s->frame, &s->witness, s->squared, bounds, &lanes);
    unsigned wanted = (1u << b.end) - (1u << b.first);
    uint32_t first = s->count;
    for (uint32_t k = a.first; k < a.end; ++k)
    {
        for (unsigned bits = lanes.hits[k] & wanted; bits != 0; bits &= bits - 1)
        {
            uint32_t l = (uint32_t)__builtin_ctz(bits);
            BoundedPair pair = { bounds[k][l], ABUT_TREE_WIDTH * a.node + k, ABUT_TREE_WIDTH * b.node + l };
            insert_sorted(s, first, pair);
        }
    }
}

static void traverse(Search* s)
{
    const AbutMeshTree *tree_a = s->pair->a, *tree_b = s->pair->b;
    push_children(s, all_lanes(tree_a, 0), all_lanes(tree_b, 0));
    while (s->count > 0 && !(s->best.found && s->best.distance <= s->stop_at))
    {
        BoundedPair pair = s->stack[--s->count];
        if (!(pair.bound < s->squared))
        {
            continue;
        }
        uint32_t a = child_of(tree_a, pair.a), b = child_of(tree_b, pair.b);
        bool a_is_pack = (a & ABUT_TREE_PACK) != 0, b_is_pack = (b & ABUT_TREE_PACK) != 0;
        if (a_is_pack && b_is_pack)
        {
            visit_packs(s, a & ~ABUT_TREE_PACK, b & ~ABUT_TREE_PACK);
        }
        else
        {
            push_children(s, a_is_pack ? lane_of(pair.a) : all_lanes(tree_a, a),
                          b_is_pack ? lane_of(pair.b) : all_lanes(tree_b, b));
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// A bound to begin with
// -----------------------------------------------------------------------------------------------------------

enum
{
    PROJECTIONS = 4 // back and forth, at most
};

/// Projections that come closer by less are the last ones.
static const double PROGRESS = 0.9;

/// A distance under which rounding could exceed the slack of the bound: of moved points, and of float.
static double least_bound(const Search* s)
{
    return 1e-17 + 0x1p22 * s->frame->radius;
}

static void tighten(Search* s, double distance, AbutDVec3 along)
{
    float squared = (float)(distance * distance * BOUND_SLACK) * BOUND_ROUNDING;
    if (distance > least_bound(s) && squared < s->squared)
    {
        s->squared = squared;
        set_witness(s, along);
    }
}

/// The distance of two points of the surfaces, the limit for all pairs, and the line of these points: from a
/// point of B to the closest one of A, from that to the closest one of B, and so on. They end at a pair that
/// is closest in its surroundings.
static void take_bound(Search* s, AbutDVec3 start)
{
    const AbutTransform* t = &s->frame->transform;
    AbutDVec3 on_b = start;
    double least = INFINITY;
    for (int i = 0; i < PROJECTIONS; ++i)
    {
        AbutDVec3 in_a = abut_transform_point(t, on_b);
        AbutDVec3 on_a = abut_tree_closest_point(s->pair->a, in_a, ABUT_TREE_NO_INDEX).at;
        on_b =
            abut_tree_closest_point(s->pair->b, abut_transform_inverse_point(t, on_a), ABUT_TREE_NO_INDEX).at;
        AbutDVec3 along = abut_dvec3_sub(abut_transform_point(t, on_b), on_a);
        double distance = abut_dvec3_length(along);
        bool is_last = !(distance < PROGRESS * least);
        least = abut_smaller(distance, least);
        tighten(s, distance, along);
        if (is_last)
        {
            return;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Queries
// -----------------------------------------------------------------------------------------------------------

/// Bounds of pairs that were left out are at least s->squared at that time, which only shrinks: the distance
/// of the best pair. So the lower bound is that of the pairs that were measured, or the limit.
static void search(Search* s, double limit)
{
    const AbutMeshTree *a = s->pair->a, *b = s->pair->b;
    s->capacity = ABUT_TREE_WIDTH * ABUT_TREE_WIDTH * (a->level_count + b->level_count + 1);
    s->stack = abut_scratch_acquire(s->capacity * sizeof(BoundedPair));
    if (s->stack == NULL)
    {
        s->best.state = ABUT_MESH_TREE_INVALID;
        return;
    }
    s->kernels = abut_tree_kernels();
    s->lower = limit;
    set_squared(s, abut_smaller(limit, LARGEST_TOLERANCE));
    set_witness(
        s, abut_dvec3(s->frame->b_in_a.offset[0], s->frame->b_in_a.offset[1], s->frame->b_in_a.offset[2]));
    AbutBox of_b = abut_mesh_tree_bounds(b);
    take_bound(s, abut_dvec3_lerp(abut_dvec3_from_vec3(of_b.min), abut_dvec3_from_vec3(of_b.max), 0.5));
    traverse(s);
    abut_scratch_release(s->stack);
    s->best.state = ABUT_MESH_TREE_SEPARATED;
    s->best.lower = abut_smaller(s->lower, s->best.found ? s->best.distance : limit);
}

static AbutMeshTreeDistance touching_result(const AbutMeshTreeTouch* touch)
{
    AbutMeshTreeDistance d = { .state = touch->state, .uncertainty = touch->uncertainty, .found = true };
    d.triangle_a = touch->triangle_a;
    d.triangle_b = touch->triangle_b;
    return d;
}

AbutMeshTreeDistance abut_tree_distance(const AbutTreePair* pair, double limit, double stop_at)
{
    AbutMeshTreeTouch touch = abut_tree_collide(pair);
    if (touch.state == ABUT_MESH_TREE_INVALID || touch.touching)
    {
        return touching_result(&touch);
    }
    AbutTreeFrame frame;
    if (!abut_tree_frame(pair, 0.0, &frame, NULL))
    {
        return (AbutMeshTreeDistance){ .state = ABUT_MESH_TREE_INVALID };
    }
    Search s = { .pair = pair, .frame = &frame, .stop_at = stop_at };
    s.best.uncertainty = frame.radius;
    search(&s, limit);
    if (s.best.state == ABUT_MESH_TREE_SEPARATED && touch.state == ABUT_MESH_TREE_CLOSE)
    {
        s.best.state = ABUT_MESH_TREE_CLOSE;
        s.best.lower = 0.0;
    }
    return s.best;
}

AbutMeshTreeDistance abut_mesh_tree_distance(const AbutMeshTreePair* input, double limit)
{
    ABUT_FP_CALL(abut_mesh_tree_distance, input, limit);
    if (!(limit >= 0.0))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "mesh tree: the limit of the distance is %g; at least 0 is possible",
                  limit);
        return (AbutMeshTreeDistance){ .state = ABUT_MESH_TREE_INVALID };
    }
    AbutTreePair pair;
    return abut_tree_pair(input, &pair) ? abut_tree_distance(&pair, limit, 0.0)
                                        : (AbutMeshTreeDistance){ .state = ABUT_MESH_TREE_INVALID };
}

AbutMeshTreeState abut_mesh_tree_within(const AbutMeshTreePair* input, double tolerance)
{
    ABUT_FP_CALL(abut_mesh_tree_within, input, tolerance);
    if (!(tolerance >= 0.0 && tolerance <= LARGEST_TOLERANCE))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "mesh tree: the tolerance is %g; from 0 to 1e17 is possible",
                  tolerance);
        return ABUT_MESH_TREE_INVALID;
    }
    AbutTreePair pair;
    if (!abut_tree_pair(input, &pair))
    {
        return ABUT_MESH_TREE_INVALID;
    }
    // Pairs a little further away decide between separated and close.
    AbutMeshTreeDistance d =
        abut_tree_distance(&pair, tolerance * (1.0 + 0x1p-10), tolerance * (1.0 - 0x1p-40));
    if (d.state == ABUT_MESH_TREE_INVALID || d.state == ABUT_MESH_TREE_CONTACT)
    {
        return d.state;
    }
    // Three coordinates of a point of B.
    double rounding = 2.0 * d.uncertainty + 0x1p-48 * d.distance;
    if (d.found && d.distance + rounding <= tolerance)
    {
        return ABUT_MESH_TREE_CONTACT;
    }
    return d.state == ABUT_MESH_TREE_SEPARATED && d.lower > tolerance ? ABUT_MESH_TREE_SEPARATED
                                                                      : ABUT_MESH_TREE_CLOSE;
}
