// Dual octree traversals on a device, chunk by chunk of pairs.
#include "gpu/pairs/traverse.h"

#include "base/memory.h"
#include "gpu/fields.h"
#include "gpu/launch.h"
#include "gpu/memory.h"

#include <stddef.h>

enum
{
    CHUNK_PAIRS = 4096,
    FIRST_BOXES = 1 << 15, // capacities of a chunk
    FIRST_LEAVES = 1 << 14,
    MOST_BOXES = 8 * 65535, // a launch has at most 65,535 groups
    MOST_LEAVES = 1 << 20
};

#define MOST_BYTES (UINT64_C(512) << 20) // of all results; further pairs are left to the processor

_Static_assert(sizeof(GpuOctreeRecord) == sizeof(AbutOctreeRecord), "the same record");
_Static_assert(sizeof(GpuHit) == sizeof(AbutRecordedSample), "the same record");
_Static_assert(offsetof(GpuHit, gradient) == offsetof(AbutRecordedSample, gradient), "the same record");
_Static_assert(offsetof(GpuOctreeState, box_groups) == GPU_STATE_BOX_GROUPS, "as shaders have it");
_Static_assert(offsetof(GpuOctreeState, leaf_groups) == GPU_STATE_LEAF_GROUPS, "as shaders have it");

/// A chunk of pairs.
typedef struct Chunk
{
    AbutDevice* device;
    const GpuOctreePair* pairs;
    uint32_t pair_count;
    uint32_t box_capacity, leaf_capacity;
    GpuOctreeState state; // after the launches
} Chunk;

static uint32_t most_boxes(const AbutDevice* device)
{
    return device->most_boxes > 0 ? device->most_boxes : MOST_BOXES;
}

static uint32_t most_leaves(const AbutDevice* device)
{
    return device->most_boxes > 0 ? device->most_boxes : MOST_LEAVES;
}

static AbutResult reserve(const Chunk* self)
{
    AbutDevice* device = self->device;
    const struct
    {
        uint64_t size;
        AbutGpuBuffer* buffer;
    } needed[] = {
        { self->pair_count * sizeof(GpuOctreePair), &device->pairs },
        { self->box_capacity * sizeof(GpuOctreeBox), &device->boxes },
        { self->box_capacity * sizeof(GpuOctreeRecord), &device->records },
        { self->leaf_capacity * sizeof(GpuOctreeBox), &device->leaves },
        { sizeof(GpuOctreeState), &device->state },
        { self->pair_count * sizeof(uint32_t), &device->group_counts },
        { self->leaf_capacity * sizeof(GpuHit), &device->scratch },
    };
    AbutResult result = ABUT_OK;
    for (size_t i = 0; result == ABUT_OK && i < sizeof(needed) / sizeof(needed[0]); ++i)
    {
        result = abut_gpu_reserve(device, needed[i].size, needed[i].buffer);
    }
    return result;
}

/// Pairs, their roots, and the state before the first pass.
static AbutResult upload(const Chunk* self)
{
    AbutDevice* device = self->device;
    const AbutHost* host = &device->host;
    GpuOctreeBox* roots = abut_memory_allocate(host, self->pair_count, sizeof(GpuOctreeBox));
    uint32_t* hit_passes = abut_memory_allocate(host, self->pair_count, sizeof(uint32_t));
    AbutResult result = roots != NULL && hit_passes != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    for (uint32_t i = 0; result == ABUT_OK && i < self->pair_count; ++i)
    {
        roots[i] = (GpuOctreeBox){ .pair = i };
        hit_passes[i] = GPU_NOT_RECORDED;
    }
    const GpuOctreeState state = {
        .box_count = self->pair_count,
        .box_end = UINT32_MAX,
        .leaf_end = UINT32_MAX,
        .level_end = self->pair_count,
        .box_groups = { (self->pair_count + GPU_BOXES_PER_GROUP - 1) / GPU_BOXES_PER_GROUP, 1, 1 },
        .leaf_groups = { 0, 1, 1 },
    };
    uint64_t count = self->pair_count;
    result = result == ABUT_OK
                 ? abut_gpu_write(device, &device->pairs, 0, self->pairs, count * sizeof(GpuOctreePair))
                 : result;
    result = result == ABUT_OK
                 ? abut_gpu_write(device, &device->boxes, 0, roots, count * sizeof(GpuOctreeBox))
                 : result;
    result = result == ABUT_OK
                 ? abut_gpu_write(device, &device->group_counts, 0, hit_passes, count * sizeof(uint32_t))
                 : result;
    result = result == ABUT_OK ? abut_gpu_write(device, &device->state, 0, &state, sizeof(state)) : result;
    abut_memory_free(host, roots, self->pair_count, sizeof(GpuOctreeBox));
    abut_memory_free(host, hit_passes, self->pair_count, sizeof(uint32_t));
    return result;
}

static uint32_t pass_count(const Chunk* self)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < self->pair_count; ++i)
    {
        uint32_t passes = self->pairs[i].top - self->pairs[i].last_level;
        most = passes > most ? passes : most;
    }
    return most;
}

