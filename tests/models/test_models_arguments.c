// Numbers out of range: refused with the name of the number, its value and its range, without touching
// memory.
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// A call with one wrong number.
typedef struct Refusal
{
    AbutResult result;
    AbutMesh* mesh;
    TestHost host;
} Refusal;

static void start(Refusal* refusal)
{
    memset(refusal, 0, sizeof(*refusal));
    test_host_init(&refusal->host);
    refusal->mesh = (AbutMesh*)refusal; // must become NULL
}

/// The message has the generator, the name, and the value as printed with %.9g.
static void check_refused(Refusal* refusal, const char* generator, const char* name, double value)
{
    char prefix[200];
    snprintf(prefix, sizeof(prefix), "%s: %s is %.9g, must be ", generator, name, value);
    if (refusal->result != ABUT_INVALID_ARGUMENT || strncmp(abut_last_error(), prefix, strlen(prefix)) != 0)
    {
        fail_msg("%s and message \"%s\", expected invalid argument and \"%s...\"",
                 abut_result_name(refusal->result), abut_last_error(), prefix);
    }
    assert_null(refusal->mesh);
    assert_int_equal(refusal->host.live_count, 0);
}

static const float BAD_LENGTHS[] = { 0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-20f, FLT_MAX, FLT_MIN };

enum
{
    BAD_LENGTH_COUNT = sizeof(BAD_LENGTHS) / sizeof(BAD_LENGTHS[0])
};

static void test_sphere_and_box_refuse_bad_numbers(void** state)
{
    (void)state;
    Refusal refusal;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        float bad = BAD_LENGTHS[i];
        start(&refusal);
        refusal.result = abut_mesh_create_sphere(bad, 4, &refusal.host.host, &refusal.mesh);
        check_refused(&refusal, "sphere", "radius", bad);
        start(&refusal);
        refusal.result = abut_mesh_create_box(abut_vec3(1, bad, 1), 4, &refusal.host.host, &refusal.mesh);
        check_refused(&refusal, "box", "extents.y", bad);
    }
    const uint32_t bad_counts[] = { 0, 4097, UINT32_MAX };
    for (int i = 0; i < 3; ++i)
    {
        start(&refusal);
        refusal.result = abut_mesh_create_sphere(1, bad_counts[i], &refusal.host.host, &refusal.mesh);
        check_refused(&refusal, "sphere", "divisions", bad_counts[i]);
        start(&refusal);
        refusal.result =
            abut_mesh_create_box(abut_vec3(1, 1, 1), bad_counts[i], &refusal.host.host, &refusal.mesh);
        check_refused(&refusal, "box", "divisions", bad_counts[i]);
    }
}

static void check_torus(const AbutTorusMeshDef* def, const char* name, double value)
{
    Refusal refusal;
    start(&refusal);
    AbutTorusMeshDef with_host = *def;
    with_host.host = &refusal.host.host;
    refusal.result = abut_mesh_create_torus(&with_host, &refusal.mesh);
    check_refused(&refusal, "torus", name, value);
}

static void test_torus_refuses_bad_numbers(void** state)
{
    (void)state;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        AbutTorusMeshDef def = abut_torus_mesh_def();
        def.major_radius = BAD_LENGTHS[i];
        check_torus(&def, "major_radius", BAD_LENGTHS[i]);
        def = abut_torus_mesh_def();
        def.minor_radius = BAD_LENGTHS[i];
        check_torus(&def, "minor_radius", BAD_LENGTHS[i]);
    }
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.minor_radius = 1.0f; // the hole closes
    check_torus(&def, "minor_radius", 1.0);
    def = abut_torus_mesh_def();
    def.major_divisions = 2;
    check_torus(&def, "major_divisions", 2);
    def = abut_torus_mesh_def();
    def.minor_divisions = 65537;
    check_torus(&def, "minor_divisions", 65537);
    def = abut_torus_mesh_def();
    def.twist_corners = 2;
    check_torus(&def, "twist_corners", 2);
    def = abut_torus_mesh_def();
    def.twist_steps = 1;
    check_torus(&def, "twist_steps", 1);
    def.twist_corners = 5;
    check_torus(&def, "minor_divisions", 32); // no multiple of five
    def.twist_steps = INT32_MIN;
    check_torus(&def, "twist_steps", INT32_MIN);
}

