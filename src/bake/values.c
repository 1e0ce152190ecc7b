// A field from distances that were computed elsewhere.
#include "bake/build/build.h"
#include "bake/build/plan.h"
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

/// The blend of the values around a place given in cells, or what a field answers outside of its box.
static double blend(const AbutBakeValuesDef* def, const double position[3])
{
    uint32_t low[3];
    double fraction[3], squared = 0.0, sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double most = (double)(def->node_count[axis] - 1);
        double inside = fmin(fmax(position[axis], 0.0), most);
        low[axis] = (uint32_t)fmin(floor(inside), most - 1.0);
        fraction[axis] = inside - low[axis];
        squared += (position[axis] - inside) * (position[axis] - inside);
    }
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t step[3] = { corner & 1u, corner >> 1 & 1u, corner >> 2 };
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            weight *= step[axis] != 0 ? fraction[axis] : 1.0 - fraction[axis];
        }
        const uint32_t at[3] = { low[0] + step[0], low[1] + step[1], low[2] + step[2] };
        sum += weight > 0.0 ? weight * value_at(def, at) : 0.0;
    }
    double outside = sqrt(squared) * def->cell_size;
    return outside == 0.0 ? sum : sum >= 0.0 ? sqrt(outside * outside + sum * sum) : sum + outside;
}

static AbutResult sample_values(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                                AbutNodeValues* out)
{
    (void)worker;
    (void)gradient; // fields of values are of order 0
    const AbutBakeValuesDef* def = context;
    const double origin[3] = { def->origin.x, def->origin.y, def->origin.z };
    double first[3], step = block->cell_size / def->cell_size;
    for (int axis = 0; axis < 3; ++axis)
    {
        first[axis] = (block->origin[axis] - origin[axis]) / def->cell_size;
    }
    size_t i = 0;
    for (uint32_t z = 0; z < block->node_count[2]; ++z)
    {
        for (uint32_t y = 0; y < block->node_count[1]; ++y)
        {
            for (uint32_t x = 0; x < block->node_count[0]; ++x, ++i)
            {
                const double position[3] = { first[0] + step * (block->begin[0] + x),
                                             first[1] + step * (block->begin[1] + y),
                                             first[2] + step * (block->begin[2] + z) };
                out->distance[i] = (float)blend(def, position);
                out->origin[i] = 0;
            }
        }
    }
    return ABUT_OK;
}

static AbutResult check_grid(const AbutBakeValuesDef* def)
{
    bool finite = isfinite(def->origin.x) && isfinite(def->origin.y) && isfinite(def->origin.z);
    if (!finite || !(def->cell_size > 0.0) || !isfinite(def->cell_size) || !(def->error > 0.0f))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "values: origin and cell size must be finite, cell size and error over 0; start from "
            "abut_bake_values_def()");
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
    const double origin[3] = { def->origin.x, def->origin.y, def->origin.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t cells = def->node_count[axis] - 1;
        header->brick_count[axis] = cells / ABUT_BRICK_CELLS + (cells % ABUT_BRICK_CELLS != 0 ? 1u : 0u);
        header->origin[axis] = origin[axis];
        header->solid[axis] = -INFINITY; // as far as the grid goes
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
    // Nothing is known of what lies between values of which nothing is proved.
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
    // Against the blend of the values themselves there is no error, and the truth is not known.
    build.header.measured_max = INFINITY;
    build.header.measured_rms = INFINITY;
    build.header.error_bound = isfinite(def->error) ? build.header.error_bound : INFINITY;
    return abut_build_finish(&build, result, out);
}
