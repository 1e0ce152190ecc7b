// Kinds, filters, locks, ids and events of bodies.
#include "support/worlds.h"

#include <math.h>

static void test_a_moving_platform_carries_what_stands_on_it(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyId platform = test_add_body(world, test_make_box(4.0f, 0.2f, 1.0f), ABUT_BODY_KINEMATIC,
                                        abut_pose_at(0.0, -0.1, 0.0), test_plain);
    AbutBodyId box = test_add_body(world, test_make_box(0.3f, 0.2f, 0.3f), ABUT_BODY_DYNAMIC,
                                   abut_pose_at(0.0, 0.1, 0.0), test_plain);
    test_steps(world, 60);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
    test_assert_result(abut_body_set_velocity(world, platform, abut_vec3(0.5f, 0.0f, 0.0f), none), ABUT_OK);
    test_steps(world, 60);
    test_assert_near(abut_body_state(world, platform).center.x, 0.5, 1e-6);
    test_assert_near(abut_body_state(world, box).linear_velocity.x, 0.5, 0.01);
    assert_true(abut_body_state(world, box).center.x > 0.4); // it slips for the first 0.1 s
    abut_world_destroy(world);
}

static void test_locked_axes_do_not_move_or_rotate(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyDef def = abut_body_def();
    def.shape = test_make_box(0.4f, 0.1f, 0.2f);
    def.pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 0.5f), 0.7f);
    def.locked = ABUT_LOCK_LINEAR_X | ABUT_LOCK_LINEAR_Y | ABUT_LOCK_ANGULAR_X | ABUT_LOCK_ANGULAR_Z;
    AbutBodyId id = test_add_body_of(world, &def);
    for (int i = 0; i < 60; ++i)
    {
        test_assert_result(
            abut_body_apply_force(world, id, abut_vec3(5.0f, 5.0f, 5.0f), abut_vec3(1.0f, 1.0f, 1.0f)),
            ABUT_OK);
        test_steps(world, 1);
    }
    AbutBodyState now = abut_body_state(world, id);
    test_assert_near(now.center.x, 0.0, 1e-12);
    test_assert_near(now.center.y, 0.0, 1e-12); // it does not fall
    test_assert_near(now.center.z, 0.5 * 5.0 / now.mass, 1e-4);
    assert_true(now.angular_velocity.x == 0.0f && now.angular_velocity.z == 0.0f &&
                now.angular_velocity.y > 0.5f);
    def.locked = 64;
    def.shape = test_make_sphere(1.0f);
    test_assert_result(abut_body_create(world, &def, &id), ABUT_INVALID_ARGUMENT);
    abut_shape_destroy(def.shape);
    abut_world_destroy(world);
}

static void test_filters_decide_who_meets(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyDef def = abut_body_def();
    def.shape = test_make_sphere(0.1f);
    def.pose = abut_pose_at(0.0, 0.3, 0.0);
    def.mask = 0;
    AbutBodyId ghost = test_add_body_of(world, &def);
    test_steps(world, 30);
    assert_true(abut_body_state(world, ghost).center.y < -0.5);
    AbutPose up = abut_pose_at(0.0, 0.3, 0.0);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
    test_assert_result(abut_body_set_pose(world, ghost, &up), ABUT_OK);
    test_assert_result(abut_body_set_velocity(world, ghost, none, none), ABUT_OK);
    test_assert_result(abut_body_set_filter(world, ghost, UINT32_MAX, UINT32_MAX), ABUT_OK);
    test_steps(world, 60);
    test_assert_near(abut_body_state(world, ghost).center.y, 0.1, 1e-3);
    abut_world_destroy(world);
}

static AbutTouchChange only_change(const AbutWorld* world, AbutBodyId a, AbutBodyId b)
{
    size_t count;
    const AbutTouchEvent* events = abut_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].a.index, a.index);
    assert_int_equal(events[0].b.index, b.index);
    assert_int_equal(events[0].b.generation, b.generation);
    return events[0].change;
}

static void test_touches_begin_persist_and_end(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyId ground = test_add_ground(world, 0.0, test_plain);
    AbutBodyId ball = test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(0.0, 0.3, 0.0), test_plain);
    size_t count = 0;
    for (int i = 0; i < 60 && count == 0; ++i)
    {
        test_steps(world, 1);
        abut_world_events(world, &count);
    }
    assert_int_equal(only_change(world, ground, ball), ABUT_TOUCH_BEGINS);
    test_steps(world, 1);
    assert_int_equal(only_change(world, ground, ball), ABUT_TOUCH_PERSISTS);
    AbutPose up = abut_pose_at(0.0, 1.0, 0.0);
    test_assert_result(abut_body_set_pose(world, ball, &up), ABUT_OK);
    test_steps(world, 1);
    assert_int_equal(only_change(world, ground, ball), ABUT_TOUCH_ENDS);
    test_steps(world, 1);
    abut_world_events(world, &count);
    assert_int_equal(count, 0);
    abut_world_destroy(world);
}

static void test_ids_of_the_dead_are_never_alive_again(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyId first =
        test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC, abut_pose_identity(), test_plain);
    abut_body_destroy(world, first);
    AbutBodyId second =
        test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC, abut_pose_identity(), test_plain);
    assert_int_equal(first.index, second.index);
    assert_false(abut_body_is_valid(world, first));
    assert_true(abut_body_is_valid(world, second));
    test_assert_result(
        abut_body_apply_force(world, first, abut_vec3(1.0f, 0.0f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f)),
        ABUT_INVALID_ARGUMENT);
    abut_body_destroy(world, first); // ignored
    assert_true(abut_body_is_valid(world, second));
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_moving_platform_carries_what_stands_on_it),
        cmocka_unit_test(test_locked_axes_do_not_move_or_rotate),
        cmocka_unit_test(test_filters_decide_who_meets),
        cmocka_unit_test(test_touches_begin_persist_and_end),
        cmocka_unit_test(test_ids_of_the_dead_are_never_alive_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
