// Corners of packs from the vertices, then boxes of nodes, level by level from the last: the boxes of a level
// need those of the next alone, so that the nodes of a level are independent.
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "bvh/tree.h"
#include "math/rounding.h"

enum
{
    PACK_BLOCK = 512, // packs of a block, at least
    PACK_BLOCK_COUNT = 64,
    NODE_BLOCK = 128,
};

static const float LARGEST_COORDINATE = 1e12f;

typedef struct Refit
{
    AbutMeshTree* tree;
    const AbutVec3* vertices;
    uint32_t first, end;             // nodes of the level
    uint32_t block_size;             // packs
    AbutBox boxes[PACK_BLOCK_COUNT]; // of the packs of each block
} Refit;

// -----------------------------------------------------------------------------------------------------------
// Packs
// -----------------------------------------------------------------------------------------------------------

static void fill_lane(AbutTrianglePack* pack, uint32_t lane, int corner, AbutVec3 v)
{
    pack->corner[corner][0][lane] = v.x;
    pack->corner[corner][1][lane] = v.y;
    pack->corner[corner][2][lane] = v.z;
}

static AbutBox fill_pack(const Refit* refit, uint32_t p, AbutBox box)
{
    const AbutPackIndex* index = &refit->tree->index[p];
    AbutTrianglePack* pack = &refit->tree->packs[p];
    for (int corner = 0; corner < 3; ++corner)
    {
        for (uint32_t lane = 0; lane < index->count; ++lane)
        {
            AbutVec3 v = refit->vertices[index->vertex[corner][lane]];
            fill_lane(pack, lane, corner, v);
            box = abut_box_add_point(box, v);
        }
        for (uint32_t lane = index->count; lane < ABUT_TREE_WIDTH; ++lane)
        {
            fill_lane(pack, lane, corner, abut_vec3(NAN, NAN, NAN));
        }
    }
    return box;
}

static void fill_packs(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Refit* refit = context;
    AbutBox box = abut_box_empty();
    uint32_t end = (block + 1) * refit->block_size;
    for (uint32_t p = block * refit->block_size; p < end && p < refit->tree->pack_count; ++p)
    {
        box = fill_pack(refit, p, box);
    }
    refit->boxes[block] = box;
}

/// Of one axis, about the centre.
static void pack_interval(const AbutTrianglePack* pack, int axis, float center, float* low, float* high)
{
    float l = pack->corner[0][axis][0], h = l;
    for (int corner = 0; corner < 3; ++corner)
    {
        const float* x = pack->corner[corner][axis];
        for (int lane = 0; lane < ABUT_TREE_WIDTH; ++lane)
        {
            l = x[lane] < l ? x[lane] : l; // NaN lanes leave it
            h = x[lane] > h ? x[lane] : h;
        }
    }
    *low = l - center;
    *high = h - center;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

static void node_interval(const AbutTreeNode* node, int axis, float* low, float* high)
{
    float l = node->low[axis][0], h = node->high[axis][0];
    for (uint32_t lane = 1; lane < node->child_count; ++lane)
    {
        l = node->low[axis][lane] < l ? node->low[axis][lane] : l;
        h = node->high[axis][lane] > h ? node->high[axis][lane] : h;
    }
    *low = l;
    *high = h;
}

static void refit_lane(const AbutMeshTree* tree, AbutTreeNode* node, uint32_t lane)
{
    const float center[3] = { tree->center.x, tree->center.y, tree->center.z };
    uint32_t child = node->child[lane];
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = NAN, high = NAN;
        if (lane < node->child_count && (child & ABUT_TREE_PACK) != 0)
        {
            pack_interval(&tree->packs[child & ~ABUT_TREE_PACK], axis, center[axis], &low, &high);
        }
        else if (lane < node->child_count)
        {
            node_interval(&tree->nodes[child], axis, &low, &high);
        }
        node->low[axis][lane] = low;
        node->high[axis][lane] = high;
    }
}

