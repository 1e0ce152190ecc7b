// Refit or build, whichever the quality of the refitted tree asks for.
#include "base/fp_env.h"
#include "base/memory.h"
#include "bvh/tree.h"

/// Three vertices of each triangle, from the packs.
static uint32_t* copy_indices(const AbutMeshTree* tree)
{
    uint32_t* indices = abut_memory_allocate(&tree->host, tree->triangle_count, 3 * sizeof(uint32_t));
    for (uint32_t p = 0; indices != NULL && p < tree->pack_count; ++p)
    {
        const AbutPackIndex* index = &tree->index[p];
        for (uint32_t lane = 0; lane < index->count; ++lane)
        {
            for (uint32_t i = 0; i < 3; ++i)
            {
                indices[3 * (size_t)index->triangle[lane] + i] = index->vertex[i][lane];
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
