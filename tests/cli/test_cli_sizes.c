// Whatever size is asked for: an answer within bounds, progress on a terminal, or a refusal at once that says
// what fits.
#include "support/program.h"
#include "support/program_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_of(const char* line, int status, const char* err)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    test_check_run(line, status, "", err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/// Each would take minutes and gigabytes.
static void test_what_does_not_fit_is_refused_at_once(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "abut surface sphere:1 --res 4096 --memory 1000 -o a.ply", "million triangles take about 11 GB" },
        { "abut surface sphere:1e-6 --res 4096 --memory 1000 -o a.ply", "--res 1178 fits" },
        { "abut surface box:1,1,1 --cell 0.0003 --memory 500 -o a.ply", "fits" },
        { "abut surface terrain:20,2 --box -5,-1,-5,5,3,5 --res 4096 --memory 500 -o a.ply", "fits" },
        { "abut bake sphere:1 --res 8192 -o a.abut", "use larger cells" },
        { "abut bake gear --res 512 --memory 100 -o a.abut", "use larger cells" },
        { "abut bake gear --res 8192 --sparse --memory 1000 -o a.abut", "use larger cells" },
        { "abut bake terrain_mesh:10,1,256 --res 16 --memory 20 -o a.abut", "the limit is" },
        { "abut bake gear --error 1e-6 -o a.abut", "is not reached: edges that bend by" },
        { "abut sweep sphere:1 sphere:1 --to 1,0,0 --spacing 1e-12", "use a larger one" },
        { "abut sweep sphere:1 box:1,2,3 --to 1,0,0 --spacing 1e-5", "use a larger one" },
        { "abut simulate pile --bodies 4000000000", "are enough for 262144" },
        { "abut simulate pile --bodies 100000 --memory 16", "are enough for 4096" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        double seconds = seconds_of(cases[i][0], 3, cases[i][1]);
        print_message("%.2f s: %s\n", seconds, cases[i][0]);
        assert_true(seconds < (TEST_IS_SANITIZED ? 60.0 : 10.0)); // on a machine that does other things, too
    }
    test_check_run("ls", 0, "", ""); // and nothing is left behind
    TestRun list = test_run("ls");
    assert_string_equal(list.out, "");
    test_free_run(&list);
    test_check_run("abut simulate pile --dt 1e-9", 2, "", "are more than 100000000 steps");
}

static double evaluations(const char* line)
{
    cJSON* document = test_run_json(line);
    const cJSON* pair = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "pairs"), 0);
    double count = cJSON_GetObjectItem(pair, "evaluations")->valuedouble;
    cJSON_Delete(document);
    return count;
}

/// Contacts cannot be finer than the search, and the search not than its budget.
static void test_tiny_spacings_keep_the_budget(void** state)
{
    (void)state;
    static const char* const pairs[] = { "torus:1,0.3 sphere:0.5 --pose 1,0.2,0",
                                         "box:1,1,1 box:1,1,1 --pose 0.5,0.1,0", "plane box:2,1,2",
                                         "gear@32 sphere:0.5 --pose 0.4,0,0",
                                         "sphere:1e-3 sphere:1e3 --pose 0,1e3,0" };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            static const char* const spacings[] = { "1e-9", "1e-30", "1e30" };
            char line[256];
            snprintf(line, sizeof(line), "abut collide %s --spacing %s --json", pairs[i], spacings[k]);
            double count = evaluations(line);
            assert_true(count > 0.0 && count < 4.0 * 1048576.0);
        }
    }
}

static void test_long_work_shows_progress_on_a_terminal_alone(void** state)
{
    (void)state;
    if (TEST_IS_SANITIZED || system("command -v script >/dev/null") != 0)
    {
        skip();
    }
    test_check_run(
        "script -qec \"timeout -s INT 4 $ABUT_PROGRAM simulate pile --bodies 100000\" /dev/null </dev/null "
        "| tr '\\r' '\\n' | grep -c 'abut: preparing shapes'",
        0, "", "");
    test_check_run(
        "timeout -s INT 1 \"$ABUT_PROGRAM\" simulate pile --bodies 100000 2>&1 | grep -c preparing; true", 0,
        "0\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_does_not_fit_is_refused_at_once),
        cmocka_unit_test(test_tiny_spacings_keep_the_budget),
        cmocka_unit_test(test_long_work_shows_progress_on_a_terminal_alone),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