static void refit_nodes(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Refit* refit = context;
    uint32_t end = refit->first + (block + 1) * NODE_BLOCK;
    for (uint32_t n = refit->first + block * NODE_BLOCK; n < end && n < refit->end; ++n)
    {
        for (uint32_t lane = 0; lane < ABUT_TREE_WIDTH; ++lane)
        {
            refit_lane(refit->tree, &refit->tree->nodes[n], lane);
        }
    }
}

/// Sum over all boxes of nodes and packs of their areas, over that of the tree: how many boxes a small box
/// meets.
static double cost_of(const AbutMeshTree* tree)
{
    double sum = 0.0, whole = 0.0;
    for (uint32_t n = 0; n < tree->node_count; ++n)
    {
        const AbutTreeNode* node = &tree->nodes[n];
        for (uint32_t lane = 0; lane < node->child_count; ++lane)
        {
            double x = (double)node->high[0][lane] - node->low[0][lane];
            double y = (double)node->high[1][lane] - node->low[1][lane];
            double z = (double)node->high[2][lane] - node->low[2][lane];
            sum += x * y + y * z + z * x;
        }
    }
    AbutDVec3 size =
        abut_dvec3_sub(abut_dvec3_from_vec3(tree->bounds.max), abut_dvec3_from_vec3(tree->bounds.min));
    whole = size.x * size.y + size.y * size.z + size.z * size.x;
    return whole > 0.0 ? sum / whole : 1.0;
}

/// Centre, radius and largest coordinate from the bounds.
static void measure_bounds(AbutMeshTree* tree)
{
    AbutDVec3 low = abut_dvec3_from_vec3(tree->bounds.min), high = abut_dvec3_from_vec3(tree->bounds.max);
    tree->center = abut_dvec3_to_vec3(abut_dvec3_scale(abut_dvec3_add(low, high), 0.5));
    AbutDVec3 center = abut_dvec3_from_vec3(tree->center);
    AbutDVec3 extent = abut_dvec3_max(abut_dvec3_sub(high, center), abut_dvec3_sub(center, low));
    AbutDVec3 largest = abut_dvec3_max(abut_dvec3_abs(low), abut_dvec3_abs(high));
    tree->radius = abut_round_up(abut_larger(abut_larger(extent.x, extent.y), extent.z));
    tree->largest = abut_round_up(abut_larger(abut_larger(largest.x, largest.y), largest.z));
}

static void refit_packs(Refit* refit)
{
    AbutMeshTree* tree = refit->tree;
    uint32_t least = (tree->pack_count + PACK_BLOCK_COUNT - 1) / PACK_BLOCK_COUNT;
    refit->block_size = least > PACK_BLOCK ? least : PACK_BLOCK;
    uint32_t block_count = abut_block_count(tree->pack_count, refit->block_size);
    abut_parallel_for(&tree->host, block_count, fill_packs, refit);
    tree->bounds = abut_box_empty();
    for (uint32_t block = 0; block < block_count; ++block)
    {
        tree->bounds = abut_box_union(tree->bounds, refit->boxes[block]);
    }
    measure_bounds(tree);
}

void abut_tree_refit(AbutMeshTree* tree, const AbutVec3* vertices, bool new_axes)
{
    Refit refit = { .tree = tree, .vertices = vertices };
    refit_packs(&refit);
    for (uint32_t level = tree->level_count; level-- > 0;)
    {
        refit.first = tree->level_first[level];
        refit.end = tree->level_first[level + 1];
        abut_parallel_for(&tree->host, abut_block_count(refit.end - refit.first, NODE_BLOCK), refit_nodes,
                          &refit);
    }
    abut_tree_orient(tree, new_axes);
    tree->cost = cost_of(tree);
}

