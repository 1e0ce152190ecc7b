// The program as its users run it: answers, JSON, pictures, meshes, exit codes and messages.
#include "support/program.h"

#include <abut/io.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// Runs a line that prints one JSON document.
static cJSON* run_json(const char* line)
{
    TestRun result = test_run(line);
    if (result.status != 0)
    {
        fail_msg("%s\nstatus %d: %s", line, result.status, result.err);
    }
    cJSON* document = cJSON_ParseWithOpts(result.out, NULL, true);
    if (document == NULL)
    {
        fail_msg("%s\nis not JSON: %.2000s", line, result.out);
    }
    test_free_run(&result);
    return document;
}

static double json_number(const cJSON* object, const char* name)
{
    const cJSON* item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(item))
    {
        fail_msg("no number %s", name);
    }
    return item->valuedouble;
}

// ---------------------------------------------------------------------------------------------------------------------
// Help and usage
// ---------------------------------------------------------------------------------------------------------------------

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

static void test_bad_input_ends_with_3_and_names_the_place(void** state)
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

// ---------------------------------------------------------------------------------------------------------------------
// info
// ---------------------------------------------------------------------------------------------------------------------

static void test_info_of_shapes_bounds_and_volume(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        double volume;
    } cases[] = {
        { "sphere:0.5", 0.523598776 },
        { "box:1,2,3", 6.0 },
        { "torus:1,0.25", 1.23370055 },
        { "cylinder:0.5,2", 1.57079633 },
        { "cone:1,2", 2.0943951 },
        { "capsule:0.5,1", 1.30899694 },
        { "at(sphere:0.5;10000,0,0)", 0.523598776 },
        { "at(sphere:0.001;0,0,0)", 4.18879e-9 },
        { "difference(box:2,2,2;box:1,1,1)", 7.0 },
        { "intersection(sphere:1;at(sphere:1;5,0,0))", 0.0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line), "abut info '%s' --json", cases[i].text);
        cJSON* document = run_json(line);
        const cJSON* range = cJSON_GetObjectItemCaseSensitive(document, "volume_range");
        double low = cJSON_GetArrayItem(range, 0)->valuedouble,
               high = cJSON_GetArrayItem(range, 1)->valuedouble;
        double volume = json_number(document, "volume");
        if (low > cases[i].volume * (1.0 + 1e-6) || high < cases[i].volume * (1.0 - 1e-6) ||
            fabs(volume - cases[i].volume) > 2e-3 * cases[i].volume)
        {
            fail_msg("%s: volume %.9g in [%.9g, %.9g], expected %.9g", cases[i].text, volume, low, high,
                     cases[i].volume);
        }
        cJSON_Delete(document);
    }
}

static void test_info_json_of_a_shape_has_its_keys(void** state)
{
    (void)state;
    cJSON* document = run_json("abut info box:1,2,3 --json");
    const cJSON* bounds = cJSON_GetObjectItemCaseSensitive(document, "bounds");
    const cJSON* max = cJSON_GetObjectItemCaseSensitive(bounds, "max");
    test_assert_near(cJSON_GetArrayItem(max, 0)->valuedouble, 0.5, 1e-9);
    test_assert_near(cJSON_GetArrayItem(max, 2)->valuedouble, 1.5, 1e-9);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "kind")), "box");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "distance")), "exact");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "convex")));
    assert_true(json_number(document, "lipschitz") == 1.0);
    assert_true(json_number(document, "error") == 0.0);
    assert_true(json_number(document, "bytes") > 0.0);
    cJSON_Delete(document);

    document = run_json("abut info plane --json"); // no end: null, not a number that JSON does not have
    bounds = cJSON_GetObjectItemCaseSensitive(document, "bounds");
    const cJSON* min = cJSON_GetObjectItemCaseSensitive(bounds, "min");
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(min, 1)));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "volume")));
    cJSON_Delete(document);
}

