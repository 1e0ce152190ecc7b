// Every instruction set against the scalar one, bit for bit, and half precision against its definition.
#include "support/oracles/oracle.h"

#include "field/nodes/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COUNT = 4099 // not a multiple of any lane count
};

static const char* const set_names[] = { "scalar", "sse2", "avx2", "neon" };

/// Points with everything that floats have: ordinary numbers, zeros of both signs, subnormals, huge,
/// infinite, NaN.
static void fill_hostile(float* values, TestRandom* random)
{
    static const float special[] = { 0.0f,   -0.0f, 1.0f,   -1.0f,   0.5f,     -0.5f,     1e-45f, 1e-38f,
                                     1e-20f, 1e18f, -1e30f, 3.4e38f, INFINITY, -INFINITY, NAN };
    for (size_t i = 0; i < COUNT; ++i)
    {
        uint64_t bits = test_random_bits(random);
        values[i] = bits % 4 == 0 ? special[(bits >> 8) % (sizeof(special) / sizeof(special[0]))]
                                  : (float)test_random_range(random, -2.0, 2.0);
    }
}

static void check_same_bits(const char* what, const char* set, const float* expected, const float* actual,
                            size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        bool both_nan = isnan(expected[i]) && isnan(actual[i]); // the payload of a NaN is not a result
        if (!both_nan && memcmp(&expected[i], &actual[i], sizeof(float)) != 0)
        {
            fail_msg("%s: %s gives %.9g at %zu, scalar gives %.9g", what, set, (double)actual[i], i,
                     (double)expected[i]);
        }
    }
}

static void test_all_sets_give_the_bits_of_the_scalar_one(void** state)
{
    (void)state;
    static float x[COUNT], y[COUNT], z[COUNT], expected[4][COUNT], actual[4][COUNT];
    AbutPoints points = { x, y, z };
    AbutSamples into[2] = { { expected[0], expected[1], expected[2], expected[3] },
                            { actual[0], actual[1], actual[2], actual[3] } };
    // Each operation on random trees is covered through shapes; here every primitive and combination meets
    // hostile floats.
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        TestRandom random = { 7 };
        AbutShape *shape = NULL, *other = NULL, *made[8] = { NULL };
        test_assert_result(primitive->create(primitive, NULL, &shape), ABUT_OK);
        test_assert_result(abut_shape_create_box(abut_vec3(1, 2, 0.5f), NULL, &other), ABUT_OK);
        AbutPose pose = { { 0.1, 0.2, -0.3 }, test_random_rotation(&random), 1.7f };
        AbutShape* pair[2] = { shape, other };
        test_assert_result(abut_shape_create_union(pair, 2, NULL, &made[0]), ABUT_OK);
        test_assert_result(abut_shape_create_intersection(pair, 2, NULL, &made[1]), ABUT_OK);
        test_assert_result(abut_shape_create_difference(shape, other, NULL, &made[2]), ABUT_OK);
        test_assert_result(abut_shape_create_smooth_union(shape, other, 0.25f, NULL, &made[3]), ABUT_OK);
        test_assert_result(abut_shape_create_offset(shape, 0.1f, NULL, &made[4]), ABUT_OK);
        test_assert_result(abut_shape_create_shell(shape, 0.1f, NULL, &made[5]), ABUT_OK);
        test_assert_result(abut_shape_create_corrected(shape, 3.0f, NULL, &made[6]), ABUT_OK);
        test_assert_result(abut_shape_create_transformed(shape, &pose, NULL, &made[7]), ABUT_OK);
        for (int hostile = 0; hostile < 2; ++hostile)
        {
            oracle_points(primitive, &random, COUNT, x, y, z);
            if (hostile)
            {
                fill_hostile(x, &random);
                fill_hostile(y, &random);
                fill_hostile(z, &random);
            }
            for (int which = -1; which < 8; ++which)
            {
                const AbutShape* tested = which < 0 ? shape : made[which];
                for (size_t set = 0; set < 4; ++set)
                {
                    if (abut_simd_force(set_names[set]) != ABUT_OK)
                    {
                        continue;
                    }
                    abut_shape_sample(tested, NULL, points, COUNT, into[set > 0]);
                    if (set > 0)
                    {
                        for (int k = 0; k < 4; ++k)
                        {
                            check_same_bits(primitive->name, set_names[set], expected[k], actual[k], COUNT);
                        }
                    }
                    // Without the gradient the distance is the same.
                    abut_shape_sample(tested, NULL, points, COUNT, (AbutSamples){ .distance = actual[0] });
                    check_same_bits(primitive->name, set_names[set], expected[0], actual[0], COUNT);
                }
            }
        }
        for (int i = 0; i < 8; ++i)
        {
            abut_shape_destroy(made[i]);
        }
        abut_shape_destroy(shape);
        abut_shape_destroy(other);
    }
}

