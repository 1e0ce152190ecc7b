// What a bake promises, on real meshes and on hard ones: distances at nodes to a millionth of the size, no
// wrong sign, and a report that counts what is stored.
#include "support/meshes/meshes.h"
#include "support/meshes/signs.h"
#include "support/oracles/mesh_distance.h"
#include "support/support.h"

#include "bake/distance/grid.h"
#include "field/field.h"

#include <abut/io.h>
#include <math.h>
#include <stdlib.h>

static const char* const REAL_MESHES[] = {
    "bunny4k.obj",
    "bunny69k.obj",
    "dragon48k.obj",
    "factory_bolt_m16_loose.obj",
    "factory_nut_m16_loose_subdiv_3x.obj",
    "factory_round_hole_8mm_subdiv_3x.obj",
    "factory_round_peg_8mm_loose.obj",
    "factory_gear_small_space_5e-4.obj",
    "factory_gear_medium_space_5e-4.obj",
};

// -----------------------------------------------------------------------------------------------------------
// Distances
// -----------------------------------------------------------------------------------------------------------

static double mesh_size(const AbutMesh* mesh)
{
    AbutVec3 e = abut_box_extents(abut_mesh_bounds(mesh));
    return fmax((double)e.x, fmax((double)e.y, (double)e.z));
}

/// Fails unless `samples` of the nodes of a grid have the distance in double up to a millionth of the size.
static void check_grid(const AbutMesh* mesh, const AbutNodeGrid* grid, const char* name, int samples)
{
    AbutTriangleGroups* groups = NULL;
    float* squared = malloc(abut_node_total(grid) * sizeof(float));
    assert_non_null(squared);
    test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
    test_assert_result(abut_distance_grid(groups, grid, NULL, squared, NULL), ABUT_OK);
    TestRandom random = { 3 };
    double size = mesh_size(mesh), worst = 0.0;
    for (int i = 0; i < samples; ++i)
    {
        double p[3];
        size_t node = test_random_bits(&random) % abut_node_total(grid);
        test_node_point(grid, node, p);
        worst = fmax(worst, fabs(sqrt((double)squared[node]) - test_mesh_distance(mesh, p)));
    }
    abut_triangle_groups_destroy(groups);
    free(squared);
    if (!(worst <= 1e-6 * size))
    {
        fail_msg("%s: a distance is off by %g of the size", name, worst / size);
    }
}

static void check_distances(const AbutMesh* mesh, const char* name, int samples)
{
    AbutNodeGrid grid = test_sign_grid(mesh, 57);
    check_grid(mesh, &grid, name, samples);
}

static void test_distances_to_real_meshes_are_exact(void** state)
{
    (void)state;
    size_t found = 0;
    for (size_t i = 0; i < sizeof(REAL_MESHES) / sizeof(REAL_MESHES[0]); ++i)
    {
        const char* path = test_shared_mesh(REAL_MESHES[i]);
        AbutMesh* mesh = NULL;
        if (path != NULL)
        {
            test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
            check_distances(mesh, REAL_MESHES[i], TEST_IS_SANITIZED ? 20 : 100);
            abut_mesh_destroy(mesh);
            found += 1;
        }
    }
    if (found == 0)
    {
        skip();
    }
}

/// Triangles of the size of the whole that are thousands of times longer than wide, in any direction.
static void test_distances_to_slivers_are_exact(void** state)
{
    (void)state;
    TestRandom random = { 8 };
    for (int i = 0; i < 6; ++i)
    {
        TestSoup soup = { 0 };
        double width = pow(10.0, -1.0 - i);
        for (int k = 0; k < 200; ++k)
        {
            AbutVec3 a = test_random_point(&random, 1.0), b = test_random_point(&random, 1.0);
            AbutVec3 c = abut_vec3_add(k % 2 == 0 ? a : abut_vec3_scale(abut_vec3_add(a, b), 0.5f),
                                       test_random_point(&random, width));
            test_soup_loose(&soup, a, b, c);
        }
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        check_distances(mesh, "slivers", 1000);
        abut_mesh_destroy(mesh);
        test_soup_free(&soup);
    }
}

/// A statue in a hall: triangles of a hundredth beside some that are a thousand times larger.
static void test_distances_to_huge_and_tiny_triangles_are_exact(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, 40);
    test_soup_box(&soup, abut_vec3(-1.5f, -1.0f, -1.5f), abut_vec3(1.5f, 20.0f, 1.5f));
    test_soup_loose(&soup, abut_vec3(-30.0f, -1.001f, -30.0f), abut_vec3(30.0f, -1.002f, -30.0f),
                    abut_vec3(0.0f, -1.001f, 40.0f));
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    check_distances(mesh, "huge and tiny", TEST_ROUNDS(500));
    AbutNodeGrid grid = { { -1.2, -1.2, -1.2 }, 0.05, { 0, 0, 0 }, { 49, 49, 49 } }; // close to the tiny ones
    check_grid(mesh, &grid, "tiny among huge", 500);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

