// Point sets: what they hold, and the tree of spheres over them, by brute force.
#include "support/support.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float* random_positions(TestRandom* random, uint32_t count, double size)
{
    float* positions = malloc((3 * (size_t)count + 1) * sizeof(float));
    assert_non_null(positions);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, size);
        positions[3 * i] = p.x;
        positions[3 * i + 1] = p.y;
        positions[3 * i + 2] = p.z;
    }
    return positions;
}

static double apart(AbutVec3 a, AbutVec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static AbutVec3 point_at(AbutPoints points, uint32_t i)
{
    return abut_vec3(points.x[i], points.y[i], points.z[i]);
}

/// Every node covers its points, its children divide them, and their spheres lie in its own.
static void check_tree(const AbutPointSet* points)
{
    AbutPointsInfo info = abut_points_info(points);
    AbutPointData data = abut_points_data(points);
    uint32_t in_leaves = 0, next_child = 1;
    for (uint32_t i = 0; i < info.node_count; ++i)
    {
        AbutPointNode node = abut_points_node(points, i);
        assert_true(node.point_count > 0 && node.first_point + node.point_count <= info.count);
        for (uint32_t k = 0; k < node.point_count; ++k)
        {
            assert_true(apart(node.center, point_at(data.positions, node.first_point + k)) <=
                        (double)node.radius);
        }
        uint32_t first = node.first_point;
        assert_true(node.child_count == 0 || node.first_child == next_child);
        for (uint32_t k = 0; k < node.child_count; ++k)
        {
            AbutPointNode child = abut_points_node(points, node.first_child + k);
            assert_int_equal(child.first_point, first);
            first += child.point_count;
            assert_true(apart(node.center, child.center) + (double)child.radius <= (double)node.radius);
        }
        next_child += node.child_count;
        assert_true(node.child_count == 0 || first == node.first_point + node.point_count);
        in_leaves += node.child_count == 0 ? node.point_count : 0;
    }
    assert_int_equal(in_leaves, info.count);
    assert_int_equal(next_child, info.node_count > 0 ? info.node_count : 1);
}

static double brute_nearest(AbutPointData data)
{
    double min_distance = INFINITY;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        for (uint32_t j = 0; j < i; ++j)
        {
            min_distance =
                fmin(min_distance, apart(point_at(data.positions, i), point_at(data.positions, j)));
        }
    }
    return data.count < 2 ? 0.0 : min_distance;
}

/// All given points are there once, under their own number.
static void check_sources(const AbutPointSet* points, const float* positions, const float* normals)
{
    AbutPointData data = abut_points_data(points);
    uint8_t* seen = calloc((size_t)data.count + 1, 1);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        uint32_t source = data.source[i];
        assert_true(source < data.count && seen[source] == 0);
        seen[source] = 1;
        AbutVec3 p = point_at(data.positions, i), n = point_at(data.normals, i);
        assert_memory_equal(&p, positions + 3 * (size_t)source, sizeof(p));
        assert_true(normals == NULL || memcmp(&n, normals + 3 * (size_t)source, sizeof(n)) == 0);
        assert_true(normals != NULL || (n.x == 0.0f && n.y == 0.0f && n.z == 0.0f));
    }
    free(seen);
}

static void test_spheres_cover_their_points_and_nest(void** state)
{
    (void)state;
    const uint32_t counts[] = { 0, 1, 2, 3, 8, 9, 16, 17, 63, 64, 65, 129, 1000, 5000 };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
    {
        TestRandom random = { 5 + i };
        AbutPointSet* points = NULL;
        float* positions = random_positions(&random, counts[i], 3.0);
        float* normals = random_positions(&random, counts[i], 1.0);
        float* given = i % 2 == 0 ? normals : NULL;
        test_assert_result(abut_points_create(positions, given, counts[i], NULL, &points), ABUT_OK);
        assert_int_equal(abut_points_info(points).count, counts[i]);
        check_tree(points);
        check_sources(points, positions, given);
        test_assert_near(abut_points_info(points).min_distance, brute_nearest(abut_points_data(points)),
                         1e-6);
        abut_points_destroy(points);
        free(positions);
        free(normals);
    }
}

