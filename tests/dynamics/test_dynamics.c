// Worlds against closed forms: falling, turning, sliding, bouncing, meeting.
#include "support/worlds.h"

#include <math.h>

static void test_a_body_falls_along_the_parabola(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyId ball = test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(1.0, 100.0, -2.0), test_plain);
    test_steps(world, 120);
    AbutBodyState now = abut_body_state(world, ball);
    double t = 120.0 * (double)TEST_STEP, g = (double)9.81f;
    test_assert_near(now.linear_velocity.y, -g * t, 1e-4);
    test_assert_near(now.center.y, 100.0 - 0.5 * g * t * t, 1e-9);
    test_assert_near(now.center.x, 1.0, 1e-6);
    abut_world_destroy(world);
}

static void test_a_force_is_for_one_step_and_moves_by_its_mass(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutWorld* world = test_make_world_of(&def);
    AbutBodyDef body = abut_body_def();
    body.shape = test_make_box(1.0f, 1.0f, 1.0f);
    body.mass = 6.0f;
    body.never_sleeps = true;
    AbutBodyId id = test_add_body_of(world, &body);
    AbutVec3 force = abut_vec3(30.0f, 0.0f, 0.0f), torque = abut_vec3(0.0f, 0.0f, 3.0f);
    test_assert_result(abut_body_apply_force(world, id, force, torque), ABUT_OK);
    test_assert_result(abut_body_apply_force(world, id, force, torque), ABUT_OK); // they add up
    test_steps(world, 3);
    AbutBodyState now = abut_body_state(world, id);
    double t = (double)TEST_STEP;
    test_assert_near(now.linear_velocity.x, 60.0 / 6.0 * t, 1e-6);
    test_assert_near(now.center.x, 60.0 / 6.0 * (0.5 * t * t + 2.0 * t * t), 1e-9);
    test_assert_near(now.angular_velocity.z, 6.0 / 1.0 * t, 1e-6); // a cube's moment is m/6
    abut_world_destroy(world);
}

/// R I Rᵀ ω of a box.
static void angular_momentum(const AbutBodyState* state, const double extents[3], double out[3])
{
    double r[3][3], local[3];
    const double w[3] = { state->angular_velocity.x, state->angular_velocity.y, state->angular_velocity.z };
    abut_quat_to_matrix(state->pose.rotation, r);
    for (int i = 0; i < 3; ++i)
    {
        double y = extents[(i + 1) % 3], z = extents[(i + 2) % 3];
        local[i] = state->mass / 12.0 * (y * y + z * z) * (r[0][i] * w[0] + r[1][i] * w[1] + r[2][i] * w[2]);
    }
    for (int i = 0; i < 3; ++i)
    {
        out[i] = r[i][0] * local[0] + r[i][1] * local[1] + r[i][2] * local[2];
    }
}

/// A body of three different moments that turns about the middle one tumbles wildly.
static void test_a_free_body_keeps_its_energy_and_angular_momentum(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    for (int fast = 0; fast < 2; ++fast)
    {
        AbutWorld* world = test_make_world_of(&def);
        AbutBodyDef body = abut_body_def();
        const double extents[3] = { (double)0.3f, (double)0.2f, (double)0.1f };
        body.shape = test_make_box(0.3f, 0.2f, 0.1f);
        body.never_sleeps = true;
        body.angular_velocity = abut_vec3(0.02f, fast == 1 ? 100.0f : 10.0f, 0.03f);
        AbutBodyId id = test_add_body_of(world, &body);
        AbutBodyState now = abut_body_state(world, id);
        double energy = 0.0, before[3], after[3];
        angular_momentum(&now, extents, before);
        bool flipped = false;
        for (int i = 0; i < 601; ++i)
        {
            AbutStepReport report = test_steps(world, 1);
            energy = i == 0 ? report.kinetic_energy : energy;
            test_assert_near(report.kinetic_energy / energy, 1.0, 1e-4);
            now = abut_body_state(world, id);
            angular_momentum(&now, extents, after);
            double off = hypot(hypot(after[0] - before[0], after[1] - before[1]), after[2] - before[2]);
            assert_true(off < 1e-4 * fabs(before[1]));
            AbutVec3 up = abut_quat_rotate(now.pose.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
            flipped = flipped || up.y < -0.9f;
        }
        assert_true(flipped); // Dzhanibekov's effect
        abut_world_destroy(world);
    }
}

static AbutPose on_slope(double slope, double height)
{
    AbutPose pose = abut_pose_at(height * sin(slope), height * cos(slope), 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)-slope);
    return pose;
}

static void test_a_box_slides_on_a_slope_exactly_when_it_is_steep(void** state)
{
    (void)state;
    const double friction = 0.5;
    for (int i = 0; i < 9; ++i) // the last three are a field's
    {
        double slope = atan(friction) + (i % 6 - 2.5) * 0.04;
        AbutWorld* world = test_make_world(NULL);
        AbutMaterial material = { .friction = (float)friction };
        test_add_ground(world, slope, material);
        AbutShape* shape = test_make_box(0.4f, 0.1f, 0.4f);
        shape = i < 6 ? shape : test_bake(shape, 32);
        AbutBodyId box = test_add_body(world, shape, ABUT_BODY_DYNAMIC, on_slope(slope, 0.05), material);
        test_steps(world, 30); // settles
        AbutBodyState before = abut_body_state(world, box);
        test_steps(world, 60);
        AbutBodyState after = abut_body_state(world, box);
        double gained = (double)abut_vec3_length(after.linear_velocity) -
                        (double)abut_vec3_length(before.linear_velocity);
        double expected = (double)9.81f * (sin(slope) - friction * cos(slope));
        if (i % 6 < 3)
        {
            assert_true(test_position_distance(after.center, before.center) < 1e-4 * 0.4);
        }
        else
        {
            test_assert_near(gained / expected, 1.0, 0.02);
        }
        abut_world_destroy(world);
    }
}

