// Distances of convex pairs without samples, against those of branch and bound over the same shapes.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/abut.h>
#include <math.h>

enum
{
    SHAPES = 8,
    HULL_POINTS = 24
};

static void create_shapes(TestRandom* random, AbutShape* shapes[SHAPES])
{
    AbutVec3 points[HULL_POINTS];
    for (int i = 0; i < HULL_POINTS; ++i)
    {
        points[i] = test_random_point(random, 0.5);
    }
    test_assert_result(abut_shape_create_sphere(0.4f, NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.2f, 0.7f, NULL, &shapes[1]), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(0.5f, 0.8f, 0.3f), NULL, &shapes[2]), ABUT_OK);
    test_assert_result(abut_shape_create_rounded_box(abut_vec3(0.6f, 0.5f, 0.4f), 0.1f, NULL, &shapes[3]),
                       ABUT_OK);
    test_assert_result(abut_shape_create_cylinder(0.3f, 0.6f, NULL, &shapes[4]), ABUT_OK);
    test_assert_result(abut_shape_create_cone(0.4f, 0.1f, 0.7f, NULL, &shapes[5]), ABUT_OK);
    test_assert_result(abut_shape_create_convex(points, HULL_POINTS, NULL, &shapes[6]), ABUT_OK);
    test_assert_result(abut_shape_create_offset(shapes[6], 0.05f, NULL, &shapes[7]), ABUT_OK);
}

static void test_closed_forms_agree_with_branch_and_bound(void** state)
{
    (void)state;
    TestRandom random = { 1718 };
    AbutShape *shapes[SHAPES], *twins[SHAPES];
    create_shapes(&random, shapes);
    for (int i = 0; i < SHAPES; ++i)
    {
        // A union of a shape with itself is no primitive: it is sampled.
        AbutShape* const both[2] = { shapes[i], shapes[i] };
        test_assert_result(abut_shape_create_union(both, 2, NULL, &twins[i]), ABUT_OK);
    }
    int closed = 0;
    for (int round = 0; round < TEST_ROUNDS(120); ++round)
    {
        int a = (int)(test_random_bits(&random) % SHAPES), b = (int)(test_random_bits(&random) % SHAPES);
        AbutDistanceInput input = abut_distance_input(shapes[a], shapes[b]);
        input.pose_a.rotation = test_random_rotation(&random);
        input.pose_b.position = test_random_position(&random, 2.0);
        input.pose_b.rotation = round % 4 == 0 ? input.pose_a.rotation : test_random_rotation(&random);
        input.pose_b.scale = round % 3 == 0 ? 1.5f : 1.0f;
        AbutDistanceOutput own = abut_distance(&input);
        input.shape_a = twins[a];
        input.shape_b = twins[b];
        AbutDistanceOutput other = abut_distance(&input);
        // Either may be undecided, neither may contradict the other.
        assert_true(own.state != ABUT_COLLIDE_SEPARATED || other.state != ABUT_COLLIDE_CONTACT);
        assert_true(own.state != ABUT_COLLIDE_CONTACT || other.state != ABUT_COLLIDE_SEPARATED);
        if (own.state != ABUT_COLLIDE_SEPARATED || other.state != ABUT_COLLIDE_SEPARATED)
        {
            continue;
        }
        assert_true(own.low <= own.high && own.low <= other.high && other.low <= own.high);
        double apart = (double)abut_vec3_length(abut_vec3_sub(own.point_a, own.point_b));
        assert_true(apart <= (double)own.high && apart >= (double)own.low - 1e-5);
        closed += own.evaluations < 64;
        test_assert_near(own.high, own.low, own.evaluations < 64 ? 2e-5 : 4e-3);
    }
    assert_true(closed > TEST_ROUNDS(20));
    for (int i = SHAPES - 1; i >= 0; --i)
    {
        abut_shape_destroy(twins[i]);
        abut_shape_destroy(shapes[i]);
    }
}

/// A plane below bodies: the height of the lowest point.
static void test_heights_over_planes_are_those_of_formulas(void** state)
{
    (void)state;
    AbutShape *plane = NULL, *box = test_make_box(1.0f, 1.0f, 1.0f), *ball = test_make_sphere(0.25f);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.5f, NULL, &plane), ABUT_OK);
    AbutDistanceInput input = abut_distance_input(box, plane);
    input.pose_a.position.y = 3.0;
    input.pose_a.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 0.78539816f);
    AbutDistanceOutput output = abut_distance(&input);
    test_assert_near(output.low, 2.5 - sqrt(0.5), 1e-6);
    test_assert_near(output.high, 2.5 - sqrt(0.5), 1e-5);
    input = abut_distance_input(plane, ball);
    input.pose_b.position = (AbutPosition){ 1e4, 2.0, -1e4 };
    output = abut_distance(&input);
    test_assert_near(output.low, 1.25, 1e-6);
    assert_true(output.low <= 1.25f && output.high >= 1.25f && output.high < 1.26f);
    abut_shape_destroy(plane);
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms_agree_with_branch_and_bound),
        cmocka_unit_test(test_heights_over_planes_are_those_of_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
