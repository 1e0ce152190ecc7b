// Impacts without friction: the energy along the normal is lost, and no pair gets more energy than it had.
#include "support/worlds.h"

#include <math.h>

static const AbutMaterial smooth = { .friction = 0.0f };

static AbutWorld* make_weightless_world(void)
{
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    return test_make_world_of(&def);
}

static AbutBodyId throw_body(AbutWorld* world, AbutShape* shape, AbutPose pose, AbutVec3 velocity,
                             AbutVec3 angular_velocity)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.material = smooth;
    def.pose = pose;
    def.linear_velocity = velocity;
    def.angular_velocity = angular_velocity;
    def.never_sleeps = true;
    return test_add_body_of(world, &def);
}

/// Growth of the kinetic energy over its least value so far, and what is left in the end, as fractions.
typedef struct EnergyRun
{
    double growth, left;
} EnergyRun;

static EnergyRun run_energy(AbutWorld* world, int steps)
{
    AbutStepReport report = test_steps(world, 1);
    double first = report.kinetic_energy, least = first;
    EnergyRun run = { 0.0, 1.0 };
    for (int i = 1; i < steps; ++i)
    {
        report = test_steps(world, 1);
        run.growth = fmax(run.growth, report.kinetic_energy / least - 1.0);
        least = fmin(least, report.kinetic_energy);
    }
    run.left = report.kinetic_energy / first;
    abut_world_destroy(world);
    return run;
}

/// Bodies of half a size of 0.1.
static AbutShape* make_thrown(int index)
{
    switch (index)
    {
    case 0:
        return test_make_box(0.2f, 0.2f, 0.2f);
    case 1:
        return test_make_sphere(0.1f);
    case 2:
        return test_bake(test_make_box(0.2f, 0.2f, 0.2f), 24);
    default:
        return test_bake(test_make_sphere(0.1f), 24);
    }
}

/// Angles between the wall and the motion, in radians.
static void test_a_glancing_impact_loses_the_energy_along_the_normal(void** state)
{
    (void)state;
    const double angles[] = { 0.05, 0.2, 0.5, 0.8, 1.2 };
    for (int i = 0; i < 20; ++i)
    {
        double across = sin(angles[i / 4]), along = cos(angles[i / 4]);
        AbutWorld* world = make_weightless_world();
        test_add_body(world, test_make_box(8.0f, 0.2f, 1.0f), ABUT_BODY_STATIC, abut_pose_at(0.0, -0.1, 0.0),
                      smooth);
        AbutVec3 velocity = abut_vec3((float)(2.0 * along), (float)(-2.0 * across), 0.0f);
        throw_body(world, make_thrown(i % 4), abut_pose_at(-1.0, 0.1 + 0.3 * across, 0.0), velocity,
                   abut_vec3(0.0f, 0.0f, 0.0f));
        EnergyRun run = run_energy(world, 40);
        assert_true(run.growth < 1e-9);
        // A box that lands on its face tips a little.
        double lost = (1.0 - run.left) / (across * across);
        assert_true(lost > 0.95 && lost < 1.001);
    }
}

/// A ball that falls on the edge of a block `offset` radii beside its centre: the normal is that of the ball.
static void test_a_ball_on_an_edge_loses_the_energy_along_its_own_normal(void** state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        double offset = 0.3 + 0.1 * (i / 2);
        bool baked = i % 2 == 1;
        AbutShape *block = test_make_box(1.0f, 1.0f, 1.0f), *ball = test_make_sphere(0.1f);
        AbutWorld* world = make_weightless_world();
        test_add_body(world, baked ? test_bake(block, 64) : block, ABUT_BODY_STATIC,
                      abut_pose_at(-0.5, -0.5, 0.0), smooth);
        throw_body(world, baked ? test_bake(ball, 24) : ball, abut_pose_at(0.1 * offset, 0.3, 0.0),
                   abut_vec3(0.0f, -1.0f, 0.0f), abut_vec3(0.0f, 0.0f, 0.0f));
        EnergyRun run = run_energy(world, 30);
        assert_true(run.growth < 1e-9);
        test_assert_near(run.left, offset * offset, 0.1);
    }
}

