// Moving points: answers in closed form, and input at the edges of what makes sense.
#include "support/support.h"

#include <abut/toi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.141592653589793;

typedef struct Pair
{
    AbutShape* sphere; // of radius 1
    AbutPointSet* point;
    AbutToiInput input; // the point of B against the sphere of A
} Pair;

static Pair make_pair(float x, float y, float z)
{
    Pair pair = { 0 };
    const float position[3] = { x, y, z };
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &pair.sphere), ABUT_OK);
    test_assert_result(abut_points_create(position, NULL, 1, NULL, &pair.point), ABUT_OK);
    pair.input = abut_toi_input(pair.sphere, NULL);
    pair.input.points_b = pair.point;
    pair.input.settings.method = ABUT_TOI_POINTS;
    return pair;
}

static void destroy_pair(Pair* pair)
{
    abut_shape_destroy(pair->sphere);
    abut_points_destroy(pair->point);
}

static void test_a_thrown_point_hits_a_sphere_when_it_should(void** state)
{
    (void)state;
    Pair pair = make_pair(0.0f, 0.0f, 0.0f);
    pair.input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    pair.input.motion_b.linear = abut_vec3(-4.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&pair.input);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    test_assert_near(output.time, 0.5, 1e-5);
    assert_true(output.time <= 0.5f && output.touch_proved && output.touch_time >= 0.5f);
    test_assert_near(output.touch_time, 0.5, 1e-5);
    test_assert_near(output.position.x, 1.0, 1e-4);
    test_assert_near(output.normal.x, -1.0, 1e-5); // outward of B, which comes from +x
    assert_true(output.gap >= 0.0f && output.gap < 1e-4f);

    AbutPointInterval interval;
    output = abut_toi_intervals(&pair.input, &interval, 1);
    assert_int_equal(output.interval_count, 1);
    assert_int_equal(interval.side, 1);
    test_assert_near(interval.times.begin, 0.5, 1e-6);
    assert_true(interval.times.end == 1.0f);
    destroy_pair(&pair);
}

static void test_roles_may_be_swapped(void** state)
{
    (void)state;
    Pair pair = make_pair(0.25f, 0.0f, 0.0f);
    // The point is A's now, which is twice as large; the sphere is B's, turned by a quarter and thrown at it.
    AbutToiInput input = abut_toi_input(NULL, pair.sphere);
    input.points_a = pair.point;
    input.settings.method = ABUT_TOI_POINTS;
    input.pose_a.scale = 2.0f;
    input.pose_b = abut_pose_at(3.5, 0.0, 0.0);
    input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)(0.5 * PI));
    input.motion_b.linear = abut_vec3(-4.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&input);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    test_assert_near(output.time, 0.5, 1e-5);
    test_assert_near(output.position.x, 0.25, 0.0);
    test_assert_near(output.normal.x, -1.0, 1e-5);
    destroy_pair(&pair);
}

static void test_a_point_on_an_arm_rotates_into_a_plane(void** state)
{
    (void)state;
    // From (2, 0) about the origin, down by half a turn, into y ≤ −1: at 30 of 180 degrees, and out at 150.
    Pair pair = make_pair(2.0f, 0.0f, 0.0f);
    AbutShape* plane = NULL;
    AbutPointInterval intervals[4];
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -1.0f, NULL, &plane), ABUT_OK);
    pair.input.shape_a = plane;
    pair.input.motion_b.angular = abut_vec3(0.0f, 0.0f, (float)-PI);
    AbutToiOutput output = abut_toi_intervals(&pair.input, intervals, 4);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    test_assert_near(output.time, 1.0 / 6.0, 1e-5);
    assert_int_equal(output.interval_total, 1);
    test_assert_near(intervals[0].times.begin, 1.0 / 6.0, 1e-6);
    test_assert_near(intervals[0].times.end, 5.0 / 6.0, 1e-6);
    // Straight from start to end it never gets there.
    pair.input.settings.linear = true;
    output = abut_toi_intervals(&pair.input, intervals, 4);
    assert_int_equal(output.state, ABUT_TOI_MISS);
    assert_int_equal(output.interval_total, 0);
    assert_true(output.gap > 0.0f && output.gap <= 1.0f);
    abut_shape_destroy(plane);
    destroy_pair(&pair);
}

