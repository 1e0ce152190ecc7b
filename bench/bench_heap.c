// abut bench heap [quick] [alone] [COUNT]: boxes, capsules and convex hulls fall on each other, against
// Bullet and ODE with the same bodies.
#include "bench.h"
#include "heap_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 2000,
    QUICK_BODIES = 200,
    STEPS = 300,
    FALL_STEPS = 60 // the first second: all fall on each other
};

/// An engine that takes longer than this is compared over the steps that it completed.
static const double PEER_SECONDS = 90.0;

/// Bodies slower than this lie still, in metres per second.
static const double STILL = 1e-2;

typedef struct HeapRun
{
    int steps;
    double seconds[STEPS]; // of the processor, of each step
    HeapTruth truth;       // at the end
    uint32_t moving;       // bodies that moved in the last step
} HeapRun;

static double mean_ms(const HeapRun* run, int first, int last)
{
    double sum = 0.0;
    int count = 0;
    for (int i = first; i < last && i < run->steps; ++i, ++count)
    {
        sum += run->seconds[i];
    }
    return count > 0 ? 1e3 * sum / count : 0.0;
}

/// Bodies whose centres moved faster than STILL in the last step.
static uint32_t count_moving(const AbutPose* before, const AbutPose* after, uint32_t count)
{
    uint32_t moving = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double x = after[i].position.x - before[i].position.x, y = after[i].position.y - before[i].position.y,
               z = after[i].position.z - before[i].position.z;
        moving += sqrt(x * x + y * y + z * z) > STILL * HEAP_STEP ? 1u : 0u;
    }
    return moving;
}

// -----------------------------------------------------------------------------------------------------------
// abut as an engine like the others
// -----------------------------------------------------------------------------------------------------------

typedef struct OwnHeap
{
    AbutWorkers* workers;
    AbutWorld* world;
    AbutBodyId* ids;
    uint32_t count;
} OwnHeap;

static void own_destroy(void* pointer)
{
    OwnHeap* heap = pointer;
    abut_world_destroy(heap->world);
    abut_workers_destroy(heap->workers);
    free(heap->ids);
    free(heap);
}

static AbutResult own_fill(OwnHeap* heap, const HeapForms* forms, const AbutPose* poses)
{
    AbutBodyDef ground = abut_body_def();
    AbutBodyId id;
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground.shape);
    ground.kind = ABUT_BODY_STATIC;
    ground.material.friction = (float)HEAP_FRICTION;
    result = result == ABUT_OK ? abut_body_create(heap->world, &ground, &id) : result;
    abut_shape_destroy(ground.shape);
    for (uint32_t i = 0; i < heap->count && result == ABUT_OK; ++i)
    {
        AbutBodyDef def = abut_body_def();
        def.shape = forms->shapes[heap_kind_of(i)];
        def.pose = poses[i];
        def.material.friction = (float)HEAP_FRICTION;
        result = abut_body_create(heap->world, &def, &heap->ids[i]);
    }
    return result;
}

static void* own_create(const HeapForms* forms, const AbutPose* poses, uint32_t count)
{
    OwnHeap* heap = calloc(1, sizeof(OwnHeap));
    AbutBodyId* ids = malloc(count * sizeof(AbutBodyId));
    if (heap == NULL || ids == NULL)
    {
        free(heap);
        free(ids);
        return NULL;
    }
    *heap = (OwnHeap){ .ids = ids, .count = count };
    AbutResult result = abut_workers_create(1, NULL, &heap->workers);
    if (result == ABUT_OK)
    {
        AbutHost host = abut_workers_host(heap->workers);
        AbutWorldDef def = abut_world_def();
        def.host = &host;
        result = abut_world_create(&def, &heap->world);
    }
    result = result == ABUT_OK ? own_fill(heap, forms, poses) : result;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench heap: %s\n", abut_last_error());
        own_destroy(heap);
        return NULL;
    }
    return heap;
}

static void own_step(void* pointer, double seconds)
{
    if (abut_world_step(((OwnHeap*)pointer)->world, (float)seconds, NULL) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench heap: %s\n", abut_last_error());
    }
}

static void own_poses(void* pointer, AbutPose* out)
{
    const OwnHeap* heap = pointer;
    for (uint32_t i = 0; i < heap->count; ++i)
    {
        out[i] = abut_body_state(heap->world, heap->ids[i]).pose;
    }
}

static const HeapPeer own_engine = { "abut", own_create, own_destroy, own_step, own_poses };

