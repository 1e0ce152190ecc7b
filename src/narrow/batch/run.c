// The work of a step on all workers. What a run finds goes to a pool that all share; when the pool is full, what is left waits
// until it has grown. Where a run's contacts are in the pool depends on the workers, but nothing else does.
#include "narrow/batch/batch.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "narrow/prove/overlap.h"

#include <string.h>

enum
{
    JOBS_PER_BLOCK = 4,
    LEAST_POOL = 2 * ABUT_CONTACT_LIST_MOST // room for the largest run, so that every round gets on
};

AbutCollideInput abut_pairs_input(const AbutCollider* collider, const AbutPairJob* job)
{
    AbutCollideInput input = {
        .shape_a = job->shapes[0],
        .shape_b = job->shapes[1],
        .pose_a = collider->bodies[job->a].pose,
        .pose_b = collider->bodies[job->b].pose,
        .settings = collider->settings,
    };
    input.settings.margin = job->margin;
    input.settings.spacing = job->spacing;
    return input;
}

static bool is_pool_full(AbutCollider* collider)
{
    return atomic_load_explicit(&collider->pool_full, memory_order_relaxed);
}

/// Keeps what a run found; it has to run again when there is no room.
static void store(AbutCollider* collider, const AbutContact* contacts, size_t count, AbutPairRun* run)
{
    run->found_count = (uint32_t)count;
    run->waits = false;
    if (count == 0)
    {
        return;
    }
    size_t first = atomic_fetch_add_explicit(&collider->pool_count, count, memory_order_relaxed);
    if (first + count > collider->pool_capacity)
    {
        run->waits = true;
        atomic_store_explicit(&collider->pool_full, true, memory_order_relaxed);
        return;
    }
    run->pool_first = first;
    memcpy(&collider->pool[first], contacts, count * sizeof(contacts[0]));
}

/// What the deepest contact proves, for the steps to come.
static float overlap_of_contacts(AbutPair* pair, const AbutContact* contacts, int count)
{
    if (count == 0)
    {
        return -1.0f;
    }
    const AbutContact* deepest = &contacts[0];
    for (int i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < deepest->separation ? &contacts[i] : deepest;
    }
    AbutPairBatch batch;
    batch.count = 1;
    abut_batch_set(&batch, 0, abut_pair_position(pair, deepest->position));
    abut_pair_sample(pair, &batch, false);
    return abut_pair_overlap(pair, &batch, 0);
}

static void search(AbutCollider* collider, const AbutCollideSettings* settings, AbutPair* pair,
                   AbutPairWorker* worker, AbutPairJob* job, AbutPairRun* run)
{
    abut_collide_finish(settings, pair, &worker->scratch, worker->contacts, ABUT_CONTACT_LIST_MOST,
                        &job->output);
    if (settings->reuse > 0.0f && job->output.state == ABUT_COLLIDE_CONTACT)
    {
        job->overlap = overlap_of_contacts(pair, worker->contacts, job->output.contact_count);
    }
    job->gap = job->output.gap;
    store(collider, worker->contacts, (size_t)job->output.contact_count, run);
}

static AbutParticles make_particles(AbutCollider* collider, const AbutPairJob* job, const AbutPair* pair)
{
    AbutCollideSettings settings = collider->settings;
    settings.margin = job->margin;
    if (settings.particles.reuse && job->last != ABUT_PAIR_JOB_NONE)
    {
        const AbutPairStep* last = abut_collider_last(collider);
        const AbutPairJob* before = &last->jobs[job->last];
        settings.particles.starts = last->contacts + before->first_contact;
        settings.particles.start_count = (uint32_t)before->output.contact_count;
    }
    return abut_collide_particles(&settings, pair, &job->output);
}

/// True when the answer of the last step does.
static bool reuse(AbutCollider* collider, const AbutCollideInput* input, AbutPairJob* job)
{
    if (job->last == ABUT_PAIR_JOB_NONE || !abut_pose_is_valid(&input->pose_a) ||
        !abut_pose_is_valid(&input->pose_b))
    {
        return false;
    }
    AbutFrame relative = abut_frame_relative(&input->pose_a, &input->pose_b);
    return abut_pairs_reuse(&collider->settings, &abut_collider_last(collider)->jobs[job->last], &relative,
                            job);
}

/// Into how many runs the particles of a pair go: none where it is proved that nothing comes of them.
static void count_particles(AbutCollider* collider, AbutPair* pair, AbutPairJob* job)
{
    AbutParticles particles = make_particles(collider, job, pair);
    bool nothing = abut_particles_find_nothing(&particles, pair);
    job->output.state = ABUT_COLLIDE_NONE_FOUND;
    job->output.evaluations = pair->evaluations;
    job->run_count = nothing ? 0 : (particles.count + ABUT_PARTICLE_RUN - 1) / ABUT_PARTICLE_RUN;
}

