// Self-collision of a mesh: the tree against itself, each pair of children once. Neighbours are told by
// common corners, and tested for what they have in common beyond these.
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/scratch.h"
#include "bvh/traverse.h"
#include "mesh/triangle/dorient.h"

/// Rounding of boxes in a frame that does not move (bvh/frame.c).
static const float BOX_ROUNDING = 0x1p-20f;

/// Two children, each as the lane of a node: 8 · node + lane; of equal nodes the first lane is not behind the
/// second.
typedef struct SlotPair
{
    uint32_t a, b;
} SlotPair;

typedef struct SelfSearch
{
    const AbutMeshTree* tree;
    const AbutTreeKernels* kernels;
    AbutTreeFrame frame; // the identity
    SlotPair* stack;
    uint32_t count, capacity;
    AbutTrianglePair* pairs;
    size_t pair_count, pair_capacity;
} SelfSearch;

// -----------------------------------------------------------------------------------------------------------
// Neighbours
// -----------------------------------------------------------------------------------------------------------

static void swap_corners(AbutDTriangle* t, int i, int k)
{
    AbutDVec3 corner = t->corners[i];
    t->corners[i] = t->corners[k];
    t->corners[k] = corner;
}

/// Moves common corners to the front of both triangles, in the same order. Returns their number.
static int align_common(AbutDTriangle* a, AbutDTriangle* b)
{
    int count = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = count; k < 3; ++k)
        {
            if (abut_dvec3_equal(a->corners[i], b->corners[k]))
            {
                swap_corners(a, i, count);
                swap_corners(b, k, count);
                count += 1;
                break;
            }
        }
    }
    return count;
}

/// With the first corner in common. What both have in common is convex, so that another common point leads to
/// one on the edge opposite of the corner, in one of them.
static bool touch_beyond_corner(const AbutDTriangle* a, const AbutDTriangle* b)
{
    const AbutDVec3 *p = a->corners, *q = b->corners;
    int a_sides = abut_dorient_3d(q[0], q[1], q[2], p[1]) * abut_dorient_3d(q[0], q[1], q[2], p[2]);
    if (a_sides > 0)
    {
        return false;
    }
    int b_sides = abut_dorient_3d(p[0], p[1], p[2], q[1]) * abut_dorient_3d(p[0], p[1], p[2], q[2]);
    return b_sides <= 0 &&
           (abut_segment_touches_triangle(p[1], p[2], q) || abut_segment_touches_triangle(q[1], q[2], p));
}

/// With the first two corners in common: folded onto each other in one plane.
static bool touch_beyond_edge(const AbutDTriangle* a, const AbutDTriangle* b)
{
    const AbutDVec3 *p = a->corners, *q = b->corners;
    if (abut_dorient_3d(p[0], p[1], p[2], q[2]) != 0)
    {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        int side_a = abut_dorient_2d(p[0], p[1], p[2], axis),
            side_b = abut_dorient_2d(p[0], p[1], q[2], axis);
        if (side_a * side_b != 0)
        {
            return side_a == side_b;
        }
    }
    return false;
}

