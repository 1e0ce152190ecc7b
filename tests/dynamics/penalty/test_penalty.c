// Springs against closed forms: bounces, contact times, depths at rest, restitution, momentum.
#include "support/scenes/spring_world.h"

#include "dynamics/state/world.h"

#include <math.h>
#include <stdio.h>

#define STIFFNESS 1e4f
#define OMEGA 100.0 // of a mass of 1

static const AbutMaterial smooth = { .friction = 0.0f };

/// Gain of energy of a ball that hits a spring at 1 m/s in free space, `phase` of a step before it touches.
/// When it is on its way back, *contact is the time between its crossings of the surface.
static double bounce(AbutPenaltyScheme scheme, double angle, double phase, float restitution, double* contact)
{
    AbutWorldDef def = test_spring_def(scheme);
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutWorld* world = test_spring_world(&def);
    const AbutMaterial elastic = { .restitution = restitution, .stiffness = STIFFNESS };
    test_spring_add_ground(world, 0.0, smooth);
    double step = (double)(float)(angle / OMEGA), last = (1.0 + phase) * step, energy = 0.0,
           times[2] = { 0.0, 0.0 };
    AbutBodyId ball = test_spring_add_ball(world, last, 1.0, elastic);
    for (int i = 0; i < 2000; ++i)
    {
        energy = test_spring_run(world, step, 1).kinetic_energy;
        double height = abut_body_state(world, ball).center.y - (double)0.1f;
        if (last >= 0.0 && height < 0.0)
        {
            times[0] = i + last / (last - height);
        }
        else if (last < 0.0 && height >= 0.0)
        {
            times[1] = i + last / (last - height);
        }
        if (times[1] > 0.0 && i > times[1] + 2.0)
        {
            break;
        }
        last = height;
    }
    assert_true(times[1] > times[0]);
    *contact = (times[1] - times[0]) * step;
    abut_world_destroy(world);
    return energy / 0.5 - 1.0;
}

static void test_elastic_bounces_keep_their_energy(void** state)
{
    (void)state;
    double contact;
    for (double angle = 0.125; angle <= 4.0; angle *= 2.0)
    {
        double most[ABUT_PENALTY_SCHEME_COUNT] = { -1.0, -1.0, -1.0 }, least = 1.0;
        for (int i = 0; i < 4; ++i)
        {
            double gain = bounce(ABUT_PENALTY_BALANCED, angle, i / 4.0, 1.0f, &contact);
            most[0] = fmax(most[0], gain);
            least = fmin(least, gain);
            for (int scheme = 1; scheme < ABUT_PENALTY_SCHEME_COUNT && angle <= 0.5; ++scheme)
            {
                gain = bounce((AbutPenaltyScheme)scheme, angle, i / 4.0, 1.0f, &contact);
                most[scheme] = fmax(most[scheme], gain);
            }
        }
        assert_true(most[0] <= 1e-4 && least >= -1e-4);
        if (angle <= 0.5)
        {
            print_message(
                "spring angle %.4g per step: energy gained balanced %.5f %%, sampled %.2f %%, delayed "
                "(undamped) %.1f %%\n",
                angle, 100.0 * most[0], 100.0 * most[ABUT_PENALTY_SAMPLED],
                100.0 * most[ABUT_PENALTY_DELAYED]);
        }
        if (angle == 0.5)
        {
            assert_true(most[ABUT_PENALTY_SAMPLED] > 0.03); // the comparison is one
            assert_true(most[ABUT_PENALTY_DELAYED] > 0.5);
        }
    }
}

static void test_a_bounce_takes_half_a_period(void** state)
{
    (void)state;
    const double pi = 3.141592653589793;
    for (int i = 0; i < 2; ++i)
    {
        double contact;
        bounce(ABUT_PENALTY_BALANCED, 0.05, i / 2.0, 1.0f, &contact);
        test_assert_near(contact * OMEGA / pi, 1.0, 2e-3);
    }
}

static void test_damping_gives_back_what_the_material_says(void** state)
{
    (void)state;
    const double given[] = { 0.9, 0.7, 0.5, 0.3, 0.15 };
    for (int i = 0; i < 5; ++i)
    {
        double contact, gain = bounce(ABUT_PENALTY_BALANCED, 0.02, 0.3, (float)given[i], &contact);
        test_assert_near(sqrt(1.0 + gain) / given[i], 1.0, 0.01);
    }
}

