// abut collide, as a script uses it.
#include "support/program_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_poses_are_answered_line_by_line(void** state)
{
    (void)state;
    test_write_text("poses.txt", "# where B stands\n0.9,0,0\n\n2 0 0 0 0 0 1 0.5 # far\n");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --method adaptive --poses poses.txt --reduce 1", 0,
                   "1: contact, 1 of", "");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses poses.txt --reduce 0", 0,
                   "2: separated, gap at least 1", "");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses - < poses.txt", 0, "2: separated", "");
}

static const cJSON* first_pair(const cJSON* document)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(document, "pairs"), 0);
}

static void test_json_has_the_keys_that_scripts_rely_on(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut collide box:1,1,1 sphere:0.2 --pose 0,0.6,0 --json");
    const cJSON* pair = first_pair(document);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(pair, "state")), "contact");
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(pair, "gap")));
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(pair, "evaluations")));
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(document, "seconds")));
    const cJSON* contact = cJSON_GetArrayItem(cJSON_GetObjectItem(pair, "contacts"), 0);
    static const char* const vectors[] = { "position", "normal", "anchor_a", "anchor_b" };
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(contact, vectors[i])), 3);
    }
    assert_true(cJSON_GetObjectItem(contact, "separation")->valuedouble < 0.01);
    assert_true(cJSON_IsString(cJSON_GetObjectItem(contact, "id")));
    assert_null(cJSON_GetObjectItem(contact, "depth"));
    assert_null(cJSON_GetObjectItem(pair, "reduction"));
    cJSON_Delete(document);
    document = test_run_json("abut collide box:1,1,1 sphere:0.2 --pose 0,0.6,0 --depth --json");
    contact = cJSON_GetArrayItem(cJSON_GetObjectItem(first_pair(document), "contacts"), 0);
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(contact, "depth")));
    cJSON_Delete(document);
}

static void test_depth_is_how_far_to_move_out_with_its_error(void** state)
{
    (void)state;
    cJSON* document =
        test_run_json("abut collide box:1,0.1,1 box:4,4,4 --pose 0,1.5,0 --depth --reduce 1 --json");
    const cJSON* contact = cJSON_GetArrayItem(cJSON_GetObjectItem(first_pair(document), "contacts"), 0);
    test_assert_near(cJSON_GetObjectItem(contact, "depth")->valuedouble, 0.55, 1e-5);
    test_assert_near(cJSON_GetObjectItem(contact, "shared")->valuedouble, 0.1, 1e-5);
    assert_true(cJSON_GetObjectItem(contact, "depth_error")->valuedouble <= 2e-5);
    cJSON_Delete(document);
    // Along a half space there is no end.
    document = test_run_json("abut collide plane box:0.2,4,4 --method adaptive --pose 0,1,0 --depth --json");
    const cJSON* pair = first_pair(document);
    int without_end = 0;
    cJSON_ArrayForEach(contact, cJSON_GetObjectItem(pair, "contacts"))
    {
        without_end += cJSON_IsNull(cJSON_GetObjectItem(contact, "depth_error")) ? 1 : 0;
        assert_true(cJSON_IsNumber(cJSON_GetObjectItem(contact, "depth")));
    }
    assert_true(without_end > 10);
    cJSON_Delete(document);
}

static void test_reduction_keeps_corners_and_says_what_it_did(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut collide box:2,0.1,2 plane --pose 0,-0.045,0 --reduce 4 --json");
    const cJSON* pair = first_pair(document);
    const cJSON* contacts = cJSON_GetObjectItem(pair, "contacts");
    assert_int_equal(cJSON_GetArraySize(contacts), 4);
    const cJSON* reduction = cJSON_GetObjectItem(pair, "reduction");
    int total = cJSON_GetObjectItem(pair, "contact_total")->valueint;
    assert_int_equal(cJSON_GetObjectItem(reduction, "kept")->valueint, 4);
    assert_int_equal(cJSON_GetObjectItem(reduction, "left_out")->valueint, total - 4);
    assert_true(cJSON_GetObjectItem(reduction, "force_change")->valuedouble < 0.01);
    assert_true(cJSON_GetObjectItem(reduction, "torque_change")->valuedouble < 0.5);
    for (int i = 0; i < 4; ++i)
    {
        const cJSON* position = cJSON_GetObjectItem(cJSON_GetArrayItem(contacts, i), "position");
        assert_true(fabs(cJSON_GetArrayItem(position, 0)->valuedouble) > 0.9);
        assert_true(fabs(cJSON_GetArrayItem(position, 2)->valuedouble) > 0.9);
    }
    cJSON_Delete(document);
}