static void test_info_json_of_a_mesh_has_its_keys(void** state)
{
    (void)state;
    cJSON* document = run_json("abut info box_mesh:1,2,3 --json");
    static const struct
    {
        const char* name;
        double value;
    } numbers[] = {
        { "triangles", 12.0 },
        { "vertices", 8.0 },
        { "welded_vertices", 8.0 },
        { "components", 1.0 },
        { "boundary_edges", 0.0 },
        { "nonmanifold_edges", 0.0 },
        { "t_junctions", 0.0 },
        { "inconsistent_edges", 0.0 },
        { "degenerate_triangles", 0.0 },
        { "duplicate_triangles", 0.0 },
        { "self_intersections", 0.0 },
        { "area", 22.0 },
        { "volume", 6.0 },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i)
    {
        test_assert_near(json_number(document, numbers[i].name), numbers[i].value, 1e-6);
    }
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "closed")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "oriented")));
    const cJSON* mass = cJSON_GetObjectItem(document, "mass");
    test_assert_near(json_number(mass, "volume"), 6.0, 1e-6);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(mass, "center")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(mass, "inertia")), 3);
    cJSON_Delete(document);
    test_check_run("abut info box_mesh:1,2,3", 0, "triangles           12\n", "");
}

static void test_info_fails_on_what_the_caller_requires(void** state)
{
    (void)state;
    test_write_text("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    test_check_run("abut info box_mesh:1,1,1 --require clean", 0, "", "");
    test_check_run("abut info open.obj --require oriented", 0, "", "");
    test_check_run("abut info open.obj --require closed", 1, "triangles", "");
    test_check_run("abut info open.obj --require solid --json", 1, "\"boundary_edges\":\t3", "");
}

// ---------------------------------------------------------------------------------------------------------------------
// query
// ---------------------------------------------------------------------------------------------------------------------

/// Writes random points about `center` and the answers that the library gives for them.
static void write_query_case(const char* text, const char* pose_text, AbutPosition center, double size,
                             int count)
{
    AbutShapeText loaded;
    test_assert_result(abut_shape_text_load(text, NULL, &loaded), ABUT_OK);
    AbutPose pose;
    test_assert_result(abut_pose_parse(pose_text, &pose), ABUT_OK);
    FILE* points = fopen("points.txt", "w");
    FILE* answers = fopen("expected.txt", "w");
    TestRandom random = { 11 };
    for (int i = 0; i < count; ++i)
    {
        AbutPosition p = { center.x + test_random_range(&random, -size, size),
                           center.y + test_random_range(&random, -size, size),
                           center.z + test_random_range(&random, -size, size) };
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

/// Lines of four numbers each, within `tolerance` (absolute for gradients, relative and absolute for distances).
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
    cJSON* document = run_json("seq -f '%g 0 0' 20000 | abut query sphere:0.5 --json");
    const cJSON* samples = cJSON_GetObjectItem(document, "samples");
    assert_int_equal(cJSON_GetArraySize(samples), 20000);
    const cJSON* second = cJSON_GetArrayItem(samples, 1);
    test_assert_near(json_number(second, "distance"), 1.5, 1e-9);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(second, "gradient")), 3);
    cJSON_Delete(document);
    document = run_json("abut query sphere:0.5 --json </dev/null");
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

// ---------------------------------------------------------------------------------------------------------------------
// slice
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Image
{
    png_image png;
    png_bytep pixels;
} Image;

static Image read_image(const char* path)
{
    Image image = { .png = { .version = PNG_IMAGE_VERSION } };
    assert_true(png_image_begin_read_from_file(&image.png, path));
    image.png.format = PNG_FORMAT_RGB;
    image.pixels = malloc(PNG_IMAGE_SIZE(image.png));
    assert_true(png_image_finish_read(&image.png, NULL, image.pixels, 0, NULL));
    return image;
}

static const png_byte* pixel_at(const Image* image, double x, double y)
{
    size_t column = (size_t)(x * image->png.width), row = (size_t)(y * image->png.height);
    return image->pixels + 3 * (row * image->png.width + column);
}

/// Inside is blue, outside is orange, the surface is dark.
static void check_colors(const Image* image, double x, double y, char expected)
{
    const png_byte* p = pixel_at(image, x, y);
    bool inside = p[2] > p[0] + 20, outside = p[0] > p[2] + 20, dark = p[0] + p[1] + p[2] < 200;
    bool good = expected == 'i' ? inside : (expected == 'o' ? outside : dark);
    if (!good)
    {
        fail_msg("pixel (%g, %g) is (%d, %d, %d), expected %c", x, y, p[0], p[1], p[2], expected);
    }
}

static void test_slice_has_the_right_size_and_colors(void** state)
{
    (void)state;
    test_check_run("abut slice sphere:1 -o sphere.png --plain --size 300x200 --width 6", 0, "", "");
    Image image = read_image("sphere.png");
    assert_int_equal(image.png.width, 300);
    assert_int_equal(image.png.height, 200);
    check_colors(&image, 0.5, 0.5, 'i');
    check_colors(&image, 0.03, 0.5, 'o');
    check_colors(&image, 0.97, 0.97, 'o');
    check_colors(&image, 0.5 + 1.0 / 6.0, 0.5, 's');
    free(image.pixels);

    test_check_run("abut slice plane -o plane.png --size 200x200 --plain", 0, "", ""); // solid below
    image = read_image("plane.png");
    check_colors(&image, 0.5, 0.9, 'i');
    check_colors(&image, 0.5, 0.1, 'o');
    free(image.pixels);
}

/// A sphere at (2, 3, 4) seen along each axis: a small one on its +u side tells left from right, one on its +v side up from
/// down.
static void test_slice_shows_the_axes_as_documented(void** state)
{
    (void)state;
    static const struct
    {
        const char* axis;
        const char* beside; // centre of a small sphere on the right
        const char* above;  // and of one above
    } cases[] = { { "z", "3,3,4", "2,4,4" }, { "x", "2,3,5", "2,4,4" }, { "y", "3,3,4", "2,3,3" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        char line[512];
        snprintf(line, sizeof(line),
                 "abut slice 'union(at(sphere:0.3;%s);at(sphere:0.3;%s))' --axis %s --center 2,3,4 --width 4 "
                 "--size 200x200 --plain -o axes.png",
                 cases[i].beside, cases[i].above, cases[i].axis);
        test_check_run(line, 0, "", "");
        Image image = read_image("axes.png");
        check_colors(&image, 0.75, 0.5, 'i');
        check_colors(&image, 0.5, 0.25, 'i');
        check_colors(&image, 0.25, 0.5, 'o');
        check_colors(&image, 0.5, 0.75, 'o');
        free(image.pixels);
    }
}

static void test_slice_with_frame_is_written_for_every_size(void** state)
{
    (void)state;
    static const char* const sizes[] = { "16x16", "64x300", "160x160", "300x161", "400x300", "700x200" };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line),
                 "abut slice 'smooth(torus:1,0.25;terrain:4,1,16;0.5)' -o frame.png --size %s", sizes[i]);
        test_check_run(line, 0, "", "");
        Image image = read_image("frame.png");
        assert_int_equal(image.png.width, atoi(sizes[i]));
        free(image.pixels);
    }
}

