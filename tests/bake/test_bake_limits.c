// What a bake takes and what it is asked for: memory is estimated and refused in time, errors are reached or
// said to be out of reach, and meshes that are no surface have an answer.
#include "support/meshes/meshes.h"

#include "bake/crease.h"
#include "mesh/triangle/closest_point.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AbutShape* make_shape(int kind)
{
    AbutShape *shape = NULL, *rotated = NULL;
    if (kind == 0)
    {
        test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &shape), ABUT_OK);
        return shape;
    }
    AbutPose pose = abut_pose_identity();
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 0.7f);
    test_assert_result(abut_shape_create_box(abut_vec3(0.8f, 0.6f, 0.5f), NULL, &shape), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(shape, &pose, NULL, &rotated), ABUT_OK);
    abut_shape_destroy(shape);
    return rotated;
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

static AbutBakeDef make_def(int k, uint32_t resolution, const AbutHost* host)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = (AbutFieldFormat)(k % 3);
    def.sparse = k >= 3;
    def.host = host;
    return def;
}

static void test_estimates_hold_and_are_near_for_dense_fields(void** state)
{
    (void)state;
    AbutShape* shape = make_shape(0);
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 0.4, 0.15, 96, 48);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    for (int k = 0; k < 12; ++k)
    {
        TestHost host;
        test_host_init(&host);
        AbutBakeDef def = make_def(k % 6, 96, &host.host);
        AbutBakeEstimate estimate;
        AbutShape* field = NULL;
        bool from_mesh = k >= 6;
        if (from_mesh)
        {
            test_assert_result(abut_bake_estimate_mesh(&def, mesh, &estimate), ABUT_OK);
            assert_int_equal(host.allocation_count, 0);
            test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
        }
        else
        {
            test_assert_result(abut_bake_estimate(&def, abut_shape_info(shape).bounds, &estimate), ABUT_OK);
            test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
        }
        AbutFieldInfo info = abut_field_info(field);
        print_message("%d: field %zu of %zu, peak %zu of %zu\n", k, info.bytes, estimate.field_bytes,
                      (size_t)host.peak_bytes, estimate.peak_bytes);
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_int_equal(estimate.cell_count[axis], info.cell_count[axis]);
        }
        test_assert_near(estimate.cell_size, info.cell_size, 0.0);
        assert_true(info.bytes <= estimate.field_bytes);
        assert_true(host.peak_bytes <= estimate.peak_bytes);
        if (!def.sparse)
        {
            assert_true((double)estimate.field_bytes < 1.05 * (double)info.bytes);
            assert_true(from_mesh || (double)estimate.peak_bytes < 1.2 * (double)host.peak_bytes);
        }
        abut_shape_destroy(field);
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
    abut_shape_destroy(shape);
}

/// Bakes with a limit; fails the test when anything is alive after a refusal.
static AbutResult bake_within(const AbutShape* shape, int k, size_t limit, uint64_t* allocations)
{
    TestHost host;
    test_host_init(&host);
    AbutBakeDef def = make_def(k, 96, &host.host);
    def.memory_limit = limit;
    AbutShape* field = NULL;
    AbutResult result = abut_bake_shape(&def, shape, &field);
    assert_true((result == ABUT_OK) == (field != NULL));
    assert_true(host.peak_bytes <= limit);
    abut_shape_destroy(field);
    assert_int_equal(host.live_count, 0);
    *allocations = host.allocation_count;
    return result;
}

static void test_limits_refuse_before_the_work_or_when_the_bricks_are_counted(void** state)
{
    (void)state;
    AbutShape* shape = make_shape(0);
    for (int k = 0; k < 6; ++k)
    {
        AbutBakeDef def = make_def(k, 96, NULL);
        AbutBakeEstimate estimate;
        AbutShape* field = NULL;
        uint64_t allocations;
        test_assert_result(abut_bake_estimate(&def, abut_shape_info(shape).bounds, &estimate), ABUT_OK);
        test_assert_result(bake_within(shape, k, estimate.peak_bytes, &allocations), ABUT_OK);
        test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
        size_t bytes = abut_field_info(field).bytes;
        abut_shape_destroy(field);
        // A dense field is refused before anything is allocated, a sparse one when it knows its size.
        test_assert_result(bake_within(shape, k, bytes, &allocations), ABUT_LIMIT_EXCEEDED);
        assert_true(def.sparse == (allocations > 0));
        char limit[32];
        snprintf(limit, sizeof(limit), "the limit is %zu", bytes);
        assert_non_null(strstr(abut_last_error(), limit));
        test_assert_result(bake_within(shape, k, 5000, &allocations), ABUT_LIMIT_EXCEEDED);
        assert_int_equal(allocations, 0);
    }
    abut_shape_destroy(shape);
}