// -----------------------------------------------------------------------------------------------------------
// Runs and rows
// -----------------------------------------------------------------------------------------------------------

typedef struct HeapTask
{
    HeapForms forms;
    HeapJudge* judge;
    uint32_t count;
    AbutPose *start, *before, *after;
} HeapTask;

static bool run_engine(const HeapPeer* engine, HeapTask* task, HeapRun* run)
{
    void* heap = engine->create(&task->forms, task->start, task->count);
    double spent = 0.0;
    *run = (HeapRun){ 0 };
    for (int i = 0; i < STEPS && spent < PEER_SECONDS && heap != NULL; ++i)
    {
        engine->poses(heap, task->before);
        double start = bench_cpu_seconds();
        engine->step(heap, HEAP_STEP);
        run->seconds[i] = bench_cpu_seconds() - start;
        spent += run->seconds[i];
        run->steps = i + 1;
    }
    if (heap != NULL)
    {
        engine->poses(heap, task->after);
        run->moving = count_moving(task->before, task->after, task->count);
        run->truth = heap_judge_measure(task->judge, task->after);
        engine->destroy(heap);
    }
    return heap != NULL;
}

static void report(BenchReport* rows, const HeapRun* own, const HeapPeer* peer, const HeapRun* theirs)
{
    const char* name = peer != NULL ? peer->name : NULL;
    int steps = own->steps < theirs->steps ? own->steps : theirs->steps; // the same work
    char title[64];
    snprintf(title, sizeof(title), "heap: step, mean of %d", steps);
    bench_report_row(rows, title, mean_ms(own, 0, steps), "ms", name, mean_ms(theirs, 0, steps), false);
    bench_report_row(rows, "heap: step, first second", mean_ms(own, 0, FALL_STEPS), "ms", name,
                     mean_ms(theirs, 0, FALL_STEPS), false);
    bench_report_row(rows, "heap: deepest overlap", 100.0 * own->truth.deepest, "% of size", name,
                     100.0 * theirs->truth.deepest, false);
    bench_report_row(rows, "heap: median overlap", 100.0 * own->truth.median, "% of size", name,
                     100.0 * theirs->truth.median, false);
    bench_report_row(rows, "heap: bodies that still move", own->moving, "bodies", name, theirs->moving,
                     false);
    bench_report_row(rows, "heap: bodies under the ground", own->truth.lost, "bodies", name,
                     theirs->truth.lost, false);
}

static bool run_all(BenchReport* rows, HeapTask* task, bool alone)
{
    HeapRun own, theirs;
    if (!run_engine(&own_engine, task, &own))
    {
        return false;
    }
    if (alone)
    {
        report(rows, &own, NULL, &own);
    }
    for (const HeapPeer* const* peer = heap_peers(); *peer != NULL && !alone; ++peer)
    {
        if (!run_engine(*peer, task, &theirs))
        {
            return false;
        }
        report(rows, &own, *peer, &theirs);
    }
    if (own.truth.lost > 0)
    {
        fprintf(stderr, "abut: bench heap: %u bodies are under the ground\n", own.truth.lost);
    }
    return own.truth.lost == 0;
}

static bool parse(int count, char** arguments, uint32_t* bodies, bool* alone)
{
    for (int i = 0; i < count; ++i)
    {
        int number = atoi(arguments[i]);
        if (strcmp(arguments[i], "quick") == 0)
        {
            *bodies = QUICK_BODIES;
        }
        else if (strcmp(arguments[i], "alone") == 0)
        {
            *alone = true;
        }
        else if (number > 0 && number <= 100000)
        {
            *bodies = (uint32_t)number;
        }
        else
        {
            fprintf(stderr, "abut: bench heap: '%s' is none of quick, alone and no count\n", arguments[i]);
            return false;
        }
    }
    return true;
}

bool bench_heap_run(BenchReport* rows, int argument_count, char** arguments)
{
    HeapTask task = { .count = BODIES };
    bool alone = false;
    if (!parse(argument_count, arguments, &task.count, &alone) || !heap_forms_create(&task.forms))
    {
        return false;
    }
    task.judge = heap_judge_create(&task.forms, task.count);
    task.start = calloc(3 * (size_t)task.count, sizeof(AbutPose));
    bool good = task.judge != NULL && task.start != NULL;
    if (good)
    {
        task.before = task.start + task.count;
        task.after = task.before + task.count;
        heap_make_poses(task.count, task.start);
        good = run_all(rows, &task, alone);
    }
    free(task.start);
    heap_judge_destroy(task.judge);
    heap_forms_destroy(&task.forms);
    return good;
}