/// Answers what takes no particles, and counts those of what does.
static void answer_job(AbutCollider* collider, AbutPairJob* job, AbutPairWorker* worker, AbutPairRun* run)
{
    AbutPair pair;
    AbutCollideInput input = abut_pairs_input(collider, job);
    job->output = (AbutCollideOutput){ .state = ABUT_COLLIDE_INVALID };
    if (job->a == job->b || reuse(collider, &input, job))
    {
        return;
    }
    bool begun = abut_collide_begin(&input, &pair, &job->output);
    if (job->output.state == ABUT_COLLIDE_INVALID)
    {
        return;
    }
    job->relative = pair.relative;
    job->gap = job->output.gap;
    if (begun && collider->settings.method == ABUT_COLLIDE_PARTICLES)
    {
        count_particles(collider, &pair, job);
    }
    else if (begun)
    {
        job->run_count = 1;
        search(collider, &input.settings, &pair, worker, job, run);
    }
}

static void answer_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    AbutPairStep* step = abut_collider_step(collider);
    size_t end = (size_t)(block + 1) * JOBS_PER_BLOCK;
    for (size_t i = (size_t)block * JOBS_PER_BLOCK; i < step->job_count && i < end; ++i)
    {
        AbutPairRun* run = &collider->runs[i];
        if (run->waits && !is_pool_full(collider))
        {
            run->waits = false;
            answer_job(collider, &step->jobs[i], &collider->workers[worker], run);
        }
    }
}

/// The pair that a run belongs to: the last whose first run is not after it (Algorithm 3's lower bound).
static AbutPairJob* job_of_run(AbutPairStep* step, uint32_t run)
{
    size_t low = 0, high = step->job_count;
    while (high - low > 1)
    {
        size_t middle = low + (high - low) / 2;
        if (step->jobs[middle].first_run <= run)
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

static void particle_block(void* context, uint32_t block, uint32_t worker)
{
    AbutCollider* collider = context;
    AbutPairRun* run = &collider->runs[block];
    if (!run->waits || is_pool_full(collider))
    {
        return;
    }
    AbutPair pair;
    AbutCollideOutput output;
    const AbutPairJob* job = job_of_run(abut_collider_step(collider), block);
    AbutCollideInput input = abut_pairs_input(collider, job);
    abut_collide_begin(&input, &pair, &output);
    AbutParticles particles = make_particles(collider, job, &pair);
    uint32_t first = (block - job->first_run) * ABUT_PARTICLE_RUN, rest = particles.count - first;
    AbutParticleRun* scratch = &collider->workers[worker].scratch.run;
    abut_particles_run(&particles, &pair, first, rest < ABUT_PARTICLE_RUN ? rest : ABUT_PARTICLE_RUN,
                       scratch);
    run->overlap = scratch->overlap;
    run->evaluations = pair.evaluations;
    store(collider, scratch->found, scratch->found_count, run);
}

static AbutResult grow_pool(AbutCollider* collider, size_t needed)
{
    return abut_memory_grow(&collider->host, (void**)&collider->pool, &collider->pool_capacity, needed,
                            sizeof(collider->pool[0]))
               ? ABUT_OK
               : ABUT_OUT_OF_MEMORY;
}

/// Runs a loop until nothing waits for room in the pool.
static AbutResult run_rounds(AbutCollider* collider, uint32_t block_count, AbutBlockFn* block)
{
    atomic_store(&collider->pool_count, 0);
    AbutResult result = grow_pool(collider, LEAST_POOL);
    bool again = result == ABUT_OK;
    while (again)
    {
        size_t used = collider->pool_capacity;
        atomic_store(&collider->pool_full, false);
        abut_parallel_for(&collider->host, block_count, block, collider);
        again = atomic_load(&collider->pool_full);
        if (again)
        {
            result = grow_pool(collider, used + used);
            again = result == ABUT_OK;
            atomic_store(&collider->pool_count, used);
        }
    }
    return result;
}

static AbutResult prepare_runs(AbutCollider* collider, size_t count)
{
    if (count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "collide: %zu runs of particles; at most 2^32 - 1 are possible",
                         count);
    }
    if (!abut_memory_grow(&collider->host, (void**)&collider->runs, &collider->run_capacity, count,
                          sizeof(collider->runs[0])))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; ++i)
    {
        collider->runs[i] = (AbutPairRun){ .waits = true, .overlap = -1.0f };
    }
    return ABUT_OK;
}

/// Sums of the runs of all pairs up to each.
static size_t count_runs(AbutPairStep* step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->job_count; ++i)
    {
        step->jobs[i].first_run = (uint32_t)count;
        count += step->jobs[i].run_count;
    }
    return count;
}

AbutResult abut_pairs_run(AbutCollider* collider)
{
    AbutPairStep* step = abut_collider_step(collider);
    AbutResult result = prepare_runs(collider, step->job_count);
    if (result == ABUT_OK)
    {
        result = run_rounds(collider, abut_block_count(step->job_count, JOBS_PER_BLOCK), answer_block);
    }
    if (result != ABUT_OK || collider->settings.method != ABUT_COLLIDE_PARTICLES)
    {
        for (size_t i = 0; i < step->job_count; ++i)
        {
            step->jobs[i].first_run = (uint32_t)i;
        }
        return result;
    }
    size_t run_count = count_runs(step);
    result = prepare_runs(collider, run_count);
    return result == ABUT_OK ? run_rounds(collider, (uint32_t)run_count, particle_block) : result;
}