static void test_meshes_count_towards_the_limit(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 0.4, 0.15, 200, 100);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    TestHost host;
    test_host_init(&host);
    AbutBakeDef def = make_def(3, 32, &host.host);
    AbutBakeEstimate estimate;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_estimate_mesh(&def, mesh, &estimate), ABUT_OK);
    def.memory_limit = estimate.field_bytes * 2;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_LIMIT_EXCEEDED);
    assert_int_equal(host.allocation_count, 0);
    def.memory_limit = estimate.peak_bytes;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    assert_true(host.peak_bytes <= estimate.peak_bytes);
    abut_shape_destroy(field);
    assert_int_equal(host.live_count, 0);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void test_estimates_of_huge_grids_do_not_wrap(void** state)
{
    (void)state;
    AbutBox box = abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
    AbutBakeEstimate estimate;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 8192;
    test_assert_result(abut_bake_estimate(&def, box, &estimate), ABUT_LIMIT_EXCEEDED);
    def.resolution = 2048;
    def.sparse = true;
    test_assert_result(abut_bake_estimate(&def, box, &estimate), ABUT_OK);
    assert_true(estimate.field_bytes > UINT64_C(4) << 30 && estimate.field_bytes < UINT64_C(16) << 30);
    assert_true(estimate.peak_bytes > estimate.field_bytes);
    def.resolution = 64;
    def.cell_size = 3e-7f;
    test_assert_result(abut_bake_estimate(&def, box, &estimate), ABUT_LIMIT_EXCEEDED);
}

// -----------------------------------------------------------------------------------------------------------
// Target errors
// -----------------------------------------------------------------------------------------------------------

/// The largest error within two cells of the surface, over random points.
static double largest_error(const AbutShape* shape, const AbutShape* field)
{
    TestRandom random = { 61 };
    double cell = abut_field_info(field).cell_size, largest = 0.0;
    for (int i = 0; i < 100000; ++i)
    {
        AbutVec3 p = test_random_point(&random, 0.6);
        double truth = (double)abut_shape_distance(shape, p, NULL);
        if (fabs(truth) <= 2.0 * cell)
        {
            largest = fmax(largest, fabs(truth - (double)abut_shape_distance(field, p, NULL)));
        }
    }
    return largest;
}

static void test_target_errors_are_reached_without_waste(void** state)
{
    (void)state;
    static const struct
    {
        int shape;
        AbutFieldFormat format;
        bool sparse;
        float target;
    } cases[] = {
        { 0, ABUT_FIELD_F32, false, 1e-2f },        { 0, ABUT_FIELD_F32, false, 3e-4f },
        { 0, ABUT_FIELD_F32, true, 2e-4f },         { 0, ABUT_FIELD_F16, false, 1e-3f },
        { 0, ABUT_FIELD_FIRST_ORDER, true, 1e-5f }, { 1, ABUT_FIELD_F32, true, 3e-3f },
        { 1, ABUT_FIELD_FIRST_ORDER, true, 3e-3f },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutShape *shape = make_shape(cases[i].shape), *field = NULL;
        AbutBakeDef def = abut_bake_def();
        def.format = cases[i].format;
        def.sparse = cases[i].sparse;
        def.target_error = cases[i].target;
        def.cell_size = 1.0f; // does not count
        test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
        AbutFieldInfo info = abut_field_info(field);
        double error = largest_error(shape, field);
        print_message("%zu: target %g, measured %g, largest of many %g, %u cells\n", i,
                      (double)cases[i].target, (double)info.measured_max, error, info.cell_count[0]);
        assert_true(info.measured_max <= cases[i].target);
        assert_true(error < 1.5 * (double)cases[i].target);
        // No finer than needed, beyond what one brick and a cautious aim make.
        assert_true(info.cell_count[0] <= 32 || info.measured_max > 0.2f * cases[i].target);
        abut_shape_destroy(field);
        abut_shape_destroy(shape);
    }
}

static bool count_progress(void* user, float done)
{
    float* last = user;
    assert_true(done >= *last && done <= 1.0f);
    *last = done;
    return true;
}

static bool stop_late(void* user, float done)
{
    (void)user;
    return done < 0.6f;
}

