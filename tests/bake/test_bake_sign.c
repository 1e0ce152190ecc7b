// Signs of nodes on closed surfaces, against crossings along columns.
#include "support/meshes/generated_solids.h"
#include "support/meshes/sign_meshes.h"

#include <abut/io.h>
#include <abut/models.h>

#include <math.h>
#include <stdlib.h>

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
            TestSigns signs = test_signs_of(mesh, i == 2 ? 61 : 37);
            compared += test_check_signs(mesh, &signs, 1, solid->name);
            assert_true(signs.info.closed && signs.info.gapless && !signs.info.inverted);
            assert_int_equal(signs.counts.uncertain_nodes, 0);
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
        AbutMesh* mesh = test_soup_mesh_and_free(&soup);
        AbutNodeGrid grid = test_sign_grid(mesh, 33);
        TestSigns signs = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        compared += test_check_signs(mesh, &signs, signs.info.inverted ? -1 : 1, "tetrahedron");
        assert_true(signs.info.closed);
        test_signs_free(&signs);
        abut_mesh_destroy(mesh);
    }
    assert_true(compared > 3000000);
}

/// Small grids at random places, most of them across the surface, fine enough to see single edges and
/// vertices.
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
        AbutSignClassifier* classifier = NULL;
        test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
        test_assert_result(abut_sign_classifier_create(mesh, ABUT_SIGN_AUTO, NULL, &classifier), ABUT_OK);
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
            abut_sign_nodes(classifier, &job, &signs.counts);
            compared += test_check_signs(mesh, &signs, 1, solid->name);
        }
        abut_sign_classifier_destroy(classifier);
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
        assert_int_equal(signs.counts.uncertain_nodes, 0);
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
            AbutMesh* mesh = test_soup_mesh_and_free(&soup);
            TestSigns signs = test_signs_of(mesh, 41);
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
        TestSigns signs = test_signs_of(mesh, 101);
        assert_int_equal(signs.info.closed, meshes[i].closed);
        assert_int_equal(signs.info.gapless, meshes[i].gapless);
        assert_false(signs.info.inverted);
        if (meshes[i].gapless)
        {
            assert_int_equal(signs.counts.uncertain_nodes, 0);
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
        cmocka_unit_test(test_real_meshes_are_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
