// abut bench pile [quick] [bunnies] [bowls] [scale] [alone] [starts=N] [COUNT]: many concave bodies fall on
// each other, against ODE and Bullet's GImpact.
#include "bench.h"
#include "pile_cases.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 300,
    SETTLED = 30,      // steps after which bodies may not lie in each other any more
    CHECK_EVERY = 10,  // steps between looks at the truth
    REST_STEPS = 1200, // 20 s
    SCALE_STEPS = 60
};

/// A peer that takes longer than this is asked for fewer steps, and compared over those.
static const double PEER_SECONDS = 60.0;

/// Bodies slower than this lie still, in metres per second.
static const double STILL = 1e-3;

typedef struct PileBench
{
    BenchReport* report;
    bool quick, bunnies, bowls, scale, alone;
    uint32_t count;
    uint32_t starts; // with the word `starts=N`; else 0
    bool wrong;
} PileBench;

/// What became of a pile.
typedef struct PileRun
{
    int steps;
    double* seconds;                 // of each step
    double phases[ABUT_PHASE_COUNT]; // sums over the steps that are compared
    PileTruth worst;                 // of all looks after the first steps
    double rest;                     // seconds after which all lay still; < 0: never
    uint32_t restless;               // at the end
    double touches, contacts;
    double cpu_seconds; // of the first STEPS steps, of all workers
    size_t memory;      // of the world, at most
} PileRun;

/// The host of workers, with a count of its memory.
typedef struct CountedHost
{
    AbutHost host, base;
    atomic_size_t live, peak;
} CountedHost;

static void* counted_allocate(void* user, size_t size, size_t alignment)
{
    CountedHost* self = user;
    const size_t live = atomic_fetch_add(&self->live, size) + size;
    size_t peak = atomic_load(&self->peak);
    while (live > peak && !atomic_compare_exchange_weak(&self->peak, &peak, live))
    {
    }
    return self->base.allocate(self->base.user, size, alignment);
}

static void counted_free(void* user, void* memory, size_t size)
{
    CountedHost* self = user;
    atomic_fetch_sub(&self->live, size);
    self->base.free(self->base.user, memory, size);
}

static void counted_for(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    const CountedHost* self = user;
    self->base.parallel_for(self->base.user, block_count, block, context);
}

static void counted_host_init(CountedHost* self, AbutWorkers* workers)
{
    self->base = abut_workers_host(workers);
    self->host = self->base;
    self->host.user = self;
    self->host.allocate = counted_allocate;
    self->host.free = counted_free;
    self->host.parallel_for = counted_for;
    self->host.log = NULL;
    atomic_init(&self->live, 0);
    atomic_init(&self->peak, 0);
}

// -----------------------------------------------------------------------------------------------------------
// abut
// -----------------------------------------------------------------------------------------------------------

/// How many bodies do not lie still.
static uint32_t count_restless(const AbutWorld* world, const AbutBodyId* ids, uint32_t count)
{
    uint32_t restless = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutBodyState state = abut_body_state(world, ids[i]);
        double speed = (double)abut_vec3_length(state.linear_velocity) +
                       0.5 * PILE_SIZE * (double)abut_vec3_length(state.angular_velocity);
        restless += !state.asleep && speed > STILL ? 1u : 0u;
    }
    return restless;
}

static void note_truth(PileRun* run, PileTruth truth)
{
    run->worst.max_penetration = fmax(run->worst.max_penetration, truth.max_penetration);
    run->worst.close_pairs =
        truth.close_pairs > run->worst.close_pairs ? truth.close_pairs : run->worst.close_pairs;
    run->worst.through = truth.through > run->worst.through ? truth.through : run->worst.through;
    run->worst.lost = truth.lost > run->worst.lost ? truth.lost : run->worst.lost;
}

typedef struct PileTask
{
    const PileModel* model;
    const AbutPose* poses;
    uint32_t count;
    uint32_t workers; // 0: all
    int steps;
    PileJudge* judge; // or NULL
} PileTask;

