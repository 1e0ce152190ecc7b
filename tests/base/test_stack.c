// How much stack calls need: everything runs on threads with 128 KiB, those of the caller and those of the
// host's loops.
#include "support/tour/tour.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SMALL = 128 << 10,
    LARGE = 1 << 20,
    PAINT = 0xa5,

    /// What docs/host.md promises, with what the system itself keeps on a thread's stack (10 KiB) and 10 KiB
    /// for the functions of the tour.
    PROMISE = (80 + 20) << 10
};

/// Sanitizers and debug builds have frames of their own.
#if TEST_IS_SANITIZED || !defined(__OPTIMIZE__)
#define IS_PLAIN 0
#else
#define IS_PLAIN 1
#endif

typedef struct Job
{
    Tour* tour;
    const TourStop* stop; // NULL: tour_begin()
    uint64_t hash;
} Job;

static void* run_job(void* argument)
{
    Job* job = argument;
    if (job->stop == NULL)
    {
        tour_begin(job->tour, job->tour->host);
        job->hash = job->tour->made;
    }
    else
    {
        job->hash = job->stop->run(job->tour);
    }
    return NULL;
}

static uint64_t run_on_small_stack(Job* job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_job, job), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return job->hash;
}

/// Bytes of a painted stack that lost their paint.
static size_t measure(Job* job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char* stack = aligned_alloc(4096, LARGE);
    assert_non_null(stack);
    memset(stack, PAINT, LARGE);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, LARGE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_job, job), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    size_t left = 0;
    while (left < LARGE && stack[left] == PAINT)
    {
        ++left;
    }
    free(stack);
    return LARGE - left;
}

static void test_calls_need_no_more_stack_than_is_stated(void** state)
{
    (void)state;
    if (!IS_PLAIN)
    {
        skip();
    }
    AbutHost alone = abut_host_default();
    alone.worker_count = 1; // blocks run on the calling thread, too
    Tour tour = { .host = &alone };
    Job begin = { &tour, NULL, 0 };
    printf("%-16s %6.1f KiB\n", "bakes", (double)measure(&begin) / 1024.0);
    for (int i = 0; tour_stops[i].name != NULL; ++i)
    {
        Job job = { &tour, &tour_stops[i], 0 };
        size_t bytes = measure(&job);
        printf("%-16s %6.1f KiB\n", tour_stops[i].name, (double)bytes / 1024.0);
        assert_true(bytes <= PROMISE);
    }
    tour_end(&tour);
}

// -----------------------------------------------------------------------------------------------------------
// Nested shapes
// -----------------------------------------------------------------------------------------------------------

enum
{
    LEVELS = 60,
    POINTS = 100
};

/// Balls in a row: all in one union, and each in a union with the one of those before.
typedef struct Rows
{
    AbutShape *flat, *nested;
} Rows;

static Rows make_rows(void)
{
    AbutShape* balls[LEVELS];
    Rows rows = { NULL, NULL };
    for (int i = 0; i < LEVELS; ++i)
    {
        AbutShape* ball = NULL;
        AbutPose pose = abut_pose_at(0.1 * i, 0.03 * (i % 3), 0.0);
        test_assert_result(abut_shape_create_sphere(0.1f, NULL, &ball), ABUT_OK);
        test_assert_result(abut_shape_create_transformed(ball, &pose, NULL, &balls[i]), ABUT_OK);
        abut_shape_destroy(ball);
        AbutShape *pair[2] = { rows.nested, balls[i] }, *both = NULL;
        test_assert_result(abut_shape_create_union(i == 0 ? &balls[0] : pair, i == 0 ? 1 : 2, NULL, &both),
                           ABUT_OK);
        abut_shape_destroy(rows.nested);
        rows.nested = both;
    }
    test_assert_result(abut_shape_create_union(balls, LEVELS, NULL, &rows.flat), ABUT_OK);
    for (int i = 0; i < LEVELS; ++i)
    {
        abut_shape_destroy(balls[i]);
    }
    return rows;
}

