// Signs of nodes: closed surfaces against crossings along columns, and the defined answers for broken ones.
#include "support/generated_solids.h"
#include "support/meshes.h"
#include "support/signs.h"

#include <abut/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TestSigns signs_of(const AbutMesh* mesh, uint32_t nodes)
{
    AbutNodeGrid grid = test_sign_grid(mesh, nodes);
    return test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
}

static AbutMesh* turned_over(const AbutMesh* mesh)
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
static void add_sphere(TestSoup* soup, double x, double y, double z, double radius, uint32_t divisions)
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

static void add_box(TestSoup* soup, AbutVec3 min, AbutVec3 max, bool inward)
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

static AbutMesh* mesh_and_free(TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    test_soup_free(soup);
    return mesh;
}

// ---------------------------------------------------------------------------------------------------------------------
// Closed surfaces
// ---------------------------------------------------------------------------------------------------------------------

static void test_no_sign_is_wrong_on_generated_solids(void** state)
{
    (void)state;
    size_t compared = 0;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        const uint32_t sizes[] = { solid->least, solid->odd, 24 > solid->least ? 24 : solid->least };
        for (int i = 0; i < 3; ++i)
        {
            AbutMesh* mesh = NULL;
            test_assert_result(solid->create(sizes[i], NULL, &mesh), ABUT_OK);
            TestSigns signs = signs_of(mesh, i == 2 ? 61 : 37);
            compared += test_check_signs(mesh, &signs, 1, solid->name);
            assert_true(signs.info.closed && signs.info.gapless && !signs.info.inverted);
            assert_int_equal(signs.counts.doubtful_nodes, 0);
            test_signs_free(&signs);
            abut_mesh_destroy(mesh);
        }
    }
    assert_true(compared > 4000000);
}

/// Every kind of edge from 179° down to fractions of a degree, at all scales.
static void test_no_sign_is_wrong_on_acute_tetrahedra(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    size_t compared = 0;
    for (int i = 0; i < 120; ++i)
    {
        double flat = pow(10.0, -test_random_range(&random, 0.0, 4.0)),
               scale = i % 3 == 0 ? 1e-6 : (i % 3 == 1 ? 1.0 : 1e6);
        TestSoup soup = { 0 };
        uint32_t v[4];
        for (int k = 0; k < 4; ++k)
        {
            AbutVec3 p = test_random_point(&random, 1.0);
            double height = i % 2 == 0 ? flat * p.z : p.z, width = i % 2 == 0 ? p.y : flat * p.y;
            v[k] = test_soup_vertex(&soup, scale * p.x, scale * width, scale * height);
        }
        const uint32_t faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 } };
        for (int f = 0; f < 4; ++f)
        {
            test_soup_triangle(&soup, v[faces[f][0]], v[faces[f][1]], v[faces[f][2]]);
        }
        AbutMesh* mesh = mesh_and_free(&soup);
        AbutNodeGrid grid = test_sign_grid(mesh, 33);
        TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        compared += test_check_signs(mesh, &signs, signs.info.inverted ? -1 : 1, "tetrahedron");
        assert_true(signs.info.closed);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
    assert_true(compared > 3000000);
}

/// Small grids at random places, most of them across the surface, fine enough to see single edges and vertices.
static void test_no_sign_is_wrong_in_scattered_bricks(void** state)
{
    (void)state;
    TestRandom random = { 32 };
    size_t compared = 0;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        AbutMesh* mesh = NULL;
        test_assert_result(solid->create(solid->odd, NULL, &mesh), ABUT_OK);
        AbutTriangleGroups* groups = NULL;
        AbutSigner* signer = NULL;
        test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
        test_assert_result(abut_signer_create(mesh, ABUT_SIGN_AUTO, NULL, &signer), ABUT_OK);
        double size = test_sign_grid(mesh, 2).cell_size;
        for (int i = 0; i < 40; ++i)
        {
            AbutVec3 at = abut_mesh_vertices(mesh)[test_random_bits(&random) % abut_mesh_vertex_count(mesh)];
            static float squared[729];
            static uint32_t nearest[729];
            double cell = size * pow(10.0, -test_random_range(&random, 1.0, 5.0));
            TestSigns signs = { .grid = { { at.x, at.y, at.z }, cell, { 0 }, { 9, 9, 9 } },
                                .squared = squared,
                                .nearest = nearest };
            for (int k = 0; k < 3; ++k)
            {
                signs.grid.origin[k] -= cell * test_random_range(&random, 0.0, 8.0);
            }
            test_assert_result(abut_distance_grid(groups, &signs.grid, NULL, squared, nearest), ABUT_OK);
            AbutSignJob job = abut_sign_job(&signs.grid, nearest, squared);
            abut_sign_nodes(signer, &job, &signs.counts);
            compared += test_check_signs(mesh, &signs, 1, solid->name);
        }
        abut_signer_destroy(signer);
        abut_triangle_groups_destroy(groups);
        abut_mesh_destroy(mesh);
    }
    assert_true(compared > 200000);
}