static void test_target_errors_out_of_reach_are_said(void** state)
{
    (void)state;
    AbutShape *shape = make_shape(1), *field = NULL;
    float last = 0.0f;
    AbutBakeDef def = abut_bake_def();
    def.target_error = 1e-5f;
    def.memory_limit = (size_t)8 << 20;
    def.progress = count_progress;
    def.progress_user = &last;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_LIMIT_EXCEEDED);
    assert_null(field);
    assert_true(last >= 0.5f);
    assert_non_null(strstr(abut_last_error(), "an error of 1e-05 is not reached: with "));
    assert_non_null(strstr(abut_last_error(), "the memory limit of 0.00839 GB allows"));
    def.memory_limit = 0;
    def.target_error = 1e-3f;
    def.progress = stop_late;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_CANCELLED);
    assert_null(field);
    def.target_error = NAN;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_ARGUMENT);
    abut_shape_destroy(shape);
    // A plane is exact at any resolution but for rounding, which finer cells do not cure.
    test_assert_result(abut_shape_create_plane(abut_vec3(1, 2, 3), 0.1f, NULL, &shape), ABUT_OK);
    def.progress = NULL;
    def.box = abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
    def.target_error = 1e-12f;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "finer cells do not help"));
    abut_shape_destroy(shape);
}

/// A ring whose tube has so many corners, turned and scaled at random.
static AbutMesh* make_ring(uint32_t corners, double scale, TestRandom* random)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.minor_divisions = corners;
    def.major_divisions = 96;
    def.minor_radius = 0.35f;
    AbutMesh *ring = NULL, *rotated = NULL;
    test_assert_result(abut_mesh_create_torus(&def, &ring), ABUT_OK);
    AbutQuat rotation = test_random_rotation(random);
    uint32_t count = abut_mesh_vertex_count(ring);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    for (uint32_t i = 0; i < count; ++i)
    {
        vertices[i] = abut_vec3_scale(abut_quat_rotate(rotation, abut_mesh_vertices(ring)[i]), (float)scale);
    }
    AbutMeshDef mesh = abut_mesh_def();
    mesh.vertices = vertices;
    mesh.vertex_count = count;
    mesh.indices = abut_mesh_indices(ring);
    mesh.triangle_count = abut_mesh_triangle_count(ring);
    test_assert_result(abut_mesh_create(&mesh, &rotated), ABUT_OK);
    free(vertices);
    abut_mesh_destroy(ring);
    return rotated;
}

/// What the edges of a mesh say is no more than what a bake measures, and not far from it where they are all
/// that there is.
static void test_errors_of_sharp_edges_are_foreseen(void** state)
{
    (void)state;
    static const uint32_t corners[] = { 3, 4, 5, 6, 8, 12, 20, 40 };
    TestRandom random = { 16 };
    for (int i = 0; i < (TEST_IS_SANITIZED ? 2 : 8); ++i)
    {
        double scale = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1.0 : 4e3, degrees;
        AbutMesh* mesh = make_ring(corners[i], scale, &random);
        for (int order = 0; order < 2; ++order)
        {
            AbutBakeDef def = abut_bake_def();
            def.format = order == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER;
            def.cell_size = (float)(scale * test_random_range(&random, 0.025, 0.04));
            AbutShape* field = NULL;
            test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
            double measured = (double)abut_field_info(field).measured_max, cell = (double)def.cell_size;
            AbutCreases creases;
            test_assert_result(abut_creases_find(&def, mesh, &creases), ABUT_OK);
            double expected = abut_creases_error(&creases, cell);
            print_message("%u corners, order %d: measured %.3f cells, expected %.3f\n", corners[i], order,
                          measured / cell, expected / cell);
            assert_true(abut_creases_cell(&creases, measured, &degrees) >= cell);
            assert_true(expected > 0.5 * measured && expected < 2.0 * measured);
            abut_shape_destroy(field);
        }
        abut_mesh_destroy(mesh);
    }
}

static bool count_calls(void* user, float done)
{
    (void)done;
    ++*(int*)user;
    return true;
}

