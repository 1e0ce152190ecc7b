// Exact distances of grid nodes to meshes, against every triangle in double.
#include "support/support.h"

#include "bake/distance/grid.h"
#include "mesh/corners.h"
#include "mesh/triangle/closest_point.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double brute_force(const AbutMesh* mesh, const double p[3], uint32_t triangle)
{
    AbutDVec3 corner[3];
    abut_mesh_corners(mesh, triangle, corner);
    return sqrt(abut_triangle_closest_feature(corner, abut_dvec3_from_array(p)).squared);
}

static AbutNodeGrid grid_around(const AbutMesh* mesh, uint32_t x, uint32_t y, uint32_t z)
{
    AbutBox box = abut_mesh_bounds(mesh);
    AbutVec3 e = abut_box_extents(box);
    double size = fmax(e.x, fmax(e.y, e.z)) * 1.25;
    size = size > 0.0 ? size : 1.0;
    uint32_t most = x > y ? (x > z ? x : z) : (y > z ? y : z);
    AbutNodeGrid grid = { .cell_size = size / most, .node_count = { x, y, z } };
    grid.origin[0] = 0.5 * ((double)box.min.x + (double)box.max.x) - 0.5 * size;
    grid.origin[1] = 0.5 * ((double)box.min.y + (double)box.max.y) - 0.5 * size;
    grid.origin[2] = 0.5 * ((double)box.min.z + (double)box.max.z) - 0.5 * size;
    return grid;
}

typedef struct Distances
{
    float* squared;
    uint32_t* nearest;
} Distances;

static Distances bake(const AbutMesh* mesh, const AbutNodeGrid* grid, const AbutHost* host)
{
    Distances d = { malloc(abut_node_total(grid) * sizeof(float)),
                    malloc(abut_node_total(grid) * sizeof(uint32_t)) };
    assert_true(d.squared != NULL && d.nearest != NULL);
    AbutTriangleGroups* groups = NULL;
    test_assert_result(abut_triangle_groups_create(mesh, host, &groups), ABUT_OK);
    test_assert_result(abut_distance_grid(groups, grid, host, d.squared, d.nearest), ABUT_OK);
    abut_triangle_groups_destroy(groups);
    return d;
}

static void free_distances(Distances* d)
{
    free(d->squared);
    free(d->nearest);
}

/// Checks `samples` nodes against all triangles; 0 means all nodes.
static void check_mesh(const AbutMesh* mesh, const AbutNodeGrid* grid, size_t samples)
{
    Distances d = bake(mesh, grid, NULL);
    size_t total = abut_node_total(grid);
    AbutVec3 e = abut_box_extents(abut_mesh_bounds(mesh));
    // Error of float relative to what the coordinates are: the box, and where it stands.
    double size = fmax(e.x, fmax(e.y, e.z)), reach = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        reach = fmax(reach, fabs(grid->origin[axis]) + grid->cell_size * grid->node_count[axis]);
    }
    double tolerance = 5e-7 * fmax(size, reach);
    TestRandom random = { 11 };
    for (size_t i = 0; i < (samples > 0 ? samples : total); ++i)
    {
        size_t node = samples > 0 ? test_random_bits(&random) % total : i;
        const uint32_t* n = grid->node_count;
        const double p[3] = { (float)(grid->origin[0] + grid->cell_size * (double)(node % n[0])),
                              (float)(grid->origin[1] + grid->cell_size * (double)(node / n[0] % n[1])),
                              (float)(grid->origin[2] + grid->cell_size * (double)(node / n[0] / n[1])) };
        double best = INFINITY;
        for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
        {
            best = fmin(best, brute_force(mesh, p, t));
        }
        test_assert_near(sqrtf(d.squared[node]), best, tolerance);
        assert_true(d.nearest[node] < abut_mesh_triangle_count(mesh));
        test_assert_near(brute_force(mesh, p, d.nearest[node]), best, tolerance);
    }
    free_distances(&d);
}

