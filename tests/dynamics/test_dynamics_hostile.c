// Worlds with numbers that nobody would ask for: refused with a message, or else finite after every step, and
// soon.
#include "support/worlds.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

static const float hostile[] = { 0.0f,   -0.0f, 1e-42f,  FLT_MIN,  1e-20f,   1e-9f,     1e-4f,
                                 0.3f,   1.0f,  50.0f,   1e4f,     1e6f,     1e7f,      1e9f,
                                 1e10f,  1e12f, -1e12f,  1e15f,    -1e10f,   1e20f,     1e30f,
                                 -1e30f, 1e38f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN };

enum
{
    ROUNDS = TEST_ROUNDS(60),
    HOSTILE = sizeof(hostile) / sizeof(hostile[0])
};

static float pick(TestRandom* random, double share)
{
    return test_random_unit(random) < share ? hostile[test_random_bits(random) % HOSTILE]
                                            : (float)test_random_range(random, -1.0, 1.0);
}

static AbutVec3 pick_vector(TestRandom* random, double share)
{
    float x = pick(random, share);
    float y = pick(random, share);
    float z = pick(random, share);
    return abut_vec3(x, y, z);
}

static void assert_finite(const AbutWorld* world)
{
    AbutBodyId ids[16];
    uint32_t count = abut_world_bodies(world, ids, 16);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutBodyState s = abut_body_state(world, ids[i]);
        const double at[3] = { s.center.x, s.center.y, s.center.z };
        assert_true(abut_pose_is_valid(&s.pose));
        assert_true(abut_vec3_is_finite(s.linear_velocity) && abut_vec3_is_finite(s.angular_velocity));
        for (int k = 0; k < 3; ++k)
        {
            assert_true(fabs(at[k]) <= 2.0 * ABUT_POSITION_LIMIT);
        }
    }
}

/// Whether a call was refused; it has to say why.
static bool refused(AbutResult result)
{
    if (result != ABUT_OK)
    {
        assert_true(strlen(abut_last_error()) > 10);
    }
    return result != ABUT_OK;
}

static AbutWorld* make_world(TestRandom* random, AbutResponse response)
{
    AbutHost alone = abut_host_default();
    alone.worker_count = 1;
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    def.host = &alone;
    def.response = response;
    def.penalty.point_count = 24;
    def.penalty.iteration_limit = 6;
    def.speculative.budget = 2048;
    if (test_random_unit(random) < 0.3)
    {
        def.gravity = pick_vector(random, 0.3);
    }
    return refused(abut_world_create(&def, &world)) ? NULL : world;
}

/// How many of `count` were taken.
static int add_bodies(TestRandom* random, AbutWorld* world, AbutShape* const* shapes, int count)
{
    int taken = 0;
    for (int i = 0; i < count; ++i)
    {
        AbutBodyDef def = abut_body_def();
        AbutBodyId id;
        AbutVec3 at = pick_vector(random, 0.15);
        def.shape = shapes[test_random_bits(random) % 3];
        def.kind = i == 0 ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
        def.pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
        def.pose.rotation = test_random_rotation(random);
        def.linear_velocity = pick_vector(random, 0.2);
        def.angular_velocity = pick_vector(random, 0.2);
        if (test_random_unit(random) < 0.2)
        {
            def.density = pick(random, 0.7);
            def.mass = pick(random, 0.7);
            def.pose.scale = fabsf(pick(random, 0.5));
            def.material.stiffness = fabsf(pick(random, 0.5));
        }
        taken += refused(abut_body_create(world, &def, &id)) ? 0 : 1;
    }
    return taken;
}

static void apply_forces(TestRandom* random, AbutWorld* world)
{
    AbutBodyId ids[16];
    uint32_t count = abut_world_bodies(world, ids, 16);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 u = pick_vector(random, 0.2);
        AbutVec3 v = pick_vector(random, 0.2);
        AbutPose pose = abut_pose_at((double)v.y, (double)u.x, (double)u.z);
        switch (test_random_bits(random) % 6)
        {
        case 0:
            refused(abut_body_set_velocity(world, ids[i], u, v));
            break;
        case 1:
            refused(abut_body_apply_force(world, ids[i], u, v));
            break;
        case 2:
            refused(abut_body_set_pose(world, ids[i], &pose));
            break;
        default:
            break;
        }
    }
}

static void test_hostile_worlds_are_refused_or_stay_finite(void** state)
{
    (void)state;
    AbutShape* shapes[3] = { test_make_sphere(0.3f), test_make_box(0.4f, 0.3f, 0.5f), NULL };
    shapes[2] = test_bake(test_make_torus(0.3f, 0.1f), 12);
    AbutShape* plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -0.5f, NULL, &plane), ABUT_OK);
    int steps = 0;
    for (int i = 0; i < ROUNDS; ++i)
    {
        TestRandom random = { (uint64_t)i };
        AbutWorld* world = make_world(&random, i % 6 == 5 ? ABUT_RESPONSE_PENALTY : ABUT_RESPONSE_IMPULSE);
        if (world == NULL)
        {
            continue;
        }
        AbutBodyDef ground = abut_body_def();
        AbutBodyId id;
        ground.shape = plane;
        ground.kind = ABUT_BODY_STATIC;
        test_assert_result(abut_body_create(world, &ground, &id), ABUT_OK);
        add_bodies(&random, world, shapes, 4);
        for (int k = 0; k < 4; ++k)
        {
            float seconds = test_random_unit(&random) < 0.6 ? TEST_STEP : pick(&random, 0.9);
            if (!refused(abut_world_step(world, seconds, NULL)))
            {
                ++steps;
                assert_finite(world);
            }
            apply_forces(&random, world);
        }
        abut_world_destroy(world);
    }
    assert_true(steps > ROUNDS);
    for (int i = 0; i < 3; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
    abut_shape_destroy(plane);
}