static void test_errors_out_of_reach_of_sharp_meshes_are_refused_before_the_first_bake(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < 12; ++i)
    {
        double scale = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1.0 : 4e3;
        AbutMesh* mesh = make_ring(3 + (uint32_t)i, scale, &random);
        AbutShape* field = NULL;
        int calls = 0;
        AbutBakeDef def = abut_bake_def();
        def.format = i % 2 == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER;
        def.sparse = i % 4 > 1;
        def.target_error = (float)(1e-5 * scale);
        def.memory_limit = (size_t)200 << 20;
        def.progress = count_calls;
        def.progress_user = &calls;
        test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_LIMIT_EXCEEDED);
        assert_int_equal(calls, 0);
        const char* about = strstr(abut_last_error(), "with them about ");
        assert_non_null(strstr(abut_last_error(), "is not reached: edges that bend by "));
        assert_non_null(about);
        double reached = strtod(about + strlen("with them about "), NULL);
        assert_true(reached > 1e-5 * scale && reached < 1e-2 * scale);
        abut_mesh_destroy(mesh);
    }
}

static AbutResult bake_to_target(void* context, const AbutHost* host)
{
    (void)context;
    AbutBakeDef def = abut_bake_def();
    def.target_error = 3e-3f;
    def.host = host;
    AbutShape *shape = make_shape(0), *field = NULL;
    AbutResult result = abut_bake_shape(&def, shape, &field);
    abut_shape_destroy(field);
    abut_shape_destroy(shape);
    return result;
}

static void test_targets_survive_every_failing_allocation(void** state)
{
    (void)state;
    test_fail_every_allocation(bake_to_target, NULL);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes at their limits
// -----------------------------------------------------------------------------------------------------------

static AbutResult bake_soup(TestSoup* soup, AbutBakeSign sign, float thickness, AbutShape** field)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 32;
    def.sign = sign;
    def.thickness = thickness;
    AbutResult result = abut_bake_mesh(&def, mesh, field);
    abut_mesh_destroy(mesh);
    return result;
}