static void test_slice_takes_extreme_shapes(void** state)
{
    (void)state;
    static const char* const lines[] = {
        "abut slice sphere:1e-9 -o x.png --size 200x200",
        "abut slice sphere:1e12 -o x.png --size 200x200",
        "abut slice sphere:1 -o x.png --size 200x200 --pose 1e12,1e12,1e12",
        "abut slice sphere:1 -o x.png --size 200x200 --width 1e-20",
        "abut slice sphere:1 -o x.png --size 200x200 --width 1e20",
        "abut slice sphere:1 -o x.png --size 200x200 --isolines 1e-20",
        "abut slice sphere:1 -o x.png --size 200x200 --isolines 1e20",
        "abut slice sphere:1 -o x.png --size 200x200 --at 1e15",
        "abut slice sphere:1 -o x.png --size 200x200 --center 1e15,0,0",
        "abut slice 'intersection(sphere:1;at(sphere:1;5,0,0))' -o x.png --size 200x200",
        "abut slice box:1,1,0.2 -o x.png --size 200x200 --isolines 0.1",
        "abut slice \"at(sphere:1;0,0,0)\" -o x.png --size 200x200 --axis=y --at=-0.5",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i)
    {
        test_check_run(lines[i], 0, "", "");
    }
}

static void test_slice_is_the_same_for_any_number_of_threads_and_to_stdout(void** state)
{
    (void)state;
    test_check_run("for t in 1 2 7; do abut slice torus:1,0.25 --size 320x240 --threads $t -o t$t.png; done; "
                   "cmp t1.png t2.png && cmp t1.png t7.png",
                   0, "", "");
    test_check_run("abut slice torus:1,0.25 --size 320x240 -o - | cmp - t1.png", 0, "", "");
}

