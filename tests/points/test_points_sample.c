// Samples of surfaces: how dense and how even they are, measured at many random places.
#include "support/support.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static AbutPointSet* sample_mesh(const AbutMesh* mesh, AbutPointsDef def)
{
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_OK);
    return points;
}

static AbutVec3 position_on(const AbutMesh* mesh, uint32_t triangle, double u, double v)
{
    const uint32_t* index = abut_mesh_indices(mesh) + 3 * (size_t)triangle;
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    AbutVec3 a = vertices[index[0]], b = vertices[index[1]], c = vertices[index[2]];
    float s = (float)(u + v > 1.0 ? 1.0 - u : u), t = (float)(u + v > 1.0 ? 1.0 - v : v);
    return abut_vec3_add(
        a, abut_vec3_add(abut_vec3_scale(abut_vec3_sub(b, a), s), abut_vec3_scale(abut_vec3_sub(c, a), t)));
}

static double nearest_point(AbutPointData data, AbutVec3 at)
{
    double min_distance = INFINITY;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        double x = (double)data.positions.x[i] - (double)at.x, y = (double)data.positions.y[i] - (double)at.y,
               z = (double)data.positions.z[i] - (double)at.z;
        min_distance = fmin(min_distance, x * x + y * y + z * z);
    }
    return sqrt(min_distance);
}

/// No random place of any triangle, nor a corner, is further from a point than the set promises. Returns the
/// furthest.
static double check_cover(const AbutMesh* mesh, const AbutPointSet* points, int positions)
{
    TestRandom random = { 3 };
    AbutPointData data = abut_points_data(points);
    double promised = abut_points_info(points).spacing, furthest = 0.0;
    uint32_t triangles = abut_mesh_triangle_count(mesh);
    for (int i = 0; i < positions; ++i)
    {
        uint32_t triangle = (uint32_t)(test_random_unit(&random) * triangles);
        double u = i % 8 == 0 ? 0.0 : test_random_unit(&random),
               v = i % 8 <= 1 ? 0.0 : test_random_unit(&random);
        double distance = nearest_point(data, position_on(mesh, triangle, u, v));
        furthest = fmax(furthest, distance);
        assert_true(distance <= promised * (1.0 + 1e-5));
    }
    return furthest;
}

static AbutMesh* make_mesh(int kind)
{
    AbutMesh* mesh = NULL;
    AbutThreadMeshDef bolt = abut_thread_mesh_def();
    switch (kind)
    {
    case 0:
        test_assert_result(abut_mesh_create_sphere(1.0f, 12, NULL, &mesh), ABUT_OK);
        break;
    case 1:
        // Two large triangles per side, and a plate that is thinner than the spacing.
        test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 0.02f, 1.5f), 1, NULL, &mesh), ABUT_OK);
        break;
    case 2:
        test_assert_result(abut_mesh_create_bolt(&bolt, &mesh), ABUT_OK);
        break;
    default:
        test_assert_result(abut_mesh_create_bowl(1.0f, 0.1f, 48, NULL, &mesh), ABUT_OK);
        break;
    }
    return mesh;
}

static void test_no_position_is_further_from_a_point_than_the_spacing(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind)
    {
        AbutMesh* mesh = make_mesh(kind);
        AbutVec3 e = abut_box_extents(abut_mesh_bounds(mesh));
        for (int fine = 0; fine < 2; ++fine)
        {
            AbutPointsDef def = abut_points_def();
            def.spacing = fmaxf(e.x, fmaxf(e.y, e.z)) * (fine != 0 ? 0.03f : 0.1f);
            def.relaxations = fine != 0 ? 4 : 0;
            AbutPointSet* points = sample_mesh(mesh, def);
            AbutPointsInfo info = abut_points_info(points);
            assert_true(info.spacing == def.spacing);
            double furthest = check_cover(mesh, points, 4000);
            print_message("%d: %u points, spacing %.3g, furthest %.3f of it, nearest two %.3f\n", kind,
                          info.count, (double)info.spacing, furthest / (double)info.spacing,
                          (double)(info.min_distance / info.spacing));
            assert_true(furthest > 0.8 * (double)info.spacing); // and no denser than asked
            assert_true(kind == 1 || kind == 2 || info.min_distance > 0.5f * info.spacing);
            abut_points_destroy(points);
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_a_count_is_met_within_a_few(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind)
    {
        AbutMesh* mesh = make_mesh(kind);
        AbutPointsDef def = abut_points_def();
        def.count = 700;
        AbutPointSet* points = sample_mesh(mesh, def);
        assert_true(abs((int)abut_points_info(points).count - 700) <= 105);
        check_cover(mesh, points, 1000);
        abut_points_destroy(points);
        abut_mesh_destroy(mesh);
    }
}

static void test_points_lie_on_faces_with_their_normals(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutPointsDef def = abut_points_def();
    def.spacing = 0.2f;
    test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 2.0f, 2.0f), 3, NULL, &mesh), ABUT_OK);
    AbutPointSet* points = sample_mesh(mesh, def);
    AbutPointData data = abut_points_data(points);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        double at[3] = { data.positions.x[i], data.positions.y[i], data.positions.z[i] };
        double n[3] = { data.normals.x[i], data.normals.y[i], data.normals.z[i] };
        test_assert_near(n[0] * at[0] + n[1] * at[1] + n[2] * at[2], 1.0, 1e-6);
        test_assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-6);
        assert_true(data.source[i] < data.count);
    }
    abut_points_destroy(points);
    abut_mesh_destroy(mesh);
}

