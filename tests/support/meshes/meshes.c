#include "support/meshes/meshes.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

static void* grow(void* array, uint32_t* capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity)
    {
        return array;
    }
    *capacity = needed > 2 * *capacity ? needed : 2 * *capacity;
    array = realloc(array, *capacity * size);
    assert_non_null(array);
    return array;
}

uint32_t test_soup_vertex(TestSoup* soup, double x, double y, double z)
{
    soup->vertices =
        grow(soup->vertices, &soup->vertex_capacity, soup->vertex_count + 1, sizeof(*soup->vertices));
    soup->vertices[soup->vertex_count] = abut_vec3((float)x, (float)y, (float)z);
    return soup->vertex_count++;
}

void test_soup_triangle(TestSoup* soup, uint32_t a, uint32_t b, uint32_t c)
{
    soup->indices =
        grow(soup->indices, &soup->triangle_capacity, soup->triangle_count + 1, 3 * sizeof(*soup->indices));
    uint32_t* corners = soup->indices + 3 * (size_t)soup->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

void test_soup_loose(TestSoup* soup, AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    uint32_t ia = test_soup_vertex(soup, a.x, a.y, a.z);
    uint32_t ib = test_soup_vertex(soup, b.x, b.y, b.z);
    uint32_t ic = test_soup_vertex(soup, c.x, c.y, c.z);
    test_soup_triangle(soup, ia, ib, ic);
}

void test_soup_box(TestSoup* soup, AbutVec3 min, AbutVec3 max)
{
    // Vertex i has bit 0, 1, 2 set where x, y, z are at their maximum.
    static const uint32_t faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                          { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
    uint32_t first = soup->vertex_count;
    for (int i = 0; i < 8; ++i)
    {
        test_soup_vertex(soup, i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    }
    for (int f = 0; f < 6; ++f)
    {
        const uint32_t* q = faces[f];
        test_soup_triangle(soup, first + q[0], first + q[1], first + q[2]);
        test_soup_triangle(soup, first + q[0], first + q[2], first + q[3]);
    }
}

void test_soup_torus(TestSoup* soup, double major_radius, double minor_radius, uint32_t major, uint32_t minor)
{
    const double tau = 6.283185307179586;
    uint32_t first = soup->vertex_count;
    for (uint32_t i = 0; i < major; ++i)
    {
        for (uint32_t j = 0; j < minor; ++j)
        {
            double a = tau * i / major, b = tau * j / minor;
            double r = major_radius + minor_radius * cos(b);
            test_soup_vertex(soup, r * cos(a), minor_radius * sin(b), r * sin(a));
        }
    }
    for (uint32_t i = 0; i < major; ++i)
    {
        for (uint32_t j = 0; j < minor; ++j)
        {
            uint32_t i1 = (i + 1) % major, j1 = (j + 1) % minor;
            uint32_t p = first + i * minor + j, q = first + i * minor + j1;
            uint32_t r = first + i1 * minor + j1, s = first + i1 * minor + j;
            test_soup_triangle(soup, p, q, r);
            test_soup_triangle(soup, p, r, s);
        }
    }
}

static uint32_t sphere_vertex(TestSoup* soup, const double corners[3][3], uint32_t i, uint32_t j, uint32_t n)
{
    double p[3], square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        p[axis] = corners[0][axis] * (n - i - j) + corners[1][axis] * i + corners[2][axis] * j;
        square += p[axis] * p[axis];
    }
    double scale = 1.0 / sqrt(square);
    return test_soup_vertex(soup, p[0] * scale, p[1] * scale, p[2] * scale);
}

static void sphere_triangle(TestSoup* soup, const double corners[3][3], const uint32_t at[3][2], uint32_t n)
{
    uint32_t v[3];
    for (int k = 0; k < 3; ++k)
    {
        v[k] = sphere_vertex(soup, corners, at[k][0], at[k][1], n);
    }
    test_soup_triangle(soup, v[0], v[1], v[2]);
}

void test_soup_sphere(TestSoup* soup, uint32_t divisions)
{
    for (int octant = 0; octant < 8; ++octant)
    {
        double x = octant & 1 ? -1.0 : 1.0, y = octant & 2 ? -1.0 : 1.0, z = octant & 4 ? -1.0 : 1.0;
        bool mirrored = x * y * z < 0.0;
        const double corners[3][3] = { { x, 0, 0 },
                                       { 0, mirrored ? 0 : y, mirrored ? z : 0 },
                                       { 0, mirrored ? y : 0, mirrored ? 0 : z } };
        for (uint32_t i = 0; i < divisions; ++i)
        {
            for (uint32_t j = 0; i + j < divisions; ++j)
            {
                sphere_triangle(soup, corners, (const uint32_t[3][2]){ { i, j }, { i + 1, j }, { i, j + 1 } },
                                divisions);
                if (i + j + 1 < divisions)
                {
                    sphere_triangle(soup, corners,
                                    (const uint32_t[3][2]){ { i + 1, j }, { i + 1, j + 1 }, { i, j + 1 } },
                                    divisions);
                }
            }
        }
    }
}

void test_soup_split(TestSoup* soup)
{
    TestSoup split = { 0 };
    for (uint32_t t = 0; t < soup->triangle_count; ++t)
    {
        const uint32_t* c = soup->indices + 3 * (size_t)t;
        test_soup_loose(&split, soup->vertices[c[0]], soup->vertices[c[1]], soup->vertices[c[2]]);
    }
    test_soup_free(soup);
    *soup = split;
}

void test_soup_free(TestSoup* soup)
{
    free(soup->vertices);
    free(soup->indices);
    *soup = (TestSoup){ 0 };
}

AbutMesh* test_soup_mesh(const TestSoup* soup, const AbutHost* host)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = soup->vertices;
    def.vertex_count = soup->vertex_count;
    def.indices = soup->indices;
    def.triangle_count = soup->triangle_count;
    def.host = host;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

TestSoup test_soup_on_grid(TestRandom* random, int triangle_count, double half, double nudge)
{
    TestSoup soup = { 0 };
    for (int t = 0; t < triangle_count; ++t)
    {
        AbutVec3 p[3];
        AbutVec3 at = test_random_point(random, half);
        for (int k = 0; k < 3; ++k)
        {
            AbutVec3 r = abut_vec3_add(at, test_random_point(random, 3.0));
            AbutVec3 n = test_random_point(random, nudge);
            p[k] = abut_vec3_add(abut_vec3(floorf(r.x), floorf(r.y), floorf(r.z)), n);
        }
        test_soup_loose(&soup, p[0], p[1], p[2]);
    }
    return soup;
}

AbutMesh* test_torus_mesh(float major_radius, float minor_radius, uint32_t major_divisions,
                          uint32_t minor_divisions)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_radius = major_radius;
    def.minor_radius = minor_radius;
    def.major_divisions = major_divisions;
    def.minor_divisions = minor_divisions;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_OK);
    return mesh;
}