static void test_slice_json_tells_what_is_shown(void** state)
{
    (void)state;
    cJSON* document =
        run_json("abut slice sphere:1 -o a.png --axis y --at 0.5 --width 4 --plain --size 400x200 --json");
    assert_int_equal((int)json_number(document, "width"), 400);
    test_assert_near(json_number(document, "at"), 0.5, 0.0);
    test_assert_near(json_number(document, "pixel_size"), 0.01, 1e-12);
    const cJSON* window = cJSON_GetObjectItem(document, "window");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(window, "axes")), "xz");
    test_assert_near(cJSON_GetArrayItem(cJSON_GetObjectItem(window, "min"), 0)->valuedouble, -2.0, 1e-9);
    const cJSON* range = cJSON_GetObjectItem(document, "distance");
    test_assert_near(json_number(range, "min"), -0.5, 1e-2);
    cJSON_Delete(document);
    remove("a.png");
}

/// A write that fails half way leaves the old file, and nothing else.
static void test_old_picture_survives_a_failed_write(void** state)
{
    (void)state;
    mkdir("keep", 0777);
    test_write_text("keep/a.png", "old");
    test_check_run("trap '' XFSZ; ulimit -f 8; abut slice sphere:1 -o keep/a.png --size 300x300", 3, "",
                   "keep/a.png");
    test_check_run("cat keep/a.png; ls keep | wc -l", 0, "old1", "");
    test_check_run("ln -s a.png keep/link.png; abut slice sphere:1 -o keep/link.png --size 64x64; test -L "
                   "keep/link.png && "
                   "head -c 4 keep/a.png",
                   0, "PNG", "");
}

// ---------------------------------------------------------------------------------------------------------------------
// surface and bench
// ---------------------------------------------------------------------------------------------------------------------

static void test_surface_loads_again_and_is_closed(void** state)
{
    (void)state;
    static const char* const endings[] = { "obj", "ply", "stl" };
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line), "abut surface torus:1,0.25 -o torus.%s --res 48 --json", endings[i]);
        cJSON* document = run_json(line);
        test_assert_near(json_number(document, "volume"), 1.23370055, 0.03);
        test_assert_near(json_number(document, "area"), 9.8696044, 0.15);
        double triangles = json_number(document, "triangles");
        cJSON_Delete(document);
        snprintf(line, sizeof(line), "abut info torus.%s --require solid --json", endings[i]);
        document = run_json(line);
        test_assert_near(json_number(document, "triangles"), triangles, 0.0);
        test_assert_near(json_number(document, "components"), 1.0, 0.0);
        cJSON_Delete(document);
    }
}

static void test_surface_options_say_where_and_how_fine(void** state)
{
    (void)state;
    cJSON* document = run_json("abut surface sphere:1 --iso -0.5 --cell 0.05 -o a.obj --json");
    test_assert_near(json_number(document, "volume"), 0.523598776, 0.01);
    cJSON_Delete(document);
    document = run_json("abut surface plane --box -1,-1,-1,1,1,1 --res 16 -o a.ply --json");
    test_assert_near(json_number(document, "volume"), 4.0, 0.3);
    cJSON_Delete(document);
    test_check_run("abut surface sphere:1 --iso -2 -o a.obj", 0, "0 triangles", "the mesh is empty");
    test_check_run("abut surface gear -o gear.stl && abut info gear.stl --require solid", 0, "triangles", "");
    test_check_run("for t in 1 2 7; do abut surface torus:1,0.25 --threads $t -o t$t.ply >/dev/null; done; "
                   "cmp t1.ply t2.ply && cmp t1.ply t7.ply",
                   0, "", "");
    remove("a.obj");
}

