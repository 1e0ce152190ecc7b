// The tasks of a step on all workers. Contacts go to a pool that all workers share; when the pool is full,
// the tasks left wait until it has grown. Only the positions of contacts in the pool depend on the workers.
#include "narrow/batch/run.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/wall_clock.h"
#include "narrow/batch/cheap.h"
#include "narrow/batch/octrees.h"
#include "narrow/batch/on_device.h"
#include "narrow/batch/recycle.h"
#include "narrow/particles/emptiness_proof.h"
#include "narrow/prove/overlap.h"

#include <string.h>

enum
{
    JOBS_PER_BLOCK = 4,
    MIN_POOL = 2 * ABUT_CONTACT_LIST_CAPACITY // holds the largest task, so that every pass makes progress
};

AbutNarrowInput abut_batch_input_of(const AbutCollider* collider, uint32_t a, uint32_t b)
{
    return (AbutNarrowInput){
        .shape_a = collider->bodies[a].shape,
        .shape_b = collider->bodies[b].shape,
        .pose_a = collider->bodies[a].pose,
        .pose_b = collider->bodies[b].pose,
        .settings = collider->settings,
    };
}

AbutNarrowInput abut_batch_input(const AbutCollider* collider, const AbutBatchJob* job)
{
    AbutNarrowInput input = abut_batch_input_of(collider, job->a, job->b);
    input.settings.collide.margin = job->margin;
    input.settings.collide.spacing = job->spacing;
    return input;
}

static bool is_pool_full(AbutCollider* collider)
{
    return atomic_load_explicit(&collider->pool_full, memory_order_relaxed);
}

void abut_batch_store(AbutCollider* collider, const AbutContact* contacts, size_t count, AbutBatchTask* task)
{
    ABUT_ASSERT(count <= ABUT_CONTACT_LIST_CAPACITY);
    task->arrived_count = (uint32_t)count;
    task->pending = false;
    if (count == 0)
    {
        return;
    }
    size_t first = atomic_fetch_add_explicit(&collider->pool_count, count, memory_order_relaxed);
    if (first + count > collider->pool_capacity)
    {
        task->pending = true;
        atomic_store_explicit(&collider->pool_full, true, memory_order_relaxed);
        return;
    }
    task->pool_first = first;
    ABUT_ASSERT(first + count <= collider->pool_capacity);
    memcpy(&collider->pool[first], contacts, count * sizeof(contacts[0]));
}

/// Depth proved by the deepest contact, for recycling in later steps: between the two surfaces, where the
/// position of a contact of a method without samples is on one of them.
static float depth_of_contacts(AbutPair* pair, bool between, const AbutContact* contacts, uint32_t count)
{
    if (count == 0)
    {
        return -1.0f;
    }
    const AbutContact* deepest = &contacts[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < deepest->separation ? &contacts[i] : deepest;
    }
    AbutPairBatch batch;
    AbutVec3 at = deepest->position;
    if (between)
    {
        AbutDVec3 on_b = abut_transform_point(&pair->relative, abut_dvec3_from_vec3(deepest->anchor_b));
        at = abut_vec3_scale(abut_vec3_add(deepest->anchor_a, abut_dvec3_to_vec3(on_b)), 0.5f);
    }
    batch.count = 1;
    abut_pair_batch_set(&batch, 0, abut_pair_position(pair, at));
    abut_pair_sample(pair, &batch, false);
    return abut_prove_depth(pair, &batch, 0);
}

static void search(AbutCollider* collider, const AbutNarrowInput* input, AbutNarrowBegun* begun,
                   AbutBatchWorker* worker, AbutBatchJob* job, AbutBatchTask* task)
{
    abut_collide_finish(input, begun, &worker->scratch, worker->contacts, ABUT_CONTACT_LIST_CAPACITY,
                        &job->output);
    if (input->settings.collide.reuse > 0.0f && job->output.state == ABUT_COLLIDE_CONTACT)
    {
        AbutPair* pair = abut_collide_pair(input, begun);
        job->proved_depth = pair != NULL ? depth_of_contacts(pair, !begun->method->needs_pair,
                                                             worker->contacts, job->output.contact_count)
                                         : -1.0f;
    }
    job->gap = job->output.gap;
    abut_batch_store(collider, worker->contacts, job->output.contact_count, task);
}

AbutCollideSettings abut_batch_task_settings(AbutCollider* collider, const AbutBatchJob* job)
{
    AbutCollideSettings settings = collider->settings.collide;
    settings.margin = job->margin;
    if (settings.particles.reuse && job->last != ABUT_BATCH_JOB_NONE)
    {
        const AbutBatchStep* last = abut_collider_last(collider);
        const AbutBatchJob* before = &last->jobs[job->last];
        settings.particles.starts = last->contacts + before->first_contact;
        settings.particles.start_count = before->output.contact_count;
    }
    return settings;
}