static void test_a_ring_that_twists_too_fast_is_refused(void** state)
{
    (void)state;
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.twist_corners = 3;
    def.minor_divisions = 12;
    def.major_divisions = 8;
    def.twist_steps = 6;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "folds"));
    assert_null(mesh);
}

static void test_capsule_bowl_and_link_refuse_bad_numbers(void** state)
{
    (void)state;
    Refusal refusal;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        float bad = BAD_LENGTHS[i];
        const AbutHost* host = &refusal.host.host;
        start(&refusal);
        refusal.result = abut_mesh_create_capsule(bad, 1, 8, host, &refusal.mesh);
        check_refused(&refusal, "capsule", "radius", bad);
        start(&refusal);
        refusal.result = abut_mesh_create_bowl(bad, 0.1f, 8, host, &refusal.mesh);
        check_refused(&refusal, "bowl", "radius", bad);
        start(&refusal);
        refusal.result = abut_mesh_create_bowl(1, bad, 8, host, &refusal.mesh);
        check_refused(&refusal, "bowl", "thickness", bad);
        start(&refusal);
        refusal.result = abut_mesh_create_chain_link(1, bad, 0.1f, 8, host, &refusal.mesh);
        check_refused(&refusal, "chain link", "bend_radius", bad);
        start(&refusal);
        refusal.result = abut_mesh_create_chain_link(1, 1, bad, 8, host, &refusal.mesh);
        check_refused(&refusal, "chain link", "rod_radius", bad);
    }
    start(&refusal);
    refusal.result = abut_mesh_create_capsule(1, -0.5f, 8, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "capsule", "length", -0.5);
    start(&refusal);
    refusal.result = abut_mesh_create_capsule(1, 1, 2, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "capsule", "divisions", 2);
    start(&refusal);
    refusal.result = abut_mesh_create_bowl(1, 1, 8, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "bowl", "thickness", 1);
    start(&refusal);
    refusal.result = abut_mesh_create_bowl(1, 0.1f, 4097, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "bowl", "divisions", 4097);
    start(&refusal);
    refusal.result = abut_mesh_create_chain_link(1, 0.5f, 0.5f, 8, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "chain link", "rod_radius", 0.5);
    start(&refusal);
    refusal.result = abut_mesh_create_chain_link(1, 0.5f, 0.1f, 2, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "chain link", "divisions", 2);
}

static void check_profile(const float (*profile)[2], uint32_t count, const char* message)
{
    Refusal refusal;
    start(&refusal);
    refusal.result = abut_mesh_create_revolution(profile, count, 8, &refusal.host.host, &refusal.mesh);
    if (refusal.result != ABUT_INVALID_DATA || strstr(abut_last_error(), message) == NULL)
    {
        fail_msg("%s and message \"%s\", expected invalid data and \"...%s...\"",
                 abut_result_name(refusal.result), abut_last_error(), message);
    }
    assert_null(refusal.mesh);
    assert_int_equal(refusal.host.live_count, 0);
}

