// Terrain loaded on demand: the answers of all heights in memory, for any cache, any thread and any distance
// from the origin.
#include "support/support.h"

#include <abut/abut.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 513, // 8 by 8 tiles, and a column of one cell
    KILOMETRES = 10001
};

typedef struct Source
{
    uint32_t x_count, z_count;
    uint32_t loads, fail_from; // fails from this load on; 0: never
    float raised;              // added to all heights
    bool bad_height;
} Source;

/// Hills without a table: a hash of the sample, and waves of integers.
static float height_of(uint32_t x, uint32_t z)
{
    uint32_t hash = (x * 73856093u ^ z * 19349663u) * 2654435761u;
    int wave = (int)(x % 97) - 48, other = (int)(z % 61) - 30;
    return (float)(wave * wave) * 0.002f - (float)(other * other) * 0.003f + (float)(hash >> 24) * 0.002f;
}

static bool load(void* user, uint32_t x, uint32_t z, uint32_t x_count, uint32_t z_count, float* out)
{
    Source* source = user;
    source->loads += 1;
    if (source->fail_from > 0 && source->loads >= source->fail_from)
    {
        return false;
    }
    assert_true(x + x_count <= source->x_count && z + z_count <= source->z_count);
    for (uint32_t k = 0; k < z_count; ++k)
    {
        for (uint32_t i = 0; i < x_count; ++i)
        {
            out[(size_t)k * x_count + i] = height_of(x + i, z + k) + source->raised;
        }
    }
    if (source->bad_height && x <= 70 && x + x_count > 70 && z <= 3)
    {
        out[(size_t)(3 - z) * x_count + (70 - x)] = NAN;
    }
    return true;
}

static AbutHeightfieldDef make_def(Source* source, size_t cache_bytes)
{
    AbutHeightfieldDef def = abut_heightfield_def();
    def.x_count = source->x_count;
    def.z_count = source->z_count;
    def.load = load;
    def.user = source;
    def.cache_bytes = cache_bytes;
    return def;
}

static AbutShape* make_resident(uint32_t x_count, uint32_t z_count)
{
    float* heights = malloc((size_t)x_count * z_count * sizeof(float));
    assert_non_null(heights);
    for (size_t i = 0; i < (size_t)x_count * z_count; ++i)
    {
        heights[i] = height_of((uint32_t)(i % x_count), (uint32_t)(i / x_count));
    }
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = x_count;
    def.z_count = z_count;
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
    free(heights);
    return shape;
}

enum
{
    POINTS = 1024
};

typedef struct PointSet
{
    float x[POINTS], y[POINTS], z[POINTS];
    float distance[POINTS], gradient[3][POINTS];
} PointSet;

static void fill_points(PointSet* set, double width, double depth, uint64_t seed)
{
    TestRandom random = { seed };
    for (int i = 0; i < POINTS; ++i)
    {
        set->x[i] = (float)test_random_range(&random, -3.0, width + 3.0);
        set->z[i] = (float)test_random_range(&random, -3.0, depth + 3.0);
        set->y[i] = (float)test_random_range(&random, -6.0, 8.0);
        if (i % 5 == 0) // around the borders of tiles
        {
            set->x[i] = roundf(set->x[i] / 64.0f) * 64.0f + (float)test_random_range(&random, -1.0, 1.0);
            set->z[i] = roundf(set->z[i] / 64.0f) * 64.0f;
        }
    }
}

static void sample(const AbutShape* shape, PointSet* set, const AbutHost* host)
{
    abut_shape_sample_parallel(
        shape, NULL, (AbutPoints){ set->x, set->y, set->z }, POINTS,
        (AbutSamples){ set->distance, set->gradient[0], set->gradient[1], set->gradient[2] }, host);
}

