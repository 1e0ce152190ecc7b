// Fields baked from meshes: distances, signs, mass, formats, and meshes as they come.
#include "support/support.h"

#include "mesh/corners.h"
#include "mesh/triangle/closest_point.h"

#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AbutShape* bake(const AbutMesh* mesh, uint32_t resolution, AbutFieldFormat format, bool sparse)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    return field;
}

static double unsigned_distance(const AbutMesh* mesh, const double p[3])
{
    double best = INFINITY;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutDVec3 corner[3];
        abut_mesh_corners(mesh, t, corner);
        best = fmin(best, abut_triangle_closest_feature(corner, abut_dvec3_from_array(p)).squared);
    }
    return sqrt(best);
}

/// At nodes a field has the exact distance: samples there are compared with every triangle.
static void check_nodes(const AbutMesh* mesh, const AbutShape* field, int count)
{
    AbutFieldInfo info = abut_field_info(field);
    TestRandom random = { 31 };
    double size = info.cell_size * fmax(info.cell_count[0], fmax(info.cell_count[1], info.cell_count[2]));
    for (int i = 0; i < count; ++i)
    {
        const double origin[3] = { info.origin.x, info.origin.y, info.origin.z };
        double p[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] = (float)(origin[axis] +
                              info.cell_size * (double)(test_random_bits(&random) % info.cell_count[axis]));
        }
        float d = abut_shape_distance(field, abut_vec3((float)p[0], (float)p[1], (float)p[2]), NULL);
        test_assert_near(fabs((double)d), unsigned_distance(mesh, p), 2e-6 * size);
    }
}

static void test_baked_nodes_have_the_distance_to_the_mesh(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutGearMeshDef gear = abut_gear_mesh_def();
    test_assert_result(abut_mesh_create_gear(&gear, &mesh), ABUT_OK);
    AbutShape* field = bake(mesh, 48, ABUT_FIELD_F32, false);
    check_nodes(mesh, field, 300);
    abut_shape_destroy(field);
    abut_mesh_destroy(mesh);
}

static void test_mass_of_the_field_is_that_of_the_mesh(void** state)
{
    (void)state;
    AbutMesh* meshes[3] = { NULL };
    AbutThreadMeshDef thread = abut_thread_mesh_def();
    test_assert_result(abut_mesh_create_sphere(1.0f, 32, NULL, &meshes[0]), ABUT_OK);
    test_assert_result(abut_mesh_create_bolt(&thread, &meshes[1]), ABUT_OK);
    test_assert_result(abut_mesh_create_bowl(0.5f, 0.1f, 32, NULL, &meshes[2]), ABUT_OK);
    for (int i = 0; i < 3; ++i)
    {
        AbutMassData expected = abut_mesh_mass(meshes[i]);
        for (int k = 0; k < 6; ++k)
        {
            AbutShape* field = bake(meshes[i], 96, (AbutFieldFormat)(k / 2), k % 2 != 0);
            AbutFieldInfo info = abut_field_info(field);
            assert_true(info.sign.closed);
            assert_int_equal(info.sign.uncertain_nodes, 0);
            test_assert_near(info.mesh_mass.volume, expected.volume, 0.0);
            test_assert_near(info.mass.volume, expected.volume, 0.01 * expected.volume);
            for (int axis = 0; axis < 3; ++axis)
            {
                test_assert_near(info.mass.center[axis], expected.center[axis], 0.01);
                test_assert_near(info.mass.inertia[axis][axis], expected.inertia[axis][axis],
                                 0.02 * expected.inertia[axis][axis]);
            }
            abut_shape_destroy(field);
        }
        abut_mesh_destroy(meshes[i]);
    }
}

static AbutMesh* flipped(const AbutMesh* mesh)
{
    uint32_t count = abut_mesh_triangle_count(mesh);
    uint32_t* indices = malloc((size_t)count * 3 * sizeof(uint32_t));
    assert_non_null(indices);
    for (uint32_t t = 0; t < count; ++t)
    {
        const uint32_t* from = abut_mesh_indices(mesh) + (size_t)t * 3;
        uint32_t* to = indices + (size_t)t * 3;
        to[0] = from[0];
        to[1] = from[2];
        to[2] = from[1];
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

static void test_inverted_meshes_are_recognised(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 2.0f, 0.5f), 3, NULL, &mesh), ABUT_OK);
    AbutMesh* inverted = flipped(mesh);
    AbutShape *a = bake(mesh, 32, ABUT_FIELD_F32, false), *b = bake(inverted, 32, ABUT_FIELD_F32, false);
    assert_false(abut_field_info(a).sign.inverted);
    assert_true(abut_field_info(b).sign.inverted);
    TestRandom random = { 32 };
    for (int i = 0; i < 1000; ++i)
    {
        AbutVec3 p = test_random_point(&random, 1.2);
        assert_true(abut_shape_distance(a, p, NULL) == abut_shape_distance(b, p, NULL));
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(inverted);
}

