// From a mesh or a shape to a field, step by step.
#include <abut/bake.h>

#include "bake/bounds.h"
#include "bake/build.h"
#include "bake/measure.h"
#include "bake/mesh_source.h"
#include "bake/thin.h"
#include "base/memory.h"
#include "field/field.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

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
// Plan: where the grid stands and what it takes
// ---------------------------------------------------------------------------------------------------------------------

static AbutResult check_def(const AbutBakeDef* def)
{
    if (def->cell_size == 0.0f && (def->resolution < 1 || def->resolution > 8192))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: the resolution is %u; it must be from 1 to 8192",
                         def->resolution);
    }
    if (!(def->cell_size >= 0.0f) || !isfinite(def->cell_size))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: the cell size is %g; it must be finite and over 0",
                         (double)def->cell_size);
    }
    if ((unsigned)def->format >= ABUT_FIELD_FORMAT_COUNT || (unsigned)def->sign > ABUT_BAKE_SIGN_SHELL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: unknown format or kind of sign; start from abut_bake_def()");
    }
    if (!(def->margin >= 0.0f && def->margin <= 1024.0f) || !(def->sparse_error >= 0.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: margin and sparse error must be at least 0, the margin at most 1024 cells");
    }
    return ABUT_OK;
}

/// Cells of one size around the middle of the box, in whole bricks.
static AbutResult plan_grid(const AbutBakeDef* def, AbutBox bounds, AbutFieldHeader* header)
{
    AbutBox box = abut_box_is_empty(def->box) ? bounds : def->box;
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: the box is empty or without end; say which box to bake");
    }
    const double low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    double longest = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    double margin = abut_box_is_empty(def->box) ? def->margin : 0.0;
    // The resolution counts the margin's cells too, so that 128 means 16 bricks.
    double cells = fmax(1.0, (double)def->resolution - 2.0 * margin);
    double cell = def->cell_size > 0.0f ? (double)def->cell_size : longest / cells;
    if (!(cell > 0.0) || !(longest / cell <= 8.0e6))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: cells of %g do not suit a box of size %g", cell,
                         longest);
    }
    header->cell_size = cell;
    for (int axis = 0; axis < 3; ++axis)
    {
        double needed = (high[axis] - low[axis]) / cell + 2.0 * margin;
        header->brick_count[axis] = (uint32_t)fmax(1.0, ceil((needed - 1e-6) / ABUT_BRICK_CELLS));
        double size = cell * ABUT_BRICK_CELLS * header->brick_count[axis];
        header->origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * size;
    }
    header->format = (uint32_t)def->format;
    header->sparse = def->sparse ? 1 : 0;
    return ABUT_OK;
}

static size_t memory_limit(const AbutBakeDef* def)
{
    if (def->memory_limit > 0)
    {
        return def->memory_limit;
    }
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages / 4 * 3 * (size_t)page : SIZE_MAX;
}

/// Bytes of a dense field of this grid, which a sparse one stays under.
static AbutResult estimate_bytes(const AbutFieldHeader* plan, size_t* bytes)
{
    AbutFieldHeader dense = *plan;
    dense.sparse = 0;
    AbutResult result = abut_field_block_layout(&dense);
    *bytes = (size_t)dense.total_bytes;
    return result;
}

AbutResult abut_bake_estimate(const AbutBakeDef* def, AbutBox bounds, AbutBakeEstimate* out)
{
    AbutFieldHeader header = { 0 };
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? plan_grid(def, bounds, &header) : result;
    size_t bytes = 0;
    result = result == ABUT_OK ? estimate_bytes(&header, &bytes) : result;
    if (result == ABUT_OK)
    {
        *out = (AbutBakeEstimate){ .cell_size = header.cell_size, .field_bytes = bytes, .peak_bytes = bytes };
        for (int axis = 0; axis < 3; ++axis)
        {
            out->cell_count[axis] = header.brick_count[axis] * ABUT_BRICK_CELLS;
        }
    }
    return result;
}

