// Motions of bodies, against the C library in double and against many small steps.
#include "support/support.h"

#include <abut/toi.h>
#include <math.h>
#include <string.h>

#include "math/motion.h"
#include "math/rotation.h"

static AbutMotion random_motion(TestRandom* random, double angle)
{
    AbutMotion motion;
    motion.linear = test_random_point(random, 2.0);
    motion.angular = test_random_vector(random, 0.0, angle);
    motion.center = test_random_point(random, 0.5);
    return motion;
}

static AbutPose random_pose(TestRandom* random, double scale)
{
    AbutPose pose;
    pose.position = test_random_position(random, 3.0);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

static AbutToiInput random_input(TestRandom* random)
{
    AbutToiInput input = abut_toi_input(NULL, NULL);
    input.pose_a = random_pose(random, 0.5);
    input.pose_b = random_pose(random, 1.5);
    input.motion_a = random_motion(random, 4.0);
    input.motion_b = random_motion(random, 4.0);
    return input;
}

static void to_outer(const AbutTransform* frame, const double inner[3], double outer[3])
{
    abut_transform_rotate(frame, inner, outer);
    for (int i = 0; i < 3; ++i)
    {
        outer[i] = frame->scale * outer[i] + frame->translation[i];
    }
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void test_sine_and_cosine_are_those_of_the_library(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int i = 0; i < 200000; ++i)
    {
        double size = i % 3 == 0 ? 1e4 : i % 3 == 1 ? 7.0 : 1e-3;
        double angle = i < 64 ? (i - 32) * 0.25 * acos(-1.0) : test_random_range(&random, -size, size);
        double s, c;
        abut_sin_cos(angle, &s, &c);
        test_assert_near(s, sin(angle), 4e-16);
        test_assert_near(c, cos(angle), 4e-16);
    }
}

static void test_a_motion_between_two_poses_ends_at_the_second(void** state)
{
    (void)state;
    TestRandom random = { 8 };
    for (int i = 0; i < 10000; ++i)
    {
        AbutPose from = random_pose(&random, 2.0), to = random_pose(&random, 2.0);
        AbutMotion motion = abut_motion_between(&from, &to);
        assert_true(abut_vec3_length(motion.angular) <= 3.1415930f);
        AbutPose end = abut_motion_pose(&from, &motion, 1.0f);
        AbutVec3 corner = test_random_point(&random, 1.0);
        AbutPosition expected = abut_pose_transform_point(&to, corner),
                     actual = abut_pose_transform_point(&end, corner);
        test_assert_near(actual.x, expected.x, 4e-6);
        test_assert_near(actual.y, expected.y, 4e-6);
        test_assert_near(actual.z, expected.z, 4e-6);
    }
}

static void test_a_relative_motion_is_the_pose_of_b_seen_from_a(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    for (int i = 0; i < 10000; ++i)
    {
        AbutToiInput input = random_input(&random);
        float time = (float)test_random_unit(&random);
        AbutRelativeMotion motion;
        test_assert_result(abut_relative_motion_init(&input.pose_a, &input.motion_a, &input.pose_b,
                                                     &input.motion_b, &motion),
                           ABUT_OK);
        AbutPose a = abut_motion_pose(&input.pose_a, &input.motion_a, time);
        AbutPose b = abut_motion_pose(&input.pose_b, &input.motion_b, time);
        AbutVec3 point = test_random_point(&random, 1.0);
        AbutVec3 expected = abut_pose_inverse_transform_point(&a, abut_pose_transform_point(&b, point));
        double inner[3] = { point.x, point.y, point.z }, actual[3];
        AbutTransform frame = abut_relative_motion_frame(&motion, time);
        to_outer(&frame, inner, actual);
        double want[3] = { expected.x, expected.y, expected.z };
        test_assert_near(apart(actual, want), 0.0, 2e-5);

        AbutRelativeMotion swapped = abut_relative_motion_swap(&motion);
        AbutTransform back = abut_relative_motion_frame(&swapped, time);
        double again[3];
        to_outer(&back, actual, again);
        test_assert_near(apart(again, inner), 0.0, 1e-12);
    }
}

static void test_no_point_is_faster_than_the_bound(void** state)
{
    (void)state;
    TestRandom random = { 10 };
    double tightest = 0.0;
    for (int i = 0; i < 20000; ++i)
    {
        AbutToiInput input = random_input(&random);
        AbutRelativeMotion motion;
        test_assert_result(abut_relative_motion_init(&input.pose_a, &input.motion_a, &input.pose_b,
                                                     &input.motion_b, &motion),
                           ABUT_OK);
        double begin = test_random_unit(&random), end = test_random_range(&random, begin, 1.0);
        AbutVec3 c = test_random_point(&random, 1.0), d = test_random_direction(&random);
        double radius = test_random_range(&random, 0.0, 0.3), center[3] = { c.x, c.y, c.z };
        double point[3] = { c.x + radius * (double)d.x, c.y + radius * (double)d.y,
                            c.z + radius * (double)d.z };
        double bound = abut_relative_motion_speed(&motion, center, radius, begin, end);
        double step = 1e-6, at = test_random_range(&random, begin, end), before[3], after[3];
        AbutTransform first = abut_relative_motion_frame(&motion, at);
        AbutTransform second = abut_relative_motion_frame(&motion, at + step);
        to_outer(&first, point, before);
        to_outer(&second, point, after);
        double speed = apart(before, after) / step;
        assert_true(speed <= bound * (1.0 + 1e-5));
        tightest = fmax(tightest, speed / bound);
    }
    assert_true(tightest > 0.9);
}

static void test_no_point_is_accelerated_more_than_the_bound(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    double tightest = 0.0;
    for (int i = 0; i < 20000; ++i)
    {
        AbutToiInput input = random_input(&random);
        AbutRelativeMotion motion;
        test_assert_result(abut_relative_motion_init(&input.pose_a, &input.motion_a, &input.pose_b,
                                                     &input.motion_b, &motion),
                           ABUT_OK);
        double begin = test_random_unit(&random), end = test_random_range(&random, begin, 1.0);
        AbutVec3 p = test_random_point(&random, 1.0);
        double point[3] = { p.x, p.y, p.z }, step = 1e-4, at = test_random_range(&random, begin, end);
        double places[3][3], second[3],
            reach = apart(point, motion.center_b) * motion.scale_b / motion.scale_a;
        for (int k = 0; k < 3; ++k)
        {
            AbutTransform frame = abut_relative_motion_frame(&motion, at + (k - 1) * step);
            to_outer(&frame, point, places[k]);
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            second[axis] = (places[0][axis] - 2.0 * places[1][axis] + places[2][axis]) / (step * step);
        }
        AbutMotionBounds bounds = abut_relative_motion_bounds(&motion, begin, end);
        double bound = bounds.linear_acceleration + bounds.angular_acceleration * reach,
               none[3] = { 0.0, 0.0, 0.0 };
        assert_true(apart(second, none) <= bound * (1.0 + 1e-3) + 1e-5);
        tightest = fmax(tightest, bound > 0.0 ? apart(second, none) / bound : 0.0);
    }
    assert_true(tightest > 0.9);
}

static void test_no_corner_travels_further_than_the_bound(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    AbutBox box = abut_box(abut_vec3(-0.2f, -0.5f, -0.1f), abut_vec3(0.7f, 0.3f, 0.4f));
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose pose = random_pose(&random, 1.5);
        AbutMotion motion = random_motion(&random, 5.0);
        double bound = abut_motion_max_displacement(&pose, &motion, box);
        AbutPose later = abut_motion_pose(&pose, &motion, (float)test_random_unit(&random));
        AbutVec3 p;
        p.x = (float)test_random_range(&random, -0.2, 0.7);
        p.y = (float)test_random_range(&random, -0.5, 0.3);
        p.z = (float)test_random_range(&random, -0.1, 0.4);
        AbutPosition from = abut_pose_transform_point(&pose, p), to = abut_pose_transform_point(&later, p);
        double a[3] = { from.x, from.y, from.z }, b[3] = { to.x, to.y, to.z };
        assert_true(apart(a, b) <= bound + 1e-5);
    }
    AbutPose pose = abut_pose_identity();
    AbutMotion angular_speed = abut_motion_none(), moving = abut_motion_none();
    angular_speed.angular.y = 0.1f;
    moving.linear.x = 2.0f;
    assert_true(isinf(abut_motion_max_displacement(&pose, &angular_speed, abut_box_infinite())));
    test_assert_near(abut_motion_max_displacement(&pose, &moving, abut_box_infinite()), 2.0, 1e-6);
    test_assert_near(abut_motion_max_displacement(&pose, &moving, abut_box_empty()), 0.0, 0.0);
}

static void test_motions_that_are_none_are_refused(void** state)
{
    (void)state;
    AbutToiInput input = abut_toi_input(NULL, NULL);
    input.motion_b.angular.y = NAN;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "motion_b"));
    input = abut_toi_input(NULL, NULL);
    input.pose_a.scale = 0.0f;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "pose_a"));
    input = abut_toi_input(NULL, NULL);
    input.settings.tolerance = -1.0f;
    assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_INVALID);
    assert_non_null(strstr(abut_last_error(), "tolerance"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine_are_those_of_the_library),
        cmocka_unit_test(test_a_motion_between_two_poses_ends_at_the_second),
        cmocka_unit_test(test_a_relative_motion_is_the_pose_of_b_seen_from_a),
        cmocka_unit_test(test_no_point_is_faster_than_the_bound),
        cmocka_unit_test(test_no_point_is_accelerated_more_than_the_bound),
        cmocka_unit_test(test_no_corner_travels_further_than_the_bound),
        cmocka_unit_test(test_motions_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
