// Worlds with springs: the same bytes, going back, sleep, warnings, points, bad input.
#include "support/scenes/spring_world.h"

#include "dynamics/state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0 / 60.0)

static const AbutMaterial plain = { .friction = 0.6f };

static AbutWorld* make_pile(const AbutHost* host, AbutPenaltyScheme scheme)
{
    AbutWorldDef def = test_spring_def(scheme);
    def.substep_count = 2;
    def.host = host;
    def.penalty.point_count = 50;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.0, plain);
    for (int i = 0; i < 3; ++i)
    {
        AbutPose pose = abut_pose_at(0.07 * (i % 3), 0.07 + 0.16 * i, 0.05 * (i % 2));
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.3f, (float)(i % 4)), (float)i);
        AbutShape* shape = i % 3 == 0   ? test_make_torus(0.15f, 0.05f)
                           : i % 3 == 1 ? test_make_box(0.3f, 0.2f, 0.1f)
                                        : test_make_sphere(0.12f);
        test_spring_add(world, test_spring_coarse(shape), NULL, ABUT_BODY_DYNAMIC, pose, plain);
    }
    return world;
}

static uint64_t hash_of_pile(void* context, const AbutHost* host)
{
    (void)context;
    AbutWorld* world = make_pile(host, ABUT_PENALTY_BALANCED);
    AbutStepReport report = test_spring_run(world, STEP, 12);
    assert_true(report.contact_count > 0);
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
    for (int scheme = 0; scheme < ABUT_PENALTY_SCHEME_COUNT; ++scheme)
    {
        AbutWorld* world = make_pile(NULL, (AbutPenaltyScheme)scheme);
        test_spring_run(world, STEP, 8);
        size_t size = abut_world_snapshot_size(world);
        unsigned char* data = malloc(size);
        assert_non_null(data);
        test_assert_result(abut_world_save(world, data, size), ABUT_OK);
        uint64_t here = abut_world_hash(world);
        test_spring_run(world, STEP, 5);
        uint64_t there = abut_world_hash(world);
        test_assert_result(abut_world_restore(world, data, size), ABUT_OK);
        assert_int_equal(abut_world_hash(world), here);
        test_spring_run(world, STEP, 5);
        assert_int_equal(abut_world_hash(world), there);
        data[size - 1] ^= 1;
        test_assert_result(abut_world_restore(world, data, size), ABUT_INVALID_DATA);
        test_assert_result(abut_world_restore(world, data, size - 1), ABUT_INVALID_DATA);
        assert_int_equal(abut_world_hash(world), there);
        free(data);
        abut_world_destroy(world);
    }
}

static void test_sleepers_wake_when_they_are_met_and_do_not_drop(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.sleep_speed = 0.05f;
    def.substep_count = 4;
    def.penalty.point_count = 200;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.0, plain);
    AbutBodyId box = test_spring_add(world, test_make_box(0.4f, 0.3f, 0.5f), NULL, ABUT_BODY_DYNAMIC,
                                     abut_pose_at(0.0, 0.151, 0.0), plain);
    test_spring_run(world, STEP, 120);
    assert_true(abut_body_state(world, box).asleep);
    size_t count;
    assert_int_equal(abut_world_events(world, &count)[0].change, ABUT_TOUCH_PERSISTS);
    double height = abut_body_state(world, box).center.y;
    AbutBodyId ball = test_spring_add(world, test_make_sphere(0.05f), NULL, ABUT_BODY_DYNAMIC,
                                      abut_pose_at(0.01, 0.4, 0.0), plain);
    bool woke = false;
    for (int i = 0; i < 40; ++i)
    {
        test_spring_run(world, STEP, 1);
        woke = woke || !abut_body_state(world, box).asleep;
        test_assert_near(abut_body_state(world, box).center.y, height, 5e-4);
    }
    assert_true(woke);
    abut_body_destroy(world, ball);
    test_spring_run(world, STEP, 60);
    assert_true(abut_body_state(world, box).asleep);
    abut_world_destroy(world);
}

