// From a mesh or a shape to a field, step by step.
#include <abut/bake.h>

#include "bake/bounds.h"
#include "bake/build.h"
#include "bake/measure.h"
#include "bake/mesh_source.h"
#include "bake/plan.h"
#include "bake/target.h"
#include "bake/thin.h"
#include "base/memory.h"
#include "field/field.h"
#include "mesh/mesh.h"

#include <math.h>

AbutBakeDef abut_bake_def(void)
{
    return (AbutBakeDef){
        .resolution = 64,
        .sparse_error = 0.05f,
        .margin = 2.0f,
        .box = abut_box_empty(),
    };
}

// ---------------------------------------------------------------------------------------------------------------------
// The steps
// ---------------------------------------------------------------------------------------------------------------------

AbutResult abut_build_fill(AbutBuild* build)
{
    AbutResult result = build->def->sparse ? abut_build_sparse(build) : abut_build_dense(build);
    result = result == ABUT_OK ? abut_build_mark_thin(build) : result;
    if (result == ABUT_OK)
    {
        abut_build_bounds(build);
        result = abut_build_measure(build);
    }
    return result;
}

AbutResult abut_build_finish(AbutBuild* build, AbutResult result, AbutShape** out)
{
    if (result != ABUT_OK)
    {
        abut_memory_free(&build->host, build->block, 1, build->block_bytes);
        return result;
    }
    AbutFieldHeader* header = build->block;
    *header = build->header;
    header->checksum = 0;
    header->checksum = abut_field_block_checksum(header, (size_t)header->total_bytes);
    return abut_field_create(build->block, build->block_bytes, &build->host, out);
}

/// Rounding of a node's coordinates and distance, for coordinates that reach as far as the grid's.
static double float_error(const AbutFieldHeader* header)
{
    double reach = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = header->cell_size * ABUT_BRICK_CELLS * header->brick_count[axis];
        reach = fmax(reach, fabs(header->origin[axis]) + size);
    }
    return 1e-6 * reach;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

static AbutResult bake_shape(const AbutBakeDef* def, const void* shape, AbutShape** out)
{
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host) };
    AbutNodeSource source = abut_shape_source(shape);
    AbutShapeInfo info = abut_shape_info(shape);
    AbutResult result = abut_bake_plan(def, info.bounds, &build.header);
    result = result == ABUT_OK ? abut_bake_check_plan(def, &build.header, 0) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    build.source = &source;
    build.slope = fmax(1.0, (double)info.lipschitz);
    build.node_error = float_error(&build.header) + (double)info.error;
    return abut_build_finish(&build, abut_build_fill(&build), out);
}

AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out)
{
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    return def->target_error > 0.0f ? abut_bake_to_target(def, bake_shape, shape, out)
                                    : bake_shape(def, shape, out);
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------------------------

static bool has_area(const AbutMesh* mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    {
        const uint32_t* corner = mesh->indices + (size_t)i * 3;
        AbutVec3 a = mesh->vertices[corner[0]], b = mesh->vertices[corner[1]], c = mesh->vertices[corner[2]];
        const double u[3] = { (double)b.x - (double)a.x, (double)b.y - (double)a.y,
                              (double)b.z - (double)a.z };
        const double v[3] = { (double)c.x - (double)a.x, (double)c.y - (double)a.y,
                              (double)c.z - (double)a.z };
        if (u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0])
        {
            return true;
        }
    }
    return false;
}

/// Sizes whose squares are well inside of the range of float.
static const float SMALLEST_MESH = 1e-15f, LARGEST_MESH = 1e15f;

static AbutResult check_mesh(const AbutBakeDef* def, const AbutMesh* mesh)
{
    AbutVec3 size = abut_box_extents(abut_mesh_bounds(mesh));
    float longest = fmaxf(size.x, fmaxf(size.y, size.z));
    bool shell = def->sign == ABUT_BAKE_SIGN_SHELL;
    if (shell && !(def->thickness > 0.0f && isfinite(def->thickness)))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: a shell needs a thickness over 0");
    }
    if (abut_mesh_triangle_count(mesh) == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "bake: the mesh has no triangles");
    }
    if (!(longest >= SMALLEST_MESH && longest <= LARGEST_MESH))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "bake: the mesh has a size of %g; it must be from %g to %g: use another unit",
                         (double)longest, (double)SMALLEST_MESH, (double)LARGEST_MESH);
    }
    if (!shell && !has_area(mesh))
    {
        return abut_fail(
            ABUT_INVALID_DATA,
            "bake: no triangle of the mesh has an area: there is no surface (a shell can be baked)");
    }
    return ABUT_OK;
}

static void report_signs(AbutBuild* build, AbutSignerInfo info)
{
    AbutFieldHeader* h = &build->header;
    h->sign_flags = (info.closed ? 1u : 0u) | (info.inverted ? 2u : 0u);
    h->winding_nodes = atomic_load(&build->tally.winding_nodes);
    h->doubtful_nodes = atomic_load(&build->tally.doubtful_nodes);
    h->doubtful_volume =
        (double)atomic_load(&build->tally.doubtful_cells) * h->cell_size * h->cell_size * h->cell_size;
}

static AbutResult bake_mesh(const AbutBakeDef* def, const void* mesh, AbutShape** out)
{
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host), .slope = 1.0 };
    AbutMeshSource* mesh_source = NULL;
    build.source_bytes = abut_bake_mesh_bytes(mesh, &build.host);
    AbutResult result = abut_bake_plan(def, abut_bake_mesh_box(def, mesh), &build.header);
    result = result == ABUT_OK ? abut_bake_check_plan(def, &build.header, build.source_bytes) : result;
    if (result == ABUT_OK)
    {
        result = abut_mesh_source_create(mesh, def->sign, def->thickness, &build.host, &mesh_source);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutNodeSource source = abut_mesh_source(mesh_source);
    build.source = &source;
    build.node_error = float_error(&build.header);
    AbutMass mesh_mass = abut_mesh_mass(mesh);
    abut_field_pack_mass(&mesh_mass, build.header.mesh_mass);
    result = abut_build_fill(&build);
    report_signs(&build, abut_mesh_source_sign_info(mesh_source));
    abut_mesh_source_destroy(mesh_source);
    return abut_build_finish(&build, result, out);
}

AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out)
{
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    result = result == ABUT_OK ? check_mesh(def, mesh) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    return def->target_error > 0.0f ? abut_bake_to_target(def, bake_mesh, mesh, out)
                                    : bake_mesh(def, mesh, out);
}