bool abut_batch_reuse(AbutCollider* collider, const AbutNarrowInput* input, AbutBatchJob* job)
{
    if (job->last == ABUT_BATCH_JOB_NONE || !abut_pose_is_valid(&input->pose_a) ||
        !abut_pose_is_valid(&input->pose_b))
    {
        return false;
    }
    AbutTransform relative = abut_transform_relative(&input->pose_a, &input->pose_b);
    return abut_batch_recycle(&collider->settings.collide, &abut_collider_last(collider)->jobs[job->last],
                              &relative, job);
}

static void count_tasks_of(AbutCollider* collider, AbutPair* pair, AbutBatchJob* job)
{
    AbutCollideSettings settings = abut_batch_task_settings(collider, job);
    const AbutNarrowQuery query = { .settings = &settings, .pair = pair, .output = &job->output };
    job->task_count = abut_batch_method(collider)->count_tasks(&query);
    job->output.evaluations = pair->evaluations;
}

/// Results of a pair that is one task, or its count of tasks.
static void solve_job(AbutCollider* collider, AbutBatchJob* job, AbutBatchWorker* worker, AbutBatchTask* task)
{
    AbutNarrowBegun begun;
    AbutNarrowInput input = abut_batch_input(collider, job);
    job->output = (AbutCollideOutput){ .state = ABUT_COLLIDE_INVALID };
    if (job->a == job->b || abut_batch_reuse(collider, &input, job))
    {
        return;
    }
    bool open = abut_collide_begin(&input, &begun, &job->output);
    if (job->output.state == ABUT_COLLIDE_INVALID)
    {
        return;
    }
    job->relative = begun.relative;
    job->gap = job->output.gap;
    if (open && abut_batch_has_tasks(collider))
    {
        count_tasks_of(collider, &begun.pair, job);
    }
    else if (open)
    {
        job->task_count = 1;
        abut_batch_attach_octrees(collider, job, &begun.pair);
        search(collider, &input, &begun, worker, job, task);
    }
}

static void solve_jobs(AbutCollider* collider, uint32_t block, uint32_t worker)
{
    AbutBatchStep* step = abut_collider_step(collider);
    size_t end = (size_t)(block + 1) * JOBS_PER_BLOCK;
    double since = collider->measures_time ? abut_wall_clock() : 0.0;
    for (size_t i = (size_t)block * JOBS_PER_BLOCK; i < step->job_count && i < end; ++i)
    {
        AbutBatchTask* task = &collider->tasks[i];
        if (task->pending && !is_pool_full(collider))
        {
            task->pending = false;
            solve_job(collider, &step->jobs[i], &collider->workers[worker], task);
            double now = collider->measures_time ? abut_wall_clock() : 0.0;
            step->jobs[i].seconds = now - since;
            since = now;
        }
    }
}

/// Blocks of jobs, then those of cheap pairs.
static void solve_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    const AbutBatchStep* step = abut_collider_step(collider);
    uint32_t job_blocks = abut_block_count(step->job_count, JOBS_PER_BLOCK);
    if (block < job_blocks)
    {
        solve_jobs(collider, block, worker);
        return;
    }
    AbutBatchTask* task = &collider->tasks[step->job_count + (block - job_blocks)];
    if (task->pending && !is_pool_full(collider))
    {
        task->pending = false;
        abut_batch_solve_cheap(collider, block - job_blocks, &collider->workers[worker], task);
    }
}

/// The pair of a task: the last one whose first task is not after it (Algorithm 3's lower bound).
static AbutBatchJob* job_of_task(AbutBatchStep* step, uint32_t task)
{
    size_t low = 0, high = step->job_count;
    while (high - low > 1)
    {
        size_t middle = low + (high - low) / 2;
        if (step->jobs[middle].first_task <= task)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return &step->jobs[low];
}

static void task_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    AbutBatchTask* task = &collider->tasks[block];
    if (!task->pending || is_pool_full(collider))
    {
        return;
    }
    AbutNarrowBegun begun;
    AbutCollideOutput output;
    const AbutBatchJob* job = job_of_task(abut_collider_step(collider), block);
    AbutNarrowInput input = abut_batch_input(collider, job);
    abut_collide_begin(&input, &begun, &output);
    AbutCollideSettings settings = abut_batch_task_settings(collider, job);
    output = job->output;
    const AbutNarrowQuery query = {
        .settings = &settings,
        .pair = &begun.pair,
        .scratch = &collider->workers[worker].scratch,
        .output = &output,
    };
    AbutNarrowTask result = abut_batch_method(collider)->run_task(&query, block - job->first_task);
    task->proved_depth = result.proved_depth;
    task->evaluations = begun.pair.evaluations;
    abut_batch_store(collider, result.contacts, result.count, task);
}

AbutResult abut_batch_grow_pool(AbutCollider* collider, size_t needed)
{
    return abut_memory_grow(&collider->host, (void**)&collider->pool, &collider->pool_capacity, needed,
                            sizeof(collider->pool[0]))
               ? ABUT_OK
               : ABUT_OUT_OF_MEMORY;
}

