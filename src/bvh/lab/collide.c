// Queries of the laboratory: pairs of nodes whose volumes overlap wait in a list; a pair of leaves is tested
// triangle by triangle, of any other one node or both are opened. Pairs are tested before they wait, so that
// what is in the list when a limit ends the query is what was not pruned.
#include "base/fp_env.h"
#include "bvh/frame.h"
#include "bvh/lab/lab.h"
#include "bvh/lab/work_list.h"
#include "bvh/touches.h"

#include <float.h>
#include <math.h>
#include <time.h>

/// Rounding of tests in double, of all lengths involved; sums of three coordinates and products of three
/// roundings are far below it.
static const double TEST_ROUNDING = 0x1p-40;

/// In the unit of A.
static const double LARGEST_OFFSET = 1e16;

enum
{
    TESTS_PER_CLOCK = 16, // tests between two readings of the clock
};

typedef struct Query
{
    const AbutBvh *a, *b;
    const AbutVolumeTable* table;
    const AbutBvhTraversal* traversal;
    AbutBvhFrame frame;
    AbutTouches touches;
    AbutWorkList list;
    AbutBvhOutput output;
    double deadline;     // of the clock
    uint64_t next_clock; // tests before the next reading
    double area_scale;   // of B's areas in A
    bool out_of_memory;
} Query;

// -----------------------------------------------------------------------------------------------------------
// Limits
// -----------------------------------------------------------------------------------------------------------

