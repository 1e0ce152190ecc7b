// Particles of all pairs of fields on a device, as one range (Algorithm 3). The processor makes the records
// of pairs, and contacts, ids and proofs from the particles that arrived, task by task, with the code that it
// has for its own particles.
#include "narrow/batch/on_device.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "gpu/pairs/walk.h"
#include "narrow/batch/octrees.h"
#include "narrow/batch/run.h"

#include <stdio.h>
#include <string.h>

enum
{
    JOBS_PER_BLOCK = 16,
    ARRIVALS_PER_BLOCK = 8
};

/// A task whose particles have walked.
typedef struct AbutBatchArrivals
{
    uint32_t task, job;
    uint32_t first_hit, hit_count;
    uint64_t samples;
    uint32_t thinned;
} AbutBatchArrivals;

void abut_batch_free_device(AbutCollider* collider)
{
    abut_batch_free_octrees(collider);
    AbutBatchDevice* walk = &collider->walk;
    AbutHost host = collider->host;
    abut_memory_free(&host, walk->pairs, walk->pair_capacity, sizeof(walk->pairs[0]));
    abut_memory_free(&host, walk->particle_counts, walk->particle_capacity, sizeof(walk->particle_counts[0]));
    abut_memory_free(&host, (void*)walk->fields, walk->field_capacity, sizeof(walk->fields[0]));
    abut_memory_free(&host, walk->jobs, walk->job_capacity, sizeof(walk->jobs[0]));
    abut_memory_free(&host, walk->starts, walk->start_capacity, sizeof(walk->starts[0]));
    abut_memory_free(&host, walk->arrivals, walk->arrival_capacity, sizeof(walk->arrivals[0]));
    *walk = (AbutBatchDevice){ .warned = walk->warned };
}

void abut_batch_warn(AbutCollider* collider, const char* what)
{
    char message[512];
    if (!collider->walk.warned)
    {
        snprintf(message, sizeof(message), "%s: %s", what, abut_last_error());
        collider->host.log(collider->host.user, ABUT_LOG_WARNING, message);
        collider->walk.warned = true;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Records
// -----------------------------------------------------------------------------------------------------------

/// The query of a job, begun again; its output is that of the first time.
typedef struct JobQuery
{
    AbutNarrowBegun begun;
    AbutCollideSettings settings;
    AbutCollideOutput output;
    AbutNarrowQuery query;
} JobQuery;

static void begin_job(AbutCollider* collider, const AbutBatchJob* job, JobQuery* out)
{
    AbutNarrowInput input = abut_batch_input(collider, job);
    abut_collide_begin(&input, &out->begun, &out->output);
    out->settings = abut_batch_task_settings(collider, job);
    out->output = job->output;
    out->query = (AbutNarrowQuery){
        .settings = &out->settings,
        .pair = &out->begun.pair,
        .output = &out->output,
    };
}

static void record_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutCollider* collider = context;
    const AbutBatchStep* step = abut_collider_step(collider);
    size_t end = (size_t)(block + 1) * JOBS_PER_BLOCK;
    for (size_t i = (size_t)block * JOBS_PER_BLOCK; i < step->job_count && i < end; ++i)
    {
        const AbutBatchJob* job = &step->jobs[i];
        JobQuery query;
        collider->walk.particle_counts[i] = 0;
        if (job->task_count > 0)
        {
            begin_job(collider, job, &query);
            collider->walk.particle_counts[i] = abut_batch_method(collider)->record_on_device(
                &query.query, &collider->walk.pairs[i], collider->walk.fields[i]);
        }
    }
}

static bool reserve_pairs(AbutCollider* collider, size_t count)
{
    AbutBatchDevice* walk = &collider->walk;
    const AbutHost* host = &collider->host;
    return abut_memory_grow(host, (void**)&walk->pairs, &walk->pair_capacity, count,
                            sizeof(walk->pairs[0])) &&
           abut_memory_grow(host, (void**)&walk->particle_counts, &walk->particle_capacity, count,
                            sizeof(walk->particle_counts[0])) &&
           abut_memory_grow(host, (void**)&walk->fields, &walk->field_capacity, count,
                            sizeof(walk->fields[0])) &&
           abut_memory_grow(host, (void**)&walk->jobs, &walk->job_capacity, count, sizeof(walk->jobs[0]));
}

/// Starts behind those of the grid, in the frame of the pair, as particles.c has them.
static bool add_starts(AbutCollider* collider, const AbutBatchJob* job, GpuPair* pair,
                       uint32_t particle_count, size_t* start_count)
{
    AbutBatchDevice* walk = &collider->walk;
    uint32_t count = particle_count - pair->grid_count;
    pair->first_start = (uint32_t)*start_count;
    if (count == 0)
    {
        return true;
    }
    if (*start_count + count > UINT32_MAX / 4 ||
        !abut_memory_grow(&collider->host, (void**)&walk->starts, &walk->start_capacity, *start_count + count,
                          sizeof(walk->starts[0])))
    {
        return false;
    }
    JobQuery query;
    begin_job(collider, job, &query);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 at = abut_pair_position(&query.begun.pair, query.settings.particles.starts[i].position);
        const float values[3] = { at.x, at.y, at.z };
        memcpy(walk->starts[(*start_count)++], values, sizeof(values));
    }
    return true;
}

