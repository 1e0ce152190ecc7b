#include "support/scenes/motion_scenes.h"
#include <abut/models.h>

static const double PI = 3.141592653589793;

void test_scene_destroy(TestScene* scene)
{
    for (int i = 0; i < 2; ++i)
    {
        abut_shape_destroy(scene->shapes[i]);
        abut_points_destroy(scene->points[i]);
    }
}

AbutMesh* test_ring_mesh(void)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    AbutMesh* mesh = NULL;
    def.major_radius = 0.7f;
    def.minor_radius = 0.2f;
    def.major_divisions = 18;
    def.minor_divisions = 9;
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_OK);
    return mesh;
}

AbutPointSet* test_vertices_of(AbutMesh* mesh)
{
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create_from_vertices(mesh, NULL, &points), ABUT_OK);
    abut_mesh_destroy(mesh);
    return points;
}

AbutPointSet* test_box_points(void)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.6f, 0.3f), 4, NULL, &mesh), ABUT_OK);
    return test_vertices_of(mesh);
}

/// A field of a ring with an open side when `open`, in which signs are in doubt.
AbutShape* test_ring_field(AbutFieldFormat format, bool sparse, bool open)
{
    AbutMesh* mesh = test_ring_mesh();
    AbutMeshDef def = abut_mesh_def();
    AbutBakeDef bake = abut_bake_def();
    AbutShape* field = NULL;
    bake.resolution = 48;
    bake.format = format;
    bake.sparse = sparse;
    if (open)
    {
        AbutMesh* solid = NULL;
        def.vertices = abut_mesh_vertices(mesh);
        def.vertex_count = abut_mesh_vertex_count(mesh);
        def.indices = abut_mesh_indices(mesh);
        def.triangle_count = abut_mesh_triangle_count(mesh) * 9 / 10;
        test_assert_result(abut_mesh_create(&def, &solid), ABUT_OK);
        abut_mesh_destroy(mesh);
        mesh = solid;
    }
    test_assert_result(abut_bake_mesh(&bake, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

AbutToiInput test_scene_input(const TestScene* scene, TestRandom* random)
{
    AbutToiInput input = abut_toi_input(scene->shapes[0], scene->shapes[1]);
    input.points_a = scene->points[0];
    input.points_b = scene->points[1];
    input.settings.method = ABUT_TOI_POINTS;
    input.settings.linear = scene->linear;
    input.pose_a = abut_pose_at(100.0, 20.0, -30.0);
    input.pose_b = input.pose_a;
    AbutVec3 away = test_random_point(random, 2.5);
    input.pose_b.position.x += (double)away.x;
    input.pose_b.position.y += (double)away.y;
    input.pose_b.position.z += (double)away.z;
    input.pose_a.rotation = test_random_rotation(random);
    input.pose_b.rotation = test_random_rotation(random);
    input.pose_a.scale = (float)test_random_range(random, 0.7, 1.3);
    input.pose_b.scale = (float)test_random_range(random, 0.7, 1.3);
    input.motion_a = test_random_motion(random, 1.0, PI);
    input.motion_b = test_random_motion(random, 1.0, PI);
    // Most of them towards each other.
    AbutVec3 towards = abut_vec3_scale(away, -(float)test_random_range(random, 0.0, 1.5));
    input.motion_b.linear = abut_vec3_add(input.motion_b.linear, towards);
    return input;
}

AbutShape* test_box_shape(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.6f, 0.3f), NULL, &shape), ABUT_OK);
    return shape;
}

AbutShape* test_torus_shape(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_torus(0.7f, 0.2f, NULL, &shape), ABUT_OK);
    return shape;
}
