// Bodies in a world against closed forms: fall, free turning, slopes, bounces, rest.
#include "support/shapes.h"

#include <abut/dynamics.h>
#include <math.h>
#include <stdlib.h>

#define STEP (1.0f / 60.0f)

static AbutWorld* make_world(const AbutHost* host)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    return world;
}

/// Takes over the shape.
static AbutBodyId add(AbutWorld* world, AbutShape* shape, AbutBodyKind kind, AbutPose pose,
                      AbutMaterial material)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.material = material;
    AbutBodyId body;
    test_assert_result(abut_body_create(world, &def, &body), ABUT_OK);
    abut_shape_destroy(shape);
    return body;
}

static void add_ground(AbutWorld* world, double slope, AbutMaterial material)
{
    AbutShape* plane = NULL;
    AbutVec3 normal = abut_vec3((float)sin(slope), (float)cos(slope), 0.0f);
    test_assert_result(abut_shape_create_plane(normal, 0.0f, NULL, &plane), ABUT_OK);
    add(world, plane, ABUT_BODY_STATIC, abut_pose_identity(), material);
}

static AbutStepReport run(AbutWorld* world, int steps)
{
    AbutStepReport report = { 0 };
    for (int i = 0; i < steps; ++i)
    {
        test_assert_result(abut_world_step(world, STEP, &report), ABUT_OK);
    }
    return report;
}

static const AbutMaterial plain = { .friction = 0.6f };

static void test_a_body_falls_along_the_parabola(void** state)
{
    (void)state;
    AbutWorld* world = make_world(NULL);
    AbutBodyId ball =
        add(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC, abut_pose_at(1.0, 100.0, -2.0), plain);
    run(world, 120);
    AbutBodyState now = abut_body_state(world, ball);
    double t = 120.0 * (double)STEP, g = (double)9.81f;
    test_assert_near(now.linear_velocity.y, -g * t, 1e-4);
    test_assert_near(now.center.y, 100.0 - 0.5 * g * t * t, 1e-9);
    test_assert_near(now.center.x, 1.0, 1e-6);
    abut_world_destroy(world);
}

/// A body of three different moments that turns about the middle one tumbles wildly.
static void test_a_free_body_keeps_its_energy_and_angular_momentum(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    AbutShape* shape = test_make_box(0.3f, 0.2f, 0.1f);
    AbutBodyDef body = abut_body_def();
    body.shape = shape;
    body.never_sleeps = true;
    body.angular_velocity = abut_vec3(0.02f, 10.0f, 0.03f);
    AbutBodyId id;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_OK);
    abut_shape_destroy(shape);
    double energy = run(world, 1).kinetic_energy;
    bool turned_over = false;
    for (int i = 0; i < 600; ++i)
    {
        AbutStepReport report = run(world, 1);
        test_assert_near(report.kinetic_energy / energy, 1.0, 1e-4);
        AbutVec3 up = abut_quat_rotate(abut_body_state(world, id).pose.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
        turned_over = turned_over || up.y < -0.9f;
    }
    assert_true(turned_over); // Dzhanibekov's effect
    abut_world_destroy(world);
}

static AbutPose on_slope(double slope, double height)
{
    AbutPose pose = abut_pose_at(height * sin(slope), height * cos(slope), 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)-slope);
    return pose;
}

static void test_a_box_slides_on_a_slope_exactly_when_it_is_steep(void** state)
{
    (void)state;
    const double friction = 0.5;
    for (int i = 0; i < 6; ++i)
    {
        double slope = atan(friction) + (i - 2.5) * 0.04;
        AbutWorld* world = make_world(NULL);
        AbutMaterial material = { .friction = (float)friction };
        add_ground(world, slope, material);
        AbutBodyId box =
            add(world, test_make_box(0.4f, 0.1f, 0.4f), ABUT_BODY_DYNAMIC, on_slope(slope, 0.05), material);
        run(world, 30); // settles
        AbutBodyState before = abut_body_state(world, box);
        run(world, 60);
        AbutBodyState after = abut_body_state(world, box);
        double gained = (double)abut_vec3_length(after.linear_velocity) -
                        (double)abut_vec3_length(before.linear_velocity);
        double expected = (double)9.81f * (sin(slope) - friction * cos(slope));
        if (i < 3)
        {
            double way = hypot(after.center.x - before.center.x, after.center.y - before.center.y);
            assert_true(way < 1e-4 * 0.4);
        }
        else
        {
            assert_true(fabs(gained / expected - 1.0) < 0.02);
        }
        abut_world_destroy(world);
    }
}

