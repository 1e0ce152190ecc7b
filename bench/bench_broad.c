// abut bench broad [quick] [COUNT...]: all pairs of moving boxes at every step, against Bullet, FCL and
// Embree.
//
// All take turns at each step of the same scene, on one thread. Times are of the processor, means over all
// steps: methods that do most of their work at some steps do not get away with the others. Pairs must be the
// same from all.
#include "bench.h"
#include "broad_peers.h"
#include "broad_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_COUNTS = 8,
    MOST_RUNNERS = 16,
    ALL_PAIRS_MOST = 2000,
    SWEEP_MOST = 20000
};

/// One who finds pairs: a method of abut, or a peer.
typedef struct Runner
{
    const char* name;
    AbutBroad* broad;
    const BenchBroadPeer* peer;
    void* state;             // of the peer
    double seconds, slowest; // of the steps so far
    int steps;
} Runner;

typedef struct BroadBench
{
    BenchReport* report;
    bool quick;
    AbutHost alone; // one worker
    BroadScene scene;
    Runner runners[MOST_RUNNERS];
    int runner_count;
    char title[48];
} BroadBench;

/// Pairs, sorted, for comparisons.
typedef struct PairArray
{
    AbutBodyPair* pairs;
    size_t count;
} PairArray;

// -----------------------------------------------------------------------------------------------------------
// Runners
// -----------------------------------------------------------------------------------------------------------

static bool add_method(BroadBench* bench, AbutBroadMethod method)
{
    const BroadScene* scene = &bench->scene;
    Runner* runner = &bench->runners[bench->runner_count++];
    AbutBroadDef def = abut_broad_def();
    def.method = method;
    def.host = &bench->alone;
    *runner = (Runner){ .name = abut_broad_method_name(method) };
    if (abut_broad_create(&def, &runner->broad) != ABUT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        uint32_t id;
        if (abut_broad_add(runner->broad, scene->boxes[i], UINT32_MAX, UINT32_MAX, &id) != ABUT_OK)
        {
            return false;
        }
    }
    return true;
}

static bool add_peer(BroadBench* bench, const BenchBroadPeer* peer)
{
    Runner* runner = &bench->runners[bench->runner_count++];
    *runner = (Runner){ .name = peer->name, .peer = peer };
    runner->state = peer->create(bench->scene.boxes, bench->scene.count, bench->scene.world);
    return runner->state != NULL;
}

static bool add_runners(BroadBench* bench)
{
    const BroadScene* scene = &bench->scene;
    bool ok = true;
    bench->runner_count = 0;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT && ok; ++method)
    {
        uint32_t most = method == ABUT_BROAD_ALL_PAIRS
                            ? ALL_PAIRS_MOST
                            : (method == ABUT_BROAD_SWEEP_AND_PRUNE ? SWEEP_MOST : UINT32_MAX);
        ok = scene->count > most || add_method(bench, (AbutBroadMethod)method);
    }
    for (const BenchBroadPeer* const* peer = bench_broad_peers(); *peer != NULL && ok; ++peer)
    {
        uint32_t most = scene->random ? (*peer)->most_random : (*peer)->most_coherent;
        ok = scene->count > most || add_peer(bench, *peer);
    }
    return ok;
}

static void remove_runners(BroadBench* bench)
{
    for (int i = 0; i < bench->runner_count; ++i)
    {
        Runner* runner = &bench->runners[i];
        abut_broad_destroy(runner->broad);
        if (runner->state != NULL)
        {
            runner->peer->destroy(runner->state);
        }
    }
    bench->runner_count = 0;
}

