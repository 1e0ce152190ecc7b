// abut bench recall [quick] [SCENE...] [exact|fields] [FORMAT]: wrong answers near touching, of the proof and
// of particles.
#include "bench.h"
#include "scenes/recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CASES = 10000,
    QUICK_CASES = 200,
    CELLS = 128,
    MOST_COMPLAINTS = 5,
    MOST_CONTACTS = 1 << 16,
    METHOD_COUNT = 5 // the proof, and particles in four numbers
};

/// A way to answer: N of particles, 0 for the proof.
static const uint32_t methods[METHOD_COUNT] = { 0, 5, 10, 15, 20 };

typedef struct RecallBench
{
    BenchReport* report;
    unsigned kinds;
    bool quick, exact, fields;
    AbutFieldFormat format;
    bool sparse;
    AbutContact* contacts;
    uint64_t wrong;
} RecallBench;

typedef struct Tally
{
    uint64_t overlapping, unsure, wrong, missed, close, evaluations;
} Tally;

static bool format_named(RecallBench* bench, const char* name)
{
    static const char* const names[ABUT_FIELD_FORMAT_COUNT] = { "f32", "f16", "first" };
    for (int i = 0; i < ABUT_FIELD_FORMAT_COUNT; ++i)
    {
        if (strcmp(name, names[i]) == 0)
        {
            bench->format = (AbutFieldFormat)i;
            return true;
        }
    }
    return false;
}

/// Scenes are named by the first word of their names.
static unsigned kind_named(const char* name)
{
    for (unsigned i = 0; i < RECALL_KIND_COUNT; ++i)
    {
        const char* full = recall_kind_name((RecallKind)i);
        if (strlen(name) > 2 && strncmp(full, name, strlen(name)) == 0)
        {
            return 1u << i;
        }
    }
    return 0;
}

static bool parse(int count, char** arguments, RecallBench* bench)
{
    for (int i = 0; i < count; ++i)
    {
        const char* name = arguments[i];
        bool quick = strcmp(name, "quick") == 0, exact = strcmp(name, "exact") == 0;
        bool fields = strcmp(name, "fields") == 0, sparse = strcmp(name, "sparse") == 0;
        unsigned kind = kind_named(name);
        if (!quick && !exact && !fields && !sparse && kind == 0 && !format_named(bench, name))
        {
            fprintf(
                stderr,
                "abut: bench recall: '%s' is none of quick; torus, grazing, parallel, gears, needle, box; "
                "exact, fields; f32, f16, first, sparse\n",
                name);
            return false;
        }
        bench->quick = bench->quick || quick;
        bench->exact = bench->exact || exact;
        bench->fields = bench->fields || fields;
        bench->sparse = bench->sparse || sparse;
        bench->kinds |= kind;
    }
    bench->kinds = bench->kinds != 0 ? bench->kinds : (1u << RECALL_KIND_COUNT) - 1u;
    bool both = !bench->exact && !bench->fields;
    bench->exact = bench->exact || both;
    bench->fields = bench->fields || both;
    return true;
}

static void complain(const RecallScene* scene, const char* name, uint64_t number, const char* wrong,
                     const RecallCase* item)
{
    fprintf(stderr, "abut: bench recall: %s, case %llu: %s; gap %g, tolerance %g\n", name,
            (unsigned long long)number, wrong, item->gap, recall_scene_tolerance(scene));
}

