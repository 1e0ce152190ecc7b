// Springs and walls that are thinner than what a body moves in a substep.
#include "support/scenes/spring_world.h"

#define STEP (1.0 / 60.0) // in four substeps

static const AbutMaterial rough = { .friction = 0.5f };

/// Throws a body down at a fixed wall and says where it is after a second.
static double height_after(AbutShape* shape, float wall, AbutPose pose, double speed)
{
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.substep_count = 4;
    def.penalty.point_count = 400;
    AbutWorld* world = test_spring_world(&def);
    test_spring_add(world, test_make_box(1.0f, wall, 1.0f), NULL, ABUT_BODY_STATIC, abut_pose_identity(),
                    rough);
    AbutBodyId body = test_spring_add(world, shape, NULL, ABUT_BODY_DYNAMIC, pose, rough);
    abut_body_set_velocity(world, body, abut_vec3(0.0f, (float)-speed, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
    test_spring_run(world, STEP, 60);
    double height = abut_body_state(world, body).center.y;
    abut_world_destroy(world);
    return height;
}

static double height_of_ball(float wall, double from, double speed)
{
    AbutShape* ball = test_spring_coarse(test_make_sphere(0.1f));
    return height_after(ball, wall, abut_pose_at(0.0, from, 0.0), speed);
}

/// 8 m/s are 33 mm per substep: a wall of 20 mm is behind the first points of the ball within one. It lands
/// on top as if it were slow.
static void test_balls_land_on_walls_that_are_thinner_than_their_steps(void** state)
{
    (void)state;
    double slow = height_of_ball(0.02f, 0.13, 0.1);
    const double speeds[] = { 1.0, 4.0, 8.0 };
    for (int i = 0; i < 6; ++i)
    {
        test_assert_near(height_of_ball(0.02f, i < 3 ? 0.13 : 0.145, speeds[i % 3]), slow, 2e-3);
    }
}

/// A twentieth of the radius: points that get past the middle of the wall stay behind it, but the ball does
/// not follow.
static void test_balls_do_not_go_through_walls_of_a_twentieth_of_their_radius(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        assert_true(height_of_ball(0.005f, i < 2 ? 0.13 : 0.145, i % 2 == 0 ? 4.0 : 8.0) > 0.05);
    }
}

/// Both are thin: flat, and turned by up to a radian.
static void test_cards_do_not_go_through_each_other(void** state)
{
    (void)state;
    const float walls[] = { 0.01f, 0.005f };
    for (int i = 0; i < 8; ++i)
    {
        AbutPose pose = abut_pose_at(0.0, 0.22, 0.0);
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.5f), 0.3f * (float)(i / 2));
        AbutShape* card = test_make_box(0.3f, walls[i % 2], 0.2f);
        assert_true(height_after(card, walls[i % 2], pose, i < 4 ? 4.0 : 1.0) > 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_land_on_walls_that_are_thinner_than_their_steps),
        cmocka_unit_test(test_balls_do_not_go_through_walls_of_a_twentieth_of_their_radius),
        cmocka_unit_test(test_cards_do_not_go_through_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
