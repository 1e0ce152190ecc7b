// The same bytes for any workers, after going back, and after failures; what is refused.
#include "support/worlds.h"

#include <math.h>
#include <stdlib.h>

static uint64_t hash_of_pile(void* context, const AbutHost* host)
{
    (void)context;
    AbutWorld* world = test_make_pile(host);
    test_steps(world, 60);
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    return hash;
}

static void test_piles_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    test_assert_same_bytes(hash_of_pile, NULL);
}

static void test_step_rewind_step_gives_the_same_bytes(void** state)
{
    (void)state;
    AbutWorld* world = test_make_pile(NULL);
    test_steps(world, 40);
    size_t size = abut_world_snapshot_size(world);
    unsigned char* data = malloc(size);
    assert_non_null(data);
    test_assert_result(abut_world_save(world, data, size), ABUT_OK);
    uint64_t here = abut_world_hash(world);
    test_steps(world, 30);
    uint64_t there = abut_world_hash(world);
    test_assert_result(abut_world_restore(world, data, size), ABUT_OK);
    assert_int_equal(abut_world_hash(world), here);
    test_steps(world, 30);
    assert_int_equal(abut_world_hash(world), there);
    for (size_t i = 0; i < size; i += i < 256 ? 1 : 97)
    {
        data[i] ^= 1;
        assert_int_equal(abut_world_restore(world, data, size), ABUT_INVALID_DATA);
        data[i] ^= 1;
        assert_int_equal(abut_world_restore(world, data, i), ABUT_INVALID_DATA);
    }
    assert_int_equal(abut_world_hash(world), there);
    free(data);
    abut_world_destroy(world);
}

static void test_bad_bodies_and_worlds_are_refused(void** state)
{
    (void)state;
    AbutWorld* world = NULL;
    AbutWorldDef bad = abut_world_def();
    bad.gravity.x = NAN;
    test_assert_result(abut_world_create(&bad, &world), ABUT_INVALID_ARGUMENT);
    bad = abut_world_def();
    bad.substep_count = 0;
    test_assert_result(abut_world_create(&bad, &world), ABUT_INVALID_ARGUMENT);
    AbutWorldDef def = abut_world_def();
    def.body_limit = 1;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    AbutShape *ball = test_make_sphere(1.0f), *plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutBodyDef body = abut_body_def();
    AbutBodyId id;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_INVALID_ARGUMENT); // no shape
    body.shape = plane;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_INVALID_ARGUMENT); // no mass
    body.shape = ball;
    body.density = 0.0f;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_INVALID_ARGUMENT);
    body = abut_body_def();
    body.shape = ball;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_OK);
    AbutBodyId second;
    test_assert_result(abut_body_create(world, &body, &second), ABUT_LIMIT_EXCEEDED);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f), nan = abut_vec3(NAN, 0.0f, 0.0f);
    test_assert_result(abut_body_apply_force(world, id, nan, none), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_body_apply_force(world, second, none, none), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_body_set_velocity(world, id, none, nan), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_world_step(world, -1.0f, NULL), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_world_step(world, NAN, NULL), ABUT_INVALID_ARGUMENT);
    abut_shape_destroy(ball);
    abut_shape_destroy(plane);
    abut_world_destroy(world);
}

static AbutResult build_and_step(void* context, const AbutHost* host)
{
    (void)context;
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutWorld* world = NULL;
    AbutResult result = abut_world_create(&def, &world);
    AbutShape *ball = NULL, *box = NULL;
    result = result == ABUT_OK ? abut_shape_create_sphere(0.5f, host, &ball) : result;
    result = result == ABUT_OK ? abut_shape_create_box(abut_vec3(2.0f, 1.0f, 2.0f), host, &box) : result;
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = i == 0 ? box : ball;
        body.kind = i == 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        body.pose = abut_pose_at(0.3 * i, 0.95 * i, 0.0);
        AbutBodyId id;
        result = abut_body_create(world, &body, &id);
    }
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        result = abut_world_step(world, TEST_STEP, NULL);
    }
    abut_shape_destroy(ball);
    abut_shape_destroy(box);
    abut_world_destroy(world);
    return result;
}

static void test_worlds_survive_every_failing_allocation(void** state)
{
    (void)state;
    test_fail_every_allocation(build_and_step, NULL);
}