static void test_bake_update_writes_the_file_of_a_full_bake(void** state)
{
    (void)state;
    const char* whole = "'difference(box:1,1,1;sphere:0.6)'";
    char line[512];
    test_check_run("abut bake box:1,1,1 --res 32 --sparse --order 1 --box -1,-1,-1,1,1,1 -o box.abut", 0, "",
                   "");
    snprintf(line, sizeof(line), "abut bake %s --res 32 --sparse --order 1 --box -1,-1,-1,1,1,1 -o full.abut",
             whole);
    test_check_run(line, 0, "", "");
    snprintf(line, sizeof(line),
             "abut bake %s --update box.abut --part sphere:0.6 -o new.abut && cmp new.abut full.abut", whole);
    test_check_run(line, 0, "redone", "");

    test_check_run("abut surface torus:1,0.4 --res 24 -o old.obj && abut bake old.obj --res 32 -o old.abut",
                   0, "", "");
    test_check_run(
        "abut bake old.obj --update old.abut --before old.obj -o same.abut && cmp same.abut old.abut", 0,
        "0 of", "");
    test_check_run("abut surface torus:1,0.3 --res 24 -o other.obj && "
                   "abut bake old.obj --update old.abut --before other.obj -o x.abut",
                   3, "", "was not baked from");
    test_check_run("abut bake old.obj --update old.abut -o x.abut", 2, "", "--before MESH");
    test_check_run("abut bake old.obj --before old.obj -o x.abut", 2, "", "--update FIELD");
    test_check_run("abut bake old.obj --update old.abut --before old.obj --res 64 -o x.abut", 2, "",
                   "keeps cells");
    test_check_run("abut bake old.obj --update old.abut --part sphere:1 -o x.abut", 3, "", "--before MESH");
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
        cmocka_unit_test(test_bad_input_ends_with_3_and_names_the_place),
        cmocka_unit_test(test_reader_that_leaves_is_an_error_and_no_signal),
        cmocka_unit_test(test_unknown_instruction_set_is_bad_usage_and_scalar_is_fine),
        cmocka_unit_test(test_info_of_shapes_bounds_and_volume),
        cmocka_unit_test(test_info_json_of_a_shape_has_its_keys),
        cmocka_unit_test(test_info_json_of_a_mesh_has_its_keys),
        cmocka_unit_test(test_info_fails_on_what_the_caller_requires),
        cmocka_unit_test(test_query_answers_as_the_library_does),
        cmocka_unit_test(test_query_of_closed_forms),
        cmocka_unit_test(test_query_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_query_json_is_one_document),
        cmocka_unit_test(test_query_names_the_line_that_is_bad),
        cmocka_unit_test(test_slice_has_the_right_size_and_colors),
        cmocka_unit_test(test_slice_shows_the_axes_as_documented),
        cmocka_unit_test(test_slice_with_frame_is_written_for_every_size),
        cmocka_unit_test(test_slice_takes_extreme_shapes),
        cmocka_unit_test(test_slice_is_the_same_for_any_number_of_threads_and_to_stdout),
        cmocka_unit_test(test_slice_json_tells_what_is_shown),
        cmocka_unit_test(test_old_picture_survives_a_failed_write),
        cmocka_unit_test(test_surface_loads_again_and_is_closed),
        cmocka_unit_test(test_surface_options_say_where_and_how_fine),
        cmocka_unit_test(test_bake_update_writes_the_file_of_a_full_bake),
        cmocka_unit_test(test_bench_lists_its_cases_or_says_how_to_build_it),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
