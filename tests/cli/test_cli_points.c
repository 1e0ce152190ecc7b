// abut points and collide --method hull: files of every kind, pictures, sizes, and what cannot be.
#include "support/program.h"

#include "support/support.h"
#include <stdio.h>

#include <string.h>

static void test_hulls_are_written_read_and_drawn(void** state)
{
    (void)state;
    test_check_run("abut points cone:0.5,1 --error 0.05 -o cone.points --json >first.json && "
                   "abut points cone.points -o cone.csv && abut points cone.points -o again.points && "
                   "cmp cone.points again.points && head -1 cone.csv",
                   0, "x,y,z,radius", "");
    test_check_run("abut points cone.points -o balls.obj && abut info balls.obj", 0,
                   "closed              yes", "");
    test_check_run("abut points cone.points --picture cone.png --size 320x300 && head -c 4 cone.png", 0,
                   "PNG", "");
    test_check_run("abut points box:1,1,1 -n 50 --one-radius", 0, " balls\n  error", "");
    test_check_run("abut points cone.points | grep -v time >made.txt", 0, "", "");
    test_check_run("abut info cone.points | cmp - made.txt", 0, "", "");
    test_check_run("abut info cone.points --json", 0, "\"point hull\"", "");
}

static void test_what_cannot_be_is_refused(void** state)
{
    (void)state;
    test_check_run("abut points plane", 3, "", "infinite");
    test_check_run("abut points box:1,1,1 -n 50 --error 0.1", 2, "", "give one of them");
    test_check_run("abut points box:1,1,1 -o hull.txt", 2, "", ".points");
    test_check_run("abut points missing.points", 3, "", "missing.points");
    test_check_run("abut info missing.points", 3, "", "missing.points");
    test_check_run("abut info cone.points --require closed", 2, "", "--require is for meshes");
    test_check_run("printf 'abutpts' >short.points; abut points short.points", 3, "", "short.points: byte 7");
    test_check_run("abut collide plane plane --pose 0,1,0 --method hull", 3, "", "needs a point hull");
}

static void test_collide_by_hulls_says_what_its_tests_removed(void** state)
{
    (void)state;
    test_check_run("abut collide torus:1,0.3 box:1,1,1 --pose 0.9,0.2,0 --method hull --error 0.05 --json", 0,
                   "\"removed_by_corners\"", "");
    test_check_run("abut collide torus:1,0.3 box:1,1,1 --pose 0.9,0.2,0 --method hull --error 0.05 --no-tree "
                   "--no-corners --no-correct --points-of a --json",
                   0, "\"removed_by_tree\":0", "");
    test_check_run("abut collide plane box:1,1,1 --pose 0,3,0 --method hull --error 0.1 --linear 0,-3,0", 0,
                   "separated, gap at least 2.4", "");
}

static void test_a_message_is_printed_once(void** state)
{
    (void)state;
    test_write_text("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
    const char* const files[] = { "nan.obj", "none.obj", "none.points" };
    for (int i = 0; i < 3; ++i)
    {
        char line[128];
        snprintf(line, sizeof(line), "abut points %s -o x.points 2>&1 >/dev/null | grep -c abut:", files[i]);
        test_check_run(line, 0, "1\n", "");
    }
}

static void test_simulations_run_by_hulls(void** state)
{
    (void)state;
    test_check_run("abut simulate pile --bodies 4 --seconds 0.2 --method hull --points 60", 0,
                   "pile: 12 steps", "");
    test_check_run("abut simulate pile --method hull --save pile.json", 2, "",
                   "files of scenes have no method");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hulls_are_written_read_and_drawn),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_collide_by_hulls_says_what_its_tests_removed),
        cmocka_unit_test(test_a_message_is_printed_once),
        cmocka_unit_test(test_simulations_run_by_hulls),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