#define TABLE "pair,state,gap,"

static void test_csv_is_a_table_with_every_pose(void** state)
{
    (void)state;
    test_write_text("table.txt", "0.9 0 0\n5 0 0\n0.95 0 0\n");
    assert_int_equal(
        test_check_table(
            "abut collide sphere:0.5 sphere:0.5 --method adaptive --poses table.txt --csv --reduce 3", TABLE),
        7);
    assert_int_equal(
        test_check_table(
            "abut collide sphere:0.5 sphere:0.5 --method adaptive --poses table.txt --csv --reduce 0", TABLE),
        3);
    assert_int_equal(
        test_check_table("abut collide sphere:0.5 sphere:0.5 --poses table.txt --csv --reduce 1 --depth",
                         TABLE),
        3);
    assert_true(test_check_table(
                    "abut collide sphere:0.5 sphere:0.5 --method adaptive --poses table.txt --csv --depth",
                    TABLE) > 3);
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses table.txt --csv", 0, "\n2,separated,3.9", "");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --csv --json", 2, "", "give one of them");
}

static void check_picture(const char* arguments)
{
    char line[512];
    snprintf(line, sizeof(line),
             "rm -f a.png; abut collide %s --size 300x300 --picture a.png > text &&"
             " head -c 8 a.png | od -An -c | tr -d ' '",
             arguments);
    test_check_run(line, 0, "211PNG", "");
}

static void test_distance_has_bounds_and_witnesses(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut collide sphere:0.5 sphere:0.5 --pose 0,2,0 --distance --json");
    const cJSON* distance = cJSON_GetObjectItem(first_pair(document), "distance");
    double low = cJSON_GetObjectItem(distance, "low")->valuedouble;
    double high = cJSON_GetObjectItem(distance, "high")->valuedouble;
    assert_true(low <= 1.0 + 1e-5 && high >= 1.0 - 1e-5 && high - low < 0.01);
    const cJSON* a = cJSON_GetObjectItem(distance, "point_a");
    const cJSON* b = cJSON_GetObjectItem(distance, "point_b");
    test_assert_near(cJSON_GetArrayItem(a, 1)->valuedouble, 0.5, 0.01);
    test_assert_near(cJSON_GetArrayItem(b, 1)->valuedouble, 1.5, 0.01);
    cJSON_Delete(document);
    document = test_run_json("abut collide sphere:0.5 sphere:0.5 --pose 0,0.9,0 --distance --json");
    assert_null(cJSON_GetObjectItem(first_pair(document), "distance"));
    cJSON_Delete(document);
    test_write_text("apart.txt", "0.9 0 0\n5 0 0\n");
    assert_true(test_check_table(
                    "abut collide sphere:0.5 sphere:0.5 --method adaptive --poses apart.txt --csv --distance",
                    TABLE) > 2);
    test_check_run("abut collide sphere:0.5 sphere:0.5 --pose 0,2,0 --distance", 0, ", distance ", "");
    check_picture("sphere:0.5 sphere:0.5 --pose 0,1.2,0 --distance");
}

static void test_text_does_not_flood_the_terminal(void** state)
{
    (void)state;
    test_check_run("abut collide sphere:1 sphere:1 --method adaptive --pose 1,0,0 > long; test $(wc -l < "
                   "long) = 23; tail -1 long",
                   0, "more: --reduce K", "");
    test_check_run("abut collide sphere:1 sphere:1 --method adaptive --pose 1,0,0 --reduce 30 | wc -l", 0,
                   "32", "");
}

