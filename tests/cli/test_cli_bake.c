// abut bake and abut info of fields, as a script uses them.
#include "support/program_json.h"

#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double file_size(const char* path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (double)status.st_size;
}

static void test_info_of_a_field_has_the_keys_that_scripts_rely_on(void** state)
{
    (void)state;
    test_check_run("abut bake gear --res 48 -o gear.abut", 0, "gear.abut\n", "");
    cJSON* info = test_run_json("abut info gear.abut --json");
    static const char* const keys[] = { "bounds", "volume",      "resolution", "cell_size", "order",
                                        "bytes",  "error_bound", "mass",       "error_max", "error_rms",
                                        "sign",   "file_bytes",  "origin",     "lipschitz", "bounds_bytes" };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); ++i)
    {
        if (!cJSON_HasObjectItem(info, keys[i]))
        {
            fail_msg("no key %s", keys[i]);
        }
    }
    test_assert_near(test_json_number(info, "volume"), test_json_number(info, "mesh_volume"),
                     0.05 * test_json_number(info, "volume"));
    test_assert_near(test_json_number(info, "file_bytes"), file_size("gear.abut"), 0.0);
    test_assert_near(test_json_number(info, "bytes"), file_size("gear.abut"), 0.0);
    assert_true(test_json_number(info, "error_max") > 0.0 &&
                test_json_number(info, "error_max") <= test_json_number(info, "error_bound"));
    const cJSON* mass = cJSON_GetObjectItem(info, "mass");
    assert_true(cJSON_HasObjectItem(mass, "center") && cJSON_HasObjectItem(mass, "inertia"));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(info, "sign"), "closed")));
    cJSON_Delete(info);
    static const char* const rows[] = { "kind",    "cells",  "memory", "file",    "error",
                                        "surface", "bounds", "volume", "inertia", "sign in doubt" };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i)
    {
        test_check_run("abut info gear.abut", 0, rows[i], "");
    }
}

/// A unit cube without its top, whose seams are not welded, and a loose triangle far from it when asked for.
static void write_open_cube(const char* path, bool with_triangle)
{
    static const int corners[10][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 },
                                        { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int t = 0; t < 10; ++t)
    {
        for (int k = 0; k < 3; ++k)
        {
            int corner = corners[t][k];
            fprintf(file, "v %d %d %d\n", corner & 1, corner >> 1 & 1, corner >> 2);
        }
        fprintf(file, "f -3 -2 -1\n");
    }
    if (with_triangle)
    {
        fprintf(file, "v 3 0 0\nv 4 0 0\nv 3 1 0\nf -3 -2 -1\n");
    }
    assert_int_equal(fclose(file), 0);
}

static void test_holes_are_closed_when_asked_for(void** state)
{
    (void)state;
    write_open_cube("open.obj", false);
    cJSON* info = test_run_json("abut bake open.obj --res 32 -o open.abut --json");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(info, "error_bound"))); // infinite
    assert_false(cJSON_HasObjectItem(info, "close"));
    cJSON_Delete(info);
    info = test_run_json("abut bake open.obj --res 32 --close -o closed.abut --json");
    test_assert_near(test_json_number(info, "mesh_volume"), 1.0, 1e-6);
    assert_true(test_json_number(info, "error_bound") < 0.1);
    const cJSON* close = cJSON_GetObjectItem(info, "close");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(close, "closed")));
    test_assert_near(test_json_number(close, "loops"), 1, 0);
    test_assert_near(test_json_number(close, "triangles"), 2, 0);
    test_assert_near(test_json_number(close, "area"), 1, 1e-6);
    test_assert_near(test_json_number(close, "open_edges"), 0, 0);
    cJSON_Delete(info);
    test_check_run("abut bake open.obj --res 32 --close -o closed.abut", 0,
                   "holes closed        1 by 2 triangles", "");
    test_check_run("abut info open.obj --close --require solid", 0, "holes closed        1 by 2 triangles",
                   "");
    test_check_run("abut info open.obj --require solid", 1, "4 boundary", "");
    test_check_run("abut surface open.obj --close -o solid.obj && abut info solid.obj --require solid", 0,
                   "volume              1\n", "");
    test_check_run("abut info open.obj@32,close", 0, "volume of the mesh  1\n", "");
    test_check_run("abut bake open.obj --update closed.abut --before open.obj --close -o same.abut && "
                   "cmp closed.abut same.abut",
                   0, "redone              0 of", "");
}

static void test_holes_that_are_left_open_are_reported(void** state)
{
    (void)state;
    write_open_cube("loose.obj", true);
    test_check_run("abut info loose.obj --close", 0,
                   "left open           1 around what would enclose nothing", "");
    test_check_run("abut info loose.obj --close", 0, "3 edges in all", "");
    test_check_run("abut bake sphere:1 --close -o sphere.abut", 2, "", "--close is for meshes");
    test_check_run("abut surface sphere:1 --close -o sphere.obj", 2, "", "--close is for meshes");
    test_check_run("abut info sphere:1 --close", 2, "", "--close is for meshes");
}

