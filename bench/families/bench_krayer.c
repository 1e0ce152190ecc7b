// abut bench krayer [quick] [SCENE...] [FORMAT]: Table 1 of Krayer et al. in kind, beside the paper's figures
// for a GTX 1070.
//
// Scenes: statues, objects, balls; all of them when none is named. Formats of fields: f32, f16, order1.
#include "bench.h"
#include "krayer_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RESOLUTIONS = 4,
    REPEATS = 9
};

/// A line of the paper's Table 1.
typedef struct PaperRow
{
    uint32_t resolution;
    double collisions, pairs, milliseconds, per_pair;
} PaperRow;

typedef struct SceneCase
{
    const char* name;
    bool (*create)(const KrayerFields* fields, KrayerScene* scene);
    PaperRow paper[RESOLUTIONS];
} SceneCase;

static const SceneCase cases[] = {
    { "statues",
      krayer_scene_statues,
      { { 5, 4.57, 3, 0.31, 0.1017 },
        { 10, 9.38, 3, 0.31, 0.1048 },
        { 15, 16.18, 3, 0.38, 0.1271 },
        { 20, 37.99, 3, 0.47, 0.1554 } } },
    { "objects",
      krayer_scene_objects,
      { { 5, 14704.20, 1209.40, 4.10, 0.0034 },
        { 10, 118520.59, 1325.405, 15.27, 0.0115 },
        { 15, 354805.26, 1204.096, 37.16, 0.0309 },
        { 20, 808656.76, 1121.437, 69.97, 0.0624 } } },
    { "balls",
      krayer_scene_balls,
      { { 5, 2015.98, 408.13, 1.72, 0.0042 },
        { 10, 65590.03, 505.23, 5.01, 0.0099 },
        { 15, 288067.48, 565.70, 17.15, 0.0303 },
        { 20, 705999.38, 576.88, 41.21, 0.0714 } } },
};

enum
{
    CASE_COUNT = sizeof(cases) / sizeof(cases[0])
};

typedef struct KrayerBench
{
    BenchReport* report;
    AbutCollider* collider;
    KrayerFields fields;
    int repeats;
    unsigned scenes;
} KrayerBench;

static const char PEER[] = "GTX 1070, the paper";

/// Median milliseconds of a step in which nothing is known from the last one.
static bool time_step(const KrayerBench* bench, const KrayerScene* scene, const AbutCollideSettings* settings,
                      AbutCollideResults* results, double* milliseconds)
{
    double times[REPEATS];
    for (int i = -1; i < bench->repeats; ++i)
    {
        abut_collider_reset(bench->collider);
        double start = bench_seconds();
        if (abut_collide_pairs(
                bench->collider,
                &(AbutPairsInput){ scene->bodies, scene->body_count, scene->pairs, scene->pair_count },
                settings, results) != ABUT_OK)
        {
            return false;
        }
        times[i < 0 ? 0 : i] = 1e3 * (bench_seconds() - start);
    }
    *milliseconds = bench_median(times, bench->repeats);
    return true;
}

static void report_rows(const KrayerBench* bench, const char* name, const AbutCollideResults* results,
                        double milliseconds, const PaperRow* paper)
{
    char text[64];
    size_t touching = 0;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        touching += results->pairs[i].output.contact_count > 0 ? 1 : 0;
    }
    snprintf(text, sizeof(text), "%s, pairs (%zu touch)", name, touching);
    bench_report_row(bench->report, text, (double)results->pair_count, "", PEER, paper->pairs, true);
    snprintf(text, sizeof(text), "%s, collisions", name);
    bench_report_row(bench->report, text, (double)results->contact_count, "", PEER, paper->collisions, true);
    snprintf(text, sizeof(text), "%s, time", name);
    bench_report_row(bench->report, text, milliseconds, "ms", PEER, paper->milliseconds, false);
    snprintf(text, sizeof(text), "%s, time per pair", name);
    bench_report_row(bench->report, text, milliseconds / (double)results->pair_count, "ms", PEER,
                     paper->per_pair, false);
}

/// Steps in which every body moves by a ten-thousandth of its size, there and back, and answers are used
/// again where that is proved to be right.
static bool time_small_motions(const KrayerBench* bench, const char* scene_name, KrayerScene* scene,
                               const PaperRow* paper)
{
    AbutCollideSettings settings = abut_collide_settings();
    settings.reuse = 0.002f;
    AbutCollideResults results;
    double times[REPEATS];
    for (int i = -2; i < bench->repeats; ++i)
    {
        for (uint32_t k = scene->fixed_count; k < scene->body_count; ++k)
        {
            scene->bodies[k].pose.position.x += (i + (int)k) % 2 == 0 ? 1e-4 : -1e-4;
        }
        double start = bench_seconds();
        if (abut_collide_pairs(
                bench->collider,
                &(AbutPairsInput){ scene->bodies, scene->body_count, scene->pairs, scene->pair_count },
                &settings, &results) != ABUT_OK)
        {
            return false;
        }
        times[i < 0 ? 0 : i] = 1e3 * (bench_seconds() - start);
    }
    char name[64];
    snprintf(name, sizeof(name), "%s, adaptive, small motions, %.0f %% used again", scene_name,
             100.0 * (double)results.reused_count / (double)results.pair_count);
    bench_report_row(bench->report, name, bench_median(times, bench->repeats) / (double)results.pair_count,
                     "ms", PEER, paper->per_pair, false);
    return true;
}