static void test_bad_profiles_are_refused_with_the_point(void** state)
{
    (void)state;
    const float nan_point[][2] = { { 0, 0 }, { 1, NAN }, { 0, 1 } };
    const float left_of_axis[][2] = { { 0, 0 }, { 1, 0 }, { -0.5f, 0.5f }, { 0, 1 } };
    const float huge[][2] = { { 0, 0 }, { FLT_MAX, 0 }, { 0, 1 } };
    const float repeated[][2] = { { 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 } };
    const float closed_twice[][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 }, { 1, 0 } };
    const float touches_axis[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 2 }, { 0, 3 } };
    const float one_end_on_axis[][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
    const float crossing[][2] = { { 1, 0 }, { 2, 1 }, { 1, 1 }, { 2, 0 } };
    const float touching[][2] = { { 1, 0 }, { 3, 0 }, { 3, 1 }, { 2, 0 }, { 1, 1 } };
    const float turning_back[][2] = { { 1, 0 }, { 3, 0 }, { 2, 0 }, { 2, 1 } };
    const float clockwise[][2] = { { 0, 1 }, { 1, 0 }, { 0, -1 } };
    const float flat[][2] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
    check_profile(nan_point, 3, "point 1 is (1, nan)");
    check_profile(left_of_axis, 4, "point 2 is (-0.5, 0.5)");
    check_profile(huge, 3, "point 1 is");
    check_profile(repeated, 4, "point 2 equals the one before it");
    check_profile(closed_twice, 4, "point 0 equals the one before it");
    check_profile(touches_axis, 5, "point 2 lies on the axis");
    check_profile(one_end_on_axis, 3, "point 0 lies on the axis");
    check_profile(crossing, 4, "touch or cross");
    check_profile(touching, 5, "touch or cross");
    check_profile(turning_back, 4, "touch or cross");
    check_profile(clockwise, 3, "reverse its order");
    check_profile(flat, 3, "touch or cross");
}

static void test_revolution_refuses_bad_counts(void** state)
{
    (void)state;
    const float cone[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
    Refusal refusal;
    start(&refusal);
    refusal.result = abut_mesh_create_revolution(cone, 2, 8, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "revolution", "point_count", 2);
    start(&refusal);
    refusal.result = abut_mesh_create_revolution(cone, 16385, 8, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "revolution", "point_count", 16385);
    start(&refusal);
    refusal.result = abut_mesh_create_revolution(cone, 3, 2, &refusal.host.host, &refusal.mesh);
    check_refused(&refusal, "revolution", "divisions", 2);
    test_assert_result(abut_mesh_create_revolution(NULL, 3, 8, NULL, &refusal.mesh), ABUT_INVALID_ARGUMENT);
}

static void check_pipe(const AbutPipeMeshDef* def, const char* name, double value)
{
    Refusal refusal;
    start(&refusal);
    AbutPipeMeshDef with_host = *def;
    with_host.host = &refusal.host.host;
    refusal.result = abut_mesh_create_pipe(&with_host, &refusal.mesh);
    check_refused(&refusal, "pipe", name, value);
}

static void test_pipe_refuses_bad_numbers(void** state)
{
    (void)state;
    AbutPipeMeshDef def;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        def = abut_pipe_mesh_def();
        def.inner_radius = BAD_LENGTHS[i];
        check_pipe(&def, "inner_radius", BAD_LENGTHS[i]);
        def = abut_pipe_mesh_def();
        def.thickness = BAD_LENGTHS[i];
        check_pipe(&def, "thickness", BAD_LENGTHS[i]);
        def = abut_pipe_mesh_def();
        def.coil_radius = BAD_LENGTHS[i];
        check_pipe(&def, "coil_radius", BAD_LENGTHS[i]);
        def = abut_pipe_mesh_def();
        def.pitch = BAD_LENGTHS[i];
        check_pipe(&def, "pitch", BAD_LENGTHS[i]);
        def = abut_pipe_mesh_def();
        def.end_length = BAD_LENGTHS[i];
        check_pipe(&def, "end_length", BAD_LENGTHS[i]);
    }
    def = abut_pipe_mesh_def();
    def.pitch = 0.5f; // twice the outer radius
    check_pipe(&def, "pitch", 0.5);
    def = abut_pipe_mesh_def();
    def.coil_radius = 0.25f;
    check_pipe(&def, "coil_radius", 0.25);
    def = abut_pipe_mesh_def();
    def.turns = 1001.0f;
    check_pipe(&def, "turns", 1001);
    def = abut_pipe_mesh_def();
    def.turns = NAN;
    check_pipe(&def, "turns", NAN);
    def = abut_pipe_mesh_def();
    def.section_divisions = 2;
    check_pipe(&def, "section_divisions", 2);
    def = abut_pipe_mesh_def();
    def.divisions_per_turn = 7;
    check_pipe(&def, "divisions_per_turn", 7);
}

