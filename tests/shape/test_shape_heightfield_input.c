// Heights from generators, extreme heights, and definitions that are refused.
#include "support/oracles/oracle_terrain.h"

#include <abut/models.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The generator's mesh has the same surface: points of its upper triangles are on the heightfield of its
/// heights.
static void test_terrain_meshes_lie_on_the_heightfield(void** state)
{
    (void)state;
    AbutTerrainDef def = abut_terrain_def();
    def.size = 8.0f;
    def.height = 3.0f;
    def.depth = 1.0f;
    def.divisions = 16;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_terrain(&def, &mesh), ABUT_OK);
    float heights[17 * 17];
    test_assert_result(abut_terrain_heights(&def, heights), ABUT_OK);
    AbutHeightfieldDef field = abut_heightfield_def();
    field.heights = heights;
    field.x_count = field.z_count = 17;
    field.spacing = 0.5;
    field.origin = (AbutPosition){ -4.0, 0.0, -4.0 };
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&field, &shape), ABUT_OK);
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* index = abut_mesh_indices(mesh);
    int top = 0;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        AbutVec3 a = v[index[3 * i]], b = v[index[3 * i + 1]], c = v[index[3 * i + 2]];
        AbutVec3 n = abut_vec3_cross(abut_vec3_sub(b, a), abut_vec3_sub(c, a)), g;
        if (n.y > 1e-3f) // not a wall, not the floor
        {
            top += 1;
            AbutVec3 middle = abut_vec3_scale(abut_vec3_add(abut_vec3_add(a, b), c), 1.0f / 3.0f);
            test_assert_near(abut_shape_distance(shape, middle, NULL), 0.0, 2e-6);
            AbutVec3 above = abut_vec3_add(middle, abut_vec3_scale(n, 1e-3f / abut_vec3_length(n)));
            test_assert_near(abut_shape_distance(shape, above, &g), 1e-3, 2e-6);
            test_assert_near(abut_vec3_dot(g, n) / abut_vec3_length(n), 1.0, 1e-3);
        }
    }
    assert_int_equal(top, 2 * 16 * 16);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
}

/// Heights as far apart as they may be: rounding must not lose the surface under a point.
static void test_extreme_heights_keep_the_surface(void** state)
{
    (void)state;
    const float heights[9] = { 1e12f, -1e12f, 1e12f, -1e12f, 1e12f, -1e12f, 1e12f, -1e12f, 1e12f };
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = def.z_count = 3;
    def.spacing = 1e-3;
    def.band = 1e6f;
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
    TestRandom random = { 10 };
    for (int i = 0; i < 2000; ++i)
    {
        AbutVec3 p, g;
        p.x = (float)test_random_range(&random, 0.0, 2e-3);
        p.y = (float)test_random_range(&random, -1e9, 1e9);
        p.z = (float)test_random_range(&random, 0.0, 2e-3);
        float d = abut_shape_distance(shape, p, &g);
        assert_true(fabsf(d) <= 1e-3f); // there is always a cliff within a spacing
        test_assert_near(abut_vec3_length(g), 1.0, 1e-6);
    }
    abut_shape_destroy(shape);
}

static void test_bad_definitions_are_refused_with_the_location(void** state)
{
    (void)state;
    float heights[12] = { 0.0f };
    AbutHeightfieldDef good = abut_heightfield_def();
    good.heights = heights;
    good.x_count = 4;
    good.z_count = 3;
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_heightfield(&good, &s), ABUT_OK);
    abut_shape_destroy(s);
    const double bad[] = { NAN, INFINITY, -INFINITY, -1.0, 0.0, 1e-13, 1e13 };
    AbutHeightfieldDef defs[32];
    int count = 0;
    for (int i = 0; i < 7; ++i)
    {
        defs[count] = good;
        defs[count++].spacing = bad[i];
        defs[count] = good;
        defs[count++].band = bad[i] == 0.0 ? -0.5f : (float)bad[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        defs[count] = good;
        defs[count++].origin.x = bad[i];
        defs[count] = good;
        defs[count++].origin.y = bad[i];
        defs[count] = good;
        defs[count++].origin.z = bad[i];
    }
    defs[count] = good;
    defs[count++].x_count = 1;
    defs[count] = good;
    defs[count++].z_count = 0;
    defs[count] = good;
    defs[count++].heights = NULL;
    defs[count] = good;
    defs[count++].spacing = 9e11; // 4 · 9e11 is too long
    for (int i = 0; i < count; ++i)
    {
        s = (AbutShape*)(uintptr_t)1; // must be overwritten
        if (abut_shape_create_heightfield(&defs[i], &s) != ABUT_INVALID_ARGUMENT || s != NULL)
        {
            fail_msg("definition %d is accepted", i);
        }
        assert_true(strlen(abut_last_error()) > 10);
    }
    const float bad_heights[] = { NAN, INFINITY, -INFINITY, 2e12f, -FLT_MAX };
    for (int i = 0; i < 5; ++i)
    {
        heights[6] = bad_heights[i];
        s = (AbutShape*)(uintptr_t)1;
        test_assert_result(abut_shape_create_heightfield(&good, &s), ABUT_INVALID_DATA);
        assert_null(s);
        assert_non_null(strstr(abut_last_error(), "x 2, z 1"));
        heights[6] = 0.0f;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terrain_meshes_lie_on_the_heightfield),
        cmocka_unit_test(test_extreme_heights_keep_the_surface),
        cmocka_unit_test(test_bad_definitions_are_refused_with_the_location),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
