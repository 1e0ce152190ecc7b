#include "bake/build/plan.h"

#include "base/fp_env.h"

#include "field/block_check.h"
#include "mesh/mesh.h"

#include <math.h>
#include <unistd.h>

// -----------------------------------------------------------------------------------------------------------
// The grid
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_bake_check_def(const AbutBakeDef* def)
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
    if (!(def->target_error >= 0.0f) || !isfinite(def->target_error))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: the target error is %g; it must be finite and over 0",
                         (double)def->target_error);
    }
    if (!(def->margin >= 0.0f && def->margin <= 1024.0f) || !(def->sparse_error >= 0.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: margin and sparse error must be at least 0, the margin at most 1024 cells");
    }
    return ABUT_OK;
}

/// Cells of one size around the middle of the box, in whole bricks.
AbutResult abut_bake_plan(const AbutBakeDef* def, AbutBox bounds, AbutFieldHeader* header)
{
    AbutBox box = abut_box_is_empty(def->box) ? bounds : def->box;
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: the box is empty or without end; say which box to bake");
    }
    AbutDVec3 low = abut_dvec3_from_vec3(box.min), high = abut_dvec3_from_vec3(box.max);
    AbutDVec3 sides = abut_dvec3_sub(high, low), sum = abut_dvec3_add(low, high);
    double longest = fmax(sides.x, fmax(sides.y, sides.z));
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
        double needed = abut_dvec3_get(sides, axis) / cell + 2.0 * margin;
        header->brick_count[axis] = (uint32_t)fmax(1.0, ceil((needed - 1e-6) / ABUT_BRICK_CELLS));
        double size = cell * ABUT_BRICK_CELLS * header->brick_count[axis];
        header->origin[axis] = 0.5 * abut_dvec3_get(sum, axis) - 0.5 * size;
    }
    const char* fault = abut_field_grid_fault(header);
    if (fault != NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bake: cells of %g for a box of size %g: %s", cell, longest,
                         fault);
    }
    header->format = (uint32_t)def->format;
    header->sparse = def->sparse ? 1 : 0;
    header->has_octree = def->without_octree ? 0 : 1;
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

enum
{
    MOMENTS_BYTES = 96, // per brick, while the mass is integrated
    MEASURE_BYTES = 1 << 14,
    TRIANGLE_BYTES = 640, // of a mesh, while its sign is prepared, which is the most; measured: 290, soup 490
    WORKER_BYTES = 1 << 18, // lists of triangles during the traversal
};

size_t abut_bake_memory_limit(const AbutBakeDef* def)
{
    if (def->memory_limit > 0)
    {
        return def->memory_limit;
    }
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages / 4 * 3 * (size_t)page : SIZE_MAX;
}

static uint64_t box_total(const AbutFieldHeader* plan, uint32_t scale, uint32_t more)
{
    uint64_t x = (uint64_t)plan->brick_count[0] * scale + more,
             y = (uint64_t)plan->brick_count[1] * scale + more,
             z = (uint64_t)plan->brick_count[2] * scale + more;
    // Up to 2²³ nodes along a side: two factors fit, three may not.
    return x * y > UINT64_MAX / 1024 / z ? UINT64_MAX / 1024 : x * y * z;
}

uint64_t abut_bake_choice_bytes(const AbutFieldHeader* plan)
{
    return box_total(plan, 2, 1) * sizeof(float) + box_total(plan, 1, 0) * sizeof(uint32_t);
}

uint64_t abut_bake_filling_bytes(const AbutFieldHeader* plan)
{
    uint64_t measuring = box_total(plan, 1, 0) * MOMENTS_BYTES + MEASURE_BYTES;
    uint64_t lists =
        plan->sparse != 0 ? (box_total(plan, 1, 0) + box_total(plan, 1, 1)) * sizeof(uint32_t) : 0;
    uint64_t middles = plan->sparse != 0 ? box_total(plan, 1, 0) * sizeof(float) : 0;
    uint64_t uncertain_bytes = box_total(plan, 1, 0);
    return (measuring > lists + uncertain_bytes ? measuring : lists + uncertain_bytes) + middles;
}

AbutResult abut_bake_check_bytes(const AbutBakeDef* def, uint64_t bytes, size_t source_bytes)
{
    size_t limit = abut_bake_memory_limit(def);
    if (bytes > limit || source_bytes > limit - bytes)
    {
        return abut_fail(
            ABUT_LIMIT_EXCEEDED,
            "bake: %llu bytes are needed and the limit is %zu; use larger cells, %sor a higher limit",
            (unsigned long long)(bytes + source_bytes), limit, def->sparse ? "" : "a sparse field, ");
    }
    return ABUT_OK;
}

