// The method "bvh": states against quad precision over all triangles, containment, gaps, moved shapes.
#include "support/meshes/meshes.h"
#include "support/oracles/exact_triangles.h"
#include "support/support.h"

#include <abut/bvh.h>
#include <abut/models.h>
#include <string.h>

typedef struct Solid
{
    AbutMesh* mesh;
    AbutShape* shape;
} Solid;

static Solid solids[3];

static int create_solids(void** state)
{
    (void)state;
    test_assert_result(abut_mesh_create_sphere(0.5f, 4, NULL, &solids[0].mesh), ABUT_OK);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 2, NULL, &solids[1].mesh), ABUT_OK);
    solids[2].mesh = test_torus_mesh(0.7f, 0.25f, 20, 8);
    for (int i = 0; i < 3; ++i)
    {
        test_assert_result(abut_shape_create_mesh(solids[i].mesh, NULL, &solids[i].shape), ABUT_OK);
    }
    return 0;
}

static int destroy_solids(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        abut_shape_destroy(solids[i].shape);
        abut_mesh_destroy(solids[i].mesh);
    }
    return 0;
}

static AbutCollideInput input_of(int a, int b, AbutPose pose_a, AbutPose pose_b)
{
    AbutCollideInput input = abut_collide_input(solids[a].shape, solids[b].shape);
    input.pose_a = pose_a;
    input.pose_b = pose_b;
    return input;
}

/// Surfaces that touch, or a vertex of one in the other.
static bool oracle_contact(int a, int b, const AbutCollideInput* input)
{
    if (exact_meshes_touch(solids[a].mesh, &input->pose_a, solids[b].mesh, &input->pose_b))
    {
        return true;
    }
    AbutPosition on_b = abut_pose_transform_point(&input->pose_b, abut_mesh_vertices(solids[b].mesh)[0]);
    AbutPosition on_a = abut_pose_transform_point(&input->pose_a, abut_mesh_vertices(solids[a].mesh)[0]);
    return abut_shape_distance_at(solids[a].shape, &input->pose_a, on_b, NULL) < 0.0f ||
           abut_shape_distance_at(solids[b].shape, &input->pose_b, on_a, NULL) < 0.0f;
}

static AbutPose random_pose(TestRandom* random, double half, double scale)
{
    AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
    pose.position = test_random_position(random, half);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

static void test_states_are_those_of_exact_arithmetic(void** state)
{
    (void)state;
    TestRandom random = { 51 };
    int counts[ABUT_COLLIDE_STATE_COUNT] = { 0 };
    const double scales[] = { 1.0, 0.1, 0.3, 2.0 };
    for (int repeat = 0; repeat < test_heavy_count(240); ++repeat)
    {
        int a = repeat % 3, b = repeat / 3 % 3;
        AbutPose pose_a = random_pose(&random, 0.5, 1.0);
        AbutPose pose_b = random_pose(&random, 0.8, scales[repeat % 4]);
        AbutCollideInput input = input_of(a, b, pose_a, pose_b);
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        counts[output.state] += 1;
        assert_int_equal(output.state == ABUT_COLLIDE_CONTACT, oracle_contact(a, b, &input));
        input.settings.method = ABUT_COLLIDE_ADAPTIVE;
        AbutCollideOutput other = abut_collide(&input, NULL, 0);
        assert_true(other.state == output.state || other.state == ABUT_COLLIDE_CLOSE);
    }
    assert_true(counts[ABUT_COLLIDE_SEPARATED] > 0 && counts[ABUT_COLLIDE_CONTACT] > 0);
    assert_int_equal(counts[ABUT_COLLIDE_CLOSE], 0);
    assert_int_equal(counts[ABUT_COLLIDE_INVALID], 0);
}

static void test_a_solid_inside_another_is_in_contact(void** state)
{
    (void)state;
    AbutPose origin = abut_pose_at(0.0, 0.0, 0.0), small = abut_pose_at(0.7, 0.0, 0.0);
    small.scale = 0.1f;
    for (int side = 0; side < 2; ++side)
    {
        AbutCollideInput input = side == 0 ? input_of(2, 0, origin, small) : input_of(0, 2, small, origin);
        assert_int_equal(abut_collide_method_of(input.shape_a, input.shape_b), ABUT_COLLIDE_BVH);
        assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_CONTACT);
    }
    small.position.x = 0.0; // in the hole of the ring
    AbutCollideInput input = input_of(2, 0, origin, small);
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    assert_true(output.gap > 0.0f);
}

static void test_gap_and_contacts_are_those_of_the_distance(void** state)
{
    (void)state;
    AbutCollideInput input =
        input_of(1, 1, abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(1.0 + 0.0625, 0.0, 0.0));
    input.settings.margin = 0.125f;
    AbutContact contacts[64];
    AbutCollideOutput output = abut_collide(&input, contacts, 64);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    test_assert_near(output.gap, 0.0625, 1e-6);
    assert_true(output.gap <= 0.0625f && output.contact_count > 0);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        test_assert_near(contacts[i].separation, 0.0625, 1e-3);
    }
}

static void test_transformed_and_scaled_meshes_are_seen_through(void** state)
{
    (void)state;
    TestRandom random = { 52 };
    for (int repeat = 0; repeat < test_heavy_count(80); ++repeat)
    {
        AbutPose inner = random_pose(&random, 0.5, 1.5), outer = random_pose(&random, 0.5, 0.8);
        AbutShape* moved = NULL;
        test_assert_result(abut_shape_create_transformed(solids[2].shape, &inner, NULL, &moved), ABUT_OK);
        AbutPose pose_b = random_pose(&random, 0.8, 1.0), whole = abut_pose_multiply(&outer, &inner);
        AbutCollideInput direct = input_of(2, 1, whole, pose_b), input = direct;
        input.shape_a = moved;
        input.pose_a = outer;
        assert_int_equal(abut_collide_method_of(moved, input.shape_b), ABUT_COLLIDE_BVH);
        assert_int_equal(abut_collide(&input, NULL, 0).state, abut_collide(&direct, NULL, 0).state);
        abut_shape_destroy(moved);
    }
}

static void test_other_shapes_are_refused(void** state)
{
    (void)state;
    AbutShape* ball = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    AbutCollideInput input = abut_collide_input(solids[0].shape, ball);
    input.settings.method = ABUT_COLLIDE_BVH;
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_INVALID);
    assert_non_null(strstr(abut_last_error(), "two meshes"));
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_those_of_exact_arithmetic),
        cmocka_unit_test(test_a_solid_inside_another_is_in_contact),
        cmocka_unit_test(test_gap_and_contacts_are_those_of_the_distance),
        cmocka_unit_test(test_transformed_and_scaled_meshes_are_seen_through),
        cmocka_unit_test(test_other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, create_solids, destroy_solids);
}