static void test_steps_that_are_too_large_are_said_to_be(void** state)
{
    (void)state;
    const AbutMaterial stiff = { .stiffness = 1e6f, .restitution = 1.0f };
    for (int scheme = 0; scheme < ABUT_PENALTY_SCHEME_COUNT; ++scheme)
    {
        AbutWorldDef def = test_spring_def((AbutPenaltyScheme)scheme);
        AbutWorld* world = test_spring_world(&def);
        test_spring_add_ground(world, 0.0, plain);
        test_spring_add_ball(world, -1e-3, 0.0, stiff);
        AbutStepReport report = test_spring_run(world, 0.01, 1); // ω·dt = 10
        assert_int_equal(report.stiff_count, scheme == ABUT_PENALTY_BALANCED ? 0 : 1);
        const char* warning = abut_world_warning(world);
        assert_true(scheme == ABUT_PENALTY_BALANCED ? warning[0] == '\0'
                                                    : strstr(warning, "too stiff") != NULL);
        abut_world_destroy(world);
    }
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.penalty.depth = 1e-4f;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.0, plain);
    test_spring_add_ball(world, 0.0, 0.1, plain);
    test_spring_run(world, 1.0 / 30.0, 1);
    assert_non_null(strstr(abut_world_warning(world), "sink in"));
    abut_world_destroy(world);
}

/// Deep in each other at the start: out gently, with no more energy than the springs had.
static void test_bodies_that_overlap_at_the_start_separate_without_an_explosion(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    def.penalty.point_count = 200;
    AbutWorld* world = test_spring_world(&def);
    AbutBodyId a = test_spring_add(world, test_make_sphere(0.1f), NULL, ABUT_BODY_DYNAMIC,
                                   abut_pose_at(0.0, 0.0, 0.0), plain);
    AbutBodyId b = test_spring_add(world, test_make_sphere(0.1f), NULL, ABUT_BODY_DYNAMIC,
                                   abut_pose_at(0.15, 0.0, 0.0), plain);
    double most = 0.0;
    for (int i = 0; i < 100; ++i)
    {
        AbutStepReport report = test_spring_run(world, 1e-3, 1);
        most = i == 0 ? report.kinetic_energy + report.elastic_energy : most;
        assert_true(report.kinetic_energy + report.elastic_energy <= 1.01 * most);
    }
    double apart = abut_body_state(world, b).center.x - abut_body_state(world, a).center.x;
    assert_true(apart > 0.199);
    abut_world_destroy(world);
}

static void test_bodies_of_a_shape_share_their_points(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    AbutWorld* world = test_spring_world(&def);
    AbutBodyDef body = abut_body_def();
    body.shape = test_make_torus(0.2f, 0.05f);
    body.kind = ABUT_BODY_STATIC;
    AbutBodyId ids[3];
    for (int i = 0; i < 2; ++i)
    {
        body.pose = abut_pose_at(i, 0.0, 0.0);
        test_assert_result(abut_body_create(world, &body, &ids[i]), ABUT_OK);
    }
    assert_non_null(abut_world_body(world, ids[0])->points);
    assert_ptr_equal(abut_world_body(world, ids[0])->points, abut_world_body(world, ids[1])->points);
    AbutPointSet* own = NULL;
    const float at[3] = { 0.25f, 0.0f, 0.0f };
    test_assert_result(abut_points_create(at, NULL, 1, NULL, &own), ABUT_OK);
    body.points = own;
    test_assert_result(abut_body_create(world, &body, &ids[2]), ABUT_OK);
    assert_ptr_equal(abut_world_body(world, ids[2])->points, own);
    abut_points_destroy(own);
    for (int i = 0; i < 3; ++i)
    {
        abut_body_destroy(world, ids[i]);
    }
    abut_shape_destroy(body.shape);
    abut_world_destroy(world);
}

static void test_bodies_without_points_and_far_away_bodies_are_harmless(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.penalty.point_count = 20;
    AbutWorld* world = test_spring_world(&def);
    AbutPointSet* none = NULL;
    test_assert_result(abut_points_create(NULL, NULL, 0, NULL, &none), ABUT_OK);
    test_spring_add_ground(world, 0.0, plain);
    AbutBodyId ghost = test_spring_add(world, test_make_sphere(0.1f), none, ABUT_BODY_DYNAMIC,
                                       abut_pose_at(0.0, 0.05, 0.0), plain);
    abut_points_destroy(none);
    test_spring_run(world, STEP, 30); // falls through the ground: nothing of it is felt
    test_assert_near(abut_body_state(world, ghost).center.y, 0.05 - 0.5 * 9.81 * 0.25, 1e-3);
    AbutBodyId fast = test_spring_add(world, test_make_sphere(0.1f), NULL, ABUT_BODY_DYNAMIC,
                                      abut_pose_at(1e7, 1e7, 0.0), plain);
    abut_body_set_velocity(world, fast, abut_vec3(1e6f, -1e8f, 0.0f), abut_vec3(1e5f, 0.0f, 0.0f));
    AbutStepReport report;
    for (int i = 0; i < 6; ++i)
    {
        AbutResult result = abut_world_step(world, (float)STEP, &report);
        assert_true(result == ABUT_OK || result == ABUT_INVALID_ARGUMENT);
        assert_true(isfinite(report.kinetic_energy));
    }
    abut_world_destroy(world);
}