static void test_nodes_on_vertices_edges_and_faces_do_no_harm(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 1.0f, 1.0f), 4, NULL, &mesh), ABUT_OK);
    const uint32_t counts[] = { 17, 33, 65 };
    for (int i = 0; i < 3; ++i)
    {
        // The box from −½ to ½ with nodes on all of its corners, and on the lines of all its faces.
        AbutNodeGrid grid = {
            { -1, -1, -1 }, 2.0 / (counts[i] - 1), { 0 }, { counts[i], counts[i], counts[i] }
        };
        TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        for (size_t k = 0; k < abut_node_total(&grid); ++k)
        {
            double p[3];
            test_node_point(&grid, k, p);
            double off = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) - 0.5;
            if (off != 0.0)
            {
                assert_int_equal(test_sign_is_inside(&signs, k), off < 0.0);
            }
        }
        assert_int_equal(signs.counts.doubtful_nodes, 0);
        assert_int_equal(signs.counts.winding_nodes, 0);
        test_signs_free(&signs);
    }
    abut_mesh_destroy(mesh);
}

static void test_far_and_tiny_meshes_have_the_same_signs(void** state)
{
    (void)state;
    const double scales[] = { 1e-6, 1.0, 1e6, 1e15 }, offsets[] = { 0.0, 10.0, 100.0 };
    for (int s = 0; s < 4; ++s)
    {
        for (int o = 0; o < 3; ++o)
        {
            TestSoup soup = { 0 };
            test_soup_torus(&soup, 1.0, 0.3, 24, 12);
            for (uint32_t v = 0; v < soup.vertex_count; ++v)
            {
                AbutVec3* p = &soup.vertices[v];
                *p = abut_vec3((float)((p->x + offsets[o]) * scales[s]),
                               (float)((p->y - offsets[o]) * scales[s]), (float)(p->z * scales[s]));
            }
            AbutMesh* mesh = mesh_and_free(&soup);
            TestSigns signs = signs_of(mesh, 41);
            // Coordinates are floats: at a hundred sizes from the origin they have that much less to give.
            int* numbers = test_column_windings(mesh, &signs.grid);
            double size = 2.6 * scales[s], least = 1e-6 * (1.0 + offsets[o]) * size;
            for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
            {
                if (test_node_distance(&signs, i) > least)
                {
                    assert_int_equal(test_sign_is_inside(&signs, i), numbers[i] == 1);
                }
            }
            free(numbers);
            test_signs_free(&signs);
            abut_mesh_destroy(mesh);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Several shells
// ---------------------------------------------------------------------------------------------------------------------

static void test_inverted_meshes_are_turned_round(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        AbutMesh* mesh = NULL;
        test_assert_result(solid->create(solid->odd, NULL, &mesh), ABUT_OK);
        AbutMesh* inverted = turned_over(mesh);
        TestSigns a = signs_of(mesh, 29), b = signs_of(inverted, 29);
        assert_false(a.info.inverted);
        assert_true(b.info.inverted && b.info.closed);
        for (size_t i = 0; i < abut_node_total(&a.grid); ++i)
        {
            assert_true(test_sign_is_inside(&a, i) == test_sign_is_inside(&b, i) ||
                        test_node_distance(&a, i) < 1e-6);
        }
        test_signs_free(&a);
        test_signs_free(&b);
        abut_mesh_destroy(inverted);
        abut_mesh_destroy(mesh);
    }
}

/// Fails unless nodes are inside exactly where `inside` says so, for balls about the origin.
static void check_balls(const TestSigns* signs, bool (*inside)(double r), const double* radii, int count)
{
    for (size_t i = 0; i < abut_node_total(&signs->grid); ++i)
    {
        double p[3];
        test_node_point(&signs->grid, i, p);
        double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        bool clear = true;
        for (int k = 0; k < count; ++k) // the spheres are faceted: inside of the ball by up to 2 %
        {
            clear = clear && (r > radii[k] || r < 0.97 * radii[k]);
        }
        if (clear)
        {
            assert_int_equal(test_sign_is_inside(signs, i), inside(r));
        }
    }
}

static bool in_shell(double r)
{
    return r < 1.0 && r > 0.6;
}

static bool in_ball(double r)
{
    return r < 1.0;
}

static bool in_shell_or_core(double r)
{
    return in_shell(r) || r < 0.3;
}

static void test_nested_shells_count_by_their_orientation(void** state)
{
    (void)state;
    const double radii[] = { 1.0, 0.6, 0.3 };
    const struct
    {
        double signs[3];
        bool (*inside)(double r);
        bool inverted;
    } cases[] = {
        { { 1, -1, 0 }, in_shell, false },         // a cavity
        { { -1, 1, 0 }, in_shell, true },          // the same turned inside out
        { { 1, 1, 0 }, in_ball, false },           // a solid in a solid
        { { -1, -1, 0 }, in_ball, true },          //
        { { 1, -1, 1 }, in_shell_or_core, false }, // a body in a cavity
        { { -1, 1, -1 }, in_shell_or_core, true }, //
        { { 1, -1, -1 }, in_shell_or_core, true }, // the body alone turned inside out
        { { 1, 1, -1 }, in_ball, false },          // winding numbers 1, 2, 1
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        TestSoup soup = { 0 };
        for (int k = 0; k < 3; ++k)
        {
            if (cases[i].signs[k] != 0.0)
            {
                add_sphere(&soup, 0.0, 0.0, 0.0, cases[i].signs[k] * radii[k], 12);
            }
        }
        AbutMesh* mesh = mesh_and_free(&soup);
        TestSigns signs = signs_of(mesh, 41);
        check_balls(&signs, cases[i].inside, radii, 3);
        assert_true(signs.info.closed);
        assert_int_equal(signs.info.inverted, cases[i].inverted);
        assert_int_equal(signs.counts.winding_nodes, 0);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
}

static void test_separate_bodies_are_turned_round_one_by_one(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    add_sphere(&soup, -2.0, 0.0, 0.0, 1.0, 10);
    add_sphere(&soup, 2.0, 0.0, 0.0, -1.0, 10);
    AbutMesh* mesh = mesh_and_free(&soup);
    TestSigns signs = signs_of(mesh, 49);
    assert_true(signs.info.inverted);
    int* numbers = test_column_windings(mesh, &signs.grid);
    for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
    {
        assert_int_equal(test_sign_is_inside(&signs, i), numbers[i] != 0);
    }
    free(numbers);
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

static void test_bodies_that_cross_are_united(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    add_sphere(&soup, -0.5, 0.0, 0.0, 1.0, 10);
    add_sphere(&soup, 0.6, 0.1, 0.2, 0.9, 9);
    add_box(&soup, abut_vec3(-0.3f, -1.5f, -0.2f), abut_vec3(0.4f, 1.5f, 0.3f), false);
    AbutMesh* mesh = mesh_and_free(&soup);
    TestSigns signs = signs_of(mesh, 81);
    test_check_signs(mesh, &signs, 1, "crossing bodies");
    assert_true(signs.info.closed);
    assert_true(signs.info.sided_triangle_count > abut_mesh_triangle_count(mesh) / 2);
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

/// Faces that lie in each other, edges that lie in faces, vertices in common: all that aligned boxes can do.
static void test_aligned_boxes_are_united(void** state)
{
    (void)state;
    TestRandom random = { 33 };
    for (int i = 0; i < 60; ++i)
    {
        TestSoup soup = { 0 };
        for (int k = 0; k < 4; ++k)
        {
            double low[3], high[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                low[axis] = (double)(test_random_bits(&random) % 4);
                high[axis] = low[axis] + 1.0 + (double)(test_random_bits(&random) % 3);
            }
            add_box(&soup, abut_vec3((float)low[0], (float)low[1], (float)low[2]),
                    abut_vec3((float)high[0], (float)high[1], (float)high[2]), false);
        }
        AbutMesh* mesh = mesh_and_free(&soup);
        TestSigns signs = signs_of(mesh, 31);
        test_check_signs(mesh, &signs, 1, "aligned boxes");
        assert_int_equal(signs.counts.doubtful_nodes, 0);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
}

static void test_a_surface_that_passes_through_itself_is_united(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 0.6, 1.0, 32, 24); // thicker than its ring: crosses itself near the axis
    AbutMesh* mesh = mesh_and_free(&soup);
    TestSigns signs = signs_of(mesh, 61);
    test_check_signs(mesh, &signs, 1, "spindle torus");
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------------------------------
// Broken surfaces
// ---------------------------------------------------------------------------------------------------------------------

static void test_faces_twice_over_change_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 8);
    AbutMesh* single = test_soup_mesh(&soup, NULL);
    add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 8);
    AbutMesh* twice = mesh_and_free(&soup);
    TestSigns a = signs_of(single, 41), b = signs_of(twice, 41);
    assert_memory_equal(a.squared, b.squared, abut_node_total(&a.grid) * sizeof(float));
    assert_false(b.info.closed);
    assert_true(b.info.gapless);
    test_signs_free(&a);
    test_signs_free(&b);
    abut_mesh_destroy(single);
    abut_mesh_destroy(twice);
}

static void test_faces_with_their_opposites_cancel(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 6);
    add_sphere(&soup, 0.0, 0.0, 0.0, -1.0, 6);
    AbutMesh* mesh = mesh_and_free(&soup);
    TestSigns signs = signs_of(mesh, 25);
    for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
    {
        assert_false(test_sign_is_inside(&signs, i));
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);

    // A wall of two opposite faces through a box leaves both halves solid.
    add_box(&soup, abut_vec3(-1.0f, -1.0f, -1.0f), abut_vec3(1.0f, 1.0f, 1.0f), false);
    uint32_t v[4] = { test_soup_vertex(&soup, 0, -1, -1), test_soup_vertex(&soup, 0, 1, -1),
                      test_soup_vertex(&soup, 0, 1, 1), test_soup_vertex(&soup, 0, -1, 1) };
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    test_soup_triangle(&soup, v[0], v[2], v[3]);
    test_soup_triangle(&soup, v[0], v[2], v[1]);
    test_soup_triangle(&soup, v[0], v[3], v[2]);
    mesh = mesh_and_free(&soup);
    signs = signs_of(mesh, 41);
    test_check_signs(mesh, &signs, 1, "box with a wall");
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

/// Two sheets with nothing between them: closed, manifold, oriented, and empty.
static void test_a_flat_pillow_has_no_inside(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    uint32_t v[3] = { test_soup_vertex(&soup, 0, 0, 0), test_soup_vertex(&soup, 1, 0.1, 0.2),
                      test_soup_vertex(&soup, 0.2, 1, 0.1) };
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    test_soup_triangle(&soup, v[0], v[2], v[1]);
    AbutMesh* mesh = mesh_and_free(&soup);
    TestSigns signs = signs_of(mesh, 25);
    assert_true(signs.info.closed);
    for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
    {
        assert_true(!test_sign_is_inside(&signs, i) || test_node_distance(&signs, i) < 1e-6);
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

static void test_unwelded_seams_change_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 1.0, 0.4, 24, 12);
    AbutMesh* joined = test_soup_mesh(&soup, NULL);
    test_soup_split(&soup);
    AbutMesh* split = mesh_and_free(&soup);
    TestSigns a = signs_of(joined, 41), b = signs_of(split, 41);
    assert_memory_equal(a.squared, b.squared, abut_node_total(&a.grid) * sizeof(float));
    assert_true(b.info.closed);
    assert_int_equal(b.info.sided_triangle_count, abut_mesh_triangle_count(split));
    test_signs_free(&a);
    test_signs_free(&b);
    abut_mesh_destroy(joined);
    abut_mesh_destroy(split);
}

/// A box whose six sides are cut into different numbers of squares, which meet in T-junctions, turned so that they are off by rounding.
static AbutMesh* patchwork_box(TestRandom* random, double jitter, double far)
{
    TestSoup soup = { 0 };
    double turn[3][3];
    abut_quat_to_matrix(test_random_rotation(random), turn);
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
                    q[row] = turn[row][0] * p[0] + turn[row][1] * p[1] + turn[row][2] * p[2] + far +
                             jitter * test_random_range(random, -1.0, 1.0);
                }
                v[c] = test_soup_vertex(&soup, q[0], q[1], q[2]);
            }
            test_soup_triangle(&soup, v[0], v[1], v[2]);
        }
    }
    return mesh_and_free(&soup);
}

