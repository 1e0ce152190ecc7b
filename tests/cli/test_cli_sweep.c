// abut sweep, as a script uses it.
#include "support/program_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON* motion_of(const cJSON* document, int number)
{
    const cJSON* motion = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "motions"), number);
    assert_non_null(motion);
    return motion;
}

static double component_of(const cJSON* object, const char* name, int component)
{
    const cJSON* list = cJSON_GetObjectItem(object, name);
    assert_int_equal(cJSON_GetArraySize(list), 3);
    return cJSON_GetArrayItem(list, component)->valuedouble;
}

static void check_state(const cJSON* motion, const char* state)
{
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(motion, "state")), state);
}

static void test_fast_sphere_stops_at_thin_plate(void** state)
{
    (void)state;
    // Its lower end is at 5 - 0.1 - 10 t, the plate's top at 0.005.
    static const char* const methods[] = { "solids", "points" };
    for (int i = 0; i < 2; ++i)
    {
        char line[256];
        snprintf(line, sizeof(line),
                 "abut sweep box:2,0.01,2 sphere:0.1 --from 0,5,0 --to 0,-5,0 --method %s --json",
                 methods[i]);
        cJSON* document = test_run_json(line);
        const cJSON* motion = motion_of(document, 0);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(document, "method")), methods[i]);
        check_state(motion, "hit");
        double truth = 0.4895, time = test_json_number(motion, "time");
        assert_true(time > truth - 1e-3);
        assert_true(time < truth + (i == 0 ? 1e-6 : 1e-3)); // no sample need be at the lowest place
        test_assert_near(component_of(motion, "position", 1), 0.005, 2e-3);
        assert_true(component_of(motion, "normal", 1) < -0.9);
        assert_true(test_json_number(document, "seconds") >= 0.0);
        cJSON_Delete(document);
    }
}

static void test_motions_are_answered_line_by_line(void** state)
{
    (void)state;
    test_write_text("motions.txt",
                    "# start and end\n0,2,0 0,-2,0\n\n3 2 0 0 0 0 1  3 -2 0 0 0 0 1 # past it\n"
                    "0,0.5,0,0,0,0,1,0.5, 0,1,0,0,0,0,1,0.5\n");
    cJSON* document = test_run_json("abut sweep sphere:0.5 sphere:0.5 --motions motions.txt --json");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "motions")), 3);
    check_state(motion_of(document, 0), "hit");
    test_assert_near(test_json_number(motion_of(document, 0), "time"), 0.25, 1e-3);
    check_state(motion_of(document, 1), "miss");
    assert_true(test_json_number(motion_of(document, 1), "time") == 1.0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(motion_of(document, 1), "position")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(motion_of(document, 1), "touch_time")));
    check_state(motion_of(document, 2), "overlap");
    assert_true(test_json_number(motion_of(document, 2), "time") == 0.0);
    cJSON_Delete(document);
    test_check_run("abut sweep sphere:0.5 sphere:0.5 --motions - < motions.txt", 0, "2: miss", "");
}

static void test_rotations_are_full_circles(void** state)
{
    (void)state;
    // An arm that turns about its end meets the post after a quarter of the full turn; a turn that ends where
    // it began the shortest way does not move at all.
    const char* arm = "'sphere:0.25' 'at(box:2,0.1,0.1;1.25,0,0)' ";
    char line[256];
    snprintf(line, sizeof(line), "abut sweep %s --from 0,-1.5,0 --turn 0,0,6.2831853 --json", arm);
    cJSON* document = test_run_json(line);
    check_state(motion_of(document, 0), "hit");
    double time = test_json_number(motion_of(document, 0), "time");
    assert_true(time > 0.15 && time < 0.25);
    cJSON_Delete(document);
    snprintf(line, sizeof(line), "abut sweep %s --from 0,-1.5,0 --to 0,-1.5,0 --json", arm);
    document = test_run_json(line);
    check_state(motion_of(document, 0), "miss");
    cJSON_Delete(document);
    // Turning about its middle instead, it keeps away.
    snprintf(line, sizeof(line),
             "abut sweep %s --from 0,-1.5,0 --turn 0,0,6.2831853 --center 1.25,0,0 --json", arm);
    document = test_run_json(line);
    check_state(motion_of(document, 0), "miss");
    cJSON_Delete(document);
}

