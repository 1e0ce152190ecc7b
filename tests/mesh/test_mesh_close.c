// Closing of holes: the report of abut_mesh_inspect() on the result is the judge, and volumes in closed form.
#include "support/meshes/closing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_close_puts_a_face_back(void** state)
{
    (void)state;
    for (int face = 0; face < 6; ++face)
    {
        TestSoup soup = test_box_without(1u << face);
        TestClosed closed = test_close_and_free(&soup);
        test_check_closed(&closed);
        test_assert_near(closed.after.mass.volume, 1.0, 1e-12);
        test_assert_near(closed.after.area, 6.0, 1e-12);
        test_assert_near(closed.close.area, 1.0, 1e-12);
        test_assert_near(closed.close.largest_size, sqrt(2.0), 1e-12);
        assert_int_equal(closed.close.loop_count, 1);
        assert_int_equal(closed.close.largest_edge_count, 4);
        assert_int_equal(closed.close.triangle_count, 2);
        assert_int_equal(closed.after.self_intersection_count, 0);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_handles_every_set_of_missing_faces(void** state)
{
    (void)state;
    for (unsigned faces = 0; faces < 63; ++faces)
    {
        unsigned left = 63u & ~faces;
        bool single = (left & (left - 1)) == 0;
        bool opposite = left == 3 || left == 12 || left == 48; // two faces that do not touch
        TestSoup soup = test_box_without(faces);
        TestClosed closed = test_close_and_free(&soup);
        if (single || opposite)
        {
            assert_int_equal(closed.close.flat_count, single ? 1 : 2);
            assert_int_equal(closed.close.triangle_count, 0);
        }
        else
        {
            test_check_closed(&closed);
            assert_true(closed.after.mass.volume > 0.1);
            assert_int_equal(closed.after.self_intersection_count, 0);
        }
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_leaves_a_closed_mesh_as_it_is(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(0);
    test_soup_vertex(&soup, 5, 5, 5); // that no triangle uses
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    assert_int_equal(closed.close.loop_count + closed.close.triangle_count + closed.close.vertex_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_of_nothing_is_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_vertex(&soup, 1, 2, 3);
    TestClosed closed = test_close_and_free(&soup);
    assert_int_equal(abut_mesh_triangle_count(closed.mesh), 0);
    assert_int_equal(abut_mesh_vertex_count(closed.mesh), 1);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_orients_caps_as_the_mesh_is(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(2);
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        uint32_t* corners = soup.indices + 3 * (size_t)t;
        uint32_t corner = corners[1];
        corners[1] = corners[2];
        corners[2] = corner;
    }
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    test_assert_near(closed.after.mass.volume, -1.0, 1e-12);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_repairs_torn_spheres(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    for (int repeat = 0; repeat < 30; ++repeat)
    {
        TestSoup soup = test_make_torn_sphere(&random, 4 + (uint32_t)(repeat % 9), 0.05);
        TestClosed closed = test_close_and_free(&soup);
        if (closed.close.flat_count == 0) // no triangle has come off
        {
            test_check_closed(&closed);
        }
        assert_int_equal(closed.after.self_intersection_count, 0);
        assert_true(closed.after.mass.volume > 2.0 && closed.after.mass.volume < 4.1887902);
        abut_mesh_destroy(closed.mesh);
    }
}

/// So torn that holes meet in vertices, and triangles hang on by a corner or come off.
static void test_close_leaves_only_loose_triangles_of_tatters(void** state)
{
    (void)state;
    TestRandom random = { 22 };
    for (int repeat = 0; repeat < 30; ++repeat)
    {
        TestSoup soup = test_make_torn_sphere(&random, 6, 0.1 + 0.026 * repeat);
        TestClosed closed = test_close_and_free(&soup);
        assert_int_equal(closed.after.nonmanifold_edge_count, 0);
        assert_int_equal(closed.after.inconsistent_edge_count, 0);
        assert_int_equal(closed.close.tangled_count + closed.close.inconsistent_count, 0);
        // Two triangles in the same plane do not occur, so nothing but a single one is flat.
        assert_int_equal(closed.after.boundary_edge_count, 3 * closed.close.flat_count);
        assert_int_equal(closed.close.open_edge_count, 3 * closed.close.flat_count);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_splits_holes_that_meet_in_a_vertex(void** state)
{
    (void)state;
    // Two unit boxes that touch in a corner, each without the three faces there.
    TestSoup soup = test_box_without(2 | 8 | 32);
    uint32_t first = soup.vertex_count, triangles = soup.triangle_count;
    test_soup_box(&soup, abut_vec3(1, 1, 1), abut_vec3(2, 2, 2));
    uint32_t kept = triangles;
    for (uint32_t t = triangles; t < soup.triangle_count; ++t)
    {
        const uint32_t* c = soup.indices + 3 * (size_t)t;
        unsigned all = (c[0] - first) & (c[1] - first) & (c[2] - first);
        if (all != 0) // a face at a maximum
        {
            memmove(soup.indices + 3 * (size_t)kept++, c, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    TestClosed closed = test_close_and_free(&soup);
    test_check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 2);
    assert_int_equal(closed.after.component_count, 2);
    abut_mesh_destroy(closed.mesh);
}

static void append_soup(TestSoup* soup, const TestSoup* other)
{
    uint32_t first = soup->vertex_count;
    for (uint32_t i = 0; i < other->vertex_count; ++i)
    {
        AbutVec3 p = other->vertices[i];
        test_soup_vertex(soup, p.x, p.y, p.z);
    }
    for (uint32_t t = 0; t < other->triangle_count; ++t)
    {
        const uint32_t* c = other->indices + 3 * (size_t)t;
        test_soup_triangle(soup, first + c[0], first + c[1], first + c[2]);
    }
}

static void test_close_keeps_bodies_apart_whose_rims_meet_twice(void** state)
{
    (void)state;
    double square[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    double dented[5][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1.5, 0.5 } };
    TestOutline outlines[2] = { { square, 4 }, { dented, 5 } };
    for (int step = 0; step < 8; ++step) // any of the edges may come first
    {
        TestSoup soup = test_make_wall(&outlines[0], 1.0, 0.0),
                 other = test_make_wall(&outlines[1], 1.0, 0.0);
        for (uint32_t i = 0; i < other.vertex_count; i += 2)
        {
            other.vertices[i].z = 0.25f; // so that only the upper rims have vertices in common
        }
        append_soup(&soup, &other);
        test_soup_free(&other);
        test_rotate_soup(&soup,
                         abut_quat_from_axis_angle(abut_vec3(0, 0, 1), 0.1f + 0.785398f * (float)step));
        TestClosed closed = test_close_and_free(&soup);
        test_check_closed(&closed);
        assert_int_equal(closed.close.loop_count, 4);
        assert_int_equal(closed.after.component_count, 2);
        test_assert_near(closed.after.mass.volume, 1.0 + 0.75 * 0.75, 1e-6);
        abut_mesh_destroy(closed.mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_puts_a_face_back),
        cmocka_unit_test(test_close_handles_every_set_of_missing_faces),
        cmocka_unit_test(test_close_leaves_a_closed_mesh_as_it_is),
        cmocka_unit_test(test_close_of_nothing_is_nothing),
        cmocka_unit_test(test_close_orients_caps_as_the_mesh_is),
        cmocka_unit_test(test_close_repairs_torn_spheres),
        cmocka_unit_test(test_close_leaves_only_loose_triangles_of_tatters),
        cmocka_unit_test(test_close_splits_holes_that_meet_in_a_vertex),
        cmocka_unit_test(test_close_keeps_bodies_apart_whose_rims_meet_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
