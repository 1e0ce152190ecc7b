// Surfaces of bad input: numbers out of range, callbacks that lie, return NaN or change their mind, memory
// that runs out, people who press cancel.
#include "support/meshes/mesh_check.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static void expect(const AbutShape* shape, const AbutSurfaceDef* def, AbutResult expected, const char* words)
{
    AbutMesh* mesh = (AbutMesh*)(uintptr_t)64;
    test_assert_result(abut_surface_create(def, shape, &mesh), expected);
    assert_null(mesh);
    if (strstr(abut_last_error(), words) == NULL)
    {
        fail_msg("the message '%s' does not have the words '%s'", abut_last_error(), words);
    }
}

static AbutBox cube(float half)
{
    return abut_box(abut_vec3(-half, -half, -half), abut_vec3(half, half, half));
}

static void test_numbers_out_of_range_are_refused(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    const uint32_t resolutions[] = { 0, 1, 4097, 5000, UINT32_MAX };
    for (size_t i = 0; i < sizeof(resolutions) / sizeof(resolutions[0]); ++i)
    {
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = resolutions[i];
        expect(sphere, &def, ABUT_INVALID_ARGUMENT, "resolution");
    }
    const float cell_sizes[] = { -1.0f, NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < sizeof(cell_sizes) / sizeof(cell_sizes[0]); ++i)
    {
        AbutSurfaceDef def = abut_surface_def();
        def.cell_size = cell_sizes[i];
        expect(sphere, &def, ABUT_INVALID_ARGUMENT, "cell_size");
    }
    const float levels[] = { NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); ++i)
    {
        AbutSurfaceDef def = abut_surface_def();
        def.iso = levels[i];
        expect(sphere, &def, ABUT_INVALID_ARGUMENT, "iso");
    }
    AbutSurfaceDef def = abut_surface_def();
    def.iso = 3.4e38f; // the cells around the bounds do not fit any more
    expect(sphere, &def, ABUT_LIMIT_EXCEEDED, "range of float");
    def.iso = 3.4028e38f;
    expect(sphere, &def, ABUT_LIMIT_EXCEEDED, "range of float");
    abut_shape_destroy(sphere);
}

static void test_boxes_out_of_range_are_refused(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    AbutSurfaceDef def = abut_surface_def();
    for (int i = 0; i < 6; ++i)
    {
        const float bad[] = { NAN, i < 3 ? -INFINITY : INFINITY, i < 3 ? 1.0f : -1.0f };
        const char* const words[] = { "not a number", "not finite", "flat" };
        for (int k = 0; k < 3; ++k)
        {
            float sides[6] = { -1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f };
            sides[i] = bad[k];
            memcpy(&def.box, sides, sizeof(sides));
            expect(sphere, &def, ABUT_INVALID_ARGUMENT, words[k]);
        }
    }
    def.box = cube(3.2e38f);
    AbutMesh* mesh = NULL;
    test_assert_result(abut_surface_create(&def, sphere, &mesh), ABUT_OK);
    assert_int_equal(abut_mesh_triangle_count(mesh), 8); // around the one node in the ball
    abut_mesh_destroy(mesh);
    abut_shape_destroy(sphere);
}

static void test_cells_that_are_too_small_are_refused(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    AbutSurfaceDef def = abut_surface_def();
    def.cell_size = 1e-4f;
    expect(sphere, &def, ABUT_LIMIT_EXCEEDED, "use cells of at least 0.000488281");
    def.cell_size = 1e-45f;
    expect(sphere, &def, ABUT_LIMIT_EXCEEDED, "4096");
    def.cell_size = 0.0f;
    def.box = abut_box(abut_vec3(1e6f, 1e6f, 1e6f), abut_vec3(1e6f + 1.0f, 1e6f + 1.0f, 1e6f + 1.0f));
    expect(sphere, &def, ABUT_LIMIT_EXCEEDED, "float coordinates");
    abut_shape_destroy(sphere);
}

static void test_shapes_without_end_need_a_box(void** state)
{
    (void)state;
    AbutShape* plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutSurfaceDef def = abut_surface_def();
    expect(plane, &def, ABUT_INVALID_ARGUMENT, "give a box");
    def.cell_size = 1.0f;
    expect(plane, &def, ABUT_INVALID_ARGUMENT, "give a box");
    abut_shape_destroy(plane);
}

