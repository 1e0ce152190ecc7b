// Storage of meshes.
#include "support/meshes/meshes.h"

#include <float.h>
#include <string.h>

static const AbutVec3 corners[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 100 } };
static const uint32_t indices[6] = { 0, 1, 2, 2, 1, 0 };

static AbutMeshDef two_triangles(void)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = corners;
    def.vertex_count = 4;
    def.indices = indices;
    def.triangle_count = 2;
    return def;
}

static void test_mesh_keeps_a_copy_of_its_arrays(void** state)
{
    (void)state;
    AbutVec3 my_corners[4];
    uint32_t my_indices[6];
    memcpy(my_corners, corners, sizeof(corners));
    memcpy(my_indices, indices, sizeof(indices));
    AbutMeshDef def = two_triangles();
    def.vertices = my_corners;
    def.indices = my_indices;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    memset(my_corners, 0xFF, sizeof(my_corners));
    memset(my_indices, 0xFF, sizeof(my_indices));
    assert_int_equal(abut_mesh_vertex_count(mesh), 4);
    assert_int_equal(abut_mesh_triangle_count(mesh), 2);
    assert_memory_equal(abut_mesh_vertices(mesh), corners, sizeof(corners));
    assert_memory_equal(abut_mesh_indices(mesh), indices, sizeof(indices));
    abut_mesh_destroy(mesh);
}

static void test_bounds_leave_out_vertices_without_a_triangle(void** state)
{
    (void)state;
    AbutMeshDef def = two_triangles();
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    AbutBox box = abut_mesh_bounds(mesh);
    AbutBox expected = abut_box(abut_vec3(0, 0, 0), abut_vec3(1, 2, 0));
    assert_memory_equal(&box, &expected, sizeof(box));
    abut_mesh_destroy(mesh);
}

static void test_mesh_without_triangles_has_empty_bounds(void** state)
{
    (void)state;
    AbutMeshDef def = two_triangles();
    def.triangle_count = 0;
    def.indices = NULL;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    assert_true(abut_box_is_empty(abut_mesh_bounds(mesh)));
    abut_mesh_destroy(mesh);

    def = abut_mesh_def();
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    assert_int_equal(abut_mesh_vertex_count(mesh), 0);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(NULL);
}

static void test_first_bad_vertex_is_named(void** state)
{
    (void)state;
    const float bad[] = { NAN, INFINITY, -INFINITY };
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < 3; ++i)
        {
            AbutVec3 my_corners[4];
            memcpy(my_corners, corners, sizeof(corners));
            float* components[3] = { &my_corners[2].x, &my_corners[2].y, &my_corners[2].z };
            *components[axis] = bad[i];
            my_corners[3].x = NAN;
            AbutMeshDef def = two_triangles();
            def.vertices = my_corners;
            AbutMesh* mesh = (AbutMesh*)&def;
            test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_DATA);
            assert_null(mesh);
            assert_non_null(strstr(abut_last_error(), "vertex 2 "));
        }
    }
}

static void test_first_bad_triangle_is_named(void** state)
{
    (void)state;
    const uint32_t bad[] = { 4, 5, UINT32_MAX };
    for (size_t i = 0; i < 3; ++i)
    {
        uint32_t my_indices[6] = { 0, 1, 2, 2, 1, 0 };
        my_indices[3 + i] = bad[i];
        AbutMeshDef def = two_triangles();
        def.indices = my_indices;
        AbutMesh* mesh = (AbutMesh*)&def;
        test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_DATA);
        assert_null(mesh);
        assert_non_null(strstr(abut_last_error(), "triangle 1 "));
    }
}

static void test_arrays_that_are_missing_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutMeshDef def = two_triangles();
    def.vertices = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_ARGUMENT);
    def = two_triangles();
    def.indices = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_ARGUMENT);
}

static void test_largest_coordinates_are_legal(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX), abut_vec3(FLT_MAX, FLT_MAX, FLT_MAX));
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    assert_true(abut_mesh_bounds(mesh).max.x == FLT_MAX);
    assert_true(abut_mesh_bounds(mesh).min.z == -FLT_MAX);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    (void)context;
    AbutMeshDef def = two_triangles();
    def.host = host;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_create(&def, &mesh);
    abut_mesh_destroy(mesh);
    return result;
}

static void test_create_survives_every_failing_allocation(void** state)
{
    (void)state;
    test_fail_every_allocation(create_and_destroy, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh_keeps_a_copy_of_its_arrays),
        cmocka_unit_test(test_bounds_leave_out_vertices_without_a_triangle),
        cmocka_unit_test(test_mesh_without_triangles_has_empty_bounds),
        cmocka_unit_test(test_first_bad_vertex_is_named),
        cmocka_unit_test(test_first_bad_triangle_is_named),
        cmocka_unit_test(test_arrays_that_are_missing_are_refused),
        cmocka_unit_test(test_largest_coordinates_are_legal),
        cmocka_unit_test(test_create_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
