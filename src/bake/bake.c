// A bake, step by step: from a mesh or a shape to a field.
#include "bake/bake.h"

#include "bake/build/brick_bounds.h"
#include "bake/build/dense.h"
#include "bake/build/octree.h"
#include "bake/build/plan.h"
#include "bake/build/sparse.h"
#include "bake/build/thin_cells.h"
#include "bake/measure.h"
#include "bake/resolution.h"
#include "bake/source/shape_source.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "field/block_check.h"
#include "field/field.h"
#include "math/rounding.h"
#include "mesh/corners.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

AbutBakeDef abut_bake_def(void)
{
    return (AbutBakeDef){
        .resolution = 64,
        .sparse_error = 0.05f,
        .margin = 2.0f,
        .box = abut_box_empty(),
    };
}

// -----------------------------------------------------------------------------------------------------------
// The steps
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_build_fill(AbutBuild* build)
{
    AbutResult result = build->header.sparse != 0 ? abut_build_sparse(build) : abut_build_dense(build);
    result = result == ABUT_OK ? abut_build_mark_thin(build) : result;
    if (result == ABUT_OK)
    {
        abut_build_bounds(build);
        result = abut_build_octree(build);
        result = result == ABUT_OK ? abut_build_measure(build) : result;
    }
    return result;
}

/// The same check as for a load. It fails for values that are far apart: then the source is no distance.
static AbutResult check_field(const AbutFieldHeader* header)
{
    if (!isfinite(header->slope))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "bake: values of neighbouring nodes are more than 65504 cells apart");
    }
    return abut_field_block_check(header, (size_t)header->total_bytes, true, "bake");
}

AbutResult abut_build_finish(AbutBuild* build, AbutResult result, AbutShape** out)
{
    const uint32_t* bricks = build->header.brick_count;
    abut_memory_free(&build->host, build->middles, (size_t)bricks[0] * bricks[1] * bricks[2], sizeof(float));
    AbutFieldHeader* header = build->block;
    if (result == ABUT_OK)
    {
        *header = build->header;
        result = check_field(header);
    }
    if (result != ABUT_OK)
    {
        abut_memory_free(&build->host, build->block, 1, build->block_bytes);
        return result;
    }
    header->checksum = 0;
    header->checksum = abut_field_block_checksum(header, (size_t)header->total_bytes);
    return abut_field_create(build->block, build->block_bytes, &build->host, out);
}

/// Rounding of a node's coordinates and distance, for coordinates up to those of the grid.
static double float_error(const AbutFieldHeader* header)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = header->cell_size * ABUT_BRICK_CELLS * header->brick_count[axis];
        largest = fmax(largest, fabs(header->origin[axis]) + size);
    }
    return 1e-6 * largest;
}

/// The solid is in the box, up to the rounding of floats.
static void set_solid(AbutFieldHeader* header, AbutBox box)
{
    float rounding = abut_round_up(float_error(header));
    const float sides[6] = { box.min.x - rounding, box.min.y - rounding, box.min.z - rounding,
                             box.max.x + rounding, box.max.y + rounding, box.max.z + rounding };
    memcpy(header->solid, sides, sizeof(sides));
}

/// The grid of the earlier field, or the one that the def asks for.
static AbutResult plan(const AbutBuild* build, AbutBox bounds, const AbutEarlierField* earlier,
                       AbutFieldHeader* header)
{
    if (earlier == NULL)
    {
        AbutResult result = abut_bake_plan(build->def, bounds, header);
        return result == ABUT_OK ? abut_bake_check_plan(build->def, header, build->source_bytes) : result;
    }
    const AbutFieldHeader* old = earlier->block;
    header->cell_size = old->cell_size;
    memcpy(header->origin, old->origin, sizeof(header->origin));
    memcpy(header->brick_count, old->brick_count, sizeof(header->brick_count));
    header->format = old->format;
    header->sparse = old->sparse;
    header->has_octree = old->has_octree;
    return abut_bake_check_plan(build->def, header, build->source_bytes);
}