static bool touch_beyond_common(AbutDTriangle a, AbutDTriangle b)
{
    switch (align_common(&a, &b))
    {
    case 0:
        return abut_triangles_touch(&a, &b);
    case 1:
        return touch_beyond_corner(&a, &b);
    case 2:
        return touch_beyond_edge(&a, &b);
    default:
        return true;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Traversal
// -----------------------------------------------------------------------------------------------------------

static void add_pair(SelfSearch* s, uint32_t a, uint32_t b)
{
    if (s->pair_count < s->pair_capacity)
    {
        s->pairs[s->pair_count] = (AbutTrianglePair){ a < b ? a : b, a < b ? b : a };
    }
    s->pair_count += 1;
}

static void visit_packs(SelfSearch* s, uint32_t pack_a, uint32_t pack_b)
{
    const AbutTrianglePack *a = &s->tree->packs[pack_a], *b = &s->tree->packs[pack_b];
    const AbutPackIndex *index_a = &s->tree->index[pack_a], *index_b = &s->tree->index[pack_b];
    AbutPackFrame frame = abut_pack_frame(&s->frame, a, b, 0.0);
    AbutLaneHits lanes;
    if (!s->kernels->self_hits(a, index_a, b, index_b, &frame, &lanes))
    {
        return;
    }
    for (uint32_t k = 0; k < index_a->count; ++k)
    {
        // Of one pack each pair once, and no triangle with itself.
        unsigned bits = pack_a == pack_b ? lanes.hits[k] & ~((2u << k) - 1) : lanes.hits[k];
        for (; bits != 0; bits &= bits - 1)
        {
            uint32_t l = (uint32_t)__builtin_ctz(bits);
            if (touch_beyond_common(abut_pack_triangle(a, k), abut_pack_triangle(b, l)))
            {
                add_pair(s, index_a->triangle[k], index_b->triangle[l]);
            }
        }
    }
}

static void push(SelfSearch* s, uint32_t a, uint32_t b)
{
    ABUT_ASSERT(s->count < s->capacity);
    s->stack[s->count++] = (SlotPair){ a, b };
}

static void push_nodes(SelfSearch* s, uint32_t node_a, uint32_t node_b)
{
    const AbutTreeNode* a = &s->tree->nodes[node_a];
    AbutLaneHits lanes;
    if (!s->kernels->node_hits(a, &s->tree->nodes[node_b], &s->frame, &lanes))
    {
        return;
    }
    for (uint32_t k = 0; k < a->child_count; ++k)
    {
        unsigned bits = node_a == node_b ? lanes.hits[k] & ~((1u << k) - 1) : lanes.hits[k];
        for (; bits != 0; bits &= bits - 1)
        {
            push(s, ABUT_TREE_WIDTH * node_a + k, ABUT_TREE_WIDTH * node_b + (uint32_t)__builtin_ctz(bits));
        }
    }
}

/// Opens a node against the box of a pack.
static void push_children(SelfSearch* s, uint32_t node, uint32_t slot)
{
    unsigned bits = s->kernels->box_hits(&s->tree->nodes[node], &s->tree->nodes[slot / ABUT_TREE_WIDTH],
                                         slot % ABUT_TREE_WIDTH, &s->frame.b_in_a);
    for (; bits != 0; bits &= bits - 1)
    {
        push(s, ABUT_TREE_WIDTH * node + (uint32_t)__builtin_ctz(bits), slot);
    }
}

static void traverse(SelfSearch* s)
{
    push_nodes(s, 0, 0);
    while (s->count > 0)
    {
        SlotPair pair = s->stack[--s->count];
        uint32_t a = s->tree->nodes[pair.a / ABUT_TREE_WIDTH].child[pair.a % ABUT_TREE_WIDTH];
        uint32_t b = s->tree->nodes[pair.b / ABUT_TREE_WIDTH].child[pair.b % ABUT_TREE_WIDTH];
        bool a_is_pack = (a & ABUT_TREE_PACK) != 0, b_is_pack = (b & ABUT_TREE_PACK) != 0;
        if (a_is_pack && b_is_pack)
        {
            visit_packs(s, a & ~ABUT_TREE_PACK, b & ~ABUT_TREE_PACK);
        }
        else if (a_is_pack)
        {
            push_children(s, b, pair.a);
        }
        else if (b_is_pack)
        {
            push_children(s, a, pair.b);
        }
        else
        {
            push_nodes(s, a, b);
        }
    }
}

static AbutTreeFrame still_frame(const AbutMeshTree* tree)
{
    AbutTreeFrame frame = { .transform = abut_transform_identity(), .squared_scale = 1.0f };
    for (int i = 0; i < 3; ++i)
    {
        frame.b_in_a.linear[i][i] = frame.b_in_a.magnitude[i][i] = 1.0f;
    }
    frame.b_in_a.slack = 4.0f * BOX_ROUNDING * tree->radius;
    frame.a_in_b = frame.b_in_a;
    return frame;
}

AbutMeshTreePairs abut_mesh_tree_self_pairs(const AbutMeshTree* tree, AbutTrianglePair* pairs,
                                            size_t capacity)
{
    ABUT_FP_CALL(abut_mesh_tree_self_pairs, tree, pairs, capacity);
    SelfSearch s = {
        .tree = tree,
        .kernels = abut_tree_kernels(),
        .frame = still_frame(tree),
        .capacity = ABUT_TREE_WIDTH * ABUT_TREE_WIDTH * (2 * tree->level_count + 1),
        .pairs = pairs,
        .pair_capacity = capacity,
    };
    s.stack = abut_scratch_acquire(s.capacity * sizeof(SlotPair));
    if (s.stack == NULL)
    {
        return (AbutMeshTreePairs){ .state = ABUT_MESH_TREE_INVALID };
    }
    traverse(&s);
    abut_scratch_release(s.stack);
    return (AbutMeshTreePairs){ .state = s.pair_count > 0 ? ABUT_MESH_TREE_CONTACT : ABUT_MESH_TREE_SEPARATED,
                                .pair_count = s.pair_count };
}
