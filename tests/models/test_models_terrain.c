// Terrain: the mesh and the heights are the same hills, for heightfields as well, and the same on every
// machine.
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

static float* make_heights(const AbutTerrainDef* def)
{
    size_t row = (size_t)def->divisions + 1;
    float* heights = malloc(row * row * sizeof(float));
    assert_non_null(heights);
    test_assert_result(abut_terrain_heights(def, heights), ABUT_OK);
    return heights;
}

static AbutMesh* make_mesh(const AbutTerrainDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_terrain(def, &mesh), ABUT_OK);
    return mesh;
}

static void test_heights_are_those_of_the_mesh(void** state)
{
    (void)state;
    const uint32_t divisions[] = { 1, 2, 7, 64, 100 };
    for (int i = 0; i < 5; ++i)
    {
        AbutTerrainDef def = abut_terrain_def();
        def.divisions = divisions[i];
        def.seed = (uint32_t)i;
        float* heights = make_heights(&def);
        AbutMesh* mesh = make_mesh(&def);
        double spacing = (double)def.size / def.divisions;
        uint32_t found = 0;
        for (uint32_t k = 0; k < abut_mesh_vertex_count(mesh); ++k)
        {
            AbutVec3 v = abut_mesh_vertices(mesh)[k];
            uint32_t x = (uint32_t)lround((v.x + 0.5 * def.size) / spacing);
            uint32_t z = (uint32_t)lround((v.z + 0.5 * def.size) / spacing);
            if (v.y == (float)(-0.5 * def.height - def.depth))
            {
                continue;
            }
            test_assert_near(v.x, x * spacing - 0.5 * def.size, 1e-6 * def.size);
            test_assert_near(v.z, z * spacing - 0.5 * def.size, 1e-6 * def.size);
            assert_true(v.y == heights[z * (def.divisions + 1) + x]);
            found += 1;
        }
        assert_int_equal(found, (def.divisions + 1) * (def.divisions + 1));
        abut_mesh_destroy(mesh);
        free(heights);
    }
}

/// Every triangle of the top joins the corners of a cell that the diagonal from (x0, z0) to (x1, z1) leaves
/// together.
static void test_cells_are_split_as_those_of_heightfields(void** state)
{
    (void)state;
    AbutTerrainDef def = abut_terrain_def();
    def.divisions = 9;
    AbutMesh* mesh = make_mesh(&def);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double spacing = (double)def.size / def.divisions;
    float floor_height = (float)(-0.5 * def.height - def.depth);
    uint32_t tops = 0;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        double low[2] = { INFINITY, INFINITY };
        double high[2] = { -INFINITY, -INFINITY };
        bool on_top = true;
        for (uint32_t k = 0; k < 3; ++k)
        {
            AbutVec3 v = abut_mesh_vertices(mesh)[indices[t * 3 + k]];
            on_top = on_top && v.y != floor_height;
            low[0] = fmin(low[0], v.x), high[0] = fmax(high[0], v.x);
            low[1] = fmin(low[1], v.z), high[1] = fmax(high[1], v.z);
        }
        if (!on_top)
        {
            continue;
        }
        tops += 1;
        int diagonal_ends = 0;
        for (uint32_t k = 0; k < 3; ++k)
        {
            AbutVec3 v = abut_mesh_vertices(mesh)[indices[t * 3 + k]];
            diagonal_ends += (v.x == low[0] && v.z == low[1]) || (v.x == high[0] && v.z == high[1]);
        }
        test_assert_near(high[0] - low[0], spacing, 1e-5);
        assert_int_equal(diagonal_ends, 2);
    }
    assert_int_equal(tops, 2 * def.divisions * def.divisions);
    abut_mesh_destroy(mesh);
}

