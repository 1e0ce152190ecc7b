// All pairs of a step: its stages, and the data kept between steps.
#include "narrow/batch/batch.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "narrow/batch/join.h"
#include "narrow/batch/on_device.h"
#include "narrow/batch/order.h"
#include "narrow/batch/run.h"

#include <string.h>

AbutResult abut_collider_create(const AbutHost* host, AbutCollider** out)
{
    *out = NULL;
    AbutHost resolved = abut_host_resolve(host);
    AbutCollider* collider = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutCollider));
    if (collider == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    collider->host = resolved;
    atomic_init(&collider->pool_count, 0);
    atomic_init(&collider->pool_full, false);
    collider->workers = abut_memory_allocate(&resolved, resolved.worker_count, sizeof(AbutBatchWorker));
    if (collider->workers == NULL)
    {
        abut_memory_free(&resolved, collider, 1, sizeof(AbutCollider));
        return ABUT_OUT_OF_MEMORY;
    }
    *out = collider;
    return ABUT_OK;
}

/// Shapes count their owners; a reference does not change a shape, hence the casts.
static void retain_shapes(AbutBatchJob* job)
{
    for (int side = 0; side < 2 && !job->owns_shapes; ++side)
    {
        abut_shape_retain((AbutShape*)job->shapes[side]);
    }
    job->owns_shapes = true;
}

static void release_shapes(AbutBatchJob* job)
{
    for (int side = 0; side < 2 && job->owns_shapes; ++side)
    {
        abut_shape_destroy((AbutShape*)job->shapes[side]);
    }
    job->owns_shapes = false;
}

static void reset_step(AbutBatchStep* step)
{
    for (size_t i = 0; i < step->job_count; ++i)
    {
        release_shapes(&step->jobs[i]);
    }
    step->job_count = 0;
    step->contact_count = 0;
}

void abut_collider_reset(AbutCollider* collider)
{
    reset_step(&collider->steps[0]);
    reset_step(&collider->steps[1]);
    collider->has_last = false;
}

void abut_collider_destroy(AbutCollider* collider)
{
    if (collider == NULL)
    {
        return;
    }
    abut_collider_reset(collider);
    AbutHost host = collider->host;
    for (int i = 0; i < 2; ++i)
    {
        AbutBatchStep* step = &collider->steps[i];
        abut_memory_free(&host, step->jobs, step->job_capacity, sizeof(step->jobs[0]));
        abut_memory_free(&host, step->contacts, step->contact_capacity, sizeof(step->contacts[0]));
    }
    abut_memory_free(&host, collider->workers, host.worker_count, sizeof(collider->workers[0]));
    abut_memory_free(&host, collider->keys, collider->key_capacity, sizeof(collider->keys[0]));
    abut_memory_free(&host, collider->tasks, collider->task_capacity, sizeof(collider->tasks[0]));
    abut_memory_free(&host, collider->pool, collider->pool_capacity, sizeof(collider->pool[0]));
    abut_memory_free(&host, collider->results, collider->result_capacity, sizeof(collider->results[0]));
    abut_batch_free_device(collider);
    abut_memory_free(&host, collider->cheap, collider->cheap_capacity, sizeof(collider->cheap[0]));
    abut_memory_free(&host, collider->undecided, collider->undecided_capacity,
                     sizeof(collider->undecided[0]));
    abut_memory_free(&host, collider, 1, sizeof(AbutCollider));
}

/// The current step becomes the last one.
static void swap_steps(AbutCollider* collider, const AbutNarrowSettings* settings)
{
    collider->current = 1 - collider->current;
    reset_step(abut_collider_step(collider)); // the step before the last
    if (!collider->has_last || !abut_narrow_settings_equal(&collider->settings, settings))
    {
        reset_step(abut_collider_last(collider));
    }
    collider->settings = *settings;
    collider->has_last = false;
    AbutBatchStep* last = abut_collider_last(collider);
    if (last->job_count == 0 && last->contact_capacity > collider->pool_capacity)
    {
        abut_collider_exchange_pool(collider, last); // nobody reads its contacts any more
    }
}