static void test_linear_points_cut_corners(void** state)
{
    (void)state;
    // Half a turn about the post leads around it; straight from start to end goes through it.
    const char* line = "abut sweep sphere:0.2 'at(sphere:0.1;1,0,0)' --turn 0,0,3.1415927 --points 200";
    char with[160];
    test_check_run(line, 0, "1: miss", "");
    snprintf(with, sizeof(with), "%s --linear", line);
    test_check_run(with, 0, "1: hit at 0.", "");
}

static void test_states_have_words(void** state)
{
    (void)state;
    test_check_run("abut sweep torus:1,0.3 torus:1,0.3 --from 0.4,3,0 --to 0,-3,0 --turn 1,1,1 --budget 1", 0,
                   "1: budget, free until 0", "");
    test_check_run("abut sweep sphere:1 sphere:1 --from 1,0,0 --to 5,0,0", 0, "1: overlap at the start, at (",
                   "");
    test_check_run("abut sweep sphere:1 sphere:1 --from 5,0,0 --to 0,0,0", 0, "touch proved by 0.6", "");
    test_check_run("abut sweep box:4,1,4 box_mesh:1,1,1@16 --from 5,1.0001,0 --to -5,1.0001,0 --vertices "
                   "--tolerance 0.01",
                   0, " apart, at (", "");
    test_check_run("abut sweep sphere:1 sphere:1 --from 5,3,0 --to -5,3,0 --points 50 --intervals", 0,
                   "no point is ever inside", "");
}

static void test_intervals_say_while_each_point_is_inside(void** state)
{
    (void)state;
    // Vertices of a box of side 1 that goes down through a plate of thickness 0.5: each is in it for 0.5 / 10
    // of the time.
    cJSON* document =
        test_run_json("abut sweep box:4,0.5,4 box_mesh:1,1,1@16 --from 0,5,0 --to 0,-5,0 --vertices --side b "
                      "--intervals --json");
    const cJSON* intervals = cJSON_GetObjectItem(motion_of(document, 0), "intervals");
    assert_int_equal(cJSON_GetArraySize(intervals), 8);
    const cJSON* interval = NULL;
    cJSON_ArrayForEach(interval, intervals)
    {
        double above = component_of(interval, "place", 1) > 0.0 ? 0.1 : 0.0;
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(interval, "side")), "b");
        assert_true(test_json_number(interval, "point") >= 0.0 && test_json_number(interval, "point") < 8.0);
        test_assert_near(test_json_number(interval, "begin"), 0.425 + above, 1e-4);
        test_assert_near(test_json_number(interval, "end"), 0.475 + above, 1e-4);
    }
    test_assert_near(test_json_number(motion_of(document, 0), "time"), 0.425, 1e-4);
    assert_int_equal((int)test_json_number(cJSON_GetObjectItem(document, "points_b"), "count"), 8);
    cJSON_Delete(document);
    test_check_run(
        "abut sweep box:4,0.5,4 box_mesh:1,1,1@16 --from 0,5,0 --to 0,-5,0 --vertices --side b --intervals",
        0, "8 intervals of 8 points", "");
}

#define TABLE "motion,state,time,"

static void test_csv_is_a_table_with_every_motion(void** state)
{
    (void)state;
    test_write_text("table.txt", "0 5 0 0 -5 0\n5 5 0 5 -5 0\n");
    assert_int_equal(test_check_table("abut sweep box:4,0.5,4 box:1,1,1 --motions table.txt --csv", TABLE),
                     2);
    assert_int_equal(
        test_check_table("abut sweep box:4,0.5,4 box_mesh:1,1,1@16 --motions table.txt --vertices --side b "
                         "--intervals --csv",
                         TABLE),
        9);
    test_check_run("abut sweep box:4,0.5,4 box:1,1,1 --motions table.txt --csv", 0, "\n2,miss,1,,,,,,,,", "");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --csv --json", 2, "", "give one of them");
}

