#include "mesh/mesh.h"

#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"

#include <string.h>

AbutMeshDef abut_mesh_def(void)
{
    AbutMeshDef def = { 0 };
    return def;
}

AbutResult abut_mesh_create_uninitialized(uint32_t vertex_count, uint32_t triangle_count,
                                          const AbutHost* host, AbutMesh** out)
{
    *out = NULL;
    AbutHost resolved = abut_host_resolve(host);
    AbutMesh* mesh = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutMesh));
    if (mesh == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    mesh->host = resolved;
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->bounds = abut_box_empty();
    mesh->vertices = abut_memory_allocate(&resolved, vertex_count, sizeof(AbutVec3));
    mesh->indices = abut_memory_allocate(&resolved, triangle_count, 3 * sizeof(uint32_t));
    if (mesh->vertices == NULL || mesh->indices == NULL)
    {
        abut_mesh_destroy(mesh);
        return ABUT_OUT_OF_MEMORY;
    }
    *out = mesh;
    return ABUT_OK;
}

#if defined(ABUT_ENABLE_ASSERTS)
static bool has_valid_arrays(const AbutMesh* mesh)
{
    bool valid = true;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    {
        AbutVec3 v = mesh->vertices[i];
        valid = valid && isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
    {
        valid = valid && mesh->indices[i] < mesh->vertex_count;
    }
    return valid;
}
#endif

void abut_mesh_finish(AbutMesh* mesh)
{
    ABUT_ASSERT(has_valid_arrays(mesh));
    AbutBox bounds = abut_box_empty();
    for (size_t i = 0; i < (size_t)mesh->triangle_count * 3; ++i)
    {
        bounds = abut_box_add_point(bounds, mesh->vertices[mesh->indices[i]]);
    }
    mesh->bounds = bounds;
}

static AbutResult check_arrays(const AbutMeshDef* def)
{
    if ((def->vertices == NULL && def->vertex_count > 0) || (def->indices == NULL && def->triangle_count > 0))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "mesh: an array is NULL though its count is not 0");
    }
    for (uint32_t i = 0; i < def->vertex_count; ++i)
    {
        if (!abut_vec3_is_finite(def->vertices[i]))
        {
            return abut_fail(ABUT_INVALID_DATA, "mesh: vertex %u is not finite (%g, %g, %g)", i,
                             (double)def->vertices[i].x, (double)def->vertices[i].y,
                             (double)def->vertices[i].z);
        }
    }
    for (size_t i = 0; i < (size_t)def->triangle_count * 3; ++i)
    {
        if (def->indices[i] >= def->vertex_count)
        {
            return abut_fail(ABUT_INVALID_DATA, "mesh: triangle %zu refers to vertex %u of %u", i / 3,
                             def->indices[i], def->vertex_count);
        }
    }
    return ABUT_OK;
}

AbutResult abut_mesh_create(const AbutMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create, def, out);
    *out = NULL;
    AbutResult result = check_arrays(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutMesh* mesh = NULL;
    result = abut_mesh_create_uninitialized(def->vertex_count, def->triangle_count, def->host, &mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (def->vertex_count > 0)
    {
        memcpy(mesh->vertices, def->vertices, def->vertex_count * sizeof(AbutVec3));
    }
    if (def->triangle_count > 0)
    {
        memcpy(mesh->indices, def->indices, (size_t)def->triangle_count * 3 * sizeof(uint32_t));
    }
    abut_mesh_finish(mesh);
    *out = mesh;
    return ABUT_OK;
}

void abut_mesh_destroy(AbutMesh* mesh)
{
    if (mesh == NULL)
    {
        return;
    }
    AbutHost host = mesh->host;
    abut_memory_free(&host, mesh->vertices, mesh->vertex_count, sizeof(AbutVec3));
    abut_memory_free(&host, mesh->indices, mesh->triangle_count, 3 * sizeof(uint32_t));
    abut_memory_free(&host, mesh, 1, sizeof(AbutMesh));
}

uint32_t abut_mesh_vertex_count(const AbutMesh* mesh)
{
    return mesh->vertex_count;
}

uint32_t abut_mesh_triangle_count(const AbutMesh* mesh)
{
    return mesh->triangle_count;
}

const AbutVec3* abut_mesh_vertices(const AbutMesh* mesh)
{
    return mesh->vertices;
}

const uint32_t* abut_mesh_indices(const AbutMesh* mesh)
{
    return mesh->indices;
}

AbutBox abut_mesh_bounds(const AbutMesh* mesh)
{
    return mesh->bounds;
}