static bool step_runner(Runner* runner, const BroadScene* scene)
{
    const AbutBodyPair* pairs;
    size_t count;
    bool ok = true;
    double start = bench_cpu_seconds();
    if (runner->peer != NULL)
    {
        runner->peer->step(runner->state, scene->boxes);
    }
    else
    {
        ok = abut_broad_move_many(runner->broad, NULL, scene->boxes, scene->count) == ABUT_OK &&
             abut_broad_update_pairs(runner->broad, &pairs, &count) == ABUT_OK;
    }
    double seconds = bench_cpu_seconds() - start;
    runner->seconds += seconds;
    runner->slowest = seconds > runner->slowest ? seconds : runner->slowest;
    runner->steps += 1;
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// The same pairs
// -----------------------------------------------------------------------------------------------------------

static int compare_pairs(const void* a, const void* b)
{
    const AbutBodyPair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/// Sorted, each once, without those whose boxes do not meet: some peers give their boxes a margin.
static size_t clean_pairs(AbutBodyPair* pairs, size_t count, const AbutBox* boxes)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
    {
        AbutBodyPair pair = pairs[i];
        if (pair.a != pair.b && abut_box_overlap(boxes[pair.a], boxes[pair.b]))
        {
            pairs[kept++] = pair.a < pair.b ? pair : (AbutBodyPair){ pair.b, pair.a };
        }
    }
    qsort(pairs, kept, sizeof(AbutBodyPair), compare_pairs);
    size_t unique = 0;
    for (size_t i = 0; i < kept; ++i)
    {
        if (unique == 0 || compare_pairs(&pairs[unique - 1], &pairs[i]) != 0)
        {
            pairs[unique++] = pairs[i];
        }
    }
    return unique;
}

static bool read_pairs(const Runner* runner, const BroadScene* scene, PairArray* out)
{
    const AbutBodyPair* pairs = NULL;
    if (runner->peer == NULL && abut_broad_update_pairs(runner->broad, &pairs, &out->count) != ABUT_OK)
    {
        return false;
    }
    out->count = runner->peer != NULL ? runner->peer->pairs(runner->state, NULL, 0) : out->count;
    out->pairs = malloc((out->count + 1) * sizeof(AbutBodyPair));
    if (out->pairs == NULL)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %zu pairs", out->count);
        return false;
    }
    if (runner->peer != NULL)
    {
        runner->peer->pairs(runner->state, out->pairs, out->count);
        out->count = clean_pairs(out->pairs, out->count, scene->boxes);
    }
    else if (out->count > 0)
    {
        memcpy(out->pairs, pairs, out->count * sizeof(AbutBodyPair));
    }
    return true;
}

/// Those of every box with every other.
static bool all_pairs(const BroadBench* bench, PairArray* out)
{
    BroadBench truth = { .alone = bench->alone, .scene = bench->scene };
    bool ok = add_method(&truth, ABUT_BROAD_ALL_PAIRS) && read_pairs(&truth.runners[0], &truth.scene, out);
    remove_runners(&truth);
    return ok;
}