/// The midpoint rule takes less from springs that turn far in a step; the damping makes up for it.
static void test_damping_gives_back_what_the_material_says_in_large_steps(void** state)
{
    (void)state;
    const double angles[] = { 0.4, 0.8, 1.6 }, most[] = { 0.02, 0.06, 0.15 };
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 8; ++k)
        {
            double contact, given = k % 2 == 0 ? 0.7 : 0.3;
            double gain = bounce(ABUT_PENALTY_BALANCED, angles[i], k / 8.0, (float)given, &contact);
            test_assert_near(sqrt(1.0 + gain) / given, 1.0, most[i]);
        }
    }
}

/// e = exp(−2 ζ acos(ζ) / √(1 − ζ²)) for a spring that may not pull; without restitution, critical damping.
static void test_a_damping_ratio_has_its_closed_form(void** state)
{
    (void)state;
    for (double ratio = 0.1; ratio < 0.99; ratio += 0.2)
    {
        AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
        def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
        AbutWorld* world = test_spring_world(&def);
        const AbutMaterial damped = { .stiffness = STIFFNESS, .damping = (float)(2.0 * ratio * OMEGA) };
        test_spring_add_ground(world, 0.0, smooth);
        AbutBodyId ball = test_spring_add_ball(world, 0.001, 1.0, damped);
        test_spring_run(world, 2e-4, 500);
        double expected = exp(-2.0 * ratio * acos(ratio) / sqrt(1.0 - ratio * ratio));
        test_assert_near((double)abut_body_state(world, ball).linear_velocity.y, expected, 0.01 * expected);
        abut_world_destroy(world);
    }
}

static void test_a_ball_at_rest_is_as_deep_as_its_weight_makes_it(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < ABUT_PENALTY_SCHEME_COUNT; ++scheme)
    {
        AbutWorldDef def = test_spring_def((AbutPenaltyScheme)scheme);
        AbutWorld* world = test_spring_world(&def);
        const AbutMaterial damped = { .stiffness = STIFFNESS, .damping = 100.0f };
        test_spring_add_ground(world, 0.0, smooth);
        AbutBodyId ball = test_spring_add_ball(world, 0.01, 0.0, damped);
        AbutStepReport report = test_spring_run(world, 0.002, 400);
        double depth = (double)9.81f / (double)STIFFNESS;
        test_assert_near(abut_body_state(world, ball).center.y, (double)0.1f - depth, 1e-3 * depth);
        test_assert_near(report.max_penetration, depth, 1e-3 * depth);
        assert_true(report.kinetic_energy < 1e-9);
        test_assert_near(report.elastic_energy, 0.5 * depth * depth * (double)STIFFNESS, 1e-5);
        assert_int_equal(report.stiff_count, 0);
        abut_world_destroy(world);
    }
}

/// The default: as deep as the settings say, in any step that is not too large for it.
static void test_automatic_springs_hold_a_ball_at_the_depth_of_the_settings(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
        def.penalty.depth = 0.002f;
        AbutWorld* world = test_spring_world(&def);
        test_spring_add_ground(world, 0.0, smooth);
        AbutBodyId ball = test_spring_add_ball(world, 0.01, 0.0, smooth);
        const double steps[3] = { 1.0 / 60.0, 1.0 / 120.0, 1.0 / 500.0 };
        test_spring_run(world, steps[i], (int)(1.5 / steps[i]));
        test_assert_near((double)0.1f - abut_body_state(world, ball).center.y, 0.002, 2e-5);
        assert_string_equal(abut_world_warning(world), "");
        abut_world_destroy(world);
    }
}

