/// @file bench.h
/// Benchmarks behind `abut bench NAME`: each bench_<name>.c has one function that measures and reports rows.
/// Peers and abut do the same work in the same run, several times; rows carry medians.
#ifndef ABUT_BENCH_H
#define ABUT_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchReport BenchReport;

typedef struct BenchCase
{
    const char* name;    ///< the NAME of the command line
    const char* summary; ///< one line for --help
    /// Returns false after printing a message to stderr when it cannot run (a missing mesh, a missing peer).
    bool (*run)(BenchReport* report, int argument_count, char** arguments);
} BenchCase;

/// All benchmarks, ended by a case without a name. The table is in bench.c.
const BenchCase* bench_cases(void);

/// The cases; each lives in bench_<name>.c.
bool bench_accuracy_run(BenchReport* report, int argument_count, char** arguments);
bool bench_bake_run(BenchReport* report, int argument_count, char** arguments);
bool bench_broad_run(BenchReport* report, int argument_count, char** arguments);
bool bench_drop_run(BenchReport* report, int argument_count, char** arguments);
bool bench_engine_run(BenchReport* report, int argument_count, char** arguments);
bool bench_eval_run(BenchReport* report, int argument_count, char** arguments);
bool bench_families_run(BenchReport* report, int argument_count, char** arguments);
bool bench_gpu_run(BenchReport* report, int argument_count, char** arguments);
bool bench_heap_run(BenchReport* report, int argument_count, char** arguments);
bool bench_hull_run(BenchReport* report, int argument_count, char** arguments);
bool bench_krayer_run(BenchReport* report, int argument_count, char** arguments);
bool bench_load_run(BenchReport* report, int argument_count, char** arguments);
bool bench_npm_run(BenchReport* report, int argument_count, char** arguments);
bool bench_pairs_run(BenchReport* report, int argument_count, char** arguments);
bool bench_pile_run(BenchReport* report, int argument_count, char** arguments);
bool bench_points_run(BenchReport* report, int argument_count, char** arguments);
bool bench_recall_run(BenchReport* report, int argument_count, char** arguments);
bool bench_sample_run(BenchReport* report, int argument_count, char** arguments);
bool bench_segments_run(BenchReport* report, int argument_count, char** arguments);
bool bench_rebake_run(BenchReport* report, int argument_count, char** arguments);
bool bench_surface_run(BenchReport* report, int argument_count, char** arguments);
bool bench_throw_run(BenchReport* report, int argument_count, char** arguments);

/// One result. `peer` may be NULL. The ratio that is printed is > 1 where abut is better.
void bench_report_row(BenchReport* report, const char* name, double value, const char* unit, const char* peer,
                      double peer_value, bool higher_is_better);

/// A row as it was reported, with its ratio.
typedef struct BenchRow
{
    char name[64];
    double value;
    char unit[24];
    char peer[48]; ///< empty when there is none
    double peer_value;
    double ratio;
} BenchRow;

/// NULL, with a message on stderr, when there is no memory.
BenchReport* bench_report_create(void);

/// NULL is ignored.
void bench_report_destroy(BenchReport* report);

/// Calls visit(context, row) for each row in the order they were reported.
void bench_report_visit(const BenchReport* report, void (*visit)(void* context, const BenchRow* row),
                        void* context);

/// Prints the rows as a table on stdout; nothing when there are none.
void bench_report_print(const BenchReport* report);

/// Seconds on a clock that never goes back.
double bench_seconds(void);

/// Processor seconds of this process, all threads: what work on one thread takes, however busy the machine
/// is.
double bench_cpu_seconds(void);

/// Sorts `times` and gives their median.
double bench_median(double* times, int count);

/// Runs `run(context)` once to warm up and then `repeats` times; the median time of one run in seconds.
double bench_median_seconds(void (*run)(void* context), void* context, int repeats);

/// Keeps the compiler from dropping work whose result nobody uses.
void bench_consume(const void* data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