static bool check_pairs(const BroadBench* bench)
{
    PairArray expected = { 0 };
    bool ok = all_pairs(bench, &expected);
    for (int i = 0; i < bench->runner_count && ok; ++i)
    {
        const Runner* runner = &bench->runners[i];
        PairArray found = { 0 };
        ok = read_pairs(runner, &bench->scene, &found);
        if (ok && (found.count != expected.count ||
                   memcmp(found.pairs, expected.pairs, found.count * sizeof(AbutBodyPair)) != 0))
        {
            ok = false;
            abut_fail(ABUT_INVALID_DATA, "%s, %s: %zu pairs, not the %zu of all pairs", bench->title,
                      runner->name, found.count, expected.count);
        }
        free(found.pairs);
    }
    bench_report_row(bench->report, bench->title, (double)expected.count, "pairs", NULL, 0.0, false);
    free(expected.pairs);
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

static double milliseconds(const Runner* runner)
{
    return 1e3 * runner->seconds / runner->steps;
}

static const Runner* fastest(const BroadBench* bench, bool peer)
{
    const Runner* best = NULL;
    for (int i = 0; i < bench->runner_count; ++i)
    {
        const Runner* runner = &bench->runners[i];
        if ((runner->peer != NULL) == peer && (best == NULL || milliseconds(runner) < milliseconds(best)))
        {
            best = runner;
        }
    }
    return best;
}

/// Each method against the fastest peer, then the fastest method against each peer.
static void report(const BroadBench* bench)
{
    const Runner *peer = fastest(bench, true), *ours = fastest(bench, false);
    char name[96];
    for (int i = 0; i < bench->runner_count; ++i)
    {
        const Runner* runner = &bench->runners[i];
        const bool own = runner->peer == NULL;
        const Runner *left = own ? runner : ours, *right = own ? peer : runner;
        snprintf(name, sizeof(name), "%s, %s%s", bench->title, left->name, own ? "" : ", the fastest");
        bench_report_row(bench->report, name, milliseconds(left), "ms per step",
                         right != NULL ? right->name : NULL, right != NULL ? milliseconds(right) : 0.0,
                         false);
    }
    snprintf(name, sizeof(name), "%s, %s, slowest step", bench->title, ours->name);
    bench_report_row(bench->report, name, 1e3 * ours->slowest, "ms", peer != NULL ? peer->name : NULL,
                     peer != NULL ? 1e3 * peer->slowest : 0.0, false);
}

/// Whole rounds of twelve steps: boxes that go straight on have room for so many.
static int step_count(const BroadBench* bench)
{
    int rounds = bench->scene.count <= 2000 ? 20 : (bench->scene.count <= 20000 ? 8 : 4);
    return 12 * (bench->quick ? (rounds + 3) / 4 + 1 : rounds);
}

static bool run_steps(BroadBench* bench)
{
    const double budget = bench->quick ? 2.0 : 20.0; // seconds, after which a peer is not asked any more
    const int warm = 3, steps = step_count(bench) + warm;
    bool ok = true;
    for (int step = 0; step < steps && ok; ++step)
    {
        broad_scene_step(&bench->scene);
        for (int i = 0; i < bench->runner_count && ok; ++i)
        {
            Runner* runner = &bench->runners[i];
            if (runner->peer == NULL || runner->seconds < budget || step == steps - 1)
            {
                Runner before = *runner;
                ok = step_runner(runner, &bench->scene);
                if (step < warm ||
                    before.seconds >= budget) // the last step of a slow peer is for its pairs alone
                {
                    runner->seconds = step < warm ? 0.0 : before.seconds;
                    runner->slowest = step < warm ? 0.0 : before.slowest;
                    runner->steps = step < warm ? 0 : before.steps;
                }
            }
        }
    }
    return ok;
}

static bool run_case(BroadBench* bench, uint32_t count, bool sized, bool random)
{
    snprintf(bench->title, sizeof(bench->title), "%u %s, %s", count, sized ? "of sizes 1:1000" : "alike",
             random ? "random" : "coherent");
    if (!broad_scene_create(count, sized, random, &bench->scene))
    {
        return false;
    }
    bool ok = add_runners(bench) && run_steps(bench) && check_pairs(bench);
    if (ok)
    {
        report(bench);
    }
    remove_runners(bench);
    broad_scene_destroy(&bench->scene);
    return ok;
}

static bool parse(int count, char** arguments, bool* quick, uint32_t* counts, int* count_count)
{
    for (int i = 0; i < count; ++i)
    {
        char* end;
        unsigned long number = strtoul(arguments[i], &end, 10);
        if (strcmp(arguments[i], "quick") == 0)
        {
            *quick = true;
        }
        else if (*end == '\0' && number >= 2 && number <= 10000000 && *count_count < MOST_COUNTS)
        {
            counts[(*count_count)++] = (uint32_t)number;
        }
        else
        {
            fprintf(stderr,
                    "abut: bench broad: '%s' is neither 'quick' nor one of at most %d numbers of boxes\n",
                    arguments[i], MOST_COUNTS);
            return false;
        }
    }
    return true;
}

bool bench_broad_run(BenchReport* report, int argument_count, char** arguments)
{
    BroadBench bench = { .report = report, .alone = abut_host_default() };
    uint32_t counts[MOST_COUNTS];
    int count_count = 0;
    bench.alone.worker_count = 1;
    if (!parse(argument_count, arguments, &bench.quick, counts, &count_count))
    {
        return false;
    }
    static const uint32_t usual[3] = { 1000, 10000, 100000 };
    for (int i = 0; count_count == 0 && i < (bench.quick ? 2 : 3); ++i)
    {
        counts[i] = usual[i];
    }
    count_count = count_count > 0 ? count_count : (bench.quick ? 2 : 3);
    bool ok = true;
    for (int i = 0; i < 4 * count_count && ok; ++i)
    {
        ok = run_case(&bench, counts[i / 4], i % 4 >= 2, i % 2 == 1);
    }
    if (!ok)
    {
        fprintf(stderr, "abut: bench broad: %s\n", abut_last_error());
    }
    return ok;
}
