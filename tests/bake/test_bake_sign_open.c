// Signs of surfaces with gaps: seams, T-junctions, holes and soups have defined insides, and say what is in
// doubt.
#include "support/meshes/sign_meshes.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

static void test_unwelded_seams_change_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 1.0, 0.4, 24, 12);
    AbutMesh* joined = test_soup_mesh(&soup, NULL);
    test_soup_split(&soup);
    AbutMesh* split = test_soup_mesh_and_free(&soup);
    TestSigns a = test_signs_of(joined, 41), b = test_signs_of(split, 41);
    assert_memory_equal(a.squared, b.squared, abut_node_total(&a.grid) * sizeof(float));
    assert_true(b.info.closed);
    assert_int_equal(b.info.sided_triangle_count, abut_mesh_triangle_count(split));
    test_signs_free(&a);
    test_signs_free(&b);
    abut_mesh_destroy(joined);
    abut_mesh_destroy(split);
}

static void test_t_junctions_are_closed(void** state)
{
    (void)state;
    TestRandom random = { 34 };
    for (int i = 0; i < 12; ++i)
    {
        // Rounding alone, then cracks of a millionth of the size.
        AbutMesh* mesh = test_patchwork_box(&random, i % 2 == 0 ? 0.0 : 1e-6, i % 3 == 2 ? 3.0 : 0.0);
        TestSigns signs = test_signs_of(mesh, 49);
        assert_true(signs.info.gapless && !signs.info.closed && !signs.info.inverted);
        assert_int_equal(signs.counts.uncertain_nodes, 0);
        double inside = 0.0;
        for (size_t k = 0; k < abut_node_total(&signs.grid); ++k)
        {
            double p[3];
            test_node_point(&signs.grid, k, p);
            inside += test_sign_is_inside(&signs, k);
            if (k % 41 == 0 && test_node_distance(&signs, k) > 1e-5)
            {
                assert_int_equal(test_sign_is_inside(&signs, k), test_winding(mesh, p) > 0.5);
            }
        }
        test_assert_near(inside * pow(signs.grid.cell_size, 3), 8.0, 0.2);
        test_signs_free(&signs);
        AbutMesh* inverted = test_flipped(mesh);
        TestSigns rotated = test_signs_of(inverted, 25);
        assert_true(rotated.info.inverted && rotated.info.gapless);
        test_signs_free(&rotated);
        abut_mesh_destroy(inverted);
        abut_mesh_destroy(mesh);
    }
}

static void test_holes_put_only_their_own_region_in_doubt(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 16);
    AbutMesh* whole = test_soup_mesh_and_free(&soup);
    const double holes[] = { 0.1, 0.3, 0.6 };
    for (int i = 0; i < 6; ++i)
    {
        double hole = holes[i / 2];
        AbutMesh* mesh = test_holed_sphere(hole, i % 2 == 1);
        AbutNodeGrid grid = test_sign_grid(whole, 41);
        TestSigns closed = test_signs(whole, &grid, ABUT_SIGN_AUTO, NULL),
                  open = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        uint64_t doubtful = 0, every = 11; // a prime to the sides of the grid
        assert_false(open.info.closed || open.info.gapless);
        assert_int_equal(open.info.inverted, i % 2 == 1);
        for (size_t k = 0; k < abut_node_total(&grid); ++k)
        {
            double p[3];
            test_node_point(&grid, k, p);
            if (sqrt(p[0] * p[0] + p[1] * p[1] + (p[2] - 1.0) * (p[2] - 1.0)) > 2.0 * hole + 0.1)
            {
                assert_int_equal(test_sign_is_inside(&open, k), test_sign_is_inside(&closed, k));
            }
            if (k % every != 0)
            {
                continue;
            }
            double number = test_winding(mesh, p) * (i % 2 == 1 ? -1.0 : 1.0);
            if (fabs(number - 0.5) > 0.01)
            {
                assert_int_equal(test_sign_is_inside(&open, k), number > 0.5);
            }
            doubtful += number > 0.25 && number < 0.75 && test_node_distance(&open, k) > 1e-5;
        }
        // Those that the hole's hull leaves in doubt are some of these; the sample has its own scatter.
        double estimate = (double)(doubtful * every);
        assert_true((double)open.counts.uncertain_nodes <
                    estimate + 3.0 * sqrt((double)every * estimate) + 2.0);
        test_signs_free(&closed);
        test_signs_free(&open);
        abut_mesh_destroy(mesh);
    }
    abut_mesh_destroy(whole);
}

