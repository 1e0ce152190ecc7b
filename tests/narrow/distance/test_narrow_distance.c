// Distances of shapes that are apart: bounds hold always, and are as near each other as they promise.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>

static AbutShape* baked(const AbutShape* shape)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

/// Distance from the middle of a ball to a box about the origin, less the radius.
static double ball_to_box(const double at[3], const double half[3], double radius)
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double over = fmax(0.0, fabs(at[axis]) - half[axis]);
        squared += over * over;
    }
    return sqrt(squared) - radius;
}

static void check_witnesses(const AbutDistanceOutput* output, const AbutShape* a, const AbutShape* b,
                            const AbutPose* pose, float error)
{
    float apart = abut_vec3_length(abut_vec3_sub(output->point_a, output->point_b));
    assert_true(apart <= output->high);
    AbutVec3 p = output->point_b,
             in_b = abut_pose_inverse_transform_point(pose, (AbutPosition){ p.x, p.y, p.z });
    test_assert_near(abut_shape_distance(a, output->point_a, NULL), 0.0, error);
    test_assert_near(abut_shape_distance(b, in_b, NULL), 0.0, error);
}

static void test_distances_of_formulas_are_within_the_tolerance(void** state)
{
    (void)state;
    AbutShape *a = test_make_box(1.0f, 0.6f, 0.4f), *b = test_make_sphere(0.3f);
    const double half[3] = { 0.5, (double)0.6f * 0.5, (double)0.4f * 0.5 };
    TestRandom random = { 41 };
    for (int i = 0, apart = 0; apart < 500; ++i)
    {
        AbutVec3 at = test_random_point(&random, i % 4 == 0 ? 20.0 : 1.5);
        const double position[3] = { at.x, at.y, at.z };
        double truth = ball_to_box(position, half, (double)0.3f);
        AbutDistanceInput input = abut_distance_input(a, b);
        input.pose_b = abut_pose_at(position[0], position[1], position[2]);
        input.pose_b.rotation = test_random_rotation(&random);
        input.tolerance = i % 4 != 0 && i % 3 == 0 ? 1e-4f : 0.0f; // far away floats have no room for that
        AbutDistanceOutput output = abut_distance(&input);
        if (truth < 0.004)
        {
            assert_true(truth > 0.0 || output.state != ABUT_COLLIDE_SEPARATED);
            continue;
        }
        ++apart;
        double tolerance = input.tolerance > 0.0f ? 1e-4 : 2e-3 * 1.04; // the box of the turned ball
        assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
        assert_true((double)output.low <= truth + 1e-6 * (1.0 + truth) &&
                    (double)output.high >= truth - 1e-6);
        if (!((double)(output.high - output.low) <= 1.1 * tolerance + 2e-5 * (1.0 + truth)))
        {
            fail_msg("%.9g to %.9g, truth %.9g, tolerance %g", (double)output.low, (double)output.high, truth,
                     tolerance);
        }
        check_witnesses(&output, a, b, &input.pose_b, 1e-4f * (1.0f + (float)truth));
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_bounds_of_fields_hold(void** state)
{
    (void)state;
    AbutShape *a = test_make_box(1.0f, 0.6f, 0.4f), *b = test_make_sphere(0.3f),
              *fields[2] = { baked(a), baked(b) };
    const double half[3] = { 0.5, (double)0.6f * 0.5, (double)0.4f * 0.5 };
    TestRandom random = { 42 };
    for (int i = 0; i < 200; ++i)
    {
        AbutVec3 at = test_random_point(&random, 1.2);
        const double position[3] = { at.x, at.y, at.z };
        double truth = ball_to_box(position, half, (double)0.3f);
        AbutDistanceInput input = abut_distance_input(fields[0], i % 2 == 0 ? fields[1] : b);
        input.pose_b = abut_pose_at(position[0], position[1], position[2]);
        AbutDistanceOutput output = abut_distance(&input);
        assert_true(output.state != ABUT_COLLIDE_INVALID && output.state != ABUT_COLLIDE_BUDGET);
        if (output.state == ABUT_COLLIDE_SEPARATED)
        {
            assert_true((double)output.low <= truth + 1e-6 && (double)output.high >= truth - 1e-6);
        }
        assert_true(truth > -0.03 || output.state == ABUT_COLLIDE_CONTACT);
        assert_true(truth < 0.03 || output.state == ABUT_COLLIDE_SEPARATED);
    }
    for (int k = 0; k < 2; ++k)
    {
        abut_shape_destroy(fields[k]);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_shape_without_end_has_a_distance(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(0.5f), *ground = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground), ABUT_OK);
    for (int k = 0; k < 2; ++k)
    {
        AbutDistanceInput input = abut_distance_input(k == 0 ? ball : ground, k == 0 ? ground : ball);
        *(k == 0 ? &input.pose_a : &input.pose_b) = abut_pose_at(3.0, 1.25, -2.0);
        AbutDistanceOutput output = abut_distance(&input);
        assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
        assert_true(output.low <= 0.75f && output.high >= 0.75f - 1e-6f && output.high - output.low < 3e-3f);
    }
    AbutDistanceInput both = abut_distance_input(ground, ground);
    both.pose_b = abut_pose_at(0.0, -1.0, 0.0);
    assert_int_equal(abut_distance(&both).state, ABUT_COLLIDE_INVALID);
    abut_shape_destroy(ball);
    abut_shape_destroy(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_of_formulas_are_within_the_tolerance),
        cmocka_unit_test(test_bounds_of_fields_hold),
        cmocka_unit_test(test_a_shape_without_end_has_a_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