static void check_refused(AbutWorldDef def)
{
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_INVALID_ARGUMENT);
    assert_null(world);
}

static void test_bad_settings_and_materials_are_refused(void** state)
{
    (void)state;
    for (int i = 0; i < 9; ++i)
    {
        AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
        def.response = i == 0 ? ABUT_RESPONSE_COUNT : def.response;
        def.penalty.scheme = i == 1 ? ABUT_PENALTY_SCHEME_COUNT : def.penalty.scheme;
        def.penalty.midpoint_count = i == 2 ? 0 : i == 3 ? 65 : 20;
        def.penalty.depth = i == 4 ? NAN : i == 5 ? -1.0f : 0.0f;
        def.penalty.point_count = i == 6 ? 0 : 100;
        def.penalty.point_spacing = i == 7 ? INFINITY : 0.0f;
        def.penalty.iteration_limit = i == 8 ? 0 : 10;
        check_refused(def);
    }
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    AbutWorld* world = test_spring_world(&def);
    AbutBodyDef body = abut_body_def();
    body.shape = test_make_sphere(1.0f);
    const float bad[] = { NAN, -1.0f, INFINITY };
    for (int i = 0; i < 6; ++i)
    {
        AbutBodyId id;
        body.material.stiffness = i < 3 ? bad[i] : 1.0f;
        body.material.damping = i < 3 ? 1.0f : bad[i - 3];
        test_assert_result(abut_body_create(world, &body, &id), ABUT_INVALID_ARGUMENT);
    }
    abut_shape_destroy(body.shape);
    abut_world_destroy(world);
}

/// Three bodies of a field, so that its mass is known: one with points of its own, two that share those of
/// the shape.
static AbutResult build_and_step(void* context, const AbutHost* host)
{
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.host = host;
    def.penalty.point_count = 12;
    AbutWorld* world = NULL;
    AbutResult result = abut_world_create(&def, &world);
    const float corners[6] = { 0.9f, -0.5f, 0.9f, -0.9f, -0.5f, 0.9f };
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create(corners, NULL, 2, NULL, &points), ABUT_OK);
    AbutBodyId id = { 0, 0 };
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = context;
        body.points = i == 1 ? points : NULL;
        body.kind = i == 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        body.pose = abut_pose_at(0.3 * i, 0.999 * i, 0.0);
        result = abut_body_create(world, &body, &id);
    }
    for (int i = 0; i < 2 && result == ABUT_OK; ++i)
    {
        uint64_t before = abut_world_hash(world);
        result = abut_world_step(world, (float)STEP, NULL);
        assert_true(result == ABUT_OK || abut_world_hash(world) == before);
    }
    abut_points_destroy(points);
    abut_world_destroy(world);
    return result;
}

static void test_worlds_survive_every_failing_allocation(void** state)
{
    (void)state;
    AbutShape *box = test_make_box(2.0f, 1.0f, 2.0f), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 8;
    test_assert_result(abut_bake_shape(&def, box, &field), ABUT_OK);
    print_message("%u allocations\n", (unsigned)test_fail_every_allocation(build_and_step, field));
    abut_shape_destroy(field);
    abut_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_piles_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_step_rewind_step_gives_the_same_bytes),
        cmocka_unit_test(test_sleepers_wake_when_they_are_met_and_do_not_drop),
        cmocka_unit_test(test_steps_that_are_too_large_are_said_to_be),
        cmocka_unit_test(test_bodies_that_overlap_at_the_start_separate_without_an_explosion),
        cmocka_unit_test(test_bodies_of_a_shape_share_their_points),
        cmocka_unit_test(test_bodies_without_points_and_far_away_bodies_are_harmless),
        cmocka_unit_test(test_bad_settings_and_materials_are_refused),
        cmocka_unit_test(test_worlds_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