/// The interval must hold the distance: with both signs where it says that the sign is in doubt, and with
/// that of the closed sphere elsewhere, but for points so near to the facets that a radius does not tell.
static void check_interval(const AbutMesh* open, AbutVec3 p, AbutDistanceBounds interval)
{
    double size = unsigned_distance(open, (const double[3]){ p.x, p.y, p.z });
    double radius = sqrt((double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z);
    bool may_be_in = radius < 1.005 || interval.sign_uncertain,
         may_be_out = radius > 0.97 || interval.sign_uncertain;
    bool holds_in = (double)interval.low <= -size && -size <= (double)interval.high;
    bool holds_out = (double)interval.low <= size && size <= (double)interval.high;
    bool right = interval.sign_uncertain ? holds_in && holds_out
                                         : (may_be_in && holds_in) || (may_be_out && holds_out);
    if (!right)
    {
        fail_msg("distance %g at radius %g, interval %g to %g%s", size, radius, (double)interval.low,
                 (double)interval.high, interval.sign_uncertain ? " in doubt" : "");
    }
}

static void test_bounds_hold_on_a_mesh_with_a_hole(void** state)
{
    (void)state;
    AbutMesh *sphere = NULL, *open = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 12, NULL, &sphere), ABUT_OK);
    AbutMeshDef mesh_def = abut_mesh_def();
    mesh_def.vertices = abut_mesh_vertices(sphere);
    mesh_def.vertex_count = abut_mesh_vertex_count(sphere);
    mesh_def.indices = abut_mesh_indices(sphere) + 3 * 20;
    mesh_def.triangle_count = abut_mesh_triangle_count(sphere) - 20;
    test_assert_result(abut_mesh_create(&mesh_def, &open), ABUT_OK);
    AbutShape *whole = bake(sphere, 32, ABUT_FIELD_F32, false),
              *field = bake(open, 32, ABUT_FIELD_F32, false);
    assert_false(abut_field_info(field).sign.closed);
    TestRandom random = { 33 };
    int in_doubt = 0;
    for (int i = 0; i < TEST_ROUNDS(10000); ++i)
    {
        AbutVec3 p = test_random_point(&random, 1.05), half = test_random_point(&random, 0.1);
        AbutDistanceBounds at_point = abut_field_point_bounds(field, p);
        check_interval(open, p, at_point);
        assert_false(abut_field_point_bounds(whole, p).sign_uncertain);
        in_doubt += at_point.sign_uncertain ? 1 : 0;
        AbutVec3 extent = abut_vec3(fabsf(half.x), fabsf(half.y), fabsf(half.z));
        AbutBox box = abut_box(abut_vec3_sub(p, extent), abut_vec3_add(p, extent));
        AbutDistanceBounds over_box = abut_field_box_bounds(field, box);
        check_interval(open, abut_vec3_add(p, half), over_box);
        assert_true(over_box.sign_uncertain || !at_point.sign_uncertain);
    }
    assert_true(in_doubt > TEST_ROUNDS(10) && in_doubt < TEST_ROUNDS(5000));
    abut_shape_destroy(field);
    abut_shape_destroy(whole);
    abut_mesh_destroy(open);
    abut_mesh_destroy(sphere);
}

static void test_a_sheet_can_be_baked_as_a_shell(void** state)
{
    (void)state;
    const AbutVec3 vertices[4] = { { -1, 0, -1 }, { 1, 0, -1 }, { 1, 0, 1 }, { -1, 0, 1 } };
    const uint32_t indices[6] = { 0, 2, 1, 0, 3, 2 };
    AbutMeshDef mesh_def = abut_mesh_def();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = 4;
    mesh_def.indices = indices;
    mesh_def.triangle_count = 2;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&mesh_def, &mesh), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.sign = ABUT_BAKE_SIGN_SHELL;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_INVALID_ARGUMENT);
    def.thickness = 0.2f;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    test_assert_near(abut_shape_distance(field, abut_vec3(0.1f, 0.25f, 0.2f), NULL), 0.15, 1e-5);
    test_assert_near(abut_field_info(field).mass.volume, 0.2 * 4.0 + 0.2 * 8.0 * 0.1 * 0.785398, 0.05);
    abut_shape_destroy(field);
    abut_mesh_destroy(mesh);
}