/// Falls and meets fast enough for steps of several rounds.
static AbutWorld* make_small_pile(const AbutHost* host)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    for (int i = 0; i < 5; ++i)
    {
        AbutShape* shape = i % 2 == 0 ? test_make_box(0.3f, 0.2f, 0.1f) : test_make_torus(0.15f, 0.05f);
        test_add_body(world, shape, ABUT_BODY_DYNAMIC, abut_pose_at(0.05 * i, 0.2 + 0.2 * i, 0.0),
                      test_plain);
    }
    return world;
}

/// A step that runs out of memory leaves the world as it was; the next one goes on as if nothing had been.
static void test_a_step_without_memory_changes_nothing(void** state)
{
    (void)state;
    TestHost host, plain;
    test_host_init(&host);
    test_host_init(&plain);
    AbutWorld *world = make_small_pile(&host.host), *other = make_small_pile(&plain.host);
    for (int step = 0; step < 40; ++step)
    {
        uint64_t before = abut_world_hash(world);
        host.fail_at = host.allocation_count + 1;
        AbutResult result = abut_world_step(world, TEST_STEP, NULL);
        if (result == ABUT_OUT_OF_MEMORY)
        {
            assert_int_equal(abut_world_hash(world), before);
            host.fail_at = 0;
            result = abut_world_step(world, TEST_STEP, NULL);
        }
        host.fail_at = 0;
        test_assert_result(result, ABUT_OK);
        test_assert_result(abut_world_step(other, TEST_STEP, NULL), ABUT_OK);
        assert_int_equal(abut_world_hash(world), abut_world_hash(other));
    }
    abut_world_destroy(world);
    abut_world_destroy(other);
}

/// No force, however large, makes numbers that are none.
static void test_huge_forces_stay_finite(void** state)
{
    (void)state;
    AbutWorld* world = test_make_pile(NULL);
    AbutBodyId bodies[10];
    uint32_t count = abut_world_bodies(world, bodies, 10);
    for (int step = 0; step < 20; ++step)
    {
        AbutVec3 huge = abut_vec3(3e38f, -3e38f, 1e38f);
        test_assert_result(abut_body_apply_force(world, bodies[count - 1], huge, huge), ABUT_OK);
        AbutStepReport report = test_steps(world, 1);
        assert_true(isfinite(report.kinetic_energy));
    }
    abut_world_destroy(world);
}

/// In a world in which fast bodies are looked after several times in a step.
static void test_events_have_the_impulse_of_the_whole_step(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId ball = test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(0.0, 2.0, 0.0), test_plain);
    double impulse = 0.0;
    int begins = 0;
    for (int step = 0; step < 120; ++step)
    {
        test_assert_result(abut_world_step(world, TEST_STEP, NULL), ABUT_OK);
        size_t count;
        const AbutTouchEvent* events = abut_world_events(world, &count);
        for (size_t i = 0; i < count; ++i)
        {
            impulse += (double)events[i].impulse;
            begins += events[i].change == ABUT_TOUCH_BEGINS ? 1 : 0;
        }
    }
    double weight = abut_body_state(world, ball).mass * (double)-def.gravity.y;
    assert_int_equal(begins, 1);
    test_assert_near(impulse, weight * 120.0 * (double)TEST_STEP, 0.01 * weight);
    abut_world_destroy(world);
}

/// A step whose later passes no longer have the pair still tells that its touch has ended.
static void test_a_touch_that_ends_in_an_early_pass_is_an_event(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId ball = test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(0.0, 0.1, 0.0), test_plain);
    test_steps(world, 30);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f), up = abut_vec3(0.0f, 100.0f, 0.0f);
    test_assert_result(abut_body_set_velocity(world, ball, up, none), ABUT_OK);
    AbutStepReport report;
    test_assert_result(abut_world_step(world, TEST_STEP, &report), ABUT_OK);
    assert_true(report.profile.pass_count >= 4);
    assert_int_equal(report.pair_count, 0);
    size_t count;
    const AbutTouchEvent* events = abut_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].change, ABUT_TOUCH_ENDS);
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_have_the_impulse_of_the_whole_step),
        cmocka_unit_test(test_a_touch_that_ends_in_an_early_pass_is_an_event),
        cmocka_unit_test(test_piles_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_step_rewind_step_gives_the_same_bytes),
        cmocka_unit_test(test_bad_bodies_and_worlds_are_refused),
        cmocka_unit_test(test_worlds_survive_every_failing_allocation),
        cmocka_unit_test(test_a_step_without_memory_changes_nothing),
        cmocka_unit_test(test_huge_forces_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
