// `abut overlap`: answers, JSON, pictures and what is refused.
#include "support/program_json.h"

#include <string.h>
#include <sys/stat.h>

static void test_boxes_overlap(void** state)
{
    (void)state;
    test_check_run("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 --pose 5,0,0", 0,
                   "0 pairs of overlapping triangles\n"
                   "  left after pruning  0 objects, 0 chunks, 0 triangles\n"
                   "  exact tests         0\n",
                   "");
    cJSON* one = test_run_json("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 -p 0.1,0,0.01 --json");
    cJSON* other = test_run_json("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 -p 0.1,0,0.01 --json --list "
                                 "--resolution 17 --axes xyz --slabs 0 --rounds 2 --threads 2");
    double count = cJSON_GetObjectItem(one, "pair_count")->valuedouble;
    assert_true(count > 100.0);
    assert_true(cJSON_GetObjectItem(other, "pair_count")->valuedouble == count);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(other, "pairs")), (int)count);
    cJSON_Delete(one);
    cJSON_Delete(other);
}

static void test_closed_meshes_have_a_state(void** state)
{
    (void)state;
    cJSON* inside =
        test_run_json("abut overlap gear:20,0.05,0.2 gear:20,0.001,0.01 -m cinder -p 0.35,0,0 --json");
    assert_non_null(cJSON_GetObjectItem(inside, "state"));
    cJSON_Delete(inside);
    test_check_run("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 -p 5,0,0 -m cinder", 0, "separated\n", "");
}

static void test_pictures_are_written(void** state)
{
    (void)state;
    TestRun run = test_run("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 -p 0.1,0,0 --picture depth.png");
    assert_int_equal(run.status, 0);
    test_free_run(&run);
    struct stat status;
    assert_int_equal(stat("depth.png", &status), 0);
    assert_true(status.st_size > 1000);
}

static void check_refused(const char* line, int expected, const char* message)
{
    TestRun run = test_run(line);
    assert_int_equal(run.status, expected);
    assert_non_null(strstr(run.err, message));
    test_free_run(&run);
}

static void test_bad_questions_are_refused(void** state)
{
    (void)state;
    check_refused("abut overlap gear:20,0.05,0.2", 2, "two meshes at least, or --self");
    check_refused("abut overlap gear:20,0.05,0.2 sphere:1", 2, "sphere:1 is no mesh");
    check_refused("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 -p 0,0,0 -p 1,0,0", 2,
                  "2 poses for 2 meshes");
    check_refused("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 --slabs 3", 3, "3 slabs");
    check_refused("abut overlap gear:20,0.05,0.2 gear:20,0.05,0.2 gear:20,0.05,0.2 -m cinder", 2,
                  "takes two meshes");
    check_refused("abut surface gear:20,0.05,0.2 -o g.obj && sed '$d' g.obj >open.obj && "
                  "abut overlap g.obj open.obj -m cinder",
                  3, "mesh 1 is not closed: 3 edges");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_overlap),
        cmocka_unit_test(test_closed_meshes_have_a_state),
        cmocka_unit_test(test_pictures_are_written),
        cmocka_unit_test(test_bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