static void test_threads_do_not_change_the_answer(void** state)
{
    (void)state;
    test_check_run("for i in $(seq 30); do echo 0.$i 0.1 0; done > many.txt;"
                   "for t in 1 2 7; do abut collide torus:1,0.3 box:1,1,1 --poses many.txt --csv --threads $t"
                   " > many.$t || exit 9; done; cmp many.1 many.2 && cmp many.1 many.7 && echo same",
                   0, "same", "");
}

static void test_particles_answer_as_many_as_there_are(void** state)
{
    (void)state;
    // 40³ particles: more contacts than any first guess has room for.
    cJSON* document =
        test_run_json("abut collide sphere:1 sphere:1 --pose 0.1,0,0 --method particles -n 20 --json");
    const cJSON* pair = first_pair(document);
    int total = cJSON_GetObjectItem(pair, "contact_total")->valueint;
    assert_true(total > 2048);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(pair, "contacts")), total);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "method")), "particles");
    cJSON_Delete(document);
    test_check_run("abut collide sphere:1 sphere:1 --pose 3,0,0 --method particles --n 5", 0, "1: ", "");
}

static void test_bad_poses_and_options_say_where(void** state)
{
    (void)state;
    test_write_text("bad.txt", "0 0 0\n1 2\n");
    test_write_text("empty.txt", "# nothing\n");
    test_check_run("abut collide sphere:1 sphere:1 --poses bad.txt", 3, "", "bad.txt:2:");
    test_check_run("abut collide sphere:1 sphere:1 --poses none.txt", 3, "", "none.txt");
    test_check_run("abut collide sphere:1 sphere:1 --poses empty.txt", 3, "", "no pose");
    test_check_run("abut collide sphere:1 sphere:1 --pose 0,0", 2, "", "--pose");
    test_check_run("abut collide sphere:1 sphere:1 --pose 0,0,0 --poses bad.txt", 2, "", "give one of them");
    test_check_run("abut collide sphere:1", 2, "", "collide");
    test_check_run("abut collide sphere:1 sphere:1 --margin=-1", 2, "",
                   "--margin is -1; it must be at least 0");
    test_check_run("abut collide sphere:1 sphere:1 --tolerance 1e300", 2, "", "--tolerance");
    test_check_run("abut collide sphere:1 sphere:1 --spacing nan", 2, "", "--spacing");
    test_check_run("abut collide sphere:1 sphere:1 --method gjkk", 2, "", "adaptive|particles");
    test_check_run("abut collide sphere:1 sphere:1 --method particles --n 0", 2, "", "[1, 256]");
    test_check_run("abut collide sphere:1 sphere:1 --method cullide", 3, "",
                   "the method cullide needs two meshes");
    test_check_run("abut collide sphere:1 sphere:1 --relaxation 2", 2, "", "under 2");
    test_check_run("abut collide sphere:1 sphere:1 --reduce=-4", 2, "", "--reduce");
    test_check_run("abut collide sphere:1 sphere:1 --budget 0", 2, "", "--budget");
}

static void test_methods_of_two_meshes_agree(void** state)
{
    (void)state;
    static const char* const methods[] = { "bvh", "swift", "cinder", "cullide" };
    for (int i = 0; i < 4; ++i)
    {
        char line[160];
        snprintf(line, sizeof(line),
                 "abut collide \"mesh(box_mesh:1,1,1)\" \"mesh(sphere_mesh:0.5,6)\" --method %s --reduce 0 "
                 "--pose %s",
                 methods[i], "0.9,0,0");
        test_check_run(line, 0, "1: contact", "");
    }
    test_write_text("lid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    test_check_run("abut collide \"mesh(lid.obj)\" \"mesh(lid.obj)\" --method swift", 3, "", "open");
    test_check_run("abut collide \"mesh(lid.obj)\" \"mesh(lid.obj)\" --method cinder", 3, "", "not closed");
    test_check_run("abut collide \"mesh(lid.obj)\" \"mesh(lid.obj)\" --method cullide --reduce 0", 0,
                   "1: contact", "");
}

