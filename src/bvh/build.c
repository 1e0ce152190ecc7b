// A tree of eight from the binary tree of mesh/box_tree.h: the children of a node are found by opening the
// largest box, again and again, until there are eight or all have one pack of triangles each.
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "bvh/tree.h"
#include "mesh/box_tree.h"
#include "mesh/mesh.h"

#include <string.h>

enum
{
    PACK_BLOCK = 1024, // packs that are filled in one block
};

static const float LARGEST_COORDINATE = 1e12f;

typedef struct Build
{
    AbutMeshTree* tree;
    const AbutMesh* mesh;
    AbutBoxTree boxes;
    uint32_t* sources; // of each node: its node in `boxes`
    uint32_t* slots;   // of each pack: its node in `boxes`
} Build;

static AbutBox triangle_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    AbutBox box = abut_box(mesh->vertices[index[0]], mesh->vertices[index[0]]);
    return abut_box_add_point(abut_box_add_point(box, mesh->vertices[index[1]]), mesh->vertices[index[2]]);
}

// -----------------------------------------------------------------------------------------------------------
// Nodes of eight
// -----------------------------------------------------------------------------------------------------------

static uint32_t item_count(const AbutBoxTree* boxes, uint32_t node)
{
    const AbutBoxNode* n = &boxes->nodes[node];
    return n[n->size].first - n->first;
}

static double half_area(const AbutBoxNode* node)
{
    AbutDVec3 size = abut_dvec3_sub(abut_dvec3_from_vec3(node->max), abut_dvec3_from_vec3(node->min));
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

typedef struct Children
{
    uint32_t nodes[ABUT_TREE_WIDTH]; // in the binary tree
    uint32_t count;
} Children;

/// The child with the largest box of those with more than a pack; the count for none.
static uint32_t child_to_open(const AbutBoxTree* boxes, const Children* children)
{
    uint32_t best = children->count;
    double best_area = -1.0;
    for (uint32_t i = 0; i < children->count; ++i)
    {
        double area = half_area(&boxes->nodes[children->nodes[i]]);
        if (item_count(boxes, children->nodes[i]) > ABUT_TREE_WIDTH && area > best_area)
        {
            best = i;
            best_area = area;
        }
    }
    return best;
}

static Children children_of(const AbutBoxTree* boxes, uint32_t node)
{
    Children children = { .nodes = { node }, .count = 1 };
    uint32_t open;
    while (children.count < ABUT_TREE_WIDTH && (open = child_to_open(boxes, &children)) < children.count)
    {
        uint32_t lower = children.nodes[open] + 1;
        children.nodes[open] = lower;
        children.nodes[children.count++] = lower + boxes->nodes[lower].size;
    }
    return children;
}

static void write_node(Build* build, uint32_t n)
{
    AbutMeshTree* tree = build->tree;
    AbutTreeNode* node = &tree->nodes[n];
    Children children = children_of(&build->boxes, build->sources[n]);
    memset(node, 0, sizeof(*node));
    node->child_count = children.count;
    for (uint32_t i = 0; i < children.count; ++i)
    {
        if (item_count(&build->boxes, children.nodes[i]) <= ABUT_TREE_WIDTH)
        {
            build->slots[tree->pack_count] = children.nodes[i];
            node->child[i] = ABUT_TREE_PACK | tree->pack_count++;
        }
        else
        {
            build->sources[tree->node_count] = children.nodes[i];
            node->child[i] = tree->node_count++;
        }
    }
}

/// Level by level, so that a refit goes through the levels backwards.
static AbutResult write_nodes(Build* build)
{
    AbutMeshTree* tree = build->tree;
    build->sources[0] = 0;
    tree->node_count = 1;
    uint32_t n = 0;
    while (n < tree->node_count)
    {
        if (tree->level_count == ABUT_TREE_MAX_DEPTH)
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh tree: more than %d levels", ABUT_TREE_MAX_DEPTH);
        }
        tree->level_first[tree->level_count++] = n;
        for (uint32_t end = tree->node_count; n < end; ++n)
        {
            write_node(build, n);
        }
    }
    tree->level_first[tree->level_count] = tree->node_count;
    return ABUT_OK;
}

static void fill_pack(Build* build, uint32_t pack)
{
    const AbutBoxNode* node = &build->boxes.nodes[build->slots[pack]];
    AbutPackIndex* index = &build->tree->index[pack];
    memset(index, 0, sizeof(*index));
    index->count = node[node->size].first - node->first;
    for (uint32_t lane = 0; lane < index->count; ++lane)
    {
        uint32_t triangle = build->boxes.items[node->first + lane];
        index->triangle[lane] = triangle;
        for (int corner = 0; corner < 3; ++corner)
        {
            index->vertex[corner][lane] = build->mesh->indices[3 * (size_t)triangle + (size_t)corner];
        }
    }
}

