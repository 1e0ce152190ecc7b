// Distances of convex hulls against all of their triangles, boxes as hulls against boxes, masses, texts.
#include "support/oracles/mesh_distance.h"
#include "support/support.h"

#include "hull/mass.h"
#include "mesh/triangle/orient.h"

#include <abut/io.h>
#include <abut/models.h>
#include <stdlib.h>

enum
{
    MOST_POINTS = 64
};

static AbutShape* make_shape(TestRandom* random, uint32_t count, double size, bool flat)
{
    AbutVec3 points[MOST_POINTS];
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, size);
        points[i] = flat ? abut_vec3(p.x, p.y, 0.0f) : p;
    }
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_convex(points, count, NULL, &shape), ABUT_OK);
    return shape;
}

/// Triangles of all faces, as fans.
static AbutMesh* mesh_of(const AbutHull* hull)
{
    uint32_t indices[3 * 2 * MOST_POINTS], vertices[MOST_POINTS], count = 0;
    AbutHullInfo info = abut_hull_info(hull);
    for (uint32_t face = 0; face < info.face_count; ++face)
    {
        uint32_t n = abut_hull_face_vertices(hull, face, vertices, MOST_POINTS);
        for (uint32_t k = 1; k + 1 < n; ++k)
        {
            indices[count++] = vertices[0];
            indices[count++] = vertices[k];
            indices[count++] = vertices[k + 1];
        }
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = abut_hull_points(hull);
    def.vertex_count = info.vertex_count;
    def.indices = indices;
    def.triangle_count = count / 3;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/// By exact signs.
static bool is_outside(const AbutHull* hull, AbutVec3 p)
{
    AbutHullInfo info = abut_hull_info(hull);
    const AbutVec3* points = abut_hull_points(hull);
    uint32_t v[3];
    bool outside = false;
    for (uint32_t face = 0; face < info.face_count; ++face)
    {
        abut_hull_face_vertices(hull, face, v, 3);
        outside = outside || abut_orient_3d(points[v[0]], points[v[1]], points[v[2]], p) > 0;
    }
    return outside || info.dimension < 3;
}

static AbutVec3 make_query(TestRandom* random, const AbutHull* hull, double size, int i)
{
    const AbutVec3* points = abut_hull_points(hull);
    uint32_t n = abut_hull_info(hull).vertex_count;
    AbutVec3 a = points[test_random_bits(random) % n], b = points[test_random_bits(random) % n];
    switch (i % 4)
    {
    case 0:
        return a; // a vertex
    case 1:
        return abut_vec3_scale(abut_vec3_add(a, b), 0.5f); // of an edge, face or the inside
    case 2:
        return abut_vec3_scale(a, (float)test_random_range(random, 0.9, 1.5));
    default:
        return test_random_point(random, 2.0 * size);
    }
}

static void check_distances(TestRandom* random, const AbutShape* shape, double size)
{
    const AbutHull* hull = abut_shape_hull(shape);
    AbutMesh* mesh = mesh_of(hull);
    for (int i = 0; i < 200; ++i)
    {
        AbutVec3 p = make_query(random, hull, size, i), g;
        const double at[3] = { p.x, p.y, p.z };
        double distance = abut_shape_distance(shape, p, &g), truth = test_mesh_distance(mesh, at);
        test_assert_near(fabs(distance), truth, 2e-6 * size);
        test_assert_near(abut_vec3_length(g), 1.0, 1e-6);
        if (truth > 2e-6 * size)
        {
            assert_int_equal(distance > 0.0, is_outside(hull, p));
            // Against the gradient lies the surface.
            AbutVec3 foot = abut_vec3_sub(p, abut_vec3_scale(g, (float)distance));
            test_assert_near(abut_shape_distance(shape, foot, NULL), 0.0, 1e-5 * size);
        }
    }
    abut_mesh_destroy(mesh);
}

static void test_distances_are_those_of_all_triangles(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    const double sizes[3] = { 1.0, 1e-6, 1e6 };
    for (int i = 0; i < TEST_ROUNDS(120); ++i)
    {
        uint32_t count = 4 + (uint32_t)(test_random_bits(&random) % (MOST_POINTS - 4));
        AbutShape* shape = make_shape(&random, count, sizes[i % 3], i % 5 == 4);
        check_distances(&random, shape, sizes[i % 3]);
        abut_shape_destroy(shape);
    }
}

static void test_a_box_as_a_hull_is_a_box(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    AbutVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = abut_vec3(i & 1 ? 1.0f : -1.0f, i & 2 ? 0.25f : -0.25f, i & 4 ? 2.0f : -2.0f);
    }
    AbutShape *hull = NULL, *box = NULL;
    test_assert_result(abut_shape_create_convex(corners, 8, NULL, &hull), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(2.0f, 0.5f, 4.0f), NULL, &box), ABUT_OK);
    AbutPose pose = abut_pose_identity();
    pose.position = (AbutPosition){ 1000.0, -20.0, 0.5 };
    pose.rotation = test_random_rotation(&random);
    pose.scale = 2.5f;
    for (int i = 0; i < TEST_ROUNDS(20000); ++i)
    {
        AbutVec3 p = test_random_point(&random, 3.0), q;
        test_assert_near(abut_shape_distance(hull, p, &q), abut_shape_distance(box, p, NULL), 2e-6);
        AbutPosition at = abut_pose_transform_point(&pose, p);
        test_assert_near(abut_shape_distance_at(hull, &pose, at, NULL),
                         abut_shape_distance_at(box, &pose, at, NULL), 1e-5);
    }
    AbutShapeInfo info = abut_shape_info(hull);
    assert_true(info.convex && info.distance_kind == ABUT_DISTANCE_EXACT && info.lipschitz == 1.0f);
    assert_string_equal(abut_shape_kind_name(info.kind), "convex");
    assert_null(abut_shape_hull(box));
    abut_shape_destroy(hull);
    abut_shape_destroy(box);
}

