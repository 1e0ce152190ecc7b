// Distance octrees of all pairs of fields on a device, in one traversal. The workers then search each pair by
// the code that they have without a device, and find the divisions of boxes and the samples already made.
#include "narrow/batch/octrees.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "gpu/pairs/walk.h"
#include "narrow/batch/on_device.h"
#include "narrow/batch/run.h"

enum
{
    JOBS_PER_BLOCK = 16
};

void abut_batch_free_octrees(AbutCollider* collider)
{
    AbutBatchOctrees* octrees = &collider->octrees;
    const AbutHost* host = &collider->host;
    abut_memory_free(host, octrees->pairs, octrees->pair_capacity, sizeof(octrees->pairs[0]));
    abut_memory_free(host, octrees->recorded, octrees->recorded_capacity, sizeof(octrees->recorded[0]));
    abut_memory_free(host, octrees->counts, octrees->count_capacity, sizeof(octrees->counts[0]));
    abut_memory_free(host, octrees->numbers, octrees->number_capacity, sizeof(octrees->numbers[0]));
    abut_memory_free(host, octrees->traversals, octrees->traversal_capacity, sizeof(octrees->traversals[0]));
    abut_gpu_traversed_free(host, &octrees->traversed);
    *octrees = (AbutBatchOctrees){ 0 };
}

static bool reserve(AbutCollider* collider, size_t jobs)
{
    AbutBatchOctrees* octrees = &collider->octrees;
    const AbutHost* host = &collider->host;
    const size_t most = ABUT_NARROW_OCTREES * jobs;
    return abut_memory_grow(host, (void**)&octrees->pairs, &octrees->pair_capacity, most,
                            sizeof(octrees->pairs[0])) &&
           abut_memory_grow(host, (void**)&octrees->recorded, &octrees->recorded_capacity, most,
                            sizeof(octrees->recorded[0])) &&
           abut_memory_grow(host, (void**)&octrees->counts, &octrees->count_capacity, jobs,
                            sizeof(octrees->counts[0])) &&
           abut_memory_grow(host, (void**)&octrees->numbers, &octrees->number_capacity, most,
                            sizeof(octrees->numbers[0])) &&
           abut_memory_grow(host, (void**)&octrees->traversals, &octrees->traversal_capacity, most,
                            sizeof(octrees->traversals[0]));
}

static bool has_fields(const AbutCollider* collider, const AbutBatchJob* job)
{
    const AbutShape *a = collider->bodies[job->a].shape, *b = collider->bodies[job->b].shape;
    return job->a != job->b && a != NULL && b != NULL && abut_shape_is_field(a) && abut_shape_is_field(b);
}

/// The records of a job; returns their count.
static uint32_t record_job(AbutCollider* collider, size_t i)
{
    AbutBatchJob job = abut_collider_step(collider)->jobs[i]; // the job itself is of the workers
    AbutNarrowInput input = abut_batch_input(collider, &job);
    AbutNarrowBegun begun;
    AbutCollideOutput output;
    if (!has_fields(collider, &job) || abut_batch_reuse(collider, &input, &job) ||
        !abut_collide_begin(&input, &begun, &output) || begun.method->record_octrees == NULL)
    {
        return 0;
    }
    const AbutNarrowQuery query = {
        .settings = &input.settings.collide,
        .pair = &begun.pair,
        .output = &output,
    };
    return begun.method->record_octrees(&query, input.settings.speculative,
                                        &collider->octrees.pairs[ABUT_NARROW_OCTREES * i],
                                        &collider->octrees.recorded[ABUT_NARROW_OCTREES * i]);
}

static void record_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutCollider* collider = context;
    size_t end = (size_t)(block + 1) * JOBS_PER_BLOCK, count = abut_collider_step(collider)->job_count;
    for (size_t i = (size_t)block * JOBS_PER_BLOCK; i < count && i < end; ++i)
    {
        collider->octrees.counts[i] = record_job(collider, i);
    }
}

/// Fields of a job to the device.
static AbutResult add_fields(AbutCollider* collider, const AbutBatchJob* job, GpuOctreePair* pairs,
                             uint32_t count)
{
    const AbutShape* fields[2] = { collider->bodies[job->a].shape, collider->bodies[job->b].shape };
    AbutResult result = ABUT_OK;
    for (int side = 0; side < 2 && result == ABUT_OK; ++side)
    {
        uint32_t number = 0;
        result = abut_gpu_walk_field(collider->device, fields[side], &number);
        for (uint32_t i = 0; i < count; ++i)
        {
            pairs[i].sides[side].field = number;
        }
    }
    return result;
}

/// Traversals side by side; those without a field on the device stay with the workers. Returns their count.
static size_t add_pairs(AbutCollider* collider)
{
    AbutBatchOctrees* octrees = &collider->octrees;
    size_t count = 0;
    abut_gpu_walk_begin(collider->device);
    for (size_t i = 0; i < octrees->job_count; ++i)
    {
        GpuOctreePair* pairs = &octrees->pairs[ABUT_NARROW_OCTREES * i];
        uint32_t own = octrees->counts[i];
        if (own > 0 && add_fields(collider, &abut_collider_step(collider)->jobs[i], pairs, own) != ABUT_OK)
        {
            abut_batch_warn(collider, "some pairs stay with the processor");
            octrees->counts[i] = own = 0;
        }
        for (uint32_t k = 0; k < own; ++k)
        {
            octrees->pairs[count] = pairs[k];
            octrees->numbers[count++] = (uint32_t)(ABUT_NARROW_OCTREES * i + k);
        }
    }
    return count;
}

void abut_batch_traverse_on_device(AbutCollider* collider)
{
    AbutBatchOctrees* octrees = &collider->octrees;
    size_t job_count = abut_collider_step(collider)->job_count;
    octrees->job_count = 0;
    octrees->traversed.record_count = octrees->traversed.sample_count = 0;
    if (job_count == 0 || job_count > UINT32_MAX / ABUT_NARROW_OCTREES)
    {
        return;
    }
    if (!reserve(collider, job_count))
    {
        abut_batch_warn(collider, "the processor takes over");
        return;
    }
    octrees->job_count = job_count;
    abut_parallel_for(&collider->host, abut_block_count(job_count, JOBS_PER_BLOCK), record_block, collider);
    size_t count = add_pairs(collider);
    if (count > 0 && abut_gpu_traverse(collider->device, octrees->pairs, count, octrees->traversals,
                                       &octrees->traversed) != ABUT_OK)
    {
        abut_batch_warn(collider, "the device failed, and the processor takes over");
    }
    for (size_t i = 0; i < count; ++i)
    {
        AbutRecordedOctree* recorded = &octrees->recorded[octrees->numbers[i]];
        const AbutGpuTraversal* traversal = &octrees->traversals[i];
        recorded->root = traversal->root;
        recorded->records = octrees->traversed.records + traversal->first_record;
        recorded->samples = octrees->traversed.samples + traversal->first_sample;
    }
}

void abut_batch_attach_octrees(const AbutCollider* collider, const AbutBatchJob* job, AbutPair* pair)
{
    const AbutBatchOctrees* octrees = &collider->octrees;
    size_t i = (size_t)(job - collider->steps[collider->current].jobs);
    if (i < octrees->job_count)
    {
        pair->recorded = &octrees->recorded[ABUT_NARROW_OCTREES * i];
        pair->recorded_count = octrees->counts[i];
    }
}