static AbutResult find_reuse(AbutBuild* build, const AbutEarlierField* earlier, const AbutMeshSource* mesh)
{
    return earlier != NULL ? earlier->find(earlier->context, build, mesh) : ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutResult bake_shape_from(const AbutBakeDef* def, const AbutShape* shape,
                                  const AbutEarlierField* earlier, AbutShape** out)
{
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host) };
    AbutNodeSource source = abut_shape_source(shape);
    AbutShapeInfo info = abut_shape_info(shape);
    AbutResult result = plan(&build, info.bounds, earlier, &build.header);
    if (result != ABUT_OK)
    {
        return result;
    }
    build.source = &source;
    build.header.exact = isinf(info.band) && info.distance_kind != ABUT_DISTANCE_BOUND &&
                         info.distance_kind != ABUT_DISTANCE_EXACT_INSIDE;
    set_solid(&build.header, info.bounds);
    // A shape with an infinite error (a field of unproved values, or of an open mesh) is unknown between
    // nodes.
    build.slope = isfinite(info.error) ? fmax(1.0, (double)info.lipschitz) : INFINITY;
    build.node_error = float_error(&build.header) + (isfinite(info.error) ? (double)info.error : 0.0);
    result = find_reuse(&build, earlier, NULL);
    return abut_build_finish(&build, result == ABUT_OK ? abut_build_fill(&build) : result, out);
}

static AbutResult bake_shape(const AbutBakeDef* def, const void* shape, AbutShape** out)
{
    return bake_shape_from(def, shape, NULL, out);
}

AbutResult abut_bake_shape_incremental(const AbutBakeDef* def, const AbutShape* shape,
                                       const AbutEarlierField* earlier, AbutShape** out)
{
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    return result == ABUT_OK ? bake_shape_from(def, shape, earlier, out) : result;
}

AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out)
{
    ABUT_FP_CALL(abut_bake_shape, def, shape, out);
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    const AbutBakeTarget target = { bake_shape, shape, NULL, abut_shape_info(shape).bounds, 0 };
    return def->target_error > 0.0f ? abut_bake_to_target(def, &target, out) : bake_shape(def, shape, out);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

static double mesh_area(const AbutMesh* mesh)
{
    double area = 0.0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    {
        AbutDVec3 p[3];
        abut_mesh_corners(mesh, i, p);
        area += 0.5 * abut_dvec3_length(abut_corners_normal(p));
    }
    return area;
}

static bool has_area(const AbutMesh* mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    {
        AbutDVec3 p[3];
        abut_mesh_corners(mesh, i, p);
        AbutDVec3 u = abut_dvec3_sub(p[1], p[0]), v = abut_dvec3_sub(p[2], p[0]);
        if (u.y * v.z != u.z * v.y || u.z * v.x != u.x * v.z || u.x * v.y != u.y * v.x)
        {
            return true;
        }
    }
    return false;
}

/// Sizes with squares well inside of the range of float.
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

/// The source of the volume of a mesh: its own integral where all signs agree with it, the cells where
/// components overlap, face inward or are open, and unknown where those are on average thinner than cells,
/// which cells may miss.
static AbutMassSource mass_source(const AbutBuild* build, const AbutMesh* mesh,
                                  const AbutSignClassifier* classifier, bool only_sheets)
{
    const AbutFieldHeader* h = &build->header;
    if (classifier != NULL && abut_sign_classifier_info(classifier).simple && h->mesh_mass[0] > 0.0)
    {
        return ABUT_MASS_FROM_MESH;
    }
    double area = mesh_area(mesh), thickness = classifier != NULL ? 2.0 * h->mass[0] / area : INFINITY;
    return thickness < h->cell_size && !only_sheets ? ABUT_MASS_UNKNOWN : ABUT_MASS_FROM_CELLS;
}

static void report_signs(AbutBuild* build, const AbutMesh* mesh, const AbutSignClassifier* classifier,
                         const AbutClosure* closure)
{
    AbutFieldHeader* h = &build->header;
    AbutSignClassifierInfo info =
        classifier != NULL ? abut_sign_classifier_info(classifier) : (AbutSignClassifierInfo){ 0 };
    h->sign_flags = (info.closed && closure->mesh == NULL ? ABUT_FIELD_SIGN_CLOSED : 0u) |
                    (info.inverted ? ABUT_FIELD_SIGN_INVERTED : 0u) |
                    (closure->sheet_flags != NULL ? ABUT_FIELD_SIGN_SHEETS : 0u);
    h->winding_nodes = atomic_load(&build->tally);
    abut_build_count_uncertain(build);
    if (closure->only_sheets)
    {
        memset(h->mass, 0, sizeof(h->mass)); // cells that a sheet cuts have no inside either
    }
    h->sign_flags |= (uint32_t)mass_source(build, mesh, classifier, closure->only_sheets)
                     << ABUT_FIELD_SIGN_MASS_SHIFT;
}

static AbutResult fill_from_mesh(AbutBuild* build, const AbutMesh* mesh, AbutMeshSource* mesh_source,
                                 const AbutEarlierField* earlier)
{
    AbutNodeSource source = abut_mesh_source(mesh_source);
    build->source = &source;
    build->node_error = float_error(&build->header) + (double)build->header.gap_width;
    AbutMassData mesh_mass = abut_mesh_mass(mesh);
    abut_field_pack_mass(&mesh_mass, build->header.mesh_mass);
    AbutResult result = find_reuse(build, earlier, mesh_source);
    result = result == ABUT_OK ? abut_build_fill(build) : result;
    build->source = NULL;
    return result;
}

/// Bakes the closure of a mesh, or the mesh itself where it has none.
static AbutResult bake_closed(AbutBuild* build, const AbutMesh* mesh, const AbutClosure* closure,
                              const AbutEarlierField* earlier, AbutShape** out)
{
    const AbutMesh* closed = closure->mesh != NULL ? closure->mesh : mesh;
    const AbutMeshSourceDef def = { build->def->sign, build->def->thickness, closure->sheet_flags };
    AbutMeshSource* mesh_source = NULL;
    build->header.exact = 1;
    build->header.gap_width = abut_round_up(closure->width * (1.0 + 1e-9));
    set_solid(&build->header, abut_bake_mesh_box(build->def, mesh));
    AbutResult result = abut_mesh_source_create(closed, &def, &build->host, &mesh_source);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = fill_from_mesh(build, closed, mesh_source, earlier);
    if (result == ABUT_OK)
    {
        report_signs(build, mesh, abut_mesh_source_classifier(mesh_source), closure);
    }
    abut_mesh_source_destroy(mesh_source);
    return abut_build_finish(build, result, out);
}

static AbutResult bake_mesh_from(const AbutBakeDef* def, const AbutMesh* mesh,
                                 const AbutEarlierField* earlier, AbutShape** out)
{
    AbutBuild build = { .def = def, .host = abut_host_resolve(def->host), .slope = 1.0 };
    AbutClosure closure;
    build.source_bytes = abut_bake_mesh_bytes(mesh, &build.host);
    AbutResult result = plan(&build, abut_bake_mesh_box(def, mesh), earlier, &build.header);
    if (result == ABUT_OK)
    {
        result = abut_bake_closure(def, mesh, build.header.cell_size, &build.host, &closure);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    result = bake_closed(&build, mesh, &closure, earlier, out);
    abut_closure_destroy(&build.host, &closure);
    return result;
}

static AbutResult bake_mesh(const AbutBakeDef* def, const void* mesh, AbutShape** out)
{
    return bake_mesh_from(def, mesh, NULL, out);
}

AbutResult abut_bake_mesh_incremental(const AbutBakeDef* def, const AbutMesh* mesh,
                                      const AbutEarlierField* earlier, AbutShape** out)
{
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    result = result == ABUT_OK ? check_mesh(def, mesh) : result;
    return result == ABUT_OK ? bake_mesh_from(def, mesh, earlier, out) : result;
}

AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out)
{
    ABUT_FP_CALL(abut_bake_mesh, def, mesh, out);
    *out = NULL;
    AbutResult result = abut_bake_check_def(def);
    result = result == ABUT_OK ? check_mesh(def, mesh) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    const AbutBakeTarget target = { bake_mesh, mesh, mesh, abut_bake_mesh_box(def, mesh),
                                    abut_bake_mesh_bytes(mesh, def->host) };
    return def->target_error > 0.0f ? abut_bake_to_target(def, &target, out) : bake_mesh(def, mesh, out);
}
