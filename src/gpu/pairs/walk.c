// Particles on a device, chunk by chunk.
#include "gpu/pairs/walk.h"

#include "base/assert.h"
#include "base/memory.h"
#include "gpu/fields.h"
#include "gpu/launch.h"
#include "gpu/memory.h"
#include "gpu/node_range.h"
#include "gpu/pairs/thin.h"

#include <string.h>

enum
{
    MAX_SPANS = 1 << 16, // of a chunk
    MOST_GROUPS = 65535, // of a launch
    FRAME_EXPONENT = 30, // of scales and rotations
    SMALLEST_ENTRY = -60,
    HIT_BYTES = 4 * GPU_HIT_WORDS
};

void abut_gpu_walk_begin(AbutDevice* device)
{
    abut_gpu_fields_begin(device);
}

AbutResult abut_gpu_walk_field(AbutDevice* device, const AbutShape* field, uint32_t* number)
{
    return abut_gpu_field(device, field, number);
}

static bool fits(const float* values, size_t count, int low, int high)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        good = good && abut_gpu_in_range(values[i], low, high);
    }
    return good;
}

bool abut_gpu_walk_side(const AbutKernelTransform* transform, float inflate, GpuSide* out)
{
    out->inflate = inflate;
    out->has_frame = transform != NULL ? 1 : 0;
    if (transform == NULL)
    {
        memset(&out->frame, 0, sizeof(out->frame));
        return fits(&inflate, 1, SMALLEST_ENTRY, FRAME_EXPONENT);
    }
    memcpy(out->frame.matrix, transform->matrix, sizeof(out->frame.matrix));
    memcpy(out->frame.high, transform->high, sizeof(out->frame.high));
    memcpy(out->frame.low, transform->low, sizeof(out->frame.low));
    memcpy(out->frame.rotation, transform->rotation, sizeof(out->frame.rotation));
    out->frame.scale = transform->scale;
    return fits(&inflate, 1, SMALLEST_ENTRY, FRAME_EXPONENT) &&
           fits(&transform->scale, 1, -FRAME_EXPONENT, FRAME_EXPONENT) &&
           fits(transform->matrix[0], 9, SMALLEST_ENTRY, FRAME_EXPONENT) &&
           fits(transform->rotation[0], 9, SMALLEST_ENTRY, 1) &&
           fits(transform->high, 3, 2 * SMALLEST_ENTRY, FRAME_EXPONENT) &&
           fits(transform->low, 3, 2 * SMALLEST_ENTRY, FRAME_EXPONENT);
}

// -----------------------------------------------------------------------------------------------------------
// Chunks
// -----------------------------------------------------------------------------------------------------------

typedef struct Walker
{
    AbutDevice* device;
    const AbutGpuWalk* walk;
    uint32_t chunk;         // particles
    bool by_cell, by_depth; // thinning that pairs ask for
    size_t next_pair;
    uint32_t next_particle; // of that pair
    size_t first_pair;      // of the chunk, and the number of its pairs
    uint32_t pair_count, span_count, particle_count;
    GpuSpan* records; // MAX_SPANS
    AbutGpuSpan* spans;
    GpuSpanCounts* counts;
    GpuHit* hits;
    size_t hit_capacity;
} Walker;

/// The next spans, up to the size of a chunk.
static void fill_chunk(Walker* self)
{
    const AbutGpuWalk* walk = self->walk;
    self->span_count = self->particle_count = 0;
    self->first_pair = self->next_pair;
    while (self->next_pair < walk->pair_count && self->span_count < MAX_SPANS &&
           self->next_pair - self->first_pair < MAX_SPANS)
    {
        uint32_t rest = walk->particle_counts[self->next_pair] - self->next_particle;
        uint32_t space = self->chunk - self->particle_count;
        uint32_t count = rest <= space ? rest : space / walk->alignment * walk->alignment;
        if (count > 0)
        {
            self->records[self->span_count] =
                (GpuSpan){ self->particle_count, (uint32_t)(self->next_pair - self->first_pair),
                           self->next_particle };
            self->spans[self->span_count++] = (AbutGpuSpan){
                .pair = self->next_pair,
                .first_particle = self->next_particle,
                .particle_count = count,
                .first_in_chunk = self->particle_count,
            };
            self->particle_count += count;
        }
        if (count < rest)
        {
            self->next_particle += count;
            self->pair_count = (uint32_t)(self->next_pair - self->first_pair) + 1;
            return;
        }
        self->next_pair += 1;
        self->next_particle = 0;
    }
    self->pair_count = (uint32_t)(self->next_pair - self->first_pair);
}