/// The numbers of the headers themselves are taken; the next larger ones are not.
static void test_the_limits_are_those_of_the_header(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyDef def = abut_body_def();
    AbutBodyId id;
    AbutShape* ball = test_make_sphere(0.3f);
    def.shape = ball;
    def.pose = abut_pose_at(ABUT_POSITION_LIMIT, -ABUT_POSITION_LIMIT, 0.0);
    float speed = (float)ABUT_SPEED_LIMIT, angular_speed = (float)ABUT_ANGULAR_SPEED_LIMIT;
    def.linear_velocity = abut_vec3(speed <= ABUT_SPEED_LIMIT ? speed : nextafterf(speed, 0.0f), 0.0f, 0.0f);
    def.angular_velocity = abut_vec3(0.0f, angular_speed, 0.0f);
    test_assert_result(abut_body_create(world, &def, &id), ABUT_OK);
    test_assert_result(abut_world_step(world, ABUT_STEP_MAX, NULL), ABUT_OK);
    assert_finite(world);
    test_assert_result(abut_world_step(world, ABUT_STEP_MIN, NULL), ABUT_OK);
    assert_finite(world);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutPose far = abut_pose_at(1.001 * ABUT_POSITION_LIMIT, 0.0, 0.0);
    test_assert_result(abut_body_set_pose(world, id, &far), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_body_set_velocity(world, id, abut_vec3(0.0f, 1.001e12f, 0.0f), none),
                       ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_body_set_velocity(world, id, none, abut_vec3(0.0f, -1.001e9f, 0.0f)),
                       ABUT_INVALID_ARGUMENT);
    const float steps[] = { 1e30f, 1.001e6f, INFINITY, NAN, 0.0f, 0.99e-9f, -1.0f };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i)
    {
        test_assert_result(abut_world_step(world, steps[i], NULL), ABUT_INVALID_ARGUMENT);
    }
    abut_shape_destroy(ball);
    abut_world_destroy(world);
}

/// Angles of many turns in one substep lose digits, but never become something else than a rotation; moderate
/// ones are exact.
static void test_fast_kinematic_bodies_keep_a_rotation(void** state)
{
    (void)state;
    const float angular_speeds[] = { 1.0f, 377.0f, 1e5f, 1e7f, 1e9f },
                steps[] = { 1e-9f, 1e-3f, 0.016f, 10.0f, 1e6f };
    for (int i = 0; i < 25; ++i)
    {
        AbutWorld* world = test_make_world(NULL);
        AbutBodyDef def = abut_body_def();
        def.shape = test_make_box(0.3f, 0.2f, 0.1f);
        def.kind = ABUT_BODY_KINEMATIC;
        def.angular_velocity = abut_vec3(0.0f, 0.0f, angular_speeds[i % 5]);
        AbutBodyId id = test_add_body_of(world, &def);
        test_assert_result(abut_world_step(world, steps[i / 5], NULL), ABUT_OK);
        assert_finite(world);
        double angle = (double)angular_speeds[i % 5] * (double)steps[i / 5];
        if (angle < 1e4)
        {
            AbutQuat q = abut_body_state(world, id).pose.rotation;
            test_assert_near(fabs((double)q.w), fabs(cos(0.5 * angle)), 1e-6);
        }
        abut_world_destroy(world);
    }
}

static void test_empty_worlds_step_save_and_restore(void** state)
{
    (void)state;
    for (int response = 0; response < ABUT_RESPONSE_COUNT; ++response)
    {
        for (int scheme = 0; scheme < ABUT_PENALTY_SCHEME_COUNT; ++scheme)
        {
            AbutWorldDef def = abut_world_def();
            unsigned char data[1024];
            def.response = (AbutResponse)response;
            def.penalty.scheme = (AbutPenaltyScheme)scheme;
            AbutWorld* world = test_make_world_of(&def);
            test_assert_result(abut_world_save(world, data, sizeof(data)), ABUT_OK);
            AbutStepReport report = test_steps(world, 3);
            assert_int_equal(report.step, 3);
            test_assert_result(abut_world_restore(world, data, sizeof(data)), ABUT_OK);
            assert_int_equal(test_steps(world, 1).step, 1);
            AbutBodyId id = test_add_body(world, test_make_sphere(0.3f), ABUT_BODY_DYNAMIC,
                                          abut_pose_identity(), test_plain);
            test_steps(world, 1);
            abut_body_destroy(world, id); // empty again, but with a slot
            test_steps(world, 2);
            abut_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_worlds_are_refused_or_stay_finite),
        cmocka_unit_test(test_the_limits_are_those_of_the_header),
        cmocka_unit_test(test_fast_kinematic_bodies_keep_a_rotation),
        cmocka_unit_test(test_empty_worlds_step_save_and_restore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