/// Bytes of a block with so many stored bricks.
static AbutResult block_bytes(const AbutFieldHeader* plan, uint32_t stored, uint64_t* bytes)
{
    AbutFieldHeader header = *plan;
    header.stored_brick_count = stored;
    header.error_brick_count = stored; // of a dense field at most
    AbutResult result = abut_field_block_layout(&header);
    *bytes = header.total_bytes;
    return result;
}

static AbutResult min_bytes(const AbutFieldHeader* plan, uint64_t* bytes)
{
    AbutResult result = block_bytes(plan, plan->sparse != 0 ? 0 : (uint32_t)box_total(plan, 1, 0), bytes);
    *bytes += abut_bake_filling_bytes(plan);
    uint64_t choice = plan->sparse != 0 ? abut_bake_choice_bytes(plan) : 0;
    *bytes = *bytes > choice ? *bytes : choice;
    return result;
}

uint64_t abut_bake_min_bytes(const AbutFieldHeader* plan)
{
    uint64_t bytes = 0;
    return min_bytes(plan, &bytes) == ABUT_OK ? bytes : 0;
}

AbutResult abut_bake_check_plan(const AbutBakeDef* def, const AbutFieldHeader* plan, size_t source_bytes)
{
    uint64_t bytes = 0;
    AbutResult result = min_bytes(plan, &bytes);
    return result == ABUT_OK ? abut_bake_check_bytes(def, bytes, source_bytes) : result;
}

/// Bytes of the largest block that this grid can become: of a sparse field, with every brick stored that it
/// can have.
static AbutResult largest_block(const AbutFieldHeader* plan, uint64_t* bytes)
{
    uint64_t bricks = box_total(plan, 1, 0);
    uint32_t all = bricks < UINT32_MAX ? (uint32_t)bricks : UINT32_MAX;
    if (plan->sparse == 0 || block_bytes(plan, all, bytes) == ABUT_OK)
    {
        return block_bytes(plan, all, bytes);
    }
    uint32_t fits = 0, passes = all;
    while (passes - fits > 1)
    {
        uint32_t middle = fits + (passes - fits) / 2;
        *(block_bytes(plan, middle, bytes) == ABUT_OK ? &fits : &passes) = middle;
    }
    return block_bytes(plan, fits, bytes);
}

static AbutResult estimate(const AbutBakeDef* def, AbutBox bounds, size_t source_bytes, AbutBakeEstimate* out)
{
    AbutFieldHeader plan = { 0 };
    uint64_t bytes = 0;
    AbutResult result = abut_bake_check_def(def);
    result = result == ABUT_OK ? abut_bake_plan(def, bounds, &plan) : result;
    result = result == ABUT_OK ? largest_block(&plan, &bytes) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    uint64_t peak = bytes + abut_bake_filling_bytes(&plan);
    uint64_t choice = plan.sparse != 0 ? abut_bake_choice_bytes(&plan) : 0;
    *out = (AbutBakeEstimate){
        .cell_size = plan.cell_size,
        .field_bytes = (size_t)bytes,
        .peak_bytes = (size_t)(peak > choice ? peak : choice) + source_bytes,
        .cell_count = { plan.brick_count[0] * ABUT_BRICK_CELLS, plan.brick_count[1] * ABUT_BRICK_CELLS,
                        plan.brick_count[2] * ABUT_BRICK_CELLS },
    };
    return ABUT_OK;
}

AbutResult abut_bake_estimate(const AbutBakeDef* def, AbutBox bounds, AbutBakeEstimate* out)
{
    ABUT_FP_CALL(abut_bake_estimate, def, bounds, out);
    return estimate(def, bounds, 0, out);
}

AbutBox abut_bake_mesh_box(const AbutBakeDef* def, const AbutMesh* mesh)
{
    bool shell = def->sign == ABUT_BAKE_SIGN_SHELL;
    return abut_box_expand(abut_mesh_bounds(mesh), shell ? 0.5f * def->thickness : 0.0f);
}

size_t abut_bake_mesh_bytes(const AbutMesh* mesh, const AbutHost* host)
{
    uint32_t workers = host != NULL ? host->worker_count : abut_processor_count();
    return (size_t)mesh->triangle_count * TRIANGLE_BYTES + (size_t)workers * WORKER_BYTES;
}

AbutResult abut_bake_estimate_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutBakeEstimate* out)
{
    ABUT_FP_CALL(abut_bake_estimate_mesh, def, mesh, out);
    return estimate(def, abut_bake_mesh_box(def, mesh), abut_bake_mesh_bytes(mesh, def->host), out);
}