static bool are_equal(const AbutPointSet* a, const AbutPointSet* b)
{
    AbutPointData x = abut_points_data(a), y = abut_points_data(b);
    size_t bytes = x.count * sizeof(float);
    return x.count == y.count && memcmp(x.positions.x, y.positions.x, bytes) == 0 &&
           memcmp(x.positions.y, y.positions.y, bytes) == 0 && memcmp(x.normals.z, y.normals.z, bytes) == 0;
}

static void test_points_depend_on_the_seed_and_not_on_workers(void** state)
{
    (void)state;
    AbutMesh* mesh = make_mesh(3);
    AbutPointsDef def = abut_points_def();
    TestHost alone;
    AbutWorkers* workers = NULL;
    test_host_init(&alone);
    test_assert_result(abut_workers_create(4, NULL, &workers), ABUT_OK);
    AbutHost many = abut_workers_host(workers);
    def.count = 3000;
    def.host = &alone.host;
    AbutPointSet* first = sample_mesh(mesh, def);
    def.host = &many;
    AbutPointSet* second = sample_mesh(mesh, def);
    def.seed = 2;
    AbutPointSet* third = sample_mesh(mesh, def);
    assert_true(are_equal(first, second));
    assert_false(are_equal(first, third));
    abut_points_destroy(first);
    abut_points_destroy(second);
    abut_points_destroy(third);
    abut_workers_destroy(workers);
    abut_mesh_destroy(mesh);
}

static void test_points_of_a_shape_are_on_its_surface(void** state)
{
    (void)state;
    AbutShape* torus = NULL;
    AbutPointSet* points = NULL;
    AbutPointsDef def = abut_points_def();
    def.spacing = 0.1f;
    test_assert_result(abut_shape_create_torus(1.0f, 0.4f, NULL, &torus), ABUT_OK);
    test_assert_result(abut_points_create_from_shape(&def, torus, &points), ABUT_OK);
    AbutPointData data = abut_points_data(points);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 gradient;
        AbutVec3 at = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        test_assert_near(abut_shape_distance(torus, at, &gradient), 0.0, 1e-5);
        test_assert_near(
            abut_vec3_dot(gradient, abut_vec3(data.normals.x[i], data.normals.y[i], data.normals.z[i])), 1.0,
            1e-4);
    }
    TestRandom random = { 1 };
    for (int i = 0; i < 2000; ++i)
    {
        double u = test_random_range(&random, 0.0, 6.283), v = test_random_range(&random, 0.0, 6.283);
        AbutVec3 at = abut_vec3((float)((1.0 + 0.4 * cos(v)) * cos(u)), (float)(0.4 * sin(v)),
                                (float)((1.0 + 0.4 * cos(v)) * sin(u)));
        assert_true(nearest_point(data, at) <= 1.02 * (double)abut_points_info(points).spacing);
    }
    abut_points_destroy(points);
    def.spacing = 0.0f;
    def.count = 500;
    test_assert_result(abut_points_create_from_shape(&def, torus, &points), ABUT_OK);
    assert_true(abs((int)abut_points_info(points).count - 500) <= 75);
    abut_points_destroy(points);
    abut_shape_destroy(torus);
}

