// `abut info` and `abut surface`: what a shape or mesh is, and its surface as a mesh.
#include "support/program_json.h"

#include <math.h>
#include <stdio.h>

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
        cJSON* document = test_run_json(line);
        const cJSON* range = cJSON_GetObjectItemCaseSensitive(document, "volume_range");
        double low = cJSON_GetArrayItem(range, 0)->valuedouble,
               high = cJSON_GetArrayItem(range, 1)->valuedouble;
        double volume = test_json_number(document, "volume");
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
    cJSON* document = test_run_json("abut info box:1,2,3 --json");
    const cJSON* bounds = cJSON_GetObjectItemCaseSensitive(document, "bounds");
    const cJSON* max = cJSON_GetObjectItemCaseSensitive(bounds, "max");
    test_assert_near(cJSON_GetArrayItem(max, 0)->valuedouble, 0.5, 1e-9);
    test_assert_near(cJSON_GetArrayItem(max, 2)->valuedouble, 1.5, 1e-9);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "kind")), "box");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "distance")), "exact");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "convex")));
    assert_true(test_json_number(document, "lipschitz") == 1.0);
    assert_true(test_json_number(document, "error") == 0.0);
    assert_true(test_json_number(document, "bytes") > 0.0);
    cJSON_Delete(document);

    document = test_run_json("abut info plane --json"); // no end: null, not a number that JSON does not have
    bounds = cJSON_GetObjectItemCaseSensitive(document, "bounds");
    const cJSON* min = cJSON_GetObjectItemCaseSensitive(bounds, "min");
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(min, 1)));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "volume")));
    cJSON_Delete(document);
}

static void test_info_json_of_a_mesh_has_its_keys(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut info box_mesh:1,2,3 --json");
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
        test_assert_near(test_json_number(document, numbers[i].name), numbers[i].value, 1e-6);
    }
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "closed")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "oriented")));
    const cJSON* mass = cJSON_GetObjectItem(document, "mass");
    test_assert_near(test_json_number(mass, "volume"), 6.0, 1e-6);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(mass, "center")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(mass, "inertia")), 3);
    cJSON_Delete(document);
    test_check_run("abut info box_mesh:1,2,3", 0, "triangles           12\n", "");
}

static void test_info_of_a_mesh_shape_has_its_sign_in_doubt(void** state)
{
    (void)state;
    test_write_text("lid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    cJSON* document = test_run_json("abut info \"mesh(lid.obj)\" --json");
    const cJSON* sign = cJSON_GetObjectItem(document, "sign");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(sign, "closed")));
    test_assert_near(test_json_number(sign, "open_edges"), 3.0, 0.0);
    test_assert_near(test_json_number(sign, "uncertain_regions"), 1.0, 0.0);
    assert_true(test_json_number(sign, "uncertain_part") < 1e-4); // a flat hole
    test_assert_near(test_json_number(document, "volume"), 1.0 / 6.0, 1e-6);
    const cJSON* range = cJSON_GetObjectItem(document, "volume_range");
    double low = cJSON_GetArrayItem(range, 0)->valuedouble, high = cJSON_GetArrayItem(range, 1)->valuedouble;
    assert_true(low <= 1.0 / 6.0 + 1e-7 && 1.0 / 6.0 - 1e-7 <= high && high - low < 1e-3);
    cJSON_Delete(document);
    test_check_run("abut info \"mesh(lid.obj)\"", 0, "surface             open\n", "");
    test_check_run("abut info \"hull(lid.obj)\"", 0,
                   "volume              0.166667 (proved: 0.166667 to 0.166667)\n", "");
    test_check_run("abut info \"mesh(box_mesh:1,1,1)\"", 0, "sign in doubt       nowhere\n", "");
    test_check_run("abut info \"mesh(box_mesh:1,2,3)\"", 0, "volume              6 (proved: 6 to 6)\n", "");
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

static void test_surface_loads_again_and_is_closed(void** state)
{
    (void)state;
    static const char* const endings[] = { "obj", "ply", "stl" };
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line), "abut surface torus:1,0.25 -o torus.%s --res 48 --json", endings[i]);
        cJSON* document = test_run_json(line);
        test_assert_near(test_json_number(document, "volume"), 1.23370055, 0.03);
        test_assert_near(test_json_number(document, "area"), 9.8696044, 0.15);
        double triangles = test_json_number(document, "triangles");
        cJSON_Delete(document);
        snprintf(line, sizeof(line), "abut info torus.%s --require solid --json", endings[i]);
        document = test_run_json(line);
        test_assert_near(test_json_number(document, "triangles"), triangles, 0.0);
        test_assert_near(test_json_number(document, "components"), 1.0, 0.0);
        cJSON_Delete(document);
    }
}

static void test_surface_options_say_where_and_how_fine(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut surface sphere:1 --iso -0.5 --cell 0.05 -o a.obj --json");
    test_assert_near(test_json_number(document, "volume"), 0.523598776, 0.01);
    cJSON_Delete(document);
    document = test_run_json("abut surface plane --box -1,-1,-1,1,1,1 --res 16 -o a.ply --json");
    test_assert_near(test_json_number(document, "volume"), 4.0, 0.3);
    cJSON_Delete(document);
    test_check_run("abut surface sphere:1 --iso -2 -o a.obj", 0, "0 triangles", "the mesh is empty");
    test_check_run("abut surface gear -o gear.stl && abut info gear.stl --require solid", 0, "triangles", "");
    test_check_run("for t in 1 2 7; do abut surface torus:1,0.25 --threads $t -o t$t.ply >/dev/null; done; "
                   "cmp t1.ply t2.ply && cmp t1.ply t7.ply",
                   0, "", "");
    remove("a.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info_of_shapes_bounds_and_volume),
        cmocka_unit_test(test_info_json_of_a_shape_has_its_keys),
        cmocka_unit_test(test_info_json_of_a_mesh_has_its_keys),
        cmocka_unit_test(test_info_of_a_mesh_shape_has_its_sign_in_doubt),
        cmocka_unit_test(test_info_fails_on_what_the_caller_requires),
        cmocka_unit_test(test_surface_loads_again_and_is_closed),
        cmocka_unit_test(test_surface_options_say_where_and_how_fine),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
