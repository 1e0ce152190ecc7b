// abut bench bullet [quick] [bunnies] [bowls] [throws] [COUNT]: heaps in a world of Bullet with abut's
// shapes, with and without continuous collision, and bodies thrown at a plate, against GImpact in the same
// world.
#include "bench.h"
#include "bullet_engine.h"
#include "pile_cases.h"
#include "throw_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 300,
    QUICK_STEPS = 90,
    RUN_COUNT = 4, // the last one in a world of abut
    THROWS = 100,
    QUICK_THROWS = 20
};

/// Body lengths per step of the throws, and the thickness of the plate.
static const double throw_lengths[] = { 0.5, 1.0, 2.0, 5.0, 10.0 };
static const double THICKNESS = 0.01;

/// A run that takes longer than this is compared over fewer steps.
static const double MOST_SECONDS = 120.0;

typedef struct EngineBench
{
    BenchReport* report;
    bool quick, bunnies, bowls, throws;
    uint32_t count;
} EngineBench;

typedef struct EngineRun
{
    int steps;
    double* narrow; // seconds until the end of each step; NULL where not measured
    double step;    // mean of all steps
    double height;  // mean of the bodies at the end, in their size
    PileTruth truth;
} EngineRun;

static double mean_height(const AbutPose* poses, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += poses[i].position.y;
    }
    return sum / count / PILE_SIZE;
}

static bool run(const BenchEngineHeap* heap, int steps, PileJudge* judge, EngineRun* out)
{
    const BenchEngine* engine = bench_bullet_engine();
    AbutPose* poses = malloc(heap->count * sizeof(AbutPose));
    *out = (EngineRun){ .narrow = calloc((size_t)steps, sizeof(double)) };
    if (poses == NULL || out->narrow == NULL)
    {
        fprintf(stderr, "abut: bench bullet: no memory\n");
        free(poses);
        return false;
    }
    void* world = engine->create(heap);
    double start = bench_cpu_seconds(), spent = 0.0;
    for (int i = 0; i < steps && spent < MOST_SECONDS; ++i)
    {
        engine->step(world, PILE_STEP);
        out->narrow[i] = engine->narrow_seconds(world);
        out->steps = i + 1;
        spent = bench_cpu_seconds() - start;
    }
    out->step = spent / out->steps;
    engine->poses(world, poses);
    out->truth = pile_judge_measure(judge, poses);
    out->height = mean_height(poses, heap->count);
    engine->destroy(world);
    free(poses);
    return true;
}

/// The same heap by abut's own solver, on one thread.
static bool run_own(const PileModel* model, const AbutPose* starts, uint32_t count, int steps,
                    PileJudge* judge, EngineRun* out)
{
    AbutWorkers* workers = NULL;
    AbutWorld* world = NULL;
    AbutBodyId* ids = malloc(count * sizeof(AbutBodyId));
    AbutPose* poses = malloc(count * sizeof(AbutPose));
    *out = (EngineRun){ 0 };
    bool good = ids != NULL && poses != NULL && abut_workers_create(1, NULL, &workers) == ABUT_OK;
    AbutHost host = good ? abut_workers_host(workers) : (AbutHost){ 0 };
    good = good && pile_world_create(model, starts, count, &host, ids, &world) == ABUT_OK;
    double start = bench_cpu_seconds();
    for (; out->steps < steps && good; ++out->steps)
    {
        good = abut_world_step(world, (float)PILE_STEP, NULL) == ABUT_OK;
    }
    out->step = good ? (bench_cpu_seconds() - start) / out->steps : 0.0;
    for (uint32_t i = 0; i < count && good; ++i)
    {
        poses[i] = abut_body_state(world, ids[i]).pose;
    }
    if (good)
    {
        out->truth = pile_judge_measure(judge, poses);
        out->height = mean_height(poses, count);
    }
    else
    {
        fprintf(stderr, "abut: bench bullet: %s\n", abut_last_error());
    }
    abut_world_destroy(world);
    abut_workers_destroy(workers);
    free(ids);
    free(poses);
    return good;
}

static void report(const EngineBench* bench, const PileModel* model, const EngineRun runs[RUN_COUNT])
{
    static const char* const names[RUN_COUNT] = { "", "abut", "abut, continuous", "abut's own solver" };
    const EngineRun* peer = &runs[0];
    for (int i = 1; i < RUN_COUNT; ++i)
    {
        char row[64];
        int steps = runs[i].steps < peer->steps ? runs[i].steps : peer->steps;
        if (runs[i].narrow != NULL)
        {
            snprintf(row, sizeof(row), "%s, %s: narrow phase, mean of %d", model->name, names[i], steps);
            bench_report_row(bench->report, row, 1e3 * runs[i].narrow[steps - 1] / steps, "ms/step",
                             "GImpact", 1e3 * peer->narrow[steps - 1] / steps, false);
        }
        snprintf(row, sizeof(row), "%s, %s: step", model->name, names[i]);
        bench_report_row(bench->report, row, 1e3 * runs[i].step, "ms", "GImpact", 1e3 * peer->step, false);
        snprintf(row, sizeof(row), "%s, %s: deepest overlap, last step", model->name, names[i]);
        bench_report_row(bench->report, row, 100.0 * runs[i].truth.max_penetration, "% of size", "GImpact",
                         100.0 * peer->truth.max_penetration, false);
        snprintf(row, sizeof(row), "%s, %s: mean height, last step", model->name, names[i]);
        bench_report_row(bench->report, row, runs[i].height, "sizes", "GImpact", peer->height, true);
        if (model->thin)
        {
            snprintf(row, sizeof(row), "%s, %s: walls gone through", model->name, names[i]);
            bench_report_row(bench->report, row, runs[i].truth.through, "pairs", "GImpact",
                             peer->truth.through, false);
        }
    }
}