static void test_threads_do_not_change_the_answer(void** state)
{
    (void)state;
    test_check_run("for i in $(seq 130); do echo 0.$i 2 0.1 -0.1 -2 0; done > many.txt;"
                   "for m in solids points; do for t in 1 2 7; do"
                   " abut sweep torus:1,0.3 box:0.5,1,0.5 --motions many.txt --turn 1,2,3 --method $m --csv"
                   " --threads $t > many.$m.$t || exit 9; done;"
                   " cmp many.$m.1 many.$m.2 && cmp many.$m.1 many.$m.7 && echo same; done | wc -l",
                   0, "2", "");
}

static void test_bad_motions_and_options_say_where(void** state)
{
    (void)state;
    test_write_text("bad.txt", "0 0 0 1 1 1\n0 0 0 1 1\n");
    test_write_text("mixed.txt", "0 0 0 1 1 1 0 0 0 1\n");
    test_write_text("grows.txt", "0 0 0 0 0 0 1 1 0 0 0 0 0 0 1 2\n");
    test_write_text("long.txt", "0 0 0 0 0 0 1 1 0 0 0 0 0 0 1 1 0 0\n");
    test_write_text("empty.txt", "# nothing\n");
    test_check_run("abut sweep sphere:1 sphere:1 --motions bad.txt", 3, "", "bad.txt:2: 5 numbers");
    test_check_run("abut sweep sphere:1 sphere:1 --motions mixed.txt", 3, "", "10 numbers");
    test_check_run("abut sweep sphere:1 sphere:1 --motions long.txt", 3, "", "18 numbers");
    test_check_run("abut sweep sphere:1 sphere:1 --motions grows.txt", 3, "", "motion 1: its scale is 1");
    test_check_run("abut sweep sphere:1 sphere:1 --motions none.txt", 3, "", "none.txt");
    test_check_run("abut sweep sphere:1 sphere:1 --motions empty.txt", 3, "", "no pose");
    test_check_run("abut sweep sphere:1 sphere:1 --from 0,0 --to 1,0,0", 2, "", "--from");
    test_check_run("abut sweep sphere:1 sphere:1 --to 0,0", 2, "", "--to");
    test_check_run("abut sweep sphere:1 sphere:1", 2, "", "how does B move?");
    test_check_run("abut sweep sphere:1 sphere:1 --from 0,0,0", 2, "", "how does B move?");
    test_check_run("abut sweep sphere:1 sphere:1 --to 0,0,0 --motions bad.txt", 2, "", "give one of them");
    test_check_run("abut sweep sphere:1 sphere:1 --to 0,0,1,0,0,0,1,2", 2, "", "scale");
    test_check_run("abut sweep sphere:1", 2, "", "sweep");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --turn 1,2", 2, "", "--turn");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --turn nan,0,0", 2, "", "--turn");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --tolerance=-1", 2, "", "--tolerance is -1");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --method gjk", 2, "", "solids|points");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --points 0", 2, "", "--points");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --points 9 --spacing 1", 2, "",
                   "give one of them");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --method solids --intervals", 2, "",
                   "--intervals");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --vertices", 3, "", "--points N");
    test_check_run("abut sweep sphere:1 plane --to 0,1,0 --points 50 --side b", 3, "", "--side");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --budget 0", 2, "", "--budget");
}

static void test_motion_without_answer_has_a_line_and_a_message(void** state)
{
    (void)state;
    // More turns than a float can count.
    test_write_text("two_ways.txt", "0 3 0 0 -3 0\n0 3 0 0 5 0\n");
    const char* line = "abut sweep sphere:1 sphere:1 --motions two_ways.txt --turn 1e39,0,0";
    char with[160];
    test_check_run(line, 3, "2: invalid", "motion 1:");
    snprintf(with, sizeof(with), "%s --json", line);
    test_check_run(with, 3, "\"message\"", "motion 2:");
    snprintf(with, sizeof(with), "%s --csv", line);
    test_check_run(with, 3, "2,invalid,,", "motion 2:");
}