/// Deepest point of a ball with many points at the ends of steps, from a speed of 2 m/s.
static double max_depth_of_landing(double step)
{
    AbutWorldDef def = test_spring_def(ABUT_PENALTY_BALANCED);
    def.penalty.point_count = 600;
    AbutWorld* world = test_spring_world(&def);
    const AbutMaterial damped = { .restitution = 0.3f, .stiffness = 1e4f };
    test_spring_add_ground(world, 0.0, smooth);
    AbutBodyId ball = test_spring_add(world, test_spring_coarse(test_make_sphere(0.1f)), NULL,
                                      ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.1 + 0.01, 0.0), damped);
    abut_body_set_velocity(world, ball, abut_vec3(0.0f, -2.0f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
    double max_penetration = 0.0;
    for (int i = 0; i < (int)(0.1 / step); ++i)
    {
        test_spring_run(world, step, 1);
        max_penetration = fmax(max_penetration, 0.1 - abut_body_state(world, ball).center.y);
    }
    abut_world_destroy(world);
    return max_penetration;
}

/// The damping is shared by the points that are inside, not by all that a large step would lead through the
/// surface.
static void test_many_points_sink_in_no_deeper_in_large_steps(void** state)
{
    (void)state;
    double fine = max_depth_of_landing(2e-4);
    const double steps[] = { 2e-3, 5e-3, 1e-2 };
    for (int i = 0; i < 3; ++i)
    {
        double coarse = max_depth_of_landing(steps[i]);
        print_message("steps of %g s: %.4g deep, of 0.0002 s: %.4g\n", steps[i], coarse, fine);
        assert_true(coarse <= 1.02 * fine);
    }
}

static void add_momenta(const AbutWorld* world, AbutBodyId id, double linear[3], double angular[3])
{
    const AbutBody* body = abut_world_body(world, id);
    AbutDMat3 r = abut_body_matrix(body->rotation);
    AbutDVec3 momentum = abut_dvec3_div(body->velocity, body->inverse_mass);
    AbutDVec3 local = abut_dmat3_transform_transposed(&r, body->angular_velocity);
    AbutDVec3 world_momentum = abut_dmat3_transform(&r, abut_dmat3_transform(&body->inertia, local));
    AbutDVec3 total = abut_dvec3_add(abut_dvec3_cross(body->position, momentum), world_momentum);
    for (int i = 0; i < 3; ++i)
    {
        linear[i] += abut_dvec3_get(momentum, i);
        angular[i] += abut_dvec3_get(total, i);
    }
}

static void test_two_bodies_that_meet_keep_their_momentum(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < ABUT_PENALTY_SCHEME_COUNT; ++scheme)
    {
        AbutWorldDef def = test_spring_def((AbutPenaltyScheme)scheme);
        def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
        AbutWorld* world = test_spring_world(&def);
        const AbutMaterial rough = { .friction = 0.5f, .restitution = 0.5f };
        AbutBodyId a = test_spring_add(world, test_make_box(0.3f, 0.2f, 0.25f), NULL, ABUT_BODY_DYNAMIC,
                                       abut_pose_at(-0.3, 0.02, 0.0), rough);
        AbutBodyId b = test_spring_add(world, test_make_torus(0.15f, 0.05f), NULL, ABUT_BODY_DYNAMIC,
                                       abut_pose_at(0.2, 0.0, 0.03), rough);
        abut_body_set_velocity(world, a, abut_vec3(2.0f, 0.0f, 0.0f), abut_vec3(0.0f, 3.0f, 1.0f));
        abut_body_set_velocity(world, b, abut_vec3(-1.0f, 0.1f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
        double before[6] = { 0.0 }, after[6] = { 0.0 };
        add_momenta(world, a, before, before + 3);
        add_momenta(world, b, before, before + 3);
        test_spring_run(world, 1.0 / 250.0, 60);
        add_momenta(world, a, after, after + 3);
        add_momenta(world, b, after, after + 3);
        assert_true(abut_body_state(world, a).linear_velocity.x < 1.0f); // they have met
        for (int i = 0; i < 6; ++i)
        {
            // Forces of one step that act in the next have moved away from their arms by then.
            test_assert_near(after[i], before[i], i < 3 || scheme == ABUT_PENALTY_BALANCED ? 1e-6 : 2e-2);
        }
        abut_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_bounces_keep_their_energy),
        cmocka_unit_test(test_a_bounce_takes_half_a_period),
        cmocka_unit_test(test_damping_gives_back_what_the_material_says),
        cmocka_unit_test(test_damping_gives_back_what_the_material_says_in_large_steps),
        cmocka_unit_test(test_a_damping_ratio_has_its_closed_form),
        cmocka_unit_test(test_a_ball_at_rest_is_as_deep_as_its_weight_makes_it),
        cmocka_unit_test(test_automatic_springs_hold_a_ball_at_the_depth_of_the_settings),
        cmocka_unit_test(test_many_points_sink_in_no_deeper_in_large_steps),
        cmocka_unit_test(test_two_bodies_that_meet_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