static void test_a_pipe_whose_turns_touch_is_refused(void** state)
{
    (void)state;
    // Along y the turns are 0.56 apart, but across their slope only 0.56 · cos(26.7°) = 0.50, the width of
    // the pipe.
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    def.coil_radius = 0.27f;
    def.divisions_per_turn = 256;
    AbutMesh* mesh = NULL;
    def.pitch = 0.51f;
    test_assert_result(abut_mesh_create_pipe(&def, &mesh), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "touch"));
    assert_non_null(strstr(abut_last_error(), "pitch, which is 0.51"));
    assert_null(mesh);
    def.pitch = 0.7f;
    test_assert_result(abut_mesh_create_pipe(&def, &mesh), ABUT_OK);
    abut_mesh_destroy(mesh);
}

static void check_terrain(const AbutTerrainDef* def, const char* name, double value)
{
    Refusal refusal;
    start(&refusal);
    AbutTerrainDef with_host = *def;
    with_host.host = &refusal.host.host;
    refusal.result = abut_mesh_create_terrain(&with_host, &refusal.mesh);
    check_refused(&refusal, "terrain", name, value);
    float height = 5.0f;
    refusal.result = abut_terrain_heights(&with_host, &height);
    check_refused(&refusal, "terrain", name, value);
    assert_true(height == 5.0f);
}

static void test_terrain_refuses_bad_numbers(void** state)
{
    (void)state;
    AbutTerrainDef def;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        def = abut_terrain_def();
        def.size = BAD_LENGTHS[i];
        check_terrain(&def, "size", BAD_LENGTHS[i]);
        def = abut_terrain_def();
        def.depth = BAD_LENGTHS[i];
        check_terrain(&def, "depth", BAD_LENGTHS[i]);
    }
    def = abut_terrain_def();
    def.height = -1.0f;
    check_terrain(&def, "height", -1);
    def = abut_terrain_def();
    def.divisions = 0;
    check_terrain(&def, "divisions", 0);
    def.divisions = 16385;
    check_terrain(&def, "divisions", 16385);
    def = abut_terrain_def();
    test_assert_result(abut_terrain_heights(&def, NULL), ABUT_INVALID_ARGUMENT);
}

static void check_gear(const AbutGearMeshDef* def, const char* name, double value)
{
    Refusal refusal;
    start(&refusal);
    AbutGearMeshDef with_host = *def;
    with_host.host = &refusal.host.host;
    refusal.result = abut_mesh_create_gear(&with_host, &refusal.mesh);
    check_refused(&refusal, "gear", name, value);
}

