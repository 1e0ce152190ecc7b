// The program as its users run it: help, exit codes and messages.
#include "support/program_json.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_help_has_usage_examples_and_exit_codes(void** state)
{
    (void)state;
    static const char* const verbs[] = { "info", "bake", "query", "slice", "surface", "collide", "bench" };
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); ++i)
    {
        char line[64];
        snprintf(line, sizeof(line), "abut %s --help", verbs[i]);
        TestRun result = test_run(line);
        assert_int_equal(result.status, 0);
        assert_non_null(strstr(result.out, "Usage: abut "));
        assert_non_null(strstr(result.out, "--json"));
        assert_non_null(strstr(result.out, "Exit status"));
        const char* examples = strstr(result.out, "\nExamples\n");
        assert_non_null(examples);
        int count = 0;
        for (const char* at = examples; (at = strstr(at, "abut ")) != NULL; ++at)
        {
            ++count;
        }
        assert_true(count >= 3);
        test_free_run(&result);
    }
    test_check_run("abut --help", 0, "Verbs", "");
    test_check_run("abut help slice", 0, "Usage: abut slice", "");
    test_check_run("abut --version", 0, "abut 0.", "");
}

static void test_bad_usage_ends_with_2_and_says_what_to_do(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "abut", "a verb is missing" },
        { "abut querry sphere:1", "did you mean query?" },
        { "abut frobnicate", "abut --help lists the verbs" },
        { "abut info", "an argument is missing; usage: abut info SHAPE" },
        { "abut info sphere:1 sphere:2", "one argument too many: \"sphere:2\"" },
        { "abut info sphere:1 --jsom", "unknown option \"--jsom\"; did you mean --json?" },
        { "abut info sphere:1 --zzzzzzzz", "--help lists the options" },
        { "abut info sphere:1 -q", "unknown option \"-q\"" },
        { "abut info sphere:1 --json=yes", "--json takes no value" },
        { "abut info sphere:1 --threads", "--threads needs a value" },
        { "abut info sphere:1 --threads --json", "--threads needs a value" },
        { "abut info sphere:1 --threads two", "--threads wants a whole number in [0, 256], not \"two\"" },
        { "abut info sphere:1 --threads -1", "--threads wants a whole number in [0, 256], not \"-1\"" },
        { "abut info sphere:1 --threads 1.5", "whole number" },
        { "abut info sphere:1 --threads 1e400", "whole number" },
        { "abut info sphere:1 --require perfect", "--require wants one of closed|oriented|solid|clean" },
        { "abut info sphere:1 --require 'closed|oriented'", "--require wants one of" },
        { "abut query sphere:1 --pose 1,2", "a pose has 3, 7 or 8 numbers" },
        { "abut query sphere:1 --pose nan,0,0", "at column 1" },
        { "abut slice sphere:1", "-o PNG is missing" },
        { "abut slice sphere:1 -o - --json", "both want standard output" },
        { "abut slice sphere:1 -o a.png --size 10", "such as 800x600" },
        { "abut slice sphere:1 -o a.png --size 1x1", "in [16, 16384]" },
        { "abut slice sphere:1 -o a.png --size 16384x16384", "more than 100000000 pixels" },
        { "abut slice sphere:1 -o a.png --axis w", "--axis wants one of x|y|z" },
        { "abut slice sphere:1 -o a.png --at nan", "--at wants a finite number, not \"nan\"" },
        { "abut slice sphere:1 -o a.png --at inf", "--at wants a finite number" },
        { "abut slice sphere:1 -o a.png --at 1e400", "--at wants a finite number" },
        { "abut slice sphere:1 -o a.png --width 0", "--width is 0; it must be positive" },
        { "abut slice sphere:1 -o a.png --isolines -1", "--isolines is -1" },
        { "abut slice sphere:1 -o a.png --center 1e300,0,0", "--center: 1e+300 is too far out" },
        { "abut slice sphere:1 -o a.png --center 1,2", "--center wants 3 finite numbers X,Y,Z" },
        { "abut slice sphere:1 -o a.png --box 0,0,0,1,1,0", "--box: z runs from 0 to 0" },
        { "abut surface sphere:1", "-o MESH is missing" },
        { "abut surface sphere:1 -o a.xyz", "meshes are written as .obj, .ply or .stl" },
        { "abut surface sphere:1 -o a.obj --res 1", "--res wants a whole number in [2, 4096]" },
        { "abut surface sphere:1 -o a.obj --res 64 --cell 0.1", "give one of them" },
        { "abut surface sphere:1 -o a.obj --cell -1", "--cell is -1" },
        { "abut surface gear -o a.obj --iso 0.1", "a mesh is written as it is" },
        { "abut surface plane -o a.obj", "--box X0,Y0,Z0,X1,Y1,Z1 says which part" },
        { "ABUT_SIMD=mmx abut info sphere:1", "ABUT_SIMD=mmx" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        test_check_run(cases[i][0], 2, "", cases[i][1]);
    }
    assert_int_not_equal(access("a.png", F_OK), 0);
    assert_int_not_equal(access("a.obj", F_OK), 0);
}