AbutMesh* test_lattice_mesh(uint64_t seed, uint32_t count, double size, bool repeats)
{
    TestRandom random = { seed };
    TestSoup soup = { 0 };
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        AbutVec3 p = test_random_point(&random, size);
        p = abut_vec3(0.25f * floorf(p.x), 0.25f * floorf(p.y), 0.25f * floorf(p.z));
        p = repeats && i >= 12 && i < 30 ? soup.vertices[i - 3] : p;
        test_soup_vertex(&soup, p.x, p.y, p.z);
        if (i % 3 == 2)
        {
            test_soup_triangle(&soup, i - 2, i - 1, i);
        }
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

AbutMeshReport test_soup_report(const TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    abut_mesh_destroy(mesh);
    return report;
}

AbutMeshReport test_soup_report_and_free(TestSoup* soup)
{
    AbutMeshReport report = test_soup_report(soup);
    test_soup_free(soup);
    return report;
}

bool test_has_equal_corners(const uint32_t* c)
{
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

int test_edge_direction(const uint32_t* c, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 3; ++i)
    {
        if (c[i] == a && c[(i + 1) % 3] == b)
        {
            return 1;
        }
        if (c[i] == b && c[(i + 1) % 3] == a)
        {
            return -1;
        }
    }
    return 0;
}
