// Contacts of all tasks to one array in the order of the pairs: counts, their sums, and a loop that copies
// them.
#include "narrow/batch/join.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "narrow/batch/cheap.h"
#include "narrow/batch/run.h"
#include "narrow/contacts/depth.h"

#include <math.h>
#include <string.h>

enum
{
    JOBS_PER_BLOCK = 16
};

/// Contacts of a job, before any are dropped.
static size_t contacts_of_job(const AbutCollider* collider, const AbutBatchJob* job)
{
    size_t count = job->reused ? job->output.contact_count : 0;
    for (uint32_t k = 0; k < job->task_count; ++k)
    {
        count += collider->tasks[job->first_task + k].arrived_count;
    }
    return count;
}

/// True when the pool has the contacts of all pairs one after the other: as one worker leaves those of cheap
/// pairs.
static bool is_pool_in_order(const AbutCollider* collider)
{
    size_t count = 0, blocks = abut_batch_cheap_block_count(collider);
    bool in_order = collider->steps[collider->current].job_count == 0 && collider->undecided_count == 0;
    for (size_t i = 0; i < blocks && in_order; ++i)
    {
        const AbutBatchTask* task = &collider->tasks[i];
        in_order = task->arrived_count == 0 || task->pool_first == count;
        count += task->arrived_count;
    }
    return in_order && count > 0;
}

/// Positions of the contacts of all pairs, before any are dropped.
static AbutResult assign_contacts(AbutCollider* collider)
{
    AbutBatchStep* step = abut_collider_step(collider);
    size_t count = 0, cheap = 0;
    for (size_t i = 0; i <= step->job_count; ++i)
    {
        size_t end = i < step->job_count ? step->jobs[i].result : collider->result_count;
        for (; cheap < collider->cheap_count && collider->cheap[cheap] < end; ++cheap)
        {
            AbutPairResult* result = &collider->results[collider->cheap[cheap]];
            result->first_contact = count;
            count += result->output.contact_count;
        }
        if (i < step->job_count)
        {
            step->jobs[i].first_contact = count;
            count += contacts_of_job(collider, &step->jobs[i]);
        }
    }
    step->contact_count = count;
    return abut_memory_grow(&collider->host, (void**)&step->contacts, &step->contact_capacity, count + 1,
                            sizeof(step->contacts[0]))
               ? ABUT_OK
               : ABUT_OUT_OF_MEMORY;
}

static size_t gather(const AbutCollider* collider, const AbutBatchJob* job, AbutContact* contacts)
{
    size_t count = 0;
    for (uint32_t k = 0; k < job->task_count; ++k)
    {
        const AbutBatchTask* task = &collider->tasks[job->first_task + k];
        memcpy(contacts + count, collider->pool + task->pool_first,
               task->arrived_count * sizeof(contacts[0]));
        count += task->arrived_count;
    }
    return count;
}

/// Depths of the contacts that stay.
static void measure_depth(const AbutCollider* collider, AbutContact* contacts, AbutBatchJob* job)
{
    AbutNarrowBegun begun;
    AbutCollideOutput output;
    AbutNarrowInput input = abut_batch_input(collider, job);
    abut_collide_begin(&input, &begun, &output);
    abut_narrow_measure_depth(&begun.pair, contacts, job->output.contact_count);
    job->output.evaluations += begun.pair.evaluations;
}

/// State and contacts of a pair from its tasks.
static void finish_tasks(const AbutCollider* collider, AbutContact* contacts, size_t count, AbutBatchJob* job)
{
    for (uint32_t k = 0; k < job->task_count; ++k)
    {
        const AbutBatchTask* task = &collider->tasks[job->first_task + k];
        job->proved_depth = fmaxf(job->proved_depth, task->proved_depth);
        job->output.evaluations += task->evaluations;
        job->output.contact_total += task->thinned;
    }
    abut_batch_method(collider)->finish_tasks(&collider->settings.collide, contacts, count, job->proved_depth,
                                              &job->output);
    if (collider->settings.collide.measure_depth && job->output.contact_count > 0)
    {
        measure_depth(collider, contacts, job);
    }
}

static void join_jobs(AbutCollider* collider, uint32_t block)
{
    AbutBatchStep *step = abut_collider_step(collider), *last = abut_collider_last(collider);
    size_t end = (size_t)(block + 1) * JOBS_PER_BLOCK;
    for (size_t i = (size_t)block * JOBS_PER_BLOCK; i < step->job_count && i < end; ++i)
    {
        AbutBatchJob* job = &step->jobs[i];
        AbutContact* contacts = step->contacts + job->first_contact;
        if (job->reused)
        {
            memcpy(contacts, last->contacts + last->jobs[job->last].first_contact,
                   job->output.contact_count * sizeof(contacts[0]));
            continue;
        }
        size_t count = gather(collider, job, contacts);
        if (abut_batch_has_tasks(collider) && job->task_count > 0)
        {
            finish_tasks(collider, contacts, count, job);
        }
    }
}

/// Contacts of a cheap pair that `adaptive` found.
static void join_undecided(AbutCollider* collider, uint32_t index)
{
    const AbutBatchTask* task = &collider->tasks[abut_batch_first_undecided(collider) + index];
    const AbutPairResult* result = &collider->results[collider->undecided[index]];
    memcpy(abut_collider_step(collider)->contacts + result->first_contact, collider->pool + task->pool_first,
           task->arrived_count * sizeof(collider->pool[0]));
}

/// Blocks of jobs, those of cheap pairs, and undecided pairs.
static void join_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutCollider* collider = context;
    uint32_t job_blocks = abut_block_count(abut_collider_step(collider)->job_count, JOBS_PER_BLOCK);
    if (block < job_blocks)
    {
        join_jobs(collider, block);
        return;
    }
    uint32_t cheap_block = block - job_blocks,
             cheap_blocks = (uint32_t)abut_batch_cheap_block_count(collider);
    if (cheap_block < cheap_blocks)
    {
        abut_batch_join_cheap(collider, cheap_block);
        return;
    }
    join_undecided(collider, cheap_block - cheap_blocks);
}

/// Closes the gaps left by dropped contacts of tasks; there are no cheap pairs then.
static void compact(AbutBatchStep* step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->job_count; ++i)
    {
        AbutBatchJob* job = &step->jobs[i];
        size_t own = job->output.contact_count;
        if (count != job->first_contact)
        {
            memmove(step->contacts + count, step->contacts + job->first_contact,
                    own * sizeof(step->contacts[0]));
        }
        job->first_contact = count;
        count += own;
    }
    step->contact_count = count;
}

AbutResult abut_batch_join(AbutCollider* collider)
{
    AbutBatchStep* step = abut_collider_step(collider);
    bool in_order = is_pool_in_order(collider);
    if (in_order)
    {
        abut_collider_exchange_pool(collider, step);
    }
    AbutResult result = assign_contacts(collider);
    if (result != ABUT_OK || in_order)
    {
        return result;
    }
    uint32_t blocks = abut_block_count(step->job_count, JOBS_PER_BLOCK) +
                      (uint32_t)(abut_batch_cheap_block_count(collider) + collider->undecided_count);
    abut_parallel_for(&collider->host, blocks, join_block, collider);
    if (abut_batch_has_tasks(collider))
    {
        compact(step);
    }
    return ABUT_OK;
}