// -----------------------------------------------------------------------------------------------------------
// Signs
// -----------------------------------------------------------------------------------------------------------

static AbutMesh* tetrahedron(const double corners[4][3])
{
    static const uint32_t FACES[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 } };
    TestSoup soup = { 0 };
    for (int i = 0; i < 4; ++i)
    {
        test_soup_vertex(&soup, corners[i][0], corners[i][1], corners[i][2]);
    }
    for (int i = 0; i < 4; ++i)
    {
        test_soup_triangle(&soup, FACES[i][0], FACES[i][1], FACES[i][2]);
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

/// The normal of one face lies: behind an acute edge the nearest face looks away from points inside. A
/// million nodes each.
static void test_no_sign_is_wrong_about_corner_tetrahedra(void** state)
{
    (void)state;
    const double corners[3][4][3] = {
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0.01, 0 }, { 0, 0, 0.02 } },     // a needle
        { { 0, 0, 0 }, { 1, 0.1, 0 }, { 0.1, 1, 0 }, { 0.3, 0.3, 1e-3 } } // a blade
    };
    for (int i = 0; i < 3; ++i)
    {
        AbutMesh* mesh = tetrahedron(corners[i]);
        AbutNodeGrid grid = test_sign_grid(mesh, 102);
        TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        size_t compared = test_check_signs(mesh, &signs, 1, "tetrahedron");
        assert_true(compared > 1000000);
        assert_true(signs.info.closed && !signs.info.inverted);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The report
// -----------------------------------------------------------------------------------------------------------

/// Bricks in which bounds say that the sign is in doubt. Fails where one is further from the hole than the
/// cells that proofs are made for.
static uint64_t count_doubt(const AbutShape* field, AbutBox hole)
{
    AbutFieldInfo info = abut_field_info(field);
    AbutBox near = abut_box_expand(hole, (float)(3.0 * info.cell_size));
    uint64_t count = 0;
    for (uint32_t i = 0; i < info.brick_count; ++i)
    {
        const uint32_t bricks[2] = { info.cell_count[0] / 8, info.cell_count[1] / 8 };
        const uint32_t at[3] = { i % bricks[0], i / bricks[0] % bricks[1], i / bricks[0] / bricks[1] };
        double side = 8.0 * info.cell_size, low[3] = { info.origin.x, info.origin.y, info.origin.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] += side * at[axis];
        }
        AbutBox box =
            abut_box(abut_vec3((float)low[0], (float)low[1], (float)low[2]),
                     abut_vec3((float)(low[0] + side), (float)(low[1] + side), (float)(low[2] + side)));
        AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
        bool in_doubt = abut_field_point_bounds(field, middle).sign_uncertain;
        assert_true(in_doubt ? info.sparse || abut_box_overlap(box, near) : !abut_box_overlap(box, hole));
        count += in_doubt ? 1u : 0u;
    }
    return count;
}

static void test_the_report_counts_what_bounds_leave_in_doubt(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    AbutVec3 low = abut_vec3(-0.63f, -0.57f, -0.61f), high = abut_vec3(0.59f, 0.64f, 0.66f);
    test_soup_box(&soup, low, high);
    // One side is open: that of the last two triangles.
    AbutBox hole = abut_box_empty();
    for (uint32_t i = 3 * (soup.triangle_count - 2); i < 3 * soup.triangle_count; ++i)
    {
        hole = abut_box_add_point(hole, soup.vertices[soup.indices[i]]);
    }
    for (int i = 0; i < 6; ++i)
    {
        soup.triangle_count -= i % 2 == 0 ? 2 : 0;
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        soup.triangle_count += i % 2 == 0 ? 2 : 0;
        AbutBakeDef def = abut_bake_def();
        def.resolution = 40;
        def.sparse = i >= 2;
        def.format = i >= 4 ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32;
        def.box = abut_box(abut_vec3(-1.5f, -1.5f, -1.5f), abut_vec3(1.5f, 1.5f, 1.5f));
        AbutShape* field = NULL;
        test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
        AbutFieldInfo info = abut_field_info(field);
        uint64_t bricks = i % 2 == 0 ? count_doubt(field, hole) : 0;
        double cells = info.sign.uncertain_volume / pow(info.cell_size, 3.0);
        assert_int_equal(info.sign.closed, i % 2 == 1);
        test_assert_near(cells, 512.0 * (double)bricks, 0.5);
        assert_int_equal(isinf(info.error_bound) != 0, i % 2 == 0);
        assert_int_equal(info.sign.uncertain_nodes > 0, i % 2 == 0);
        assert_true(info.sign.uncertain_nodes <= 512 * bricks);
        abut_shape_destroy(field);
        abut_mesh_destroy(mesh);
    }
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_to_real_meshes_are_exact),
        cmocka_unit_test(test_distances_to_slivers_are_exact),
        cmocka_unit_test(test_distances_to_huge_and_tiny_triangles_are_exact),
        cmocka_unit_test(test_no_sign_is_wrong_about_corner_tetrahedra),
        cmocka_unit_test(test_the_report_counts_what_bounds_leave_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