/// Every triangle a little smaller than it should be: no two of them meet.
static void test_a_soup_around_a_solid_is_solid(void** state)
{
    (void)state;
    TestSoup ball = { 0 }, soup = { 0 };
    test_soup_add_sphere(&ball, 0.0, 0.0, 0.0, 1.0, 12);
    for (uint32_t t = 0; t < ball.triangle_count; ++t)
    {
        AbutVec3 c[3], m;
        for (int k = 0; k < 3; ++k)
        {
            c[k] = ball.vertices[ball.indices[3 * (size_t)t + (size_t)k]];
        }
        m = abut_vec3_scale(abut_vec3_add(abut_vec3_add(c[0], c[1]), c[2]), 1.0f / 3.0f);
        for (int k = 0; k < 3; ++k)
        {
            c[k] = abut_vec3_add(m, abut_vec3_scale(abut_vec3_sub(c[k], m), 0.95f));
        }
        test_soup_loose(&soup, c[0], c[1], c[2]);
    }
    test_soup_free(&ball);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    for (int rotated = 0; rotated < 2; ++rotated)
    {
        AbutMesh* other = test_flipped(mesh);
        TestSigns signs = test_signs_of(rotated ? other : mesh, 23);
        assert_int_equal(signs.info.inverted, rotated);
        for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
        {
            double p[3], number;
            test_node_point(&signs.grid, i, p);
            number = test_winding(mesh, p);
            if (fabs(number - 0.5) > 0.01)
            {
                assert_int_equal(test_sign_is_inside(&signs, i), number > 0.5);
            }
        }
        test_signs_free(&signs);
        abut_mesh_destroy(other);
    }
    abut_mesh_destroy(mesh);
}

static void test_meshes_without_volume_have_no_inside(void** state)
{
    (void)state;
    const AbutVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5f, 0, 0 }, { 0, 1, 0 }, { 1, 1, 1 } };
    const uint32_t meshes[][7] = {
        { 1, 0, 0, 0 },          // a point
        { 1, 0, 1, 2 },          // a line
        { 1, 0, 1, 3 },          // a triangle
        { 2, 0, 1, 1, 3, 3, 3 }, // lines and points
        { 2, 0, 1, 3, 1, 4, 3 }, // a bent sheet
    };
    for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); ++i)
    {
        TestSoup soup = { 0 };
        for (int v = 0; v < 5; ++v)
        {
            test_soup_vertex(&soup, points[v].x, points[v].y, points[v].z);
        }
        for (uint32_t t = 0; t < meshes[i][0]; ++t)
        {
            test_soup_triangle(&soup, meshes[i][1 + 3 * t], meshes[i][2 + 3 * t], meshes[i][3 + 3 * t]);
        }
        AbutMesh* mesh = test_soup_mesh_and_free(&soup);
        for (int method = 0; method < 3; ++method)
        {
            AbutNodeGrid grid = test_sign_grid(mesh, 17);
            TestSigns signs = test_signs(mesh, &grid, (AbutSignMethod)method, NULL);
            for (size_t k = 0; method != ABUT_SIGN_PSEUDO_NORMALS && k < abut_node_total(&grid); ++k)
            {
                double p[3];
                test_node_point(&grid, k, p);
                assert_true(!test_sign_is_inside(&signs, k) || fabs(test_winding(mesh, p)) > 0.49);
            }
            test_signs_free(&signs);
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_all_methods_agree_on_closed_meshes(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutThreadMeshDef def = abut_thread_mesh_def();
    test_assert_result(abut_mesh_create_bolt(&def, &mesh), ABUT_OK);
    AbutNodeGrid grid = test_sign_grid(mesh, 41);
    TestSigns automatic = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
    TestSigns normals = test_signs(mesh, &grid, ABUT_SIGN_PSEUDO_NORMALS, NULL);
    TestSigns winding = test_signs(mesh, &grid, ABUT_SIGN_WINDING, NULL);
    size_t bytes = abut_node_total(&grid) * sizeof(float);
    assert_memory_equal(automatic.squared, normals.squared, bytes);
    assert_memory_equal(automatic.squared, winding.squared, bytes);
    assert_int_equal(automatic.counts.winding_nodes, 0);
    assert_int_equal(winding.counts.winding_nodes, abut_node_total(&grid));
    assert_true(automatic.counts.evaluated < abut_node_total(&grid) / 10);
    test_signs_free(&automatic);
    test_signs_free(&normals);
    test_signs_free(&winding);
    abut_mesh_destroy(mesh);
}

static void test_pseudo_normals_alone_give_an_open_sheet_two_sides(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    uint32_t v[3];
    v[0] = test_soup_vertex(&soup, -5, -5, 0);
    v[1] = test_soup_vertex(&soup, 5, -5, 0);
    v[2] = test_soup_vertex(&soup, 0, 5, 0);
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    AbutNodeGrid grid = { { -0.5, -0.5, -0.45 }, 0.1, { 0 }, { 10, 10, 10 } };
    TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_PSEUDO_NORMALS, NULL);
    for (size_t i = 0; i < 1000; ++i)
    {
        double p[3];
        test_node_point(&grid, i, p);
        assert_int_equal(test_sign_is_inside(&signs, i), p[2] < 0.0);
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unwelded_seams_change_nothing),
        cmocka_unit_test(test_t_junctions_are_closed),
        cmocka_unit_test(test_holes_put_only_their_own_region_in_doubt),
        cmocka_unit_test(test_a_soup_around_a_solid_is_solid),
        cmocka_unit_test(test_meshes_without_volume_have_no_inside),
        cmocka_unit_test(test_all_methods_agree_on_closed_meshes),
        cmocka_unit_test(test_pseudo_normals_alone_give_an_open_sheet_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
