// Rolling resistance: what is round comes to rest.
#include "support/shapes.h"
#include "support/support.h"
#include "support/worlds.h"

#include <abut/abut.h>
#include <abut/models.h>
#include <math.h>

/// A ball that rolls is slowed down by 5/7 of gravity times its rolling resistance, and does not turn back.
static void test_a_ball_rolls_as_far_as_its_resistance_lets_it(void** state)
{
    (void)state;
    const double radius = 0.1, speed = 1.0, rolling_resistance = 0.02;
    const AbutMaterial material = { .friction = 0.6f, .rolling_resistance = (float)rolling_resistance };
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, material);
    AbutBodyId ball = test_add_body(world, test_make_sphere((float)radius), ABUT_BODY_DYNAMIC,
                                    abut_pose_at(0.0, radius, 0.0), material);
    test_assert_result(abut_body_set_velocity(world, ball, abut_vec3((float)speed, 0.0f, 0.0f),
                                              abut_vec3(0.0f, 0.0f, (float)(-speed / radius))),
                       ABUT_OK);
    const double slower = 5.0 / 7.0 * 9.81 * rolling_resistance;
    test_steps(world, 60);
    test_assert_near(abut_body_state(world, ball).linear_velocity.x, speed - slower, 0.01 * slower);
    test_steps(world, 600);
    AbutBodyState end = abut_body_state(world, ball);
    assert_true(end.asleep);
    test_assert_near(end.center.x, 0.5 * speed * speed / slower, 0.01 * 0.5 * speed * speed / slower);
    abut_world_destroy(world);
}

/// The point under a ball is at its bottom in every substep: one that is ahead holds the ball up, and one
/// behind drives it on.
static void test_a_ball_without_resistance_rolls_on_as_it_did(void** state)
{
    (void)state;
    const float speeds[] = { 0.3f, 1.0f, 3.0f }, radius = 0.1f;
    const AbutMaterial material = { .friction = 0.6f };
    for (int i = 0; i < 3; ++i)
    {
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, material);
        AbutBodyId ball = test_add_body(world, test_make_sphere(radius), ABUT_BODY_DYNAMIC,
                                        abut_pose_at(0.0, (double)radius, 0.0), material);
        test_assert_result(abut_body_set_velocity(world, ball, abut_vec3(speeds[i], 0.0f, 0.0f),
                                                  abut_vec3(0.0f, 0.0f, -speeds[i] / radius)),
                           ABUT_OK);
        test_steps(world, 120);
        AbutBodyState end = abut_body_state(world, ball);
        test_assert_near((double)(end.linear_velocity.x / speeds[i]), 1.0, 2e-6);
        test_assert_near(end.center.y, (double)radius, 1e-6 * (double)radius);
        abut_world_destroy(world);
    }
}

/// A ball of a coarse field has facets as large as its cells. One that rolls from facet to facet loses 5/7 of
/// (1 − cos(cell / radius)) of its speed on each (its angular momentum about the next edge stays), and is
/// never driven on.
static void test_a_ball_of_a_coarse_field_rolls_as_a_polyhedron_does(void** state)
{
    (void)state;
    const float radius = 0.1f;
    const AbutMaterial material = { .friction = 0.6f };
    for (int i = 0; i < 4; ++i)
    {
        float speed = i % 2 == 0 ? 0.3f : 1.0f;
        AbutShape* shape = test_bake(test_make_sphere(radius), i < 2 ? 32 : 64);
        double cell = abut_field_info(shape).cell_size;
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, material);
        AbutBodyId ball =
            test_add_body(world, shape, ABUT_BODY_DYNAMIC, abut_pose_at(0.0, (double)radius, 0.0), material);
        test_assert_result(abut_body_set_velocity(world, ball, abut_vec3(speed, 0.0f, 0.0f),
                                                  abut_vec3(0.0f, 0.0f, -speed / radius)),
                           ABUT_OK);
        test_steps(world, 120);
        AbutBodyState end = abut_body_state(world, ball);
        double facets = end.center.x / cell, fraction = 1.0 - 5.0 / 7.0 * (1.0 - cos(cell / (double)radius));
        double kept = (double)(end.linear_velocity.x / speed);
        assert_true(kept < 1.0);
        assert_true(kept > pow(fraction, 2.0 * facets)); // some are steeper
        abut_world_destroy(world);
    }
}

