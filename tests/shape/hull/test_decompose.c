// Decomposition of closed meshes: patches on their hulls, hulls that contain their triangles, cuts, measured
// errors against closed forms, refusals.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include "hull/hull.h"
#include "mesh/triangle/orient.h"

#include <abut/models.h>
#include <math.h>
#include <string.h>

static AbutDecomposition* decompose(const AbutMesh* mesh)
{
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* decomposition = NULL;
    test_assert_result(abut_decompose(&def, mesh, &decomposition), ABUT_OK);
    return decomposition;
}

static AbutMesh* torus_mesh(uint32_t major, uint32_t minor)
{
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 1.0, 0.3, major, minor);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

static AbutMesh* box_mesh(AbutVec3 min, AbutVec3 max)
{
    TestSoup soup = { 0 };
    test_soup_box(&soup, min, max);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

static AbutMesh* gear_mesh(void)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.flank_divisions = 2;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_gear(&def, &mesh), ABUT_OK);
    return mesh;
}

// -----------------------------------------------------------------------------------------------------------
// Claims of the tree
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 corner(const AbutMesh* mesh, uint32_t triangle, uint32_t i)
{
    return abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)triangle + i]];
}

/// No triangle of a leaf has a vertex of the leaf above its plane, in exact arithmetic.
static void check_leaf(const AbutMesh* mesh, const AbutDecompositionNode* leaf)
{
    for (uint32_t t = leaf->first_triangle; t < leaf->first_triangle + leaf->triangle_count; ++t)
    {
        for (uint32_t v = 0; v < leaf->hull->vertex_count; ++v)
        {
            AbutVec3 point = abut_hull_points(leaf->hull)[v];
            assert_true(abut_orient_3d(corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2), point) <=
                        0);
        }
    }
}

/// The hull contains its triangles: offsets of planes are rounded outwards.
static void check_contains(const AbutMesh* mesh, const AbutDecompositionNode* node)
{
    for (uint32_t f = 0; f < node->hull->face_count; ++f)
    {
        const AbutHullFace* face = &abut_hull_faces(node->hull)[f];
        for (uint32_t i = 0; i < 3 * node->triangle_count; ++i)
        {
            AbutDVec3 point = abut_dvec3_from_vec3(corner(mesh, node->first_triangle + i / 3, i % 3));
            assert_true(abut_dvec3_dot(face->normal, point) <= face->offset + 1e-12);
        }
    }
}

static void check_tree(const AbutDecomposition* decomposition)
{
    const AbutMesh* mesh = abut_decomposition_mesh(decomposition);
    uint32_t leaf_triangles = 0, leaves = 0;
    for (uint32_t i = 0; i < abut_decomposition_node_count(decomposition); ++i)
    {
        AbutDecompositionNode node = abut_decomposition_node(decomposition, i);
        check_contains(mesh, &node);
        if (node.children[0] == ABUT_DECOMPOSITION_NONE)
        {
            check_leaf(mesh, &node);
            leaf_triangles += node.triangle_count;
            leaves += 1;
            continue;
        }
        AbutDecompositionNode first = abut_decomposition_node(decomposition, node.children[0]);
        AbutDecompositionNode second = abut_decomposition_node(decomposition, node.children[1]);
        assert_true(node.children[0] > i && node.children[1] > i);
        assert_int_equal(first.first_triangle, node.first_triangle);
        assert_int_equal(second.first_triangle, node.first_triangle + first.triangle_count);
        assert_int_equal(node.triangle_count, first.triangle_count + second.triangle_count);
        assert_true(node.concavity >= first.concavity && node.concavity >= second.concavity);
    }
    assert_int_equal(leaf_triangles, abut_mesh_triangle_count(mesh));
    assert_int_equal(leaves, abut_decomposition_leaf_count(decomposition));
    assert_int_equal(abut_decomposition_node_count(decomposition), 2 * leaves - 1);
}

static void test_patches_are_convex_and_hulls_contain_their_triangles(void** state)
{
    (void)state;
    AbutMesh* meshes[] = { torus_mesh(24, 10), gear_mesh(),
                           box_mesh(abut_vec3(0, 0, 0), abut_vec3(1, 2, 3)) };
    for (int i = 0; i < 3; ++i)
    {
        AbutDecomposition* decomposition = decompose(meshes[i]);
        check_tree(decomposition);
        abut_decomposition_destroy(decomposition);
        abut_mesh_destroy(meshes[i]);
    }
}

