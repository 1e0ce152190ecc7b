// abut bench npm [quick] [tori] [nuts] [alone] [physx-tgs] [physx-pgs] [mujoco] [SEEDS]: heaps of tori and
// nuts, against PhysX 5 and MuJoCo 3 from npm.
#include "bench.h"
#include "npm_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FALLING = 60, // steps in which bodies mostly fall
    MOST_SEEDS = 16,
    MOST_ENGINES = 3
};

/// An engine that takes longer than this is compared over the steps it completed, in processor seconds.
static const double ENGINE_SECONDS = 180.0;

typedef struct NpmBench
{
    BenchReport* report;
    bool quick, alone;
    bool models[2];
    bool engines[MOST_ENGINES];
    uint32_t seeds;
} NpmBench;

/// A run and the verdict on it.
typedef struct NpmResult
{
    NpmRun run;
    NpmTruth truth;
} NpmResult;

// -----------------------------------------------------------------------------------------------------------
// abut
// -----------------------------------------------------------------------------------------------------------

static AbutResult add_ground(AbutWorld* world)
{
    AbutBodyDef def = abut_body_def();
    AbutBodyId id;
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &def.shape);
    def.kind = ABUT_BODY_STATIC;
    def.material.friction = (float)NPM_FRICTION;
    result = result == ABUT_OK ? abut_body_create(world, &def, &id) : result;
    abut_shape_destroy(def.shape);
    return result;
}

static AbutResult bake(const NpmModel* model, const AbutHost* host, AbutShape** out, double* seconds)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = NPM_CELLS;
    def.host = host;
    double start = bench_cpu_seconds();
    AbutResult result = abut_bake_mesh(&def, model->mesh, out);
    *seconds = bench_cpu_seconds() - start;
    return result;
}

static AbutResult create_world(AbutShape* shape, const AbutPose* poses, const AbutHost* host, AbutBodyId* ids,
                               AbutWorld** out)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutResult result = abut_world_create(&def, out);
    result = result == ABUT_OK ? add_ground(*out) : result;
    for (uint32_t i = 0; i < NPM_BODIES && result == ABUT_OK; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = shape;
        body.pose = poses[i];
        body.density = (float)NPM_DENSITY;
        body.material.friction = (float)NPM_FRICTION;
        result = abut_body_create(*out, &body, &ids[i]);
    }
    return result;
}

static uint32_t count_asleep(const AbutWorld* world, const AbutBodyId* ids)
{
    uint32_t asleep = 0;
    for (uint32_t i = 0; i < NPM_BODIES; ++i)
    {
        asleep += abut_body_state(world, ids[i]).asleep ? 1u : 0u;
    }
    return asleep;
}

/// Goes on until all bodies sleep.
static AbutResult rest(AbutWorld* world, const AbutBodyId* ids, NpmRun* run)
{
    AbutResult result = ABUT_OK;
    int steps = run->steps;
    while (steps < NPM_REST_STEPS && result == ABUT_OK && count_asleep(world, ids) < NPM_BODIES)
    {
        AbutStepReport report;
        result = abut_world_step(world, (float)NPM_STEP, &report);
        ++steps;
    }
    run->rest = count_asleep(world, ids) == NPM_BODIES ? steps * NPM_STEP : INFINITY;
    return result;
}

static AbutResult simulate(AbutWorld* world, const AbutBodyId* ids, int steps, NpmRun* run)
{
    for (int i = 0; i < steps; ++i)
    {
        AbutStepReport report;
        double start = bench_cpu_seconds();
        AbutResult result = abut_world_step(world, (float)NPM_STEP, &report);
        run->seconds[i] = bench_cpu_seconds() - start;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    run->steps = steps;
    for (uint32_t i = 0; i < NPM_BODIES; ++i)
    {
        AbutBodyState state = abut_body_state(world, ids[i]);
        run->poses[i] = state.pose;
        run->fastest = fmax(run->fastest, (double)abut_vec3_length(state.linear_velocity));
    }
    run->asleep = count_asleep(world, ids);
    return steps == NPM_STEPS ? rest(world, ids, run) : ABUT_OK;
}

/// On one worker, as the engines.
static bool run_ours(const NpmModel* model, const AbutPose* poses, int steps, NpmRun* out)
{
    AbutWorkers* workers = NULL;
    AbutShape* shape = NULL;
    AbutWorld* world = NULL;
    AbutBodyId ids[NPM_BODIES];
    *out = (NpmRun){ .rest = INFINITY };
    AbutResult result = abut_workers_create(1, NULL, &workers);
    if (result == ABUT_OK)
    {
        AbutHost host = abut_workers_host(workers);
        result = bake(model, &host, &shape, &out->bake);
        result = result == ABUT_OK ? create_world(shape, poses, &host, ids, &world) : result;
        result = result == ABUT_OK ? simulate(world, ids, steps, out) : result;
    }
    abut_world_destroy(world);
    abut_shape_destroy(shape);
    abut_workers_destroy(workers);
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench npm: %s\n", abut_last_error());
    }
    return result == ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Reports
// -----------------------------------------------------------------------------------------------------------

/// Seconds of a step, on the average over some steps of all seeds.
static double mean_step(const NpmResult* results, uint32_t seeds, int steps)
{
    double sum = 0.0;
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        for (int i = 0; i < steps; ++i)
        {
            sum += results[seed].run.seconds[i];
        }
    }
    return sum / (steps * (double)seeds);
}