/// Without friction a ball goes down a slope of 10 degrees as a point does; with it, it rolls, and its spin
/// takes two of seven parts.
static void test_a_ball_slides_and_rolls_down_a_slope_without_drag(void** state)
{
    (void)state;
    for (int rolls = 0; rolls < 2; ++rolls)
    {
        double slope = 3.141592653589793 / 18.0,
               down = (double)9.81f * sin(slope) * (rolls ? 5.0 / 7.0 : 1.0);
        AbutWorld* world = test_make_world(NULL);
        AbutMaterial material = { .friction = rolls ? 0.8f : 0.0f };
        test_add_ground(world, slope, material);
        AbutBodyId ball =
            test_add_body(world, test_make_sphere(0.1f), ABUT_BODY_DYNAMIC, on_slope(slope, 0.1), material);
        test_steps(world, 60);
        AbutBodyState now = abut_body_state(world, ball);
        test_assert_near((double)abut_vec3_length(now.linear_velocity) / down, 1.0, 1e-3);
        test_assert_near(0.1 * (double)abut_vec3_length(now.angular_velocity), rolls ? down : 0.0,
                         rolls ? 1e-3 * down : 1e-4);
        abut_world_destroy(world);
    }
}

static void test_two_bodies_that_meet_keep_their_momentum(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    def.sleep_speed = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        AbutWorld* world = test_make_world_of(&def);
        AbutMaterial material = { .friction = 0.6f, .restitution = 0.5f * (float)i };
        AbutBodyId a = test_add_body(world, test_make_box(0.3f, 0.2f, 0.25f), ABUT_BODY_DYNAMIC,
                                     abut_pose_at(-0.5, 0.02, 0.0), material);
        AbutBodyId b = test_add_body(world, test_make_sphere(0.15f), ABUT_BODY_DYNAMIC,
                                     abut_pose_at(0.5, 0.0, 0.03), material);
        abut_body_set_velocity(world, a, abut_vec3(2.0f, 0.0f, 0.0f), abut_vec3(0.0f, 3.0f, 0.0f));
        abut_body_set_velocity(world, b, abut_vec3(-1.0f, 0.1f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
        double mass[2] = { abut_body_state(world, a).mass, abut_body_state(world, b).mass };
        double before = mass[0] * 2.0 - mass[1], across = mass[1] * (double)0.1f;
        test_steps(world, 60);
        AbutBodyState end[2] = { abut_body_state(world, a), abut_body_state(world, b) };
        assert_true(end[0].linear_velocity.x < 1.9f); // they have met
        double along =
            mass[0] * (double)end[0].linear_velocity.x + mass[1] * (double)end[1].linear_velocity.x;
        double aside =
            mass[0] * (double)end[0].linear_velocity.y + mass[1] * (double)end[1].linear_velocity.y;
        test_assert_near(along, before, 1e-5);
        test_assert_near(aside, across, 1e-5);
        abut_world_destroy(world);
    }
}

/// Balls that fall from 1 and come up again to e², e⁴, ... of it.
static void test_balls_bounce_to_the_square_of_the_restitution(void** state)
{
    (void)state;
    const float restitutions[4] = { 0.3f, 0.5f, 0.8f, 1.0f };
    for (int i = 0; i < 8; ++i) // the last four are a field's
    {
        float e = restitutions[i % 4];
        AbutWorld* world = test_make_world(NULL);
        AbutMaterial material = { .friction = 0.5f, .restitution = e };
        test_add_ground(world, 0.0, material);
        AbutShape* shape = i < 4 ? test_make_sphere(0.1f) : test_bake(test_make_sphere(0.1f), 32);
        AbutBodyId ball =
            test_add_body(world, shape, ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 1.1, 0.0), material);
        double expected = 1.0, last[2] = { 1.0, 1.0 };
        int bounces = 0;
        for (int step = 0; step < 240 && bounces < 3; ++step)
        {
            test_steps(world, 1);
            double height = abut_body_state(world, ball).center.y - 0.1;
            if (last[1] > last[0] && last[1] >= height)
            {
                expected *= (double)e * (double)e;
                ++bounces;
                // The highest point lies between two steps: under it by at most g dt²/8.
                if (expected > 0.02)
                {
                    test_assert_near(last[1] / expected, 1.0, 0.025);
                }
                assert_true(last[1] < 1.002);
            }
            last[0] = last[1];
            last[1] = height;
        }
        assert_true(bounces > 0);
        abut_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_falls_along_the_parabola),
        cmocka_unit_test(test_a_force_is_for_one_step_and_moves_by_its_mass),
        cmocka_unit_test(test_a_free_body_keeps_its_energy_and_angular_momentum),
        cmocka_unit_test(test_a_box_slides_on_a_slope_exactly_when_it_is_steep),
        cmocka_unit_test(test_a_ball_slides_and_rolls_down_a_slope_without_drag),
        cmocka_unit_test(test_two_bodies_that_meet_keep_their_momentum),
        cmocka_unit_test(test_balls_bounce_to_the_square_of_the_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