static AbutMesh* soup(uint32_t triangle_count, TestRandom* random, double coarse, double scale)
{
    AbutVec3* vertices = malloc((size_t)triangle_count * 3 * sizeof(AbutVec3));
    uint32_t* indices = malloc((size_t)triangle_count * 3 * sizeof(uint32_t));
    assert_true(vertices != NULL && indices != NULL);
    for (uint32_t i = 0; i < triangle_count * 3; ++i)
    {
        AbutVec3 p = test_random_point(random, 1.0);
        if (coarse > 0.0) // coincidences on purpose: points, segments, planes shared by many
        {
            p = abut_vec3((float)(round(p.x / coarse) * coarse), (float)(round(p.y / coarse) * coarse),
                          (float)(round(p.z / coarse) * coarse));
        }
        if (i % 3 != 0 && triangle_count > 100) // small triangles, most of the time
        {
            AbutVec3 first = vertices[i / 3 * 3];
            double size = i % 7 == 0 ? 1.0 : 0.05;
            p = abut_vec3((float)(first.x / scale + size * p.x), (float)(first.y / scale + size * p.y),
                          (float)(first.z / scale + size * p.z));
        }
        vertices[i] = abut_vec3_scale(p, (float)scale);
        indices[i] = i;
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = triangle_count * 3;
    def.indices = indices;
    def.triangle_count = triangle_count;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    free(vertices);
    free(indices);
    return mesh;
}

static void test_distances_to_soups_are_exact(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    const uint32_t counts[] = { 1, 2, 7, 8, 9, 63, 64, 65, 300, 1000 };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
    {
        const double coarse[] = { 0.0, 0.5, 0.125 };
        const double scales[] = { 1.0, 1e-6, 1e6 };
        for (int k = 0; k < 3; ++k)
        {
            AbutMesh* mesh = soup(counts[i], &random, coarse[k], scales[(i + (size_t)k) % 3]);
            AbutNodeGrid grid = grid_around(mesh, 23, 17, 19);
            check_mesh(mesh, &grid, counts[i] < 100 ? 0 : 500);
            AbutNodeGrid line = grid_around(mesh, 1, 40, 1);
            check_mesh(mesh, &line, 0);
            abut_mesh_destroy(mesh);
        }
    }
}

static void test_distances_to_generated_meshes_are_exact(void** state)
{
    (void)state;
    AbutMesh* meshes[5] = { NULL };
    AbutGearMeshDef gear = abut_gear_mesh_def();
    AbutThreadMeshDef thread = abut_thread_mesh_def();
    AbutPipeMeshDef pipe = abut_pipe_mesh_def();
    test_assert_result(abut_mesh_create_sphere(1.0f, 40, NULL, &meshes[0]), ABUT_OK);
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 0.01f, 1.0f), 1, NULL, &meshes[1]), ABUT_OK);
    test_assert_result(abut_mesh_create_gear(&gear, &meshes[2]), ABUT_OK);
    test_assert_result(abut_mesh_create_bolt(&thread, &meshes[3]), ABUT_OK);
    test_assert_result(abut_mesh_create_pipe(&pipe, &meshes[4]), ABUT_OK);
    for (int i = 0; i < 5; ++i)
    {
        AbutNodeGrid grid = grid_around(meshes[i], 65, 65, 65);
        check_mesh(meshes[i], &grid, 300);
        abut_mesh_destroy(meshes[i]);
    }
}

