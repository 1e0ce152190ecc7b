#include "bake/build/build.h"

#include "bake/build/node_fault.h"
#include "bake/sign/sign.h"
#include "base/assert.h"

#include "base/memory.h"
#include "base/scratch.h"
#include "field/nodes/kernels.h"
#include "field/nodes/node.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

AbutNodeGrid abut_build_grid(const AbutBuild* build, uint32_t step)
{
    ABUT_ASSERT(step == 1 || step == 4 || step == 8);
    const AbutFieldHeader* h = &build->header;
    return (AbutNodeGrid){
        .origin = { h->origin[0], h->origin[1], h->origin[2] },
        .cell_size = h->cell_size * step,
        .node_count = { h->brick_count[0] * ABUT_BRICK_CELLS / step + 1,
                        h->brick_count[1] * ABUT_BRICK_CELLS / step + 1,
                        h->brick_count[2] * ABUT_BRICK_CELLS / step + 1 },
    };
}

bool abut_build_record_result(AbutBuild* build, AbutResult result)
{
    int none = ABUT_OK;
    if (result != ABUT_OK)
    {
        atomic_compare_exchange_strong(&build->result, &none, (int)result);
    }
    return atomic_load(&build->result) == ABUT_OK;
}

bool abut_build_progress(AbutBuild* build, float done)
{
    const AbutBakeDef* def = build->def;
    if (def->progress != NULL && !def->progress(def->progress_user, done))
    {
        abut_build_record_result(build, abut_fail(ABUT_CANCELLED, "the bake was cancelled"));
    }
    return atomic_load(&build->result) == ABUT_OK;
}