static bool stop_soon(void* user, float done)
{
    int* calls = user;
    assert_true(done >= 0.0f && done <= 1.0f);
    return --*calls > 0;
}

static void test_bad_defs_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = make_mesh(0);
    AbutShape* plane = NULL;
    AbutPointSet* points = NULL;
    AbutPointsDef def = abut_points_def();
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    test_assert_result(abut_points_create_from_shape(&def, plane, &points), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_points_create_from_shape(&def, NULL, &points), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_points_create_from_mesh(&def, NULL, &points), ABUT_INVALID_ARGUMENT);
    def.spacing = NAN;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_INVALID_ARGUMENT);
    def.spacing = 1e-9f;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_INVALID_ARGUMENT);
    def.spacing = 0.01f;
    def.count_limit = 1000;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_LIMIT_EXCEEDED);
    def = abut_points_def();
    def.count = 0;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_INVALID_ARGUMENT);
    def = abut_points_def();
    def.relaxations = 65;
    test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_INVALID_ARGUMENT);
    for (int calls = 1; calls < 5; ++calls)
    {
        int left = calls;
        def = abut_points_def();
        def.count = 100;
        def.progress = stop_soon;
        def.progress_user = &left;
        test_assert_result(abut_points_create_from_mesh(&def, mesh, &points), ABUT_CANCELLED);
        assert_null(points);
    }
    abut_shape_destroy(plane);
    abut_mesh_destroy(mesh);
}

/// A line, a single place, and nothing.
static void test_meshes_without_area_are_sampled_too(void** state)
{
    (void)state;
    const AbutVec3 vertices[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.25f, 0.0f, 0.0f } };
    const uint32_t indices[6] = { 0, 1, 2, 0, 0, 0 };
    for (int kind = 0; kind < 3; ++kind)
    {
        AbutMeshDef def = abut_mesh_def();
        AbutMesh* mesh = NULL;
        AbutPointsDef points_def = abut_points_def();
        def.vertices = vertices;
        def.vertex_count = 3;
        def.indices = kind == 0 ? indices : indices + 3;
        def.triangle_count = kind < 2 ? 1 : 0;
        test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
        points_def.spacing = 0.05f;
        AbutPointSet* points = sample_mesh(mesh, points_def);
        assert_true(kind == 0 ? abut_points_info(points).count >= 10
                              : abut_points_info(points).count == (kind == 1 ? 1u : 0u));
        if (kind == 0)
        {
            check_cover(mesh, points, 500);
        }
        abut_points_destroy(points);
        points_def.spacing = 0.0f;
        points = sample_mesh(mesh, points_def);
        abut_points_destroy(points);
        abut_mesh_destroy(mesh);
    }
}

static AbutResult create_from_mesh(void* context, const AbutHost* host)
{
    AbutPointsDef def = abut_points_def();
    AbutPointSet* points = NULL;
    def.count = 300;
    def.host = host;
    AbutResult result = abut_points_create_from_mesh(&def, context, &points);
    assert_true((points != NULL) == (result == ABUT_OK));
    abut_points_destroy(points);
    return result;
}

static AbutResult create_from_shape(void* context, const AbutHost* host)
{
    AbutPointsDef def = abut_points_def();
    AbutPointSet* points = NULL;
    def.count = 300;
    def.host = host;
    AbutResult result = abut_points_create_from_shape(&def, context, &points);
    abut_points_destroy(points);
    return result;
}

static void test_allocations_that_fail_leave_nothing(void** state)
{
    (void)state;
    AbutMesh* mesh = make_mesh(0);
    AbutShape* sphere = NULL;
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &sphere), ABUT_OK);
    test_fail_every_allocation(create_from_mesh, mesh);
    test_fail_every_allocation(create_from_shape, sphere);
    abut_shape_destroy(sphere);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_position_is_further_from_a_point_than_the_spacing),
        cmocka_unit_test(test_a_count_is_met_within_a_few),
        cmocka_unit_test(test_points_lie_on_faces_with_their_normals),
        cmocka_unit_test(test_points_depend_on_the_seed_and_not_on_workers),
        cmocka_unit_test(test_points_of_a_shape_are_on_its_surface),
        cmocka_unit_test(test_bad_defs_are_refused),
        cmocka_unit_test(test_meshes_without_area_are_sampled_too),
        cmocka_unit_test(test_allocations_that_fail_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
