#include "support/meshes/sign_meshes.h"

#include <math.h>
#include <stdlib.h>

TestSigns test_signs_of(const AbutMesh* mesh, uint32_t nodes)
{
    AbutNodeGrid grid = test_sign_grid(mesh, nodes);
    return test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
}

AbutMesh* test_flipped(const AbutMesh* mesh)
{
    uint32_t count = abut_mesh_triangle_count(mesh);
    uint32_t* indices = malloc(3 * (size_t)count * sizeof(uint32_t));
    assert_non_null(indices);
    for (size_t t = 0; t < count; ++t)
    {
        const uint32_t* c = abut_mesh_indices(mesh) + 3 * t;
        indices[3 * t] = c[0];
        indices[3 * t + 1] = c[2];
        indices[3 * t + 2] = c[1];
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = abut_mesh_vertices(mesh);
    def.vertex_count = abut_mesh_vertex_count(mesh);
    def.indices = indices;
    def.triangle_count = count;
    AbutMesh* out = NULL;
    test_assert_result(abut_mesh_create(&def, &out), ABUT_OK);
    free(indices);
    return out;
}

/// Adds a sphere; its faces look inward when `radius` is negative.
void test_soup_add_sphere(TestSoup* soup, double x, double y, double z, double radius, uint32_t divisions)
{
    TestSoup ball = { 0 };
    test_soup_sphere(&ball, divisions);
    double r = fabs(radius);
    for (uint32_t t = 0; t < ball.triangle_count; ++t)
    {
        uint32_t v[3];
        for (int k = 0; k < 3; ++k)
        {
            AbutVec3 p = ball.vertices[ball.indices[3 * (size_t)t + (size_t)k]];
            v[k] = test_soup_vertex(soup, x + r * p.x, y + r * p.y, z + r * p.z);
        }
        test_soup_triangle(soup, v[0], radius > 0.0 ? v[1] : v[2], radius > 0.0 ? v[2] : v[1]);
    }
    test_soup_free(&ball);
}

void test_soup_add_box(TestSoup* soup, AbutVec3 min, AbutVec3 max, bool inward)
{
    uint32_t first = soup->triangle_count;
    test_soup_box(soup, min, max);
    for (uint32_t t = first; inward && t < soup->triangle_count; ++t)
    {
        uint32_t* c = soup->indices + 3 * (size_t)t;
        uint32_t swap = c[1];
        c[1] = c[2];
        c[2] = swap;
    }
}

AbutMesh* test_soup_mesh_and_free(TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    test_soup_free(soup);
    return mesh;
}

/// A box whose six sides are cut into different numbers of squares, which meet in T-junctions, turned so that
/// they are off by rounding.
AbutMesh* test_patchwork_box(TestRandom* random, double jitter, double far)
{
    TestSoup soup = { 0 };
    double rotation[3][3];
    abut_quat_to_matrix(test_random_rotation(random), rotation);
    for (int side = 0; side < 6; ++side)
    {
        int axis = side / 2, n = 1 + (side * 5 + 2) % 7;
        double sign = side % 2 == 0 ? 1.0 : -1.0;
        for (int cell = 0; cell < 2 * n * n; ++cell)
        {
            int i = cell / 2 % n, k = cell / 2 / n;
            const int corners[2][3][2] = { { { i, k }, { i + 1, k }, { i + 1, k + 1 } },
                                           { { i, k }, { i + 1, k + 1 }, { i, k + 1 } } };
            uint32_t v[3];
            for (int c = 0; c < 3; ++c)
            {
                double p[3], q[3];
                p[axis] = sign;
                p[(axis + 1) % 3] = 2.0 * corners[cell % 2][c][0] / n - 1.0;
                p[(axis + 2) % 3] = sign * (2.0 * corners[cell % 2][c][1] / n - 1.0);
                for (int row = 0; row < 3; ++row)
                {
                    q[row] = rotation[row][0] * p[0] + rotation[row][1] * p[1] + rotation[row][2] * p[2] +
                             far + jitter * test_random_range(random, -1.0, 1.0);
                }
                v[c] = test_soup_vertex(&soup, q[0], q[1], q[2]);
            }
            test_soup_triangle(&soup, v[0], v[1], v[2]);
        }
    }
    return test_soup_mesh_and_free(&soup);
}

/// A unit sphere without the faces within `hole` of the top.
AbutMesh* test_holed_sphere(double hole, bool inward)
{
    TestSoup ball = { 0 }, soup = { 0 };
    test_soup_add_sphere(&ball, 0.0, 0.0, 0.0, inward ? -1.0 : 1.0, 16);
    for (uint32_t t = 0; t < ball.triangle_count; ++t)
    {
        const uint32_t* c = ball.indices + 3 * (size_t)t;
        double z = (ball.vertices[c[0]].z + ball.vertices[c[1]].z + ball.vertices[c[2]].z) / 3.0;
        if (acos(fmin(1.0, z)) > hole)
        {
            test_soup_loose(&soup, ball.vertices[c[0]], ball.vertices[c[1]], ball.vertices[c[2]]);
        }
    }
    test_soup_free(&ball);
    return test_soup_mesh_and_free(&soup);
}

/// The meshes that take all paths: closed, crossing, open, soup.
AbutMesh* test_assorted_mesh(int i)
{
    TestSoup soup = { 0 };
    TestRandom random = { 35 };
    switch (i)
    {
    case 0:
        test_soup_torus(&soup, 1.0, 0.4, 24, 12);
        return test_soup_mesh_and_free(&soup);
    case 1:
        test_soup_add_sphere(&soup, -0.4, 0.0, 0.0, 1.0, 8);
        test_soup_add_sphere(&soup, 0.5, 0.1, 0.0, -0.9, 7);
        return test_soup_mesh_and_free(&soup);
    case 2:
        return test_holed_sphere(0.5, false);
    case 3:
        for (int t = 0; t < 150; ++t)
        {
            AbutVec3 a = test_random_point(&random, 1.0), b = test_random_point(&random, 0.3),
                     c = test_random_point(&random, 0.3);
            test_soup_loose(&soup, a, abut_vec3_add(a, b), abut_vec3_add(a, c));
        }
        return test_soup_mesh_and_free(&soup);
    default:
        return test_patchwork_box(&random, 1e-6, 0.0);
    }
}
