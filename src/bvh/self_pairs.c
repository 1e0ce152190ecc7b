// Self-collision of a mesh: the tree against itself, each pair of children once. Neighbours are told by
// common corners, and tested for what they have in common beyond these.
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/scratch.h"
#include "base/tasks.h"
#include "bvh/traverse.h"
#include "mesh/triangle/dorient.h"

#include <string.h>

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
///
/// In general position both triangles meet the line of their planes in a segment that begins at the corner.
/// The segments overlap when they lead the same way: when the second corners of both are on opposite sides of
/// the other's plane. With u and v the edges from the corner, the triangles are cones of u1, u2 and of v1,
/// v2, and u1, v1, u2, v2 are in this order around the line when det(u1, v1, u2) and det(u1, v1, v2) have
/// one sign; these are −det(u1, u2, v1) and det(v1, v2, u1).
static bool touch_beyond_corner(const AbutDTriangle* a, const AbutDTriangle* b)
{
    const AbutDVec3 *p = a->corners, *q = b->corners;
    int a_side = abut_dorient_3d(q[0], q[1], q[2], p[1]);
    int a_sides = a_side * abut_dorient_3d(q[0], q[1], q[2], p[2]);
    if (a_sides > 0)
    {
        return false;
    }
    int b_side = abut_dorient_3d(p[0], p[1], p[2], q[1]);
    int b_sides = b_side * abut_dorient_3d(p[0], p[1], p[2], q[2]);
    if (a_sides < 0 && b_sides < 0)
    {
        return a_side == -b_side;
    }
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
    AbutLaneHits lanes;
    if (!s->kernels->self_hits(a, index_a, b, index_b, &lanes))
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

/// Visits a pair of packs, or pushes the children of any other.
static void visit_pair(SelfSearch* s, SlotPair pair)
{
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

static bool is_pair_of_packs(const AbutMeshTree* tree, SlotPair pair)
{
    return (tree->nodes[pair.a / ABUT_TREE_WIDTH].child[pair.a % ABUT_TREE_WIDTH] &
            tree->nodes[pair.b / ABUT_TREE_WIDTH].child[pair.b % ABUT_TREE_WIDTH] & ABUT_TREE_PACK) != 0;
}

static AbutTreeFrame still_frame(const AbutMeshTree* tree)
{
    AbutTreeFrame frame = { .transform = abut_transform_identity(), .squared_scale = 1.0f };
    frame.b_in_a.linear[0][0] = frame.b_in_a.magnitude[0][0] = 1.0f;
    frame.b_in_a.linear[1][1] = frame.b_in_a.magnitude[1][1] = 1.0f;
    frame.b_in_a.linear[2][2] = frame.b_in_a.magnitude[2][2] = 1.0f;
    frame.b_in_a.slack = 4.0f * BOX_ROUNDING * tree->radius;
    frame.a_in_b = frame.b_in_a;
    return frame;
}

// -----------------------------------------------------------------------------------------------------------
// Blocks: pairs of children high in the tree, shared by the workers; the same for any number of them
// -----------------------------------------------------------------------------------------------------------

enum
{
    BLOCK_COUNT = 256, // at most; also the pairs to begin with, at least
    START_CAPACITY = BLOCK_COUNT * ABUT_TREE_WIDTH * ABUT_TREE_WIDTH,
    BLOCK_PAIRS = 24, // that a block remembers; with more it is searched again
};

typedef struct Block
{
    bool failed; // no memory
    size_t count;
    AbutTrianglePair pairs[BLOCK_PAIRS];
} Block;

typedef struct Blocks
{
    SelfSearch search; // as all blocks begin
    SlotPair starts[2][START_CAPACITY];
    uint32_t start_count, block_count;
    Block blocks[BLOCK_COUNT];
} Blocks;

/// Opens pairs of nodes level by level until there are enough of them. Pairs of packs stay.
static void find_starts(Blocks* self)
{
    SelfSearch s = self->search;
    s.stack = self->starts[0];
    s.capacity = START_CAPACITY;
    push_nodes(&s, 0, 0);
    bool opened = true;
    for (int side = 0; opened && s.count < BLOCK_COUNT; side = 1 - side)
    {
        const SlotPair* from = self->starts[side];
        uint32_t count = s.count;
        s.stack = self->starts[1 - side];
        s.count = 0;
        opened = false;
        for (uint32_t i = 0; i < count; ++i)
        {
            if (is_pair_of_packs(s.tree, from[i]))
            {
                push(&s, from[i].a, from[i].b);
            }
            else
            {
                visit_pair(&s, from[i]);
                opened = true;
            }
        }
    }
    if (s.stack != self->starts[0])
    {
        memcpy(self->starts[0], s.stack, s.count * sizeof(SlotPair));
    }
    self->start_count = s.count;
    self->block_count = s.count < BLOCK_COUNT ? s.count : BLOCK_COUNT;
}

/// False without memory.
static bool search_block(const Blocks* self, uint32_t block, SelfSearch* s)
{
    s->stack = abut_scratch_acquire(s->capacity * sizeof(SlotPair));
    if (s->stack == NULL)
    {
        return false;
    }
    size_t first = (size_t)self->start_count * block / self->block_count;
    size_t end = (size_t)self->start_count * (block + 1) / self->block_count;
    for (size_t i = first; i < end; ++i)
    {
        visit_pair(s, self->starts[0][i]);
        while (s->count > 0)
        {
            visit_pair(s, s->stack[--s->count]);
        }
    }
    abut_scratch_release(s->stack);
    return true;
}

static void run_block(void* context, uint32_t number, uint32_t worker)
{
    (void)worker;
    Blocks* self = context;
    Block* block = &self->blocks[number];
    SelfSearch s = self->search;
    s.pairs = block->pairs;
    s.pair_capacity = BLOCK_PAIRS;
    s.pair_count = 0;
    block->failed = !search_block(self, number, &s);
    block->count = s.pair_count;
}

/// Pairs of all blocks in their order. False without memory.
static bool join_blocks(Blocks* self)
{
    SelfSearch* all = &self->search;
    for (uint32_t i = 0; i < self->block_count; ++i)
    {
        const Block* block = &self->blocks[i];
        size_t left = all->pair_count < all->pair_capacity ? all->pair_capacity - all->pair_count : 0;
        size_t wanted = block->count < left ? block->count : left;
        if (block->failed || (wanted > BLOCK_PAIRS && !search_block(self, i, all)))
        {
            return false;
        }
        if (wanted <= BLOCK_PAIRS)
        {
            for (size_t k = 0; k < wanted; ++k)
            {
                all->pairs[all->pair_count + k] = block->pairs[k];
            }
            all->pair_count += block->count;
        }
    }
    return true;
}

AbutMeshTreePairs abut_mesh_tree_self_pairs(const AbutMeshTree* tree, AbutTrianglePair* pairs,
                                            size_t capacity)
{
    ABUT_FP_CALL(abut_mesh_tree_self_pairs, tree, pairs, capacity);
    AbutMeshTreePairs found = { .state = ABUT_MESH_TREE_INVALID };
    Blocks* self = abut_scratch_acquire(sizeof(*self));
    if (self == NULL)
    {
        return found;
    }
    self->search = (SelfSearch){
        .tree = tree,
        .kernels = abut_tree_kernels(),
        .frame = still_frame(tree),
        .capacity = ABUT_TREE_WIDTH * ABUT_TREE_WIDTH * (2 * tree->level_count + 1),
        .pairs = pairs,
        .pair_capacity = capacity,
    };
    find_starts(self);
    abut_parallel_for(&tree->host, self->block_count, run_block, self);
    if (join_blocks(self))
    {
        found.pair_count = self->search.pair_count;
        found.state = found.pair_count > 0 ? ABUT_MESH_TREE_CONTACT : ABUT_MESH_TREE_SEPARATED;
    }
    abut_scratch_release(self);
    return found;
}