/// Runs a loop until no task waits for the pool; contacts go behind those of earlier loops from `first` on.
static AbutResult run_passes(AbutCollider* collider, size_t first, uint32_t block_count, AbutBlockFn* block)
{
    atomic_store(&collider->pool_count, first);
    AbutResult result = abut_batch_grow_pool(collider, first + MIN_POOL);
    bool again = result == ABUT_OK;
    while (again)
    {
        size_t used = collider->pool_capacity;
        atomic_store(&collider->pool_full, false);
        abut_parallel_for(&collider->host, block_count, block, collider);
        again = atomic_load(&collider->pool_full);
        if (again)
        {
            result = abut_batch_grow_pool(collider, used + used);
            again = result == ABUT_OK;
            atomic_store(&collider->pool_count, used);
        }
    }
    return result;
}

/// Tasks from `first` on; those before stay as they are.
static AbutResult prepare_tasks(AbutCollider* collider, size_t first, size_t count)
{
    if (count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "collide: %zu particle tasks; at most 2^32 - 1 are possible",
                         count);
    }
    if (!abut_memory_grow(&collider->host, (void**)&collider->tasks, &collider->task_capacity, count,
                          sizeof(collider->tasks[0])))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = first; i < count; ++i)
    {
        collider->tasks[i] = (AbutBatchTask){ .pending = true, .proved_depth = -1.0f };
    }
    return ABUT_OK;
}

/// Prefix sums of the task counts of all pairs.
static size_t count_tasks(AbutBatchStep* step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->job_count; ++i)
    {
        step->jobs[i].first_task = (uint32_t)count;
        count += step->jobs[i].task_count;
    }
    return count;
}

/// A cheap pair without an answer, by `adaptive`.
static void undecided_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    AbutPairResult* result = &collider->results[collider->undecided[block]];
    AbutBatchTask* task = &collider->tasks[abut_batch_first_undecided(collider) + block];
    if (!task->pending || is_pool_full(collider))
    {
        return;
    }
    AbutBatchWorker* own = &collider->workers[worker];
    AbutNarrowBegun begun;
    AbutNarrowInput input = abut_batch_input_of(collider, result->a, result->b);
    input.settings.collide.method = ABUT_COLLIDE_ADAPTIVE;
    if (abut_collide_begin(&input, &begun, &result->output))
    {
        abut_collide_finish(&input, &begun, &own->scratch, own->contacts, ABUT_CONTACT_LIST_CAPACITY,
                            &result->output);
    }
    abut_batch_store(collider, own->contacts, result->output.contact_count, task);
}

/// Cheap pairs that their method leaves to `adaptive`.
static AbutResult run_undecided(AbutCollider* collider)
{
    size_t count = 0, first = abut_batch_first_undecided(collider);
    for (size_t i = 0; i < collider->cheap_count; ++i)
    {
        if (collider->results[collider->cheap[i]].output.state == ABUT_COLLIDE_UNDECIDED)
        {
            if (!abut_memory_grow(&collider->host, (void**)&collider->undecided,
                                  &collider->undecided_capacity, count + 1, sizeof(collider->undecided[0])))
            {
                return ABUT_OUT_OF_MEMORY;
            }
            collider->undecided[count++] = collider->cheap[i];
        }
    }
    collider->undecided_count = count;
    AbutResult result = count > 0 ? prepare_tasks(collider, first, first + count) : ABUT_OK;
    return result == ABUT_OK && count > 0
               ? run_passes(collider, atomic_load(&collider->pool_count), (uint32_t)count, undecided_block)
               : result;
}

AbutResult abut_batch_run(AbutCollider* collider)
{
    AbutBatchStep* step = abut_collider_step(collider);
    size_t cheap_blocks = abut_batch_cheap_block_count(collider);
    AbutResult result = prepare_tasks(collider, 0, step->job_count + cheap_blocks);
    if (result == ABUT_OK)
    {
        uint32_t blocks = abut_block_count(step->job_count, JOBS_PER_BLOCK) + (uint32_t)cheap_blocks;
        collider->octrees.job_count = 0;
        if (collider->device != NULL && !abut_batch_has_tasks(collider))
        {
            abut_batch_traverse_on_device(collider);
        }
        result = run_passes(collider, 0, blocks, solve_block);
    }
    result = result == ABUT_OK ? run_undecided(collider) : result;
    if (result != ABUT_OK || !abut_batch_has_tasks(collider))
    {
        for (size_t i = 0; i < step->job_count; ++i)
        {
            step->jobs[i].first_task = (uint32_t)i;
        }
        return result;
    }
    size_t task_count = count_tasks(step);
    result = prepare_tasks(collider, 0, task_count);
    atomic_store(&collider->pool_count, 0);
    if (result == ABUT_OK && collider->device != NULL)
    {
        abut_batch_collide_on_device(collider); // tasks that it leaves are done here
    }
    return result == ABUT_OK
               ? run_passes(collider, atomic_load(&collider->pool_count), (uint32_t)task_count, task_block)
               : result;
}