AbutResult abut_build_allocate(AbutBuild* build)
{
    ABUT_ASSERT(build->block == NULL);
    // How many bricks of a dense field are near the surface is known when its nodes are.
    AbutFieldHeader* h = &build->header;
    h->error_brick_count =
        h->sparse != 0 ? h->stored_brick_count : h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
    h->source_slope = (float)build->slope;
    h->node_error = abut_round_up(build->node_error);
    AbutResult result = abut_field_block_layout(h);
    if (result != ABUT_OK)
    {
        return result;
    }
    build->block_bytes = (size_t)h->total_bytes;
    build->block = abut_memory_allocate_zero(&build->host, 1, build->block_bytes);
    if (build->block == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(build->block, &build->header, sizeof(build->header));
    return ABUT_OK;
}

/// Sizes under it are 0, in cells: GPUs may flush differences of such numbers.
#define LEAST_CELLS 0x1p-60f

static void encode_lengths(const float* values, size_t count, float least, float* out)
{
    for (size_t i = 0; i < count; ++i)
    {
        out[i] = fabsf(values[i]) < least ? 0.0f : values[i];
    }
}

/// Values in units of a cell as halves.
static void encode_halves(const float* values, size_t count, float unit, uint16_t* out)
{
    float scaled[ABUT_NODE_BLOCK];
    for (size_t begin = 0; begin < count; begin += ABUT_NODE_BLOCK)
    {
        size_t n = count - begin < ABUT_NODE_BLOCK ? count - begin : ABUT_NODE_BLOCK;
        for (size_t i = 0; i < n; ++i)
        {
            scaled[i] = values[begin + i] / unit;
        }
        abut_node_kernels()->float_to_half(scaled, n, out + begin);
    }
}

static void encode_first_order(const AbutNodeValues* values, size_t first, size_t count, float unit,
                               uint32_t* words)
{
    for (size_t i = first; i < first + count; ++i, words += 2)
    {
        const float gradient[3] = { values->gradient[0][i], values->gradient[1][i], values->gradient[2][i] };
        abut_field_encode_first_order(values->distance[i] / unit, gradient, words);
    }
}

void abut_build_encode(const AbutBuild* build, const AbutNodeValues* values, size_t first, size_t count,
                       double cell_size, size_t node)
{
    ABUT_ASSERT(first + count <= ABUT_NODE_BLOCK_TOTAL);
    void* nodes = abut_field_section(build->block, ABUT_FIELD_NODES);
    const float* distance = values->distance + first;
    float unit = (float)cell_size;
    switch ((AbutFieldFormat)build->header.format)
    {
    case ABUT_FIELD_F32:
        encode_lengths(distance, count, LEAST_CELLS * unit, (float*)nodes + node);
        break;
    case ABUT_FIELD_F16:
        encode_halves(distance, count, unit, (uint16_t*)nodes + node);
        break;
    default:
        encode_first_order(values, first, count, unit, (uint32_t*)nodes + 2 * node);
        break;
    }
}

void abut_build_tally(AbutBuild* build, const AbutNodeValues* values, size_t i)
{
    ABUT_ASSERT(i < ABUT_NODE_BLOCK_TOTAL);
    if (values->origin[i] != 0)
    {
        atomic_fetch_add_explicit(&build->tally, 1, memory_order_relaxed);
    }
}

uint32_t abut_build_slot_before(const AbutBuild* build, const uint32_t* slots, const uint32_t corner[3],
                                int back)
{
    const AbutFieldHeader* h = &build->header;
    uint32_t position[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t step = (uint32_t)(back >> axis & 1);
        if (corner[axis] < step || corner[axis] - step >= h->brick_count[axis])
        {
            return ABUT_FIELD_NO_SLOT;
        }
        position[axis] = corner[axis] - step;
    }
    return slots[abut_brick_number(h->brick_count, position)];
}

/// True for a node of the coarse level that a stored brick has too.
static bool is_kept_finer(const AbutBuild* build, const uint32_t corner[3])
{
    const uint32_t* slots = abut_field_section(build->block, ABUT_FIELD_SLOTS);
    bool kept = false;
    for (int back = 0; back < 8; ++back)
    {
        kept = kept || abut_build_slot_before(build, slots, corner, back) != ABUT_FIELD_NO_SLOT;
    }
    return kept;
}

static void tally_block(AbutBuild* build, const AbutNodeGrid* subgrid, const uint32_t first[3],
                        const AbutNodeValues* values)
{
    bool coarse = build->header.sparse != 0;
    for (size_t i = 0; i < abut_node_total(subgrid); ++i)
    {
        const uint32_t node[3] = {
            first[0] + (uint32_t)(i % subgrid->node_count[0]),
            first[1] + (uint32_t)(i / subgrid->node_count[0] % subgrid->node_count[1]),
            first[2] + (uint32_t)(i / subgrid->node_count[0] / subgrid->node_count[1]),
        };
        if (values->origin[i] != 0 && !(coarse && is_kept_finer(build, node)))
        {
            abut_build_tally(build, values, i);
        }
    }
}

static AbutNodeValues* sample(AbutBuild* build, const AbutNodeSource* source, uint32_t worker,
                              const AbutNodeGrid* grid, bool gradient)
{
    AbutNodeValues* values =
        abut_build_record_result(build, ABUT_OK) ? abut_scratch_acquire(sizeof(*values)) : NULL;
    AbutResult result =
        values != NULL ? source->sample(source->context, worker, grid, gradient, values) : ABUT_OUT_OF_MEMORY;
    if (!abut_build_record_result(build, result))
    {
        abut_scratch_release(values);
        return NULL;
    }
    return values;
}

AbutNodeValues* abut_build_sample(AbutBuild* build, uint32_t worker, const AbutNodeGrid* grid)
{
    AbutNodeValues* values =
        sample(build, build->source, worker, grid, build->header.format == ABUT_FIELD_FIRST_ORDER);
    if (values != NULL)
    {
        abut_build_check_block(build, grid, values->distance);
    }
    return values;
}

AbutNodeValues* abut_build_sample_distances(AbutBuild* build, const AbutNodeSource* source, uint32_t worker,
                                            const AbutNodeGrid* grid)
{
    return sample(build, source, worker, grid, false);
}

void abut_build_node_block(AbutBuild* build, const AbutNodeGrid* grid, uint32_t block, uint32_t worker)
{
    uint32_t first[3];
    AbutNodeGrid subgrid = abut_node_block(grid, block, first);
    AbutNodeValues* values = abut_build_sample(build, worker, &subgrid);
    if (values == NULL)
    {
        return;
    }
    tally_block(build, &subgrid, first, values);
    for (uint32_t z = 0; z < subgrid.node_count[2]; ++z)
    {
        for (uint32_t y = 0; y < subgrid.node_count[1]; ++y)
        {
            abut_build_encode(build, values, abut_node_index(&subgrid, 0, y, z), subgrid.node_count[0],
                              grid->cell_size, abut_node_index(grid, first[0], first[1] + y, first[2] + z));
        }
    }
    abut_scratch_release(values);
}
