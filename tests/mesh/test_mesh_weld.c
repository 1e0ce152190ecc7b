// Welding, against a greedy search through all vertices.
#include "support/meshes/meshes.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static AbutMesh* weld(const AbutMesh* mesh, float tolerance)
{
    AbutMesh* welded = NULL;
    test_assert_result(abut_mesh_weld(mesh, tolerance, NULL, &welded), ABUT_OK);
    return welded;
}

static AbutMesh* weld_soup(TestSoup* soup, float tolerance)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutMesh* welded = weld(mesh, tolerance);
    abut_mesh_destroy(mesh);
    test_soup_free(soup);
    return welded;
}

static void test_weld_joins_equal_corners(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(-1, -2, -3), abut_vec3(1, 2, 3));
    test_soup_split(&soup);
    assert_int_equal(soup.vertex_count, 36);
    AbutMesh* welded = weld_soup(&soup, 0.0f);
    assert_int_equal(abut_mesh_vertex_count(welded), 8);
    assert_int_equal(abut_mesh_triangle_count(welded), 12);
    abut_mesh_destroy(welded);
}

static void test_weld_joins_both_zeros(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_loose(&soup, abut_vec3(0.0f, -0.0f, 0.0f), abut_vec3(1, 0, 0), abut_vec3(0, 1, 0));
    test_soup_loose(&soup, abut_vec3(-0.0f, 0.0f, -0.0f), abut_vec3(1, -0.0f, 0), abut_vec3(-0.0f, 1, 0));
    AbutMesh* welded = weld_soup(&soup, 0.0f);
    assert_int_equal(abut_mesh_vertex_count(welded), 3);
    abut_mesh_destroy(welded);
}

static void test_weld_keeps_neighbouring_floats_apart(void** state)
{
    (void)state;
    const float scales[] = { 1.0f, 1e-30f, FLT_MIN, 1e30f, 0.0f };
    for (int i = 0; i < 5; ++i)
    {
        TestSoup soup = { 0 };
        AbutVec3 a = abut_vec3(scales[i], 0, 0), b = abut_vec3(0, scales[i], 1);
        test_soup_loose(&soup, a, b, abut_vec3(nextafterf(a.x, INFINITY), 0, 0));
        AbutMesh* welded = weld_soup(&soup, 0.0f);
        assert_int_equal(abut_mesh_vertex_count(welded), 3);
        abut_mesh_destroy(welded);
    }
}

static void test_weld_numbers_vertices_by_first_use(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    for (int i = 0; i < 6; ++i)
    {
        test_soup_vertex(&soup, i % 5, 0, 0); // the last equals the first
    }
    test_soup_triangle(&soup, 4, 2, 5);
    test_soup_triangle(&soup, 0, 2, 1); // 3 is not used
    AbutMesh* welded = weld_soup(&soup, 0.0f);
    const uint32_t expected[6] = { 0, 1, 2, 2, 1, 3 };
    const float expected_x[4] = { 4, 2, 0, 1 };
    assert_int_equal(abut_mesh_vertex_count(welded), 4);
    assert_memory_equal(abut_mesh_indices(welded), expected, sizeof(expected));
    for (int i = 0; i < 4; ++i)
    {
        test_assert_near(abut_mesh_vertices(welded)[i].x, expected_x[i], 0.0);
    }
    abut_mesh_destroy(welded);
}

static void test_weld_keeps_triangles_that_collapse(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_loose(&soup, abut_vec3(0, 0, 0), abut_vec3(0.1f, 0, 0), abut_vec3(0, 0.1f, 0));
    test_soup_loose(&soup, abut_vec3(0, 0, 0), abut_vec3(9, 0, 0), abut_vec3(0, 9, 0));
    AbutMesh* welded = weld_soup(&soup, 0.2f);
    const uint32_t expected[6] = { 0, 0, 0, 0, 1, 2 };
    assert_int_equal(abut_mesh_triangle_count(welded), 2);
    assert_memory_equal(abut_mesh_indices(welded), expected, sizeof(expected));
    abut_mesh_destroy(welded);
}

// -----------------------------------------------------------------------------------------------------------
// Against the greedy search
// -----------------------------------------------------------------------------------------------------------

static bool within(AbutVec3 a, AbutVec3 b, double tolerance)
{
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z <= tolerance * tolerance;
}

static void check_greedy(TestSoup* soup, float tolerance)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutMesh* welded = weld(mesh, tolerance);
    AbutVec3* kept = malloc((soup->vertex_count + 1) * sizeof(AbutVec3));
    uint32_t* number = malloc((soup->vertex_count + 1) * sizeof(uint32_t));
    memset(number, 0xFF, soup->vertex_count * sizeof(uint32_t));
    uint32_t kept_count = 0;
    for (size_t i = 0; i < (size_t)soup->triangle_count * 3; ++i)
    {
        uint32_t v = soup->indices[i];
        if (number[v] == UINT32_MAX)
        {
            uint32_t k = 0;
            while (k < kept_count && !within(kept[k], soup->vertices[v], tolerance))
            {
                k += 1;
            }
            number[v] = k;
            if (k == kept_count)
            {
                kept[kept_count++] = soup->vertices[v];
            }
        }
        assert_int_equal(abut_mesh_indices(welded)[i], number[v]);
    }
    assert_int_equal(abut_mesh_vertex_count(welded), kept_count);
    assert_memory_equal(abut_mesh_vertices(welded), kept, kept_count * sizeof(AbutVec3));
    free(kept);
    free(number);
    abut_mesh_destroy(welded);
    abut_mesh_destroy(mesh);
}

