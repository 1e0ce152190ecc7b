#include "bvh/traverse.h"

#include "base/assert.h"
#include "base/scratch.h"

#include <string.h>

/// Two children, each as the lane of a node: 8 · node + lane.
typedef struct SlotPair
{
    uint32_t a, b;
} SlotPair;

typedef struct Traversal
{
    const AbutMeshTree* a;
    const AbutMeshTree* b;
    const AbutTreeFrame* frame;
    const AbutTreeKernels* kernels;
    AbutPackPairFn* visit;
    void* context;
    SlotPair* stack;
    uint32_t count;
    uint32_t capacity;
} Traversal;

static uint32_t child_of(const AbutMeshTree* tree, uint32_t slot)
{
    return tree->nodes[slot / ABUT_TREE_WIDTH].child[slot % ABUT_TREE_WIDTH];
}

static unsigned lowest_lane(unsigned bits)
{
    return (unsigned)__builtin_ctz(bits);
}

static void push(Traversal* t, uint32_t a, uint32_t b)
{
    ABUT_ASSERT(t->count < t->capacity);
    t->stack[t->count++] = (SlotPair){ a, b };
}

static void push_nodes(Traversal* t, uint32_t node_a, uint32_t node_b)
{
    const AbutTreeNode* a = &t->a->nodes[node_a];
    AbutLaneHits lanes;
    if (!t->kernels->node_hits(a, &t->b->nodes[node_b], t->frame, &lanes))
    {
        return;
    }
    for (uint32_t k = 0; k < a->child_count; ++k)
    {
        for (unsigned bits = lanes.hits[k]; bits != 0; bits &= bits - 1)
        {
            push(t, ABUT_TREE_WIDTH * node_a + k, ABUT_TREE_WIDTH * node_b + lowest_lane(bits));
        }
    }
}

/// Opens the node of A against the box of a pack of B.
static void push_children_a(Traversal* t, uint32_t node_a, uint32_t slot_b)
{
    const AbutTreeNode* other = &t->b->nodes[slot_b / ABUT_TREE_WIDTH];
    unsigned bits =
        t->kernels->box_hits(&t->a->nodes[node_a], other, slot_b % ABUT_TREE_WIDTH, &t->frame->b_in_a);
    for (; bits != 0; bits &= bits - 1)
    {
        push(t, ABUT_TREE_WIDTH * node_a + lowest_lane(bits), slot_b);
    }
}

static void push_children_b(Traversal* t, uint32_t slot_a, uint32_t node_b)
{
    const AbutTreeNode* other = &t->a->nodes[slot_a / ABUT_TREE_WIDTH];
    unsigned bits =
        t->kernels->box_hits(&t->b->nodes[node_b], other, slot_a % ABUT_TREE_WIDTH, &t->frame->a_in_b);
    for (; bits != 0; bits &= bits - 1)
    {
        push(t, slot_a, ABUT_TREE_WIDTH * node_b + lowest_lane(bits));
    }
}

static void traverse(Traversal* t)
{
    push_nodes(t, 0, 0);
    while (t->count > 0)
    {
        SlotPair pair = t->stack[--t->count];
        uint32_t a = child_of(t->a, pair.a), b = child_of(t->b, pair.b);
        bool a_is_pack = (a & ABUT_TREE_PACK) != 0, b_is_pack = (b & ABUT_TREE_PACK) != 0;
        if (a_is_pack && b_is_pack)
        {
            if (!t->visit(t->context, a & ~ABUT_TREE_PACK, b & ~ABUT_TREE_PACK))
            {
                return;
            }
        }
        else if (a_is_pack)
        {
            push_children_b(t, pair.a, b);
        }
        else if (b_is_pack)
        {
            push_children_a(t, a, pair.b);
        }
        else
        {
            push_nodes(t, a, b);
        }
    }
}

bool abut_tree_traverse(const AbutMeshTree* a, const AbutMeshTree* b, const AbutTreeFrame* frame,
                        AbutPackPairFn* visit, void* context)
{
    // Every level of one of the trees leaves at most 63 pairs behind it.
    uint32_t capacity = ABUT_TREE_WIDTH * ABUT_TREE_WIDTH * (a->level_count + b->level_count + 1);
    SlotPair* stack = abut_scratch_acquire(capacity * sizeof(SlotPair));
    if (stack == NULL)
    {
        return false;
    }
    Traversal t = {
        .a = a,
        .b = b,
        .frame = frame,
        .kernels = abut_tree_kernels(),
        .visit = visit,
        .context = context,
        .stack = stack,
        .capacity = capacity,
    };
    traverse(&t);
    abut_scratch_release(stack);
    return true;
}

AbutPackFrame abut_pack_frame(const AbutTreeFrame* frame, const AbutTrianglePack* a,
                              const AbutTrianglePack* b, double margin)
{
    AbutPackFrame out;
    out.origin_a = abut_vec3(a->corner[0][0][0], a->corner[0][1][0], a->corner[0][2][0]);
    out.origin_b = abut_vec3(b->corner[0][0][0], b->corner[0][1][0], b->corner[0][2][0]);
    AbutDVec3 origin = abut_transform_point(&frame->transform, abut_dvec3_from_vec3(out.origin_b));
    AbutDVec3 offset = abut_dvec3_sub(origin, abut_dvec3_from_vec3(out.origin_a));
    memcpy(out.linear, frame->b_in_a.linear, sizeof(out.linear));
    out.offset[0] = (float)offset.x;
    out.offset[1] = (float)offset.y;
    out.offset[2] = (float)offset.z;
    out.radius = (float)((margin + 2.0 * frame->radius) * (1.0 + 0x1p-20));
    return out;
}