static void test_volume_is_that_below_the_triangles(void** state)
{
    (void)state;
    const uint32_t divisions[] = { 1, 5, 64 };
    for (int i = 0; i < 3; ++i)
    {
        AbutTerrainDef def = abut_terrain_def();
        def.divisions = divisions[i];
        float* h = make_heights(&def);
        uint32_t row = def.divisions + 1;
        double cell = (double)def.size / def.divisions * def.size / def.divisions;
        double volume = (double)def.size * def.size * (0.5 * def.height + def.depth);
        for (uint32_t z = 0; z < def.divisions; ++z)
        {
            for (uint32_t x = 0; x < def.divisions; ++x)
            {
                const float* c = h + z * row + x;
                volume += cell / 6.0 * (2.0 * c[0] + (double)c[1] + c[row] + 2.0 * c[row + 1]);
            }
        }
        AbutMesh* mesh = make_mesh(&def);
        test_assert_near(test_mesh_volume(mesh) / volume, 1.0, 1e-6);
        abut_mesh_destroy(mesh);
        free(h);
    }
}

static void test_heights_stay_in_their_range_and_use_it(void** state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        AbutTerrainDef def = abut_terrain_def();
        def.divisions = 128;
        def.height = 3.0f;
        def.seed = seed;
        float* heights = make_heights(&def);
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < 129 * 129; ++i)
        {
            low = fminf(low, heights[i]);
            high = fmaxf(high, heights[i]);
        }
        assert_true(low >= -1.5f && high <= 1.5f);
        assert_true(high - low > 1.2f);
        free(heights);
    }
}

static void test_finer_divisions_keep_the_hills(void** state)
{
    (void)state;
    AbutTerrainDef def = abut_terrain_def();
    def.divisions = 16;
    float* coarse = make_heights(&def);
    def.divisions = 64;
    float* fine = make_heights(&def);
    for (uint32_t z = 0; z <= 16; ++z)
    {
        for (uint32_t x = 0; x <= 16; ++x)
        {
            assert_true(coarse[z * 17 + x] == fine[4 * z * 65 + 4 * x]);
        }
    }
    free(coarse);
    free(fine);
}

static void test_seeds_make_different_hills_and_no_height_makes_none(void** state)
{
    (void)state;
    AbutTerrainDef def = abut_terrain_def();
    def.divisions = 8;
    uint64_t hashes[2];
    for (uint32_t seed = 0; seed < 2; ++seed)
    {
        def.seed = seed;
        float* heights = make_heights(&def);
        hashes[seed] = abut_hash(heights, 81 * sizeof(float), 0);
        free(heights);
    }
    assert_true(hashes[0] != hashes[1]);
    def.height = 0.0f;
    float* heights = make_heights(&def);
    for (int i = 0; i < 81; ++i)
    {
        assert_true(heights[i] == 0.0f && !signbit(heights[i]));
    }
    free(heights);
    AbutMesh* mesh = make_mesh(&def);
    test_check_solid(mesh, 2, "flat terrain");
    test_assert_near(test_mesh_volume(mesh), 100.0, 1e-4);
    abut_mesh_destroy(mesh);
}

/// No sine is in it, so this number holds for all machines and compilers.
static void test_hills_are_the_same_bits_everywhere(void** state)
{
    (void)state;
    AbutTerrainDef def = abut_terrain_def();
    def.divisions = 50;
    def.seed = 12345;
    float* heights = make_heights(&def);
    assert_int_equal(abut_hash(heights, 51 * 51 * sizeof(float), 0), UINT64_C(0x44d7946f4ffefb1e));
    free(heights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_the_mesh),
        cmocka_unit_test(test_cells_are_split_as_those_of_heightfields),
        cmocka_unit_test(test_volume_is_that_below_the_triangles),
        cmocka_unit_test(test_heights_stay_in_their_range_and_use_it),
        cmocka_unit_test(test_finer_divisions_keep_the_hills),
        cmocka_unit_test(test_seeds_make_different_hills_and_no_height_makes_none),
        cmocka_unit_test(test_hills_are_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