static void test_pose_without_answer_does_not_stop_the_others(void** state)
{
    (void)state;
    // Two half-spaces that face each other share a slab without end.
    test_check_run("abut collide plane plane", 3, "1: invalid", "no end");
    test_check_run("abut collide plane plane --json", 3, "\"message\"", "pose 1:");
    test_check_run("abut collide plane plane --csv", 3, "1,invalid,", "no end");
}

static void test_fail_makes_touching_a_status(void** state)
{
    (void)state;
    test_check_run("abut collide sphere:1 sphere:1 --pose 1,0,0 --reduce 0 --fail", 1, "1: contact", "");
    test_check_run("abut collide sphere:1 sphere:1 --pose 3,0,0 --reduce 0 --fail", 0, "separated", "");
}

static void test_threads_do_not_change_the_picture(void** state)
{
    (void)state;
    test_check_run("for t in 1 3; do abut collide torus:1,0.3 sphere:0.5 --pose 1,0.6,0 --size 300x300"
                   " --picture t$t.png --threads $t > t$t.txt || exit 9; done;"
                   "cmp t1.png t3.png && cmp t1.txt t3.txt && echo same",
                   0, "same", "");
}

static void test_pictures_of_all_kinds_of_pairs(void** state)
{
    (void)state;
    static const char* const pairs[] = {
        "torus:1,0.3 sphere:0.5 --pose 1,0.6,0",
        "torus:1,0.3 sphere:0.5 --pose 1,0.6,0 --method particles",
        "torus:1,0.3 sphere:0.5 --pose 5,5,0",                                 // boxes apart
        "torus:1,0.3 sphere:0.2",                                              // boxes overlap
        "torus:1,0.3 sphere:0.2 --pose 1,0,0",                                 // one inside the other
        "box:1,1,1 box:1,1,1 --pose 0.8,0.7,0.9,0.3,0.2,0.1,0.927 --reduce 4", // an oblique plane
        "plane box:1,0.01,1 --reduce 0",                                       // no end, no contacts
        "'plane:0,-1,0,-3' plane",                                             // no end, apart
        "sphere:1e-6 sphere:1e6 --pose 1000000,0,0",
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        check_picture(pairs[i]);
    }
}

static void test_picture_that_cannot_be_drawn_says_why(void** state)
{
    (void)state;
    test_write_text("two.txt", "0 0 0\n1 0 0\n");
    test_check_run("abut collide sphere:1 sphere:1 --poses two.txt --picture a.png", 2, "", "two.txt has 2");
    test_check_run("abut collide sphere:1 sphere:1 --picture nowhere/a.png", 3, "", "nowhere/a.png");
    test_check_run("abut collide sphere:1 sphere:1 --picture a.png --size 10x10", 2, "", "[300, 8192]");
    test_check_run("abut collide sphere:1 sphere:1 --picture -", 2, "", "standard output");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_are_answered_line_by_line),
        cmocka_unit_test(test_json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(test_depth_is_how_far_to_move_out_with_its_error),
        cmocka_unit_test(test_reduction_keeps_corners_and_says_what_it_did),
        cmocka_unit_test(test_csv_is_a_table_with_every_pose),
        cmocka_unit_test(test_distance_has_bounds_and_witnesses),
        cmocka_unit_test(test_text_does_not_flood_the_terminal),
        cmocka_unit_test(test_threads_do_not_change_the_answer),
        cmocka_unit_test(test_particles_answer_as_many_as_there_are),
        cmocka_unit_test(test_methods_of_two_meshes_agree),
        cmocka_unit_test(test_pose_without_answer_does_not_stop_the_others),
        cmocka_unit_test(test_pictures_of_all_kinds_of_pairs),
        cmocka_unit_test(test_threads_do_not_change_the_picture),
        cmocka_unit_test(test_picture_that_cannot_be_drawn_says_why),
        cmocka_unit_test(test_bad_poses_and_options_say_where),
        cmocka_unit_test(test_fail_makes_touching_a_status),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
