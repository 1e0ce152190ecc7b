#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

const BenchCase* bench_cases(void)
{
    static const BenchCase cases[] = {
#if defined(BENCH_HAS_ACCURACY)
        { "accuracy", "errors of fields: convergence, order 1 against order 0, things thinner than a cell",
          bench_accuracy_run },
#endif
#if defined(BENCH_HAS_BAKE)
        { "bake", "fields from meshes, against Embree, CGAL and OpenVDB: bake [quick] [PART...] [MESH...]",
          bench_bake_run },
#endif
#if defined(BENCH_HAS_BROAD)
        { "broad", "pairs of moving boxes, against Bullet, FCL and Embree: broad [quick] [COUNT...]",
          bench_broad_run },
#endif
#if defined(BENCH_HAS_ADAPTER)
        { "bullet", "heaps in a world of Bullet, its meshes against abut's shapes: bullet [quick] [PART...]",
          bench_engine_run },
#endif
#if defined(BENCH_HAS_DROP)
        { "drop",
          "bodies that fall on fixed copies, answered with springs, beside a paper: drop [quick] [PART...] "
          "[CELLS]",
          bench_drop_run },
#endif
#if defined(BENCH_HAS_EVAL)
        { "eval", "evaluations per second of each primitive, per instruction set", bench_eval_run },
#endif
#if defined(BENCH_HAS_FAMILIES)
        { "families",
          "primitives, hulls and meshes by families of methods, against peers: families [quick] [PART...]",
          bench_families_run },
#endif
#if defined(BENCH_HAS_GPU)
        { "gpu", "all pairs of three scenes on every device: gpu [quick] [report] [SCENE...] [DEVICE]",
          bench_gpu_run },
#endif
#if defined(BENCH_HAS_HEAP)
        { "heap", "boxes, capsules and hulls in a heap, against Bullet and ODE: heap [quick] [alone] [COUNT]",
          bench_heap_run },
#endif
#if defined(BENCH_HAS_HULL)
        { "hull",
          "point hulls, and pairs by them beside adaptive and particles: hull [quick] [BUNNY [DRAGON]]",
          bench_hull_run },
#endif
#if defined(BENCH_HAS_KRAYER)
        { "krayer", "all pairs of three scenes, beside a paper's GPU: krayer [quick] [SCENE...] [FORMAT]",
          bench_krayer_run },
#endif
#if defined(BENCH_HAS_LOAD)
        { "load", "reading OBJ, STL and PLY, against assimp: load [FILE.obj]", bench_load_run },
#endif
#if defined(BENCH_HAS_NPM)
        { "npm",
          "heaps of tori and nuts, against PhysX 5 and MuJoCo 3 from npm: npm [quick] [PART...] [SEEDS]",
          bench_npm_run },
#endif
#if defined(BENCH_HAS_PAIRS)
        { "pairs", "two bodies, against FCL, ODE and Bullet: pairs [quick] [PART...] [MODEL...]",
          bench_pairs_run },
#endif
#if defined(BENCH_HAS_PILE)
        { "pile", "concave bodies in a pile, against ODE and Bullet: pile [quick] [PART...] [alone] [COUNT]",
          bench_pile_run },
#endif
#if defined(BENCH_HAS_POINTS)
        { "points", "moving points against fields, beside a paper: points [quick] [CELLS] [BUNNY [DRAGON]]",
          bench_points_run },
#endif
#if defined(BENCH_HAS_RECALL)
        { "recall", "wrong answers near touching, of the proof and of particles: recall [quick] [SCENE...]",
          bench_recall_run },
#endif
#if defined(BENCH_HAS_SAMPLE)
        { "sample", "sampling fields, against a plain gather loop and OpenVDB: sample [CELLS]",
          bench_sample_run },
#endif
#if defined(BENCH_HAS_SEGMENTS)
        { "segments",
          "segments against fields, beside a paper and Embree: segments [quick] [steps] [CELLS...] [MESH]",
          bench_segments_run },
#endif
#if defined(BENCH_HAS_SURFACE)
        { "rebake", "fields after a small change, against baking them anew", bench_rebake_run },
        { "surface", "meshing a level: time on all workers and one, and memory", bench_surface_run },
#endif
#if defined(BENCH_HAS_THROW)
        { "throw", "bodies that move further than they are long, against FCL: throw [quick] [bunny] [nut]",
          bench_throw_run },
#endif
        { NULL, NULL, NULL },
    };
    return cases;
}

