// Friction of springs: slopes, rest, piles that come to it.
#include "support/scenes/spring_world.h"

#include <math.h>

#define STEP (1.0 / 60.0)

static const AbutMaterial plain = { .friction = 0.5f };

static AbutPose on_slope(double slope, double height)
{
    AbutPose pose = abut_pose_at(height * sin(slope), height * cos(slope), 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)-slope);
    return pose;
}

/// Few points keep the test short; corners are among them, so that a box stands on what it has.
static AbutPointSet* make_box_points(double x, double y, double z)
{
    float at[27][3];
    for (int i = 0; i < 27; ++i)
    {
        at[i][0] = (float)(0.5 * x * (i % 3 - 1));
        at[i][1] = (float)(0.5 * y * (i / 3 % 3 - 1));
        at[i][2] = (float)(0.5 * z * (i / 9 - 1));
    }
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create(at[0], NULL, 27, NULL, &points), ABUT_OK);
    return points;
}

static AbutBodyId add_box(AbutWorld* world, double x, double y, double z, AbutPose pose,
                          AbutMaterial material)
{
    AbutPointSet* points = make_box_points(x, y, z);
    AbutBodyId body = test_spring_add(world, test_make_box((float)x, (float)y, (float)z), points,
                                      ABUT_BODY_DYNAMIC, pose, material);
    abut_points_destroy(points);
    return body;
}

static void test_a_box_slides_on_a_slope_exactly_when_it_is_steep(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        double slope = atan(0.5) + (i - 1.5) * 0.02;
        AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
        def.substep_count = 4;
        AbutWorld* world = test_spring_world(&def);
        test_spring_add_ground(world, slope, plain);
        AbutBodyId box = add_box(world, 0.4, 0.1, 0.4, on_slope(slope, 0.05), plain);
        test_spring_run(world, STEP, 60); // settles
        AbutBodyState before = abut_body_state(world, box);
        test_spring_run(world, STEP, 60);
        AbutBodyState after = abut_body_state(world, box);
        double gained = (double)abut_vec3_length(after.linear_velocity) -
                        (double)abut_vec3_length(before.linear_velocity);
        double expected = (double)9.81f * (sin(slope) - 0.5 * cos(slope));
        if (i < 2)
        {
            double distance = hypot(after.center.x - before.center.x, after.center.y - before.center.y);
            assert_true(distance < 1e-6);
        }
        else
        {
            test_assert_near(gained / expected, 1.0, 0.02);
        }
        abut_world_destroy(world);
    }
}

/// The same with points that the world sampled, and a slope of a baked field instead of a formula.
static void test_sampled_points_slide_as_they_must(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.penalty.point_count = 100;
    AbutWorld* world = test_spring_world(&def);
    double slope = 0.6;
    AbutShape *slab = test_make_box(4.0f, 0.5f, 2.0f), *field = NULL;
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 64;
    test_assert_result(abut_bake_shape(&bake, slab, &field), ABUT_OK);
    abut_shape_destroy(slab);
    test_spring_add(world, field, NULL, ABUT_BODY_STATIC, on_slope(slope, -0.25), plain);
    AbutPose pose = on_slope(slope, 0.05);
    AbutBodyId box =
        test_spring_add(world, test_make_box(0.4f, 0.1f, 0.4f), NULL, ABUT_BODY_DYNAMIC, pose, plain);
    test_spring_run(world, STEP / 4.0, 60);
    AbutBodyState before = abut_body_state(world, box);
    test_spring_run(world, STEP / 4.0, 120);
    AbutBodyState after = abut_body_state(world, box);
    double gained =
        (double)abut_vec3_length(after.linear_velocity) - (double)abut_vec3_length(before.linear_velocity);
    test_assert_near(gained / 0.5 / ((double)9.81f * (sin(slope) - 0.5 * cos(slope))), 1.0, 0.02);
    abut_world_destroy(world);
}

static void test_bodies_at_rest_stay_where_they_are(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED); // without sleep
    def.substep_count = 2;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.1, plain);
    AbutBodyId boxes[2];
    boxes[0] = add_box(world, 0.4, 0.3, 0.5, on_slope(0.1, 0.15), plain);
    boxes[1] = add_box(world, 0.2, 0.2, 0.2, on_slope(0.1, 0.4), plain);
    test_spring_run(world, STEP, 120);
    AbutBodyState before[2] = { abut_body_state(world, boxes[0]), abut_body_state(world, boxes[1]) };
    AbutStepReport report = test_spring_run(world, STEP, 300);
    for (int i = 0; i < 2; ++i)
    {
        AbutBodyState after = abut_body_state(world, boxes[i]);
        test_assert_near(after.center.x, before[i].center.x, 1e-5);
        test_assert_near(after.center.y, before[i].center.y, 1e-5);
        test_assert_near(after.center.z, before[i].center.z, 1e-5);
    }
    assert_true(report.kinetic_energy < 1e-9);
    assert_int_equal(report.touching_pair_count, 2);
    abut_world_destroy(world);
}

static void test_a_sliding_box_stops_where_friction_says(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.substep_count = 4;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.0, plain);
    AbutBodyId box = add_box(world, 0.4, 0.05, 0.4, abut_pose_at(0.0, 0.025, 0.0), plain);
    test_spring_run(world, STEP, 30);
    double from = abut_body_state(world, box).center.x;
    abut_body_set_velocity(world, box, abut_vec3(2.0f, 0.0f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
    test_spring_run(world, STEP, 90);
    double expected = 2.0 * 2.0 / (2.0 * 0.5 * (double)9.81f);
    test_assert_near(abut_body_state(world, box).center.x - from, expected, 0.02 * expected);
    abut_world_destroy(world);
}

/// Friction and normal forces of points that enter and leave must not feed a body energy.
static void test_a_tumbling_torus_loses_energy_and_comes_to_rest(void** state)
{
    (void)state;
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.substep_count = 2;
    def.sleep_speed = 0.05f;
    def.penalty.point_count = 150;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add_ground(world, 0.0, plain);
    AbutPose pose = abut_pose_at(0.0, 0.5, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.3f), 1.2f);
    AbutBodyId ring =
        test_spring_add(world, test_make_torus(0.15f, 0.05f), NULL, ABUT_BODY_DYNAMIC, pose, plain);
    abut_body_set_velocity(world, ring, abut_vec3(0.5f, 0.0f, 0.0f), abut_vec3(3.0f, 1.0f, -2.0f));
    AbutStepReport report = test_spring_run(world, STEP, 1);
    double most = report.kinetic_energy + report.potential_energy;
    for (int i = 0; i < 300; ++i)
    {
        report = test_spring_run(world, STEP, 1);
        double energy = report.kinetic_energy + report.potential_energy + report.elastic_energy;
        assert_true(energy <= most * 1.002);
        most = fmin(most, energy);
    }
    assert_true(abut_body_state(world, ring).asleep);
    test_assert_near(abut_body_state(world, ring).center.y, 0.05, 0.002);
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_slides_on_a_slope_exactly_when_it_is_steep),
        cmocka_unit_test(test_sampled_points_slide_as_they_must),
        cmocka_unit_test(test_bodies_at_rest_stay_where_they_are),
        cmocka_unit_test(test_a_sliding_box_stops_where_friction_says),
        cmocka_unit_test(test_a_tumbling_torus_loses_energy_and_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