static void test_meshes_without_a_surface_are_refused(void** state)
{
    (void)state;
    TestSoup empty = { 0 }, point = { 0 }, line = { 0 }, huge = { 0 }, tiny = { 0 };
    AbutShape* field = NULL;
    test_assert_result(bake_soup(&empty, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "no triangles"));
    test_soup_loose(&point, abut_vec3(1, 2, 3), abut_vec3(1, 2, 3), abut_vec3(1, 2, 3));
    test_assert_result(bake_soup(&point, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_INVALID_DATA);
    test_soup_loose(&line, abut_vec3(0, 0, 0), abut_vec3(1, 2, 3), abut_vec3(2, 4, 6));
    test_soup_loose(&line, abut_vec3(1, 1, 1), abut_vec3(1, 1, 1), abut_vec3(2, 4, 6));
    test_assert_result(bake_soup(&line, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "no triangle of the mesh has an area"));
    test_soup_box(&huge, abut_vec3(-1e20f, -1e20f, -1e20f), abut_vec3(1e20f, 1e20f, 1e20f));
    test_assert_result(bake_soup(&huge, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_INVALID_DATA);
    test_soup_box(&tiny, abut_vec3(-1e-20f, -1e-20f, -1e-20f), abut_vec3(1e-20f, 1e-20f, 1e-20f));
    test_assert_result(bake_soup(&tiny, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_INVALID_DATA);
    assert_null(field);
    // A shell around segments is a solid all the same.
    test_assert_result(bake_soup(&line, ABUT_BAKE_SIGN_SHELL, 0.5f, &field), ABUT_OK);
    test_assert_near(abut_shape_distance(field, abut_vec3(1, 2, 3), NULL), -0.25, 0.1);
    abut_shape_destroy(field);
    test_soup_free(&point);
    test_soup_free(&line);
    test_soup_free(&huge);
    test_soup_free(&tiny);
}

static void test_nan_never_gets_into_a_mesh(void** state)
{
    (void)state;
    const AbutVec3 vertices[3] = { { 0, 0, 0 }, { 1, NAN, 0 }, { 0, 1, 0 } };
    const uint32_t indices[3] = { 0, 1, 2 };
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.indices = indices;
    def.triangle_count = 1;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_DATA);
}

static double soup_distance(const TestSoup* soup, const double p[3])
{
    double best = INFINITY;
    for (uint32_t i = 0; i < soup->triangle_count; ++i)
    {
        AbutDVec3 corner[3];
        for (int k = 0; k < 3; ++k)
        {
            corner[k] = abut_dvec3_from_vec3(soup->vertices[soup->indices[3 * i + (uint32_t)k]]);
        }
        best = fmin(best, abut_triangle_closest_feature(corner, abut_dvec3_from_array(p)).squared);
    }
    return sqrt(best);
}

/// Distances at all nodes, without sign, against a search through all triangles in double.
static void check_nodes(const TestSoup* soup, const AbutShape* field, double size)
{
    AbutFieldInfo info = abut_field_info(field);
    for (uint32_t z = 0; z <= info.cell_count[2]; z += 3)
    {
        for (uint32_t y = 0; y <= info.cell_count[1]; ++y)
        {
            for (uint32_t x = 0; x <= info.cell_count[0]; x += 2)
            {
                float value;
                const uint32_t at[3] = { x, y, z }, one[3] = { 1, 1, 1 };
                abut_field_read_nodes(field, at, one, &value);
                const double p[3] = { info.origin.x + info.cell_size * x, info.origin.y + info.cell_size * y,
                                      info.origin.z + info.cell_size * z };
                test_assert_near(fabs((double)value), soup_distance(soup, p), 1e-6 * size);
            }
        }
    }
}

static void test_one_triangle_is_a_sheet(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_loose(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 0, 0.2f), abut_vec3(0.3f, 1, 0));
    AbutShape* field = NULL;
    test_assert_result(bake_soup(&soup, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_OK);
    check_nodes(&soup, field, 1.0);
    assert_true(!abut_field_info(field).sign.closed);
    abut_shape_destroy(field);
    test_soup_free(&soup);
}

static double box_distance(const double p[3], const double half[3])
{
    double outside = 0.0, inside = -INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double q = fabs(p[axis]) - half[axis];
        outside += q > 0.0 ? q * q : 0.0;
        inside = fmax(inside, q);
    }
    return outside > 0.0 ? sqrt(outside) : inside;
}

/// A box of half-extents 1, 0.7 and 0.5 times `scale`, its centre at `shift`.
static void check_box(double scale, double shift, double tolerance)
{
    TestSoup soup = { 0 };
    const double half[3] = { scale, 0.7 * scale, 0.5 * scale };
    AbutVec3 low = abut_vec3((float)(shift - half[0]), (float)(shift - half[1]), (float)(shift - half[2]));
    AbutVec3 high = abut_vec3((float)(shift + half[0]), (float)(shift + half[1]), (float)(shift + half[2]));
    test_soup_box(&soup, low, high);
    AbutShape* field = NULL;
    test_assert_result(bake_soup(&soup, ABUT_BAKE_SIGN_AUTO, 0.0f, &field), ABUT_OK);
    AbutFieldInfo info = abut_field_info(field);
    TestRandom random = { 62 };
    for (int i = 0; i < 20000; ++i)
    {
        uint32_t at[3];
        const uint32_t one[3] = { 1, 1, 1 };
        const double origin[3] = { info.origin.x, info.origin.y, info.origin.z };
        double p[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] = (uint32_t)(test_random_bits(&random) % (info.cell_count[axis] + 1));
            p[axis] = origin[axis] + info.cell_size * at[axis] - shift;
        }
        float value;
        abut_field_read_nodes(field, at, one, &value);
        test_assert_near(value, box_distance(p, half), tolerance * scale);
    }
    test_assert_near(info.mass.volume, 2.8 * scale * scale * scale, 0.02 * scale * scale * scale);
    abut_shape_destroy(field);
    test_soup_free(&soup);
}

static void test_fields_are_right_at_every_scale(void** state)
{
    (void)state;
    check_box(1.0, 0.3, 2e-6);
    check_box(1e-6, 3e-7, 2e-6);
    check_box(1e6, 3e5, 2e-6);
    check_box(1e-12, 0.0, 2e-6);
    check_box(1e12, 0.0, 2e-6);
    check_box(1.0, 1000.0, 3e-4); // a float at 1000 is no finer than 6e-5
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates_hold_and_are_near_for_dense_fields),
        cmocka_unit_test(test_limits_refuse_before_the_work_or_when_the_bricks_are_counted),
        cmocka_unit_test(test_meshes_count_towards_the_limit),
        cmocka_unit_test(test_estimates_of_huge_grids_do_not_wrap),
        cmocka_unit_test(test_target_errors_are_reached_without_waste),
        cmocka_unit_test(test_target_errors_out_of_reach_are_said),
        cmocka_unit_test(test_errors_of_sharp_edges_are_foreseen),
        cmocka_unit_test(test_errors_out_of_reach_of_sharp_meshes_are_refused_before_the_first_bake),
        cmocka_unit_test(test_targets_survive_every_failing_allocation),
        cmocka_unit_test(test_meshes_without_a_surface_are_refused),
        cmocka_unit_test(test_nan_never_gets_into_a_mesh),
        cmocka_unit_test(test_one_triangle_is_a_sheet),
        cmocka_unit_test(test_fields_are_right_at_every_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