/// One number of all seeds: mean of bakes, largest overlap and speed, median of medians, fewest asleep.
typedef struct NpmSummary
{
    double bake, deepest, median, fastest, asleep, rest;
    int steps; ///< that all seeds completed
} NpmSummary;

static NpmSummary summarize(const NpmResult* results, uint32_t seeds)
{
    NpmSummary summary = { .asleep = NPM_BODIES, .steps = NPM_STEPS };
    double medians[MOST_SEEDS];
    for (uint32_t i = 0; i < seeds; ++i)
    {
        const NpmRun* run = &results[i].run;
        summary.bake += run->bake / seeds;
        summary.deepest = fmax(summary.deepest, results[i].truth.deepest);
        summary.fastest = fmax(summary.fastest, run->fastest);
        summary.asleep = fmin(summary.asleep, run->asleep);
        summary.rest = fmax(summary.rest, run->rest);
        summary.steps = run->steps < summary.steps ? run->steps : summary.steps;
        medians[i] = results[i].truth.median;
    }
    summary.median = bench_median(medians, (int)seeds);
    return summary;
}

static void add_row(const NpmBench* bench, const NpmModel* model, const char* what, const char* unit,
                    double ours, const char* peer, double theirs)
{
    char row[96];
    snprintf(row, sizeof(row), "%s: %s", model->name, what);
    bench_report_row(bench->report, row, ours, unit, peer, theirs, strcmp(unit, "bodies") == 0);
}