/// Reserves, if not yet there, and copies.
static AbutResult put(AbutDevice* device, const void* data, uint64_t size, AbutGpuBuffer* buffer)
{
    AbutResult result = abut_gpu_reserve(device, size > 0 ? size : 1, buffer);
    return result == ABUT_OK ? abut_gpu_write(device, buffer, 0, data, size) : result;
}

static uint32_t group_count(const Walker* self)
{
    return (self->particle_count + GPU_GROUP - 1) / GPU_GROUP;
}

static AbutResult upload(const Walker* self)
{
    AbutDevice* device = self->device;
    uint64_t groups = group_count(self);
    uint64_t scratch = device->def.two_passes ? HIT_BYTES : groups * GPU_GROUP * HIT_BYTES;
    AbutResult result = put(device, self->walk->pairs + self->first_pair,
                            (uint64_t)self->pair_count * sizeof(GpuPair), &device->pairs);
    result = result == ABUT_OK
                 ? put(device, self->records, (uint64_t)self->span_count * sizeof(GpuSpan), &device->spans)
                 : result;
    result = result == ABUT_OK ? abut_gpu_reserve(device, scratch, &device->scratch) : result;
    result = result == ABUT_OK
                 ? abut_gpu_reserve(device, (groups + 1) * sizeof(uint32_t), &device->group_counts)
                 : result;
    return result == ABUT_OK
               ? abut_gpu_reserve(device, self->span_count * sizeof(GpuSpanCounts), &device->span_counts)
               : result;
}

static void bind(const Walker* self, const AbutGpuBuffer* hits)
{
    AbutDevice* device = self->device;
    const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS] = {
        NULL, &device->pairs,        &device->spans,       &device->starts,
        hits, &device->group_counts, &device->span_counts, &device->hits,
    };
    abut_gpu_fields_bind(device, buffers);
    abut_gpu_bind(device, buffers);
}

static AbutResult record_walk(const Walker* self, uint32_t mode)
{
    const GpuLaunch push = { self->particle_count, self->span_count, mode };
    return abut_gpu_dispatch(self->device, ABUT_GPU_WALK, &push, sizeof(push), group_count(self));
}

/// The walk, and the offsets of all groups; returns the total.
static AbutResult count_hits(Walker* self, uint32_t* total)
{
    AbutDevice* device = self->device;
    uint32_t groups = group_count(self);
    bind(self, &device->scratch);
    AbutResult result = abut_gpu_begin(device);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_gpu_fill_zero(device, &device->span_counts);
    result = record_walk(self, device->def.two_passes ? GPU_COUNT : GPU_STORE);
    result =
        result == ABUT_OK ? abut_gpu_dispatch(device, ABUT_GPU_SCAN, &groups, sizeof(groups), 1) : result;
    result = result == ABUT_OK ? abut_gpu_submit(device, true) : result;
    result = result == ABUT_OK ? abut_gpu_read(device, &device->group_counts,
                                               (uint64_t)groups * sizeof(uint32_t), total, sizeof(*total))
                               : result;
    result = result == ABUT_OK ? abut_gpu_read(device, &device->span_counts, 0, self->counts,
                                               self->span_count * sizeof(GpuSpanCounts))
                               : result;
    for (uint32_t i = 0; result == ABUT_OK && i < self->span_count; ++i)
    {
        self->spans[i].samples = self->counts[i].steps;
        self->spans[i].open = self->counts[i].open != 0;
    }
    return result;
}

/// Hits side by side.
static AbutResult gather_hits(const Walker* self, uint32_t total)
{
    AbutDevice* device = self->device;
    AbutResult result = abut_gpu_reserve(device, (uint64_t)total * HIT_BYTES, &device->hits);
    if (result != ABUT_OK)
    {
        return result;
    }
    bind(self, device->def.two_passes ? &device->hits : &device->scratch);
    result = abut_gpu_begin(device);
    if (result == ABUT_OK)
    {
        result = device->def.two_passes
                     ? record_walk(self, GPU_PLACE)
                     : abut_gpu_dispatch(device, ABUT_GPU_GATHER, &total, sizeof(total), group_count(self));
    }
    return result == ABUT_OK ? abut_gpu_submit(device, true) : result;
}

