// From a closed mesh to a tree of convex hulls: solid, patches, hierarchy, then nodes and triangles from the
// root downwards.
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decompose/decomposition.h"
#include "decompose/hierarchy.h"
#include "hull/hull.h"

#include <string.h>

/// Default patch error, in diagonals of the bounds.
static const double PATCH_ERROR = 1e-3;

AbutDecomposeDef abut_decompose_def(void)
{
    return (AbutDecomposeDef){ 0 };
}

// -----------------------------------------------------------------------------------------------------------
// Nodes: those of the hierarchy in reverse, so that the root comes first
// -----------------------------------------------------------------------------------------------------------

static uint32_t reversed(const AbutHierarchy* tree, uint32_t node)
{
    return node == ABUT_PIECE_NONE ? ABUT_DECOMPOSITION_NONE : tree->node_count - 1 - node;
}

static uint32_t patch_size(const AbutConvexPatches* patches, uint32_t patch)
{
    return patches->offsets[patch + 1] - patches->offsets[patch];
}

/// Takes the hulls of the hierarchy.
static void take_nodes(AbutHierarchy* tree, const AbutConvexPatches* patches, AbutDecomposition* out)
{
    for (uint32_t i = 0; i < tree->node_count; ++i)
    {
        AbutPieceNode* source = &tree->nodes[i];
        AbutDecompositionNode* node = &out->nodes[reversed(tree, i)];
        bool is_leaf = source->children[0] == ABUT_PIECE_NONE;
        node->hull = source->hull;
        node->concavity = source->concavity;
        node->children[0] = reversed(tree, source->children[0]);
        node->children[1] = reversed(tree, source->children[1]);
        node->triangle_count = is_leaf ? patch_size(patches, source->patch)
                                       : out->nodes[node->children[0]].triangle_count +
                                             out->nodes[node->children[1]].triangle_count;
        source->hull = NULL;
    }
    out->node_count = tree->node_count;
    out->leaf_count = patches->patch_count;
    for (uint32_t i = 0; i < out->node_count; ++i)
    {
        const AbutDecompositionNode* node = &out->nodes[i];
        if (node->children[0] != ABUT_DECOMPOSITION_NONE)
        {
            AbutDecompositionNode* first = &out->nodes[node->children[0]];
            first->first_triangle = node->first_triangle;
            out->nodes[node->children[1]].first_triangle = node->first_triangle + first->triangle_count;
        }
    }
}

/// The joined mesh with the triangles of each leaf where its node has them.
static AbutResult make_mesh(const AbutHierarchy* tree, const AbutConvexPatches* patches,
                            AbutDecomposition* out)
{
    const AbutMesh* joined = out->solid.half_edges.mesh;
    AbutMesh* mesh = NULL;
    AbutResult result =
        abut_mesh_create_uninitialized(joined->vertex_count, patches->triangle_count, &out->host, &mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t v = 0; v < joined->vertex_count; ++v)
    {
        mesh->vertices[v] = joined->vertices[v];
    }
    for (uint32_t patch = 0; patch < patches->patch_count; ++patch)
    {
        const AbutDecompositionNode* leaf = &out->nodes[reversed(tree, patch)];
        for (uint32_t i = 0; i < 3 * leaf->triangle_count; ++i)
        {
            uint32_t triangle = patches->triangles[patches->offsets[patch] + i / 3];
            mesh->indices[3 * (size_t)leaf->first_triangle + i] =
                joined->indices[3 * (size_t)triangle + i % 3];
        }
    }
    abut_mesh_finish(mesh);
    out->mesh = mesh;
    return ABUT_OK;
}

/// Parents, and the depth of the tree. `depths` has an entry per node.
static void link_parents(AbutDecomposition* out, uint32_t* depths)
{
    out->parents[0] = ABUT_DECOMPOSITION_NONE;
    depths[0] = 1;
    for (uint32_t i = 0; i < out->node_count; ++i)
    {
        const AbutDecompositionNode* node = &out->nodes[i];
        out->depth = depths[i] > out->depth ? depths[i] : out->depth;
        for (uint32_t c = 0; c < 2 && node->children[c] != ABUT_DECOMPOSITION_NONE; ++c)
        {
            out->parents[node->children[c]] = i;
            depths[node->children[c]] = depths[i] + 1;
        }
    }
}