static bool run_scene(const KrayerBench* bench, const SceneCase* scene_case, KrayerScene* scene)
{
    AbutCollideResults results;
    double milliseconds;
    char name[48];
    for (int i = 0; i < RESOLUTIONS; ++i)
    {
        AbutCollideSettings settings = abut_collide_settings();
        settings.method = ABUT_COLLIDE_PARTICLES;
        settings.particles.resolution = scene_case->paper[i].resolution;
        if (!time_step(bench, scene, &settings, &results, &milliseconds))
        {
            return false;
        }
        snprintf(name, sizeof(name), "%s, particles N = %u", scene_case->name, settings.particles.resolution);
        report_rows(bench, name, &results, milliseconds, &scene_case->paper[i]);
        snprintf(name, sizeof(name), "%s, particles N = %u, per step", scene_case->name,
                 settings.particles.resolution);
        bench_report_row(bench->report, name, 1e6 * milliseconds / (double)results.evaluations, "ns", NULL,
                         0.0, false);
    }
    AbutCollideSettings settings = abut_collide_settings();
    if (!time_step(bench, scene, &settings, &results, &milliseconds))
    {
        return false;
    }
    snprintf(name, sizeof(name), "%s, adaptive beside N = 10", scene_case->name);
    report_rows(bench, name, &results, milliseconds, &scene_case->paper[1]);
    return time_small_motions(bench, scene_case->name, scene, &scene_case->paper[1]);
}

static bool read_arguments(KrayerBench* bench, int count, char** arguments)
{
    static const char* const formats[] = { "f32", "f16", "order1" };
    for (int i = 0; i < count; ++i)
    {
        bool known = strcmp(arguments[i], "quick") == 0;
        if (known)
        {
            bench->repeats = 1;
            bench->fields.resolution = 64;
        }
        for (unsigned k = 0; k < CASE_COUNT; ++k)
        {
            bool same = strcmp(arguments[i], cases[k].name) == 0;
            bench->scenes |= same ? 1u << k : 0;
            known = known || same;
        }
        for (int k = 0; k < 3; ++k)
        {
            bool same = strcmp(arguments[i], formats[k]) == 0;
            bench->fields.format = same ? (AbutFieldFormat)k : bench->fields.format;
            known = known || same;
        }
        if (!known)
        {
            fprintf(
                stderr,
                "abut: bench krayer: \"%s\" is none of quick, statues, objects, balls, f32, f16, order1\n",
                arguments[i]);
            return false;
        }
    }
    bench->scenes = bench->scenes != 0 ? bench->scenes : (1u << CASE_COUNT) - 1u;
    return true;
}

static bool run_scenes(const KrayerBench* bench)
{
    bool ok = true;
    KrayerScene* scene = calloc(1, sizeof(KrayerScene));
    for (unsigned i = 0; i < CASE_COUNT && ok; ++i)
    {
        if ((bench->scenes >> i & 1u) != 0)
        {
            ok =
                scene != NULL && cases[i].create(&bench->fields, scene) && run_scene(bench, &cases[i], scene);
            if (!ok)
            {
                fprintf(stderr, "abut: bench krayer: %s: %s\n", cases[i].name,
                        scene != NULL ? abut_last_error() : "no memory");
            }
            krayer_scene_destroy(scene);
        }
    }
    free(scene);
    return ok;
}

bool bench_krayer_run(BenchReport* report, int argument_count, char** arguments)
{
    KrayerBench bench = { .report = report,
                          .fields = { ABUT_FIELD_FIRST_ORDER, 128 }, // as in the paper
                          .repeats = REPEATS };
    if (!read_arguments(&bench, argument_count, arguments))
    {
        return false;
    }
    AbutWorkers* workers = NULL;
    bool ok = abut_workers_create(0, NULL, &workers) == ABUT_OK;
    AbutHost host = ok ? abut_workers_host(workers) : abut_host_default();
    ok = ok && abut_collider_create(&host, &bench.collider) == ABUT_OK;
    if (!ok)
    {
        fprintf(stderr, "abut: bench krayer: %s\n", abut_last_error());
    }
    ok = ok && run_scenes(&bench);
    abut_collider_destroy(bench.collider);
    abut_workers_destroy(workers);
    return ok;
}
