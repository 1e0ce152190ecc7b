// Errors of cells: each cell near the surface is compared with nodes up to eight cells away (see
// field/nodes/kernels.h).
#include "bake/build/cell_errors.h"

#include "bake/build/reuse.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/tasks.h"
#include "field/nodes/brick_nodes.h"
#include "field/nodes/kernels.h"

#include <math.h>
#include <string.h>

/// A point within a cell of the surface has a node within this of it, in cells.
static const float NEAR_SURFACE = 1.8660254f;

/// Errors under this are not improved further, in cells.
static const float ENOUGH = 0.0625f;

typedef struct ErrorBuild
{
    AbutBuild* build;
    float* largest; // per brick, in cells: the largest error near the surface
} ErrorBuild;

/// The nodes that bound one brick.
typedef struct BrickWork
{
    AbutBrickNodes nodes;
    float cube[ABUT_CUBE_TOTAL];
    float slope;
    bool first_order;
    float slack; // errors of the nodes, and of sums in float
} BrickWork;

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

// -----------------------------------------------------------------------------------------------------------
// One cell
// -----------------------------------------------------------------------------------------------------------

/// The blend in a cell: B + ½ C, with B trilinear and C = Σ over axes of t (1 − t) · (bilinear in the other
/// two), which is 0 at the corners.
typedef struct CellBlend
{
    float value[8];        // at the corners
    float gradient_change; // Σ over axes of the largest difference of gradients along an edge
    bool thin;
} CellBlend;

static CellBlend load_cell(const BrickWork* work, const uint32_t cell[3])
{
    const AbutBrickNodes* nodes = &work->nodes;
    const size_t step[3] = { 1, ABUT_BRICK_NODES, (size_t)ABUT_BRICK_NODES * ABUT_BRICK_NODES };
    size_t first = cell[0] + cell[1] * step[1] + cell[2] * step[2], at[8];
    CellBlend blend = { .gradient_change = 0.0f };
    for (int corner = 0; corner < 8; ++corner)
    {
        at[corner] =
            first + (corner & 1 ? step[0] : 0) + (corner & 2 ? step[1] : 0) + (corner & 4 ? step[2] : 0);
        blend.value[corner] = nodes->value[at[corner]];
        blend.thin = blend.thin || nodes->thin[at[corner]];
    }
    for (int axis = 0; axis < 3 && work->first_order; ++axis)
    {
        float most = 0.0f;
        for (int edge = 0; edge < 4; ++edge)
        {
            // The edge's lower corner: bits of the other two axes, 0 at this one.
            int low = (edge & 1) << ((axis + 1) % 3) | (edge >> 1) << ((axis + 2) % 3);
            float difference = nodes->gradient[axis][at[low]] - nodes->gradient[axis][at[low | 1 << axis]];
            most = fmaxf(most, fabsf(difference));
        }
        blend.gradient_change += most;
    }
    return blend;
}

static void blend_direction(const CellBlend* blend, float direction[3])
{
    const float* v = blend->value;
    float x = v[1] + v[3] + v[5] + v[7] - v[0] - v[2] - v[4] - v[6];
    float y = v[2] + v[3] + v[6] + v[7] - v[0] - v[1] - v[4] - v[5];
    float z = v[4] + v[5] + v[6] + v[7] - v[0] - v[1] - v[2] - v[3];
    float length = sqrtf(x * x + y * y + z * z);
    float scale = length > 0.0f ? 1.0f / length : 0.0f;
    direction[0] = x * scale;
    direction[1] = y * scale;
    direction[2] = z * scale;
}

static float cell_error(const BrickWork* work, const uint32_t cell[3])
{
    CellBlend blend = load_cell(work, cell);
    AbutBlendBox box = { .low = { (float)(cell[0] + ABUT_CUBE_MARGIN), (float)(cell[1] + ABUT_CUBE_MARGIN),
                                  (float)(cell[2] + ABUT_CUBE_MARGIN) },
                         .size = 1.0f };
    memcpy(box.value, blend.value, sizeof(box.value));
    blend_direction(&blend, box.direction);
    AbutBlendExcess excess = abut_node_kernels()->blend_excess(work->cube, work->slope, &box, ENOUGH);
    // t (1 − t) is at most ¼, so much is the blend of corners off; thin nodes take up to the whole of C
    // instead of half.
    return fmaxf(excess.above, excess.below) + 0.25f * blend.gradient_change * (blend.thin ? 1.0f : 0.5f);
}