static void test_a_convex_mesh_is_one_patch_without_error(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, 8);
    AbutMesh* meshes[] = { box_mesh(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1)), test_soup_mesh(&soup, NULL) };
    for (int i = 0; i < 2; ++i)
    {
        AbutDecomposition* decomposition = decompose(meshes[i]);
        assert_int_equal(abut_decomposition_leaf_count(decomposition), 1);
        uint32_t node = 7;
        assert_int_equal(abut_decomposition_cut(decomposition, 0, 0.0f, &node, 1), 1);
        assert_int_equal(node, 0);
        AbutDecompositionError error;
        test_assert_result(abut_decomposition_measure(decomposition, &node, 1, 2000, &error), ABUT_OK);
        test_assert_near(error.pieces_volume, error.solid_volume, 1e-6 * error.solid_volume);
        test_assert_near(error.outside_volume, 0.0, 2.5 * error.volume_step);
        test_assert_near(error.uncovered_volume, 0.0, 2.5 * error.volume_step);
        test_assert_near(error.distance, 0.0, 1e-6);
        assert_true(error.distance_bound >= error.distance && error.distance_bound < 0.02);
        abut_decomposition_destroy(decomposition);
        abut_mesh_destroy(meshes[i]);
    }
    test_soup_free(&soup);
}

/// The hull of a torus of radii R and r is a disc of height 2 r: its volume, and the distance of the middle
/// of its lid, √(R² + r²) − r, are closed forms.
static void test_measured_error_is_that_of_closed_forms(void** state)
{
    (void)state;
    const double pi = 3.14159265358979323846, major = 1.0, minor = 0.3;
    AbutMesh* mesh = torus_mesh(96, 32);
    AbutDecomposition* decomposition = decompose(mesh);
    uint32_t root = 0;
    AbutDecompositionError error;
    test_assert_result(abut_decomposition_measure(decomposition, &root, 1, 20000, &error), ABUT_OK);
    double torus = 2.0 * pi * pi * major * minor * minor;
    // A disc of radius R and height 2 r with the outer half of the tube around it (Pappus).
    double hull = pi * major * major * 2.0 * minor +
                  2.0 * pi * (major + 4.0 * minor / (3.0 * pi)) * 0.5 * pi * minor * minor;
    test_assert_near(error.solid_volume, torus, 0.01 * torus);
    test_assert_near(error.pieces_volume, hull, 0.01 * hull);
    test_assert_near(error.outside_volume, hull - torus, 0.02 * hull);
    test_assert_near(error.uncovered_volume, 0.0, 20.0 * error.volume_step);
    double lid = sqrt(major * major + minor * minor) - minor;
    test_assert_near(error.distance, lid, 0.01);
    assert_true(error.distance_bound >= lid - 0.003 && error.distance_bound <= error.distance + 0.01);
    abut_decomposition_destroy(decomposition);
    abut_mesh_destroy(mesh);
}

static void test_more_pieces_leave_less_error(void** state)
{
    (void)state;
    AbutMesh* mesh = torus_mesh(48, 16);
    AbutDecomposition* decomposition = decompose(mesh);
    double last = INFINITY;
    for (uint32_t most = 1; most <= 64; most *= 4)
    {
        uint32_t nodes[64];
        uint32_t count = abut_decomposition_cut(decomposition, most, 0.0f, nodes, 64);
        assert_true(count <= most);
        uint32_t triangles = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            triangles += abut_decomposition_node(decomposition, nodes[i]).triangle_count;
            assert_true(i == 0 || nodes[i - 1] < nodes[i]);
        }
        assert_int_equal(triangles, abut_mesh_triangle_count(mesh));
        AbutDecompositionError error;
        test_assert_result(abut_decomposition_measure(decomposition, nodes, count, 4000, &error), ABUT_OK);
        assert_true(error.distance_bound <= 1.01 * last); // the lid of four pieces is that of one
        last = error.distance_bound;
    }
    assert_true(last < 0.1);
    uint32_t none[1];
    assert_true(abut_decomposition_cut(decomposition, 0, 0.0f, none, 0) > 64);
    abut_decomposition_destroy(decomposition);
    abut_mesh_destroy(mesh);
}