static void test_weld_matches_the_greedy_search(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int repeat = 0; repeat < 60; ++repeat)
    {
        TestSoup soup = { 0 };
        double half = 0.5 + (double)(repeat % 5);
        for (int i = 0; i < 300; ++i)
        {
            AbutVec3 a = test_random_point(&random, half), b = test_random_point(&random, half);
            test_soup_loose(&soup, a, b, test_random_point(&random, half));
        }
        check_greedy(&soup, repeat % 4 == 0 ? 0.0f : (float)test_random_range(&random, 1e-4, 1.0));
        test_soup_free(&soup);
    }
}

static void test_weld_reaches_exactly_as_far_as_the_tolerance(void** state)
{
    (void)state;
    // On a grid, where many distances equal the tolerance and many coordinates the border of a cell.
    TestRandom random = { 2 };
    const double steps[] = { 1.0, 0.5, 1024.0, 0x1p-100, 0x1p100, 0x1p-140 };
    for (int repeat = 0; repeat < 60; ++repeat)
    {
        double step = steps[repeat % 6];
        TestSoup soup = { 0 };
        for (int i = 0; i < 300; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                AbutVec3 p = test_random_point(&random, 8.0);
                test_soup_vertex(&soup, step * floor(p.x), step * floor(p.y), step * floor(p.z));
            }
            test_soup_triangle(&soup, soup.vertex_count - 3, soup.vertex_count - 2, soup.vertex_count - 1);
        }
        check_greedy(&soup, (float)(step * (double)(repeat % 4)));
        test_soup_free(&soup);
    }
}

static void test_weld_stands_the_extremes_of_float(void** state)
{
    (void)state;
    const float values[] = { -FLT_MAX,  FLT_MAX,   0x1.fffffcp127f, 1.0f,       -1.0f, 0x1.000002p0f,
                             0x1p-149f, 0x1p-148f, FLT_MIN,         -0x1p-149f, 0.0f,  1e30f };
    enum
    {
        VALUE_COUNT = sizeof(values) / sizeof(values[0])
    };
    const float tolerances[] = { 0.0f, 0x1p-149f, FLT_MIN, 1e-30f, 1e-7f, 1.0f, 1e30f, 0x1p104f, FLT_MAX };
    TestRandom random = { 3 };
    for (size_t i = 0; i < sizeof(tolerances) / sizeof(tolerances[0]); ++i)
    {
        TestSoup soup = { 0 };
        for (int k = 0; k < 900; ++k)
        {
            double x = values[test_random_bits(&random) % VALUE_COUNT];
            double y = values[test_random_bits(&random) % VALUE_COUNT];
            test_soup_vertex(&soup, x, y, values[test_random_bits(&random) % VALUE_COUNT]);
        }
        for (uint32_t t = 0; t < 300; ++t)
        {
            test_soup_triangle(&soup, 3 * t, 3 * t + 1, 3 * t + 2);
        }
        check_greedy(&soup, tolerances[i]);
        test_soup_free(&soup);
    }
}

static void test_weld_twice_changes_nothing(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    TestSoup soup = { 0 };
    for (int i = 0; i < 500; ++i)
    {
        AbutVec3 a = test_random_point(&random, 1.0), b = test_random_point(&random, 1.0);
        test_soup_loose(&soup, a, b, test_random_point(&random, 1.0));
    }
    AbutMesh* once = weld_soup(&soup, 0.1f);
    AbutMesh* twice = weld(once, 0.1f);
    assert_int_equal(abut_mesh_vertex_count(once), abut_mesh_vertex_count(twice));
    assert_memory_equal(abut_mesh_vertices(once), abut_mesh_vertices(twice),
                        abut_mesh_vertex_count(once) * sizeof(AbutVec3));
    assert_memory_equal(abut_mesh_indices(once), abut_mesh_indices(twice), 1500 * sizeof(uint32_t));
    abut_mesh_destroy(once);
    abut_mesh_destroy(twice);
}

static void test_weld_of_nothing_is_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_vertex(&soup, 1, 2, 3);
    AbutMesh* welded = weld_soup(&soup, 1.0f);
    assert_int_equal(abut_mesh_vertex_count(welded), 0);
    assert_int_equal(abut_mesh_triangle_count(welded), 0);
    abut_mesh_destroy(welded);
}

static void test_weld_refuses_bad_tolerances(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    const float bad[] = { -1.0f, -0x1p-149f, NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* welded = mesh;
        test_assert_result(abut_mesh_weld(mesh, bad[i], NULL, &welded), ABUT_INVALID_ARGUMENT);
        assert_null(welded);
        assert_non_null(strstr(abut_last_error(), "tolerance"));
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static AbutResult weld_and_destroy(void* context, const AbutHost* host)
{
    AbutMesh* welded = NULL;
    AbutResult result = abut_mesh_weld(context, 0.1f, host, &welded);
    abut_mesh_destroy(welded);
    return result;
}

static void test_weld_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_fail_every_allocation(weld_and_destroy, mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weld_joins_equal_corners),
        cmocka_unit_test(test_weld_joins_both_zeros),
        cmocka_unit_test(test_weld_keeps_neighbouring_floats_apart),
        cmocka_unit_test(test_weld_numbers_vertices_by_first_use),
        cmocka_unit_test(test_weld_keeps_triangles_that_collapse),
        cmocka_unit_test(test_weld_matches_the_greedy_search),
        cmocka_unit_test(test_weld_reaches_exactly_as_far_as_the_tolerance),
        cmocka_unit_test(test_weld_stands_the_extremes_of_float),
        cmocka_unit_test(test_weld_twice_changes_nothing),
        cmocka_unit_test(test_weld_of_nothing_is_nothing),
        cmocka_unit_test(test_weld_refuses_bad_tolerances),
        cmocka_unit_test(test_weld_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
