// Numbers and poses as people type them: against strtod in the C locale, under other locales, and with
// mistakes.
#include "support/support.h"

#include <abut/io.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* parse(const char* text, double* value)
{
    return abut_number_parse(text, text + strlen(text), value);
}

static void check_same_bits(const char* text)
{
    double value = 0.0;
    const char* end = parse(text, &value);
    double expected = strtod(text, NULL);
    if (end != text + strlen(text) || memcmp(&value, &expected, sizeof(value)) != 0)
    {
        fail_msg("%s read as %.17g, expected %.17g", text, value, expected);
    }
}

static void test_numbers_are_those_of_strtod(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "0",
        "-0",
        "1",
        "+1",
        "-1.5",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "123456789012345678901234567890",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000001",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623157e308",
        "0.000000000000000000000000000000000000000000000000012345678901234567890",
        "00000000000000000000000000012.5",
        "1e-400",
        "0e999999999999999999999"
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
    {
        check_same_bits(texts[i]);
    }
}

static void test_random_numbers_are_those_of_strtod(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < 200000; ++i)
    {
        uint64_t bits = test_random_bits(&random);
        double number;
        memcpy(&number, &bits, sizeof(number));
        if (!isfinite(number))
        {
            continue;
        }
        char text[400];
        snprintf(text, sizeof(text), "%.*g", 1 + i % 24, number);
        if (isfinite(strtod(text, NULL)))
        {
            check_same_bits(text);
        }
        snprintf(text, sizeof(text), "%.*f", i % 12, fmod(number, 1e9));
        check_same_bits(text);
    }
}

/// One more than a tie in the thousandth digit rounds up, an exact tie rounds to even.
static void test_long_ties_depend_on_every_digit(void** state)
{
    (void)state;
    char tie[2048] = "9007199254740993."; // 2^53 + 1
    memset(tie + strlen(tie), '0', 1000);
    double value;
    assert_non_null(parse(tie, &value));
    test_assert_near(value, 9007199254740992.0, 0.0);
    strcat(tie, "1");
    assert_non_null(parse(tie, &value));
    test_assert_near(value, 9007199254740994.0, 0.0);
}

static void test_what_is_no_number_is_refused(void** state)
{
    (void)state;
    static const char* const texts[] = { "",    "-", "+",   ".",  "e5",    "-.e1",   "nan",
                                         "inf", "x", "--1", " 1", "1e400", "-1e400", "1e99999999999999",
                                         "/1" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
    {
        double value = 42.0;
        assert_null(parse(texts[i], &value));
        assert_true(value == 42.0);
    }
}

static void test_number_ends_where_it_ends(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        int length;
        double value;
    } cases[] = { { "1,2", 1, 1.0 },   { "1e", 1, 1.0 },   { "1e+", 1, 1.0 },
                  { "2.5.5", 3, 2.5 }, { "0x10", 1, 0.0 }, { "1e5e5", 3, 1e5 },
                  { "3 ", 1, 3.0 },    { "7-1", 1, 7.0 },  { "1e-2,", 4, 0.01 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        double value;
        const char* end = parse(cases[i].text, &value);
        assert_ptr_equal(end, cases[i].text + cases[i].length);
        assert_true(value == cases[i].value);
    }
    double value;
    assert_ptr_equal(abut_number_parse("123", "123", &value), NULL); // empty range
}

static void test_numbers_ignore_the_locale(void** state)
{
    (void)state;
    static const char* const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (setlocale(LC_ALL, names[i]) != NULL)
        {
            double value;
            assert_non_null(parse("0.12345678901234567890123", &value));
            test_assert_near(value, 0.12345678901234568, 0.0);
        }
    }
    setlocale(LC_ALL, "C");
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

static void test_pose_forms(void** state)
{
    (void)state;
    AbutPose pose;
    test_assert_result(abut_pose_parse("10000.001, -2 ,3e-3", &pose), ABUT_OK);
    assert_true(pose.position.x == 10000.001 && pose.position.y == -2.0 && pose.position.z == 0.003);
    assert_true(pose.rotation.w == 1.0f && pose.scale == 1.0f);
    test_assert_result(abut_pose_parse("0,0,0,0.7071,0,0,0.7071", &pose), ABUT_OK);
    assert_true(abut_pose_is_valid(&pose));
    test_assert_near(pose.rotation.x, 0.70710678, 1e-7);
    test_assert_result(abut_pose_parse(" 0,0,0,0,0,0,1,2.5 ", &pose), ABUT_OK);
    assert_true(pose.scale == 2.5f);
}

static void test_pose_mistakes_are_named_with_their_column(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* message;
    } cases[] = {
        { "", "at column 1: expected a number of at most 1e12 for x" },
        { "1,2", "at column 4: a pose has 3, 7 or 8 numbers, not 2" },
        { "1,2,x", "at column 5: expected a number of at most 1e12 for z" },
        { "1,2,3,", "at column 7: expected a number of at most 1e12 for qx" },
        { "1,2,3,0,0,0,0", "the quaternion has length 0" },
        { "1,2,3,0,0,0,1.02", "the quaternion has length 1.02" },
        { "1,2,3,0,0,0,1,0", "the scale is 0" },
        { "1,2,3,0,0,0,1,-1", "the scale is -1" },
        { "1,2,3,0,0,0,1,1e13", "at column 15: expected a number of at most 1e12 for the scale" },
        { "1,2,3,0,0,0,1,1e-13", "the scale is 1e-13" },
        { "1,-2e12,3", "at column 3: expected a number of at most 1e12 for y" },
        { "1,2,3,0,0,0,1,1,1", "at column 17: a pose has at most 8 numbers" },
        { "1,2,3 4", "at column 7: expected ','" },
        { "1,2,nan", "at column 5: expected a number of at most 1e12 for z" },
        { "1e400,2,3", "at column 1: expected a number of at most 1e12 for x" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutPose pose = abut_pose_at(7.0, 7.0, 7.0);
        test_assert_result(abut_pose_parse(cases[i].text, &pose), ABUT_INVALID_ARGUMENT);
        if (strstr(abut_last_error(), cases[i].message) == NULL)
        {
            fail_msg("%s gave: %s", cases[i].text, abut_last_error());
        }
        assert_true(pose.position.x == 7.0); // untouched
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_those_of_strtod),
        cmocka_unit_test(test_random_numbers_are_those_of_strtod),
        cmocka_unit_test(test_long_ties_depend_on_every_digit),
        cmocka_unit_test(test_what_is_no_number_is_refused),
        cmocka_unit_test(test_number_ends_where_it_ends),
        cmocka_unit_test(test_numbers_ignore_the_locale),
        cmocka_unit_test(test_pose_forms),
        cmocka_unit_test(test_pose_mistakes_are_named_with_their_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