static AbutResult simulate(const PileTask* task, AbutWorld* world, const AbutBodyId* ids, AbutPose* now,
                           PileRun* run)
{
    for (int i = 0; i < task->steps; ++i)
    {
        AbutStepReport report;
        double start = bench_seconds(), cpu_start = bench_cpu_seconds();
        AbutResult result = abut_world_step(world, (float)PILE_STEP, &report);
        run->seconds[i] = bench_seconds() - start;
        run->cpu_seconds += i < STEPS ? bench_cpu_seconds() - cpu_start : 0.0;
        if (result != ABUT_OK)
        {
            return result;
        }
        run->steps = i + 1;
        for (int k = 0; k < ABUT_PHASE_COUNT && i < STEPS; ++k)
        {
            run->phases[k] += report.profile.seconds[k];
        }
        run->touches += report.touching_pair_count;
        run->contacts += report.contact_count;
        run->restless = count_restless(world, ids, task->count);
        run->rest = run->restless > 0 ? -1.0 : run->rest < 0.0 ? report.time : run->rest;
        bool checks = task->judge != NULL && i >= SETTLED && i % CHECK_EVERY == 0;
        for (uint32_t k = 0; k < task->count && checks; ++k)
        {
            now[k] = abut_body_state(world, ids[k]).pose;
        }
        if (checks)
        {
            note_truth(run, pile_judge_measure(task->judge, now));
        }
    }
    return ABUT_OK;
}

static bool run_ours(const PileTask* task, PileRun* run)
{
    AbutWorkers* workers = NULL;
    AbutWorld* world = NULL;
    AbutBodyId* ids = malloc(task->count * sizeof(AbutBodyId));
    AbutPose* now = malloc(task->count * sizeof(AbutPose));
    *run = (PileRun){ .rest = -1.0, .seconds = calloc((size_t)task->steps, sizeof(double)) };
    AbutResult result = ids != NULL && now != NULL && run->seconds != NULL
                            ? ABUT_OK
                            : abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %u bodies", task->count);
    result = result == ABUT_OK ? abut_workers_create(task->workers, NULL, &workers) : result;
    if (result == ABUT_OK)
    {
        CountedHost host;
        counted_host_init(&host, workers);
        result = pile_world_create(task->model, task->poses, task->count, &host.host, ids, &world);
        result = result == ABUT_OK ? simulate(task, world, ids, now, run) : result;
        run->memory = atomic_load(&host.peak);
        abut_world_destroy(world);
    }
    abut_workers_destroy(workers);
    free(ids);
    free(now);
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench pile: %s\n", abut_last_error());
    }
    return result == ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Peers
// -----------------------------------------------------------------------------------------------------------

static bool run_peer(const BenchPilePeer* peer, const PileTask* task, PileRun* run)
{
    *run = (PileRun){ .rest = -1.0, .seconds = calloc((size_t)task->steps, sizeof(double)) };
    AbutPose* now = malloc(task->count * sizeof(AbutPose));
    void* pile = now != NULL && run->seconds != NULL
                     ? peer->create(task->model->mesh, task->poses, task->count, PILE_FRICTION)
                     : NULL;
    double spent = 0.0;
    for (int i = 0; i < task->steps && spent < PEER_SECONDS && pile != NULL; ++i)
    {
        double start = bench_seconds();
        peer->step(pile, PILE_STEP);
        run->seconds[i] = bench_seconds() - start;
        spent += run->seconds[i];
        run->steps = i + 1;
        if (task->judge != NULL && i >= SETTLED && i % CHECK_EVERY == 0)
        {
            peer->poses(pile, now);
            note_truth(run, pile_judge_measure(task->judge, now));
        }
    }
    if (pile != NULL)
    {
        peer->destroy(pile);
    }
    free(now);
    return pile != NULL;
}

// -----------------------------------------------------------------------------------------------------------
// Reports
// -----------------------------------------------------------------------------------------------------------