static void test_gear_refuses_bad_numbers(void** state)
{
    (void)state;
    AbutGearMeshDef def;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        def = abut_gear_mesh_def();
        def.module = BAD_LENGTHS[i];
        check_gear(&def, "module", BAD_LENGTHS[i]);
        def = abut_gear_mesh_def();
        def.width = BAD_LENGTHS[i];
        check_gear(&def, "width", BAD_LENGTHS[i]);
    }
    const uint32_t bad_teeth[] = { 0, 3, 1025 };
    for (int i = 0; i < 3; ++i)
    {
        def = abut_gear_mesh_def();
        def.teeth = bad_teeth[i];
        check_gear(&def, "teeth", bad_teeth[i]);
    }
    const float bad_angles[] = { 0.0f, 0.16f, 0.6f, NAN };
    for (int i = 0; i < 4; ++i)
    {
        def = abut_gear_mesh_def();
        def.pressure_angle = bad_angles[i];
        check_gear(&def, "pressure_angle", bad_angles[i]);
    }
    const float bad_bores[] = { -0.1f, 0.87f, NAN, INFINITY };
    for (int i = 0; i < 4; ++i)
    {
        def = abut_gear_mesh_def();
        def.bore_radius = bad_bores[i];
        check_gear(&def, "bore_radius", bad_bores[i]);
    }
    const float bad_backlashes[] = { -0.01f, 0.2f, NAN, INFINITY };
    for (int i = 0; i < 4; ++i)
    {
        def = abut_gear_mesh_def();
        def.backlash = bad_backlashes[i];
        check_gear(&def, "backlash", bad_backlashes[i]);
    }
    def = abut_gear_mesh_def();
    def.flank_divisions = 257;
    check_gear(&def, "flank_divisions", 257);
    def = abut_gear_mesh_def();
    def.bore_divisions = 2;
    check_gear(&def, "bore_divisions", 2);
}

static void test_teeth_that_end_in_a_point_are_refused(void** state)
{
    (void)state;
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = 4;
    def.bore_radius = 0.0f;
    def.backlash = 0.0f;
    def.pressure_angle = 0.53f;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_gear(&def, &mesh), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "pressure_angle 0.529999971"));
    assert_non_null(strstr(abut_last_error(), "4 teeth"));
}

static void check_thread(const AbutThreadMeshDef* def, const char* name, double value)
{
    AbutThreadMeshDef with_host = *def;
    Refusal refusal;
    start(&refusal);
    with_host.host = &refusal.host.host;
    refusal.result = abut_mesh_create_bolt(&with_host, &refusal.mesh);
    check_refused(&refusal, "bolt", name, value);
    start(&refusal);
    refusal.result = abut_mesh_create_nut(&with_host, &refusal.mesh);
    check_refused(&refusal, "nut", name, value);
}

static void test_bolt_and_nut_refuse_bad_numbers(void** state)
{
    (void)state;
    AbutThreadMeshDef def;
    for (int i = 0; i < BAD_LENGTH_COUNT; ++i)
    {
        float bad = BAD_LENGTHS[i];
        def = abut_thread_mesh_def();
        def.major_radius = bad;
        check_thread(&def, "major_radius", bad);
        def = abut_thread_mesh_def();
        def.pitch = bad;
        check_thread(&def, "pitch", bad);
        def = abut_thread_mesh_def();
        def.depth = bad;
        check_thread(&def, "depth", bad);
        def = abut_thread_mesh_def();
        def.length = bad;
        check_thread(&def, "length", bad);
        def = abut_thread_mesh_def();
        def.head_radius = bad;
        check_thread(&def, "head_radius", bad);
        def = abut_thread_mesh_def();
        def.head_height = bad;
        check_thread(&def, "head_height", bad);
    }
    def = abut_thread_mesh_def();
    def.clearance = -0.01f;
    check_thread(&def, "clearance", -0.01f);
    def = abut_thread_mesh_def();
    def.flank_angle = 1.2f;
    check_thread(&def, "flank_angle", 1.2f);
    def = abut_thread_mesh_def();
    def.depth = 0.18f; // the flanks would meet
    check_thread(&def, "depth", 0.18f);
    def = abut_thread_mesh_def();
    def.length = 0.19f; // under a pitch
    check_thread(&def, "length", 0.19f);
    def = abut_thread_mesh_def();
    def.head_radius = 0.57f; // its inscribed circle is smaller than the thread
    check_thread(&def, "head_radius", 0.57f);
    def = abut_thread_mesh_def();
    def.divisions_per_turn = 7;
    check_thread(&def, "divisions_per_turn", 7);
}