static void test_meshes_without_a_surface_are_refused(void** state)
{
    (void)state;
    AbutMeshDef mesh_def = abut_mesh_def();
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    test_assert_result(abut_mesh_create(&mesh_def, &mesh), ABUT_OK);
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_INVALID_DATA);
    abut_mesh_destroy(mesh);
    const AbutVec3 point = { 1, 2, 3 };
    const uint32_t indices[3] = { 0, 0, 0 };
    mesh_def.vertices = &point;
    mesh_def.vertex_count = 1;
    mesh_def.indices = indices;
    mesh_def.triangle_count = 1;
    test_assert_result(abut_mesh_create(&mesh_def, &mesh), ABUT_OK);
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_INVALID_DATA);
    abut_mesh_destroy(mesh);
}

static AbutResult bake_and_destroy(void* context, const AbutHost* host)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 16;
    def.sparse = true;
    def.host = host;
    AbutShape* field = NULL;
    AbutResult result = abut_bake_mesh(&def, context, &field);
    abut_shape_destroy(field);
    return result;
}

static void test_bakes_of_meshes_survive_every_failing_allocation(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 4, NULL, &mesh), ABUT_OK);
    test_fail_every_allocation(bake_and_destroy, mesh);
    abut_mesh_destroy(mesh);
}

static void test_fields_survive_a_file(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    char path[] = "/tmp/abut_field_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    test_assert_result(abut_mesh_create_sphere(1.0f, 8, NULL, &mesh), ABUT_OK);
    AbutShape *field = bake(mesh, 24, ABUT_FIELD_F16, true), *again = NULL;
    test_assert_result(abut_field_save(field, path), ABUT_OK);
    test_assert_result(abut_field_load(path, NULL, &again), ABUT_OK);
    size_t size, size_again;
    const void* data = abut_field_data(field, &size);
    const void* data_again = abut_field_data(again, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(data, data_again, size);
    abut_shape_destroy(again);
    assert_int_equal(truncate(path, (off_t)size - 1), 0);
    test_assert_result(abut_field_load(path, NULL, &again), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), path));
    unlink(path);
    test_assert_result(abut_field_load(path, NULL, &again), ABUT_NOT_FOUND);
    test_assert_result(abut_field_save(field, "/nowhere/field.abut"), ABUT_IO_ERROR);
    AbutShape* sphere = NULL;
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &sphere), ABUT_OK);
    test_assert_result(abut_field_save(sphere, path), ABUT_INVALID_ARGUMENT);
    abut_shape_destroy(sphere);
    abut_shape_destroy(field);
    abut_mesh_destroy(mesh);
}

static void test_real_meshes_are_solid(void** state)
{
    (void)state;
    static const struct
    {
        const char* name;
        double volume, tolerance;
    } facts[] = {
        { "bunny4k.obj", 194.288, 0.01 },
        { "factory_nut_m16_loose_subdiv_3x.obj", 4.12356e-6, 0.01 },
        { "factory_round_hole_8mm_subdiv_3x.obj", 5.15679e-6, 0.01 },
        { "dragon48k.obj", 59519.0, 0.02 },
    };
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); ++i)
    {
        const char* path = test_shared_mesh(facts[i].name);
        if (path == NULL)
        {
            print_message("skipped: %s is not there\n", facts[i].name);
            continue;
        }
        AbutMesh* mesh = NULL;
        test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
        AbutShape* field = bake(mesh, 96, ABUT_FIELD_FIRST_ORDER, true);
        AbutFieldInfo info = abut_field_info(field);
        print_message("%s: volume %.6g, %llu nodes in doubt\n", facts[i].name, info.mass.volume,
                      (unsigned long long)info.sign.uncertain_nodes);
        test_assert_near(info.mass.volume, facts[i].volume, facts[i].tolerance * facts[i].volume);
        abut_shape_destroy(field);
        abut_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baked_nodes_have_the_distance_to_the_mesh),
        cmocka_unit_test(test_mass_of_the_field_is_that_of_the_mesh),
        cmocka_unit_test(test_inverted_meshes_are_recognised),
        cmocka_unit_test(test_bounds_hold_on_a_mesh_with_a_hole),
        cmocka_unit_test(test_a_sheet_can_be_baked_as_a_shell),
        cmocka_unit_test(test_meshes_without_a_surface_are_refused),
        cmocka_unit_test(test_bakes_of_meshes_survive_every_failing_allocation),
        cmocka_unit_test(test_fields_survive_a_file),
        cmocka_unit_test(test_real_meshes_are_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