/// With `engine` NULL, abut alone.
static void report(const NpmBench* bench, const NpmModel* model, const NpmEngine* engine,
                   const NpmResult* our_results, const NpmResult* their_results)
{
    const char* peer = engine != NULL ? engine->name : NULL;
    NpmSummary ours = summarize(our_results, bench->seeds);
    NpmSummary theirs = summarize(engine != NULL ? their_results : our_results, bench->seeds);
    int all = theirs.steps, falling = all < FALLING ? all : FALLING;
    char what[64];
    add_row(bench, model, "bake", "ms", 1e3 * ours.bake, peer, 1e3 * theirs.bake);
    for (int i = 0; i < 2; ++i)
    {
        int steps = i == 0 ? falling : all;
        snprintf(what, sizeof(what), "step, mean of the first %d", steps);
        add_row(bench, model, what, "ms", 1e3 * mean_step(our_results, bench->seeds, steps), peer,
                engine != NULL ? 1e3 * mean_step(their_results, bench->seeds, steps) : 0.0);
    }
    if (all < ours.steps)
    {
        return; // bodies are not where they would be at the end
    }
    add_row(bench, model, "deepest overlap", "mm", 1e3 * ours.deepest, peer, 1e3 * theirs.deepest);
    add_row(bench, model, "median overlap", "mm", 1e3 * ours.median, peer, 1e3 * theirs.median);
    add_row(bench, model, "fastest body at the end", "m/s", ours.fastest, peer, theirs.fastest);
    bool sleeps = engine == NULL || engine->sleeps;
    add_row(bench, model, "asleep at the end", "bodies", ours.asleep, sleeps ? peer : NULL, theirs.asleep);
    if (engine == NULL && isfinite(ours.rest))
    {
        add_row(bench, model, "all asleep after", "s", ours.rest, NULL, 0.0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

static bool judge(const NpmModel* model, const char* name, uint32_t seed, NpmResult* result)
{
    if (!npm_measure(model, result->run.poses, &result->truth))
    {
        return false;
    }
    const NpmRun* run = &result->run;
    const NpmTruth* truth = &result->truth;
    int falling = run->steps < FALLING ? run->steps : FALLING;
    fprintf(stderr,
            "%s, seed %u, %s: %.2f ms, %.2f over %d steps; %.2f mm deep, median %.2f of %u overlaps; "
            "%.3g m/s, %u asleep, %u lost\n",
            model->name, seed, name, 1e3 * mean_step(result, 1, falling),
            1e3 * mean_step(result, 1, run->steps), run->steps, 1e3 * truth->deepest, 1e3 * truth->median,
            truth->overlapping, run->fastest, run->asleep, truth->lost);
    return true;
}

/// Runs of one engine (NULL: abut) from all seeds.
static bool run_seeds(const NpmBench* bench, const NpmModel* model, const NpmEngine* engine, NpmResult* out)
{
    int steps = bench->quick ? 2 * FALLING : NPM_STEPS;
    bool good = true;
    for (uint32_t i = 0; i < bench->seeds && good; ++i)
    {
        AbutPose poses[NPM_BODIES];
        npm_make_poses(model, i + 1, poses);
        good = engine != NULL ? npm_engine_run(engine, model, poses, steps, ENGINE_SECONDS, &out[i].run)
                              : run_ours(model, poses, steps, &out[i].run);
        good = good && judge(model, engine != NULL ? engine->name : "abut", i + 1, &out[i]);
    }
    return good;
}

static bool run_model(const NpmBench* bench, bool nuts)
{
    NpmModel model;
    if (!npm_model_create(nuts, &model))
    {
        return false;
    }
    NpmResult* ours = calloc(bench->seeds, sizeof(NpmResult));
    NpmResult* theirs = calloc(bench->seeds, sizeof(NpmResult));
    bool good = ours != NULL && theirs != NULL && run_seeds(bench, &model, NULL, ours);
    if (good)
    {
        report(bench, &model, NULL, ours, NULL);
    }
    for (int i = 0; i < MOST_ENGINES && good && !bench->alone; ++i)
    {
        const NpmEngine* engine = &npm_engines()[i];
        good = !bench->engines[i] || run_seeds(bench, &model, engine, theirs);
        if (good && bench->engines[i])
        {
            report(bench, &model, engine, ours, theirs);
        }
    }
    free(ours);
    free(theirs);
    npm_model_destroy(&model);
    return good;
}

static bool parse_word(const char* word, NpmBench* bench)
{
    bool* const flags[] = { &bench->quick,      &bench->alone,      &bench->models[0], &bench->models[1],
                            &bench->engines[0], &bench->engines[1], &bench->engines[2] };
    const char* const names[] = { "quick", "alone", "tori", "nuts", "physx-tgs", "physx-pgs", "mujoco" };
    for (int i = 0; i < 7; ++i)
    {
        if (strcmp(word, names[i]) == 0)
        {
            *flags[i] = true;
            return true;
        }
    }
    int number = atoi(word);
    bench->seeds = number > 0 ? (uint32_t)number : 0;
    if (number < 1 || number > MOST_SEEDS)
    {
        fprintf(stderr,
                "abut: bench npm: '%s' is none of quick, alone, tori, nuts, physx-tgs, physx-pgs, mujoco and "
                "no number of seeds from 1 to %d\n",
                word, MOST_SEEDS);
        return false;
    }
    return true;
}

static bool parse(int count, char** arguments, NpmBench* bench)
{
    for (int i = 0; i < count; ++i)
    {
        if (!parse_word(arguments[i], bench))
        {
            return false;
        }
    }
    if (!bench->models[0] && !bench->models[1])
    {
        bench->models[0] = bench->models[1] = true;
    }
    if (!bench->engines[0] && !bench->engines[1] && !bench->engines[2])
    {
        bench->engines[0] = bench->engines[1] = bench->engines[2] = true;
    }
    if (bench->seeds == 0)
    {
        bench->seeds = bench->quick ? 1 : 4;
    }
    return true;
}

bool bench_npm_run(BenchReport* report, int argument_count, char** arguments)
{
    NpmBench bench = { .report = report };
    if (!parse(argument_count, arguments, &bench))
    {
        return false;
    }
    bench.alone = bench.alone || !npm_engines_available();
    for (int i = 0; i < 2; ++i)
    {
        if (bench.models[i] && !run_model(&bench, i == 1))
        {
            return false;
        }
    }
    return true;
}
