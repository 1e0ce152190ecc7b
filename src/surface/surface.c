#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "surface/cell_triangles.h"
#include "surface/close_blocks.h"
#include "surface/edge_vertices.h"
#include "surface/extraction.h"
#include "surface/find_blocks.h"

AbutSurfaceDef abut_surface_def(void)
{
    AbutSurfaceDef def = { .resolution = 64, .box = abut_box_empty() };
    return def;
}

/// Numbers vertices and triangles in the order of the blocks and makes a mesh with room for them.
static AbutResult number_elements(AbutSurfaceExtraction* extraction)
{
    uint64_t vertex_count = 0, triangle_count = 0;
    for (size_t i = 0; i < extraction->blocks.count; ++i)
    {
        AbutSurfaceBlock* block = &extraction->blocks.items[i];
        block->first_vertex = (uint32_t)vertex_count;
        block->first_triangle = (uint32_t)triangle_count;
        vertex_count += block->vertex_count;
        triangle_count += block->triangle_count;
    }
    if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "surface: %llu vertices and %llu triangles are more than a mesh can number "
                         "(4294967295 of each): use larger cells or a smaller box",
                         (unsigned long long)vertex_count, (unsigned long long)triangle_count);
    }
    return abut_mesh_create_uninitialized((uint32_t)vertex_count, (uint32_t)triangle_count, &extraction->host,
                                          &extraction->mesh);
}

static AbutResult run_stages(AbutSurfaceExtraction* extraction)
{
    AbutResult (*const stages[])(
        AbutSurfaceExtraction*) = { abut_surface_find_blocks, abut_surface_close_blocks, number_elements,
                                    abut_surface_compute_vertices, abut_surface_emit_triangles };
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && result == ABUT_OK; ++i)
    {
        result = stages[i](extraction);
    }
    return result;
}

static AbutResult run_extraction(AbutSurfaceExtraction* extraction)
{
    AbutResult result =
        abut_surface_grid_create(extraction->def, extraction->shape, &extraction->host, &extraction->grid);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (extraction->grid.axes[0].nodes == NULL)
    {
        return number_elements(extraction); // an empty shape
    }
    extraction->scratch =
        abut_memory_allocate(&extraction->host, extraction->host.worker_count, sizeof(AbutSurfaceScratch));
    if (extraction->scratch == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < extraction->host.worker_count; ++i)
    {
        extraction->scratch[i].error.kind = ABUT_SURFACE_NO_ERROR;
    }
    return run_stages(extraction);
}

AbutResult abut_surface_create(const AbutSurfaceDef* def, const AbutShape* shape, AbutMesh** out)
{
    ABUT_FP_CALL(abut_surface_create, def, shape, out);
    ABUT_ASSERT(def != NULL && shape != NULL && out != NULL);
    *out = NULL;
    const AbutShapeInfo info = abut_shape_info(shape);
    AbutSurfaceExtraction extraction = {
        .host = abut_host_resolve(def->host),
        .def = def,
        .shape = shape,
        .iso = def->iso,
        .slope = info.lipschitz,
    };
    abut_surface_cases_make(extraction.cases);
    AbutResult result = run_extraction(&extraction);
    abut_memory_free(&extraction.host, extraction.scratch, extraction.host.worker_count,
                     sizeof(AbutSurfaceScratch));
    abut_surface_blocks_destroy(&extraction.blocks, &extraction.host);
    abut_surface_grid_destroy(&extraction.grid, &extraction.host);
    if (result != ABUT_OK)
    {
        abut_mesh_destroy(extraction.mesh);
        return result;
    }
    abut_mesh_finish(extraction.mesh);
    *out = extraction.mesh;
    return ABUT_OK;
}
