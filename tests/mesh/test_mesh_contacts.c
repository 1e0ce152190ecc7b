// T-junctions and self-intersections of the report, against searches through everything.
#include "support/meshes/meshes.h"

#include "mesh/triangle/triangle.h"

// -----------------------------------------------------------------------------------------------------------
// T-junctions
// -----------------------------------------------------------------------------------------------------------

/// A triangle above the edge from 0 to 10 on the x axis, and two below that meet the edge at `middle`.
static TestSoup split_edge(AbutVec3 middle)
{
    TestSoup soup = { 0 };
    AbutVec3 a = abut_vec3(0, 0, 0), b = abut_vec3(10, 0, 0), down = abut_vec3(5, -5, 0);
    test_soup_loose(&soup, a, b, abut_vec3(5, 5, 0));
    test_soup_loose(&soup, a, down, middle);
    test_soup_loose(&soup, middle, down, b);
    return soup;
}

static uint32_t junctions(AbutVec3 middle)
{
    TestSoup soup = split_edge(middle);
    return test_soup_report_and_free(&soup).t_junction_count;
}

static void test_t_junctions_are_found_within_the_tolerance(void** state)
{
    (void)state;
    assert_int_equal(junctions(abut_vec3(5, 0, 0)), 1);
    assert_int_equal(junctions(abut_vec3(5, 0, 0.9e-4f)), 1); // 1e-5 of the length is 1e-4
    assert_int_equal(junctions(abut_vec3(5, 0, 1.1e-4f)), 0);
    assert_int_equal(junctions(abut_vec3(5, -0.9e-4f, 0)), 1);
    assert_int_equal(junctions(abut_vec3(5, -0.9e-4f, 0.9e-4f)), 0);
    assert_int_equal(junctions(abut_vec3(1.1e-4f, 0, 0)), 1);
    assert_int_equal(junctions(abut_vec3(0.9e-4f, 0, 0)), 0); // that is the end, not welded
    assert_int_equal(junctions(abut_vec3(10.0f - 2e-4f, 0, 0)), 1);
    assert_int_equal(junctions(abut_vec3(-1, -1, 0)), 0);
    assert_int_equal(junctions(abut_vec3(11, -1, 0)), 0);
    assert_int_equal(junctions(abut_vec3(11, 0, 0)),
                     1); // now the end of the first edge lies inside the second
}

static void test_t_junction_counts_once_and_takes_boundary_vertices_alone(void** state)
{
    (void)state;
    TestSoup soup = split_edge(abut_vec3(5, 0, 0));
    test_soup_loose(&soup, abut_vec3(0, 0, 0), abut_vec3(10, 0, 0),
                    abut_vec3(5, 0, 5)); // now the edge is closed
    AbutMeshReport report = test_soup_report(&soup);
    assert_int_equal(report.t_junction_count, 0);
    test_soup_loose(&soup, abut_vec3(1, 0, 0), abut_vec3(9, 0, 0),
                    abut_vec3(5, 1, 7)); // two more edges over the vertex
    test_soup_loose(&soup, abut_vec3(2, 0, 0), abut_vec3(8, 0, 0), abut_vec3(5, 2, 7));
    report = test_soup_report_and_free(&soup);
    // (5, 0, 0) lies inside both, (2 | 8, 0, 0) inside the longer; the ends of the longer lie inside the
    // edges that (5, 0, 0) ends.
    assert_int_equal(report.t_junction_count, 5);

    TestSoup touching = { 0 }; // a closed box that stands on the rim of a sheet
    test_soup_loose(&touching, abut_vec3(0, 0, 0), abut_vec3(10, 0, 0), abut_vec3(5, 5, 0));
    test_soup_box(&touching, abut_vec3(5, 0, 0), abut_vec3(6, 1, 1));
    assert_int_equal(test_soup_report_and_free(&touching).t_junction_count, 0);
}