/// Fields of all pairs to the device; those that it has no field for stay with the workers. Returns the count
/// of pairs on the device.
static size_t add_pairs(AbutCollider* collider, size_t* start_count)
{
    AbutBatchDevice* walk = &collider->walk;
    const AbutBatchStep* step = abut_collider_step(collider);
    size_t count = 0;
    abut_gpu_walk_begin(collider->device);
    for (size_t i = 0; i < step->job_count; ++i)
    {
        const AbutBatchJob* job = &step->jobs[i];
        GpuPair* pair = &walk->pairs[i];
        uint32_t particle_count = walk->particle_counts[i];
        if (particle_count == 0)
        {
            continue;
        }
        AbutResult result = ABUT_OK;
        for (int side = 0; side < 2 && result == ABUT_OK; ++side)
        {
            result = abut_gpu_walk_field(collider->device, walk->fields[i][side], &pair->sides[side].field);
        }
        if (result != ABUT_OK || !add_starts(collider, job, pair, particle_count, start_count))
        {
            abut_batch_warn(collider, "some pairs stay with the processor");
            continue;
        }
        walk->pairs[count] = *pair;
        walk->particle_counts[count] = particle_count;
        walk->jobs[count++] = (uint32_t)i;
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Arrivals
// -----------------------------------------------------------------------------------------------------------

static void finish_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    const AbutBatchDevice* walk = &collider->walk;
    size_t end = (size_t)(block + 1) * ARRIVALS_PER_BLOCK;
    for (size_t i = (size_t)block * ARRIVALS_PER_BLOCK; i < walk->arrival_count && i < end; ++i)
    {
        const AbutBatchArrivals* arrivals = &walk->arrivals[i];
        AbutBatchTask* task = &collider->tasks[arrivals->task];
        AbutNarrowTask result = { .proved_depth = -1.0f };
        if (arrivals->hit_count > 0)
        {
            JobQuery query;
            begin_job(collider, &abut_collider_step(collider)->jobs[arrivals->job], &query);
            query.query.scratch = &collider->workers[worker].scratch;
            result = abut_batch_method(collider)->finish_on_device(
                &query.query, walk->hits + arrivals->first_hit, arrivals->hit_count);
        }
        task->proved_depth = result.proved_depth;
        task->evaluations = arrivals->samples;
        task->thinned = arrivals->thinned;
        abut_batch_store(collider, result.contacts, result.count, task);
    }
}

/// The hits of a span to those of its tasks; `hit` is the first of the span, and then of the next one.
static bool divide_span(AbutCollider* collider, const AbutGpuChunk* chunk, const AbutGpuSpan* span,
                        uint32_t* hit)
{
    AbutBatchDevice* walk = &collider->walk;
    const uint32_t size = abut_batch_method(collider)->task_particles;
    uint32_t job = walk->jobs[span->pair];
    uint32_t first_task = abut_collider_step(collider)->jobs[job].first_task + span->first_particle / size;
    for (uint32_t done = 0; done < span->particle_count; done += size)
    {
        uint32_t rest = span->particle_count - done, first_hit = *hit;
        uint32_t end = span->first_in_chunk + done + (rest < size ? rest : size);
        while (*hit < chunk->hit_count && chunk->hits[*hit].particle < end)
        {
            *hit += 1;
        }
        if (span->open)
        {
            continue;
        }
        if (!abut_memory_grow(&collider->host, (void**)&walk->arrivals, &walk->arrival_capacity,
                              walk->arrival_count + 1, sizeof(walk->arrivals[0])))
        {
            return false;
        }
        walk->arrivals[walk->arrival_count++] = (AbutBatchArrivals){
            first_task + done / size,     job, first_hit, *hit - first_hit, done == 0 ? span->samples : 0,
            done == 0 ? span->thinned : 0
        };
    }
    return true;
}

static AbutResult receive(void* context, const AbutGpuChunk* chunk)
{
    AbutCollider* collider = context;
    AbutBatchDevice* walk = &collider->walk;
    uint32_t hit = 0;
    walk->arrival_count = 0;
    walk->hits = chunk->hits;
    for (uint32_t i = 0; i < chunk->span_count; ++i)
    {
        if (!divide_span(collider, chunk, &chunk->spans[i], &hit))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    AbutResult result = abut_batch_grow_pool(collider, atomic_load(&collider->pool_count) + chunk->hit_count);
    if (result == ABUT_OK)
    {
        abut_parallel_for(&collider->host, abut_block_count(walk->arrival_count, ARRIVALS_PER_BLOCK),
                          finish_block, collider);
    }
    return result;
}

void abut_batch_collide_on_device(AbutCollider* collider)
{
    AbutBatchDevice* walk = &collider->walk;
    const AbutBatchStep* step = abut_collider_step(collider);
    if (abut_batch_method(collider)->record_on_device == NULL || step->job_count == 0)
    {
        return;
    }
    if (!reserve_pairs(collider, step->job_count))
    {
        abut_batch_warn(collider, "the processor takes over");
        return;
    }
    size_t start_count = 0;
    abut_parallel_for(&collider->host, abut_block_count(step->job_count, JOBS_PER_BLOCK), record_block,
                      collider);
    const AbutGpuWalk all = {
        .pairs = walk->pairs,
        .particle_counts = walk->particle_counts,
        .pair_count = add_pairs(collider, &start_count),
        .starts = (const float*)walk->starts,
        .start_count = start_count,
        .alignment = abut_batch_method(collider)->task_particles,
    };
    if (all.pair_count > 0 && abut_gpu_walk(collider->device, &all, receive, collider) != ABUT_OK)
    {
        abut_batch_warn(collider, "the device failed, and the processor takes over");
    }
}
