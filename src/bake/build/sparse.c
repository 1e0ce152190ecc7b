// A sparse field: a coarse level with a node at every brick corner, and the bricks for which it is too
// inaccurate.
//
// A brick is stored when the surface may pass through it, or when the coarse level misses the distance at the
// nodes of a grid twice as fine by more than the error that the def allows there. Its nodes are shared with
// its neighbours: they are computed once, in blocks of 8³ that start at brick corners, and written to every
// stored brick that has them.
#include "bake/build/sparse.h"

#include "bake/build/node_fault.h"
#include "bake/build/plan.h"
#include "bake/build/reuse.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/tasks.h"
#include "field/nodes/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PROBE_STEP = 4,    // cells between probes
    PROBES = 3,        // along a brick
    PASS_BLOCKS = 1024 // blocks between two reports of progress
};

/// Cells from any point of a brick to the nearest probe: √3 · 2.
static const float PROBE_RADIUS = 3.4641017f;

typedef struct SparseBuild
{
    AbutBuild* build;
    AbutNodeGrid probe_grid;
    float* probes;
    uint32_t* slots;  // per brick
    uint32_t* blocks; // the corners of stored bricks, as numbers in the grid of corners
    uint32_t block_count;
    uint32_t first; // block of this pass
} SparseBuild;

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

// -----------------------------------------------------------------------------------------------------------
// Probes
// -----------------------------------------------------------------------------------------------------------

static void probe_block(void* context, uint32_t block, uint32_t worker)
{
    const SparseBuild* self = context;
    AbutBuild* build = self->build;
    uint32_t first[3];
    AbutNodeGrid subgrid = abut_node_block(&self->probe_grid, self->first + block, first);
    if (!abut_reuse_is_needed(build, &subgrid, PROBE_STEP))
    {
        return;
    }
    AbutNodeValues* values = abut_build_sample_distances(build, build->source, worker, &subgrid);
    if (values == NULL)
    {
        return;
    }
    abut_build_check_block(build, &subgrid, values->distance);
    for (uint32_t z = 0; z < subgrid.node_count[2]; ++z)
    {
        for (uint32_t y = 0; y < subgrid.node_count[1]; ++y)
        {
            size_t to = abut_node_index(&self->probe_grid, first[0], first[1] + y, first[2] + z);
            memcpy(self->probes + to, values->distance + abut_node_index(&subgrid, 0, y, z),
                   subgrid.node_count[0] * sizeof(float));
        }
    }
    abut_scratch_release(values);
}

/// Runs `block` over `total` blocks in passes, with progress from `from` to `to`.
static bool run_passes(SparseBuild* self, uint32_t total, AbutBlockFn* block, float from, float to)
{
    for (self->first = 0; self->first < total; self->first += PASS_BLOCKS)
    {
        uint32_t left = total - self->first;
        if (!abut_build_progress(self->build, from + (to - from) * (float)self->first / (float)total))
        {
            return false;
        }
        abut_parallel_for(&self->build->host, left < PASS_BLOCKS ? left : PASS_BLOCKS, block, self);
        if (!abut_build_check_nodes(self->build))
        {
            return false;
        }
    }
    return abut_build_record_result(self->build, ABUT_OK);
}

/// The probes of a brick, x fastest.
static void load_probes(const SparseBuild* self, uint32_t x, uint32_t y, uint32_t z,
                        float p[PROBES][PROBES][PROBES])
{
    for (uint32_t k = 0; k < PROBES; ++k)
    {
        for (uint32_t j = 0; j < PROBES; ++j)
        {
            memcpy(p[k][j], self->probes + abut_node_index(&self->probe_grid, 2 * x, 2 * y + j, 2 * z + k),
                   PROBES * sizeof(float));
        }
    }
}

static float coarse_value(float p[PROBES][PROBES][PROBES], int i, int j, int k)
{
    float sum = 0.0f;
    for (int corner = 0; corner < 8; ++corner)
    {
        const int c[3] = { (corner & 1) * 2, (corner >> 1 & 1) * 2, (corner >> 2) * 2 };
        float weight = (1.0f - 0.5f * (float)abs(i - c[0])) * (1.0f - 0.5f * (float)abs(j - c[1])) *
                       (1.0f - 0.5f * (float)abs(k - c[2]));
        sum += weight * p[c[2]][c[1]][c[0]];
    }
    return sum;
}