static void test_many_revolutions_have_many_intervals_in_order(void** state)
{
    (void)state;
    enum
    {
        REVOLUTIONS = 40
    };
    Pair pair = make_pair(2.0f, 0.0f, 0.0f);
    AbutPointInterval intervals[REVOLUTIONS + 1];
    pair.input.pose_a = abut_pose_at(0.0, 2.0, 0.0);
    pair.input.motion_b.angular = abut_vec3(0.0f, 0.0f, (float)(2.0 * PI * REVOLUTIONS));
    AbutToiOutput output = abut_toi_intervals(&pair.input, intervals, REVOLUTIONS + 1);
    assert_int_equal(output.interval_total, REVOLUTIONS);
    double angle = 4.0 * asin(0.25) / (2.0 * PI); // of the circle that is inside
    for (int i = 0; i < REVOLUTIONS; ++i)
    {
        test_assert_near(intervals[i].times.begin, (i + 0.25 - 0.5 * angle) / REVOLUTIONS, 2e-6);
        test_assert_near(intervals[i].times.end, (i + 0.25 + 0.5 * angle) / REVOLUTIONS, 2e-6);
    }
    output = abut_toi_intervals(&pair.input, intervals, 3);
    assert_int_equal(output.interval_count, 3);
    assert_int_equal(output.interval_total, REVOLUTIONS);
    test_assert_near(intervals[2].times.begin, (2.25 - 0.5 * angle) / REVOLUTIONS, 2e-6);
    output = abut_toi_intervals(&pair.input, NULL, 0);
    assert_int_equal(output.interval_count, 0);
    assert_int_equal(output.interval_total, REVOLUTIONS);
    destroy_pair(&pair);
}

static void test_nothing_moves(void** state)
{
    (void)state;
    AbutPointInterval intervals[2];
    Pair pair = make_pair(0.5f, 0.0f, 0.0f);
    AbutToiOutput output = abut_toi_intervals(&pair.input, intervals, 2);
    assert_int_equal(output.state, ABUT_TOI_OVERLAP);
    assert_true(output.time == 0.0f && output.touch_proved && output.touch_time == 0.0f);
    assert_int_equal(output.interval_total, 1);
    assert_true(intervals[0].times.begin == 0.0f && intervals[0].times.end == 1.0f);
    destroy_pair(&pair);

    pair = make_pair(1.5f, 0.0f, 0.0f);
    output = abut_toi_intervals(&pair.input, intervals, 2);
    assert_int_equal(output.state, ABUT_TOI_MISS);
    test_assert_near(output.gap, 0.5, 1e-4);
    destroy_pair(&pair);
}

static void test_points_on_the_surface_are_found_at_the_start(void** state)
{
    (void)state;
    Pair pair = make_pair(1.0f, 0.0f, 0.0f);
    pair.input.motion_b.linear = abut_vec3(1.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_time_of_impact(&pair.input);
    assert_true(output.time == 0.0f);
    assert_true(output.state == ABUT_TOI_OVERLAP || output.state == ABUT_TOI_HIT);
    destroy_pair(&pair);
}

static void test_sets_without_points_touch_nothing(void** state)
{
    (void)state;
    Pair pair = make_pair(0.0f, 0.0f, 0.0f);
    AbutPointSet* none = NULL;
    test_assert_result(abut_points_create(NULL, NULL, 0, NULL, &none), ABUT_OK);
    pair.input.points_b = none;
    AbutToiOutput output = abut_time_of_impact(&pair.input);
    assert_int_equal(output.state, ABUT_TOI_MISS);
    assert_true(output.time == 1.0f && output.evaluations == 0);
    abut_points_destroy(none);
    destroy_pair(&pair);
}

static void test_input_that_makes_no_sense_is_refused(void** state)
{
    (void)state;
    AbutPointInterval intervals[1];
    Pair pair = make_pair(0.0f, 0.0f, 0.0f);
    AbutToiInput input = pair.input;
    input.points_b = NULL;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "points_a and points_b"));
    assert_int_equal(abut_toi_intervals(&input, intervals, 1).state, ABUT_TOI_INVALID);

    input = pair.input;
    input.shape_a = NULL;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "shape_a"));

    input = pair.input;
    input.motion_b.linear.y = NAN;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = pair.input;
    input.motion_a.angular.x = INFINITY;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = pair.input;
    input.pose_b.scale = 0.0f;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    input = pair.input;
    input.settings.tolerance = -1.0f;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_int_equal(abut_toi_intervals(&pair.input, NULL, 3).state, ABUT_TOI_INVALID);
    input = pair.input;
    input.settings.method = ABUT_TOI_SOLIDS;
    assert_int_equal(abut_toi_intervals(&input, intervals, 1).state, ABUT_TOI_INVALID);
    destroy_pair(&pair);
}

static void nan_distance(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = points.x[i] < 1.0f ? NAN : points.x[i];
    }
}

