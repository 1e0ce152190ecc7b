// Shapes of meshes: distance by brute force over all triangles, sign by the formula of the same solid,
// refusals, texts, mass.
#include "support/support.h"

#include "bvh/closest.h"
#include "mesh/corners.h"
#include "mesh/triangle/closest_point.h"

#include <abut/io.h>
#include <abut/models.h>

static double brute_force(const AbutMesh* mesh, AbutDVec3 p)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        AbutDVec3 corners[3];
        abut_mesh_corners(mesh, i, corners);
        least = fmin(least, abut_triangle_closest_feature(corners, p).squared);
    }
    return sqrt(least);
}

static AbutShape* create_shape(AbutMesh* mesh)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_mesh(mesh, NULL, &shape), ABUT_OK);
    assert_int_equal(abut_shape_info(shape).kind, ABUT_SHAPE_MESH);
    assert_string_equal(abut_shape_kind_name(ABUT_SHAPE_MESH), "mesh");
    return shape;
}

static void test_distance_is_that_of_brute_force(void** state)
{
    (void)state;
    TestRandom random = { 41 };
    AbutMesh* mesh = NULL;
    AbutTorusMeshDef def = abut_torus_mesh_def();
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_OK);
    AbutShape* shape = create_shape(mesh);
    for (int repeat = 0; repeat < test_heavy_count(800); ++repeat)
    {
        AbutVec3 p = test_random_point(&random, repeat % 4 == 3 ? 50.0 : 1.2);
        AbutVec3 gradient;
        float d = abut_shape_distance(shape, p, &gradient);
        double expected = brute_force(mesh, abut_dvec3_from_vec3(p));
        test_assert_near(fabs((double)d), expected, 1e-7 * (1.0 + expected));
        test_assert_near(abut_vec3_length(gradient), 1.0, 1e-6);
        // Along the gradient the surface is |d| away.
        AbutDVec3 foot =
            abut_dvec3_mul_sub(abut_dvec3_from_vec3(p), (double)d, abut_dvec3_from_vec3(gradient));
        test_assert_near(brute_force(mesh, foot), 0.0, 1e-6 * (1.0 + expected));
    }
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
}

/// Coordinates of a coarse grid, so that many are equal, or anywhere; sometimes far away, tiny or huge.
static AbutVec3 random_corner(TestRandom* random, int variant)
{
    static const double sizes[4] = { 1.0, 1e-6, 1e6, 1.0 };
    AbutVec3 p = test_random_point(random, 1.0);
    if (variant % 2 == 0)
    {
        p = abut_vec3(roundf(4.0f * p.x) / 4.0f, roundf(4.0f * p.y) / 4.0f, roundf(4.0f * p.z) / 4.0f);
    }
    float size = (float)sizes[variant / 2 % 4], offset = variant / 2 % 4 == 3 ? 1000.0f : 0.0f;
    return abut_vec3(p.x * size + offset, p.y * size, p.z * size * (variant >= 8 ? 1e-4f : 1.0f));
}