static void test_fields_are_compressed_and_unpacked(void** state)
{
    (void)state;
    test_check_run("abut bake torus:1,0.25 --res 48 -o plain.abut", 0, "", "");
    test_check_run("abut bake torus:1,0.25 --res 48 --compress -o packed.abut", 0, "", "");
    assert_true(file_size("packed.abut") < 0.9 * file_size("plain.abut"));
    test_check_run("abut bake packed.abut -o again.abut && cmp plain.abut again.abut", 0, "", "");
    test_check_run("abut bake plain.abut --compress -o squeezed.abut && cmp packed.abut squeezed.abut", 0, "",
                   "");
    test_check_run("echo 1 0.5 0 | abut query packed.abut", 0, "0.2", "");
    // With an option that says how, it is baked anew.
    cJSON* info = test_run_json("abut bake packed.abut --order 1 --res 32 -o anew.abut --json");
    test_assert_near(test_json_number(info, "order"), 1.0, 0.0);
    cJSON_Delete(info);
}

static void test_the_ending_picks_the_kind_of_file(void** state)
{
    (void)state;
    static const char* const endings[] = { "vti", "nrrd", "npy" };
    static const char* const starts[] = { "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\"",
                                          "NRRD0004\n", "\x93NUMPY" };
    for (int i = 0; i < 3; ++i)
    {
        char line[128];
        snprintf(line, sizeof(line), "abut bake sphere:0.5 --res 16 --sparse -o ball.%s", endings[i]);
        test_check_run(line, 0, "field, sparse", "");
        char* text = test_read_text(strstr(line, "ball."));
        assert_memory_equal(text, starts[i], strlen(starts[i]));
        free(text);
    }
    assert_true(file_size("ball.npy") == 128.0 + 4.0 * 17 * 17 * 17);
    test_check_run("abut bake sphere:0.5 -o ball.sdf", 2, "", ".sdf is only read");
    test_check_run("abut bake sphere:0.5 --compress -o ball.vti", 2, "", "--compress is for fields");
    test_check_run("abut info ball.vti", 3, "", "this kind of volume is only written");
    test_write_text("two.sdf", "2 2 2\n0 0 0\n1\n-0.5 0.5 -0.5 0.5 -0.5 0.5 -0.5 0.5\n");
    test_check_run("abut info two.sdf", 0, "not known: the distances were computed elsewhere", "");
    test_check_run("echo 0.75 0.5 0.5 | abut query two.sdf", 0, "0.25 1 0 0", "");
    test_check_run("abut bake two.sdf -o two.abut && abut info two.abut", 0, "not known", "");
    test_write_text("bad.sdf", "2 2 2\n0 0 0\n1\n1 1 1 1 x");
    test_check_run("abut info bad.sdf", 3, "", "bad.sdf:4: distance 5 of 8 is 'x': it is not a number");
}

static void test_an_error_picks_the_resolution(void** state)
{
    (void)state;
    double cells[2];
    for (int i = 0; i < 2; ++i)
    {
        char line[128];
        const double target = i == 0 ? 3e-3 : 3e-4;
        snprintf(line, sizeof(line), "abut bake torus:1,0.25 --error %g -o torus.abut --json", target);
        cJSON* info = test_run_json(line);
        assert_true(test_json_number(info, "error_max") <= target);
        cells[i] = cJSON_GetArrayItem(cJSON_GetObjectItem(info, "resolution"), 0)->valuedouble;
        cJSON_Delete(info);
    }
    assert_true(cells[1] > 1.5 * cells[0]);
    test_check_run("abut bake torus:1,0.25 --error 0.01 --res 64 -o x.abut", 2, "",
                   "leave out --res and --cell");
    test_check_run("abut bake torus:1,0.25 --error -1 -o x.abut", 2, "",
                   "--error is -1; it must be positive");
    test_check_run("abut bake 'difference(box:1,1,1;sphere:0.6)' --error 1e-6 --memory 4 -o x.abut", 3, "",
                   "an error of 1e-06 is not reached");
    assert_int_equal(access("x.abut", F_OK), -1);
}

static void test_memory_is_refused_and_nothing_is_written(void** state)
{
    (void)state;
    test_check_run("abut bake sphere:1 --res 512 --memory 100 -o big.abut", 3, "", "the limit is 104857600");
    test_check_run("abut bake sphere:1 --res 512 --sparse --memory 10 -o big.abut", 3, "",
                   "the limit is 10485760; use larger cells, or a higher limit");
    assert_int_equal(access("big.abut", F_OK), -1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info_of_a_field_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(test_holes_are_closed_when_asked_for),
        cmocka_unit_test(test_holes_that_are_left_open_are_reported),
        cmocka_unit_test(test_fields_are_compressed_and_unpacked),
        cmocka_unit_test(test_the_ending_picks_the_kind_of_file),
        cmocka_unit_test(test_an_error_picks_the_resolution),
        cmocka_unit_test(test_memory_is_refused_and_nothing_is_written),
        cmocka_unit_test(test_bake_update_writes_the_file_of_a_full_bake),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