static void test_a_shape_that_answers_nan_is_not_called_free(void** state)
{
    (void)state;
    AbutCallbackDef def = abut_callback_def();
    AbutShape* shape = NULL;
    AbutPointInterval intervals[1];
    Pair pair = make_pair(0.0f, 0.0f, 0.0f);
    def.function = nan_distance;
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    pair.input.shape_a = shape;
    pair.input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    pair.input.motion_b.linear = abut_vec3(-4.0f, 0.0f, 0.0f);
    AbutToiOutput output = abut_toi_intervals(&pair.input, intervals, 1);
    assert_int_equal(output.state, ABUT_TOI_HIT);
    assert_true(output.time <= 0.5f && !output.touch_proved && output.interval_total == 0);
    abut_shape_destroy(shape);
    destroy_pair(&pair);
}

/// Many points at one place, and many in a plane that slides along a wall: lists overflow, answers stay.
static void test_crowds_of_points_lose_nothing(void** state)
{
    (void)state;
    enum
    {
        COUNT = 20000
    };
    float* positions = malloc(3 * (size_t)COUNT * sizeof(float));
    AbutPointInterval* intervals = malloc((size_t)COUNT * sizeof(AbutPointInterval));
    AbutShape* plane = NULL;
    assert_non_null(positions);
    assert_non_null(intervals);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    for (int kind = 0; kind < 2; ++kind)
    {
        AbutPointSet* points = NULL;
        for (size_t i = 0; i < COUNT; ++i)
        {
            positions[3 * i] = kind == 0 ? 0.0f : (float)(i % 100) * 0.01f;
            positions[3 * i + 1] = 0.0f;
            positions[3 * i + 2] = kind == 0 ? 0.0f : (float)(i / 100) * 0.01f;
        }
        test_assert_result(abut_points_create(positions, NULL, COUNT, NULL, &points), ABUT_OK);
        AbutToiInput input = abut_toi_input(plane, NULL);
        input.points_b = points;
        input.settings.method = ABUT_TOI_POINTS;
        input.settings.tolerance = 1e-4f;
        input.pose_b = abut_pose_at(0.0, 0.003, 0.0);
        input.motion_b.linear = abut_vec3(0.01f, -0.004f, 0.005f);
        AbutToiOutput output = abut_toi_intervals(&input, intervals, COUNT);
        assert_int_equal(output.state, ABUT_TOI_HIT);
        assert_true(output.time <= 0.75f && output.time > 0.70f);
        assert_int_equal(output.interval_total, COUNT);
        for (int i = 0; i < COUNT; ++i)
        {
            assert_int_equal(intervals[i].point, i);
            test_assert_near(intervals[i].times.begin, 0.75, 1e-5);
        }
        // Sliding without touching: proved, or near within the tolerance.
        input.motion_b.linear = abut_vec3(0.01f, -0.0025f, 0.005f);
        assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_MISS);
        abut_points_destroy(points);
    }
    abut_shape_destroy(plane);
    free(positions);
    free(intervals);
}

static void test_a_budget_that_is_spent_says_until_when_all_is_free(void** state)
{
    (void)state;
    Pair pair = make_pair(0.0f, 0.0f, 0.0f);
    AbutPointInterval intervals[4];
    pair.input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    pair.input.motion_b.linear = abut_vec3(-4.0f, 0.0f, 0.0f);
    float last = -1.0f;
    for (uint32_t budget = 1; budget < 40; ++budget)
    {
        pair.input.settings.budget = budget;
        AbutToiOutput output = abut_time_of_impact(&pair.input);
        assert_true(output.time >= last && output.time <= 0.5f);
        last = output.time;
        assert_true(output.state == ABUT_TOI_BUDGET || output.state == ABUT_TOI_HIT);
        assert_true(budget > 2 || output.state == ABUT_TOI_BUDGET);
        output = abut_toi_intervals(&pair.input, intervals, 4);
        assert_true(output.state == ABUT_TOI_BUDGET || output.interval_total == 1);
    }
    destroy_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thrown_point_hits_a_sphere_when_it_should),
        cmocka_unit_test(test_roles_may_be_swapped),
        cmocka_unit_test(test_a_point_on_an_arm_rotates_into_a_plane),
        cmocka_unit_test(test_many_revolutions_have_many_intervals_in_order),
        cmocka_unit_test(test_nothing_moves),
        cmocka_unit_test(test_points_on_the_surface_are_found_at_the_start),
        cmocka_unit_test(test_sets_without_points_touch_nothing),
        cmocka_unit_test(test_input_that_makes_no_sense_is_refused),
        cmocka_unit_test(test_a_shape_that_answers_nan_is_not_called_free),
        cmocka_unit_test(test_crowds_of_points_lose_nothing),
        cmocka_unit_test(test_a_budget_that_is_spent_says_until_when_all_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