static void test_any_cache_has_the_bits_of_all_heights(void** state)
{
    (void)state;
    static PointSet expected, got;
    Source source = { .x_count = SIDE + 1, .z_count = SIDE };
    AbutShape* resident = make_resident(SIDE + 1, SIDE);
    fill_points(&expected, SIDE, SIDE - 1, 1);
    got = expected;
    sample(resident, &expected, NULL);
    const size_t caches[] = { 1, 500000, (size_t)1 << 24 };
    for (int i = 0; i < 3; ++i)
    {
        AbutHeightfieldDef def = make_def(&source, caches[i]);
        AbutShape* tiled = NULL;
        test_assert_result(abut_shape_create_heightfield(&def, &tiled), ABUT_OK);
        sample(tiled, &got, NULL);
        assert_memory_equal(expected.distance, got.distance, sizeof(got.distance));
        assert_memory_equal(expected.gradient, got.gradient, sizeof(got.gradient));
        abut_shape_destroy(tiled);
    }
    abut_shape_destroy(resident);
}

static void test_threads_share_a_cache_that_is_too_small(void** state)
{
    (void)state;
    static PointSet expected, got;
    Source source = { .x_count = SIDE + 1, .z_count = SIDE };
    AbutHeightfieldDef def = make_def(&source, 1); // 16 of 72 tiles
    AbutShape* tiled = NULL;
    AbutWorkers* workers = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &tiled), ABUT_OK);
    test_assert_result(abut_workers_create(4, NULL, &workers), ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    for (uint64_t seed = 1; seed <= 2; ++seed)
    {
        fill_points(&expected, SIDE, SIDE - 1, seed);
        got = expected;
        sample(tiled, &expected, NULL);
        sample(tiled, &got, &host);
        assert_memory_equal(expected.distance, got.distance, sizeof(got.distance));
    }
    abut_workers_destroy(workers);
    abut_shape_destroy(tiled);
}

/// 10 km by 1 km at a metre (10 km by 10 km with ABUT_TEST_TERRAIN=full), and a body at the far corner as
/// exact as one at the origin.
static void test_ten_kilometres_in_four_megabytes(void** state)
{
    (void)state;
    const char* size = getenv("ABUT_TEST_TERRAIN");
    uint32_t z_count = size != NULL && strcmp(size, "full") == 0 ? KILOMETRES : 1001;
    Source source = { .x_count = KILOMETRES, .z_count = z_count };
    AbutHeightfieldDef def = make_def(&source, (size_t)3 << 20);
    AbutShape *tiled = NULL, *ball = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &tiled), ABUT_OK);
    assert_true(abut_shape_info(tiled).bytes < (size_t)4 << 20);
    uint32_t first_x = KILOMETRES - 65, first_z = z_count - 65;
    float heights[65 * 65];
    load(&source, first_x, first_z, 65, 65, heights);
    AbutHeightfieldDef corner_def = abut_heightfield_def();
    corner_def.heights = heights;
    corner_def.x_count = corner_def.z_count = 65;
    AbutShape* corner = NULL;
    test_assert_result(abut_shape_create_heightfield(&corner_def, &corner), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    TestRandom random = { 3 };
    int contacts_seen = 0;
    for (int i = 0; i < 500; ++i)
    {
        double x = floor(test_random_range(&random, 12.0, 63.0) * 4096.0) / 4096.0;
        double z = floor(test_random_range(&random, 12.0, 63.0) * 4096.0) / 4096.0;
        double y = floor(test_random_range(&random, -1.0, 4.0) * 4096.0) / 4096.0;
        AbutCollideInput here = abut_collide_input(ball, corner), far = abut_collide_input(ball, tiled);
        AbutContact a[16], b[16];
        here.pose_a = abut_pose_at(x, y, z);
        far.pose_a = abut_pose_at(first_x + x, y, first_z + z);
        here.settings.margin = far.settings.margin = 0.1f;
        AbutCollideOutput one = abut_collide(&here, a, 16), two = abut_collide(&far, b, 16);
        assert_int_equal(one.state, two.state);
        assert_int_equal(one.contact_count, two.contact_count);
        for (uint32_t k = 0; k < one.contact_count; ++k)
        {
            test_assert_near(a[k].separation, b[k].separation, 1e-9 + 2e-7 * fabs((double)a[k].separation));
            test_assert_near(a[k].normal.x, b[k].normal.x, 1e-6);
            contacts_seen += 1;
        }
    }
    assert_true(contacts_seen > 50);
    abut_shape_destroy(ball);
    abut_shape_destroy(corner);
    abut_shape_destroy(tiled);
}

