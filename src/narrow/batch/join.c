// Contacts of all runs to one array in the order of the pairs: counts, their sums, and a loop that moves them.
#include "narrow/batch/batch.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "narrow/contacts/depth.h"

#include <math.h>
#include <string.h>

enum
{
    JOBS_PER_BLOCK = 16
};

/// Room for all contacts of the pairs, before any of them are thinned out.
static AbutResult assign_contacts(AbutCollider* collider)
{
    AbutBatchStep* step = abut_collider_step(collider);
    size_t count = 0;
    for (size_t i = 0; i < step->job_count; ++i)
    {
        AbutBatchJob* job = &step->jobs[i];
        job->first_contact = count;
        count += job->reused ? job->output.contact_count : 0;
        for (uint32_t k = 0; k < job->task_count; ++k)
        {
            count += collider->tasks[job->first_task + k].arrived_count;
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

/// Depths of the contacts that are left.
static void measure_depth(const AbutCollider* collider, AbutContact* contacts, AbutBatchJob* job)
{
    AbutPair pair;
    AbutCollideOutput output;
    AbutNarrowInput input = abut_batch_input(collider, job);
    abut_collide_begin(&input, &pair, &output);
    abut_narrow_measure_depth(&pair, contacts, job->output.contact_count);
    job->output.evaluations += pair.evaluations;
}

/// What the particles of a pair say, and those of their contacts that are wanted.
static void finish_particles(const AbutCollider* collider, AbutContact* contacts, size_t count,
                             AbutBatchJob* job)
{
    const AbutParticleSettings* settings = &collider->settings.collide.particles;
    for (uint32_t k = 0; k < job->task_count; ++k)
    {
        const AbutBatchTask* task = &collider->tasks[job->first_task + k];
        job->proved_depth = fmaxf(job->proved_depth, task->proved_depth);
        job->output.evaluations += task->evaluations;
    }
    job->output.state = abut_particles_state(count, job->proved_depth);
    size_t total = count;
    if (settings->one_per_voxel)
    {
        uint32_t doublings = 0;
        total = abut_particles_join(contacts, count, &doublings);
        job->output.spacing = ldexpf(job->output.spacing, (int)doublings);
    }
    size_t kept = abut_contacts_keep_deepest(contacts, total,
                                             settings->max_contacts > 0 ? settings->max_contacts : total);
    job->output.contact_total = (uint32_t)total;
    job->output.contact_count = (uint32_t)kept;
    if (collider->settings.collide.measure_depth && kept > 0)
    {
        measure_depth(collider, contacts, job);
    }
}

static void join_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutCollider* collider = context;
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
        if (collider->settings.collide.method == ABUT_COLLIDE_PARTICLES && job->task_count > 0)
        {
            finish_particles(collider, contacts, count, job);
        }
    }
}

/// Closes the gaps that thinning out has left.
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
    AbutResult result = assign_contacts(collider);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_parallel_for(&collider->host, abut_block_count(step->job_count, JOBS_PER_BLOCK), join_block,
                      collider);
    compact(step);
    return ABUT_OK;
}