/// All passes in one submission.
static AbutResult launch(Chunk* self)
{
    AbutDevice* device = self->device;
    const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS] = {
        NULL,           &device->pairs,        &device->boxes,   &device->records, &device->leaves,
        &device->state, &device->group_counts, &device->scratch,
    };
    abut_gpu_fields_bind(device, buffers);
    abut_gpu_bind(device, buffers);
    AbutResult result = abut_gpu_begin(device);
    for (uint32_t pass = 0, passes = pass_count(self); result == ABUT_OK && pass < passes; ++pass)
    {
        const GpuOctreeLaunch push = { pass, self->box_capacity, self->leaf_capacity };
        result = abut_gpu_dispatch_indirect(device, ABUT_GPU_OCTREE, &push, sizeof(push), &device->state,
                                            GPU_STATE_BOX_GROUPS);
        result = result == ABUT_OK ? abut_gpu_dispatch(device, ABUT_GPU_OCTREE_PLAN, &push, sizeof(push), 1)
                                   : result;
    }
    const GpuOctreeLaunch push = { 0, self->box_capacity, self->leaf_capacity };
    result = result == ABUT_OK
                 ? abut_gpu_dispatch_indirect(device, ABUT_GPU_OCTREE_LEAVES, &push, sizeof(push),
                                              &device->state, GPU_STATE_LEAF_GROUPS)
                 : result;
    result = result == ABUT_OK ? abut_gpu_submit(device, true) : result;
    return result == ABUT_OK ? abut_gpu_read(device, &device->state, 0, &self->state, sizeof(self->state))
                             : result;
}

/// More room after launches that had too little; false when there was enough, or no more is to be had.
static bool grow(Chunk* self)
{
    uint32_t boxes = self->box_capacity, leaves = self->leaf_capacity;
    if (self->state.box_end != UINT32_MAX)
    {
        self->box_capacity = boxes < most_boxes(self->device) / 4 ? 4 * boxes : most_boxes(self->device);
    }
    if (self->state.leaf_end != UINT32_MAX)
    {
        self->leaf_capacity = leaves < most_leaves(self->device) / 4 ? 4 * leaves : most_leaves(self->device);
    }
    return self->box_capacity > boxes || self->leaf_capacity > leaves;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/// Appends records and samples; there are arrays, also of none.
static AbutResult download(const Chunk* self, AbutGpuTraversed* out)
{
    AbutDevice* device = self->device;
    const AbutHost* host = &device->host;
    uint32_t boxes = lesser(self->state.box_count, self->state.box_end);
    uint32_t leaves = lesser(self->state.leaf_count, self->state.leaf_end);
    if (!abut_memory_grow(host, (void**)&out->records, &out->record_capacity, out->record_count + boxes + 1,
                          sizeof(out->records[0])) ||
        !abut_memory_grow(host, (void**)&out->samples, &out->sample_capacity, out->sample_count + leaves + 1,
                          sizeof(out->samples[0])))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = abut_gpu_read(device, &device->records, 0, out->records + out->record_count,
                                      boxes * sizeof(out->records[0]));
    result = result == ABUT_OK ? abut_gpu_read(device, &device->scratch, 0, out->samples + out->sample_count,
                                               leaves * sizeof(out->samples[0]))
                               : result;
    device->stats.boxes += boxes;
    device->stats.leaves += leaves;
    return result;
}

static AbutResult run_chunk(Chunk* self, AbutGpuTraversed* out)
{
    AbutResult result;
    do
    {
        result = reserve(self);
        result = result == ABUT_OK ? upload(self) : result;
        result = result == ABUT_OK ? launch(self) : result;
    } while (result == ABUT_OK && grow(self));
    return result == ABUT_OK ? download(self, out) : result;
}

static uint64_t bytes_of(const AbutGpuTraversed* traversed)
{
    return traversed->record_count * sizeof(traversed->records[0]) +
           traversed->sample_count * sizeof(traversed->samples[0]);
}

AbutResult abut_gpu_traverse(AbutDevice* device, const GpuOctreePair* pairs, size_t pair_count,
                             AbutGpuTraversal* traversals, AbutGpuTraversed* out)
{
    uint32_t kind = ABUT_GPU_NO_KIND;
    for (size_t i = 0; i < pair_count; ++i)
    {
        abut_gpu_use_kinds(device, pairs[i].sides, &kind);
        traversals[i] = (AbutGpuTraversal){ .root = ABUT_OCTREE_NOT_RECORDED };
    }
    AbutResult result = ABUT_OK;
    device->field_kind = kind;
    uint32_t step = lesser(CHUNK_PAIRS, most_boxes(device));
    Chunk chunk = { .device = device,
                    .box_capacity = lesser(FIRST_BOXES, most_boxes(device)),
                    .leaf_capacity = lesser(FIRST_LEAVES, most_leaves(device)) };
    for (size_t first = 0; result == ABUT_OK && first < pair_count && bytes_of(out) < MOST_BYTES;
         first += step)
    {
        chunk.pairs = pairs + first;
        chunk.pair_count = (uint32_t)(pair_count - first < step ? pair_count - first : step);
        result = run_chunk(&chunk, out);
        if (result == ABUT_OK)
        {
            for (uint32_t i = 0; i < chunk.pair_count; ++i)
            {
                traversals[first + i] = (AbutGpuTraversal){ out->record_count, out->sample_count, i };
            }
            out->record_count += lesser(chunk.state.box_count, chunk.state.box_end);
            out->sample_count += lesser(chunk.state.leaf_count, chunk.state.leaf_end);
        }
    }
    return result;
}

void abut_gpu_traversed_free(const AbutHost* host, AbutGpuTraversed* traversed)
{
    abut_memory_free(host, traversed->records, traversed->record_capacity, sizeof(traversed->records[0]));
    abut_memory_free(host, traversed->samples, traversed->sample_capacity, sizeof(traversed->samples[0]));
    *traversed = (AbutGpuTraversed){ 0 };
}
