// How the surface is found: nothing is lost by culling, nothing depends on workers, instruction sets or
// scale.
#include "support/meshes/mesh_check.h"
#include "support/shapes.h"
#include "support/support.h"

#include "surface/cases.h"
#include "surface/grid.h"

#include <math.h>
#include <stdlib.h>

static AbutMesh* mesh_of(const AbutShape* shape, const AbutSurfaceDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_surface_create(def, shape, &mesh), ABUT_OK);
    return mesh;
}

static AbutMesh* mesh_at(const AbutShape* shape, uint32_t resolution)
{
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = resolution;
    return mesh_of(shape, &def);
}

// -----------------------------------------------------------------------------------------------------------
// Culling
// -----------------------------------------------------------------------------------------------------------

/// Counts of the mesh that an evaluation of every node gives.
typedef struct Counts
{
    uint64_t vertices, triangles;
} Counts;

static void mark_row(const AbutShape* shape, float iso, const AbutSurfaceGrid* grid, uint32_t y, uint32_t z,
                     uint8_t* inside)
{
    enum
    {
        MOST = 512
    };
    float row_y[MOST], row_z[MOST], value[MOST];
    const uint32_t count = grid->axes[0].cell_count + 1;
    assert_true(count <= MOST);
    for (uint32_t i = 0; i < count; ++i)
    {
        row_y[i] = grid->axes[1].nodes[y];
        row_z[i] = grid->axes[2].nodes[z];
    }
    const AbutPoints points = { grid->axes[0].nodes + 1, row_y, row_z };
    abut_shape_sample(shape, NULL, points, count, (AbutSamples){ .distance = value });
    for (uint32_t i = 0; i < count; ++i)
    {
        inside[i + 1] = value[i] <= iso;
    }
}

static Counts count_densely(const AbutShape* shape, const AbutSurfaceDef* def)
{
    AbutHost host = abut_host_default();
    AbutSurfaceGrid grid;
    AbutSurfaceCase cases[ABUT_CASE_COUNT];
    abut_surface_cases_make(cases);
    test_assert_result(abut_surface_grid_create(def, shape, &host, &grid), ABUT_OK);
    uint32_t n[3]; // nodes of the box, and one around them
    for (int i = 0; i < 3; ++i)
    {
        n[i] = grid.axes[i].cell_count + 3;
    }
    uint8_t* inside = calloc((size_t)n[0] * n[1] * n[2], 1);
    assert_non_null(inside);
    const size_t stride[3] = { 1, n[0], (size_t)n[0] * n[1] };
    for (uint32_t z = 1; z + 1 < n[2]; ++z)
    {
        for (uint32_t y = 1; y + 1 < n[1]; ++y)
        {
            mark_row(shape, def->iso, &grid, y, z, &inside[stride[1] * y + stride[2] * z]);
        }
    }
    Counts counts = { 0, 0 };
    for (uint32_t z = 0; z + 1 < n[2]; ++z)
    {
        for (uint32_t y = 0; y + 1 < n[1]; ++y)
        {
            for (uint32_t x = 0; x + 1 < n[0]; ++x)
            {
                const uint8_t* node = &inside[x + stride[1] * y + stride[2] * z];
                unsigned signs = 0;
                for (unsigned corner = 0; corner < 8; ++corner)
                {
                    signs |=
                        (unsigned)
                            node[(corner & 1) + stride[1] * (corner >> 1 & 1) + stride[2] * (corner >> 2)]
                        << corner;
                }
                counts.triangles += cases[signs].triangle_count;
                for (int axis = 0; axis < 3; ++axis)
                {
                    counts.vertices += node[0] != node[stride[axis]];
                }
            }
        }
    }
    free(inside);
    abut_surface_grid_destroy(&grid, &host);
    return counts;
}

static void test_culling_loses_nothing(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int i = 0; i < 8; ++i)
    {
        AbutShape* shape = test_make_random_solid(&random);
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = 16 + 8 * (uint32_t)i;
        if (i % 3 == 0) // a box that cuts the solid, with cells that are not quite cubes
        {
            def.box = abut_box(abut_vec3(-0.6f, -1.0f, -0.3f), abut_vec3(0.5f, 0.33f, 0.9f));
        }
        def.iso = i % 4 == 3 ? -0.02f : 0.0f;
        AbutMesh* mesh = mesh_of(shape, &def);
        const Counts counts = count_densely(shape, &def);
        assert_int_equal(abut_mesh_vertex_count(mesh), counts.vertices);
        assert_int_equal(abut_mesh_triangle_count(mesh), counts.triangles);
        test_check_manifold(mesh, "surface");
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
}