/// Milliseconds of the mean of the first steps.
static double mean_step(const PileRun* run, int steps)
{
    double sum = 0.0;
    int count = steps < run->steps ? steps : run->steps;
    for (int i = 0; i < count; ++i)
    {
        sum += run->seconds[i];
    }
    return count > 0 ? 1e3 * sum / count : 0.0;
}

static double median_step(const PileRun* run, int steps)
{
    int count = steps < run->steps ? steps : run->steps;
    double* copy = malloc((size_t)(count > 0 ? count : 1) * sizeof(double));
    double median = 0.0;
    if (copy != NULL && count > 0)
    {
        memcpy(copy, run->seconds, (size_t)count * sizeof(double));
        median = 1e3 * bench_median(copy, count);
    }
    free(copy);
    return median;
}

static void report_ours(const PileBench* bench, const PileModel* model, const PileRun* run, int steps,
                        const char* workers)
{
    char row[64];
    snprintf(row, sizeof(row), "%s, %s: step, mean", model->name, workers);
    bench_report_row(bench->report, row, mean_step(run, steps), "ms", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s, %s: step, median", model->name, workers);
    bench_report_row(bench->report, row, median_step(run, steps), "ms", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s, %s: processor time", model->name, workers);
    bench_report_row(bench->report, row, 1e3 * run->cpu_seconds / steps, "ms/step", NULL, 0.0, false);
    for (int k = 0; k < ABUT_PHASE_COUNT; ++k) // they add up to the mean
    {
        snprintf(row, sizeof(row), "%s, %s: %s", model->name, workers,
                 abut_step_phase_name((AbutStepPhase)k));
        bench_report_row(bench->report, row, 1e3 * run->phases[k] / steps, "ms/step", NULL, 0.0, false);
    }
}

static void report_peer(const PileBench* bench, const PileModel* model, const BenchPilePeer* peer,
                        const PileRun* theirs, const PileRun runs[2])
{
    static const char* const names[2] = { "one worker", "all workers" };
    char row[64];
    for (int i = 0; i < 2; ++i)
    {
        snprintf(row, sizeof(row), "%s, %s: step, mean of %d", model->name, names[i], theirs->steps);
        bench_report_row(bench->report, row, mean_step(&runs[i], theirs->steps), "ms", peer->name,
                         mean_step(theirs, theirs->steps), false);
        snprintf(row, sizeof(row), "%s, %s: step, median of %d", model->name, names[i], theirs->steps);
        bench_report_row(bench->report, row, median_step(&runs[i], theirs->steps), "ms", peer->name,
                         median_step(theirs, theirs->steps), false);
    }
    snprintf(row, sizeof(row), "%s: deepest overlap", model->name);
    bench_report_row(bench->report, row, 100.0 * runs[0].worst.max_penetration, "% of size", peer->name,
                     100.0 * theirs->worst.max_penetration, false);
    if (model->thin)
    {
        snprintf(row, sizeof(row), "%s: walls gone through", model->name);
        bench_report_row(bench->report, row, runs[0].worst.through, "pairs", peer->name,
                         theirs->worst.through, false);
    }
}

static void report_verdict(const PileBench* bench, const PileModel* model, const PileRun* run)
{
    char row[64];
    snprintf(row, sizeof(row), "%s: deepest overlap", model->name);
    bench_report_row(bench->report, row, 100.0 * run->worst.max_penetration, "% of size", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: all still after", model->name);
    bench_report_row(bench->report, row, run->rest, "s", NULL, 0.0, false);
}

static void report_memory(const PileBench* bench, const PileModel* model, const PileRun* run, uint32_t count)
{
    char row[64];
    snprintf(row, sizeof(row), "%s: memory of the world, at most", model->name);
    bench_report_row(bench->report, row, 1e-3 * (double)run->memory / count, "KB/body", NULL, 0.0, false);
}

static void judge_run(PileBench* bench, const PileModel* model, const PileRun* run)
{
    bool deep = !model->thin && run->worst.max_penetration > 0.01;
    if (deep || run->worst.through > 0 || run->worst.lost > 0 || run->restless > 0)
    {
        bench->wrong = true;
        fprintf(stderr,
                "abut: bench pile: %s: %.2f %% deep, %u pairs through each other, %u bodies under the "
                "ground, %u still "
                "moving after %g s\n",
                model->name, 100.0 * run->worst.max_penetration, run->worst.through, run->worst.lost,
                run->restless, run->steps * PILE_STEP);
    }
}

static uint32_t body_count(const PileBench* bench)
{
    return bench->count > 0 ? bench->count : bench->quick ? 50 : 200;
}

/// The worst of all starts, and the mean of their means.
static void note_start(PileRun* all, const PileRun* run)
{
    note_truth(all, run->worst);
    all->rest = all->rest < 0.0 || run->rest < 0.0 ? -1.0 : fmax(all->rest, run->rest);
    all->restless = all->restless > run->restless ? all->restless : run->restless;
    all->cpu_seconds += run->cpu_seconds;
    all->memory = all->memory > run->memory ? all->memory : run->memory;
    all->steps = run->steps;
}

/// Many starts with one worker, without peers.
static bool run_starts(PileBench* bench, bool thin)
{
    PileModel model;
    uint32_t count = body_count(bench);
    AbutPose* poses = malloc(count * sizeof(AbutPose));
    if (poses == NULL || !pile_model_create(thin, &model))
    {
        free(poses);
        return false;
    }
    PileTask task = { .model = &model, .poses = poses, .count = count, .workers = 1, .steps = REST_STEPS };
    task.judge = pile_judge_create(&model, count);
    PileRun all = { 0 };
    bool good = task.judge != NULL;
    for (uint32_t start = 0; start < bench->starts && good; ++start)
    {
        PileRun run = { 0 };
        char row[64];
        pile_make_poses(start, count, poses);
        good = run_ours(&task, &run);
        note_start(&all, &run);
        snprintf(row, sizeof(row), "%s, start %u: processor time", model.name, start);
        bench_report_row(bench->report, row, 1e3 * run.cpu_seconds / STEPS, "ms/step", NULL, 0.0, false);
        report_verdict(bench, &model, &run);
        free(run.seconds);
    }
    if (good)
    {
        char row[64];
        snprintf(row, sizeof(row), "%s, %u starts: processor time", model.name, bench->starts);
        bench_report_row(bench->report, row, 1e3 * all.cpu_seconds / STEPS / bench->starts, "ms/step", NULL,
                         0.0, false);
        report_verdict(bench, &model, &all);
        report_memory(bench, &model, &all, count);
        judge_run(bench, &model, &all);
    }
    pile_judge_destroy(task.judge);
    pile_model_destroy(&model);
    free(poses);
    return good;
}

static bool run_model(PileBench* bench, bool thin)
{
    PileModel model;
    uint32_t count = body_count(bench);
    AbutPose* poses = malloc(count * sizeof(AbutPose));
    if (poses == NULL || !pile_model_create(thin, &model))
    {
        free(poses);
        return false;
    }
    pile_make_poses(0, count, poses);
    PileJudge* judge = pile_judge_create(&model, count);
    PileTask task = { .model = &model, .poses = poses, .count = count, .workers = 1, .steps = REST_STEPS };
    task.judge = judge;
    PileRun runs[2] = { { 0 }, { 0 } };
    bool good = judge != NULL && run_ours(&task, &runs[0]);
    task.workers = 0;
    task.steps = STEPS;
    task.judge = NULL;
    good = good && run_ours(&task, &runs[1]);
    if (good)
    {
        report_ours(bench, &model, &runs[0], STEPS, "one worker");
        report_ours(bench, &model, &runs[1], STEPS, "all workers");
        report_verdict(bench, &model, &runs[0]);
        report_memory(bench, &model, &runs[0], count);
        judge_run(bench, &model, &runs[0]);
    }
    task.judge = judge;
    for (const BenchPilePeer* const* peer = bench_pile_peers(); *peer != NULL && good && !bench->alone;
         ++peer)
    {
        PileRun theirs;
        good = run_peer(*peer, &task, &theirs);
        if (good)
        {
            report_peer(bench, &model, *peer, &theirs, runs);
        }
        free(theirs.seconds);
    }
    free(runs[0].seconds);
    free(runs[1].seconds);
    pile_judge_destroy(judge);
    pile_model_destroy(&model);
    free(poses);
    return good;
}

/// Time per step of larger piles, over their first second, in which all fall on each other.
static bool run_scale(PileBench* bench)
{
    const uint32_t counts[] = { 1000, 10000 };
    PileModel model;
    if (!pile_model_create(false, &model))
    {
        return false;
    }
    bool good = true;
    double last = 0.0;
    for (int i = 0; i < (bench->quick ? 1 : 2) && good; ++i)
    {
        AbutPose* poses = malloc(counts[i] * sizeof(AbutPose));
        PileTask task = { .model = &model, .poses = poses, .count = counts[i], .steps = SCALE_STEPS };
        PileRun run = { 0 };
        good = poses != NULL;
        if (good)
        {
            pile_make_poses(0, counts[i], poses);
            good = run_ours(&task, &run);
        }
        if (good)
        {
            char row[64];
            snprintf(row, sizeof(row), "%u %s, all workers: step, mean", counts[i], model.name);
            bench_report_row(bench->report, row, mean_step(&run, run.steps), "ms", NULL, 0.0, false);
            snprintf(row, sizeof(row), "%u %s, all workers: processor time", counts[i], model.name);
            bench_report_row(bench->report, row, 1e3 * run.cpu_seconds / run.steps, "ms/step", NULL, 0.0,
                             false);
            report_memory(bench, &model, &run, counts[i]);
            if (last > 0.0)
            {
                bench_report_row(bench->report, "ten times the bodies take",
                                 mean_step(&run, run.steps) / last, "times", NULL, 0.0, false);
            }
            last = mean_step(&run, run.steps);
        }
        free(run.seconds);
        free(poses);
    }
    pile_model_destroy(&model);
    return good;
}

static bool parse(int count, char** arguments, PileBench* bench)
{
    for (int i = 0; i < count; ++i)
    {
        const char* word = arguments[i];
        int number = atoi(word);
        bool* flags[] = { &bench->quick, &bench->bunnies, &bench->bowls, &bench->scale, &bench->alone };
        const char* const names[] = { "quick", "bunnies", "bowls", "scale", "alone" };
        int k = 0;
        while (k < 5 && strcmp(word, names[k]) != 0)
        {
            ++k;
        }
        if (k < 5)
        {
            *flags[k] = true;
        }
        else if (strncmp(word, "starts=", 7) == 0 && atoi(word + 7) > 0 && atoi(word + 7) <= 1000)
        {
            bench->starts = (uint32_t)atoi(word + 7);
        }
        else if (number > 0 && number <= 100000)
        {
            bench->count = (uint32_t)number;
        }
        else
        {
            fprintf(stderr,
                    "abut: bench pile: '%s' is none of quick, bunnies, bowls, scale, alone, starts=N and no "
                    "count\n",
                    word);
            return false;
        }
    }
    if (!bench->bunnies && !bench->bowls && !bench->scale)
    {
        bench->bunnies = bench->bowls = bench->scale = true;
    }
    return true;
}

bool bench_pile_run(BenchReport* report, int argument_count, char** arguments)
{
    PileBench bench = { .report = report };
    bool good = parse(argument_count, arguments, &bench);
    bool (*run)(PileBench*, bool) = bench.starts > 0 ? run_starts : run_model;
    good = good && (!bench.bunnies || run(&bench, false));
    good = good && (!bench.bowls || run(&bench, true));
    good = good && (!bench.scale || run_scale(&bench));
    return good && !bench.wrong;
}