static void test_tiles_that_cannot_be_loaded_are_refused_or_nan(void** state)
{
    (void)state;
    Source source = { .x_count = SIDE, .z_count = SIDE, .fail_from = 3 };
    AbutHeightfieldDef def = make_def(&source, 1);
    AbutShape* shape = (AbutShape*)(uintptr_t)1;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_INVALID_DATA);
    assert_null(shape);
    assert_non_null(strstr(abut_last_error(), "could not be loaded"));
    source = (Source){ .x_count = SIDE, .z_count = SIDE, .bad_height = true };
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "x 70, z 3"));
    // Loads that fail, or heights that change, after the creation.
    for (int i = 0; i < 2; ++i)
    {
        source = (Source){ .x_count = SIDE, .z_count = SIDE };
        test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
        source.fail_from = i == 0 ? source.loads + 1 : 0;
        source.raised = i == 0 ? 0.0f : 1.0f;
        AbutVec3 g;
        assert_true(isnan(abut_shape_distance(shape, abut_vec3(100.0f, 1.0f, 100.0f), &g)));
        assert_true(isnan(g.x) && isnan(g.y) && isnan(g.z));
        AbutShape* ball = NULL;
        test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
        AbutCollideInput input = abut_collide_input(ball, shape);
        input.pose_a = abut_pose_at(300.0, 1.0, 300.0);
        AbutCollideState found = abut_collide(&input, NULL, 0).state;
        assert_int_equal(found, ABUT_COLLIDE_CLOSE);
        abut_shape_destroy(ball);
        abut_shape_destroy(shape);
    }
}

/// A tile that is missing beside the one under the point: the surface there may be closer.
static void test_samples_beside_a_missing_tile_are_nan_where_it_matters(void** state)
{
    (void)state;
    Source source = { .x_count = SIDE, .z_count = SIDE };
    AbutHeightfieldDef def = make_def(&source, 1);
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
    float in_tile = abut_shape_distance(shape, abut_vec3(32.5f, height_of(32, 32) + 0.1f, 32.5f), NULL);
    assert_true(in_tile == in_tile);
    source.fail_from = source.loads + 1;
    float y = 0.5f * (height_of(64, 32) + height_of(65, 32)) - 1.0f; // a metre below, half a metre away
    assert_true(isnan(abut_shape_distance(shape, abut_vec3(63.5f, y, 32.5f), NULL)));
    assert_true(in_tile ==
                abut_shape_distance(shape, abut_vec3(32.5f, height_of(32, 32) + 0.1f, 32.5f), NULL));
    abut_shape_destroy(shape);
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    AbutHeightfieldDef def = make_def(context, 1);
    def.host = host;
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_heightfield(&def, &shape);
    assert_true((result == ABUT_OK) == (shape != NULL));
    abut_shape_destroy(shape);
    return result;
}

static void test_every_failing_allocation_leaves_nothing_behind(void** state)
{
    (void)state;
    Source source = { .x_count = 130, .z_count = 70 };
    assert_true(test_fail_every_allocation(create_and_destroy, &source) >= 7);
}

static void test_heights_and_load_exclude_each_other(void** state)
{
    (void)state;
    Source source = { .x_count = SIDE, .z_count = SIDE };
    AbutHeightfieldDef def = make_def(&source, 0);
    float heights[4] = { 0.0f };
    AbutShape* shape = NULL;
    def.heights = heights;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_INVALID_ARGUMENT);
    def.heights = NULL;
    def.load = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_cache_has_the_bits_of_all_heights),
        cmocka_unit_test(test_threads_share_a_cache_that_is_too_small),
        cmocka_unit_test(test_ten_kilometres_in_four_megabytes),
        cmocka_unit_test(test_tiles_that_cannot_be_loaded_are_refused_or_nan),
        cmocka_unit_test(test_samples_beside_a_missing_tile_are_nan_where_it_matters),
        cmocka_unit_test(test_every_failing_allocation_leaves_nothing_behind),
        cmocka_unit_test(test_heights_and_load_exclude_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
