// The method "mesh-field": a field's bounds are those of the mesh that it was baked from, so that states and
// gaps are held against the triangles of both, which are exact.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include <abut/abut.h>
#include <abut/models.h>

enum
{
    SOLID_COUNT = 3
};

typedef struct Solid
{
    AbutMesh* mesh;
    AbutShape *shape, *field;
} Solid;

static Solid solids[SOLID_COUNT];

static int create_solids(void** state)
{
    (void)state;
    test_assert_result(abut_mesh_create_sphere(0.5f, 4, NULL, &solids[0].mesh), ABUT_OK);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 2, NULL, &solids[1].mesh), ABUT_OK);
    solids[2].mesh = test_torus_mesh(0.7f, 0.25f, 20, 8);
    for (int i = 0; i < SOLID_COUNT; ++i)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = 32;
        def.sparse = i == 2;
        test_assert_result(abut_shape_create_mesh(solids[i].mesh, NULL, &solids[i].shape), ABUT_OK);
        test_assert_result(abut_bake_mesh(&def, solids[i].mesh, &solids[i].field), ABUT_OK);
    }
    return 0;
}

static int destroy_solids(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_COUNT; ++i)
    {
        abut_shape_destroy(solids[i].shape);
        abut_shape_destroy(solids[i].field);
        abut_mesh_destroy(solids[i].mesh);
    }
    return 0;
}

static AbutPose random_pose(TestRandom* random, double half, float scale)
{
    AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
    pose.position = test_random_position(random, half);
    pose.rotation = test_random_rotation(random);
    pose.scale = scale;
    return pose;
}

static AbutCollideOutput ask(AbutCollideMethod method, const AbutShape* a, const AbutShape* b,
                             const AbutPose poses[2])
{
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.method = method;
    input.pose_a = poses[0];
    input.pose_b = poses[1];
    return abut_collide(&input, NULL, 0);
}

/// The state of mesh `a` and field `b`, in both orders, against that of their triangles.
static AbutCollideState check(int a, int b, const AbutPose poses[2])
{
    AbutCollideOutput found = ask(ABUT_COLLIDE_MESH_FIELD, solids[a].shape, solids[b].field, poses);
    AbutCollideOutput exact = ask(ABUT_COLLIDE_BVH, solids[a].shape, solids[b].shape, poses);
    AbutPose swapped[2] = { poses[1], poses[0] };
    AbutCollideOutput other = ask(ABUT_COLLIDE_MESH_FIELD, solids[b].field, solids[a].shape, swapped);
    assert_true(found.state == ABUT_COLLIDE_SEPARATED || found.state == ABUT_COLLIDE_CONTACT ||
                found.state == ABUT_COLLIDE_CLOSE);
    assert_false(found.state == ABUT_COLLIDE_SEPARATED && exact.state == ABUT_COLLIDE_CONTACT);
    assert_false(found.state == ABUT_COLLIDE_CONTACT && exact.state == ABUT_COLLIDE_SEPARATED);
    assert_false(other.state == ABUT_COLLIDE_SEPARATED && exact.state == ABUT_COLLIDE_CONTACT);
    assert_false(other.state == ABUT_COLLIDE_CONTACT && exact.state == ABUT_COLLIDE_SEPARATED);
    if (found.state == ABUT_COLLIDE_SEPARATED && exact.state == ABUT_COLLIDE_SEPARATED)
    {
        AbutMeshTreeDistance d = { .distance = INFINITY };
        AbutMeshTree *tree_a = NULL, *tree_b = NULL;
        test_assert_result(abut_mesh_tree_create(solids[a].mesh, NULL, &tree_a), ABUT_OK);
        test_assert_result(abut_mesh_tree_create(solids[b].mesh, NULL, &tree_b), ABUT_OK);
        AbutMeshTreePair pair = { tree_a, tree_b, poses[0], poses[1] };
        d = abut_mesh_tree_distance(&pair, INFINITY);
        assert_true((double)found.gap <= d.distance * (1.0 + 1e-12));
        assert_true(found.gap > 0.0f);
        abut_mesh_tree_destroy(tree_a);
        abut_mesh_tree_destroy(tree_b);
    }
    return found.state;
}

static void test_states_are_those_of_the_triangles(void** state)
{
    (void)state;
    TestRandom random = { 91 };
    int counts[ABUT_COLLIDE_STATE_COUNT] = { 0 };
    const float scales[] = { 1.0f, 0.2f, 3.0f, 1.0f };
    for (int i = 0; i < test_heavy_count(400); ++i)
    {
        AbutPose poses[2];
        poses[0] = random_pose(&random, 0.6, 1.0f);
        poses[1] = random_pose(&random, 0.6, scales[i % 4]);
        if (i % 10 == 0)
        {
            poses[0].position.x += 1e4;
            poses[1].position.x += 1e4;
        }
        counts[check(i % 3, i / 3 % 3, poses)] += 1;
    }
    assert_true(counts[ABUT_COLLIDE_SEPARATED] > 10 && counts[ABUT_COLLIDE_CONTACT] > 10);
    assert_true(counts[ABUT_COLLIDE_CLOSE] < 20);
}