static void run_case(RecallBench* bench, const RecallScene* scene, const char* name, uint64_t number,
                     Tally tallies[METHOD_COUNT])
{
    RecallCase item = recall_scene_case(scene, number);
    for (int method = 0; method < METHOD_COUNT; ++method)
    {
        Tally* tally = &tallies[method];
        AbutCollideInput input = recall_scene_input(scene, &item);
        input.settings.method = method == 0 ? ABUT_COLLIDE_ADAPTIVE : ABUT_COLLIDE_PARTICLES;
        input.settings.particles.resolution =
            method == 0 ? input.settings.particles.resolution : methods[method];
        AbutCollideOutput output =
            abut_collide(&input, method == 0 ? NULL : bench->contacts, method == 0 ? 0 : MOST_CONTACTS);
        tally->evaluations += output.evaluations;
        tally->overlapping += item.overlap && !item.unsure ? 1 : 0;
        tally->unsure += item.unsure ? 1 : 0;
        if (method > 0)
        {
            tally->missed += item.overlap && !item.unsure && output.contact_total == 0 ? 1 : 0;
            continue;
        }
        const char* wrong = recall_scene_judge(scene, &item, &output);
        tally->close += output.state == ABUT_COLLIDE_CLOSE ? 1 : 0;
        tally->missed += item.overlap && !item.unsure && output.state == ABUT_COLLIDE_SEPARATED ? 1 : 0;
        if (wrong != NULL && tally->wrong++ < MOST_COMPLAINTS)
        {
            complain(scene, name, number, wrong, &item);
        }
    }
}

static void report(const RecallBench* bench, const char* name, const Tally tallies[METHOD_COUNT],
                   uint64_t count)
{
    char row[80];
    const Tally* proof = &tallies[0];
    snprintf(row, sizeof(row), "%s: overlapping", name);
    bench_report_row(bench->report, row, 100.0 * (double)proof->overlapping / (double)count, "%", NULL, 0.0,
                     false);
    snprintf(row, sizeof(row), "%s: too near to judge", name);
    bench_report_row(bench->report, row, (double)proof->unsure, "poses", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: adaptive, wrong", name);
    bench_report_row(bench->report, row, (double)proof->wrong, "poses", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: adaptive, close", name);
    bench_report_row(bench->report, row, 100.0 * (double)proof->close / (double)count, "%", NULL, 0.0, false);
    for (int method = 0; method < METHOD_COUNT; ++method)
    {
        char who[24];
        snprintf(who, sizeof(who), method == 0 ? "adaptive" : "particles, N = %u", methods[method]);
        const Tally* t = &tallies[method];
        snprintf(row, sizeof(row), "%s: %s, missed", name, who);
        bench_report_row(bench->report, row, 100.0 * (double)t->missed / (double)t->overlapping, "%", NULL,
                         0.0, false);
        snprintf(row, sizeof(row), "%s: %s", name, who);
        bench_report_row(bench->report, row, (double)t->evaluations / (double)count, "evaluations", NULL, 0.0,
                         false);
    }
}

static bool run_scene(RecallBench* bench, RecallDef def)
{
    RecallScene* scene = NULL;
    Tally tallies[METHOD_COUNT] = { { 0 } };
    char name[40];
    snprintf(name, sizeof(name), "%s, %s", recall_kind_name(def.kind), def.cells == 0 ? "exact" : "fields");
    if (recall_scene_create(&def, &scene) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench recall: %s: %s\n", name, abut_last_error());
        return false;
    }
    uint64_t count = bench->quick ? QUICK_CASES : CASES;
    for (uint64_t i = 0; i < count; ++i)
    {
        run_case(bench, scene, name, i, tallies);
    }
    report(bench, name, tallies, count);
    bench->wrong += tallies[0].wrong;
    recall_scene_destroy(scene);
    return true;
}

bool bench_recall_run(BenchReport* report, int argument_count, char** arguments)
{
    RecallBench bench = { .report = report, .format = ABUT_FIELD_F32 };
    if (!parse(argument_count, arguments, &bench))
    {
        return false;
    }
    bench.contacts = malloc(MOST_CONTACTS * sizeof(AbutContact));
    if (bench.contacts == NULL)
    {
        fprintf(stderr, "abut: bench recall: no memory for contacts\n");
        return false;
    }
    bool ok = true;
    for (unsigned i = 0; i < RECALL_KIND_COUNT; ++i)
    {
        if ((bench.kinds & (1u << i)) != 0)
        {
            RecallDef def = { .kind = (RecallKind)i, .format = bench.format, .sparse = bench.sparse };
            ok = ok && (!bench.exact || run_scene(&bench, def));
            def.cells = CELLS;
            ok = ok && (!bench.fields || run_scene(&bench, def));
        }
    }
    free(bench.contacts);
    return ok && bench.wrong == 0;
}