static AbutMesh* mesh_of(const AbutVec3* vertices, uint32_t triangle_count)
{
    uint32_t indices[30];
    for (uint32_t i = 0; i < triangle_count * 3; ++i)
    {
        indices[i] = i;
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = triangle_count * 3;
    def.indices = indices;
    def.triangle_count = triangle_count;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void test_triangles_without_area_are_segments_and_points(void** state)
{
    (void)state;
    const AbutVec3 degenerate[] = {
        { 0, 0, 0 }, { 0, 0, 0 },    { 0, 0, 0 },          // a point
        { 1, 0, 0 }, { -1, 0, 0 },   { 0.25f, 0, 0 },      // a segment along an axis
        { 0, 1, 1 }, { 0, -1, -1 },  { 0, -1, -1 },        // a segment with two equal corners
        { 1, 1, 1 }, { 1, 1.5f, 1 }, { 1, 1.25f, 1.0001f } // a sliver
    };
    for (uint32_t first = 0; first < 4; ++first)
    {
        for (uint32_t count = 1; count + first <= 4; ++count)
        {
            AbutMesh* mesh = mesh_of(degenerate + first * 3, count);
            AbutNodeGrid grid = {
                { -2, -2, -2 }, 0.25, { 0, 0, 0 }, { 17, 17, 17 }
            }; // nodes on the segments' own lines
            check_mesh(mesh, &grid, 0);
            abut_mesh_destroy(mesh);
        }
    }
}

static void test_distances_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    AbutMesh* mesh = soup(3000, &random, 0.0, 1.0);
    AbutNodeGrid grid = grid_around(mesh, 50, 37, 41);
    AbutHost alone = abut_host_default();
    alone.worker_count = 1;
    Distances expected = bake(mesh, &grid, &alone);
    const uint32_t counts[] = { 2, 7 };
    for (int i = 0; i < 2; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        Distances actual = bake(mesh, &grid, &host);
        assert_memory_equal(actual.squared, expected.squared, abut_node_total(&grid) * sizeof(float));
        assert_memory_equal(actual.nearest, expected.nearest, abut_node_total(&grid) * sizeof(uint32_t));
        free_distances(&actual);
        abut_workers_destroy(workers);
    }
    const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    for (int i = 0; i < 4; ++i)
    {
        if (abut_simd_force(sets[i]) == ABUT_OK)
        {
            Distances actual = bake(mesh, &grid, &alone);
            assert_memory_equal(actual.squared, expected.squared, abut_node_total(&grid) * sizeof(float));
            assert_memory_equal(actual.nearest, expected.nearest, abut_node_total(&grid) * sizeof(uint32_t));
            free_distances(&actual);
        }
    }
    free_distances(&expected);
    abut_mesh_destroy(mesh);
}

static AbutResult bake_with(void* context, const AbutHost* host)
{
    const AbutMesh* mesh = context;
    AbutNodeGrid grid = grid_around(mesh, 9, 9, 9);
    static float squared[729];
    AbutTriangleGroups* groups = NULL;
    AbutResult result = abut_triangle_groups_create(mesh, host, &groups);
    if (result == ABUT_OK)
    {
        result = abut_distance_grid(groups, &grid, host, squared, NULL);
    }
    abut_triangle_groups_destroy(groups);
    return result;
}

static void test_baking_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestRandom random = { 14 };
    AbutMesh* mesh = soup(400, &random, 0.0, 1.0);
    test_fail_every_allocation(bake_with, mesh);
    abut_mesh_destroy(mesh);
}

static void test_distances_alone_are_those_of_the_nodes(void** state)
{
    (void)state;
    TestRandom random = { 15 };
    AbutMesh* mesh = soup(300, &random, 0.0, 1.0);
    AbutNodeGrid grid = grid_around(mesh, 19, 17, 5);
    Distances expected = bake(mesh, &grid, NULL);
    AbutBakeDistancesDef def = abut_bake_distances_def();
    def.origin = (AbutPosition){ grid.origin[0], grid.origin[1], grid.origin[2] };
    def.cell_size = grid.cell_size;
    memcpy(def.node_count, grid.node_count, sizeof(def.node_count));
    float distances[19 * 17 * 5];
    test_assert_result(abut_bake_distances(&def, mesh, distances), ABUT_OK);
    for (size_t i = 0; i < abut_node_total(&grid); ++i)
    {
        assert_true(distances[i] == sqrtf(expected.squared[i]));
    }
    free_distances(&expected);
    abut_mesh_destroy(mesh);
}

static void test_distances_refuse_grids_that_are_none(void** state)
{
    (void)state;
    static const AbutBakeDistancesDef bad[] = {
        { .cell_size = 1.0, .node_count = { 2, 0, 2 } },
        { .cell_size = 0.0, .node_count = { 2, 2, 2 } },
        { .cell_size = -1.0, .node_count = { 2, 2, 2 } },
        { .cell_size = NAN, .node_count = { 2, 2, 2 } },
        { .cell_size = 1e30, .node_count = { 2, 2, 2 } },
        { .origin = { NAN, 0.0, 0.0 }, .cell_size = 1.0, .node_count = { 2, 2, 2 } },
        { .origin = { 0.0, -1e25, 0.0 }, .cell_size = 1.0, .node_count = { 2, 2, 2 } },
        { .cell_size = 1.0, .node_count = { UINT32_MAX, UINT32_MAX, UINT32_MAX } },
    };
    TestRandom random = { 16 };
    AbutMesh* mesh = soup(3, &random, 0.0, 1.0);
    float distances[8];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        test_assert_result(abut_bake_distances(&bad[i], mesh, distances), ABUT_INVALID_ARGUMENT);
    }
    abut_mesh_destroy(mesh);
    AbutBakeDistancesDef def = abut_bake_distances_def();
    def.node_count[0] = def.node_count[1] = def.node_count[2] = 2;
    AbutMeshDef none = abut_mesh_def();
    test_assert_result(abut_mesh_create(&none, &mesh), ABUT_OK);
    test_assert_result(abut_bake_distances(&def, mesh, distances), ABUT_INVALID_DATA);
    abut_mesh_destroy(mesh);
}