/// Bisects the exact state, then asks around it: inside of the errors nothing wrong is proved, and a gap or
/// overlap of three times tolerance and errors is.
static void test_nothing_wrong_is_proved_at_the_edge_of_touching(void** state)
{
    (void)state;
    TestRandom random = { 92 };
    int close = 0;
    for (int i = 0; i < test_heavy_count(40); ++i)
    {
        int a = i % 3, b = i / 3 % 3;
        AbutPose poses[2] = { abut_pose_at(0.0, 0.0, 0.0), random_pose(&random, 0.1, 1.0f) };
        poses[1].rotation = i % 4 == 0 ? poses[0].rotation : poses[1].rotation;
        AbutPosition start = poses[1].position, away = { 2.0, 1.5, 1.0 };
        double low = 0.0, high = 1.0;
        for (int step = 0; step < 40; ++step)
        {
            double t = 0.5 * (low + high);
            poses[1].position =
                (AbutPosition){ start.x + t * away.x, start.y + t * away.y, start.z + t * away.z };
            bool apart = ask(ABUT_COLLIDE_BVH, solids[a].shape, solids[b].shape, poses).state ==
                         ABUT_COLLIDE_SEPARATED;
            low = apart ? low : t;
            high = apart ? t : high;
        }
        const double offsets[] = { -0.1, -1e-3, -1e-5, 0.0, 1e-5, 1e-3, 0.1 };
        for (int k = 0; k < 7; ++k)
        {
            double t = high + offsets[k];
            poses[1].position =
                (AbutPosition){ start.x + t * away.x, start.y + t * away.y, start.z + t * away.z };
            AbutCollideState found = check(a, b, poses);
            close += found == ABUT_COLLIDE_CLOSE;
            assert_true(fabs(offsets[k]) < 0.05 || found != ABUT_COLLIDE_CLOSE);
        }
    }
    assert_true(close > 0);
}

static void test_solids_inside_of_each_other_are_contacts(void** state)
{
    (void)state;
    AbutPose poses[2] = { abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(0.02, 0.0, 0.0) };
    poses[1].scale = 0.2f;
    for (int a = 0; a < 2; ++a)
    {
        // The field in the mesh, then the mesh in the field; surfaces are far apart.
        assert_int_equal(check(a, 0, poses), ABUT_COLLIDE_CONTACT);
        AbutPose swapped[2] = { poses[1], poses[0] };
        assert_int_equal(check(0, a, swapped), ABUT_COLLIDE_CONTACT);
    }
    // In the hole of the ring.
    assert_int_equal(check(2, 0, poses), ABUT_COLLIDE_SEPARATED);
}

/// Of two balls in one field one is inside of the mesh; and none, beside it.
static void test_a_component_inside_is_a_contact(void** state)
{
    (void)state;
    AbutShape *ball = NULL, *moved = NULL, *both = NULL, *field = NULL;
    test_assert_result(abut_shape_create_sphere(0.1f, NULL, &ball), ABUT_OK);
    AbutPose far_away = abut_pose_at(2.0, 0.0, 0.0);
    test_assert_result(abut_shape_create_transformed(ball, &far_away, NULL, &moved), ABUT_OK);
    AbutShape* children[2] = { ball, moved };
    test_assert_result(abut_shape_create_union(children, 2, NULL, &both), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;
    test_assert_result(abut_bake_shape(&def, both, &field), ABUT_OK);
    AbutPose poses[2] = { abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(0.0, 0.0, 0.0) };
    assert_int_equal(ask(ABUT_COLLIDE_MESH_FIELD, solids[0].shape, field, poses).state, ABUT_COLLIDE_CONTACT);
    poses[1].position.x = -2.0;
    assert_int_equal(ask(ABUT_COLLIDE_MESH_FIELD, solids[0].shape, field, poses).state, ABUT_COLLIDE_CONTACT);
    poses[1].position.x = -1.0; // between the two
    assert_int_equal(ask(ABUT_COLLIDE_MESH_FIELD, solids[0].shape, field, poses).state,
                     ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(ball);
    abut_shape_destroy(moved);
    abut_shape_destroy(both);
    abut_shape_destroy(field);
}

static void test_kinds_choose_the_method(void** state)
{
    (void)state;
    assert_int_equal(abut_collide_method_of(solids[0].shape, solids[1].field), ABUT_COLLIDE_MESH_FIELD);
    assert_int_equal(abut_collide_method_of(solids[1].field, solids[0].shape), ABUT_COLLIDE_MESH_FIELD);
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_MESH_FIELD, solids[0].shape, solids[1].shape));
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_MESH_FIELD, solids[0].field, solids[1].field));
    AbutPose pose = abut_pose_at(0.1, 0.2, 0.0);
    AbutShape* transformed = NULL;
    test_assert_result(abut_shape_create_transformed(solids[0].shape, &pose, NULL, &transformed), ABUT_OK);
    assert_true(abut_collide_method_serves(ABUT_COLLIDE_MESH_FIELD, transformed, solids[1].field));
    AbutPose poses[2] = { abut_pose_at(0.0, 0.0, 0.0), abut_pose_at(0.1, 0.2, 0.0) };
    assert_int_equal(ask(ABUT_COLLIDE_MESH_FIELD, transformed, solids[0].field, poses).state,
                     ABUT_COLLIDE_CONTACT);
    abut_shape_destroy(transformed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_those_of_the_triangles),
        cmocka_unit_test(test_nothing_wrong_is_proved_at_the_edge_of_touching),
        cmocka_unit_test(test_solids_inside_of_each_other_are_contacts),
        cmocka_unit_test(test_a_component_inside_is_a_contact),
        cmocka_unit_test(test_kinds_choose_the_method),
    };
    return cmocka_run_group_tests(tests, create_solids, destroy_solids);
}
