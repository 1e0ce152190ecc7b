// A field from distances that were computed elsewhere.
#include "bake/bake.h"
#include "bake/build/plan.h"
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"

#include <math.h>

AbutBakeValuesDef abut_bake_values_def(void)
{
    return (AbutBakeValuesDef){ .error = INFINITY };
}

static double value_at(const AbutBakeValuesDef* def, const uint32_t at[3])
{
    size_t row = def->node_count[0], slab = row * def->node_count[1];
    return def->values[at[2] * slab + at[1] * row + at[0]];
}

/// The cell that holds a coordinate, in cells, and the position in it; the nearest cell for one outside.
typedef struct CellPosition
{
    uint32_t low;
    double fraction;
    double outside; // distance from the grid
} CellPosition;

static CellPosition locate(double position, uint32_t node_count)
{
    ABUT_ASSERT(node_count >= 2);
    double most = (double)(node_count - 1);
    double inside = fmin(fmax(position, 0.0), most);
    uint32_t low = (uint32_t)fmin(floor(inside), most - 1.0);
    return (CellPosition){ low, inside - low, position - inside };
}

static double weight_of(const CellPosition* at, uint32_t step)
{
    return step != 0 ? at->fraction : 1.0 - at->fraction;
}

/// The blend of the values around a position in cells; outside of the grid the distance that a field gives.
static double blend(const AbutBakeValuesDef* def, AbutDVec3 position)
{
    CellPosition x = locate(position.x, def->node_count[0]), y = locate(position.y, def->node_count[1]),
                 z = locate(position.z, def->node_count[2]);
    double sum = 0.0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t step[3] = { corner & 1u, corner >> 1 & 1u, corner >> 2 };
        const uint32_t at[3] = { x.low + step[0], y.low + step[1], z.low + step[2] };
        double weight = weight_of(&x, step[0]) * weight_of(&y, step[1]) * weight_of(&z, step[2]);
        sum += weight > 0.0 ? weight * value_at(def, at) : 0.0;
    }
    double outside = abut_dvec3_length(abut_dvec3(x.outside, y.outside, z.outside)) * def->cell_size;
    return outside == 0.0 ? sum : sum >= 0.0 ? sqrt(outside * outside + sum * sum) : sum + outside;
}

static AbutResult sample_values(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                                AbutNodeValues* out)
{
    (void)worker;
    (void)gradient; // fields of values are of order 0
    const AbutBakeValuesDef* def = context;
    AbutDVec3 offset =
        abut_dvec3_sub(abut_dvec3_from_array(block->origin), abut_dvec3_from_position(def->origin));
    AbutDVec3 first = abut_dvec3_div(offset, def->cell_size);
    double step = block->cell_size / def->cell_size;
    size_t i = 0;
    for (uint32_t z = 0; z < block->node_count[2]; ++z)
    {
        for (uint32_t y = 0; y < block->node_count[1]; ++y)
        {
            for (uint32_t x = 0; x < block->node_count[0]; ++x, ++i)
            {
                AbutDVec3 node = abut_dvec3(block->begin[0] + x, block->begin[1] + y, block->begin[2] + z);
                out->distance[i] = (float)blend(def, abut_dvec3_mul_add(first, step, node));
                out->origin[i] = 0;
            }
        }
    }
    return ABUT_OK;
}

static AbutResult check_grid(const AbutBakeValuesDef* def)
{
    bool finite = isfinite(def->origin.x) && isfinite(def->origin.y) && isfinite(def->origin.z);
    if (!finite || !(def->cell_size > 0.0) || !isfinite(def->cell_size) || !(def->error >= 0.0f))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "values: origin and cell size must be finite, the cell size over 0, the error at least 0");
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double end = def->cell_size * (double)def->node_count[axis];
        if (def->node_count[axis] < 2 || !(end <= 1e30))
        {
            return abut_fail(
                ABUT_INVALID_ARGUMENT,
                "values: %u nodes along %c, %g apart; it takes at least 2, and less than 1e30 in all",
                def->node_count[axis], "xyz"[axis], def -> cell_size);
        }
    }
    return ABUT_OK;
}

static AbutResult check_values(const AbutBakeValuesDef* def)
{
    size_t total = (size_t)def->node_count[0] * def->node_count[1] * def->node_count[2];
    for (size_t i = 0; i < total; ++i)
    {
        if (!isfinite(def->values[i]))
        {
            return abut_fail(ABUT_INVALID_DATA, "values: number %zu is %g; distances are finite", i,
                             (double)def->values[i]);
        }
    }
    return ABUT_OK;
}

static void plan_grid(const AbutBakeValuesDef* def, AbutFieldHeader* header)
{
    abut_dvec3_to_array(abut_dvec3_from_position(def->origin), header->origin);
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t cells = def->node_count[axis] - 1;
        header->brick_count[axis] = cells / ABUT_BRICK_CELLS + (cells % ABUT_BRICK_CELLS != 0 ? 1u : 0u);
        header->solid[axis] = -INFINITY; // the solid may fill the grid
        header->solid[axis + 3] = INFINITY;
    }
    header->has_octree = 1;
    header->exact = isfinite(def->error) ? 1u : 0u;
    header->cell_size = def->cell_size;
    header->format = ABUT_FIELD_F32;
}

AbutResult abut_bake_values(const AbutBakeValuesDef* def, AbutShape** out)
{
    ABUT_FP_CALL(abut_bake_values, def, out);
    *out = NULL;
    AbutResult result = check_grid(def);
    AbutBakeDef bake = abut_bake_def();
    bake.memory_limit = def->memory_limit;
    AbutBuild build = { .def = &bake, .host = abut_host_resolve(def->host) };
    // Between values without a proved error the distance is unknown.
    build.slope = isfinite(def->error) ? 1.0 : INFINITY;
    build.node_error = isfinite(def->error) ? (double)def->error : 0.0;
    AbutNodeSource source = { .context = (void*)(uintptr_t)def,
                              .sample = sample_values,
                              .is_continuous = true };
    build.source = &source;
    if (result == ABUT_OK)
    {
        plan_grid(def, &build.header);
        result = abut_bake_check_plan(&bake, &build.header, 0);
    }
    result = result == ABUT_OK ? check_values(def) : result;
    result = result == ABUT_OK ? abut_build_fill(&build) : result;
    // Against the blend of the values the error is zero, and the true distance is unknown.
    build.header.measured_max = INFINITY;
    build.header.measured_rms = INFINITY;
    build.header.error_bound = isfinite(def->error) ? build.header.error_bound : INFINITY;
    return abut_build_finish(&build, result, out);
}
