// Signs where several surfaces meet: nested, crossing, doubled and turned bodies have defined insides.
#include "support/meshes/generated_solids.h"
#include "support/meshes/sign_meshes.h"

#include <math.h>
#include <stdlib.h>

static void test_inverted_meshes_are_flipped(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        AbutMesh* mesh = NULL;
        test_assert_result(solid->create(solid->odd, NULL, &mesh), ABUT_OK);
        AbutMesh* inverted = test_flipped(mesh);
        TestSigns a = test_signs_of(mesh, 29), b = test_signs_of(inverted, 29);
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
                test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, cases[i].signs[k] * radii[k], 12);
            }
        }
        AbutMesh* mesh = test_soup_mesh_and_free(&soup);
        TestSigns signs = test_signs_of(mesh, 41);
        check_balls(&signs, cases[i].inside, radii, 3);
        assert_true(signs.info.closed);
        assert_int_equal(signs.info.inverted, cases[i].inverted);
        assert_int_equal(signs.counts.winding_nodes, 0);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
}

static void test_separate_bodies_are_flipped_one_by_one(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_add_sphere(&soup, -2.0, 0.0, 0.0, 1.0, 10);
    test_soup_add_sphere(&soup, 2.0, 0.0, 0.0, -1.0, 10);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    TestSigns signs = test_signs_of(mesh, 49);
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
    test_soup_add_sphere(&soup, -0.5, 0.0, 0.0, 1.0, 10);
    test_soup_add_sphere(&soup, 0.6, 0.1, 0.2, 0.9, 9);
    test_soup_add_box(&soup, abut_vec3(-0.3f, -1.5f, -0.2f), abut_vec3(0.4f, 1.5f, 0.3f), false);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    TestSigns signs = test_signs_of(mesh, 81);
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
            test_soup_add_box(&soup, abut_vec3((float)low[0], (float)low[1], (float)low[2]),
                              abut_vec3((float)high[0], (float)high[1], (float)high[2]), false);
        }
        AbutMesh* mesh = test_soup_mesh_and_free(&soup);
        TestSigns signs = test_signs_of(mesh, 31);
        test_check_signs(mesh, &signs, 1, "aligned boxes");
        assert_int_equal(signs.counts.uncertain_nodes, 0);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
}

static void test_a_surface_that_passes_through_itself_is_united(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 0.6, 1.0, 32, 24); // thicker than its ring: crosses itself near the axis
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    TestSigns signs = test_signs_of(mesh, 61);
    test_check_signs(mesh, &signs, 1, "spindle torus");
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

static void test_faces_twice_over_change_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 8);
    AbutMesh* single = test_soup_mesh(&soup, NULL);
    test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 8);
    AbutMesh* twice = test_soup_mesh_and_free(&soup);
    TestSigns a = test_signs_of(single, 41), b = test_signs_of(twice, 41);
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
    test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, 1.0, 6);
    test_soup_add_sphere(&soup, 0.0, 0.0, 0.0, -1.0, 6);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    TestSigns signs = test_signs_of(mesh, 25);
    for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
    {
        assert_false(test_sign_is_inside(&signs, i));
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);

    // A wall of two opposite faces through a box leaves both halves solid.
    test_soup_add_box(&soup, abut_vec3(-1.0f, -1.0f, -1.0f), abut_vec3(1.0f, 1.0f, 1.0f), false);
    uint32_t v[4];
    v[0] = test_soup_vertex(&soup, 0, -1, -1);
    v[1] = test_soup_vertex(&soup, 0, 1, -1);
    v[2] = test_soup_vertex(&soup, 0, 1, 1);
    v[3] = test_soup_vertex(&soup, 0, -1, 1);
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    test_soup_triangle(&soup, v[0], v[2], v[3]);
    test_soup_triangle(&soup, v[0], v[2], v[1]);
    test_soup_triangle(&soup, v[0], v[3], v[2]);
    mesh = test_soup_mesh_and_free(&soup);
    signs = test_signs_of(mesh, 41);
    test_check_signs(mesh, &signs, 1, "box with a wall");
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

/// Two sheets with nothing between them: closed, manifold, oriented, and empty.
static void test_a_flat_pillow_has_no_inside(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    uint32_t v[3];
    v[0] = test_soup_vertex(&soup, 0, 0, 0);
    v[1] = test_soup_vertex(&soup, 1, 0.1, 0.2);
    v[2] = test_soup_vertex(&soup, 0.2, 1, 0.1);
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    test_soup_triangle(&soup, v[0], v[2], v[1]);
    AbutMesh* mesh = test_soup_mesh_and_free(&soup);
    TestSigns signs = test_signs_of(mesh, 25);
    assert_true(signs.info.closed);
    for (size_t i = 0; i < abut_node_total(&signs.grid); ++i)
    {
        assert_true(!test_sign_is_inside(&signs, i) || test_node_distance(&signs, i) < 1e-6);
    }
    test_signs_free(&signs);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverted_meshes_are_flipped),
        cmocka_unit_test(test_nested_shells_count_by_their_orientation),
        cmocka_unit_test(test_separate_bodies_are_flipped_one_by_one),
        cmocka_unit_test(test_bodies_that_cross_are_united),
        cmocka_unit_test(test_aligned_boxes_are_united),
        cmocka_unit_test(test_a_surface_that_passes_through_itself_is_united),
        cmocka_unit_test(test_faces_twice_over_change_nothing),
        cmocka_unit_test(test_faces_with_their_opposites_cancel),
        cmocka_unit_test(test_a_flat_pillow_has_no_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
