// abut collide, as a script uses it.
#include "support/program.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void test_poses_are_answered_line_by_line(void** state)
{
    (void)state;
    test_write_text("poses.txt", "# where B stands\n0.9,0,0\n\n2 0 0 0 0 0 1 0.5 # far\n");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses poses.txt --reduce 1", 0,
                   "1 contact contacts 1 of", "");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses poses.txt --reduce 0", 0, "2 separated gap 1",
                   "");
    test_check_run("abut collide sphere:0.5 sphere:0.5 --poses - < poses.txt", 0, "2 separated", "");
}

static void test_json_has_the_keys_that_scripts_rely_on(void** state)
{
    (void)state;
    TestRun run = test_run("abut collide box:1,1,1 sphere:0.2 --pose 0,0.6,0 --json");
    assert_int_equal(run.status, 0);
    cJSON* document = cJSON_Parse(run.out);
    const cJSON* pair = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "pairs"), 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(pair, "state")), "contact");
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(pair, "gap")));
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(pair, "evaluations")));
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(document, "seconds")));
    const cJSON* contact = cJSON_GetArrayItem(cJSON_GetObjectItem(pair, "contacts"), 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(contact, "position")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(contact, "normal")), 3);
    assert_true(cJSON_GetObjectItem(contact, "separation")->valuedouble < 0.0);
    assert_true(cJSON_IsString(cJSON_GetObjectItem(contact, "id")));
    cJSON_Delete(document);
    test_free_run(&run);
}

static void test_bad_poses_and_options_say_where(void** state)
{
    (void)state;
    test_write_text("bad.txt", "0 0 0\n1 2\n");
    test_check_run("abut collide sphere:1 sphere:1 --poses bad.txt", 3, "", "bad.txt:2:");
    test_check_run("abut collide sphere:1 sphere:1 --poses none.txt", 3, "", "none.txt");
    test_check_run("abut collide sphere:1 sphere:1 --pose 0,0", 2, "", "--pose");
    test_check_run("abut collide sphere:1 sphere:1 --pose 0,0,0 --poses bad.txt", 2, "", "give one of them");
    test_check_run("abut collide plane plane", 3, "", "no end");
    test_check_run("abut collide sphere:1", 2, "", "collide");
    test_check_run("abut collide sphere:1 sphere:1 --margin=-1", 2, "", "at least 0");
}

static void test_fail_makes_touching_a_status(void** state)
{
    (void)state;
    test_check_run("abut collide sphere:1 sphere:1 --pose 1,0,0 --reduce 0 --fail", 1, "contact", "");
    test_check_run("abut collide sphere:1 sphere:1 --pose 3,0,0 --reduce 0 --fail", 0, "separated", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_are_answered_line_by_line),
        cmocka_unit_test(test_json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(test_bad_poses_and_options_say_where),
        cmocka_unit_test(test_fail_makes_touching_a_status),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