static void test_fail_makes_touching_a_status(void** state)
{
    (void)state;
    test_check_run("abut sweep sphere:1 sphere:1 --from 0,3,0 --to 0,-3,0 --fail", 1, "1: hit", "");
    test_check_run("abut sweep sphere:1 sphere:1 --from 0,3,0 --to 5,3,0 --fail", 0, "1: miss", "");
}

// -----------------------------------------------------------------------------------------------------------
// Pictures
// -----------------------------------------------------------------------------------------------------------

static void check_picture(const char* arguments)
{
    char line[512];
    snprintf(line, sizeof(line),
             "rm -f a.png; abut sweep %s --size 300x300 --picture a.png > text &&"
             " head -c 8 a.png | od -An -c | tr -d ' '",
             arguments);
    test_check_run(line, 0, "211PNG", "");
}

static void test_pictures_of_all_kinds_of_motions(void** state)
{
    (void)state;
    static const char* const motions[] = {
        "torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --turn 0,0,6",
        "torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --turn 0,0,6 --points 200",
        "box:2,0.01,2 sphere:0.1 --from 0,5,0 --to 0,-5,0",           // small beside its way
        "sphere:1 sphere:0.5 --from 2,-2,0 --to 2,2,0",               // a miss
        "sphere:1 sphere:0.5 --from 20,-2,0 --to 20,2,0",             // far from A
        "sphere:1 sphere:0.5 --from 1,0,0 --to 3,1,1",                // overlap
        "sphere:1 box:1,1,1 --from 1.6,0,0 --turn 1,2,3",             // turns where it is
        "sphere:1 sphere:0.5 --from 0,3,0 --to 0,3,0",                // does not move
        "sphere:1 box:1,2,3 --from 3,2,1 --to -3,-1,-2 --turn 1,2,3", // an oblique plane
        "plane box:1,1,1 --from 0,3,0 --to 1,-3,2",                   // A without end
        "box:1,1,1 plane --from 0,-3,0 --to 0,3,0",                   // B without end
        "torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --budget 1",
        "sphere:1e-6 sphere:1e6 --from 1000010,0,0 --to -1000010,0,0",
    };
    for (size_t i = 0; i < sizeof(motions) / sizeof(motions[0]); ++i)
    {
        check_picture(motions[i]);
    }
}

static void test_threads_do_not_change_the_picture(void** state)
{
    (void)state;
    test_check_run(
        "for t in 1 3; do abut sweep torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --turn 0,0,6"
        " --size 300x300 --picture t$t.png --threads $t > t$t.txt || exit 9; done;"
        "cmp t1.png t3.png && cmp t1.txt t3.txt && echo same",
        0, "same", "");
}

static void test_picture_that_cannot_be_drawn_says_why(void** state)
{
    (void)state;
    test_write_text("two.txt", "0 0 0 1 0 0\n1 0 0 2 0 0\n");
    test_check_run("abut sweep sphere:1 sphere:1 --motions two.txt --picture a.png", 2, "", "two.txt has 2");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --picture nowhere/a.png", 3, "", "nowhere/a.png");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --picture a.png --size 10x10", 2, "",
                   "[300, 8192]");
    test_check_run("abut sweep sphere:1 sphere:1 --to 1,0,0 --picture -", 2, "", "standard output");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_sphere_stops_at_thin_plate),
        cmocka_unit_test(test_motions_are_answered_line_by_line),
        cmocka_unit_test(test_rotations_are_full_circles),
        cmocka_unit_test(test_linear_points_cut_corners),
        cmocka_unit_test(test_states_have_words),
        cmocka_unit_test(test_intervals_say_while_each_point_is_inside),
        cmocka_unit_test(test_csv_is_a_table_with_every_motion),
        cmocka_unit_test(test_threads_do_not_change_the_answer),
        cmocka_unit_test(test_bad_motions_and_options_say_where),
        cmocka_unit_test(test_motion_without_answer_has_a_line_and_a_message),
        cmocka_unit_test(test_fail_makes_touching_a_status),
        cmocka_unit_test(test_pictures_of_all_kinds_of_motions),
        cmocka_unit_test(test_threads_do_not_change_the_picture),
        cmocka_unit_test(test_picture_that_cannot_be_drawn_says_why),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