static double wall_clock(void* user)
{
    (void)user;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double read_clock(const AbutBvhTraversal* traversal)
{
    return traversal->clock != NULL ? traversal->clock(traversal->clock_user) : wall_clock(NULL);
}

static bool is_over(Query* q)
{
    uint64_t tests = q->output.volume_tests + q->output.triangle_tests;
    if (q->traversal->test_limit > 0 && tests >= q->traversal->test_limit)
    {
        return true;
    }
    if (!(q->traversal->seconds > 0.0) || tests < q->next_clock)
    {
        return false;
    }
    q->next_clock = tests + TESTS_PER_CLOCK;
    return !(read_clock(q->traversal) < q->deadline);
}

// -----------------------------------------------------------------------------------------------------------
// Leaves
// -----------------------------------------------------------------------------------------------------------

static AbutDTriangle triangle_of(const AbutBvhItem* item)
{
    return (AbutDTriangle){ { abut_dvec3_from_vec3(item->corners[0]), abut_dvec3_from_vec3(item->corners[1]),
                              abut_dvec3_from_vec3(item->corners[2]) } };
}

static AbutDTriangle moved(const AbutTransform* t, const AbutDTriangle* local)
{
    return (AbutDTriangle){ { abut_transform_point(t, local->corners[0]),
                              abut_transform_point(t, local->corners[1]),
                              abut_transform_point(t, local->corners[2]) } };
}

static AbutDTriangle inverse_moved(const AbutTransform* t, const AbutDTriangle* local)
{
    return (AbutDTriangle){ { abut_transform_inverse_point(t, local->corners[0]),
                              abut_transform_inverse_point(t, local->corners[1]),
                              abut_transform_inverse_point(t, local->corners[2]) } };
}

/// Triangles of a leaf, in the frame of A; those that are apart from the volume of the other are left out.
typedef struct Leaf
{
    AbutDTriangle triangles[ABUT_BVH_MAX_LEAF_SIZE];
    uint32_t ids[ABUT_BVH_MAX_LEAF_SIZE];
    uint32_t count;
} Leaf;

static Leaf leaf_of_a(Query* q, uint32_t node, uint32_t other)
{
    const AbutBvhNode* n = &q->a->nodes[node];
    bool filter = q->traversal->leaf_test == ABUT_BVH_TRIANGLE_VOLUME;
    const double* volume = abut_bvh_volume(q->b, other);
    double slack = q->frame.slack / q->frame.transform.scale;
    Leaf leaf;
    leaf.count = 0;
    for (uint32_t i = n->first; i < n->first + n->count; ++i)
    {
        AbutDTriangle t = triangle_of(&q->a->items[i]);
        AbutDTriangle in_b = filter ? inverse_moved(&q->frame.transform, &t) : t;
        q->output.volume_tests += filter;
        if (!filter || !q->table->is_apart(q->table->half, volume, &in_b, slack))
        {
            leaf.triangles[leaf.count] = t;
            leaf.ids[leaf.count++] = q->a->items[i].triangle;
        }
    }
    return leaf;
}

static Leaf leaf_of_b(Query* q, uint32_t node, uint32_t other)
{
    const AbutBvhNode* n = &q->b->nodes[node];
    bool filter = q->traversal->leaf_test == ABUT_BVH_TRIANGLE_VOLUME;
    const double* volume = abut_bvh_volume(q->a, other);
    Leaf leaf;
    leaf.count = 0;
    for (uint32_t i = n->first; i < n->first + n->count; ++i)
    {
        AbutDTriangle local = triangle_of(&q->b->items[i]);
        AbutDTriangle t = q->frame.radius == 0.0 ? local : moved(&q->frame.transform, &local);
        q->output.volume_tests += filter;
        if (!filter || !q->table->is_apart(q->table->half, volume, &t, q->frame.slack))
        {
            leaf.triangles[leaf.count] = t;
            leaf.ids[leaf.count++] = q->b->items[i].triangle;
        }
    }
    return leaf;
}

/// False when the query is done.
static bool test_leaves(Query* q, uint32_t node_a, uint32_t node_b)
{
    Leaf a = leaf_of_a(q, node_a, node_b);
    if (a.count == 0)
    {
        return true;
    }
    Leaf b = leaf_of_b(q, node_b, node_a);
    for (uint32_t i = 0; i < a.count; ++i)
    {
        for (uint32_t k = 0; k < b.count; ++k)
        {
            q->output.triangle_tests += 1;
            if (!abut_touches_test(&q->touches, &a.triangles[i], &b.triangles[k], a.ids[i], b.ids[k]))
            {
                return false;
            }
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// Overlap relative to the size of the volumes: small nodes that lie deep in each other come first, since
/// they are the ones with triangles that touch.
static double priority_of(const Query* q, uint32_t a, uint32_t b, double depth)
{
    if (q->traversal->queue != ABUT_BVH_PRIORITY)
    {
        return 0.0;
    }
    double area = q->a->areas[a] + q->area_scale * q->b->areas[b];
    return area > 0.0 ? depth / sqrt(area) : DBL_MAX;
}

static void push(Query* q, uint32_t a, uint32_t b)
{
    q->output.volume_tests += 1;
    double depth =
        q->table->overlap(q->table->half, &q->frame, abut_bvh_volume(q->a, a), abut_bvh_volume(q->b, b));
    if (depth >= -q->frame.slack &&
        !abut_work_list_push(&q->list, (AbutNodePair){ priority_of(q, a, b, depth), a, b }))
    {
        q->out_of_memory = true;
    }
}

typedef struct Opened
{
    bool a, b;
} Opened;

static Opened opened_nodes(const Query* q, uint32_t node_a, uint32_t node_b)
{
    const AbutBvhNode *a = &q->a->nodes[node_a], *b = &q->b->nodes[node_b];
    if (a->child_count == 0 || b->child_count == 0)
    {
        return (Opened){ a->child_count > 0, b->child_count > 0 };
    }
    bool first = true;
    switch (q->traversal->rule)
    {
    case ABUT_BVH_OPEN_BOTH:
        return (Opened){ true, true };
    case ABUT_BVH_OPEN_LARGER:
        first = q->a->areas[node_a] >= q->area_scale * q->b->areas[node_b];
        break;
    default:
        first = a->level <= b->level;
    }
    return (Opened){ first, !first };
}

static void open_nodes(Query* q, uint32_t node_a, uint32_t node_b, Opened opened)
{
    const AbutBvhNode *a = &q->a->nodes[node_a], *b = &q->b->nodes[node_b];
    uint32_t first_a = opened.a ? a->child : node_a,
             end_a = opened.a ? a->child + a->child_count : node_a + 1;
    uint32_t first_b = opened.b ? b->child : node_b,
             end_b = opened.b ? b->child + b->child_count : node_b + 1;
    for (uint32_t i = first_a; i < end_a; ++i)
    {
        for (uint32_t k = first_b; k < end_b; ++k)
        {
            push(q, i, k);
        }
    }
}

/// Ends with an empty list, a contact where one is enough, or at a limit.
static void traverse(Query* q)
{
    q->output.complete = true;
    push(q, 0, 0);
    while (q->list.count > 0 && !q->out_of_memory)
    {
        if (is_over(q))
        {
            q->output.complete = false;
            q->output.open_count = q->list.count;
            return;
        }
        AbutNodePair pair = abut_work_list_pop(&q->list);
        Opened opened = opened_nodes(q, pair.a, pair.b);
        if (opened.a || opened.b)
        {
            open_nodes(q, pair.a, pair.b, opened);
        }
        else if (!test_leaves(q, pair.a, pair.b))
        {
            return;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Queries
// -----------------------------------------------------------------------------------------------------------

static bool check(const AbutBvhPair* pair, const AbutBvhTraversal* traversal)
{
    if (pair->a->def.volume != pair->b->def.volume)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "bvh: a tree of volume %s against one of %s", pair->a->table->name,
                  pair->b->table->name);
        return false;
    }
    if (!abut_pose_is_valid(&pair->pose_a) || !abut_pose_is_valid(&pair->pose_b))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "bvh: a pose has NaN, infinity, a rotation that is no unit "
                                         "quaternion or a scale that is not positive");
        return false;
    }
    if ((unsigned)traversal->rule >= ABUT_BVH_RULE_COUNT ||
        (unsigned)traversal->queue >= ABUT_BVH_QUEUE_COUNT ||
        (unsigned)traversal->leaf_test >= ABUT_BVH_LEAF_TEST_COUNT || !(traversal->seconds >= 0.0))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "bvh: rule %d, queue %d, leaf test %d or %g seconds is unknown",
                  (int)traversal->rule, (int)traversal->queue, (int)traversal->leaf_test, traversal->seconds);
        return false;
    }
    return true;
}

/// False with a message where the trees are too far from each other.
static bool set_frame(Query* q)
{
    AbutBvhFrame* frame = &q->frame;
    const AbutTransform* t = &frame->transform;
    AbutDVec3 m = abut_dvec3_abs(t->translation);
    double offset = abut_larger(m.x, abut_larger(m.y, m.z));
    if (!(offset <= LARGEST_OFFSET))
    {
        abut_fail(ABUT_LIMIT_EXCEEDED, "bvh: B is %g away from A; at most 1e16 is possible", offset);
        return false;
    }
    frame->radius = abut_tree_corner_rounding(t, q->b->largest, 0.0);
    double length = q->a->largest + t->scale * q->b->largest + offset;
    frame->slack = 6.0 * frame->radius + TEST_ROUNDING * 4.0 * length;
    q->area_scale = t->scale * t->scale;
    q->touches.radius = frame->radius;
    if (q->table->prepare != NULL)
    {
        q->table->prepare(q->table->half, frame);
    }
    return true;
}

static AbutMeshTreeState find(Query* q, const AbutBvhPair* pair)
{
    q->deadline = q->traversal->seconds > 0.0 ? read_clock(q->traversal) + q->traversal->seconds : DBL_MAX;
    q->frame.transform = abut_transform_relative(&pair->pose_a, &pair->pose_b);
    if (!abut_tree_scale_is_valid(q->frame.transform.scale))
    {
        return ABUT_MESH_TREE_INVALID;
    }
    if (abut_tree_boxes_are_apart(&q->frame.transform, 0.0, q->a->bounds, q->b->bounds, 0.0))
    {
        q->output.complete = true;
        return ABUT_MESH_TREE_SEPARATED;
    }
    if (!set_frame(q) || !abut_work_list_create(&q->list, q->traversal->queue))
    {
        return ABUT_MESH_TREE_INVALID;
    }
    traverse(q);
    abut_work_list_destroy(&q->list);
    if (q->out_of_memory)
    {
        return ABUT_MESH_TREE_INVALID;
    }
    AbutMeshTreeState state = abut_touches_state(&q->touches);
    return q->output.complete || state == ABUT_MESH_TREE_CONTACT ? state : ABUT_MESH_TREE_CLOSE;
}

static AbutBvhOutput output(const AbutBvhPair* pair, const AbutBvhTraversal* traversal, AbutTouches touches)
{
    if (!check(pair, traversal))
    {
        return (AbutBvhOutput){ .state = ABUT_MESH_TREE_INVALID };
    }
    Query q = { .a = pair->a, .b = pair->b, .traversal = traversal, .touches = touches };
    q.table = pair->a->table;
    q.output.state = find(&q, pair);
    if (q.output.state == ABUT_MESH_TREE_INVALID)
    {
        return (AbutBvhOutput){ .state = ABUT_MESH_TREE_INVALID };
    }
    q.output.touching = q.touches.touching || !q.output.complete;
    q.output.triangle_a = q.touches.one.a;
    q.output.triangle_b = q.touches.one.b;
    q.output.pair_count = touches.all ? q.touches.count : q.touches.touching;
    q.output.uncertainty = q.touches.radius;
    q.output.largest_queue = q.list.largest;
    return q.output;
}

AbutBvhOutput abut_bvh_collide(const AbutBvhPair* pair, const AbutBvhTraversal* traversal)
{
    ABUT_FP_CALL(abut_bvh_collide, pair, traversal);
    return output(pair, traversal, (AbutTouches){ .all = false });
}

AbutBvhOutput abut_bvh_pairs(const AbutBvhPair* pair, const AbutBvhTraversal* traversal,
                             AbutTrianglePair* pairs, size_t capacity)
{
    ABUT_FP_CALL(abut_bvh_pairs, pair, traversal, pairs, capacity);
    return output(pair, traversal, (AbutTouches){ .all = true, .pairs = pairs, .capacity = capacity });
}