static void test_hard_arrangements_make_a_tree(void** state)
{
    (void)state;
    enum
    {
        COUNT = 3000
    };
    for (int kind = 0; kind < 5; ++kind)
    {
        TestRandom random = { 77 };
        float* positions = random_positions(&random, COUNT, 1.0);
        for (size_t i = 0; i < COUNT; ++i)
        {
            float* p = positions + 3 * i;
            float along = (float)i;
            p[0] = kind == 0   ? 1.0f
                   : kind == 1 ? along
                   : kind == 2 ? -along
                               : p[0] * (kind == 3 ? 1e37f : 1e-37f);
            p[1] = kind == 0   ? 2.0f
                   : kind == 1 ? 0.0f
                   : kind == 2 ? (i % 2 == 0 ? 0.0f : -0.0f)
                               : p[1] * 1e30f;
            p[2] = kind == 0 ? 3.0f : kind == 1 ? 0.0f : (float)(i % 7);
        }
        AbutPointSet* points = NULL;
        test_assert_result(abut_points_create(positions, NULL, COUNT, NULL, &points), ABUT_OK);
        check_tree(points);
        assert_true(abut_points_info(points).depth <= 5);
        assert_true(kind != 0 || abut_points_info(points).min_distance == 0.0f);
        abut_points_destroy(points);
        free(positions);
    }
}

static void test_vertices_are_taken_once_with_the_normals_around_them(void** state)
{
    (void)state;
    // A cube's corner of three faces, unwelded, and a vertex that nothing uses.
    const AbutVec3 vertices[] = { { 9.0f, 9.0f, 9.0f }, { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f },
                                  { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f },
                                  { 0.0f, 0.0f, 1.0f }, { -0.0f, 0.0f, 0.0f } };
    const uint32_t indices[] = { 1, 2, 3, 4, 5, 6, 7, 6, 2 };
    AbutMeshDef def = abut_mesh_def();
    AbutMesh* mesh = NULL;
    AbutPointSet* points = NULL;
    def.vertices = vertices;
    def.vertex_count = 8;
    def.indices = indices;
    def.triangle_count = 3;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    test_assert_result(abut_points_create_from_vertices(mesh, NULL, &points), ABUT_OK);
    AbutPointData data = abut_points_data(points);
    const uint32_t expected[] = { 1, 2, 3, 6 };
    assert_int_equal(data.count, 4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        assert_int_equal(data.source[i], expected[i]);
    }
    test_assert_near(data.normals.x[0], 1.0 / sqrt(3.0), 1e-6);
    test_assert_near(data.normals.y[0], 1.0 / sqrt(3.0), 1e-6);
    test_assert_near(data.normals.y[1], sqrt(0.5), 1e-6);
    assert_true(abut_points_info(points).spacing == 0.0f);
    abut_points_destroy(points);
    abut_mesh_destroy(mesh);
}

static void test_a_set_lives_as_long_as_its_last_owner(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    const float position[3] = { 1.0f, 2.0f, 3.0f };
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create(position, NULL, 1, &host.host, &points), ABUT_OK);
    assert_int_equal(host.live_count, 1);
    assert_true(abut_points_info(points).bytes <= host.live_bytes);
    assert_ptr_equal(abut_points_retain(points), points);
    abut_points_destroy(points);
    assert_int_equal(host.live_count, 1);
    abut_points_destroy(points);
    assert_int_equal(host.live_count, 0);
    abut_points_destroy(NULL);
}

static void test_bad_input_is_refused_with_its_location(void** state)
{
    (void)state;
    float positions[6] = { 0.0f, 0.0f, 0.0f, 1.0f, NAN, 0.0f };
    const float good[6] = { 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f };
    AbutPointSet* points = (AbutPointSet*)positions;
    test_assert_result(abut_points_create(positions, NULL, 2, NULL, &points), ABUT_INVALID_DATA);
    assert_null(points);
    assert_non_null(strstr(abut_last_error(), "position 1"));
    test_assert_result(abut_points_create(good, positions, 2, NULL, &points), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "normal 1"));
    test_assert_result(abut_points_create(NULL, NULL, 2, NULL, &points), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_points_create_from_vertices(NULL, NULL, &points), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_points_create(NULL, NULL, 0, NULL, &points), ABUT_OK);
    AbutPointsInfo info = abut_points_info(points);
    assert_true(info.count == 0 && info.node_count == 0 && info.depth == 0 && info.min_distance == 0.0f);
    assert_true(abut_box_is_empty(info.bounds));
    abut_points_destroy(points);
}

static AbutResult create_set(void* context, const AbutHost* host)
{
    AbutPointSet* points = NULL;
    AbutResult result = abut_points_create_from_vertices(context, host, &points);
    assert_true((points != NULL) == (result == ABUT_OK));
    abut_points_destroy(points);
    return result;
}

static void test_allocations_that_fail_leave_nothing(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 6, NULL, &mesh), ABUT_OK);
    test_fail_every_allocation(create_set, mesh);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_cover_their_points_and_nest),
        cmocka_unit_test(test_hard_arrangements_make_a_tree),
        cmocka_unit_test(test_vertices_are_taken_once_with_the_normals_around_them),
        cmocka_unit_test(test_a_set_lives_as_long_as_its_last_owner),
        cmocka_unit_test(test_bad_input_is_refused_with_its_location),
        cmocka_unit_test(test_allocations_that_fail_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
