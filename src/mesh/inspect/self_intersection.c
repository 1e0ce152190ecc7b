#include "mesh/inspect/self_intersection.h"

#include "base/tasks.h"
#include "mesh/corners.h"
#include "mesh/inspect/disjoint.h"

enum
{
    NODE_BLOCK = 1024, // nodes of the tree that one block visits
};

/// Limit of tested pairs, per triangle and for all: a usual mesh has under 20 per triangle, a fan of 4096
/// triangles some millions.
static const uint64_t WORK_PER_TRIANGLE = 256, WORK_BASE = (uint64_t)1 << 24;

typedef struct Search
{
    const AbutPseudoNormals* normals;
    const AbutMesh* mesh;
    const AbutBoxTree* tree;
    atomic_uchar* touching;
    uint64_t work_limit;
    _Atomic uint64_t work;
} Search;

static AbutBox triangle_box(const AbutMesh* mesh, uint32_t triangle)
{
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    AbutBox box = abut_box(mesh->vertices[index[0]], mesh->vertices[index[0]]);
    return abut_box_add_point(abut_box_add_point(box, mesh->vertices[index[1]]), mesh->vertices[index[2]]);
}

/// Counts common corners; writes where in the two triangles the last one is.
static int common_corners(const uint32_t* a, const uint32_t* b, int* at_a, int* at_b)
{
    int count = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            if (a[i] == b[k])
            {
                *at_a = i;
                *at_b = k;
                count += 1;
            }
        }
    }
    return count;
}

static void load_rotated(const AbutMesh* mesh, uint32_t triangle, int first, AbutDVec3 corners[3])
{
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    corners[0] = abut_mesh_dvertex(mesh, index[first]);
    corners[1] = abut_mesh_dvertex(mesh, index[(first + 1) % 3]);
    corners[2] = abut_mesh_dvertex(mesh, index[(first + 2) % 3]);
}

static bool are_disjoint(const Search* search, uint32_t a, uint32_t b)
{
    const AbutMesh* mesh = search->mesh;
    const uint32_t* index_a = mesh->indices + 3 * (size_t)a;
    int at_a = 0, at_b = 0;
    int common = common_corners(index_a, mesh->indices + 3 * (size_t)b, &at_a, &at_b);
    if (common >= 2 || (common == 1 && search->normals->regular[index_a[at_a]] != 0))
    {
        return true;
    }
    AbutDVec3 corners_a[3], corners_b[3];
    load_rotated(mesh, a, at_a, corners_a);
    load_rotated(mesh, b, at_b, corners_b);
    return common == 1 ? abut_wedges_are_disjoint(corners_a, corners_b)
                       : abut_triangles_are_disjoint(corners_a, corners_b);
}

static void mark(Search* search, uint32_t triangle)
{
    atomic_store_explicit(&search->touching[triangle], 1, memory_order_relaxed);
}

/// Compares the triangle at `slot` with those of a leaf that come after it.
static void search_leaf(Search* search, uint32_t slot, AbutBoxLeaf leaf)
{
    uint32_t a = search->tree->items[slot];
    AbutBox box = triangle_box(search->mesh, a);
    for (uint32_t other = leaf.first > slot ? leaf.first : slot + 1; other < leaf.end; ++other)
    {
        uint32_t b = search->tree->items[other];
        if (abut_box_overlap(box, triangle_box(search->mesh, b)) && !are_disjoint(search, a, b))
        {
            mark(search, a);
            mark(search, b);
        }
    }
}

/// One traversal for all triangles of a leaf: their neighbours are the same.
static uint64_t search_node(Search* search, const AbutBoxNode* node)
{
    AbutBox box = abut_box_node_box(node);
    AbutBoxLeaf leaf;
    uint32_t cursor = (uint32_t)(node - search->tree->nodes);
    uint64_t work = 0;
    while (abut_box_tree_next_overlap(search->tree, &box, node->first, &cursor, &leaf))
    {
        for (uint32_t slot = node[0].first; slot < node[1].first; ++slot)
        {
            search_leaf(search, slot, leaf);
        }
        work += (uint64_t)(node[1].first - node[0].first) * (leaf.end - leaf.first);
    }
    return work;
}

static void search_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Search* search = context;
    uint64_t end = (uint64_t)(block + 1) * NODE_BLOCK;
    for (uint64_t i = (uint64_t)block * NODE_BLOCK; i < end && i < search->tree->node_count; ++i)
    {
        // Whether the total work passes the limit does not depend on the order of threads.
        if (atomic_load_explicit(&search->work, memory_order_relaxed) > search->work_limit)
        {
            return;
        }
        if (search->tree->nodes[i].size == 1)
        {
            uint64_t work = search_node(search, &search->tree->nodes[i]);
            atomic_fetch_add_explicit(&search->work, work, memory_order_relaxed);
        }
    }
}

void abut_find_self_intersections(const AbutHost* host, const AbutPseudoNormals* normals,
                                  const AbutBoxTree* tree, atomic_uchar* touching)
{
    const AbutMesh* mesh = normals->half_edges->mesh;
    Search search = {
        .normals = normals,
        .mesh = mesh,
        .tree = tree,
        .touching = touching,
        .work_limit = WORK_BASE + WORK_PER_TRIANGLE * mesh->triangle_count,
    };
    abut_parallel_for(host, abut_block_count(tree->node_count, NODE_BLOCK), search_block, &search);
    if (atomic_load(&search.work) > search.work_limit)
    {
        for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        {
            mark(&search, t);
        }
    }
}
