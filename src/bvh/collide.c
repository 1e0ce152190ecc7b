// Whether two meshes touch, and all pairs of triangles that do.
#include "base/fp_env.h"
#include "bvh/query.h"
#include "bvh/touches.h"
#include "bvh/traverse.h"

#include <string.h>

typedef struct Collide
{
    const AbutTreePair* pair;
    const AbutTreeFrame* frame;
    const AbutTreeKernels* kernels;
    AbutTouches touches;
} Collide;

static bool visit_packs(void* context, uint32_t pack_a, uint32_t pack_b)
{
    Collide* c = context;
    const AbutTrianglePack* a = &c->pair->a->packs[pack_a];
    const AbutTrianglePack* b = &c->pair->b->packs[pack_b];
    AbutPackFrame frame = abut_pack_frame(c->frame, a, b, 0.0);
    AbutLaneHits lanes;
    if (!c->kernels->pack_hits(a, b, &frame, &lanes))
    {
        return true;
    }
    const AbutPackIndex* index_a = &c->pair->a->index[pack_a];
    const AbutPackIndex* index_b = &c->pair->b->index[pack_b];
    for (uint32_t k = 0; k < index_a->count; ++k)
    {
        AbutDTriangle triangle_a = abut_pack_triangle(a, k);
        for (unsigned bits = lanes.hits[k]; bits != 0; bits &= bits - 1)
        {
            uint32_t l = (uint32_t)__builtin_ctz(bits);
            AbutDTriangle local = abut_pack_triangle(b, l);
            AbutDTriangle triangle_b = abut_tree_frame_triangle(c->frame, &local);
            if (!abut_touches_test(&c->touches, &triangle_a, &triangle_b, index_a->triangle[k],
                                   index_b->triangle[l]))
            {
                return false;
            }
        }
    }
    return true;
}

static AbutMeshTreeState find(Collide* c)
{
    AbutTreeFrame frame;
    bool apart;
    if (!abut_tree_frame(c->pair, 0.0, &frame, &apart))
    {
        return ABUT_MESH_TREE_INVALID;
    }
    if (apart)
    {
        return ABUT_MESH_TREE_SEPARATED;
    }
    c->frame = &frame;
    c->kernels = abut_tree_kernels();
    c->touches.radius = frame.radius;
    if (!abut_tree_traverse(c->pair->a, c->pair->b, &frame, visit_packs, c))
    {
        return ABUT_MESH_TREE_INVALID;
    }
    return abut_touches_state(&c->touches);
}

AbutMeshTreeTouch abut_tree_collide(const AbutTreePair* pair)
{
    Collide c = { .pair = pair };
    AbutMeshTreeState state = find(&c);
    return (AbutMeshTreeTouch){ .state = state,
                                .touching = c.touches.touching,
                                .triangle_a = c.touches.one.a,
                                .triangle_b = c.touches.one.b,
                                .uncertainty = c.touches.radius };
}

AbutMeshTreeTouch abut_mesh_tree_collide(const AbutMeshTreePair* input)
{
    ABUT_FP_CALL(abut_mesh_tree_collide, input);
    AbutTreePair pair;
    return abut_tree_pair(input, &pair) ? abut_tree_collide(&pair)
                                        : (AbutMeshTreeTouch){ .state = ABUT_MESH_TREE_INVALID };
}

AbutMeshTreePairs abut_mesh_tree_pairs(const AbutMeshTreePair* input, AbutTrianglePair* pairs,
                                       size_t capacity)
{
    ABUT_FP_CALL(abut_mesh_tree_pairs, input, pairs, capacity);
    AbutTreePair pair;
    if (!abut_tree_pair(input, &pair))
    {
        return (AbutMeshTreePairs){ .state = ABUT_MESH_TREE_INVALID };
    }
    Collide c = { .pair = &pair, .touches = { .all = true, .pairs = pairs, .capacity = capacity } };
    AbutMeshTreeState state = find(&c);
    return (
        AbutMeshTreePairs){ .state = state, .pair_count = c.touches.count, .uncertainty = c.touches.radius };
}