static void test_bad_input_ends_with_3_and_names_the_location(void** state)
{
    (void)state;
    test_write_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    test_write_text("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    test_write_text("cut.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n");
    test_write_text("empty.stl", "");
    mkdir("folder", 0777);
    static const char* const cases[][2] = {
        { "abut info missing.obj", "missing.obj" },
        { "abut info bad.obj", "bad.obj:4:" },
        { "abut info nan.obj", "nan.obj:2:" },
        { "abut info cut.ply", "cut.ply" },
        { "abut info empty.stl", "empty.stl" },
        { "abut info folder", "folder" },
        { "abut info bad.obj --json", "bad.obj:4:" },
        { "abut info sphere:abc", "at column 8: expected a finite number for R" },
        { "abut info sphere:-1", "at column 1" },
        { "abut info shpere:1", "the shapes are sphere" },
        { "abut info part.obj@128", "part.obj: no such file" },
        { "abut query gear", "a mesh has no distance" },
        { "abut slice gear -o a.png", "a mesh has no distance" },
        { "abut query sphere:1 missing.txt", "missing.txt: cannot open" },
        { "abut query sphere:1 folder", "folder: cannot read" },
        { "abut query sphere:1 <&-", "standard input: cannot read" },
        { "abut slice sphere:1 --size 64x64 -o folder", "folder: cannot write: Is a directory" },
        { "abut slice sphere:1 --size 64x64 -o nowhere/a.png", "nowhere/a.png: cannot write" },
        { "abut slice sphere:1 --size 64x64 -o /dev/full", "/dev/full: cannot write" },
        { "abut surface sphere:1 -o nowhere/a.obj", "nowhere/a.obj" },
        { "abut info sphere:1 >/dev/full", "standard output: No space left on device" },
        { "abut info sphere:1 --json >/dev/full", "standard output" },
        { "abut slice sphere:1 --size 64x64 -o - >/dev/full", "standard output" },
        { "abut info sphere:1 >&-", "standard output" },
        { "seq -f '%g 0 0' 100000 | abut query sphere:1 >/dev/full", "standard output" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        test_check_run(cases[i][0], 3, "", cases[i][1]);
    }
    assert_int_not_equal(access("a.png", F_OK), 0);
}

/// The status of the program itself, not of the pipe.
static void test_reader_that_leaves_is_an_error_and_no_signal(void** state)
{
    (void)state;
    test_check_run("{ seq -f '%g 0 0' 200000 | abut query sphere:1; echo $? >status; } | head -1; cat status",
                   0, "\n3\n", "standard output: Broken pipe");
}

static void test_unknown_instruction_set_is_bad_usage_and_scalar_is_fine(void** state)
{
    (void)state;
    test_check_run("ABUT_SIMD=scalar abut --version", 0, "(scalar)", "");
    test_check_run("ABUT_SIMD= abut --version", 0, "abut", "");
}

static void test_bench_lists_its_cases_or_says_how_to_build_it(void** state)
{
    (void)state;
    TestRun result = test_run("abut bench --list");
    bool built = result.status == 0 && strstr(result.out, "eval") != NULL;
    bool told = result.status == 3 && strstr(result.err, "-DABUT_BUILD_BENCH=ON") != NULL;
    assert_true(built || told);
    test_free_run(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_has_usage_examples_and_exit_codes),
        cmocka_unit_test(test_bad_usage_ends_with_2_and_says_what_to_do),
        cmocka_unit_test(test_bad_input_ends_with_3_and_names_the_location),
        cmocka_unit_test(test_reader_that_leaves_is_an_error_and_no_signal),
        cmocka_unit_test(test_unknown_instruction_set_is_bad_usage_and_scalar_is_fine),
        cmocka_unit_test(test_bench_lists_its_cases_or_says_how_to_build_it),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