static void test_t_junctions_are_closed(void** state)
{
    (void)state;
    TestRandom random = { 34 };
    for (int i = 0; i < 12; ++i)
    {
        // Rounding alone, then cracks of a millionth of the size.
        AbutMesh* mesh = patchwork_box(&random, i % 2 == 0 ? 0.0 : 1e-6, i % 3 == 2 ? 3.0 : 0.0);
        TestSigns signs = signs_of(mesh, 49);
        assert_true(signs.info.gapless && !signs.info.closed && !signs.info.inverted);
        assert_int_equal(signs.counts.doubtful_nodes, 0);
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
        AbutMesh* inverted = turned_over(mesh);
        TestSigns turned = signs_of(inverted, 25);
        assert_true(turned.info.inverted && turned.info.gapless);
        test_signs_free(&turned);
        abut_mesh_destroy(inverted);
        abut_mesh_destroy(mesh);
    }
}

/// A unit sphere without the faces within `hole` of the top.
static AbutMesh* holed_sphere(double hole, bool inward)
{
    TestSoup ball = { 0 }, soup = { 0 };
    add_sphere(&ball, 0.0, 0.0, 0.0, inward ? -1.0 : 1.0, 16);
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
    return mesh_and_free(&soup);
}

static void test_holes_put_only_their_own_place_in_doubt(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 16);
    AbutMesh* whole = mesh_and_free(&soup);
    const double holes[] = { 0.1, 0.3, 0.6 };
    for (int i = 0; i < 6; ++i)
    {
        double hole = holes[i / 2];
        AbutMesh* mesh = holed_sphere(hole, i % 2 == 1);
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
        // The sample has its own scatter.
        double estimate = (double)(doubtful * every);
        test_assert_near(open.counts.doubtful_nodes, estimate, 3.0 * sqrt((double)every * estimate) + 2.0);
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
    add_sphere(&ball, 0.0, 0.0, 0.0, 1.0, 12);
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
    AbutMesh* mesh = mesh_and_free(&soup);
    for (int turned = 0; turned < 2; ++turned)
    {
        AbutMesh* other = turned_over(mesh);
        TestSigns signs = signs_of(turned ? other : mesh, 23);
        assert_int_equal(signs.info.inverted, turned);
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
        AbutMesh* mesh = mesh_and_free(&soup);
        for (int method = 0; method < 3; ++method)
        {
            AbutNodeGrid grid = test_sign_grid(mesh, 17);
            TestSigns signs = test_signs(mesh, &grid, (AbutSignMethod)method, NULL);
            for (size_t k = 0; method != ABUT_SIGN_NORMALS && k < abut_node_total(&grid); ++k)
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

// ---------------------------------------------------------------------------------------------------------------------
// Ways to ask
// ---------------------------------------------------------------------------------------------------------------------

static void test_all_methods_agree_on_closed_meshes(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutThreadMeshDef def = abut_thread_mesh_def();
    test_assert_result(abut_mesh_create_bolt(&def, &mesh), ABUT_OK);
    AbutNodeGrid grid = test_sign_grid(mesh, 41);
    TestSigns automatic = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
    TestSigns normals = test_signs(mesh, &grid, ABUT_SIGN_NORMALS, NULL);
    TestSigns winding = test_signs(mesh, &grid, ABUT_SIGN_WINDING, NULL);
    size_t bytes = abut_node_total(&grid) * sizeof(float);
    assert_memory_equal(automatic.squared, normals.squared, bytes);
    assert_memory_equal(automatic.squared, winding.squared, bytes);
    assert_int_equal(automatic.counts.winding_nodes, 0);
    assert_int_equal(winding.counts.winding_nodes, abut_node_total(&grid));
    assert_true(automatic.counts.looked_at < abut_node_total(&grid) / 10);
    test_signs_free(&automatic);
    test_signs_free(&normals);
    test_signs_free(&winding);
    abut_mesh_destroy(mesh);
}

static void test_pseudo_normals_alone_give_an_open_sheet_two_sides(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    uint32_t v[3] = { test_soup_vertex(&soup, -5, -5, 0), test_soup_vertex(&soup, 5, -5, 0),
                      test_soup_vertex(&soup, 0, 5, 0) };
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    AbutMesh* mesh = mesh_and_free(&soup);
    AbutNodeGrid grid = { { -0.5, -0.5, -0.45 }, 0.1, { 0 }, { 10, 10, 10 } };
    TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_NORMALS, NULL);
    for (size_t i = 0; i < 1000; ++i)
    {
        double p[3];
        test_node_point(&grid, i, p);
        assert_int_equal(test_sign_is_inside(&signs, i), p[2] < 0.0);
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

/// The meshes that take all paths: closed, crossing, open, soup.
static AbutMesh* assorted_mesh(int i)
{
    TestSoup soup = { 0 };
    TestRandom random = { 35 };
    switch (i)
    {
    case 0:
        test_soup_torus(&soup, 1.0, 0.4, 24, 12);
        return mesh_and_free(&soup);
    case 1:
        add_sphere(&soup, -0.4, 0.0, 0.0, 1.0, 8);
        add_sphere(&soup, 0.5, 0.1, 0.0, -0.9, 7);
        return mesh_and_free(&soup);
    case 2:
        return holed_sphere(0.5, false);
    case 3:
        for (int t = 0; t < 150; ++t)
        {
            AbutVec3 a = test_random_point(&random, 1.0), b = test_random_point(&random, 0.3),
                     c = test_random_point(&random, 0.3);
            test_soup_loose(&soup, a, abut_vec3_add(a, b), abut_vec3_add(a, c));
        }
        return mesh_and_free(&soup);
    default:
        return patchwork_box(&random, 1e-6, 0.0);
    }
}

static void test_bricks_have_the_signs_of_the_whole_grid(void** state)
{
    (void)state;
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = assorted_mesh(i);
        AbutNodeGrid grid = test_sign_grid(mesh, 41);
        TestSigns whole = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        AbutTriangleGroups* groups = NULL;
        AbutSigner* signer = NULL;
        AbutSignCounts counts = { 0 };
        uint64_t doubtful = 0;
        test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
        test_assert_result(abut_signer_create(mesh, ABUT_SIGN_AUTO, NULL, &signer), ABUT_OK);
        for (uint32_t b = 0; b < 125; ++b)
        {
            AbutNodeGrid brick = grid;
            float squared[729];
            uint32_t nearest[729];
            const uint32_t at[3] = { b % 5 * 8, b / 5 % 5 * 8, b / 25 * 8 };
            for (int axis = 0; axis < 3; ++axis)
            {
                brick.begin[axis] = at[axis];
                brick.node_count[axis] = 9;
            }
            test_assert_result(abut_distance_grid(groups, &brick, NULL, squared, nearest), ABUT_OK);
            AbutSignJob job = abut_sign_job(&brick, nearest, squared);
            uint8_t origins[729] = { 0 };
            job.origins = origins;
            abut_sign_nodes(signer, &job, &counts);
            for (uint32_t k = 0; k < 729; ++k)
            {
                // Bricks share nodes; the one where a node is not the last counts it.
                const uint32_t own[3] = { k % 9, k / 9 % 9, k / 81 };
                bool counted = true;
                for (int axis = 0; axis < 3; ++axis)
                {
                    counted = counted && (own[axis] < 8 || at[axis] == 32);
                }
                doubtful += counted && (origins[k] & ABUT_SIGN_IN_DOUBT) != 0;
                size_t node = abut_node_index(&grid, at[0] + k % 9, at[1] + k / 9 % 9, at[2] + k / 81);
                assert_int_equal(signbit(squared[k]) != 0, test_sign_is_inside(&whole, node));
            }
        }
        test_assert_near(doubtful, whole.counts.doubtful_nodes, 0.01 * (double)whole.counts.doubtful_nodes);
        abut_signer_destroy(signer);
        abut_triangle_groups_destroy(groups);
        test_signs_free(&whole);
        abut_mesh_destroy(mesh);
    }
}

static void test_signs_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    const char* const before = abut_simd_name();
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = assorted_mesh(i);
        AbutNodeGrid grid = test_sign_grid(mesh, i == 3 ? 19 : 37);
        TestSigns expected = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        for (int k = 0; k < 7; ++k)
        {
            const uint32_t counts[] = { 1, 2, 7 };
            AbutWorkers* workers = NULL;
            test_assert_result(abut_workers_create(k < 3 ? counts[k] : 2, NULL, &workers), ABUT_OK);
            AbutHost host = abut_workers_host(workers);
            if (k < 3 || abut_simd_force(sets[k - 3]) == ABUT_OK)
            {
                TestSigns actual = test_signs(mesh, &grid, ABUT_SIGN_AUTO, &host);
                assert_memory_equal(actual.squared, expected.squared, abut_node_total(&grid) * sizeof(float));
                assert_memory_equal(&actual.counts, &expected.counts, sizeof(AbutSignCounts));
                assert_int_equal(actual.info.sided_triangle_count, expected.info.sided_triangle_count);
                test_signs_free(&actual);
            }
            abut_workers_destroy(workers);
        }
        test_assert_result(abut_simd_force(before), ABUT_OK);
        test_signs_free(&expected);
        abut_mesh_destroy(mesh);
    }
}

static void test_certainty_is_kept(void** state)
{
    (void)state;
    TestRandom random = { 36 };
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = assorted_mesh(i);
        AbutSigner* signer = NULL;
        test_assert_result(abut_signer_create(mesh, ABUT_SIGN_AUTO, NULL, &signer), ABUT_OK);
        int certain = 0;
        for (int k = 0; k < 3000; ++k)
        {
            AbutVec3 c = test_random_point(&random, 1.6), direction = test_random_direction(&random);
            const double center[3] = { c.x, c.y, c.z };
            double radius = pow(10.0, -test_random_range(&random, 0.3, 3.0)),
                   r = radius * test_random_unit(&random);
            if (abut_signer_is_certain(signer, center, radius))
            {
                const double p[3] = { c.x + r * direction.x, c.y + r * direction.y, c.z + r * direction.z };
                double number = test_winding(mesh, p);
                certain += 1;
                assert_true(fabs(number - floor(number + 0.5)) < 0.25 + 1e-5);
            }
        }
        assert_true(certain > 300);
        abut_signer_destroy(signer);
        abut_mesh_destroy(mesh);
    }
}

