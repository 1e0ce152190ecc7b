// Margins that are grown by the motion: no contact of a step is missed by a query at its start.
#include "support/support.h"

#include <abut/toi.h>
#include <math.h>

enum
{
    CASES = 150,
    TIMES = 24,
    MOST_CONTACTS = 256,
    SHAPES = 5
};

static AbutMotion random_motion(TestRandom* random)
{
    AbutMotion motion;
    motion.linear = test_random_point(random, 0.6);
    motion.angular = test_random_vector(random, 0.0, 3.1);
    motion.center = test_random_point(random, 0.3);
    return motion;
}

static AbutPose random_pose(TestRandom* random, double reach, double scale)
{
    AbutVec3 at = test_random_point(random, reach);
    AbutPose pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

static AbutToiInput random_input(TestRandom* random, AbutShape* const* shapes)
{
    AbutShape* a = shapes[test_random_bits(random) % (SHAPES - 1)];
    AbutToiInput input = abut_toi_input(a, shapes[test_random_bits(random) % SHAPES]);
    input.pose_a = random_pose(random, 0.2, test_random_range(random, 0.5, 1.5));
    input.pose_b = random_pose(random, 1.2, test_random_range(random, 0.5, 1.5));
    input.motion_a = random_motion(random);
    input.motion_b = random_motion(random);
    return input;
}

static AbutCollideInput query_at(const AbutToiInput* input, float time)
{
    AbutCollideInput query = abut_collide_input(input->shape_a, input->shape_b);
    query.pose_a = abut_motion_pose(&input->pose_a, &input->motion_a, time);
    query.pose_b = abut_motion_pose(&input->pose_b, &input->motion_b, time);
    return query;
}

static bool touches_in_step(const AbutToiInput* input)
{
    for (int i = 0; i <= TIMES; ++i)
    {
        AbutCollideInput query = query_at(input, (float)i / TIMES);
        if (abut_collide(&query, NULL, 0).state == ABUT_COLLIDE_CONTACT)
        {
            return true;
        }
    }
    return false;
}

static void make_shapes(AbutShape* shapes[SHAPES])
{
    test_assert_result(abut_shape_create_box(abut_vec3(0.8f, 0.1f, 0.4f), NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_torus(0.4f, 0.08f, NULL, &shapes[1]), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.3f, NULL, &shapes[2]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.05f, 0.8f, NULL, &shapes[3]), ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -0.5f, NULL, &shapes[4]),
                       ABUT_OK);
}

static float margin_of(const AbutToiInput* input)
{
    float margin = 0.0f;
    test_assert_result(abut_toi_speculative_margin(input, &margin), ABUT_OK);
    return margin;
}

static void test_a_query_with_the_margin_reports_every_contact_of_the_step(void** state)
{
    (void)state;
    AbutShape* shapes[SHAPES];
    AbutContact contacts[MOST_CONTACTS];
    TestRandom random = { 11 };
    int touching = 0, reported = 0, missed = 0;
    make_shapes(shapes);
    for (int i = 0; i < CASES; ++i)
    {
        AbutToiInput input = random_input(&random, shapes);
        AbutCollideInput query = query_at(&input, 0.0f);
        query.settings.margin = margin_of(&input);
        AbutCollideOutput output = abut_collide(&query, contacts, MOST_CONTACTS);
        bool touches = touches_in_step(&input);
        touching += touches ? 1 : 0;
        reported += output.contact_total > 0 ? 1 : 0;
        missed += touches && output.contact_total == 0 ? 1 : 0;
    }
    print_message("of %d steps %d touch, contacts of %d are reported\n", CASES, touching, reported);
    assert_int_equal(missed, 0);
    assert_true(touching > CASES / 10 && reported < CASES);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_bodies_further_apart_than_the_margin_are_never_hit(void** state)
{
    (void)state;
    AbutShape* shapes[SHAPES];
    TestRandom random = { 12 };
    int apart = 0;
    make_shapes(shapes);
    for (int i = 0; i < CASES; ++i)
    {
        AbutToiInput input = random_input(&random, shapes);
        input.pose_b.position.x += 2.0;
        AbutCollideInput query = query_at(&input, 0.0f);
        AbutCollideOutput output = abut_collide(&query, NULL, 0);
        if (output.state == ABUT_COLLIDE_SEPARATED && output.gap > margin_of(&input))
        {
            apart += 1;
            assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_MISS);
        }
    }
    assert_true(apart > 5);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_the_margin_is_the_displacement_without_rotation(void** state)
{
    (void)state;
    AbutShape* shapes[SHAPES];
    make_shapes(shapes);
    float margin = 5.0f;
    AbutToiInput input = abut_toi_input(shapes[0], shapes[1]);
    assert_true(margin_of(&input) == 0.0f);
    input.pose_a.scale = 2.0f; // in its units the way is half as long
    input.motion_a.linear = abut_vec3(1.0f, 0.0f, 0.0f);
    input.motion_b.linear = abut_vec3(1.0f, 4.0f, 0.0f);
    test_assert_near(margin_of(&input), 2.0, 1e-5); // they move together along x
    input = abut_toi_input(shapes[0], shapes[4]);   // a half-space that turns
    input.motion_b.angular = abut_vec3(1.0f, 0.0f, 0.0f);
    assert_true(isfinite(margin_of(&input)));
    input = abut_toi_input(shapes[4], shapes[4]);
    input.motion_b.angular = abut_vec3(1.0f, 0.0f, 0.0f);
    assert_true(isinf(margin_of(&input)));
    input.motion_b.angular.x = NAN;
    test_assert_result(abut_toi_speculative_margin(&input, &margin), ABUT_INVALID_ARGUMENT);
    input = abut_toi_input(NULL, shapes[0]);
    test_assert_result(abut_toi_speculative_margin(&input, &margin), ABUT_INVALID_ARGUMENT);
    assert_true(margin == 5.0f);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_query_with_the_margin_reports_every_contact_of_the_step),
        cmocka_unit_test(test_bodies_further_apart_than_the_margin_are_never_hit),
        cmocka_unit_test(test_the_margin_is_the_displacement_without_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