static double half_value(uint16_t half)
{
    int exponent = (half >> 10) & 31, mantissa = half & 1023;
    double magnitude = exponent == 0    ? ldexp(mantissa, -24)
                       : exponent == 31 ? (mantissa == 0 ? (double)INFINITY : (double)NAN)
                                        : ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

static void test_every_half_survives_a_round_trip(void** state)
{
    (void)state;
    static uint16_t halves[65536], back[65536];
    static float floats[65536];
    for (int i = 0; i < 65536; ++i)
    {
        halves[i] = (uint16_t)i;
    }
    for (size_t set = 0; set < 4; ++set)
    {
        if (abut_simd_force(set_names[set]) != ABUT_OK)
        {
            continue;
        }
        abut_node_kernels()->half_to_float(halves, 65536, floats);
        abut_node_kernels()->float_to_half(floats, 65536, back);
        for (int i = 0; i < 65536; ++i)
        {
            double expected = half_value(halves[i]);
            if (isnan(expected))
            {
                assert_true(isnan(floats[i]));
                assert_true(isnan(half_value(back[i])));
            }
            else
            {
                assert_true((double)floats[i] == expected);
                assert_int_equal(back[i], halves[i]);
            }
        }
    }
}

/// The nearest half by search: of the two that enclose the value, the nearer; on a tie the even one.
static uint16_t nearest_half(float value)
{
    double magnitude = fabs((double)value);
    uint16_t low = 0;
    for (int bit = 14; bit >= 0; --bit) // halves of one sign are ordered like their bits
    {
        uint16_t next = (uint16_t)(low | (1u << bit));
        if (next <= 0x7C00 && half_value(next) <= magnitude)
        {
            low = next;
        }
    }
    double below = half_value(low), above = low == 0x7BFF ? 65536.0 : half_value((uint16_t)(low + 1));
    bool up = low < 0x7C00 && (magnitude - below > above - magnitude ||
                               (magnitude - below == above - magnitude && (low & 1) == 1));
    return (uint16_t)((up ? low + 1 : low) | (signbit(value) ? 0x8000 : 0));
}

static void test_floats_become_the_nearest_half(void** state)
{
    (void)state;
    static float floats[COUNT];
    static uint16_t halves[COUNT];
    TestRandom random = { 8 };
    for (int repeat = 0; repeat < 50; ++repeat)
    {
        for (size_t i = 0; i < COUNT; ++i)
        {
            double mantissa = 1.0 + test_random_unit(&random);
            double magnitude = ldexp(mantissa, (int)(test_random_bits(&random) % 44) - 27);
            uint16_t exact = (uint16_t)(test_random_bits(&random) % 0x7C00);
            double tie =
                0.5 * (half_value(exact) + half_value((uint16_t)(exact + 1 < 0x7C00 ? exact + 1 : exact)));
            floats[i] = (float)(i % 3 == 0 ? tie : magnitude) * (i % 2 == 0 ? 1.0f : -1.0f);
        }
        for (size_t set = 0; set < 4; ++set)
        {
            if (abut_simd_force(set_names[set]) != ABUT_OK)
            {
                continue;
            }
            abut_node_kernels()->float_to_half(floats, COUNT, halves);
            for (size_t i = 0; i < COUNT; ++i)
            {
                if (halves[i] != nearest_half(floats[i]))
                {
                    fail_msg("%s: %.9g becomes half %04x, expected %04x", set_names[set], (double)floats[i],
                             halves[i], nearest_half(floats[i]));
                }
            }
        }
    }
}

static void test_unknown_and_missing_sets_are_refused(void** state)
{
    (void)state;
    test_assert_result(abut_simd_force("scalar"), ABUT_OK);
    assert_string_equal(abut_simd_name(), "scalar");
    test_assert_result(abut_simd_force("avx9000"), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_simd_force(""), ABUT_INVALID_ARGUMENT);
    assert_string_equal(abut_simd_name(), "scalar");
#if defined(__x86_64__)
    test_assert_result(abut_simd_force("neon"), ABUT_UNSUPPORTED);
    assert_string_equal(abut_simd_name(), "scalar");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sets_give_the_bits_of_the_scalar_one),
        cmocka_unit_test(test_every_half_survives_a_round_trip),
        cmocka_unit_test(test_floats_become_the_nearest_half),
        cmocka_unit_test(test_unknown_and_missing_sets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
