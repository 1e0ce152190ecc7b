// Numbers in text files, read through the OBJ reader: the same bits as strtof() in the C locale for any
// number of digits.
#include "support/meshes/mesh_files.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROUNDS = TEST_ROUNDS(300000) // of nine numbers each
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float random_float(TestRandom* random)
{
    for (;;)
    {
        float value = float_of((uint32_t)test_random_bits(random));
        if (isfinite(value))
        {
            return value;
        }
    }
}

/// Up to 60 random digits with a point and an exponent anywhere.
static void print_digits(TestRandom* random, char* text)
{
    size_t count = 1 + test_random_bits(random) % 60;
    size_t point = test_random_bits(random) % (count + 1);
    size_t length = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (i == point)
        {
            text[length++] = '.';
        }
        text[length++] = (char)('0' + test_random_bits(random) % 10);
    }
    sprintf(text + length, "e%d", (int)(test_random_bits(random) % 80) - 50 - (int)point / 2);
}

/// The middle between a float and its neighbour, all of its digits, and perhaps one more far behind.
static void print_middle(TestRandom* random, char* text)
{
    float value = fabsf(random_float(random));
    double middle = 0.5 * ((double)value + (double)nextafterf(value, 0.0f));
    int length = sprintf(text, "%.130e", middle);
    uint64_t choice = test_random_bits(random) % 3;
    char* exponent = strchr(text, 'e');
    if (choice == 1 && exponent != NULL)
    {
        exponent[-1] = '1';
    }
    assert_true(length < 160);
}

static void print_numbers(TestRandom* random, char texts[9][256])
{
    float value = random_float(random);
    sprintf(texts[0], "%.9g", (double)value);
    sprintf(texts[1], "%.6g", (double)value);
    sprintf(texts[2], "%.17g", (double)value * (1.0 + 1e-7 * test_random_unit(random)));
    sprintf(texts[3], "%f", test_random_range(random, -1000.0, 1000.0));
    sprintf(texts[4], "%.7f", test_random_range(random, -1.0, 1.0));
    long long bits = (long long)test_random_bits(random);
    sprintf(texts[5], "%lld", bits >> (test_random_bits(random) % 63));
    int digits = (int)(test_random_bits(random) % 25);
    sprintf(texts[6], "%.*e", digits, (double)random_float(random));
    print_digits(random, texts[7]);
    print_middle(random, texts[8]);
    for (int i = 0; i < 9; ++i)
    {
        if (!isfinite(strtof(texts[i], NULL)))
        {
            strcpy(texts[i], "0");
        }
    }
}

static void test_numbers_are_rounded_like_strtof(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    TestText text = { 0 };
    float* expected = malloc(sizeof(float) * ROUNDS * 9);
    assert_non_null(expected);
    for (size_t round = 0; round < ROUNDS; ++round)
    {
        char texts[9][256];
        print_numbers(&random, texts);
        for (size_t i = 0; i < 9; ++i)
        {
            expected[round * 9 + i] = strtof(texts[i], NULL);
            test_text_print(&text, "%s%s%s", i % 3 == 0 ? "v " : " ", texts[i], i % 3 == 2 ? "\n" : "");
        }
    }
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
    assert_int_equal(abut_mesh_vertex_count(mesh), ROUNDS * 3);
    const float* actual = &abut_mesh_vertices(mesh)->x;
    for (size_t i = 0; i < (size_t)ROUNDS * 9; ++i)
    {
        if (bits_of(actual[i]) != bits_of(expected[i]))
        {
            fail_msg("number %zu is %.9g, expected %.9g", i, (double)actual[i], (double)expected[i]);
        }
    }
    abut_mesh_destroy(mesh);
    free(expected);
    test_text_free(&text);
}

static void assert_reads(const char* number, float expected)
{
    TestText text = { 0 };
    test_text_print(&text, "v %s 0 0\n", number);
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
    float actual = abut_mesh_vertices(mesh)[0].x;
    if (bits_of(actual) != bits_of(expected))
    {
        fail_msg("'%s' is %.9g, expected %.9g", number, (double)actual, (double)expected);
    }
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_special_numbers(void** state)
{
    (void)state;
    assert_reads("0", 0.0f);
    assert_reads("-0", -0.0f);
    assert_reads("-0.0e99999", -0.0f);
    assert_reads("3.4028234663852886e38", FLT_MAX);
    assert_reads("-340282346638528859811704183484516925440", -FLT_MAX);
    assert_reads("3.4028235677973366e38", FLT_MAX); // just below the middle to the next power of two
    assert_reads("1.1754943508222875e-38", FLT_MIN);
    assert_reads("1.4012984643248171e-45", float_of(1));
    assert_reads("7.1e-46", float_of(1));
    assert_reads("7e-46", 0.0f);
    assert_reads("1e-99999999999999999999", 0.0f);
    assert_reads("0.00000000000000000000000000000000000000000000000001e50", 1.0f);
    assert_reads("16777217", 16777216.0f); // a tie, to even
    assert_reads("16777219", 16777220.0f);
    assert_reads("16777217.0000000000000000000000000000000000000000000000000000001", 16777218.0f);
    assert_reads("+1.5E+2", 150.0f);
    assert_reads("9007199791611905", 9007200328482816.0f);
}

static void test_number_of_a_million_digits_is_rounded_right(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "v 16777217.");
    for (int i = 0; i < 1000000; ++i)
    {
        test_text_append(&text, "0", 1);
    }
    test_text_print(&text, "1 0.");
    for (int i = 0; i < 1000000; ++i)
    {
        test_text_append(&text, "0", 1);
    }
    test_text_print(&text, "1234e1000003 0\n");
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
    test_assert_vertex(mesh, 0, 16777218.0f, 123.4f, 0.0f);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_locale_with_a_decimal_comma_changes_nothing(void** state)
{
    (void)state;
    static const char* const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                         "fr_FR.utf8",  "de_DE",      "fr_FR" };
    const char* found = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && found == NULL; ++i)
    {
        found = setlocale(LC_ALL, names[i]);
    }
    if (found == NULL)
    {
        print_message("no locale with a decimal comma is installed: skipped\n");
        skip();
    }
    assert_reads("1.5", 1.5f);
    assert_reads("16777217.5", 16777218.0f);
    assert_reads("1.4012984643248171e-45", float_of(1));
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_rounded_like_strtof),
        cmocka_unit_test(test_special_numbers),
        cmocka_unit_test(test_number_of_a_million_digits_is_rounded_right),
        cmocka_unit_test(test_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