static void test_empty_shapes_give_empty_meshes(void** state)
{
    (void)state;
    AbutShape *left = NULL, *right = NULL, *both = NULL, *sphere = test_make_sphere(1.0f);
    AbutPose pose = abut_pose_at(10.0, 0.0, 0.0);
    test_assert_result(abut_shape_create_transformed(sphere, &pose, NULL, &left), ABUT_OK);
    pose.position.x = -10.0;
    test_assert_result(abut_shape_create_transformed(sphere, &pose, NULL, &right), ABUT_OK);
    AbutShape* const children[] = { left, right };
    test_assert_result(abut_shape_create_intersection(children, 2, NULL, &both), ABUT_OK);
    for (int i = 0; i < 2; ++i)
    {
        AbutSurfaceDef def = abut_surface_def();
        def.box = i == 0 ? def.box : cube(20.0f);
        AbutMesh* mesh = NULL;
        test_assert_result(abut_surface_create(&def, both, &mesh), ABUT_OK);
        assert_int_equal(abut_mesh_vertex_count(mesh), 0);
        assert_int_equal(abut_mesh_triangle_count(mesh), 0);
        abut_mesh_destroy(mesh);
    }
    abut_shape_destroy(both);
    abut_shape_destroy(left);
    abut_shape_destroy(right);
    abut_shape_destroy(sphere);
}

// -----------------------------------------------------------------------------------------------------------
// Callbacks
// -----------------------------------------------------------------------------------------------------------

static float ball(AbutPoints points, size_t i)
{
    const double x = points.x[i], y = points.y[i], z = points.z[i];
    return (float)(sqrt(x * x + y * y + z * z) - 1.0);
}

static AbutShape* make_callback(AbutDistanceFn* function, void* user)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = function;
    def.user = user;
    def.bounds = cube(1.0f);
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    return shape;
}

static void sample_steep(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const float* slope = user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = *slope * ball(points, i);
    }
}

static void test_wrong_slope_bounds_tear_no_holes(void** state)
{
    (void)state;
    uint32_t vertex_count = 0;
    for (int i = 0; i < 8; ++i)
    {
        // Slope 1 is declared. Up to 2⁴ more of it still leaves a block that happens to be sampled here.
        float slope = ldexpf(1.0f, i < 5 ? i : 15 * i);
        AbutShape* shape = make_callback(sample_steep, &slope);
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = 64;
        AbutMesh* mesh = NULL;
        test_assert_result(abut_surface_create(&def, shape, &mesh), ABUT_OK);
        test_check_manifold(mesh, "surface");
        if (i == 0)
        {
            vertex_count = abut_mesh_vertex_count(mesh);
        }
        else if (i < 5)
        {
            assert_int_equal(abut_mesh_vertex_count(mesh), vertex_count);
        }
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
}

static void test_levels_above_zero_of_callbacks_need_a_box(void** state)
{
    (void)state;
    float slope = 0.5f;
    AbutShape* shape = make_callback(sample_steep, &slope);
    AbutSurfaceDef def = abut_surface_def();
    def.iso = 0.25f;
    expect(shape, &def, ABUT_INVALID_ARGUMENT, "give a box");
    def.box = cube(2.0f);
    AbutMesh* mesh = NULL;
    test_assert_result(abut_surface_create(&def, shape, &mesh), ABUT_OK);
    test_assert_near(test_mesh_volume(mesh), 4.18879 * 1.5 * 1.5 * 1.5, 0.05);
    abut_mesh_destroy(mesh);
    abut_shape_destroy(shape);
}

/// NaN within a small ball about a point.
static void sample_nan(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const AbutVec3* center = user;
    for (size_t i = 0; i < count; ++i)
    {
        const AbutVec3 p = abut_vec3(points.x[i], points.y[i], points.z[i]);
        out.distance[i] = abut_vec3_length(abut_vec3_sub(p, *center)) < 0.03f ? NAN : ball(points, i);
    }
}

static void test_nan_is_reported_with_its_position(void** state)
{
    (void)state;
    AbutVec3 center = { 0.6f, 0.8f, 0.0f }; // on the surface
    AbutShape* shape = make_callback(sample_nan, &center);
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 100;
    char first[256] = "";
    for (uint32_t worker_count = 1; worker_count <= 7; worker_count += 3)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(worker_count, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        def.host = &host;
        expect(shape, &def, ABUT_INVALID_DATA, "not a number at (0.");
        if (worker_count == 1)
        {
            strncpy(first, abut_last_error(), sizeof(first) - 1);
        }
        assert_string_equal(abut_last_error(), first);
        abut_workers_destroy(workers);
    }
    abut_shape_destroy(shape);
}

static void sample_infinite(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = ball(points, i) <= 0.0f ? -INFINITY : INFINITY;
    }
}