static bool needs_brick(const SparseBuild* self, uint32_t x, uint32_t y, uint32_t z)
{
    const AbutBuild* build = self->build;
    float cell = (float)build->header.cell_size;
    float p[PROBES][PROBES][PROBES];
    load_probes(self, x, y, z, p);
    for (int k = 0; k < PROBES; ++k)
    {
        for (int j = 0; j < PROBES; ++j)
        {
            for (int i = 0; i < PROBES; ++i)
            {
                float f = p[k][j][i];
                float allowed = build->def->sparse_error * cell + 0.125f * fabsf(f);
                if (!(fabsf(f) > PROBE_RADIUS * cell) || !(fabsf(f - coarse_value(p, i, j, k)) <= allowed))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

/// True when the nodes of the brick are unchanged.
static bool is_kept(const SparseBuild* self, uint32_t brick)
{
    const AbutReuse* reuse = self->build->reuse;
    return reuse != NULL && reuse->dirty[brick] == 0;
}

/// Keeps the probes at the middles of bricks.
static void keep_middles(SparseBuild* self)
{
    const AbutFieldHeader* h = &self->build->header;
    float* next = self->build->middles;
    for (uint32_t z = 0; z < h->brick_count[2]; ++z)
    {
        for (uint32_t y = 0; y < h->brick_count[1]; ++y)
        {
            for (uint32_t x = 0; x < h->brick_count[0]; ++x)
            {
                size_t probe = abut_node_index(&self->probe_grid, 2 * x + 1, 2 * y + 1, 2 * z + 1);
                *next++ = self->probes[probe] / (float)h->cell_size;
            }
        }
    }
}

static void choose_bricks(SparseBuild* self)
{
    AbutFieldHeader* h = &self->build->header;
    uint32_t brick = 0;
    h->stored_brick_count = 0;
    for (uint32_t z = 0; z < h->brick_count[2]; ++z)
    {
        for (uint32_t y = 0; y < h->brick_count[1]; ++y)
        {
            for (uint32_t x = 0; x < h->brick_count[0]; ++x, ++brick)
            {
                bool stored = is_kept(self, brick)
                                  ? abut_reuse_slots(self->build->reuse)[brick] != ABUT_FIELD_NO_SLOT
                                  : needs_brick(self, x, y, z);
                self->slots[brick] = stored ? h->stored_brick_count++ : ABUT_FIELD_NO_SLOT;
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Nodes of stored bricks
// -----------------------------------------------------------------------------------------------------------

static uint32_t slot_before(const SparseBuild* self, const uint32_t corner[3], int back)
{
    return abut_build_slot_before(self->build, self->slots, corner, back);
}

static void corner_position(const SparseBuild* self, uint32_t number, uint32_t corner[3])
{
    const AbutFieldHeader* h = &self->build->header;
    corner[0] = number % (h->brick_count[0] + 1);
    corner[1] = number / (h->brick_count[0] + 1) % (h->brick_count[1] + 1);
    corner[2] = number / (h->brick_count[0] + 1) / (h->brick_count[1] + 1);
}

/// Slot of the brick before a corner with nodes that are not sampled yet.
static uint32_t new_slot_before(const SparseBuild* self, const uint32_t corner[3], int back)
{
    const uint32_t* count = self->build->header.brick_count;
    uint32_t slot = slot_before(self, corner, back);
    if (slot == ABUT_FIELD_NO_SLOT)
    {
        return slot;
    }
    uint32_t x = corner[0] - (uint32_t)(back & 1), y = corner[1] - (uint32_t)(back >> 1 & 1),
             z = corner[2] - (uint32_t)(back >> 2);
    return is_kept(self, (z * count[1] + y) * count[0] + x) ? ABUT_FIELD_NO_SLOT : slot;
}

/// Lists the corners of stored bricks that are to be filled; counts only when self->blocks is NULL.
static void list_blocks(SparseBuild* self)
{
    const AbutFieldHeader* h = &self->build->header;
    uint32_t corners = (h->brick_count[0] + 1) * (h->brick_count[1] + 1) * (h->brick_count[2] + 1);
    self->block_count = 0;
    for (uint32_t number = 0; number < corners; ++number)
    {
        uint32_t corner[3];
        bool used = false;
        corner_position(self, number, corner);
        for (int back = 0; back < 8 && !used; ++back)
        {
            used = new_slot_before(self, corner, back) != ABUT_FIELD_NO_SLOT;
        }
        if (used && self->blocks != NULL)
        {
            self->blocks[self->block_count] = number;
        }
        self->block_count += used ? 1u : 0u;
    }
}

/// The nodes from a corner on that stored bricks have: all eight along an axis where a brick begins, one
/// where one ends.
static AbutNodeGrid block_grid(const SparseBuild* self, const uint32_t corner[3])
{
    AbutNodeGrid grid = abut_build_grid(self->build, 1);
    for (int axis = 0; axis < 3; ++axis)
    {
        grid.begin[axis] = corner[axis] * ABUT_BRICK_CELLS;
        grid.node_count[axis] = 1;
    }
    for (int back = 0; back < 8; ++back)
    {
        for (int axis = 0; axis < 3 && slot_before(self, corner, back) != ABUT_FIELD_NO_SLOT; ++axis)
        {
            if ((back >> axis & 1) == 0)
            {
                grid.node_count[axis] = ABUT_BRICK_CELLS;
            }
        }
    }
    return grid;
}

/// Writes to one brick the nodes of a block that it has, and counts nodes that were not counted before.
static void write_brick(const SparseBuild* self, AbutNodeValues* values, const AbutNodeGrid* grid,
                        uint32_t slot, int back)
{
    const AbutFieldHeader* h = &self->build->header;
    size_t fine_start = (size_t)(h->brick_count[0] + 1) * (h->brick_count[1] + 1) * (h->brick_count[2] + 1);
    size_t base = fine_start + (size_t)slot * ABUT_BRICK_NODE_TOTAL;
    uint32_t count[3], to[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        bool end = (back >> axis & 1) != 0; // the block begins where the brick ends
        count[axis] = end ? 1u : grid->node_count[axis];
        to[axis] = end ? (uint32_t)ABUT_BRICK_CELLS : 0u;
    }
    for (uint32_t z = 0; z < count[2]; ++z)
    {
        for (uint32_t y = 0; y < count[1]; ++y)
        {
            size_t node = base + ((to[2] + z) * ABUT_BRICK_NODES + to[1] + y) * ABUT_BRICK_NODES + to[0];
            size_t from = abut_node_index(grid, 0, y, z);
            abut_build_encode(self->build, values, from, count[0], h->cell_size, node);
            for (size_t i = from; i < from + count[0]; ++i)
            {
                abut_build_tally(self->build, values, i);
                values->origin[i] = 0;
            }
        }
    }
}

static void build_block(void* context, uint32_t block, uint32_t worker)
{
    const SparseBuild* self = context;
    AbutBuild* build = self->build;
    uint32_t corner[3];
    corner_position(self, self->blocks[self->first + block], corner);
    AbutNodeGrid grid = block_grid(self, corner);
    AbutNodeValues* values = abut_build_sample(build, worker, &grid);
    if (values == NULL)
    {
        return;
    }
    for (int back = 0; back < 8; ++back)
    {
        uint32_t slot = slot_before(self, corner, back);
        if (slot != ABUT_FIELD_NO_SLOT)
        {
            write_brick(self, values, &grid, slot, back);
        }
    }
    abut_scratch_release(values);
}

static void coarse_block(void* context, uint32_t block, uint32_t worker)
{
    const SparseBuild* self = context;
    AbutNodeGrid grid = abut_build_grid(self->build, ABUT_BRICK_CELLS);
    uint32_t first[3];
    AbutNodeGrid subgrid = abut_node_block(&grid, self->first + block, first);
    if (abut_reuse_is_dirty(self->build, &subgrid, ABUT_BRICK_CELLS))
    {
        abut_build_node_block(self->build, &grid, self->first + block, worker);
    }
}

/// Copies the coarse level and the unchanged stored bricks.
static void copy_kept(const SparseBuild* self)
{
    const AbutBuild* build = self->build;
    const AbutFieldHeader* h = &build->header;
    size_t node_bytes = abut_field_node_bytes((AbutFieldFormat)h->format);
    size_t coarse = (size_t)(h->brick_count[0] + 1) * (h->brick_count[1] + 1) * (h->brick_count[2] + 1);
    const char* from = abut_reuse_nodes(build->reuse);
    char* to = abut_field_section(build->block, ABUT_FIELD_NODES);
    memcpy(to, from, coarse * node_bytes);
    for (uint32_t brick = 0; brick < brick_total(h); ++brick)
    {
        if (is_kept(self, brick) && self->slots[brick] != ABUT_FIELD_NO_SLOT)
        {
            size_t old_slot = abut_reuse_slots(build->reuse)[brick];
            memcpy(to + (coarse + (size_t)self->slots[brick] * ABUT_BRICK_NODE_TOTAL) * node_bytes,
                   from + (coarse + old_slot * ABUT_BRICK_NODE_TOTAL) * node_bytes,
                   ABUT_BRICK_NODE_TOTAL * node_bytes);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// The steps
// -----------------------------------------------------------------------------------------------------------

static AbutResult choose(SparseBuild* self)
{
    AbutHost* host = &self->build->host;
    self->probe_grid = abut_build_grid(self->build, PROBE_STEP);
    size_t count = abut_node_total(&self->probe_grid);
    self->probes = abut_memory_allocate_zero(host, count, sizeof(float));
    if (self->probes == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    if (run_passes(self, abut_node_block_count(&self->probe_grid), probe_block, 0.0f, 0.3f))
    {
        choose_bricks(self);
        keep_middles(self);
    }
    abut_memory_free(host, self->probes, count, sizeof(float));
    return (AbutResult)atomic_load(&self->build->result);
}

static AbutResult fill(SparseBuild* self)
{
    AbutBuild* build = self->build;
    AbutFieldHeader plan = build->header;
    AbutResult result = abut_field_block_layout(&plan);
    uint64_t bytes = plan.total_bytes + abut_bake_filling_bytes(&plan);
    result = result == ABUT_OK ? abut_bake_check_bytes(build->def, bytes, build->source_bytes) : result;
    result = result == ABUT_OK ? abut_build_allocate(build) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    memcpy(abut_field_section(build->block, ABUT_FIELD_SLOTS), self->slots,
           brick_total(&build->header) * sizeof(uint32_t));
    if (build->reuse != NULL)
    {
        copy_kept(self);
    }
    list_blocks(self);
    uint32_t count = self->block_count;
    self->blocks = abut_memory_allocate(&build->host, count, sizeof(uint32_t));
    if (self->blocks == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    list_blocks(self);
    AbutNodeGrid coarse = abut_build_grid(build, ABUT_BRICK_CELLS);
    if (run_passes(self, abut_node_block_count(&coarse), coarse_block, 0.3f, 0.35f))
    {
        run_passes(self, self->block_count, build_block, 0.35f, 0.95f);
    }
    abut_memory_free(&build->host, self->blocks, count, sizeof(uint32_t));
    return (AbutResult)atomic_load(&build->result);
}

AbutResult abut_build_sparse(AbutBuild* build)
{
    SparseBuild self = { .build = build };
    uint32_t bricks = brick_total(&build->header);
    build->middles = abut_memory_allocate_zero(&build->host, bricks, sizeof(float));
    self.slots = abut_memory_allocate(&build->host, bricks, sizeof(uint32_t));
    if (self.slots == NULL || build->middles == NULL)
    {
        abut_memory_free(&build->host, self.slots, bricks, sizeof(uint32_t));
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = choose(&self);
    result = result == ABUT_OK ? fill(&self) : result;
    abut_memory_free(&build->host, self.slots, bricks, sizeof(uint32_t));
    return result;
}