/// Block of a grid with directions.
typedef struct DirectedBlock
{
    float squared[ABUT_NODE_BLOCK_TOTAL];
    uint32_t nearest[ABUT_NODE_BLOCK_TOTAL];
    float direction[3][ABUT_NODE_BLOCK_TOTAL];
} DirectedBlock;

static void bake_directions(const AbutMesh* mesh, const AbutNodeGrid* grid, DirectedBlock* out)
{
    AbutTriangleGroups* groups = NULL;
    AbutDistanceScratch* scratch = abut_distance_scratch_create(NULL);
    assert_non_null(scratch);
    test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
    AbutNodeDistances distances = { .squared = out->squared,
                                    .nearest = out->nearest,
                                    .direction = { out->direction[0], out->direction[1],
                                                   out->direction[2] } };
    test_assert_result(abut_distance_block(groups, grid, scratch, &distances), ABUT_OK);
    abut_distance_scratch_destroy(scratch);
    abut_triangle_groups_destroy(groups);
}

/// Checks every direction that was found against the nearest point in double; at least 9 of 10 nodes must
/// have one.
static void check_directions(const AbutMesh* mesh, const AbutNodeGrid* grid)
{
    static DirectedBlock block;
    bake_directions(mesh, grid, &block);
    size_t total = abut_node_total(grid), found = 0;
    for (size_t i = 0; i < total; ++i)
    {
        const uint32_t* n = grid->node_count;
        const double p[3] = { abut_node_coordinate(grid, 0, (uint32_t)(i % n[0])),
                              abut_node_coordinate(grid, 1, (uint32_t)(i / n[0] % n[1])),
                              abut_node_coordinate(grid, 2, (uint32_t)(i / n[0] / n[1])) };
        AbutDVec3 corner[3];
        abut_mesh_corners(mesh, block.nearest[i], corner);
        AbutClosestPoint closest = abut_triangle_closest_feature(corner, abut_dvec3_from_array(p));
        double length = sqrt(closest.squared);
        const float d[3] = { block.direction[0][i], block.direction[1][i], block.direction[2][i] };
        if (d[0] != 0.0f || d[1] != 0.0f || d[2] != 0.0f)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                test_assert_near(d[axis], (p[axis] - abut_dvec3_get(closest.at, axis)) / length, 3e-4);
            }
            ++found;
        }
    }
    assert_true(10 * found >= 9 * total);
}

static void test_directions_lead_away_from_the_nearest_point(void** state)
{
    (void)state;
    TestRandom random = { 17 };
    for (int i = 0; i < 30; ++i)
    {
        AbutMesh* mesh =
            soup(i % 3 == 0 ? 3u : 150u, &random, i % 5 == 4 ? 0.25 : 0.0, i % 2 == 0 ? 1.0 : 100.0);
        AbutNodeGrid grid = grid_around(mesh, 16, 13, 15);
        check_directions(mesh, &grid);
        abut_mesh_destroy(mesh);
    }
}

static void test_directions_have_the_same_bytes_for_all_instruction_sets(void** state)
{
    (void)state;
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    static DirectedBlock expected, actual;
    TestRandom random = { 18 };
    AbutMesh* mesh = soup(200, &random, 0.0, 1.0);
    AbutNodeGrid grid = grid_around(mesh, 16, 16, 16);
    char before[16];
    snprintf(before, sizeof(before), "%s", abut_simd_name());
    bake_directions(mesh, &grid, &expected);
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); ++i)
    {
        if (abut_simd_force(sets[i]) == ABUT_OK)
        {
            bake_directions(mesh, &grid, &actual);
            assert_memory_equal(actual.direction, expected.direction, sizeof(expected.direction));
        }
    }
    test_assert_result(abut_simd_force(before), ABUT_OK);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_to_soups_are_exact),
        cmocka_unit_test(test_distances_to_generated_meshes_are_exact),
        cmocka_unit_test(test_triangles_without_area_are_segments_and_points),
        cmocka_unit_test(test_distances_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_baking_survives_every_failing_allocation),
        cmocka_unit_test(test_directions_lead_away_from_the_nearest_point),
        cmocka_unit_test(test_directions_have_the_same_bytes_for_all_instruction_sets),
        cmocka_unit_test(test_distances_alone_are_those_of_the_nodes),
        cmocka_unit_test(test_distances_refuse_grids_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
