// `abut query`: a line per point.
#include "support/program_json.h"

#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Writes random points about `center` and the answers that the library gives for them.
static void write_query_case(const char* text, const char* pose_text, AbutPosition center, double size,
                             int count)
{
    AbutParsedShape loaded;
    test_assert_result(abut_shape_parse(text, NULL, &loaded), ABUT_OK);
    AbutPose pose;
    test_assert_result(abut_pose_parse(pose_text, &pose), ABUT_OK);
    FILE* points = fopen("points.txt", "w");
    FILE* answers = fopen("expected.txt", "w");
    TestRandom random = { 11 };
    for (int i = 0; i < count; ++i)
    {
        AbutPosition p = test_random_position(&random, size);
        p = (AbutPosition){ center.x + p.x, center.y + p.y, center.z + p.z };
        AbutVec3 gradient;
        float distance = abut_shape_distance_at(loaded.shape, &pose, p, &gradient);
        fprintf(points, i % 3 == 0 ? "%.17g %.17g %.17g\n" : "%.17g, %.17g\t,%.17g # point\n", p.x, p.y, p.z);
        fprintf(answers, "%.9g %.9g %.9g %.9g\n", (double)distance, (double)gradient.x, (double)gradient.y,
                (double)gradient.z);
    }
    fclose(points);
    fclose(answers);
    abut_shape_destroy(loaded.shape);
}

/// Lines of four numbers each, within `tolerance` (absolute for gradients, relative and absolute for
/// distances).
static void check_answers(const char* got, const char* expected, double tolerance)
{
    int line = 0;
    while (*expected != '\0')
    {
        ++line;
        for (int i = 0; i < 4; ++i)
        {
            char *got_end, *expected_end;
            double value = strtod(got, &got_end), reference = strtod(expected, &expected_end);
            if (got_end == got || !(fabs(value - reference) <= tolerance * (1.0 + fabs(reference))))
            {
                fail_msg("line %d, number %d: %.40s, expected %.40s", line, i, got, expected);
            }
            got = got_end;
            expected = expected_end;
        }
        assert_true(*got == '\n' && *expected == '\n');
        ++got;
        ++expected;
    }
    assert_true(*got == '\0');
}

static void check_query(const char* text, const char* pose, AbutPosition center, double size,
                        double tolerance)
{
    write_query_case(text, pose, center, size, 5000);
    char line[512];
    snprintf(line, sizeof(line), "abut query '%s' points.txt --pose=%s", text, pose);
    TestRun result = test_run(line);
    assert_int_equal(result.status, 0);
    char* expected = test_read_text("expected.txt");
    check_answers(result.out, expected, tolerance);
    free(expected);
    test_free_run(&result);
}

static void test_query_answers_as_the_library_does(void** state)
{
    (void)state;
    AbutPosition origin = { 0.0, 0.0, 0.0 };
    check_query("sphere:0.5", "0,0,0", origin, 2.0, 2e-6);
    check_query("torus:1,0.25", "-0.5,0.1,0.2,0.5,0.5,0.5,0.5,1.5", origin, 2.0, 2e-6);
    check_query("plane", "0,0,0", origin, 1e6, 2e-6);
    // Ten kilometres away with features of millimetres.
    AbutPosition far = { 10000.0, -20000.0, 5000.0 };
    check_query("cylinder:0.001,0.004", "10000,-20000,5000", far, 0.01, 1e-7);
    check_query("union(at(sphere:0.001;10000,0,0);sphere:0.001)", "0,0,0",
                (AbutPosition){ 10000.0, 0.0, 0.0 }, 0.005, 1e-8);
}

static void test_query_of_closed_forms(void** state)
{
    (void)state;
    test_check_run("echo 1 0 0 | abut query sphere:0.5", 0, "0.5 1 0 0\n", "");
    test_check_run("echo '0 -2 0' | abut query box:1,1,1 -", 0, "1.5 0 -1 0\n", "");
    test_check_run("printf '# nothing\\n\\n  0,0,0  # centre\\r\\n' | abut query sphere:0.5", 0, "-0.5 ", "");
    test_check_run("printf '0 3 0' | abut query plane", 0, "3 0 1 0\n", ""); // no newline at the end
    test_check_run("abut query sphere:1 </dev/null", 0, "", "");
}

static void test_query_is_the_same_for_any_number_of_threads(void** state)
{
    (void)state;
    write_query_case("sphere:0.5", "0,0,0", (AbutPosition){ 0.0, 0.0, 0.0 }, 1.0, 30000);
    test_check_run("for t in 1 2 7; do abut query torus:0.5,0.1 points.txt --threads $t >answers.$t; done; "
                   "cmp answers.1 answers.2 && cmp answers.1 answers.7 && wc -l <answers.1",
                   0, "30000", "");
    test_check_run("ABUT_SIMD=scalar abut query torus:0.5,0.1 points.txt | cmp - answers.1", 0, "", "");
}

static void test_query_json_is_one_document(void** state)
{
    (void)state;
    cJSON* document = test_run_json("seq -f '%g 0 0' 20000 | abut query sphere:0.5 --json");
    const cJSON* samples = cJSON_GetObjectItem(document, "samples");
    assert_int_equal(cJSON_GetArraySize(samples), 20000);
    const cJSON* second = cJSON_GetArrayItem(samples, 1);
    test_assert_near(test_json_number(second, "distance"), 1.5, 1e-9);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(second, "gradient")), 3);
    cJSON_Delete(document);
    document = test_run_json("abut query sphere:0.5 --json </dev/null");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "samples")), 0);
    cJSON_Delete(document);
}

static void test_query_names_the_line_that_is_bad(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "printf '0 0 0\\n# c\\n1 2\\n'", "standard input:3: fewer than three numbers" },
        { "printf '0 0 0 0\\n'", "standard input:1: more than three numbers" },
        { "printf '0 0 x\\n'", "standard input:1: not a finite number" },
        { "printf '0 0 nan\\n'", "standard input:1: not a finite number" },
        { "printf '0 0 1e400\\n'", "standard input:1: not a finite number" },
        { "printf '0 0 1e19\\n'", "standard input:1: a coordinate is beyond 1e18" },
        { "printf '0 0,,0\\n'", "standard input:1: not a finite number" },
        { "printf '0 0 0,\\n'", "standard input:1: something is glued" },
        { "printf '1x 0 0\\n'", "standard input:1: something is glued" },
        { "{ seq -f '%g 0 0' 50000; echo bad; seq -f '%g 0 0' 50000; }",
          "standard input:50001: not a finite" },
        { "head -c 100000 /dev/zero | tr '\\0' '1'", "standard input:1: a line of more than 32768 bytes" },
        { "{ echo 0 0 0; head -c 3000000 /dev/zero; }", "standard input:2: " },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line), "%s | abut query sphere:1", cases[i][0]);
        test_check_run(line, 3, "", cases[i][1]);
    }
    // What came before the bad line has been answered.
    test_check_run("{ seq -f '%g 0 0' 3; echo bad; } | abut query sphere:1", 3, "0 1 0 0\n1 1 0 0\n2 1 0 0\n",
                   ":4:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query_answers_as_the_library_does),
        cmocka_unit_test(test_query_of_closed_forms),
        cmocka_unit_test(test_query_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_query_json_is_one_document),
        cmocka_unit_test(test_query_names_the_line_that_is_bad),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