static AbutResult check_memory(const AbutBakeDef* def, const AbutFieldHeader* plan)
{
    size_t bytes = 0, limit = memory_limit(def);
    if (def->sparse)
    {
        // What is not known before the work is checked when the bricks are counted; the probes are known now.
        bytes =
            (size_t)plan->brick_count[0] * plan->brick_count[1] * plan->brick_count[2] * 8 * sizeof(float);
    }
    else
    {
        AbutResult result = estimate_bytes(plan, &bytes);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    if (bytes > limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "bake: %zu bytes are needed and the limit is %zu; use larger cells, a sparse field "
                         "or a higher limit",
                         bytes, limit);
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The steps
// ---------------------------------------------------------------------------------------------------------------------

static AbutResult fill(AbutBuild* build)
{
    AbutResult result = check_memory(build->def, &build->header);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = build->def->sparse ? abut_build_sparse(build) : abut_build_dense(build);
    result = result == ABUT_OK ? abut_build_mark_thin(build) : result;
    if (result == ABUT_OK)
    {
        abut_build_bounds(build);
        result = abut_build_measure(build);
    }
    return result;
}

/// The header goes into the block last, with the checksum of everything.
static AbutResult finish(AbutBuild* build, AbutShape** out)
{
    AbutFieldHeader* header = build->block;
    *header = build->header;
    header->checksum = 0;
    header->checksum = abut_field_block_checksum(header, (size_t)header->total_bytes);
    return abut_field_create(build->block, &build->host, out);
}

static AbutResult bake(AbutBuild* build, AbutShape** out)
{
    AbutResult result = fill(build);
    if (result != ABUT_OK)
    {
        abut_memory_free(&build->host, build->block, 1, (size_t)build->header.total_bytes);
        return result;
    }
    return finish(build, out);
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

AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out)
{
    *out = NULL;
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host) };
    AbutNodeSource source = abut_shape_source(shape);
    AbutShapeInfo info = abut_shape_info(shape);
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? plan_grid(def, info.bounds, &build.header) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    build.source = &source;
    build.slope = fmax(1.0, (double)info.lipschitz);
    build.node_error = float_error(&build.header) + (double)info.error;
    return bake(&build, out);
}

static AbutResult check_mesh(const AbutMesh* mesh)
{
    AbutVec3 size = abut_box_extents(abut_mesh_bounds(mesh));
    if (abut_mesh_triangle_count(mesh) == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "bake: the mesh has no triangles");
    }
    if (!(size.x > 0.0f || size.y > 0.0f || size.z > 0.0f) || !isfinite(size.x + size.y + size.z))
    {
        return abut_fail(ABUT_INVALID_DATA, "bake: the mesh is a single point, or too large for a float");
    }
    return ABUT_OK;
}

AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out)
{
    *out = NULL;
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host) };
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? check_mesh(mesh) : result;
    bool shell = def->sign == ABUT_BAKE_SIGN_SHELL;
    if (result == ABUT_OK && shell && !(def->thickness > 0.0f && isfinite(def->thickness)))
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "bake: a shell needs a thickness over 0");
    }
    AbutBox bounds = abut_box_expand(abut_mesh_bounds(mesh), shell ? 0.5f * def->thickness : 0.0f);
    result = result == ABUT_OK ? plan_grid(def, bounds, &build.header) : result;
    AbutMeshSource* mesh_source = NULL;
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
    build.slope = 1.0;
    build.node_error = float_error(&build.header);
    AbutMass mesh_mass = abut_mesh_mass(mesh);
    abut_field_pack_mass(&mesh_mass, build.header.mesh_mass);
    result = fill(&build);
    AbutSignReport report = abut_mesh_source_report(mesh_source, build.header.cell_size);
    build.header.sign_flags = (report.closed ? 1u : 0u) | (report.inverted ? 2u : 0u);
    build.header.winding_nodes = report.winding_nodes;
    build.header.doubtful_nodes = report.doubtful_nodes;
    build.header.doubtful_volume = report.doubtful_volume;
    abut_mesh_source_destroy(mesh_source);
    if (result != ABUT_OK)
    {
        abut_memory_free(&build.host, build.block, 1, (size_t)build.header.total_bytes);
        return result;
    }
    return finish(&build, out);
}
