// Cracks, T-junctions, sheets and fins: what is sewn, and what stays open.
#include "support/meshes/closing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_close_joins_cracks_no_wider_than_the_tolerance(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    for (int repeat = 0; repeat < 20; ++repeat)
    {
        TestSoup soup = test_box_without(1);
        test_soup_split(&soup);
        for (uint32_t i = 0; i < soup.vertex_count; ++i)
        {
            soup.vertices[i] = abut_vec3_add(soup.vertices[i], test_random_point(&random, 5e-7));
        }
        TestClosed closed = test_close_and_free(&soup);
        test_check_closed(&closed);
        assert_true(closed.close.joined_count >= 10);
        assert_int_equal(closed.close.loop_count, 1);
        test_assert_near(closed.after.mass.volume, 1.0, 1e-5);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_keeps_what_is_further_apart_than_the_tolerance(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(0);
    test_soup_split(&soup);
    for (uint32_t i = 0; i < soup.vertex_count; ++i)
    {
        float shift = 0.001f * (float)(i / 3);
        soup.vertices[i] = abut_vec3_add(soup.vertices[i], abut_vec3(shift, 0.7f * shift, 0.4f * shift));
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.tolerance = 0.0f;
    TestClosed closed = test_close_with(&def, mesh);
    assert_int_equal(closed.close.flat_count, 12);
    assert_int_equal(closed.close.triangle_count + closed.close.joined_count, 0);
    abut_mesh_destroy(closed.mesh);
    def.tolerance = 0.05f;
    closed = test_close_with(&def, mesh);
    test_check_closed(&closed);
    test_assert_near(closed.after.mass.volume, 1.0, 0.05);
    abut_mesh_destroy(closed.mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void test_close_sews_seams_with_t_junctions(void** state)
{
    (void)state;
    TestRandom random = { 32 };
    for (uint32_t steps = 2; steps <= 100; steps = 3 * steps + 1)
    {
        TestSoup soup =
            test_make_t_junctions(steps, steps == 2 ? abut_quat_identity() : test_random_rotation(&random));
        TestClosed closed = test_close_and_free(&soup);
        test_check_closed(&closed);
        assert_int_equal(closed.close.seam_count, 4);
        assert_int_equal(closed.close.loop_count, 0);
        assert_int_equal(closed.close.triangle_count, 4 * (steps - 1));
        test_assert_near(closed.after.mass.volume, 1.0, 1e-5);
        test_assert_near(closed.after.area, 6.0, 1e-4);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_leaves_flat_sheets_open(void** state)
{
    (void)state;
    TestRandom random = { 41 };
    for (int repeat = 0; repeat < 10; ++repeat)
    {
        TestSoup soup = { 0 };
        for (int i = 0; i < 25; ++i)
        {
            test_soup_vertex(&soup, i % 5, i / 5, 0.0);
        }
        for (uint32_t i = 0; i < 16; ++i)
        {
            uint32_t p = i / 4 * 5 + i % 4;
            if (i != 5) // a window
            {
                test_soup_triangle(&soup, p, p + 1, p + 6);
                test_soup_triangle(&soup, p, p + 6, p + 5);
            }
        }
        test_rotate_soup(&soup, test_random_rotation(&random));
        TestClosed closed = test_close_and_free(&soup);
        assert_int_equal(closed.close.flat_count, 2);
        assert_int_equal(closed.close.triangle_count, 0);
        assert_false(closed.close.closed);
        assert_int_equal(closed.close.open_edge_count, closed.before.boundary_edge_count);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_makes_a_bent_sheet_a_solid(void** state)
{
    (void)state;
    // Half a sphere: a disc, one loop.
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, 16);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        const uint32_t* c = soup.indices + 3 * (size_t)t;
        float z = soup.vertices[c[0]].z + soup.vertices[c[1]].z + soup.vertices[c[2]].z;
        if (z > 0.0f)
        {
            memmove(soup.indices + 3 * (size_t)kept++, c, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 1);
    test_assert_near(closed.after.mass.volume, 2.0943951, 0.03);
    assert_int_equal(closed.after.self_intersection_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_a_moebius_strip_open(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    const uint32_t count = 24;
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count;
        for (int side = -1; side <= 1; side += 2)
        {
            double r = 1.0 + 0.3 * side * cos(0.5 * angle);
            test_soup_vertex(&soup, r * cos(angle), r * sin(angle), 0.3 * side * sin(0.5 * angle));
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t a = 2 * i, b = a + 1, c = i + 1 < count ? a + 2 : 1, d = i + 1 < count ? a + 3 : 0;
        test_soup_triangle(&soup, a, c, d);
        test_soup_triangle(&soup, a, d, b);
    }
    TestClosed closed = test_close_and_free(&soup);
    assert_int_equal(closed.before.inconsistent_edge_count, 1);
    assert_true(closed.close.inconsistent_count > 0);
    assert_int_equal(closed.close.triangle_count, 0);
    assert_int_equal(closed.after.boundary_edge_count, 2 * count);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_fins_and_closes_the_rest(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(2);
    uint32_t tip = test_soup_vertex(&soup, -1, -1, 0.5);
    test_soup_triangle(&soup, 0, 4, tip); // a third triangle on an upright edge
    TestClosed closed = test_close_and_free(&soup);
    assert_int_equal(closed.close.loop_count, 1);
    assert_int_equal(closed.close.tangled_count, 1);
    assert_int_equal(closed.after.boundary_edge_count, 2);
    assert_int_equal(closed.close.open_edge_count, 3);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_wide_holes_open_when_asked(void** state)
{
    (void)state;
    TestOutline outline = { malloc(4 * sizeof(double[2])), 4 };
    const double square[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    memcpy(outline.points, square, sizeof(square));
    TestSoup soup = test_make_wall(&outline, 1.0, 0.0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        soup.vertices[2 * i].x *= 0.5f;
        soup.vertices[2 * i].y *= 0.5f;
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.max_hole_size = 1.0f;
    TestClosed closed = test_close_with(&def, mesh);
    assert_int_equal(closed.close.loop_count, 1);
    assert_int_equal(closed.close.wide_count, 1);
    assert_int_equal(closed.after.boundary_edge_count, 4);
    test_assert_near(closed.close.area, 0.25, 1e-12);
    abut_mesh_destroy(closed.mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
    free(outline.points);
}

static void add_tetrahedron(TestSoup* soup, const uint32_t v[4])
{
    test_soup_triangle(soup, v[0], v[2], v[1]);
    test_soup_triangle(soup, v[0], v[1], v[3]);
    test_soup_triangle(soup, v[1], v[2], v[3]);
    test_soup_triangle(soup, v[2], v[0], v[3]);
}

static void test_close_adds_a_vertex_when_both_diagonals_are_edges(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(2); // the rim is 4, 5, 7, 6
    uint32_t above[4];
    for (uint32_t i = 0; i < 4; ++i)
    {
        above[i] = test_soup_vertex(&soup, 0.3 + 0.1 * i, 0.5 + 0.2 * (i & 1), 2.0 + 0.1 * i);
    }
    add_tetrahedron(&soup, (uint32_t[4]){ 4, 7, above[0], above[1] });
    add_tetrahedron(&soup, (uint32_t[4]){ 5, 6, above[2], above[3] });
    test_soup_vertex(&soup, 0.5, 0.5, 1.0); // where the middle would be
    test_soup_triangle(&soup, soup.vertex_count - 1, soup.vertex_count - 1, soup.vertex_count - 1);
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    assert_int_equal(closed.close.vertex_count, 1);
    assert_int_equal(closed.close.triangle_count, 4);
    test_assert_near(closed.close.area, 1.0, 1e-6);
    abut_mesh_destroy(closed.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_joins_cracks_no_wider_than_the_tolerance),
        cmocka_unit_test(test_close_keeps_what_is_further_apart_than_the_tolerance),
        cmocka_unit_test(test_close_sews_seams_with_t_junctions),
        cmocka_unit_test(test_close_leaves_flat_sheets_open),
        cmocka_unit_test(test_close_makes_a_bent_sheet_a_solid),
        cmocka_unit_test(test_close_leaves_a_moebius_strip_open),
        cmocka_unit_test(test_close_leaves_fins_and_closes_the_rest),
        cmocka_unit_test(test_close_leaves_wide_holes_open_when_asked),
        cmocka_unit_test(test_close_adds_a_vertex_when_both_diagonals_are_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