static void check_limit(AbutResult result, AbutMesh* mesh, const char* advice)
{
    test_assert_result(result, ABUT_LIMIT_EXCEEDED);
    assert_null(mesh);
    assert_non_null(strstr(abut_last_error(), "limit of 2147483648"));
    if (strstr(abut_last_error(), advice) == NULL)
    {
        fail_msg("\"%s\" does not name %s", abut_last_error(), advice);
    }
}

static void test_meshes_beyond_the_limit_are_refused_before_any_memory(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    AbutMesh* mesh = NULL;
    AbutTorusMeshDef torus = abut_torus_mesh_def();
    torus.major_divisions = 65536;
    torus.minor_divisions = 65536;
    torus.host = &host.host;
    AbutResult result = abut_mesh_create_torus(&torus, &mesh);
    check_limit(result, mesh, "major_divisions or minor_divisions");
    assert_int_equal(host.allocation_count, 0);

    AbutPipeMeshDef pipe = abut_pipe_mesh_def();
    pipe.turns = 1000.0f;
    pipe.section_divisions = 4096;
    pipe.divisions_per_turn = 256;
    pipe.thickness = 0.1f;
    pipe.host = &host.host;
    result = abut_mesh_create_pipe(&pipe, &mesh);
    check_limit(result, mesh, "section_divisions");

    AbutThreadMeshDef thread = abut_thread_mesh_def();
    thread.length = thread.pitch * 60000.0f;
    thread.divisions_per_turn = 4096;
    thread.host = &host.host;
    result = abut_mesh_create_bolt(&thread, &mesh);
    check_limit(result, mesh, "divisions_per_turn");
    assert_true(host.peak_bytes < 4u << 20);
    assert_int_equal(host.live_count, 0);
}

static void test_triangles_too_thin_for_float_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.minor_radius = 2e-5f;
    def.minor_divisions = 10000;
    test_assert_result(abut_mesh_create_torus(&def, &mesh), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "too thin"));
    assert_null(mesh);
    const float needle[][2] = { { 1, 1000 }, { 1.00001f, 1000 }, { 1.00001f, 1000.0001f } };
    test_assert_result(abut_mesh_create_revolution(needle, 3, 1000, NULL, &mesh), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "too thin"));
}

static void test_sizes_at_both_ends_of_the_range_work(void** state)
{
    (void)state;
    const float sizes[] = { 1e-18f, 1e-6f, 1e6f, 0.999e18f };
    for (int i = 0; i < 4; ++i)
    {
        AbutMesh* mesh = NULL;
        test_assert_result(abut_mesh_create_sphere(sizes[i], 9, NULL, &mesh), ABUT_OK);
        double ideal = 4.0 / 3.0 * 3.14159265358979 * pow(sizes[i], 3.0);
        test_assert_near(test_mesh_volume(mesh) / ideal, 1.0, 0.02);
        abut_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_and_box_refuse_bad_numbers),
        cmocka_unit_test(test_torus_refuses_bad_numbers),
        cmocka_unit_test(test_a_ring_that_twists_too_fast_is_refused),
        cmocka_unit_test(test_capsule_bowl_and_link_refuse_bad_numbers),
        cmocka_unit_test(test_bad_profiles_are_refused_with_the_point),
        cmocka_unit_test(test_revolution_refuses_bad_counts),
        cmocka_unit_test(test_pipe_refuses_bad_numbers),
        cmocka_unit_test(test_a_pipe_whose_turns_touch_is_refused),
        cmocka_unit_test(test_terrain_refuses_bad_numbers),
        cmocka_unit_test(test_gear_refuses_bad_numbers),
        cmocka_unit_test(test_teeth_that_end_in_a_point_are_refused),
        cmocka_unit_test(test_bolt_and_nut_refuse_bad_numbers),
        cmocka_unit_test(test_meshes_beyond_the_limit_are_refused_before_any_memory),
        cmocka_unit_test(test_triangles_too_thin_for_float_are_refused),
        cmocka_unit_test(test_sizes_at_both_ends_of_the_range_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