static void test_two_bodies_that_meet_keep_their_momentum(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    def.sleep_speed = 0.0f;
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    AbutBodyId a =
        add(world, test_make_box(0.3f, 0.2f, 0.25f), ABUT_BODY_DYNAMIC, abut_pose_at(-0.5, 0.02, 0.0), plain);
    AbutBodyId b =
        add(world, test_make_sphere(0.15f), ABUT_BODY_DYNAMIC, abut_pose_at(0.5, 0.0, 0.03), plain);
    abut_body_set_velocity(world, a, abut_vec3(2.0f, 0.0f, 0.0f), abut_vec3(0.0f, 3.0f, 0.0f));
    abut_body_set_velocity(world, b, abut_vec3(-1.0f, 0.1f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
    double mass[2] = { abut_body_state(world, a).mass, abut_body_state(world, b).mass };
    double before = mass[0] * 2.0 - mass[1], across = mass[1] * (double)0.1f;
    run(world, 60);
    AbutBodyState end[2] = { abut_body_state(world, a), abut_body_state(world, b) };
    assert_true(end[0].linear_velocity.x < 1.9f); // they have met
    test_assert_near(mass[0] * end[0].linear_velocity.x + mass[1] * end[1].linear_velocity.x, before, 1e-5);
    test_assert_near(mass[0] * end[0].linear_velocity.y + mass[1] * end[1].linear_velocity.y, across, 1e-5);
    abut_world_destroy(world);
}

static void test_a_box_at_rest_stays_where_it_is(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.sleep_speed = 0.0f; // rest must be rest without sleep
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    add_ground(world, 0.0, plain);
    AbutBodyId box =
        add(world, test_make_box(0.4f, 0.3f, 0.5f), ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.16, 0.0), plain);
    run(world, 60);
    AbutBodyState before = abut_body_state(world, box);
    AbutStepReport report = run(world, 240);
    AbutBodyState after = abut_body_state(world, box);
    test_assert_near(after.center.x, before.center.x, 1e-4 * 0.4);
    test_assert_near(after.center.y, before.center.y, 1e-4 * 0.4);
    test_assert_near(after.center.z, before.center.z, 1e-4 * 0.4);
    assert_true(report.kinetic_energy < 1e-6 * abut_body_state(world, box).mass);
    abut_world_destroy(world);
}

static void test_bodies_fall_asleep_and_wake_when_they_are_met(void** state)
{
    (void)state;
    AbutWorld* world = make_world(NULL);
    add_ground(world, 0.0, plain);
    AbutBodyId box =
        add(world, test_make_box(0.4f, 0.3f, 0.5f), ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.151, 0.0), plain);
    run(world, 120);
    assert_true(abut_body_state(world, box).asleep);
    size_t count;
    const AbutTouchEvent* events = abut_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].change, ABUT_TOUCH_PERSISTS);
    AbutBodyId ball =
        add(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC, abut_pose_at(0.05, 0.5, 0.0), plain);
    bool woke = false;
    for (int i = 0; i < 30; ++i)
    {
        run(world, 1);
        woke = woke || !abut_body_state(world, box).asleep;
    }
    assert_true(woke);
    abut_body_destroy(world, ball);
    assert_false(abut_body_is_valid(world, ball));
    run(world, 120);
    assert_true(abut_body_state(world, box).asleep);
    abut_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------------------------------
// The same bytes
// ---------------------------------------------------------------------------------------------------------------------

static AbutWorld* make_pile(const AbutHost* host)
{
    AbutWorld* world = make_world(host);
    add_ground(world, 0.0, plain);
    for (int i = 0; i < 9; ++i)
    {
        AbutPose pose = abut_pose_at(0.07 * (i % 3), 0.2 + 0.3 * i, 0.05 * (i % 2));
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.3f, (float)(i % 4)), (float)i);
        AbutShape* shape = i % 3 == 0   ? test_make_torus(0.15f, 0.05f)
                           : i % 3 == 1 ? test_make_box(0.3f, 0.2f, 0.1f)
                                        : test_make_sphere(0.12f);
        add(world, shape, ABUT_BODY_DYNAMIC, pose, plain);
    }
    return world;
}

static void test_piles_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    uint64_t expected = 0;
    const char* const before = abut_simd_name();
    const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    for (int i = 0; i < 7; ++i)
    {
        const uint32_t counts[] = { 1, 2, 7 };
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(i < 3 ? counts[i] : 1, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        if (i < 3 || abut_simd_force(sets[i - 3]) == ABUT_OK)
        {
            AbutWorld* world = make_pile(&host);
            run(world, 60);
            uint64_t hash = abut_world_hash(world);
            expected = i == 0 ? hash : expected;
            assert_int_equal(hash, expected);
            abut_world_destroy(world);
        }
        abut_workers_destroy(workers);
    }
    test_assert_result(abut_simd_force(before), ABUT_OK);
}

static void test_step_rewind_step_gives_the_same_bytes(void** state)
{
    (void)state;
    AbutWorld* world = make_pile(NULL);
    run(world, 40);
    size_t size = abut_world_snapshot_size(world);
    unsigned char* data = malloc(size);
    assert_non_null(data);
    test_assert_result(abut_world_save(world, data, size), ABUT_OK);
    uint64_t here = abut_world_hash(world);
    run(world, 30);
    uint64_t there = abut_world_hash(world);
    test_assert_result(abut_world_restore(world, data, size), ABUT_OK);
    assert_int_equal(abut_world_hash(world), here);
    run(world, 30);
    assert_int_equal(abut_world_hash(world), there);
    for (size_t i = 0; i < size; i += 97)
    {
        data[i] ^= 1;
        assert_int_equal(abut_world_restore(world, data, size) == ABUT_OK, i >= 8 && i < 24);
        data[i] ^= 1;
        assert_int_equal(abut_world_restore(world, data, i), ABUT_INVALID_DATA);
    }
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
        result = abut_world_step(world, STEP, NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_falls_along_the_parabola),
        cmocka_unit_test(test_a_free_body_keeps_its_energy_and_angular_momentum),
        cmocka_unit_test(test_a_box_slides_on_a_slope_exactly_when_it_is_steep),
        cmocka_unit_test(test_two_bodies_that_meet_keep_their_momentum),
        cmocka_unit_test(test_a_box_at_rest_stays_where_it_is),
        cmocka_unit_test(test_bodies_fall_asleep_and_wake_when_they_are_met),
        cmocka_unit_test(test_piles_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_step_rewind_step_gives_the_same_bytes),
        cmocka_unit_test(test_bad_bodies_and_worlds_are_refused),
        cmocka_unit_test(test_worlds_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
