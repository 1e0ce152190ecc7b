// Nodes of order 1 as they are written, and what kernels read out of arbitrary ones.
#include "support/support.h"

#include "field/block.h"
#include "field/nodes/node.h"

#include <abut/bake.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static AbutFieldNode decode(const uint32_t words[2])
{
    return abut_field_node(words, ABUT_FIELD_FIRST_ORDER, 1.0, 0);
}

static void test_nodes_are_rounded_as_little_as_their_bits_allow(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    for (int i = 0; i < 1000000; ++i)
    {
        AbutVec3 g = i % 4 == 0 ? test_random_point(&random, 1.0) : test_random_direction(&random);
        float sign = i % 2 == 0 ? 1.0f : -1.0f;
        if (i % 16 == 1) // along an axis, as at the faces of most boxes
        {
            g = abut_vec3(i % 3 == 0 ? sign : 0.0f, i % 3 == 1 ? sign : 0.0f, i % 3 == 2 ? sign : 0.0f);
        }
        double mantissa = 1.0 + test_random_unit(&random);
        double magnitude = ldexp(mantissa, (int)(test_random_bits(&random) % 40) - 26);
        float value = sign * (float)magnitude;
        const float gradient[3] = { g.x, g.y, g.z };
        uint32_t words[2];
        abut_field_encode_first_order(value, gradient, words);
        AbutFieldNode node = decode(words);
        assert_false(node.thin);
        test_assert_near(node.value, value, 0x1p-15 * magnitude);
        test_assert_near(node.gradient[0], g.x, 1.001 * 0x1p-14);
        test_assert_near(node.gradient[1], g.y, 1.001 * 0x1p-13);
        test_assert_near(node.gradient[2], g.z, 1.001 * 0x1p-13);
    }
}

static void test_any_number_can_be_written(void** state)
{
    (void)state;
    const float odd[] = { 0.0f, -0.0f, 1e-45f, -1e-40f, 3e38f, -3.4028235e38f, INFINITY, -INFINITY };
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); ++i)
    {
        const float steep[3] = { 2.0f * odd[i], odd[(i + 3) % 8], NAN };
        uint32_t words[2];
        abut_field_encode_first_order(odd[i], steep, words);
        AbutFieldNode node = decode(words);
        assert_true(isnormal(node.value));
        assert_true(signbit(node.value) == signbit(odd[i]));
        assert_true(fabsf(node.value) < 8.7e-19f || fabsf(node.value) > 2.9e38f);
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_true(fabsf(node.gradient[axis]) <= 1.0f + 0x1p-13f);
        }
        test_assert_near(node.gradient[2], 0.0, 0x1p-13);
    }
    uint32_t words[2];
    const float zero[3] = { 0.0f, 0.0f, 0.0f };
    abut_field_encode_first_order(NAN, zero, words);
    assert_true(isnan(decode(words).value));
}

enum
{
    POINTS = 4099 // no multiple of any number of lanes
};

/// A field whose nodes are random bits: values of about a cell, any gradients, and thin nodes here and there.
static AbutShape* make_random_field(bool sparse, TestRandom* random)
{
    AbutShape *torus = NULL, *field = NULL, *changed = NULL;
    test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &torus), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 64;
    def.format = ABUT_FIELD_FIRST_ORDER;
    def.sparse = sparse;
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    AbutFieldDataDef data = abut_field_data_def();
    const void* block = abut_field_data(field, &data.size);
    data.data = malloc(data.size);
    assert_non_null(data.data);
    memcpy(data.data, block, data.size);
    data.skip_checksum = true;
    uint32_t* words = abut_field_section(data.data, ABUT_FIELD_NODES);
    size_t count = (size_t)((AbutFieldHeader*)data.data)->sections[ABUT_FIELD_NODES].size / 8;
    for (size_t i = 0; i < count; ++i)
    {
        float value = (float)test_random_range(random, -2.0, 2.0);
        AbutVec3 g = test_random_direction(random);
        const float gradient[3] = { g.x, g.y, g.z };
        abut_field_encode_first_order(value, gradient, &words[2 * i]);
        words[2 * i] |= test_random_bits(random) % 16 == 0 ? ABUT_FIELD_NODE_THIN : 0;
    }
    test_assert_result(abut_field_create_from_data(&data, &changed), ABUT_OK);
    free(data.data);
    abut_shape_destroy(field);
    abut_shape_destroy(torus);
    return changed;
}