// -----------------------------------------------------------------------------------------------------------
// One brick
// -----------------------------------------------------------------------------------------------------------

/// Least size of the nodes of a box of cells.
static float least_size(const AbutBrickNodes* nodes, const uint32_t low[3], uint32_t cells)
{
    float least = INFINITY;
    for (uint32_t z = low[2]; z <= low[2] + cells; ++z)
    {
        for (uint32_t y = low[1]; y <= low[1] + cells; ++y)
        {
            for (uint32_t x = low[0]; x <= low[0] + cells; ++x)
            {
                float size = fabsf(nodes->value[(z * ABUT_BRICK_NODES + y) * ABUT_BRICK_NODES + x]);
                least = size < least ? size : least;
            }
        }
    }
    return least;
}

/// The largest error of 2³ cells, or infinity for cells away from the surface.
static float group_error(const BrickWork* work, const uint32_t low[3])
{
    if (!(least_size(&work->nodes, low, 2) <= NEAR_SURFACE))
    {
        return INFINITY;
    }
    float largest = 0.0f;
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t cell[3] = { low[0] + (i & 1), low[1] + (i >> 1 & 1), low[2] + (i >> 2) };
        largest = fmaxf(largest, cell_error(work, cell));
    }
    return largest + work->slack;
}

static void load_work(void* block, uint32_t brick, BrickWork* work)
{
    const AbutFieldHeader* h = block;
    float largest =
        abut_field_load_cube(block, brick, !abut_field_is_certain_around(block, brick), work->cube);
    work->slope = h->source_slope;
    work->first_order = h->format == ABUT_FIELD_FIRST_ORDER;
    // Once for the nodes that bound, once for how the blend is sampled; the sums here are of a few dozen
    // cells.
    double node_error = (double)h->node_error / h->cell_size;
    work->slack =
        (float)((abut_field_value_error(h, (double)largest, h->cell_size) + node_error) * (1.0 + 1e-6) +
                1e-6 * (double)(largest + ABUT_CUBE_SIDE));
}

/// The error bound of a code, in cells.
static float proved_error(const ErrorBuild* self, const AbutFieldBounds* bounds, uint32_t code)
{
    float whole = (float)((double)bounds->error / self->build->header.cell_size * (1.0 + 1e-6));
    return code < ABUT_ERROR_LEVELS ? fminf(abut_field_error_levels[code], whole) : whole;
}

/// Takes the codes of the earlier field.
static void copy_brick(const ErrorBuild* self, uint32_t brick, uint8_t* codes)
{
    void* block = self->build->block;
    AbutFieldBounds bounds = abut_field_brick_bounds(block, brick);
    AbutBrickNodes nodes;
    memcpy(codes, abut_reuse_cell_errors(self->build->reuse, brick), ABUT_CELL_ERROR_BYTES);
    abut_field_load_values(block, brick, &nodes);
    for (uint32_t group = 0; group < 64; ++group)
    {
        const uint32_t low[3] = { group % 4 * 2, group / 4 % 4 * 2, group / 16 * 2 };
        uint32_t code = group % 2 == 0 ? codes[group / 2] & 0x0Fu : (uint32_t)codes[group / 2] >> 4;
        if (least_size(&nodes, low, 2) <= NEAR_SURFACE)
        {
            self->largest[brick] = fmaxf(self->largest[brick], proved_error(self, &bounds, code));
        }
    }
}

