// Bounds of how far moving points get, and their paths in pieces, against bodies that move in double.
#include "support/oracles/motion/motion_oracle.h"

#include <math.h>

#include "toi/points/trajectory.h"
#include "toi/points/trajectory_samples.h"

enum
{
    MOTIONS = 300,
    TIMES = 40,
    POSITIONS = 30
};

static AbutToiInput random_input(TestRandom* random)
{
    AbutToiInput input = abut_toi_input(NULL, NULL);
    input.pose_a.rotation = test_random_rotation(random);
    input.pose_b.rotation = test_random_rotation(random);
    input.pose_a.scale = (float)test_random_range(random, 0.5, 2.0);
    input.pose_b.scale = (float)test_random_range(random, 0.5, 2.0);
    input.pose_b.position.x = test_random_range(random, -2.0, 2.0);
    input.motion_a = test_random_motion(random, 1.0, 6.0);
    input.motion_b = test_random_motion(random, 1.0, 6.0);
    return input;
}

static AbutTrajectory random_path(const AbutToiInput* input, bool linear)
{
    AbutRelativeMotion motion;
    test_assert_result(abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b,
                                                 &input->motion_b, &motion),
                       ABUT_OK);
    return abut_trajectory_make(&motion, linear);
}

/// Where a point of B is in A's frame.
static void oracle_position(const AbutToiInput* input, const double point[3], double time, double out[3])
{
    TestTransform a = test_transform_at(&input->pose_a, &input->motion_a, time);
    TestTransform b = test_transform_at(&input->pose_b, &input->motion_b, time);
    double outer[3];
    test_transform_to_world(&b, point, outer);
    test_transform_to_local(&a, outer, out);
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/// The longest way that points of a sphere get from where they are at `middle`, as seen. `slack` is the least
/// that the bound leaves.
static void check_travel(TestRandom* random, const AbutToiInput* input, AbutTrajectory* path, double* slack)
{
    double half = test_random_range(random, 0.0, 0.25), radius = test_random_range(random, 0.0, 1.0);
    double middle = test_random_range(random, half, 1.0 - half);
    AbutVec3 c = test_random_point(random, 1.0);
    AbutTrajectorySample at;
    abut_trajectory_set_bounds(path, c, (float)radius);
    abut_trajectory_at(path, middle, &at);
    AbutDVec3 velocity = abut_daffine_apply(&at.velocity, abut_dvec3_from_vec3(c));
    double max_speed = abut_trajectory_distance(path, velocity, radius, half);
    for (int i = 0; i < POSITIONS; ++i)
    {
        AbutVec3 away =
            abut_vec3_scale(test_random_direction(random), (float)(i == 0 ? 0.0 : radius * 0.999));
        const double point[3] = { (double)c.x + (double)away.x, (double)c.y + (double)away.y,
                                  (double)c.z + (double)away.z };
        double start[3], position[3];
        oracle_position(input, point, middle, start);
        for (int k = 0; k <= 8; ++k)
        {
            oracle_position(input, point, middle + half * (k / 4.0 - 1.0), position);
            assert_true(apart(start, position) <= max_speed);
            *slack =
                fmin(*slack, k % 8 == 0 && max_speed > 0.0 ? 1.0 - apart(start, position) / max_speed : 1.0);
        }
    }
}

static void test_no_point_of_a_sphere_gets_further_than_its_travel(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    double slack = 1.0;
    for (int i = 0; i < MOTIONS; ++i)
    {
        AbutToiInput input = random_input(&random);
        AbutTrajectory path = random_path(&input, false);
        for (int k = 0; k < TIMES; ++k)
        {
            check_travel(&random, &input, &path, &slack);
        }
    }
    assert_true(slack < 0.01); // and the bound is no larger than it has to be
}

static void test_pieces_are_the_paths_but_for_rounding(void** state)
{
    (void)state;
    static AbutTrajectorySamples trajectory_samples;
    TestRandom random = { 22 };
    for (int i = 0; i < MOTIONS; ++i)
    {
        AbutToiInput input = random_input(&random);
        bool linear = i % 3 == 0;
        AbutTrajectory path = random_path(&input, linear);
        AbutVec3 p = test_random_point(&random, 1.0);
        const double point[3] = { p.x, p.y, p.z };
        abut_trajectory_samples_init(&trajectory_samples, &path);
        double top = abut_trajectory_max_speed(&path, abut_dvec3_from_vec3(p)) / ABUT_TRAJECTORY_TICKS;
        for (int k = 0; k < TIMES; ++k)
        {
            AbutQuintic span_ticks;
            double length = test_random_unit(&random) * trajectory_samples.span_ticks;
            double begin = test_random_unit(&random) * (ABUT_TRAJECTORY_TICKS - length);
            bool is_whole = k % 2 == 0 && trajectory_samples.span_ticks >= 1.0; // ends that are in the table
            begin = is_whole ? floor(begin) : begin;
            length = is_whole ? 1.0 + floor(0.999 * length) : length;
            double s = test_random_unit(&random), time = (begin + s * length) / ABUT_TRAJECTORY_TICKS,
                   position[3];
            abut_trajectory_samples_quintic(&trajectory_samples, abut_dvec3_from_vec3(p), begin,
                                            begin + length, &span_ticks);
            if (linear)
            {
                double ends[2][3];
                oracle_position(&input, point, 0.0, ends[0]);
                oracle_position(&input, point, 1.0, ends[1]);
                for (int axis = 0; axis < 3; ++axis)
                {
                    position[axis] = ends[0][axis] + time * (ends[1][axis] - ends[0][axis]);
                }
            }
            else
            {
                oracle_position(&input, point, time, position);
            }
            float at[3];
            abut_quintic_at(&span_ticks, s, at);
            const double seen[3] = { at[0], at[1], at[2] };
            test_assert_near(apart(seen, position), 0.0, 2e-6);
            assert_true(span_ticks.max_speed <= top * length * 1.05);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_point_of_a_sphere_gets_further_than_its_travel),
        cmocka_unit_test(test_pieces_are_the_paths_but_for_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