static void fill_packs(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Build* build = context;
    uint32_t end = (block + 1) * PACK_BLOCK;
    for (uint32_t pack = block * PACK_BLOCK; pack < end && pack < build->tree->pack_count; ++pack)
    {
        fill_pack(build, pack);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

/// A binary tree has at most one node less than leaves, and each node of eight replaces one at least.
static uint32_t node_capacity(const AbutBoxTree* boxes)
{
    return boxes->node_count;
}

static AbutResult allocate(Build* build)
{
    AbutMeshTree* tree = build->tree;
    uint32_t capacity = node_capacity(&build->boxes);
    build->sources = abut_memory_allocate(&tree->host, capacity, sizeof(uint32_t));
    build->slots = abut_memory_allocate(&tree->host, capacity, sizeof(uint32_t));
    return build->sources != NULL && build->slots != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// Counts nodes and packs first: an inner node of the tree of eight is one of the binary tree with over eight
/// items, so that these are a bound.
static uint32_t count_large_nodes(const AbutBoxTree* boxes)
{
    uint32_t count = 1;
    for (uint32_t i = 1; i < boxes->node_count; ++i)
    {
        count += item_count(boxes, i) > ABUT_TREE_WIDTH;
    }
    return count;
}

static AbutResult write_tree(Build* build)
{
    AbutMeshTree* tree = build->tree;
    uint32_t capacity = count_large_nodes(&build->boxes);
    AbutTreeNode* nodes = abut_memory_allocate(&tree->host, capacity, sizeof(AbutTreeNode));
    if (nodes == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    tree->nodes = nodes;
    AbutResult result = write_nodes(build);
    tree->nodes = NULL;
    if (result == ABUT_OK)
    {
        tree->nodes = abut_memory_allocate(&tree->host, tree->node_count, sizeof(AbutTreeNode));
        tree->packs = abut_memory_allocate(&tree->host, tree->pack_count, sizeof(AbutTrianglePack));
        tree->index = abut_memory_allocate(&tree->host, tree->pack_count, sizeof(AbutPackIndex));
        tree->oriented = abut_memory_allocate_zero(&tree->host, tree->node_count, sizeof(AbutOrientedNode));
        bool complete =
            tree->nodes != NULL && tree->oriented != NULL && tree->packs != NULL && tree->index != NULL;
        result = complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    if (result == ABUT_OK)
    {
        memcpy(tree->nodes, nodes, tree->node_count * sizeof(AbutTreeNode));
        abut_parallel_for(&tree->host, abut_block_count(tree->pack_count, PACK_BLOCK), fill_packs, build);
    }
    abut_memory_free(&tree->host, nodes, capacity, sizeof(AbutTreeNode));
    return result;
}

static AbutResult build_tree(Build* build)
{
    AbutMeshTree* tree = build->tree;
    AbutResult result =
        abut_box_tree_create_leaves(&tree->host, build->mesh->triangle_count, ABUT_TREE_WIDTH, triangle_box,
                                    (void*)(uintptr_t)build->mesh, &build->boxes);
    result = result == ABUT_OK ? allocate(build) : result;
    result = result == ABUT_OK ? write_tree(build) : result;
    uint32_t capacity = node_capacity(&build->boxes);
    abut_memory_free(&tree->host, build->sources, capacity, sizeof(uint32_t));
    abut_memory_free(&tree->host, build->slots, capacity, sizeof(uint32_t));
    abut_box_tree_destroy(&tree->host, &build->boxes);
    if (result == ABUT_OK)
    {
        abut_tree_refit(tree, build->mesh->vertices, true);
        tree->built_cost = tree->cost;
    }
    return result;
}

static float largest_coordinate(AbutBox box)
{
    AbutVec3 low = box.min, high = box.max;
    AbutVec3 m = abut_vec3_max(abut_vec3(fabsf(low.x), fabsf(low.y), fabsf(low.z)),
                               abut_vec3(fabsf(high.x), fabsf(high.y), fabsf(high.z)));
    return fmaxf(m.x, fmaxf(m.y, m.z));
}

static AbutResult check_mesh(const AbutMesh* mesh)
{
    if (mesh->triangle_count == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "mesh tree: the mesh has no triangles");
    }
    if (largest_coordinate(mesh->bounds) > LARGEST_COORDINATE)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh tree: a coordinate is %g; at most 1e12 is possible",
                         (double)largest_coordinate(mesh->bounds));
    }
    return ABUT_OK;
}

AbutResult abut_mesh_tree_create(const AbutMesh* mesh, const AbutHost* host, AbutMeshTree** out)
{
    ABUT_FP_CALL(abut_mesh_tree_create, mesh, host, out);
    *out = NULL;
    AbutResult result = check_mesh(mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost resolved = abut_host_resolve(host);
    AbutMeshTree* tree = abut_memory_allocate_zero(&resolved, 1, sizeof(*tree));
    if (tree == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    tree->host = resolved;
    tree->triangle_count = mesh->triangle_count;
    tree->vertex_count = mesh->vertex_count;
    Build build = { .tree = tree, .mesh = mesh };
    result = build_tree(&build);
    if (result != ABUT_OK)
    {
        abut_mesh_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return ABUT_OK;
}

void abut_mesh_tree_destroy(AbutMeshTree* tree)
{
    if (tree == NULL)
    {
        return;
    }
    AbutHost host = tree->host;
    abut_memory_free(&host, tree->nodes, tree->node_count, sizeof(AbutTreeNode));
    abut_memory_free(&host, tree->oriented, tree->node_count, sizeof(AbutOrientedNode));
    abut_memory_free(&host, tree->packs, tree->pack_count, sizeof(AbutTrianglePack));
    abut_memory_free(&host, tree->index, tree->pack_count, sizeof(AbutPackIndex));
    abut_memory_free(&host, tree, 1, sizeof(*tree));
}

uint32_t abut_mesh_tree_triangle_count(const AbutMeshTree* tree)
{
    return tree->triangle_count;
}

uint32_t abut_mesh_tree_vertex_count(const AbutMeshTree* tree)
{
    return tree->vertex_count;
}

AbutBox abut_mesh_tree_bounds(const AbutMeshTree* tree)
{
    return tree->bounds;
}

size_t abut_mesh_tree_size(const AbutMeshTree* tree)
{
    return sizeof(*tree) + tree->node_count * (sizeof(AbutTreeNode) + sizeof(AbutOrientedNode)) +
           tree->pack_count * (sizeof(AbutTrianglePack) + sizeof(AbutPackIndex));
}