static AbutResult check_vertices(const AbutVec3* vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = vertices[i];
        if (!(fabsf(v.x) <= LARGEST_COORDINATE && fabsf(v.y) <= LARGEST_COORDINATE &&
              fabsf(v.z) <= LARGEST_COORDINATE))
        {
            return abut_vec3_is_finite(v)
                       ? abut_fail(ABUT_LIMIT_EXCEEDED, "mesh tree: vertex %u has a coordinate over 1e12", i)
                       : abut_fail(ABUT_INVALID_DATA, "mesh tree: vertex %u is not finite", i);
        }
    }
    return ABUT_OK;
}

AbutResult abut_mesh_tree_refit(AbutMeshTree* tree, const AbutVec3* vertices, uint32_t vertex_count)
{
    ABUT_FP_CALL(abut_mesh_tree_refit, tree, vertices, vertex_count);
    if (vertex_count != tree->vertex_count)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "mesh tree: %u vertices for a tree of %u", vertex_count,
                         tree->vertex_count);
    }
    AbutResult result = check_vertices(vertices, vertex_count);
    if (result == ABUT_OK)
    {
        abut_tree_refit(tree, vertices, false);
    }
    return result;
}

double abut_mesh_tree_quality(const AbutMeshTree* tree)
{
    ABUT_FP_CALL(abut_mesh_tree_quality, tree);
    return tree->built_cost > 0.0 ? tree->cost / tree->built_cost : 1.0;
}

// -----------------------------------------------------------------------------------------------------------
// Refit or build, whichever the quality of the refitted tree asks for
// -----------------------------------------------------------------------------------------------------------

/// Three vertices of each triangle, from the packs.
static uint32_t* copy_indices(const AbutMeshTree* tree)
{
    uint32_t* indices = abut_memory_allocate(&tree->host, tree->triangle_count, 3 * sizeof(uint32_t));
    for (uint32_t p = 0; indices != NULL && p < tree->pack_count; ++p)
    {
        const AbutPackIndex* index = &tree->index[p];
        for (uint32_t lane = 0; lane < index->count; ++lane)
        {
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                indices[3 * (size_t)index->triangle[lane] + corner] = index->vertex[corner][lane];
            }
        }
    }
    return indices;
}

static AbutResult rebuild(AbutMeshTree* tree, const AbutVec3* vertices)
{
    uint32_t* indices = copy_indices(tree);
    if (indices == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = tree->vertex_count;
    def.indices = indices;
    def.triangle_count = tree->triangle_count;
    def.host = &tree->host;
    AbutMesh* mesh = NULL;
    AbutMeshTree* built = NULL;
    AbutResult result = abut_mesh_create(&def, &mesh);
    result = result == ABUT_OK ? abut_mesh_tree_create(mesh, &tree->host, &built) : result;
    abut_mesh_destroy(mesh);
    abut_memory_free(&tree->host, indices, tree->triangle_count, 3 * sizeof(uint32_t));
    if (result == ABUT_OK)
    {
        AbutMeshTree old = *tree;
        *tree = *built;
        *built = old;
        abut_mesh_tree_destroy(built);
    }
    return result;
}

AbutResult abut_mesh_tree_update(AbutMeshTree* tree, const AbutVec3* vertices, uint32_t vertex_count,
                                 double rebuild_above, bool* rebuilt)
{
    ABUT_FP_CALL(abut_mesh_tree_update, tree, vertices, vertex_count, rebuild_above, rebuilt);
    bool build = false;
    if (!(rebuild_above >= 1.0))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "mesh tree: rebuilt above a quality of %g; at least 1 is possible", rebuild_above);
    }
    AbutResult result = abut_mesh_tree_refit(tree, vertices, vertex_count);
    if (result == ABUT_OK)
    {
        build = abut_mesh_tree_quality(tree) > rebuild_above;
        result = build ? rebuild(tree, vertices) : ABUT_OK;
    }
    if (rebuilt != NULL)
    {
        *rebuilt = build && result == ABUT_OK;
    }
    return result;
}