static AbutShape* make_guide(void)
{
    AbutShape *block = test_make_box(0.3f, 2.0f, 0.3f), *drill = NULL, *holed = NULL;
    test_assert_result(abut_shape_create_cylinder(0.105f, 3.0f, NULL, &drill), ABUT_OK);
    test_assert_result(abut_shape_create_difference(block, drill, NULL, &holed), ABUT_OK);
    abut_shape_destroy(block);
    abut_shape_destroy(drill);
    return holed;
}

/// A peg on its way through a hole, from wall to wall: guides give back at most what their impulses took.
static void test_impacts_in_a_guide_add_no_energy(void** state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        bool baked = i % 2 == 1;
        AbutShape *guide = make_guide(), *peg = NULL;
        test_assert_result(abut_shape_create_cylinder(0.1f, 0.4f, NULL, &peg), ABUT_OK);
        AbutWorld* world = make_weightless_world();
        test_add_body(world, baked ? test_bake(guide, 64) : guide, ABUT_BODY_STATIC, abut_pose_identity(),
                      smooth);
        throw_body(world, baked ? test_bake(peg, 32) : peg, abut_pose_at(0.0, -0.6, 0.0),
                   abut_vec3(0.05f * (float)i, 0.8f, 0.0f),
                   abut_vec3(0.0f, i % 4 < 2 ? 5.0f : 0.0f, i > 7 ? 1.0f : 0.0f));
        EnergyRun run = run_energy(world, 80);
        assert_true(run.growth < 1e-3);
        assert_true(run.left <= 1.0 + 1e-3);
    }
}

/// The kinetic energy of a peg that flies freely.
static double free_energy(AbutVec3 velocity, AbutVec3 angular_velocity)
{
    AbutShape* peg = NULL;
    test_assert_result(abut_shape_create_cylinder(0.1f, 0.4f, NULL, &peg), ABUT_OK);
    AbutWorld* world = make_weightless_world();
    throw_body(world, peg, abut_pose_at(0.0, 0.0, 0.0), velocity, angular_velocity);
    double energy = test_steps(world, 1).kinetic_energy;
    abut_world_destroy(world);
    return energy;
}

/// Without restitution a peg keeps its motion along the guide and its rotation about it: the rest goes in
/// impacts. Those that tumble, with an end at each wall, keep some of that for a while.
static void test_impacts_in_a_guide_lose_the_energy_across_it(void** state)
{
    (void)state;
    TestRandom random = { 16 };
    double lost = 0.0, across = 0.0;
    for (int i = 0; i < 16; ++i)
    {
        bool baked = i % 2 == 1;
        AbutVec3 velocity = abut_vec3((float)test_random_range(&random, 0.1, 0.5), 0.8f, 0.0f);
        velocity.z = (float)test_random_range(&random, 0.0, 0.3);
        AbutVec3 angular_velocity = abut_vec3(0.0f, (float)test_random_range(&random, -2.0, 2.0), 0.0f);
        angular_velocity.z = i % 4 > 1 ? (float)test_random_range(&random, -1.0, 1.0) : 0.0f;
        double first = free_energy(velocity, angular_velocity);
        double expected =
            free_energy(abut_vec3(0.0f, velocity.y, 0.0f), abut_vec3(0.0f, angular_velocity.y, 0.0f)) / first;
        AbutShape *guide = make_guide(), *peg = NULL;
        test_assert_result(abut_shape_create_cylinder(0.1f, 0.4f, NULL, &peg), ABUT_OK);
        AbutWorld* world = make_weightless_world();
        test_add_body(world, baked ? test_bake(guide, 128) : guide, ABUT_BODY_STATIC, abut_pose_identity(),
                      smooth);
        throw_body(world, baked ? test_bake(peg, 32) : peg, abut_pose_at(0.0, -0.6, 0.0), velocity,
                   angular_velocity);
        lost += 1.0 - test_steps(world, 80).kinetic_energy / first;
        across += 1.0 - expected;
        abut_world_destroy(world);
    }
    print_message("pegs lose %.3f of their energy across the guide\n", lost / across);
    assert_true(lost > 0.9 * across && lost < 1.1 * across);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_glancing_impact_loses_the_energy_along_the_normal),
        cmocka_unit_test(test_a_ball_on_an_edge_loses_the_energy_along_its_own_normal),
        cmocka_unit_test(test_impacts_in_a_guide_add_no_energy),
        cmocka_unit_test(test_impacts_in_a_guide_lose_the_energy_across_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