static void test_infinite_distances_are_sides(void** state)
{
    (void)state;
    AbutShape* shape = make_callback(sample_infinite, NULL);
    AbutSurfaceDef def = abut_surface_def();
    AbutMesh* mesh = NULL;
    test_assert_result(abut_surface_create(&def, shape, &mesh), ABUT_OK);
    test_check_manifold(mesh, "surface");
    test_assert_near(test_mesh_volume(mesh), 4.18879, 0.01);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        test_assert_near(abut_vec3_length(abut_mesh_vertices(mesh)[i]), 1.0, 1.1e-4 * 2.0 / 64.0);
    }
    abut_mesh_destroy(mesh);
    abut_shape_destroy(shape);
}

/// One answer in `period` is a lie that depends on when it was asked for, not where.
typedef struct Fickle
{
    atomic_uint calls;
    unsigned period;
} Fickle;

static void sample_fickle(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    Fickle* fickle = user;
    for (size_t i = 0; i < count; ++i)
    {
        const unsigned call = atomic_fetch_add(&fickle->calls, 1);
        out.distance[i] = call % fickle->period == fickle->period - 1 ? -ball(points, i) : ball(points, i);
    }
}

static void test_callbacks_that_change_their_mind_do_no_harm(void** state)
{
    (void)state;
    int refused = 0;
    for (unsigned period = 2; period < 1u << 22; period = period * 3 / 2 + 1)
    {
        Fickle fickle = { .period = period };
        AbutShape* shape = make_callback(sample_fickle, &fickle);
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = 32;
        AbutMesh* mesh = NULL;
        AbutResult result = abut_surface_create(&def, shape, &mesh);
        if (result == ABUT_OK)
        {
            test_check_manifold(mesh, "surface");
        }
        else
        {
            test_assert_result(result, ABUT_INVALID_DATA);
            refused += 1;
        }
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
    assert_true(refused > 10);
}

// -----------------------------------------------------------------------------------------------------------
// Memory, progress
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_surface(void* context, const AbutHost* host)
{
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 60;
    def.host = host;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_surface_create(&def, context, &mesh);
    assert_int_equal(result == ABUT_OK, mesh != NULL);
    abut_mesh_destroy(mesh);
    return result;
}

static void test_surface_survives_every_failing_allocation(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    assert_true(test_fail_every_allocation(create_surface, sphere) > 10);
    abut_shape_destroy(sphere);
    float slope = 8.0f; // so that blocks are added late
    AbutShape* steep = make_callback(sample_steep, &slope);
    test_fail_every_allocation(create_surface, steep);
    abut_shape_destroy(steep);
}

typedef struct Progress
{
    pthread_t caller;
    int calls, stop_at;
    float done;
} Progress;

static bool on_progress(void* user, float done)
{
    Progress* progress = user;
    assert_true(pthread_equal(pthread_self(), progress->caller));
    assert_true(done >= progress->done && done <= 1.0f);
    progress->done = done;
    progress->calls += 1;
    return progress->calls != progress->stop_at;
}

static void test_progress_rises_to_one_and_can_stop(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    for (int stop_at = 0, calls = 1; stop_at <= calls; ++stop_at)
    {
        Progress progress = { .caller = pthread_self(), .stop_at = stop_at };
        TestHost test_host;
        test_host_init(&test_host);
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = 150;
        def.progress = on_progress;
        def.progress_user = &progress;
        def.host = &test_host.host;
        AbutMesh* mesh = NULL;
        AbutResult result = abut_surface_create(&def, sphere, &mesh);
        test_assert_result(result, stop_at == 0 ? ABUT_OK : ABUT_CANCELLED);
        if (stop_at == 0)
        {
            calls = progress.calls;
            assert_true(calls >= 5);
            assert_true(progress.done == 1.0f);
        }
        assert_int_equal(progress.calls, stop_at == 0 ? calls : stop_at);
        abut_mesh_destroy(mesh);
        assert_int_equal(test_host.live_count, 0);
    }
    abut_shape_destroy(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_out_of_range_are_refused),
        cmocka_unit_test(test_boxes_out_of_range_are_refused),
        cmocka_unit_test(test_cells_that_are_too_small_are_refused),
        cmocka_unit_test(test_shapes_without_end_need_a_box),
        cmocka_unit_test(test_empty_shapes_give_empty_meshes),
        cmocka_unit_test(test_wrong_slope_bounds_tear_no_holes),
        cmocka_unit_test(test_levels_above_zero_of_callbacks_need_a_box),
        cmocka_unit_test(test_nan_is_reported_with_its_position),
        cmocka_unit_test(test_infinite_distances_are_sides),
        cmocka_unit_test(test_callbacks_that_change_their_mind_do_no_harm),
        cmocka_unit_test(test_surface_survives_every_failing_allocation),
        cmocka_unit_test(test_progress_rises_to_one_and_can_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