static bool lies_inside(AbutVec3 a, AbutVec3 b, AbutVec3 p)
{
    double d[3] = { (double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z };
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double along =
        ((p.x - (double)a.x) * d[0] + (p.y - (double)a.y) * d[1] + (p.z - (double)a.z) * d[2]) / length;
    double x = p.x - a.x - along / length * d[0], y = p.y - a.y - along / length * d[1],
           z = p.z - a.z - along / length * d[2];
    return along > 1e-5 * length && length - along > 1e-5 * length &&
           sqrt(x * x + y * y + z * z) <= 1e-5 * length;
}

static void test_t_junctions_match_a_search_through_everything(void** state)
{
    (void)state;
    // Loose triangles on a grid: all their edges are boundary unless shared, and many corners lie on edges.
    TestRandom random = { 2 };
    uint32_t total = 0;
    for (int repeat = 0; repeat < 40; ++repeat)
    {
        TestSoup soup = { 0 };
        for (int t = 0; t < 40; ++t)
        {
            AbutVec3 p[3];
            for (int k = 0; k < 3; ++k)
            {
                AbutVec3 r = test_random_point(&random, 4.0);
                p[k] = abut_vec3(floorf(r.x) * 0.25f, floorf(r.y) * 0.25f, floorf(r.z) * 0.25f);
            }
            test_soup_loose(&soup, p[0], p[1], p[2]);
        }
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        AbutMesh* welded = NULL;
        test_assert_result(abut_mesh_weld(mesh, 0.0f, NULL, &welded), ABUT_OK);
        TestSoup view = { (AbutVec3*)abut_mesh_vertices(welded),
                          (uint32_t*)abut_mesh_indices(welded),
                          abut_mesh_vertex_count(welded),
                          40,
                          0,
                          0 };
        bool on_border[120] = { false }, found[120] = { false };
        for (int pass = 0; pass < 2; ++pass)
        {
            for (uint32_t a = 0; a < view.vertex_count; ++a)
            {
                for (uint32_t b = a + 1; b < view.vertex_count; ++b)
                {
                    int uses = 0;
                    for (uint32_t t = 0; t < 40; ++t)
                    {
                        const uint32_t* c = view.indices + 3 * (size_t)t;
                        uses += !test_has_equal_corners(c) && test_edge_direction(c, a, b) != 0;
                    }
                    on_border[a] = on_border[a] || uses == 1;
                    on_border[b] = on_border[b] || uses == 1;
                    for (uint32_t v = 0; pass == 1 && uses == 1 && v < view.vertex_count; ++v)
                    {
                        found[v] =
                            found[v] || (on_border[v] &&
                                         lies_inside(view.vertices[a], view.vertices[b], view.vertices[v]));
                    }
                }
            }
        }
        uint32_t expected = 0;
        for (uint32_t v = 0; v < view.vertex_count; ++v)
        {
            expected += found[v];
        }
        total += expected;
        assert_int_equal(test_soup_report_and_free(&soup).t_junction_count, expected);
        abut_mesh_destroy(welded);
        abut_mesh_destroy(mesh);
    }
    assert_true(total > 100);
}

// -----------------------------------------------------------------------------------------------------------
// Self-intersections. That single pairs are decided right is shown in test_mesh_triangle.c.
// -----------------------------------------------------------------------------------------------------------

static uint64_t count_all_pairs(const TestSoup* soup)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < soup->triangle_count; ++i)
    {
        AbutTriangle a = abut_triangle_of(soup->vertices, soup->indices + 3 * (size_t)i);
        for (uint32_t j = 0; j < i; ++j)
        {
            AbutTriangle b = abut_triangle_of(soup->vertices, soup->indices + 3 * (size_t)j);
            count += !abut_triangle_is_degenerate(&a) && !abut_triangle_is_degenerate(&b) &&
                     abut_triangles_cross(&a, &b);
        }
    }
    return count;
}

static void test_self_intersections_match_a_search_through_all_pairs(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int repeat = 0; repeat < 20; ++repeat)
    {
        TestSoup soup = test_soup_on_grid(&random, 600, 4.0 + repeat % 3 * 4.0, repeat % 2 ? 1e-6 : 0.0);
        uint64_t expected = count_all_pairs(&soup);
        assert_true(expected > 100);
        AbutMeshReport report = test_soup_report_and_free(&soup);
        assert_int_equal(report.self_intersection_count, expected);
        assert_false(report.self_intersection_sampled);
    }
}

static void test_overlapping_boxes_intersect_and_stacked_ones_share_a_face(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    test_soup_box(&soup, abut_vec3(0.5f, 0.4f, 0.3f), abut_vec3(1.5f, 1.4f, 1.3f));
    AbutMeshReport report = test_soup_report_and_free(&soup);
    assert_true(report.self_intersection_count > 0);
    assert_true(report.closed && report.component_count == 2);

    TestSoup stacked = { 0 }; // smaller above larger: the faces overlap in one plane
    test_soup_box(&stacked, abut_vec3(-1, -1, 0), abut_vec3(1, 1, 1));
    test_soup_box(&stacked, abut_vec3(-0.5f, -0.5f, 1), abut_vec3(0.5f, 0.5f, 2));
    assert_true(test_soup_report_and_free(&stacked).self_intersection_count > 0);

    TestSoup beside = { 0 }; // touching along an edge and in a corner
    test_soup_box(&beside, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    test_soup_box(&beside, abut_vec3(1, 1, 0.25f), abut_vec3(2, 2, 0.75f));
    test_soup_box(&beside, abut_vec3(-1, -1, -1), abut_vec3(0, 0, 0));
    assert_int_equal(test_soup_report_and_free(&beside).self_intersection_count, 0);
}

static void test_duplicates_overlap(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    for (int i = 0; i < 4; ++i)
    {
        test_soup_loose(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 2, 3), abut_vec3(3, 1, i == 3 ? 2.5f : 2));
    }
    AbutMeshReport report = test_soup_report_and_free(&soup);
    assert_int_equal(report.duplicate_count, 2);
    assert_int_equal(report.self_intersection_count, 3);
}

static void test_sampled_count_is_near_and_says_so(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    TestSoup soup = test_soup_on_grid(&random, 6000, 8.0, 0.1);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport all, sampled;
    test_assert_result(abut_mesh_inspect(&def, mesh, &all), ABUT_OK);
    def.self_intersection_limit = 1000;
    test_assert_result(abut_mesh_inspect(&def, mesh, &sampled), ABUT_OK);
    assert_false(all.self_intersection_sampled);
    assert_true(sampled.self_intersection_sampled);
    assert_true(all.self_intersection_count > 5000);
    test_assert_near(sampled.self_intersection_count, all.self_intersection_count,
                     0.1 * (double)all.self_intersection_count);

    def.self_intersection_limit = 0;
    test_assert_result(abut_mesh_inspect(&def, mesh, &sampled), ABUT_OK);
    assert_int_equal(sampled.self_intersection_count, 0);
    assert_true(sampled.self_intersection_sampled);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_t_junctions_are_found_within_the_tolerance),
        cmocka_unit_test(test_t_junction_counts_once_and_takes_boundary_vertices_alone),
        cmocka_unit_test(test_t_junctions_match_a_search_through_everything),
        cmocka_unit_test(test_self_intersections_match_a_search_through_all_pairs),
        cmocka_unit_test(test_overlapping_boxes_intersect_and_stacked_ones_share_a_face),
        cmocka_unit_test(test_duplicates_overlap),
        cmocka_unit_test(test_sampled_count_is_near_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