static void test_winding_numbers_are_those_of_all_triangles(void** state)
{
    (void)state;
    TestRandom random = { 37 };
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = assorted_mesh(i);
        AbutSigner* signer = NULL;
        test_assert_result(abut_signer_create(mesh, ABUT_SIGN_WINDING, NULL, &signer), ABUT_OK);
        bool inverted = abut_signer_info(signer).inverted;
        for (int k = 0; k < 1000 && (!inverted || i != 1); ++k)
        {
            AbutVec3 c = test_random_point(&random, 1.6);
            const double p[3] = { c.x, c.y, c.z };
            double number = test_winding(mesh, p);
            test_assert_near(abut_signer_winding(signer, p), inverted ? -number : number,
                             i == 3 ? 0.02 : 0.002);
        }
        abut_signer_destroy(signer);
        abut_mesh_destroy(mesh);
    }
}

static AbutResult create_signer(void* context, const AbutHost* host)
{
    AbutSigner* signer = NULL;
    AbutResult result = abut_signer_create(context, ABUT_SIGN_AUTO, host, &signer);
    abut_signer_destroy(signer);
    return result;
}

static void test_signers_survive_every_failing_allocation(void** state)
{
    (void)state;
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = assorted_mesh(i);
        test_fail_every_allocation(create_signer, mesh);
        abut_mesh_destroy(mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Real meshes
// ---------------------------------------------------------------------------------------------------------------------

static void test_real_meshes_are_solid(void** state)
{
    (void)state;
    const struct
    {
        const char* name;
        double volume;
        bool closed, gapless;
    } meshes[] = {
        { "bunny4k.obj", 194.288, true, true },
        { "bunny69k.obj", 7.7006e-4, false, false },
        { "dragon48k.obj", 59519.0, false, true },
        { "factory_bolt_m16_loose.obj", 1.13638e-5, true, true },
        { "factory_nut_m16_loose_subdiv_3x.obj", 4.12356e-6, false, true },
        { "factory_round_hole_8mm_subdiv_3x.obj", 5.15679e-6, false, true },
        { "factory_round_peg_8mm_loose.obj", 2.49768e-6, true, true },
        { "factory_gear_small_space_5e-4.obj", 3.47459e-6, true, true },
        { "factory_gear_medium_space_5e-4.obj", 1.78420e-5, true, true },
    };
    size_t found = 0;
    for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); ++i)
    {
        const char* path = test_shared_mesh(meshes[i].name);
        AbutMesh* mesh = NULL;
        if (path == NULL)
        {
            continue;
        }
        found += 1;
        test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
        TestSigns signs = signs_of(mesh, 101);
        assert_int_equal(signs.info.closed, meshes[i].closed);
        assert_int_equal(signs.info.gapless, meshes[i].gapless);
        assert_false(signs.info.inverted);
        if (meshes[i].gapless)
        {
            assert_int_equal(signs.counts.doubtful_nodes, 0);
            test_check_signs(mesh, &signs, 1, meshes[i].name);
        }
        // Counted nodes of surfaces that are thin for the grid are off by a few parts in a thousand.
        double inside = 0.0;
        for (size_t k = 0; k < abut_node_total(&signs.grid); ++k)
        {
            inside += test_sign_is_inside(&signs, k);
        }
        double volume = inside * pow(signs.grid.cell_size, 3);
        test_assert_near(volume / meshes[i].volume, 1.0, 0.025);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
    if (found == 0)
    {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_sign_is_wrong_on_generated_solids),
        cmocka_unit_test(test_no_sign_is_wrong_on_acute_tetrahedra),
        cmocka_unit_test(test_no_sign_is_wrong_in_scattered_bricks),
        cmocka_unit_test(test_nodes_on_vertices_edges_and_faces_do_no_harm),
        cmocka_unit_test(test_far_and_tiny_meshes_have_the_same_signs),
        cmocka_unit_test(test_inverted_meshes_are_turned_round),
        cmocka_unit_test(test_nested_shells_count_by_their_orientation),
        cmocka_unit_test(test_separate_bodies_are_turned_round_one_by_one),
        cmocka_unit_test(test_bodies_that_cross_are_united),
        cmocka_unit_test(test_aligned_boxes_are_united),
        cmocka_unit_test(test_a_surface_that_passes_through_itself_is_united),
        cmocka_unit_test(test_faces_twice_over_change_nothing),
        cmocka_unit_test(test_faces_with_their_opposites_cancel),
        cmocka_unit_test(test_a_flat_pillow_has_no_inside),
        cmocka_unit_test(test_unwelded_seams_change_nothing),
        cmocka_unit_test(test_t_junctions_are_closed),
        cmocka_unit_test(test_holes_put_only_their_own_place_in_doubt),
        cmocka_unit_test(test_a_soup_around_a_solid_is_solid),
        cmocka_unit_test(test_meshes_without_volume_have_no_inside),
        cmocka_unit_test(test_all_methods_agree_on_closed_meshes),
        cmocka_unit_test(test_pseudo_normals_alone_give_an_open_sheet_two_sides),
        cmocka_unit_test(test_bricks_have_the_signs_of_the_whole_grid),
        cmocka_unit_test(test_signs_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_certainty_is_kept),
        cmocka_unit_test(test_winding_numbers_are_those_of_all_triangles),
        cmocka_unit_test(test_signers_survive_every_failing_allocation),
        cmocka_unit_test(test_real_meshes_are_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
