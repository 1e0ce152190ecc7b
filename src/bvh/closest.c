// Depth first, the closest children first. Boxes are measured in float with the rounding taken off, triangles
// in double.
#include "bvh/closest.h"

#include "base/assert.h"
#include "bvh/kernels.h"
#include "mesh/triangle/closest_point.h"

/// Of the point about the centre, of boxes and of their differences, relative to both.
static const double POINT_ROUNDING = 0x1p-21;

/// Of a sum of squares in float.
static const float BOUND_ROUNDING = 1.0f + 0x1p-20f;

typedef struct Bounded
{
    float bound;
    uint32_t child;
} Bounded;

typedef struct Search
{
    const AbutMeshTree* tree;
    const AbutTreeKernels* kernels;
    AbutDVec3 point;
    AbutBoxPoint local;
    AbutTreePoint best;
    float limit; // squared distances at least this are worse than the best one
    Bounded stack[ABUT_TREE_WIDTH * (ABUT_TREE_MAX_DEPTH + 1)];
    uint32_t count;
} Search;

static void visit_triangle(Search* s, uint32_t p, uint32_t lane)
{
    AbutDTriangle t = abut_pack_triangle(&s->tree->packs[p], lane);
    AbutClosestPoint closest = abut_triangle_closest_feature(t.corners, s->point);
    uint32_t index = p * ABUT_TREE_WIDTH + lane;
    if (closest.squared < s->best.squared || (closest.squared == s->best.squared && index < s->best.index))
    {
        s->best = (AbutTreePoint){ closest.at, closest.squared, s->tree->index[p].triangle[lane], index };
        s->limit = fminf(s->limit, nextafterf((float)closest.squared * BOUND_ROUNDING, INFINITY));
    }
}

static void visit_pack(Search* s, uint32_t p)
{
    unsigned bits = s->kernels->point_pack(&s->tree->packs[p], s->tree->center, &s->local, &s->limit);
    for (; bits != 0; bits &= bits - 1)
    {
        visit_triangle(s, p, (uint32_t)__builtin_ctz(bits));
    }
}

/// Pushes children in descending order, so that the closest comes next.
static void push_children(Search* s, uint32_t n)
{
    const AbutTreeNode* node = &s->tree->nodes[n];
    float bounds[ABUT_TREE_WIDTH];
    unsigned bits = s->kernels->point_node(node, &s->local, s->limit, bounds);
    uint32_t first = s->count;
    for (; bits != 0; bits &= bits - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), at = s->count++;
        ABUT_ASSERT(at < ABUT_TREE_WIDTH * (ABUT_TREE_MAX_DEPTH + 1));
        while (at > first && s->stack[at - 1].bound < bounds[lane])
        {
            s->stack[at] = s->stack[at - 1];
            at -= 1;
        }
        s->stack[at] = (Bounded){ bounds[lane], node->child[lane] };
    }
}

AbutTreePoint abut_tree_closest_point(const AbutMeshTree* tree, AbutDVec3 point, uint32_t index)
{
    Search s;
    s.tree = tree;
    s.kernels = abut_tree_kernels();
    s.point = point;
    s.best = (AbutTreePoint){ point, INFINITY, tree->index[0].triangle[0], 0 };
    s.limit = INFINITY;
    s.count = 0;
    AbutDVec3 local = abut_dvec3_sub(point, abut_dvec3_from_vec3(tree->center)), size = abut_dvec3_abs(local);
    double length = size.x + size.y + size.z + (double)tree->radius;
    s.local = (AbutBoxPoint){ abut_dvec3_to_vec3(local), (float)(POINT_ROUNDING * length) };
    if (index != ABUT_TREE_NO_INDEX)
    {
        visit_triangle(&s, index / ABUT_TREE_WIDTH, index % ABUT_TREE_WIDTH);
    }
    push_children(&s, 0);
    while (s.count > 0)
    {
        Bounded next = s.stack[--s.count];
        if (!(next.bound < s.limit))
        {
            continue;
        }
        if ((next.child & ABUT_TREE_PACK) != 0)
        {
            visit_pack(&s, next.child & ~ABUT_TREE_PACK);
        }
        else
        {
            push_children(&s, next.child);
        }
    }
    return s.best;
}
