// Rest is rest: what stands stays where it is, without sleep; what may sleep sleeps; what overlaps parts
// gently.
#include "support/worlds.h"

#include <math.h>

enum
{
    KINDS = TEST_IS_SANITIZED ? 1 : 2 // exact shapes, and baked ones
};

static AbutShape* make_standing(int i)
{
    AbutShape* shape = NULL;
    if (i % 2 == 0)
    {
        shape = test_make_box(0.4f, 0.3f, 0.5f);
    }
    else
    {
        test_assert_result(abut_shape_create_cylinder(0.2f, 0.4f, NULL, &shape), ABUT_OK);
    }
    return i < 2 ? shape : test_bake(shape, 32);
}

enum
{
    STANDING = 4
};

/// Where it was, upright, and with no more energy. Its radius of gyration is less than its size.
static void check_standing(const AbutWorld* world, AbutBodyId id, const AbutBodyState* start)
{
    const double size = 0.4;
    AbutBodyState now = abut_body_state(world, id);
    double drift = test_position_distance(now.center, start->center);
    double speed = (double)abut_vec3_length(now.linear_velocity);
    double rotational_speed = size * (double)abut_vec3_length(now.angular_velocity);
    double kinetic = 0.5 * (speed * speed + rotational_speed * rotational_speed); // per mass
    double gain = 9.81 * (now.center.y - start->center.y) + kinetic;
    AbutVec3 up = abut_quat_rotate(now.pose.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
    if (drift > 1e-4 * size || gain > 9.81 * 1e-4 * size || kinetic > 1e-6 || (double)up.y < 1.0 - 1e-6)
    {
        fail_msg("body %u: %g away, %g J/kg more, %g of them in motion, up %g", id.index, drift, gain,
                 kinetic, (double)up.y);
    }
}

/// A minute without sleep, far from each other in one world.
static void test_boxes_and_cylinders_stand_still_for_a_minute(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.sleep_speed = 0.0f;
    AbutWorld* world = test_make_world_of(&def);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId bodies[STANDING];
    AbutBodyState start[STANDING];
    for (int i = 0; i < STANDING; ++i)
    {
        AbutPose pose = abut_pose_at(3.0 * i, (i % 2 == 0 ? 0.15 : 0.2) + 0.005, 0.0);
        bodies[i] = test_add_body(world, make_standing(i), ABUT_BODY_DYNAMIC, pose, test_plain);
    }
    test_steps(world, 60);
    for (int i = 0; i < STANDING; ++i)
    {
        start[i] = abut_body_state(world, bodies[i]);
    }
    for (int step = 0; step < TEST_ROUNDS(3600); ++step)
    {
        test_steps(world, 1);
        for (int i = 0; i < STANDING; ++i)
        {
            check_standing(world, bodies[i], &start[i]);
        }
    }
    abut_world_destroy(world);
}

static void test_a_stack_of_eight_boxes_stands_and_sleeps(void** state)
{
    (void)state;
    for (int baked = 0; baked < KINDS; ++baked)
    {
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, test_plain);
        AbutBodyId boxes[8];
        for (int i = 0; i < 8; ++i)
        {
            AbutShape* box = test_make_box(0.3f, 0.2f, 0.3f);
            box = baked ? test_bake(box, 32) : box;
            boxes[i] = test_add_body(world, box, ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.1 + 0.201 * i, 0.0),
                                     test_plain);
        }
        test_steps(world, 240);
        for (int i = 0; i < 8; ++i)
        {
            AbutBodyState now = abut_body_state(world, boxes[i]);
            assert_true(now.asleep);
            test_assert_near(now.center.y, 0.1 + 0.2 * i, 0.01);
            test_assert_near(hypot(now.center.x, now.center.z), 0.0, 0.01);
        }
        AbutStepReport report = test_steps(world, 1);
        assert_int_equal(report.awake_count, 0);
        abut_world_destroy(world);
    }
}

static void test_bodies_fall_asleep_and_wake_when_they_are_met(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId box = test_add_body(world, test_make_box(0.4f, 0.3f, 0.5f), ABUT_BODY_DYNAMIC,
                                   abut_pose_at(0.0, 0.151, 0.0), test_plain);
    test_steps(world, 120);
    assert_true(abut_body_state(world, box).asleep);
    AbutBodyId ball = test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(0.05, 0.5, 0.0), test_plain);
    bool woke = false;
    for (int i = 0; i < 30; ++i)
    {
        test_steps(world, 1);
        woke = woke || !abut_body_state(world, box).asleep;
    }
    assert_true(woke);
    abut_body_destroy(world, ball);
    assert_false(abut_body_is_valid(world, ball));
    test_steps(world, 120);
    assert_true(abut_body_state(world, box).asleep);
    abut_world_destroy(world);
}