/// Fills the codes of a brick at the surface with "nothing is proved".
static void measure_errors(const ErrorBuild* self, uint32_t brick, BrickWork* work, uint8_t* codes)
{
    void* block = self->build->block;
    AbutFieldBounds bounds = abut_field_brick_bounds(block, brick);
    const uint32_t all[3] = { 0, 0, 0 };
    abut_field_load_brick(block, brick, &work->nodes);
    bool is_near = least_size(&work->nodes, all, ABUT_BRICK_CELLS) <= NEAR_SURFACE;
    if (!is_near || isinf(bounds.error))
    {
        // Where the sign is uncertain close to the surface, nothing is proved.
        self->largest[brick] = is_near ? INFINITY : 0.0f;
        return;
    }
    load_work(block, brick, work);
    for (uint32_t group = 0; group < 64; ++group)
    {
        const uint32_t low[3] = { group % 4 * 2, group / 4 % 4 * 2, group / 16 * 2 };
        float error = group_error(work, low);
        uint32_t code = abut_field_error_code(error);
        codes[group / 2] = (uint8_t)(group % 2 == 0 ? (codes[group / 2] & 0xF0u) | code
                                                    : (codes[group / 2] & 0x0Fu) | code << 4);
        if (isfinite(error))
        {
            self->largest[brick] = fmaxf(self->largest[brick], proved_error(self, &bounds, code));
        }
    }
}

static void fill_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const ErrorBuild* self = context;
    void* block = self->build->block;
    uint32_t slot = ((const uint32_t*)abut_field_section(block, ABUT_FIELD_SLOTS))[brick];
    if (slot == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    uint8_t* codes =
        (uint8_t*)abut_field_section(block, ABUT_FIELD_CELL_ERRORS) + (size_t)slot * ABUT_CELL_ERROR_BYTES;
    if (abut_reuse_is_unchanged(self->build, brick))
    {
        copy_brick(self, brick, codes);
        return;
    }
    memset(codes, 0xFF, ABUT_CELL_ERROR_BYTES);
    BrickWork* work = abut_scratch_acquire(sizeof(*work));
    if (work == NULL)
    {
        abut_build_record_result(self->build, ABUT_OUT_OF_MEMORY);
        return;
    }
    measure_errors(self, brick, work, codes);
    abut_scratch_release(work);
}

// -----------------------------------------------------------------------------------------------------------
// All bricks
// -----------------------------------------------------------------------------------------------------------

/// Marks the bricks of a dense field that are near the surface.
static void mark_brick(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const AbutBuild* build = context;
    uint32_t* slots = abut_field_section(build->block, ABUT_FIELD_SLOTS);
    if (abut_reuse_is_unchanged(build, brick))
    {
        slots[brick] = abut_reuse_slots(build->reuse)[brick];
        return;
    }
    AbutBrickNodes nodes;
    const uint32_t all[3] = { 0, 0, 0 };
    abut_field_load_values(build->block, brick, &nodes);
    slots[brick] = least_size(&nodes, all, ABUT_BRICK_CELLS) <= NEAR_SURFACE ? 0 : ABUT_FIELD_NO_SLOT;
}

/// Numbers the marked bricks and reduces the layout to them.
static void number_bricks(AbutBuild* build)
{
    AbutFieldHeader* h = &build->header;
    uint32_t* slots = abut_field_section(build->block, ABUT_FIELD_SLOTS);
    h->error_brick_count = 0;
    for (uint32_t i = 0; i < brick_total(h); ++i)
    {
        slots[i] = slots[i] != ABUT_FIELD_NO_SLOT ? h->error_brick_count++ : ABUT_FIELD_NO_SLOT;
    }
    abut_build_record_result(build, abut_field_block_layout(h));
    memcpy(build->block, h, sizeof(*h));
}

void abut_build_cell_errors(AbutBuild* build)
{
    AbutFieldHeader* h = &build->header;
    if (h->sparse == 0)
    {
        abut_parallel_for(&build->host, brick_total(h), mark_brick, build);
        number_bricks(build);
    }
    ErrorBuild self = { build, abut_memory_allocate_zero(&build->host, brick_total(h), sizeof(float)) };
    if (self.largest == NULL)
    {
        abut_build_record_result(build, ABUT_OUT_OF_MEMORY);
        return;
    }
    abut_parallel_for(&build->host, brick_total(h), fill_brick, &self);
    float largest = 0.0f;
    for (uint32_t i = 0; i < brick_total(h); ++i)
    {
        largest = fmaxf(largest, self.largest[i]);
    }
    h->error_bound = (float)((double)largest * h->cell_size * (1.0 + 1e-6));
    abut_memory_free(&build->host, self.largest, brick_total(h), sizeof(float));
}
