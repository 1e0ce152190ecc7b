// First touch of two moving shapes: closed forms, states and input that makes no sense.
#include "support/support.h"

#include <abut/toi.h>
#include <math.h>
#include <string.h>

static const float PI = 3.14159265f;

static AbutShape* make_sphere(float radius)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_sphere(radius, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* make_box(float x, float y, float z)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(x, y, z), NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* make_floor(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &shape), ABUT_OK);
    return shape;
}

/// Checks a hit: not after the truth, and not earlier than it takes to pass the tolerance.
static void check_hit(const AbutToiOutput* output, double truth, double early)
{
    assert_int_equal(output->state, ABUT_TOI_HIT);
    assert_true((double)output->time <= truth + 1e-6);
    test_assert_near(output->time, truth, early);
    assert_true(output->touch_proved);
    assert_true((double)output->touch_time >= truth - 1e-6);
    test_assert_near(output->touch_time, truth, early);
    test_assert_near(abut_vec3_length(output->normal), 1.0, 1e-5);
}

// -----------------------------------------------------------------------------------------------------------
// Closed forms
// -----------------------------------------------------------------------------------------------------------

static void test_spheres_touch_when_their_centres_are_the_sum_of_radii_apart(void** state)
{
    (void)state;
    AbutShape *a = make_sphere(1.0f), *b = make_sphere(0.5f);
    for (int swapped = 0; swapped < 2; ++swapped)
    {
        AbutToiInput input = abut_toi_input(swapped ? b : a, swapped ? a : b);
        input.pose_b = abut_pose_at(4.0, 0.0, 0.0);
        input.motion_a.linear = abut_vec3(1.0f, 0.0f, 0.0f);
        input.motion_b.linear = abut_vec3(-4.0f, 0.0f, 0.0f);
        input.motion_b.angular = abut_vec3(0.5f, 1.0f, 2.0f);
        AbutToiOutput output = abut_time_of_impact(&input);
        check_hit(&output, 0.5, 1e-3);
        test_assert_near(output.normal.x, -1.0, 2e-3);
        test_assert_near(output.position.x, swapped ? 0.5 : 1.0, 2e-3);
        assert_true(output.gap <= 1.1e-3f);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_scales_of_poses_count(void** state)
{
    (void)state;
    AbutShape *a = make_sphere(1.0f), *b = make_sphere(1.0f);
    AbutToiInput input = abut_toi_input(a, b);
    input.pose_a.scale = 100.0f;
    input.pose_b = abut_pose_at(0.0, 120.0, 0.0);
    input.pose_b.scale = 10.0f;
    input.motion_b.linear = abut_vec3(0.0f, -40.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&input);
    check_hit(&output, 0.25, 1e-3);
    test_assert_near(output.position.y, 1.0, 1e-3);
    test_assert_near(output.normal.y, -1.0, 2e-3);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_ball_falls_on_a_floor_that_comes_up(void** state)
{
    (void)state;
    AbutShape *floor = make_floor(), *ball = make_sphere(0.25f);
    for (int swapped = 0; swapped < 2; ++swapped)
    {
        AbutToiInput input = abut_toi_input(swapped ? ball : floor, swapped ? floor : ball);
        AbutPose* pose = swapped ? &input.pose_a : &input.pose_b;
        AbutMotion* fall = swapped ? &input.motion_a : &input.motion_b;
        AbutMotion* rise = swapped ? &input.motion_b : &input.motion_a;
        *pose = abut_pose_at(1000.0, 10.0, -500.0);
        fall->linear = abut_vec3(300.0f, -15.0f, 0.0f);
        rise->linear = abut_vec3(0.0f, 5.0f, 0.0f);
        input.settings.tolerance = 1e-3f;
        AbutToiOutput output = abut_time_of_impact(&input);
        check_hit(&output, 9.75 / 20.0, 1e-3);
        test_assert_near(output.normal.y, swapped ? 1.0 : -1.0, 2e-3);
    }
    abut_shape_destroy(floor);
    abut_shape_destroy(ball);
}

static void test_a_rotating_box_touches_a_floor_with_its_edge(void** state)
{
    (void)state;
    AbutShape *floor = make_floor(), *box = make_box(2.0f, 0.2f, 0.2f);
    AbutToiInput input = abut_toi_input(floor, box);
    input.pose_b = abut_pose_at(0.0, 0.6, 0.0);
    input.motion_b.angular = abut_vec3(0.0f, 0.0f, 0.5f * PI);
    // The lowest corner is at 0.6 − (sin θ + 0.1 cos θ).
    double angle = asin(0.6 / sqrt(1.01)) - atan(0.1);
    AbutToiOutput output = abut_time_of_impact(&input);
    check_hit(&output, angle / (0.5 * (double)PI), 1e-3);
    test_assert_near(output.normal.y, -1.0, 1e-3);
    test_assert_near(output.position.x, -(cos(angle) - 0.1 * sin(angle)), 5e-3);
    abut_shape_destroy(floor);
    abut_shape_destroy(box);
}

static void test_a_rod_that_rotates_about_its_end_hits_a_ball(void** state)
{
    (void)state;
    AbutShape *ball = make_sphere(0.1f), *rod = NULL;
    test_assert_result(abut_shape_create_capsule(0.05f, 2.0f, NULL, &rod), ABUT_OK);
    AbutToiInput input = abut_toi_input(ball, rod);
    input.pose_b = abut_pose_at(0.0, 1.0, 0.0); // from the origin up to (0, 2, 0)
    input.motion_b.center = abut_vec3(0.0f, -1.0f, 0.0f);
    input.motion_b.angular = abut_vec3(0.0f, 0.0f, -PI);
    input.pose_a = abut_pose_at(1.5, 0.0, 0.0);
    // Its axis is at the angle π/2 − πt, and touches when the ball's centre is 0.15 from it.
    double truth = (0.5 * (double)PI - asin(0.15 / 1.5)) / (double)PI;
    AbutToiOutput output = abut_time_of_impact(&input);
    check_hit(&output, truth, 1e-3);
    abut_shape_destroy(ball);
    abut_shape_destroy(rod);
}

static void test_a_plate_that_lands_flat_stays_within_a_small_budget(void** state)
{
    (void)state;
    AbutShape *floor = make_floor(), *table = make_box(5.0f, 1.0f, 5.0f), *plate = make_box(1.0f, 0.1f, 1.0f);
    for (int kind = 0; kind < 2; ++kind)
    {
        AbutToiInput input = abut_toi_input(kind == 0 ? floor : table, plate);
        input.pose_b = abut_pose_at(0.3, kind == 0 ? 1.05 : 1.55, 0.2);
        input.motion_b.linear = abut_vec3(0.5f, -2.0f, 0.0f);
        AbutToiOutput output = abut_time_of_impact(&input);
        check_hit(&output, 0.5, 1e-3);
        assert_true(output.evaluations < 100000);
    }
    abut_shape_destroy(floor);
    abut_shape_destroy(table);
    abut_shape_destroy(plate);
}

static void test_what_slides_along_a_wall_does_not_hit_it(void** state)
{
    (void)state;
    AbutShape *floor = make_floor(), *box = make_box(1.0f, 1.0f, 1.0f);
    AbutToiInput input = abut_toi_input(floor, box);
    input.pose_b = abut_pose_at(0.0, 0.502, 0.0); // twice the tolerance above it
    input.motion_b.linear = abut_vec3(10.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&input);
    assert_int_equal(output.state, ABUT_TOI_MISS);
    assert_true(output.evaluations < 200000);
    abut_shape_destroy(floor);
    abut_shape_destroy(box);
}

// -----------------------------------------------------------------------------------------------------------
// States
// -----------------------------------------------------------------------------------------------------------

static void test_overlap_at_the_start_is_a_state_of_its_own(void** state)
{
    (void)state;
    AbutShape *large = make_sphere(1.0f), *small = make_sphere(0.2f);
    const double at[3] = { 0.0, 0.5, 1.1 }; // inside, and through the surface
    for (int i = 0; i < 6; ++i)
    {
        AbutToiInput input = abut_toi_input(i % 2 ? small : large, i % 2 ? large : small);
        input.pose_b = abut_pose_at(at[i / 2], 0.0, 0.0);
        input.motion_b.linear = abut_vec3(5.0f, 0.0f, 0.0f);
        AbutToiOutput output = abut_time_of_impact(&input);
        assert_int_equal(output.state, ABUT_TOI_OVERLAP);
        assert_true(output.time == 0.0f && output.touch_proved && output.touch_time == 0.0f);
    }
    abut_shape_destroy(large);
    abut_shape_destroy(small);
}

static void test_a_body_within_the_hollow_of_a_thin_shell_hits_it_from_inside(void** state)
{
    (void)state;
    AbutShape *ball = make_sphere(1.0f), *shell = NULL, *small = make_sphere(0.2f);
    test_assert_result(abut_shape_create_shell(ball, 0.02f, NULL, &shell), ABUT_OK);
    AbutToiInput input = abut_toi_input(shell, small);
    input.motion_b.linear = abut_vec3(0.0f, 0.0f, 7.9f);
    AbutToiOutput output = abut_time_of_impact(&input);
    check_hit(&output, 0.79 / 7.9, 1e-3);
    input = abut_toi_input(small, shell);
    input.motion_a.linear = abut_vec3(0.0f, 0.0f, 7.9f);
    output = abut_time_of_impact(&input);
    check_hit(&output, 0.79 / 7.9, 1e-3);
    abut_shape_destroy(ball);
    abut_shape_destroy(shell);
    abut_shape_destroy(small);
}

static void test_bodies_at_rest_miss_or_touch_at_once(void** state)
{
    (void)state;
    AbutShape *a = make_sphere(1.0f), *b = make_box(1.0f, 1.0f, 1.0f);
    AbutToiInput input = abut_toi_input(a, b);
    input.pose_b = abut_pose_at(1.6, 0.0, 0.0);
    AbutToiOutput output = abut_time_of_impact(&input);
    assert_int_equal(output.state, ABUT_TOI_MISS);
    assert_true(output.time == 1.0f);
    input.pose_b = abut_pose_at(1.5, 0.0, 0.0); // touching
    output = abut_time_of_impact(&input);
    assert_true(output.state == ABUT_TOI_HIT || output.state == ABUT_TOI_OVERLAP);
    assert_true(output.time == 0.0f);
    input.motion_b.linear = abut_vec3(1.0f, 0.0f, 0.0f); // leaves, but has touched
    output = abut_time_of_impact(&input);
    assert_true(output.state != ABUT_TOI_MISS && output.time == 0.0f);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_small_budget_still_proves_a_time(void** state)
{
    (void)state;
    AbutShape *a = make_sphere(1.0f), *b = make_box(1.0f, 1.0f, 1.0f);
    AbutToiInput input = abut_toi_input(a, b);
    input.pose_b = abut_pose_at(5.0, 0.2, 0.3);
    input.motion_b.linear = abut_vec3(-8.0f, 0.0f, 0.0f);
    input.motion_b.angular = abut_vec3(0.0f, 2.0f, 0.0f);
    float whole = abut_time_of_impact(&input).time, last = 0.0f;
    for (uint32_t budget = 1; budget < 4000; budget = 2 * budget + 10)
    {
        input.settings.budget = budget;
        AbutToiOutput output = abut_time_of_impact(&input);
        assert_true(output.state == ABUT_TOI_BUDGET || output.state == ABUT_TOI_HIT);
        assert_true(output.time >= last && output.time <= whole);
        last = output.time;
    }
    assert_true(last > 0.0f);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_input_that_makes_no_sense_is_invalid(void** state)
{
    (void)state;
    AbutShape *a = make_sphere(1.0f), *floor = make_floor();
    AbutToiInput input = abut_toi_input(a, NULL);
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = abut_toi_input(floor, floor);
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "no end"));
    input = abut_toi_input(a, a);
    input.motion_b.angular.y = NAN;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = abut_toi_input(a, a);
    input.pose_a.position.x = INFINITY;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = abut_toi_input(a, a);
    input.settings.tolerance = -1.0f;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    abut_shape_destroy(a);
    abut_shape_destroy(floor);
}

static void not_a_number(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    (void)points;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = NAN;
    }
}

static void test_a_shape_without_numbers_is_never_a_miss(void** state)
{
    (void)state;
    AbutCallbackDef def = abut_callback_def();
    AbutShape *ball = make_sphere(1.0f), *strange = NULL;
    def.function = not_a_number;
    def.bounds = abut_box(abut_vec3(-1.0f, -1.0f, -1.0f), abut_vec3(1.0f, 1.0f, 1.0f));
    test_assert_result(abut_shape_create_callback(&def, &strange), ABUT_OK);
    AbutToiInput input = abut_toi_input(ball, strange);
    input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    input.motion_b.linear = abut_vec3(-3.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&input);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    assert_false(output.touch_proved);
    input = abut_toi_input(strange, ball);
    input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    input.motion_b.linear = abut_vec3(-3.0f, 0.0f, 0.0f);
    output = abut_time_of_impact(&input);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    assert_false(output.touch_proved);
    abut_shape_destroy(ball);
    abut_shape_destroy(strange);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_touch_when_their_centres_are_the_sum_of_radii_apart),
        cmocka_unit_test(test_scales_of_poses_count),
        cmocka_unit_test(test_a_ball_falls_on_a_floor_that_comes_up),
        cmocka_unit_test(test_a_rotating_box_touches_a_floor_with_its_edge),
        cmocka_unit_test(test_a_rod_that_rotates_about_its_end_hits_a_ball),
        cmocka_unit_test(test_a_plate_that_lands_flat_stays_within_a_small_budget),
        cmocka_unit_test(test_what_slides_along_a_wall_does_not_hit_it),
        cmocka_unit_test(test_overlap_at_the_start_is_a_state_of_its_own),
        cmocka_unit_test(test_a_body_within_the_hollow_of_a_thin_shell_hits_it_from_inside),
        cmocka_unit_test(test_bodies_at_rest_miss_or_touch_at_once),
        cmocka_unit_test(test_a_small_budget_still_proves_a_time),
        cmocka_unit_test(test_input_that_makes_no_sense_is_invalid),
        cmocka_unit_test(test_a_shape_without_numbers_is_never_a_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