/// Triangles that cross and touch, thin ones, flat ones and points among them.
static AbutMesh* make_triangles(TestRandom* random, int variant, AbutVec3* vertices, uint32_t count)
{
    uint32_t indices[3 * 120];
    for (uint32_t i = 0; i < count; ++i)
    {
        vertices[i] = random_corner(random, variant);
    }
    for (uint32_t i = 0; i < 3 * 120; ++i)
    {
        indices[i] = (uint32_t)(test_random_unit(random) * count) % count;
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = indices;
    def.triangle_count = 120;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/// The squared distance is the least one to the bit, and neither it nor the triangle depends on the triangle
/// that the search starts from.
static void test_closest_points_are_those_of_brute_force_from_any_start(void** state)
{
    (void)state;
    TestRandom random = { 43 };
    for (int variant = 0; variant < 16; ++variant)
    {
        AbutVec3 vertices[64];
        AbutMesh* mesh = make_triangles(&random, variant, vertices, 64);
        AbutMeshTree* tree = NULL;
        test_assert_result(abut_mesh_tree_create(mesh, NULL, &tree), ABUT_OK);
        uint32_t index = ABUT_TREE_NO_INDEX;
        for (int repeat = 0; repeat < test_heavy_count(400); ++repeat)
        {
            AbutVec3 p = repeat % 3 == 0 ? vertices[repeat % 64] : random_corner(&random, variant);
            AbutDVec3 point = abut_dvec3_scale(abut_dvec3_from_vec3(p), repeat % 7 == 0 ? 1e-7 : 1.0);
            AbutTreePoint fresh = abut_tree_closest_point(tree, point, ABUT_TREE_NO_INDEX);
            AbutTreePoint warm = abut_tree_closest_point(tree, point, index);
            assert_true(sqrt(fresh.squared) == brute_force(mesh, point));
            assert_true(warm.squared == fresh.squared && warm.index == fresh.index &&
                        warm.triangle == fresh.triangle);
            index = repeat % 2 == 0 ? fresh.index : index;
        }
        abut_mesh_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
}

static void test_sign_is_that_of_the_solid(void** state)
{
    (void)state;
    TestRandom random = { 42 };
    AbutMesh* mesh = NULL;
    AbutShape* box = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 3, NULL, &mesh), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.5f, 0.75f), NULL, &box), ABUT_OK);
    AbutShape* shape = create_shape(mesh);
    AbutPose pose = abut_pose_at(1000.0, -20.0, 3.0);
    pose.rotation = test_random_rotation(&random);
    pose.scale = 3.0f;
    for (int repeat = 0; repeat < test_heavy_count(4000); ++repeat)
    {
        AbutVec3 p = test_random_point(&random, 0.8);
        test_assert_near(abut_shape_distance(shape, p, NULL), abut_shape_distance(box, p, NULL), 2e-7);
        AbutPosition at = abut_pose_transform_point(&pose, p);
        test_assert_near(abut_shape_distance_at(shape, &pose, at, NULL),
                         abut_shape_distance_at(box, &pose, at, NULL), 1e-6);
    }
    assert_true(isnan(abut_shape_distance(shape, abut_vec3(NAN, 0.0f, 0.0f), NULL)));
    assert_true(abut_shape_distance(shape, abut_vec3(INFINITY, 0.0f, 0.0f), NULL) > 1e30f);
    AbutMeshShapeReport report = abut_mesh_shape_report(shape);
    assert_true(report.closed && report.simple && !report.inverted);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(abut_mesh_triangle_count(abut_shape_mesh(shape)), abut_mesh_triangle_count(mesh));
    assert_null(abut_shape_mesh(box));
    assert_false(abut_mesh_shape_report(box).closed);
    abut_shape_destroy(shape);
    abut_shape_destroy(box);
    abut_mesh_destroy(mesh);
}

static void test_empty_meshes_are_refused(void** state)
{
    (void)state;
    AbutMeshDef def = abut_mesh_def();
    AbutMesh* empty = NULL;
    test_assert_result(abut_mesh_create(&def, &empty), ABUT_OK);
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_mesh(empty, NULL, &shape), ABUT_INVALID_DATA);
    assert_null(shape);
    abut_mesh_destroy(empty);
}

static void test_text_makes_a_mesh_shape(void** state)
{
    (void)state;
    AbutParsedShape parsed = { 0 };
    test_assert_result(abut_shape_parse("mesh(sphere_mesh:0.5,6)", NULL, &parsed), ABUT_OK);
    AbutShape* shape = parsed.shape;
    assert_int_equal(abut_shape_info(shape).kind, ABUT_SHAPE_MESH);
    test_assert_near(abut_shape_distance(shape, abut_vec3(2.0f, 0.0f, 0.0f), NULL), 1.5, 0.02);
    abut_shape_destroy(shape);
    test_assert_result(abut_shape_parse("at(mesh(box_mesh:1,1,1);3,0,0)", NULL, &parsed), ABUT_OK);
    shape = parsed.shape;
    test_assert_near(abut_shape_distance(shape, abut_vec3(0.0f, 0.0f, 0.0f), NULL), 2.5, 1e-6);
    abut_shape_destroy(shape);
}

static AbutResult create(void* context, const AbutHost* host)
{
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_mesh(context, host, &shape);
    abut_shape_destroy(shape);
    return result;
}

static void test_nothing_leaks_when_memory_runs_out(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 2, NULL, &mesh), ABUT_OK);
    assert_true(test_fail_every_allocation(create, mesh) > 5);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_is_that_of_brute_force),
        cmocka_unit_test(test_closest_points_are_those_of_brute_force_from_any_start),
        cmocka_unit_test(test_sign_is_that_of_the_solid),
        cmocka_unit_test(test_empty_meshes_are_refused),
        cmocka_unit_test(test_text_makes_a_mesh_shape),
        cmocka_unit_test(test_nothing_leaks_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
