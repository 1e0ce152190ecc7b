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
        AbutDVec3 inner = abut_dvec3_from_vec3(point);
        AbutTransform frame = abut_relative_motion_frame(&motion, time);
        AbutDVec3 actual = abut_transform_point(&frame, inner);
        test_assert_near(abut_dvec3_distance(actual, abut_dvec3_from_vec3(expected)), 0.0, 2e-5);

        AbutRelativeMotion swapped = abut_relative_motion_swap(&motion);
        AbutTransform back = abut_relative_motion_frame(&swapped, time);
        AbutDVec3 again = abut_transform_point(&back, actual);
        test_assert_near(abut_dvec3_distance(again, inner), 0.0, 1e-12);
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
        double radius = test_random_range(&random, 0.0, 0.3);
        AbutDVec3 center = abut_dvec3_from_vec3(c);
        AbutDVec3 point = abut_dvec3_mul_add(center, radius, abut_dvec3_from_vec3(d));
        double bound = abut_relative_motion_speed(&motion, center, radius, begin, end);
        double step = 1e-6, at = test_random_range(&random, begin, end);
        AbutTransform first = abut_relative_motion_frame(&motion, at);
        AbutTransform second = abut_relative_motion_frame(&motion, at + step);
        AbutDVec3 before = abut_transform_point(&first, point), after = abut_transform_point(&second, point);
        double speed = abut_dvec3_distance(before, after) / step;
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
        AbutDVec3 point = abut_dvec3_from_vec3(test_random_point(&random, 1.0)), positions[3];
        double step = 1e-4, at = test_random_range(&random, begin, end);
        double radius = abut_dvec3_distance(point, motion.center_b) * motion.scale_b / motion.scale_a;
        for (int k = 0; k < 3; ++k)
        {
            AbutTransform frame = abut_relative_motion_frame(&motion, at + (k - 1) * step);
            positions[k] = abut_transform_point(&frame, point);
        }
        AbutDVec3 differences =
            abut_dvec3_add(abut_dvec3_mul_sub(positions[0], 2.0, positions[1]), positions[2]);
        double acceleration = abut_dvec3_length(abut_dvec3_div(differences, step * step));
        AbutMotionBounds bounds = abut_relative_motion_bounds(&motion, begin, end);
        double bound = abut_motion_bounds_acceleration(&bounds, radius);
        assert_true(acceleration <= bound * (1.0 + 1e-3) + 1e-5);
        tightest = fmax(tightest, bound > 0.0 ? acceleration / bound : 0.0);
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
        assert_true(abut_dvec3_distance(abut_dvec3_from_position(from), abut_dvec3_from_position(to)) <=
                    bound + 1e-5);
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