// -----------------------------------------------------------------------------------------------------------
// Reports
// -----------------------------------------------------------------------------------------------------------

struct BenchReport
{
    BenchRow* rows;
    size_t count, capacity;
};

BenchReport* bench_report_create(void)
{
    BenchReport* report = calloc(1, sizeof(BenchReport));
    if (report == NULL)
    {
        fprintf(stderr, "abut: no memory for a benchmark report\n");
    }
    return report;
}

void bench_report_destroy(BenchReport* report)
{
    if (report != NULL)
    {
        free(report->rows);
        free(report);
    }
}

static BenchRow* add_row(BenchReport* report)
{
    if (report->count == report->capacity)
    {
        size_t capacity = report->capacity == 0 ? 64 : 2 * report->capacity;
        BenchRow* rows = realloc(report->rows, capacity * sizeof(BenchRow));
        if (rows == NULL)
        {
            fprintf(stderr, "abut: no memory for a row of a benchmark report\n");
            return NULL;
        }
        report->rows = rows;
        report->capacity = capacity;
    }
    return memset(&report->rows[report->count++], 0, sizeof(BenchRow));
}

/// 1 for 0 against 0.
static double ratio_of(double numerator, double denominator)
{
    return numerator == denominator ? 1.0 : numerator / denominator;
}

void bench_report_row(BenchReport* report, const char* name, double value, const char* unit, const char* peer,
                      double peer_value, bool higher_is_better)
{
    BenchRow* row = add_row(report);
    if (row == NULL)
    {
        return;
    }
    snprintf(row->name, sizeof(row->name), "%s", name);
    snprintf(row->unit, sizeof(row->unit), "%s", unit);
    snprintf(row->peer, sizeof(row->peer), "%s", peer != NULL ? peer : "");
    row->value = value;
    if (peer != NULL)
    {
        row->peer_value = peer_value;
        row->ratio = ratio_of(higher_is_better ? value : peer_value, higher_is_better ? peer_value : value);
    }
}

void bench_report_visit(const BenchReport* report, void (*visit)(void* context, const BenchRow* row),
                        void* context)
{
    for (size_t i = 0; i < report->count; ++i)
    {
        visit(context, &report->rows[i]);
    }
}

void bench_report_print(const BenchReport* report)
{
    int name_width = 4, peer_width = 4;
    if (report->count == 0)
    {
        return;
    }
    for (size_t i = 0; i < report->count; ++i)
    {
        int name = (int)strlen(report->rows[i].name), peer = (int)strlen(report->rows[i].peer);
        name_width = name > name_width ? name : name_width;
        peer_width = peer > peer_width ? peer : peer_width;
    }
    printf("%-*s  %12s %-16s %-*s %12s %8s\n", name_width, "name", "abut", "unit", peer_width, "peer",
           "peer's", "ratio");
    for (size_t i = 0; i < report->count; ++i)
    {
        const BenchRow* row = &report->rows[i];
        printf("%-*s  %12.5g %-16s ", name_width, row->name, row->value, row->unit);
        if (row->peer[0] != '\0')
        {
            printf("%-*s %12.5g %8.2f", peer_width, row->peer, row->peer_value, row->ratio);
        }
        printf("\n");
    }
}

// -----------------------------------------------------------------------------------------------------------
// Time
// -----------------------------------------------------------------------------------------------------------

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_median(double* times, int count)
{
    qsort(times, (size_t)count, sizeof(double), compare_doubles);
    return count % 2 == 1 ? times[count / 2] : 0.5 * (times[count / 2 - 1] + times[count / 2]);
}

double bench_median_seconds(void (*run)(void* context), void* context, int repeats)
{
    enum
    {
        MOST = 101
    };
    double times[MOST];
    int count = repeats < 1 ? 1 : (repeats > MOST ? MOST : repeats);
    run(context);
    for (int i = 0; i < count; ++i)
    {
        double start = bench_seconds();
        run(context);
        times[i] = bench_seconds() - start;
    }
    return bench_median(times, count);
}

void bench_consume(const void* data, size_t size)
{
    // Writing one byte to a place that the compiler cannot see through makes all of the data needed.
    static volatile uint8_t sink;
    const volatile uint8_t* bytes = data;
    sink = (uint8_t)(sink ^ (size > 0 ? bytes[size / 2] : 0));
}