/// A vertex of each component: those of triangles that are roots of the forest.
static AbutResult list_components(AbutDecomposition* out)
{
    const AbutHalfEdges* half_edges = &out->solid.half_edges;
    const AbutMesh* mesh = half_edges->mesh;
    for (int pass = 0; pass < 2; ++pass)
    {
        uint32_t count = 0;
        for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        {
            if (half_edges->components[t] == t)
            {
                if (pass == 1)
                {
                    out->components[count] = mesh->indices[3 * (size_t)t];
                }
                count += 1;
            }
        }
        out->component_count = count;
        out->components =
            pass == 0 ? abut_memory_allocate(&out->host, count, sizeof(uint32_t)) : out->components;
        if (out->components == NULL)
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    return ABUT_OK;
}

/// The order in which cuts divide nodes: the largest concavity first, then the nodes closer to the root. So a
/// node comes after its parent.
static AbutResult rank_nodes(AbutDecomposition* out)
{
    uint32_t count = out->node_count;
    uint64_t* keys = abut_memory_allocate(&out->host, 2 * (size_t)count, sizeof(uint64_t));
    out->parents = abut_memory_allocate(&out->host, count, sizeof(uint32_t));
    out->ranks = abut_memory_allocate(&out->host, count, sizeof(uint32_t));
    bool is_complete = keys != NULL && out->parents != NULL && out->ranks != NULL;
    for (uint32_t i = 0; is_complete && i < count; ++i)
    {
        uint32_t bits; // of a float that is not negative: in the order of the values
        memcpy(&bits, &out->nodes[i].concavity, sizeof(bits));
        keys[i] = (uint64_t)~bits << 32 | i;
    }
    if (is_complete)
    {
        link_parents(out, out->ranks);
        abut_sort_keys(keys, keys + count, count, 32);
    }
    for (uint32_t i = 0; is_complete && i < count; ++i)
    {
        out->ranks[(uint32_t)keys[i]] = i;
    }
    abut_memory_free(&out->host, keys, 2 * (size_t)count, sizeof(uint64_t));
    return is_complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult build_tree(const AbutConvexPatches* patches, AbutDecomposition* out)
{
    AbutHierarchy tree = { 0 };
    AbutResult result = abut_hierarchy_create(&out->solid, patches, &tree);
    if (result == ABUT_OK)
    {
        out->nodes = abut_memory_allocate_zero(&out->host, tree.node_count, sizeof(AbutDecompositionNode));
        result = out->nodes != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    if (result == ABUT_OK)
    {
        take_nodes(&tree, patches, out);
        result = make_mesh(&tree, patches, out);
        result = result == ABUT_OK ? rank_nodes(out) : result;
        result = result == ABUT_OK ? list_components(out) : result;
    }
    abut_hierarchy_destroy(&out->host, &tree);
    return result;
}

static AbutResult build(const AbutDecomposeDef* def, const AbutMesh* mesh, AbutDecomposition* out)
{
    AbutResult result = abut_solid_create(&out->host, mesh, &out->solid);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutConvexPatches patches = { 0 };
    double error = def->patch_error > 0.0f ? (double)def->patch_error : PATCH_ERROR * out->solid.diagonal;
    result = abut_convex_patches_create(&out->solid, error, &patches);
    result = result == ABUT_OK ? build_tree(&patches, out) : result;
    abut_convex_patches_destroy(&out->host, &patches);
    return result;
}

AbutResult abut_decompose(const AbutDecomposeDef* def, const AbutMesh* mesh, AbutDecomposition** out)
{
    ABUT_FP_CALL(abut_decompose, def, mesh, out);
    *out = NULL;
    if (mesh == NULL || !(def->patch_error >= 0.0f && def->patch_error < INFINITY))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "decompose: %s",
                         mesh == NULL ? "the mesh is NULL" : "patch_error must be finite and not negative");
    }
    AbutHost host = abut_host_resolve(def->host);
    AbutDecomposition* decomposition = abut_memory_allocate_zero(&host, 1, sizeof(AbutDecomposition));
    if (decomposition == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    decomposition->host = host;
    AbutResult result = build(def, mesh, decomposition);
    if (result != ABUT_OK)
    {
        abut_decomposition_destroy(decomposition);
        return result;
    }
    *out = decomposition;
    return ABUT_OK;
}

void abut_decomposition_destroy(AbutDecomposition* self)
{
    if (self == NULL)
    {
        return;
    }
    AbutHost host = self->host;
    for (uint32_t i = 0; i < self->node_count; ++i)
    {
        abut_hull_destroy((AbutHull*)self->nodes[i].hull, &host);
    }
    abut_memory_free(&host, self->nodes, self->node_count, sizeof(AbutDecompositionNode));
    abut_memory_free(&host, self->parents, self->node_count, sizeof(uint32_t));
    abut_memory_free(&host, self->ranks, self->node_count, sizeof(uint32_t));
    abut_memory_free(&host, self->components, self->component_count, sizeof(uint32_t));
    abut_mesh_destroy(self->mesh);
    abut_solid_destroy(&self->solid);
    abut_memory_free(&host, self, 1, sizeof(*self));
}

// -----------------------------------------------------------------------------------------------------------
// Access
// -----------------------------------------------------------------------------------------------------------

uint32_t abut_decomposition_node_count(const AbutDecomposition* decomposition)
{
    return decomposition->node_count;
}

uint32_t abut_decomposition_leaf_count(const AbutDecomposition* decomposition)
{
    return decomposition->leaf_count;
}

AbutDecompositionNode abut_decomposition_node(const AbutDecomposition* decomposition, uint32_t node)
{
    ABUT_ASSERT(node < decomposition->node_count);
    return decomposition->nodes[node];
}

const AbutMesh* abut_decomposition_mesh(const AbutDecomposition* decomposition)
{
    return decomposition->mesh;
}

static bool is_divided(const AbutDecomposition* self, uint32_t node, uint32_t max_pieces, float max_concavity)
{
    const AbutDecompositionNode* at = &self->nodes[node];
    return at->children[0] != ABUT_DECOMPOSITION_NONE && at->concavity > max_concavity &&
           (max_pieces == 0 || self->ranks[node] < max_pieces - 1);
}

uint32_t abut_decomposition_cut(const AbutDecomposition* decomposition, uint32_t max_pieces,
                                float max_concavity, uint32_t* nodes, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < decomposition->node_count; ++i)
    {
        uint32_t parent = decomposition->parents[i];
        if ((parent == ABUT_DECOMPOSITION_NONE ||
             is_divided(decomposition, parent, max_pieces, max_concavity)) &&
            !is_divided(decomposition, i, max_pieces, max_concavity))
        {
            if (count < capacity)
            {
                nodes[count] = i;
            }
            count += 1;
        }
    }
    return count;
}