static void test_inspection_finds_no_fault(void** state)
{
    (void)state;
    TestRandom random = { 29 };
    for (int i = 0; i < 4; ++i)
    {
        AbutShape* shape = test_make_random_solid(&random);
        AbutSurfaceDef def = abut_surface_def();
        if (i % 2 == 1) // a box that cuts the solid
        {
            def.box = abut_box_expand(abut_shape_info(shape).bounds, -0.3f);
        }
        AbutMesh* mesh = mesh_of(shape, &def);
        AbutMeshInspectDef inspect_def = abut_mesh_inspect_def();
        AbutMeshReport report;
        test_assert_result(abut_mesh_inspect(&inspect_def, mesh, &report), ABUT_OK);
        assert_true(report.triangle_count > 1000);
        assert_int_equal(report.boundary_edge_count, 0);
        assert_int_equal(report.nonmanifold_edge_count, 0);
        assert_true(report.closed && report.oriented);
        assert_int_equal(report.welded_vertex_count, report.vertex_count);
        assert_int_equal(report.degenerate_count, 0);
        assert_int_equal(report.duplicate_count, 0);
        assert_int_equal(report.t_junction_count, 0);
        assert_int_equal(report.self_intersection_count, 0);
        assert_true(report.mass.volume > 0.0);
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Determinism and scale
// -----------------------------------------------------------------------------------------------------------

static uint64_t hash_with_workers(const AbutShape* shape, uint32_t worker_count)
{
    AbutWorkers* workers = NULL;
    test_assert_result(abut_workers_create(worker_count, NULL, &workers), ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 70;
    def.host = &host;
    AbutMesh* mesh = mesh_of(shape, &def);
    const uint64_t hash = test_mesh_hash(mesh);
    abut_mesh_destroy(mesh);
    abut_workers_destroy(workers);
    return hash;
}

static void test_worker_counts_and_instruction_sets_give_the_same_bytes(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    AbutShape* shape = test_make_random_solid(&random);
    const uint64_t hash = hash_with_workers(shape, 1);
    assert_int_equal(hash_with_workers(shape, 2), hash);
    assert_int_equal(hash_with_workers(shape, 7), hash);

    const char* best = abut_simd_name();
    const char* const names[] = { "scalar", "sse2", "avx2", "neon" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (abut_simd_force(names[i]) == ABUT_OK)
        {
            assert_int_equal(hash_with_workers(shape, 2), hash);
        }
    }
    test_assert_result(abut_simd_force(best), ABUT_OK);
    abut_shape_destroy(shape);
}

static void test_meshes_stay_manifold_at_any_scale(void** state)
{
    (void)state;
    TestRandom random = { 17 };
    for (int i = 0; i < 24; ++i)
    {
        // Where it stands goes up to where a cell is only just more than 64 steps of float.
        const double size = pow(10.0, test_random_range(&random, -9.0, 9.0));
        const double distance = size * pow(10.0, test_random_range(&random, -2.0, 3.7));
        AbutPose pose = abut_pose_at(distance, -0.3 * distance, 0.5 * distance);
        pose.rotation = test_random_rotation(&random);
        AbutShape* shape = test_transformed(test_make_torus((float)size, (float)(0.45 * size)), &pose);
        AbutMesh* mesh = mesh_at(shape, 48);
        test_check_manifold(mesh, "surface");
        assert_int_equal(test_mesh_euler(mesh), 0);
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
}

static void test_a_large_grid_is_searched_sparsely(void** state)
{
    (void)state;
    // All of 4096 × 4096 × 256 nodes would take 17 GB; a ball of 30 cells in the corner of the box does not.
    AbutShape* sphere = test_make_sphere(1.0f);
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 4096;
    def.box = abut_box(abut_vec3(-1.5f, -1.5f, -1.5f), abut_vec3(271.5f, 271.5f, 15.5625f));
    TestHost test_host;
    test_host_init(&test_host);
    def.host = &test_host.host;
    AbutMesh* mesh = mesh_of(sphere, &def);
    test_check_manifold(mesh, "surface");
    assert_int_equal(test_mesh_euler(mesh), 2);
    test_assert_near(test_mesh_volume(mesh), 4.18879, 0.02);
    assert_true(test_host.peak_bytes < (64u << 20));
    abut_mesh_destroy(mesh);
    assert_int_equal(test_host.live_count, 0);
    abut_shape_destroy(sphere);
}

static void test_cubes_stand_around_the_bounds(void** state)
{
    (void)state;
    // Faces along the bounds fall in the middle between nodes, so vertices on them do not crowd at nodes.
    AbutShape* box = test_make_box(2.0f, 1.0f, 0.5f);
    AbutMesh* mesh = mesh_at(box, 16);
    AbutSurfaceGrid grid;
    AbutHost host = abut_host_default();
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 16;
    test_assert_result(abut_surface_grid_create(&def, box, &host, &grid), ABUT_OK);
    assert_int_equal(grid.axes[0].cell_count, 19);
    assert_int_equal(grid.axes[1].cell_count, 11);
    assert_int_equal(grid.axes[2].cell_count, 7);
    for (int i = 0; i < 3; ++i)
    {
        test_assert_near(grid.axes[i].nodes[2] - grid.axes[i].nodes[1], 0.125, 1e-6);
    }
    test_assert_near(grid.axes[0].nodes[1], -1.0 - 1.5 * 0.125, 1e-6);
    abut_surface_grid_destroy(&grid, &host);
    test_assert_near(abut_mesh_bounds(mesh).max.x, 1.0, 1e-6);
    abut_mesh_destroy(mesh);
    abut_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_culling_loses_nothing),
        cmocka_unit_test(test_inspection_finds_no_fault),
        cmocka_unit_test(test_worker_counts_and_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(test_meshes_stay_manifold_at_any_scale),
        cmocka_unit_test(test_a_large_grid_is_searched_sparsely),
        cmocka_unit_test(test_cubes_stand_around_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
