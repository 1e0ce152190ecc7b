#include "support/meshes/closing.h"

#include "mesh/inspect/inspect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static AbutMeshReport inspect(const AbutMesh* mesh)
{
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    return report;
}

static void check_originals(const AbutMesh* mesh, const TestClosed* closed)
{
    uint32_t vertex_count = abut_mesh_vertex_count(mesh), triangle_count = abut_mesh_triangle_count(mesh);
    assert_int_equal(abut_mesh_vertex_count(closed->mesh), vertex_count + closed->close.vertex_count);
    assert_int_equal(abut_mesh_triangle_count(closed->mesh), triangle_count + closed->close.triangle_count);
    assert_memory_equal(abut_mesh_vertices(closed->mesh), abut_mesh_vertices(mesh),
                        vertex_count * sizeof(AbutVec3));
    if (closed->close.joined_count == 0)
    {
        assert_memory_equal(abut_mesh_indices(closed->mesh), abut_mesh_indices(mesh),
                            3 * (size_t)triangle_count * sizeof(uint32_t));
    }
}

TestClosed test_close_with(const AbutMeshCloseDef* def, const AbutMesh* mesh)
{
    TestClosed closed = { 0 };
    test_assert_result(abut_mesh_close(def, mesh, &closed.mesh, &closed.close), ABUT_OK);
    check_originals(mesh, &closed);
    closed.before = inspect(mesh);
    closed.after = inspect(closed.mesh);
    assert_int_equal(closed.close.closed, closed.after.closed && closed.after.oriented);
    assert_true(closed.after.boundary_edge_count <= closed.close.open_edge_count);
    if (closed.close.joined_count == 0)
    {
        assert_int_equal(closed.after.nonmanifold_edge_count, closed.before.nonmanifold_edge_count);
        assert_int_equal(closed.after.inconsistent_edge_count, closed.before.inconsistent_edge_count);
        assert_true(closed.after.boundary_edge_count <= closed.before.boundary_edge_count);
    }
    return closed;
}

TestClosed test_close_mesh(const AbutMesh* mesh)
{
    AbutMeshCloseDef def = abut_mesh_close_def();
    return test_close_with(&def, mesh);
}

TestClosed test_close_soup(const TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    TestClosed closed = test_close_mesh(mesh);
    abut_mesh_destroy(mesh);
    return closed;
}

TestClosed test_close_and_free(TestSoup* soup)
{
    TestClosed closed = test_close_soup(soup);
    test_soup_free(soup);
    return closed;
}

void test_check_closed(const TestClosed* closed)
{
    if (!closed->close.closed)
    {
        print_message("%u loops closed, %u flat, %u wide, %u tangled, %u inconsistent, %u edges open\n",
                      closed->close.loop_count, closed->close.flat_count, closed->close.wide_count,
                      closed->close.tangled_count, closed->close.inconsistent_count,
                      closed->close.open_edge_count);
    }
    assert_true(closed->close.closed);
    assert_int_equal(closed->after.boundary_edge_count, 0);
    assert_int_equal(closed->after.nonmanifold_edge_count, 0);
    assert_int_equal(closed->after.inconsistent_edge_count, 0);
    assert_int_equal(closed->close.open_edge_count, 0);
    assert_int_equal(closed->close.flat_count + closed->close.wide_count + closed->close.tangled_count +
                         closed->close.inconsistent_count,
                     0);
}

TestSoup test_box_without(unsigned faces)
{
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        if ((faces >> (t / 2) & 1u) == 0)
        {
            memmove(soup.indices + 3 * (size_t)kept++, soup.indices + 3 * (size_t)t, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    return soup;
}

TestSoup test_make_wall(const TestOutline* outline, double height, double lean)
{
    TestSoup soup = { 0 };
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        const double* p = outline->points[i];
        test_soup_vertex(&soup, p[0], p[1], lean * p[0]);
        test_soup_vertex(&soup, p[0], p[1], lean * p[0] + height);
    }
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        uint32_t j = (i + 1) % outline->count;
        test_soup_triangle(&soup, 2 * i, 2 * j, 2 * j + 1);
        test_soup_triangle(&soup, 2 * i, 2 * j + 1, 2 * i + 1);
    }
    return soup;
}

void test_rotate_soup(TestSoup* soup, AbutQuat rotation)
{
    for (uint32_t i = 0; i < soup->vertex_count; ++i)
    {
        soup->vertices[i] = abut_quat_rotate(rotation, soup->vertices[i]);
    }
}

TestSoup test_make_wavy_tube(uint32_t count, int waves, double height)
{
    TestOutline circle = { malloc(count * sizeof(double[2])), count };
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count;
        circle.points[i][0] = cos(angle);
        circle.points[i][1] = sin(angle);
    }
    TestSoup soup = test_make_wall(&circle, 2.0, 0.0);
    for (uint32_t i = 0; i < count; ++i)
    {
        soup.vertices[2 * i + 1].z += (float)(height * cos(6.283185307179586 * waves * i / count));
    }
    free(circle.points);
    return soup;
}

TestSoup test_make_torn_sphere(TestRandom* random, uint32_t divisions, double fraction)
{
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, divisions);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        if (test_random_unit(random) >= fraction)
        {
            memmove(soup.indices + 3 * (size_t)kept++, soup.indices + 3 * (size_t)t, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    return soup;
}

TestSoup test_make_t_junctions(uint32_t steps, AbutQuat rotation)
{
    TestSoup soup = test_box_without(2);
    uint32_t first = soup.vertex_count, n = steps + 1;
    for (uint32_t i = 0; i < n * n; ++i)
    {
        test_soup_vertex(&soup, (double)(i % n) / steps, (double)(i / n) / steps, 1.0);
    }
    for (uint32_t y = 0; y < steps; ++y)
    {
        for (uint32_t x = 0; x < steps; ++x)
        {
            uint32_t p = first + y * n + x;
            test_soup_triangle(&soup, p, p + 1, p + n + 1);
            test_soup_triangle(&soup, p, p + n + 1, p + n);
        }
    }
    test_rotate_soup(&soup, rotation);
    return soup;
}