static void fill_points(TestRandom* random, float point[3][POINTS])
{
    static const float odd[] = { NAN, INFINITY, -INFINITY, 3e38f, -0.0f, 1e-40f };
    for (int i = 0; i < POINTS; ++i)
    {
        AbutVec3 p = test_random_point(random, i % 3 == 0 ? 1.5 : 0.55);
        point[0][i] = i % 31 == 0 ? odd[test_random_bits(random) % 6] : p.x;
        point[1][i] = i % 37 == 0 ? odd[test_random_bits(random) % 6] : p.y;
        point[2][i] = p.z;
    }
}

static void test_any_nodes_give_the_same_bits_on_all_instruction_sets(void** state)
{
    (void)state;
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    static float point[3][POINTS], expected[4][POINTS], actual[4][POINTS];
    TestRandom random = { 32 };
    fill_points(&random, point);
    AbutPoints points = { point[0], point[1], point[2] };
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = make_random_field(sparse != 0, &random);
        test_assert_result(abut_simd_force("scalar"), ABUT_OK);
        abut_shape_sample(field, NULL, points, POINTS,
                          (AbutSamples){ expected[0], expected[1], expected[2], expected[3] });
        for (int set = 0; set < 4; ++set)
        {
            if (abut_simd_force(sets[set]) != ABUT_OK)
            {
                continue;
            }
            abut_shape_sample(field, NULL, points, POINTS,
                              (AbutSamples){ actual[0], actual[1], actual[2], actual[3] });
            assert_memory_equal(actual, expected, sizeof(expected));
            memset(actual[0], 0, sizeof(actual[0]));
            abut_shape_sample(field, NULL, points, POINTS, (AbutSamples){ .distance = actual[0] });
            assert_memory_equal(actual[0], expected[0], sizeof(expected[0]));
        }
        abut_shape_destroy(field);
    }
}

/// With thin nodes too, the gradient is that of what is returned: against differences of it.
static void test_gradients_are_slopes_of_the_samples(void** state)
{
    (void)state;
    TestRandom random = { 33 };
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = make_random_field(sparse != 0, &random);
        AbutFieldInfo info = abut_field_info(field);
        const float step = (float)(0.01 * info.cell_size);
        int checked = 0;
        for (int i = 0; i < 20000; ++i)
        {
            AbutVec3 p = test_random_point(&random, 0.5), g;
            const double u[3] = { (p.x - info.origin.x) / info.cell_size,
                                  (p.y - info.origin.y) / info.cell_size,
                                  (p.z - info.origin.z) / info.cell_size };
            bool inside = true; // of one cell, with both ends of each difference
            for (int axis = 0; axis < 3; ++axis)
            {
                double fraction = u[axis] - floor(u[axis]);
                inside = inside && fraction > 0.02 && fraction < 0.98 && u[axis] > 0.0 &&
                         u[axis] < info.cell_count[axis];
            }
            if (!inside)
            {
                continue;
            }
            abut_shape_distance(field, p, &g);
            const float gradient[3] = { g.x, g.y, g.z };
            for (int axis = 0; axis < 3; ++axis)
            {
                const float offset[3] = { axis == 0 ? step : 0.0f, axis == 1 ? step : 0.0f,
                                          axis == 2 ? step : 0.0f };
                AbutVec3 by = abut_vec3(offset[0], offset[1], offset[2]);
                AbutVec3 a = abut_vec3_add(p, by), b = abut_vec3_sub(p, by);
                double rise =
                    (double)abut_shape_distance(field, a, NULL) - (double)abut_shape_distance(field, b, NULL);
                double slope = rise / (double)abut_vec3_length(abut_vec3_sub(a, b));
                test_assert_near(gradient[axis], slope, 5e-3);
                checked += 1;
            }
        }
        assert_true(checked > 10000);
        abut_shape_destroy(field);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_rounded_as_little_as_their_bits_allow),
        cmocka_unit_test(test_any_number_can_be_written),
        cmocka_unit_test(test_any_nodes_give_the_same_bits_on_all_instruction_sets),
        cmocka_unit_test(test_gradients_are_slopes_of_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