/// References to shapes pass to the same pairs of this step; new pairs take new ones.
static void transfer_shapes(AbutCollider* collider)
{
    AbutBatchStep *step = abut_collider_step(collider), *last = abut_collider_last(collider);
    for (size_t i = 0; i < step->job_count; ++i)
    {
        AbutBatchJob* job = &step->jobs[i];
        if (job->last != ABUT_BATCH_JOB_NONE)
        {
            job->owns_shapes = last->jobs[job->last].owns_shapes;
            last->jobs[job->last].owns_shapes = false;
        }
        else if (job->output.state != ABUT_COLLIDE_INVALID)
        {
            retain_shapes(job);
        }
    }
}

/// Leaves the message of an invalid pair on the thread of the caller.
static void explain_invalid(const AbutCollider* collider, uint32_t a, uint32_t b)
{
    if (a == b)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "collide: body %u is paired with itself", a);
        return;
    }
    AbutNarrowBegun begun;
    AbutCollideOutput output;
    AbutNarrowInput input = abut_batch_input_of(collider, a, b);
    abut_collide_begin(&input, &begun, &output);
}

/// Results of jobs; those of cheap pairs are complete.
static void report_jobs(AbutCollider* collider)
{
    const AbutBatchStep* step = abut_collider_step(collider);
    for (size_t i = 0; i < step->job_count; ++i)
    {
        const AbutBatchJob* job = &step->jobs[i];
        AbutPairResult* result = &collider->results[job->result];
        result->output = job->output;
        result->first_contact = job->first_contact;
        result->reused = job->reused;
        result->moved = job->moved;
    }
}

static AbutCollideResults report(AbutCollider* collider)
{
    const AbutBatchStep* step = abut_collider_step(collider);
    AbutCollideResults results = {
        collider->results, collider->result_count, step->contacts, step->contact_count, 0, 0, 0
    };
    report_jobs(collider);
    for (size_t i = 0; i < collider->result_count; ++i)
    {
        const AbutPairResult* result = &collider->results[i];
        results.reused_count += result->reused ? 1 : 0;
        results.evaluations += result->output.evaluations;
        if (result->output.state == ABUT_COLLIDE_INVALID && results.invalid_count++ == 0)
        {
            explain_invalid(collider, result->a, result->b);
        }
    }
    return results;
}

static AbutResult query_pairs(AbutCollider* collider, const AbutPairsInput* input,
                              const AbutNarrowSettings* settings, AbutCollideResults* out)
{
    AbutResult result = abut_collide_check(settings);
    if (result != ABUT_OK)
    {
        return result;
    }
    swap_steps(collider, settings);
    collider->bodies = input->bodies;
    result = abut_batch_order(collider, input->pairs, input->pair_count, input->body_count);
    result = result == ABUT_OK ? abut_batch_run(collider) : result;
    result = result == ABUT_OK ? abut_batch_join(collider) : result;
    if (result != ABUT_OK)
    {
        abut_collider_reset(collider);
        return result;
    }
    transfer_shapes(collider);
    collider->has_last = true;
    *out = report(collider);
    return ABUT_OK;
}

void abut_collider_set_device(AbutCollider* collider, AbutDevice* device)
{
    collider->device = device;
    collider->walk.warned = false;
}

AbutResult abut_collide_pairs(AbutCollider* collider, const AbutPairsInput* input,
                              const AbutCollideSettings* settings, AbutCollideResults* out)
{
    ABUT_FP_CALL(abut_collide_pairs, collider, input, settings, out);
    AbutNarrowSettings own = abut_narrow_proof_settings(settings);
    own.collide.particles.starts = NULL;
    own.collide.particles.start_count = 0;
    own.collide.hull.counts = NULL;
    return query_pairs(collider, input, &own, out);
}

AbutResult abut_speculative_pairs(AbutCollider* collider, const AbutPairsInput* input,
                                  const AbutSpeculativeSettings* settings, AbutCollideResults* out)
{
    ABUT_FP_CALL(abut_speculative_pairs, collider, input, settings, out);
    AbutNarrowSettings own = abut_narrow_speculative_settings(settings);
    return query_pairs(collider, input, &own, out);
}