/// Leaves out hits that the processor would not select.
static AbutResult thin_hits(Walker* self, uint32_t total, uint32_t* kept)
{
    const AbutGpuThinInput input = {
        .hit_count = total,
        .pair_count = self->pair_count,
        .span_count = self->span_count,
        .task_particles = self->walk->alignment,
        .by_cell = self->by_cell,
        .by_depth = self->by_depth,
    };
    AbutResult result = abut_gpu_thin(self->device, &input, kept, self->counts);
    for (uint32_t i = 0; result == ABUT_OK && i < self->span_count; ++i)
    {
        self->spans[i].thinned = self->counts[i].thinned;
    }
    return result;
}

/// Hits to the processor; `kept` is their count.
static AbutResult fetch_hits(Walker* self, uint32_t total, uint32_t* kept)
{
    AbutDevice* device = self->device;
    bool thins = self->by_cell || self->by_depth;
    *kept = total;
    if (total == 0)
    {
        return ABUT_OK;
    }
    AbutResult result = gather_hits(self, total);
    result = result == ABUT_OK && thins ? thin_hits(self, total, kept) : result;
    if (result == ABUT_OK && !abut_memory_grow(&device->host, (void**)&self->hits, &self->hit_capacity, *kept,
                                               sizeof(self->hits[0])))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    return result == ABUT_OK ? abut_gpu_read(device, thins ? &device->scratch : &device->hits, 0, self->hits,
                                             (uint64_t)*kept * HIT_BYTES)
                             : result;
}

static AbutResult run_chunk(Walker* self, AbutGpuReceiveFn* receive, void* context)
{
    uint32_t total = 0, kept = 0;
    AbutResult result = upload(self);
    result = result == ABUT_OK ? count_hits(self, &total) : result;
    result = result == ABUT_OK ? fetch_hits(self, total, &kept) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    self->device->stats.particles += self->particle_count;
    self->device->stats.hits += total;
    self->device->stats.thinned_hits += total - kept;
    const AbutGpuChunk chunk = { self->spans, self->span_count, self->hits, kept };
    return receive(context, &chunk);
}

/// Size of chunks and kinds of thinning. Sums of samples of a span must fit 32 bits.
static void plan(Walker* self)
{
    const AbutGpuWalk* walk = self->walk;
    uint32_t most_steps = 1, most = self->device->def.chunk_particles, kind = ABUT_GPU_NO_KIND;
    for (size_t i = 0; i < walk->pair_count; ++i)
    {
        most_steps = walk->pairs[i].steps > most_steps ? walk->pairs[i].steps : most_steps;
        abut_gpu_use_kinds(self->device, walk->pairs[i].sides, &kind);
        self->by_cell = self->by_cell || walk->pairs[i].thin == GPU_THIN_CELLS;
        self->by_depth = self->by_depth || walk->pairs[i].thin == GPU_THIN_DEEPEST;
    }
    ABUT_ASSERT(!(self->by_cell && self->by_depth)); // of one settings struct
    self->device->field_kind = kind;
    uint32_t size = UINT32_MAX / most_steps;
    size = size < MOST_GROUPS * GPU_GROUP ? size : MOST_GROUPS * GPU_GROUP;
    size = size < most ? size : most;
    self->chunk = size / walk->alignment * walk->alignment;
}

AbutResult abut_gpu_walk(AbutDevice* device, const AbutGpuWalk* walk, AbutGpuReceiveFn* receive,
                         void* context)
{
    const AbutHost* host = &device->host;
    Walker self = { .device = device, .walk = walk };
    plan(&self);
    ABUT_ASSERT(self.chunk >= walk->alignment);
    self.records = abut_memory_allocate(host, MAX_SPANS, sizeof(GpuSpan));
    self.spans = abut_memory_allocate(host, MAX_SPANS, sizeof(AbutGpuSpan));
    self.counts = abut_memory_allocate(host, MAX_SPANS, sizeof(GpuSpanCounts));
    AbutResult result =
        self.records != NULL && self.spans != NULL && self.counts != NULL
            ? put(device, walk->starts, walk->start_count * 3 * sizeof(float), &device->starts)
            : ABUT_OUT_OF_MEMORY;
    while (result == ABUT_OK && self.next_pair < walk->pair_count)
    {
        fill_chunk(&self);
        result = self.span_count > 0 ? run_chunk(&self, receive, context) : ABUT_OK;
    }
    abut_memory_free(host, self.hits, self.hit_capacity, sizeof(GpuHit));
    abut_memory_free(host, self.counts, MAX_SPANS, sizeof(GpuSpanCounts));
    abut_memory_free(host, self.spans, MAX_SPANS, sizeof(AbutGpuSpan));
    abut_memory_free(host, self.records, MAX_SPANS, sizeof(GpuSpan));
    return result;
}