static uint64_t visit_nested(const Tour* tour)
{
    float at[3][POINTS], out[4][POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        at[0][i] = 0.07f * (float)i;
        at[1][i] = 0.01f * (float)(i % 17);
        at[2][i] = 0.02f * (float)(i % 5);
    }
    abut_shape_sample(tour->solid, NULL, (AbutPoints){ at[0], at[1], at[2] }, POINTS,
                      (AbutSamples){ out[0], out[1], out[2], out[3] });
    AbutCollideInput input = abut_collide_input(tour->solid, tour->solid);
    AbutContact contacts[16];
    input.pose_b = abut_pose_at(0.1, 0.23, 0.0);
    input.settings.budget = 4096;
    AbutCollideOutput output = abut_collide(&input, contacts, 16);
    return abut_hash(out, sizeof(out), (uint64_t)output.contact_total);
}

static void test_shapes_nested_60_deep_answer_as_flat_ones_on_small_stacks(void** state)
{
    (void)state;
    if (!IS_PLAIN)
    {
        skip();
    }
    const TourStop stop = { "nested", visit_nested };
    Rows rows = make_rows();
    Tour flat = { .solid = rows.flat }, nested = { .solid = rows.nested };
    Job jobs[2] = { { &flat, &stop, 0 }, { &nested, &stop, 0 } };
    assert_int_equal(run_on_small_stack(&jobs[0]), run_on_small_stack(&jobs[1]));
    printf("%-16s %6.1f KiB\n", stop.name, (double)measure(&jobs[1]) / 1024.0);
    abut_shape_destroy(rows.flat);
    abut_shape_destroy(rows.nested);
}

// -----------------------------------------------------------------------------------------------------------
// A host with small threads
// -----------------------------------------------------------------------------------------------------------

enum
{
    WORKERS = 2
};

typedef struct Share
{
    AbutBlockFn* block;
    void* context;
    uint32_t first, count;
} Share;

static void* run_share(void* argument)
{
    const Share* share = argument;
    for (uint32_t i = share->first; i < share->count; i += WORKERS)
    {
        share->block(share->context, i, share->first);
    }
    return NULL;
}

static void run_on_small_threads(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    (void)user;
    pthread_t threads[WORKERS];
    Share shares[WORKERS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL);
    for (uint32_t i = 0; i < WORKERS; ++i)
    {
        shares[i] = (Share){ block, context, i, block_count };
        if (pthread_create(&threads[i], &attributes, run_share, &shares[i]) != 0)
        {
            abort();
        }
    }
    for (uint32_t i = 0; i < WORKERS; ++i)
    {
        pthread_join(threads[i], NULL);
    }
    pthread_attr_destroy(&attributes);
}

static void test_everything_runs_on_threads_with_128_kib(void** state)
{
    (void)state;
    if (!IS_PLAIN)
    {
        skip();
    }
    AbutHost hosts[2] = { abut_host_default(), abut_host_default() };
    hosts[0].worker_count = 1;
    hosts[1].worker_count = WORKERS;
    hosts[1].parallel_for = run_on_small_threads;
    uint64_t hashes[2][32] = { { 0 } };
    for (int k = 0; k < 2; ++k)
    {
        Tour tour = { .host = &hosts[k] };
        Job begin = { &tour, NULL, 0 };
        hashes[k][0] = run_on_small_stack(&begin);
        for (int i = 0; tour_stops[i].name != NULL; ++i)
        {
            Job job = { &tour, &tour_stops[i], 0 };
            hashes[k][1 + i] = run_on_small_stack(&job);
        }
        tour_end(&tour);
    }
    assert_memory_equal(hashes[0], hashes[1], sizeof(hashes[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_need_no_more_stack_than_is_stated),
        cmocka_unit_test(test_shapes_nested_60_deep_answer_as_flat_ones_on_small_stacks),
        cmocka_unit_test(test_everything_runs_on_threads_with_128_kib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