/// A wheel of n facets loses (1 − cos δ)/(1 + k) of its speed on each, δ = 2π/n (its angular momentum about
/// the next edge stays), and c·g/(1 + k) per second by its rolling resistance c, where k is its inertia about
/// the axle in units of m·ρ². For a torus, ρ = R + r and k = (R² + ¾ r²)/ρ². (By the default of 0.01 this one
/// would take 13 s to stop from 1 m/s.)
static void test_a_torus_loses_what_its_facets_and_resistance_take(void** state)
{
    (void)state;
    const double R = 0.33, r = 0.0825, rho = R + r, speed = 2.0, c = 0.03, pi = 3.14159265358979323846;
    const AbutMaterial material = { .friction = 0.6f, .rolling_resistance = (float)c };
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_radius = (float)R;
    def.minor_radius = (float)r;
    AbutMesh* mesh = NULL;
    AbutShape* torus = NULL;
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_OK);
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 64;
    test_assert_result(abut_bake_mesh(&bake, mesh, &torus), ABUT_OK);
    abut_mesh_destroy(mesh);
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, material);
    AbutPose pose = abut_pose_at(0.0, rho, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.0f), (float)(0.5 * pi)); // axle along z
    AbutBodyId id = test_add_body(world, torus, ABUT_BODY_DYNAMIC, pose, material);
    test_assert_result(abut_body_set_velocity(world, id, abut_vec3((float)speed, 0.0f, 0.0f),
                                              abut_vec3(0.0f, 0.0f, (float)(-speed / rho))),
                       ABUT_OK);
    test_steps(world, 60);
    double delta = 2.0 * pi / def.major_divisions, k = (R * R + 0.75 * r * r) / (rho * rho);
    double steady = c * 9.81 / (1.0 + k); // v' = −steady − facets·v²
    double facets = (1.0 - cos(delta)) / (1.0 + k) / (2.0 * rho * sin(0.5 * delta));
    double unit = sqrt(steady / facets);
    double expected = speed - unit * tan(atan(speed / unit) - sqrt(steady * facets));
    AbutBodyState end = abut_body_state(world, id);
    test_assert_near(speed - (double)abut_vec3_length(end.linear_velocity), expected, 0.1 * expected);
    abut_world_destroy(world);
}

/// A bowl that was put down at an angle rocks, and comes to rest: nothing drives it on.
static void test_a_bowl_rocks_and_comes_to_rest(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutShape* bowl = NULL;
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 96;
    bake.format = ABUT_FIELD_FIRST_ORDER;
    bake.sparse = true;
    test_assert_result(abut_mesh_create_bowl(0.05f, 0.002f, 24, NULL, &mesh), ABUT_OK);
    test_assert_result(abut_bake_mesh(&bake, mesh, &bowl), ABUT_OK);
    abut_mesh_destroy(mesh);
    AbutMaterial material = abut_body_def().material;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, material);
    AbutPose pose = abut_pose_at(0.0, 0.06, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.3f), 0.4f);
    AbutBodyId id = test_add_body(world, bowl, ABUT_BODY_DYNAMIC, pose, material);
    test_steps(world, 720);
    assert_true(abut_body_state(world, id).asleep);
    abut_world_destroy(world);
}

/// Depth of the lowest vertex of a mesh on a body under the plane y = 0; negative above it.
static double depth_of_vertices(const AbutMesh* mesh, AbutPose pose)
{
    double depth = -INFINITY;
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        depth = fmax(depth, -abut_pose_transform_point(&pose, abut_mesh_vertices(mesh)[i]).y);
    }
    return depth;
}

/// The anchor of a point that rolls stays on its body: past an edge of a ring whose section is a polygon the
/// surface is no longer round, and a point that went on there would be a contact of nothing.
static void test_a_contact_that_rolls_stays_on_an_angular_ring(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (uint32_t i = 0; i < (uint32_t)TEST_ROUNDS(24); ++i)
    {
        AbutMesh* mesh = NULL;
        AbutShape* ring = NULL;
        float size = (float)test_random_range(&random, 0.02, 0.5);
        AbutTorusMeshDef torus = abut_torus_mesh_def();
        torus.major_radius = 0.75f * size;
        torus.minor_radius = 0.35f * size;
        torus.twist_corners = 3 + i % 3;
        torus.minor_divisions = 6 * torus.twist_corners;
        torus.major_divisions = 72;
        torus.twist_steps = 1;
        AbutBakeDef bake = abut_bake_def();
        bake.resolution = i % 2 == 0 ? 32 : 48;
        test_assert_result(abut_mesh_create_torus(&torus, &mesh), ABUT_OK);
        test_assert_result(abut_bake_mesh(&bake, mesh, &ring), ABUT_OK);
        double cell = abut_field_info(ring).cell_size;
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, test_plain);
        AbutPose pose = abut_pose_at(0.0, 1.3 * (double)size, 0.0);
        pose.rotation = test_random_rotation(&random);
        AbutBodyId id = test_add_body(world, ring, ABUT_BODY_DYNAMIC, pose, test_plain);
        for (int step = 0; step < 90; ++step)
        {
            AbutStepReport report = test_steps(world, 1);
            double depth = depth_of_vertices(mesh, abut_body_state(world, id).pose);
            assert_true((double)report.max_penetration <= fmax(depth, 0.0) + cell);
        }
        abut_world_destroy(world);
        abut_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_rolls_as_far_as_its_resistance_lets_it),
        cmocka_unit_test(test_a_ball_without_resistance_rolls_on_as_it_did),
        cmocka_unit_test(test_a_ball_of_a_coarse_field_rolls_as_a_polyhedron_does),
        cmocka_unit_test(test_a_torus_loses_what_its_facets_and_resistance_take),
        cmocka_unit_test(test_a_bowl_rocks_and_comes_to_rest),
        cmocka_unit_test(test_a_contact_that_rolls_stays_on_an_angular_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