/// Components without a common edge are in one tree.
static void test_several_components_have_one_tree(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    for (int i = 0; i < 9; ++i)
    {
        float x = 3.0f * (float)(i % 3), z = 3.0f * (float)(i / 3);
        test_soup_box(&soup, abut_vec3(x, 0, z), abut_vec3(x + 1, 1, z + 1));
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutDecomposition* decomposition = decompose(mesh);
    assert_int_equal(abut_decomposition_leaf_count(decomposition), 9);
    check_tree(decomposition);
    abut_decomposition_destroy(decomposition);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

// -----------------------------------------------------------------------------------------------------------
// Refusals
// -----------------------------------------------------------------------------------------------------------

static void check_refused(TestSoup* soup, const char* words)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* out = NULL;
    test_assert_result(abut_decompose(&def, mesh, &out), ABUT_INVALID_DATA);
    assert_null(out);
    if (strstr(abut_last_error(), words) == NULL)
    {
        fail_msg("\"%s\" has no \"%s\"", abut_last_error(), words);
    }
    abut_mesh_destroy(mesh);
    test_soup_free(soup);
}

static void test_meshes_that_are_no_solid_are_refused(void** state)
{
    (void)state;
    TestSoup open = { 0 }, empty = { 0 }, inverted = { 0 }, touching = { 0 }, flat = { 0 };
    test_soup_box(&open, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    open.triangle_count -= 1;
    check_refused(&open, "is open: 3 edges");
    check_refused(&empty, "no triangles");
    test_soup_box(&inverted, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    for (uint32_t t = 0; t < inverted.triangle_count; ++t)
    {
        uint32_t first = inverted.indices[3 * t];
        inverted.indices[3 * t] = inverted.indices[3 * t + 1];
        inverted.indices[3 * t + 1] = first;
    }
    check_refused(&inverted, "look inward");
    test_soup_box(&touching, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    test_soup_box(&touching, abut_vec3(1, 1, 0), abut_vec3(2, 2, 1));
    check_refused(&touching, "more than two triangles");
    test_soup_loose(&flat, abut_vec3(0, 0, 0), abut_vec3(1, 0, 0), abut_vec3(0, 1, 0));
    test_soup_loose(&flat, abut_vec3(0, 0, 0), abut_vec3(0, 1, 0), abut_vec3(1, 0, 0));
    check_refused(&flat, "flat");
}

static void test_numbers_out_of_range_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = box_mesh(abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* out = NULL;
    def.patch_error = -1.0f;
    test_assert_result(abut_decompose(&def, mesh, &out), ABUT_INVALID_ARGUMENT);
    def.patch_error = NAN;
    test_assert_result(abut_decompose(&def, mesh, &out), ABUT_INVALID_ARGUMENT);
    out = decompose(mesh);
    uint32_t node = 1;
    AbutDecompositionError error;
    test_assert_result(abut_decomposition_measure(out, &node, 1, 10, &error), ABUT_INVALID_ARGUMENT);
    node = 0;
    test_assert_result(abut_decomposition_measure(out, &node, 0, 10, &error), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_decomposition_measure(out, &node, 1, 0, &error), ABUT_INVALID_ARGUMENT);
    abut_decomposition_destroy(out);
    abut_decomposition_destroy(NULL);
    abut_mesh_destroy(mesh);
}

static AbutResult decompose_and_destroy(void* context, const AbutHost* host)
{
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* out = NULL;
    def.host = host;
    AbutResult result = abut_decompose(&def, context, &out);
    abut_decomposition_destroy(out);
    return result;
}

static void test_no_memory_is_lost(void** state)
{
    (void)state;
    AbutMesh* mesh = torus_mesh(5, 4);
    test_fail_every_allocation(decompose_and_destroy, mesh);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patches_are_convex_and_hulls_contain_their_triangles),
        cmocka_unit_test(test_a_convex_mesh_is_one_patch_without_error),
        cmocka_unit_test(test_measured_error_is_that_of_closed_forms),
        cmocka_unit_test(test_more_pieces_leave_less_error),
        cmocka_unit_test(test_several_components_have_one_tree),
        cmocka_unit_test(test_meshes_that_are_no_solid_are_refused),
        cmocka_unit_test(test_numbers_out_of_range_are_refused),
        cmocka_unit_test(test_no_memory_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