static void test_points_and_segments_have_distances(void** state)
{
    (void)state;
    const AbutVec3 ends[2] = { { -1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f } };
    AbutShape *point = NULL, *segment = NULL, *round = NULL, *capsule = NULL;
    TestRandom random = { 3 };
    test_assert_result(abut_shape_create_convex(ends, 1, NULL, &point), ABUT_OK);
    test_assert_result(abut_shape_create_convex(ends, 2, NULL, &segment), ABUT_OK);
    test_assert_result(abut_shape_create_offset(segment, 0.5f, NULL, &round), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.5f, 2.0f, NULL, &capsule), ABUT_OK);
    for (int i = 0; i < 1000; ++i)
    {
        AbutVec3 p = test_random_point(&random, 2.0);
        test_assert_near(abut_shape_distance(point, p, NULL), abut_vec3_length(abut_vec3_sub(p, ends[0])),
                         1e-6);
        test_assert_near(abut_shape_distance(round, p, NULL),
                         abut_shape_distance(capsule, abut_vec3(p.y, p.x, p.z), NULL), 1e-6);
    }
    AbutVec3 g;
    assert_true(abut_shape_distance(segment, abut_vec3(0.5f, 0.0f, 0.0f), &g) == 0.0f);
    assert_true(isnan(abut_shape_distance(segment, abut_vec3(0.5f, NAN, 0.0f), &g)) && isnan(g.x));
    abut_shape_destroy(point);
    abut_shape_destroy(segment);
    abut_shape_destroy(round);
    abut_shape_destroy(capsule);
}

static void test_masses_are_those_of_the_mesh(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (int i = 0; i < 50; ++i)
    {
        AbutShape* shape = make_shape(&random, 40, 3.0, false);
        AbutMesh* mesh = mesh_of(abut_shape_hull(shape));
        AbutMassData truth = abut_mesh_mass(mesh), mass = abut_hull_mass(abut_shape_hull(shape));
        test_assert_near(mass.volume, truth.volume, 1e-12 * truth.volume);
        for (int row = 0; row < 3; ++row)
        {
            test_assert_near(mass.center[row], truth.center[row], 1e-12);
            for (int column = 0; column < 3; ++column)
            {
                test_assert_near(mass.inertia[row][column], truth.inertia[row][column],
                                 1e-11 * truth.volume * 9.0);
            }
        }
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
    AbutShape* flat = make_shape(&random, 12, 1.0, true);
    test_assert_near(abut_hull_mass(abut_shape_hull(flat)).volume, 0.0, 0.0);
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    AbutBodyDef body = abut_body_def();
    body.shape = flat;
    AbutBodyId id;
    test_assert_result(abut_body_create(world, &body, &id), ABUT_INVALID_ARGUMENT); // has no volume
    abut_world_destroy(world);
    abut_shape_destroy(flat);
}

static void test_text_of_a_hull(void** state)
{
    (void)state;
    AbutParsedShape parsed = { NULL, NULL };
    test_assert_result(abut_shape_parse("hull(gear:12,0.05,0.2)", NULL, &parsed), ABUT_OK);
    assert_non_null(abut_shape_hull(parsed.shape));
    assert_true(abut_hull_info(abut_shape_hull(parsed.shape)).vertex_count > 20);
    abut_shape_destroy(parsed.shape);
    test_assert_result(abut_shape_parse("at( hull( box_mesh:1,2,3 ) ;1,2,3)", NULL, &parsed), ABUT_OK);
    abut_shape_destroy(parsed.shape);
    const char* const wrong[6] = { "hull()",           "hull(sphere:1)",         "hull(nothing.obj)",
                                   "hull(hull(gear))", "hull(box_mesh:1,1,1;2)", "hull(box_mesh:1,1,1" };
    for (int i = 0; i < 6; ++i)
    {
        assert_int_not_equal(abut_shape_parse(wrong[i], NULL, &parsed), ABUT_OK);
    }
}

static AbutResult create(void* context, const AbutHost* host)
{
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_convex(context, 4, host, &shape);
    abut_shape_destroy(shape);
    return result;
}

static void test_failed_allocations_leak_nothing(void** state)
{
    (void)state;
    AbutVec3 points[4] = {
        { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }
    };
    test_fail_every_allocation(create, points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_those_of_all_triangles),
        cmocka_unit_test(test_a_box_as_a_hull_is_a_box),
        cmocka_unit_test(test_points_and_segments_have_distances),
        cmocka_unit_test(test_masses_are_those_of_the_mesh),
        cmocka_unit_test(test_text_of_a_hull),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
