// Time-critical queries: yes or no with a deadline, by oriented boxes, the priority queue and the stack
// of the laboratory.
// Half of the poses are random, half are bisected to a gap of a thousandth, where traversals are longest.
#include "families.h"
#include "family_mesh.h"
#include "pairs_cases.h"

#include <abut/bvh.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
    MOST_QUERIES = 10000,
    REPEATS = 3,
};

static const double GAP = 1e-3;

static const double deadlines[] = { 20e-6, 50e-6, 100e-6, 200e-6, 500e-6 };

typedef struct DeadlineCase
{
    const char* name;
    AbutBvh* bvh;
    AbutMeshTree* tree;
    AbutPose poses[MOST_QUERIES];
    bool touching[MOST_QUERIES];
    double overrun[MOST_QUERIES]; // seconds, of the first run
    double least[MOST_QUERIES];   // of all runs: interrupts hit one of them
    int count;
} DeadlineCase;

/// Processor time of this thread: what others do on the machine is not in it.
static double thread_seconds(void* user)
{
    (void)user;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// A query's clock: processor time, of which the wall clock gives an upper bound at a tenth of the price.
/// Only when that has reached the deadline the thread's own clock is read.
typedef struct QueryClock
{
    double wall_start, start, seconds;
    uint64_t reads, dear_reads;
} QueryClock;

static void begin(QueryClock* clock, double seconds)
{
    clock->seconds = seconds;
    clock->wall_start = wall_seconds();
    clock->start = thread_seconds(NULL);
}

static double query_seconds(void* user)
{
    QueryClock* clock = user;
    clock->reads += 1;
    double wall = wall_seconds() - clock->wall_start;
    if (wall < clock->seconds)
    {
        return clock->start + wall;
    }
    clock->dear_reads += 1;
    return thread_seconds(NULL);
}

/// Seconds of one reading of each clock.
typedef struct ClockPrice
{
    double wall, thread;
} ClockPrice;

static ClockPrice clock_price(void)
{
    enum
    {
        READS = 20000
    };
    double sum = 0.0, start = thread_seconds(NULL);
    for (int i = 0; i < READS; ++i)
    {
        sum += wall_seconds();
    }
    double middle = thread_seconds(NULL);
    for (int i = 0; i < READS; ++i)
    {
        sum += thread_seconds(NULL);
    }
    double end = thread_seconds(NULL);
    return (ClockPrice){ (middle - start) / READS + 0.0 * sum, (end - middle) / READS };
}

static bool touches(const DeadlineCase* set, const AbutPose* pose)
{
    AbutMeshTreePair pair = { set->tree, set->tree, abut_pose_identity(), *pose };
    return abut_mesh_tree_collide(&pair).touching;
}

/// Along the line from the origin to the pose: the surfaces about GAP apart.
static AbutPose with_gap(const DeadlineCase* set, AbutPose pose)
{
    AbutPosition p = pose.position;
    double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    double in = 0.0, out = 3.0;
    while (length > 0.0 && out - in > 0.1 * GAP)
    {
        double middle = 0.5 * (in + out), s = middle / length;
        pose.position = (AbutPosition){ s * p.x, s * p.y, s * p.z };
        bool inside = touches(set, &pose);
        in = inside ? middle : in;
        out = inside ? out : middle;
    }
    double s = length > 0.0 ? (out + GAP) / length : 1.0;
    pose.position = (AbutPosition){ s * p.x, s * p.y, s * p.z };
    return pose;
}

static void make_poses(DeadlineCase* set, const AbutMesh* mesh)
{
    PairModel model = { .mesh_a = (AbutMesh*)(uintptr_t)mesh, .mesh_b = (AbutMesh*)(uintptr_t)mesh };
    pair_model_make_poses(&model, set->poses, set->count);
    for (int i = 0; i < set->count; ++i)
    {
        set->poses[i] = i % 2 == 0 ? set->poses[i] : with_gap(set, set->poses[i]);
        set->touching[i] = touches(set, &set->poses[i]);
    }
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

typedef struct Tally
{
    int apart, wrong, incomplete, missed;
    double seconds; // of all queries
    uint64_t reads, dear_reads;
} Tally;

static void count_output(Tally* tally, const AbutBvhOutput* output, bool touching)
{
    tally->apart += !touching;
    tally->wrong += output->touching && !touching;
    tally->missed += !output->touching && touching;
    tally->incomplete += !output->complete;
}

static Tally ask_all(DeadlineCase* set, AbutBvhQueue queue, double seconds)
{
    AbutBvhTraversal traversal = abut_bvh_traversal();
    traversal.queue = queue;
    traversal.seconds = seconds;
    QueryClock clock = { 0 };
    traversal.clock = query_seconds;
    traversal.clock_user = &clock;
    Tally tally = { 0 };
    for (int i = 0; i < REPEATS * set->count; ++i)
    {
        int k = i / REPEATS;
        AbutBvhPair pair = { set->bvh, set->bvh, abut_pose_identity(), set->poses[k] };
        begin(&clock, seconds);
        AbutBvhOutput output = abut_bvh_collide(&pair, &traversal);
        double elapsed = thread_seconds(NULL) - clock.start, overrun = fmax(elapsed - seconds, 0.0);
        tally.seconds += elapsed;
        set->overrun[k] = i % REPEATS == 0 ? overrun : set->overrun[k];
        set->least[k] = i % REPEATS == 0 ? overrun : fmin(overrun, set->least[k]);
        if (i % REPEATS == 0)
        {
            count_output(&tally, &output, set->touching[k]);
        }
    }
    tally.reads = clock.reads;
    tally.dear_reads = clock.dear_reads;
    return tally;
}

/// In microseconds. Sorts the times.
static double percentile(double* times, int count)
{
    qsort(times, (size_t)count, sizeof(double), compare_doubles);
    return 1e6 * times[(size_t)(0.999 * (count - 1))];
}

/// Overruns of a loop that does nothing but read the clock: what the machine adds.
static double idle_overrun(DeadlineCase* set, double seconds)
{
    for (int i = 0; i < set->count; ++i)
    {
        QueryClock clock = { 0 };
        begin(&clock, seconds);
        double end = clock.start + seconds;
        while (query_seconds(&clock) < end)
        {
        }
        set->overrun[i] = fmax(thread_seconds(NULL) - end, 0.0);
    }
    return percentile(set->overrun, set->count);
}

static bool run_deadline(BenchReport* report, DeadlineCase* set, AbutBvhQueue queue, double seconds)
{
    char name[64], prefix[40];
    Tally tally = ask_all(set, queue, seconds);
    snprintf(prefix, sizeof(prefix), "%.8s, %.8s, %.0f us", set->name, abut_bvh_queue_name(queue),
             1e6 * seconds);
    double overrun = percentile(set->overrun, set->count), least = percentile(set->least, set->count);
    snprintf(name, sizeof(name), "%s: overrun, 99.9 %%", prefix);
    bench_report_row(report, name, overrun, "us", "idle loop", idle_overrun(set, seconds), false);
    snprintf(name, sizeof(name), "%s: the same, least of 3", prefix);
    bench_report_row(report, name, least, "us", NULL, 0.0, false);
    ClockPrice price = clock_price();
    double reading = (double)tally.reads * price.wall + (double)tally.dear_reads * price.thread;
    snprintf(name, sizeof(name), "%s: reading the clock", prefix);
    bench_report_row(report, name, 100.0 * reading / tally.seconds, "% of time", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%s: out of time", prefix);
    bench_report_row(report, name, 100.0 * tally.incomplete / set->count, "%", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%s: wrong touching", prefix);
    bench_report_row(report, name, 100.0 * tally.wrong / (tally.apart > 0 ? tally.apart : 1), "% of apart",
                     NULL, 0.0, false);
    if (tally.missed > 0)
    {
        fprintf(stderr, "abut: bench families: deadline: %d touching pairs are called apart\n", tally.missed);
    }
    return tally.missed == 0;
}

static bool run_mesh(BenchReport* report, const FamilyOptions* options, const char* name, AbutMesh* mesh)
{
    DeadlineCase* set = calloc(1, sizeof(DeadlineCase));
    AbutBvhDef def = abut_bvh_def();
    def.volume = ABUT_BVH_ORIENTED_BOX;
    bool good = set != NULL && mesh != NULL && abut_bvh_create(&def, mesh, &set->bvh) == ABUT_OK &&
                abut_mesh_tree_create(mesh, NULL, &set->tree) == ABUT_OK;
    if (good)
    {
        set->name = name;
        set->count = options->quick ? 2000 : MOST_QUERIES;
        make_poses(set, mesh);
        ask_all(set, ABUT_BVH_PRIORITY, 1e-3); // warm
        for (size_t i = 0; i < sizeof(deadlines) / sizeof(deadlines[0]); ++i)
        {
            good = run_deadline(report, set, ABUT_BVH_PRIORITY, deadlines[i]) && good;
            good = run_deadline(report, set, ABUT_BVH_STACK, deadlines[i]) && good;
        }
    }
    if (set != NULL)
    {
        abut_bvh_destroy(set->bvh);
        abut_mesh_tree_destroy(set->tree);
    }
    abut_mesh_destroy(mesh);
    free(set);
    return good;
}

bool family_deadline_run(BenchReport* report, const FamilyOptions* options)
{
    bool good = run_mesh(report, options, "bunny", family_mesh_load("bunny69k.obj"));
    return run_mesh(report, options, "dragon", family_mesh_load("dragon48k.obj")) && good;
}