static bool run_model(const EngineBench* bench, bool thin)
{
    PileModel model;
    uint32_t count = bench->count > 0 ? bench->count : bench->quick ? 50 : 200;
    AbutPose* poses = malloc(count * sizeof(AbutPose));
    if (poses == NULL || !pile_model_create(thin, &model))
    {
        free(poses);
        return false;
    }
    pile_make_poses(0, count, poses);
    PileJudge* judge = pile_judge_create(&model, count);
    EngineRun runs[RUN_COUNT] = { { 0 } };
    bool good = judge != NULL;
    for (int i = 0; i < RUN_COUNT - 1 && good; ++i)
    {
        BenchEngineHeap heap = { .mesh = model.mesh,
                                 .field = i == 0 ? NULL : model.field,
                                 .poses = poses,
                                 .count = count,
                                 .friction = PILE_FRICTION,
                                 .continuous = i == 2 };
        good = run(&heap, bench->quick ? QUICK_STEPS : STEPS, judge, &runs[i]);
    }
    good = good &&
           run_own(&model, poses, count, bench->quick ? QUICK_STEPS : STEPS, judge, &runs[RUN_COUNT - 1]);
    if (good)
    {
        report(bench, &model, runs);
    }
    for (int i = 0; i < RUN_COUNT; ++i)
    {
        free(runs[i].narrow);
    }
    pile_judge_destroy(judge);
    pile_model_destroy(&model);
    free(poses);
    return good;
}

static bool run_throws(const EngineBench* bench)
{
    static Throw throws[THROWS];
    ThrowModel model;
    if (!throw_model_create(&model))
    {
        return false;
    }
    int count = bench->quick ? QUICK_THROWS : THROWS;
    BenchEngineThrow peer = { .mesh = model.body.mesh_a, .thickness = THICKNESS };
    BenchEngineThrow ours = peer;
    ours.field = model.body.field_a;
    ours.plate = model.plate;
    for (size_t k = 0; k < 2 * sizeof(throw_lengths) / sizeof(throw_lengths[0]); ++k)
    {
        bool rotates = k % 2 == 1;
        double length = throw_lengths[k / 2];
        int passed = 0, peer_passed = 0;
        throw_model_make(&model, length, rotates, throws, count);
        for (int i = 0; i < count; ++i)
        {
            const BenchEngine* engine = bench_bullet_engine();
            passed += engine->passes(&ours, &throws[i].pose, &throws[i].motion) ? 1 : 0;
            peer_passed += engine->passes(&peer, &throws[i].pose, &throws[i].motion) ? 1 : 0;
        }
        char row[64];
        snprintf(row, sizeof(row), "%s, k = %g%s: through", model.body.name, length,
                 rotates ? ", spinning" : "");
        bench_report_row(bench->report, row, passed, bench->quick ? "of 20" : "of 100", "GImpact",
                         peer_passed, false);
    }
    throw_model_destroy(&model);
    return true;
}

bool bench_engine_run(BenchReport* bench_report, int argument_count, char** arguments)
{
    EngineBench bench = { .report = bench_report };
    for (int i = 0; i < argument_count; ++i)
    {
        int number = atoi(arguments[i]);
        bool* flag = strcmp(arguments[i], "quick") == 0     ? &bench.quick
                     : strcmp(arguments[i], "bunnies") == 0 ? &bench.bunnies
                     : strcmp(arguments[i], "bowls") == 0   ? &bench.bowls
                     : strcmp(arguments[i], "throws") == 0  ? &bench.throws
                                                            : NULL;
        if (flag == NULL && (number <= 0 || number > 100000))
        {
            fprintf(stderr,
                    "abut: bench bullet: '%s' is none of quick, bunnies, bowls, throws and no count\n",
                    arguments[i]);
            return false;
        }
        bench.count = flag == NULL ? (uint32_t)number : bench.count;
        if (flag != NULL)
        {
            *flag = true;
        }
    }
    bool all = !bench.bunnies && !bench.bowls && !bench.throws;
    return (!(bench.bunnies || all) || run_model(&bench, false)) &&
           (!(bench.bowls || all) || run_model(&bench, true)) &&
           (!(bench.throws || all) || run_throws(&bench));
}