/// What wakes at the end of a chain of sleepers still lies on all of them in that step.
static void test_a_stack_that_is_woken_from_above_does_not_fall(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId boxes[4];
    double before[4];
    for (int i = 0; i < 4; ++i)
    {
        boxes[i] = test_add_body(world, test_make_box(0.3f, 0.2f, 0.3f), ABUT_BODY_DYNAMIC,
                                 abut_pose_at(0.0, 0.1 + 0.201 * i, 0.0), test_plain);
    }
    test_steps(world, 240);
    for (int i = 0; i < 4; ++i)
    {
        assert_true(abut_body_state(world, boxes[i]).asleep);
        before[i] = abut_body_state(world, boxes[i]).center.y;
    }
    abut_body_set_velocity(world, boxes[3], abut_vec3(0.0f, 0.0f, 0.06f), abut_vec3(0.0f, 0.0f, 0.0f));
    for (int step = 0; step < 4; ++step)
    {
        AbutStepReport report = test_steps(world, 1);
        assert_int_equal(report.awake_count, 4);
        for (int i = 0; i < 4; ++i)
        {
            test_assert_near(abut_body_state(world, boxes[i]).center.y, before[i], 1e-4);
        }
    }
    abut_world_destroy(world);
}

/// A sleeper whose support is destroyed, or put elsewhere, falls.
static void test_what_lies_on_a_body_that_goes_away_falls(void** state)
{
    (void)state;
    for (int direction = 0; direction < 2; ++direction)
    {
        AbutWorld* world = test_make_world(NULL);
        AbutBodyId table = test_add_body(world, test_make_box(1.0f, 0.1f, 1.0f), ABUT_BODY_STATIC,
                                         abut_pose_at(0.0, 1.0, 0.0), test_plain);
        AbutBodyId box = test_add_body(world, test_make_box(0.2f, 0.2f, 0.2f), ABUT_BODY_DYNAMIC,
                                       abut_pose_at(0.0, 1.151, 0.0), test_plain);
        test_steps(world, 90);
        assert_true(abut_body_state(world, box).asleep);
        AbutPose away = abut_pose_at(5.0, 1.0, 0.0);
        if (direction == 0)
        {
            abut_body_destroy(world, table);
        }
        else
        {
            test_assert_result(abut_body_set_pose(world, table, &away), ABUT_OK);
        }
        test_steps(world, 30);
        test_assert_near(abut_body_state(world, box).center.y, 1.15 - 0.5 * 9.81 * 0.25, 0.01);
        abut_world_destroy(world);
    }
}

/// Bodies that start in one another come apart no faster than the world allows, and come to rest.
static void test_overlapping_starts_separate_gently(void** state)
{
    (void)state;
    const AbutMaterial soft = abut_body_def().material; // with rolling resistance
    for (int baked = 0; baked < KINDS; ++baked)
    {
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, soft);
        AbutBodyId bodies[6];
        for (int i = 0; i < 6; ++i)
        {
            AbutShape* shape = i % 2 == 0 ? test_make_box(0.3f, 0.3f, 0.3f) : test_make_torus(0.15f, 0.05f);
            shape = baked ? test_bake(shape, 32) : shape;
            bodies[i] = test_add_body(world, shape, ABUT_BODY_DYNAMIC,
                                      abut_pose_at(0.03 * i, 0.12 + 0.05 * i, 0.02 * i), soft);
        }
        double fastest = 0.0;
        for (int step = 0; step < 780; ++step)
        {
            AbutStepReport report = test_steps(world, 1);
            assert_true(isfinite(report.kinetic_energy));
            for (int i = 0; i < 6; ++i)
            {
                AbutBodyState now = abut_body_state(world, bodies[i]);
                fastest = fmax(fastest, (double)abut_vec3_length(now.linear_velocity));
            }
        }
        if (fastest > 4.5) // max_depenetration_speed from both sides, and what they fall
        {
            fail_msg("%g is too fast for bodies that part", fastest);
        }
        for (int i = 0; i < 6; ++i)
        {
            AbutBodyState now = abut_body_state(world, bodies[i]);
            double furthest = i % 2 == 0 ? 2.5 : 5.0; // rings roll on
            assert_true(hypot(now.center.x, now.center.z) < furthest && now.center.y > 0.0 &&
                        now.center.y < 1.0);
            assert_true(abut_vec3_length(now.linear_velocity) < 0.5f); // a ring may still roll
            for (int k = 0; k < i; ++k)                                // boxes are out of each other
            {
                AbutBodyState other = abut_body_state(world, bodies[k]);
                double direction = test_position_distance(now.center, other.center);
                assert_true(i % 2 == 1 || k % 2 == 1 || direction > 0.295);
            }
        }
        abut_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_and_cylinders_stand_still_for_a_minute),
        cmocka_unit_test(test_a_stack_of_eight_boxes_stands_and_sleeps),
        cmocka_unit_test(test_a_stack_that_is_woken_from_above_does_not_fall),
        cmocka_unit_test(test_bodies_fall_asleep_and_wake_when_they_are_met),
        cmocka_unit_test(test_what_lies_on_a_body_that_goes_away_falls),
        cmocka_unit_test(test_overlapping_starts_separate_gently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
