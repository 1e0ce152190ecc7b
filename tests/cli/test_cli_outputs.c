// What a verb is to write is checked before anything is read or computed: its folder, its ending, that it can
// be written.
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// All of these name an input that is not there: that the output is named instead shows that it was looked at
/// first.
static const char* const verbs[][2] = {
    { "abut bake missing.obj --error 1e-9", "-o" },
    { "abut slice missing.abut", "-o" },
    { "abut surface missing.obj", "-o" },
    { "abut collide missing.abut missing.abut", "--picture" },
    { "abut sweep missing.abut missing.abut --to 1,0,0", "--picture" },
    { "abut simulate missing.json", "-o" },
    { "abut simulate missing.json", "--record" },
    { "abut simulate missing.json", "--save" },
};
static const char* const endings[] = { "abut", "png", "obj", "png", "png", "glb", "json", "json" };

enum
{
    VERBS = sizeof(verbs) / sizeof(verbs[0])
};

static void check(int verb, const char* path, int status, const char* message)
{
    char line[1024];
    snprintf(line, sizeof(line), "%s %s %s", verbs[verb][0], verbs[verb][1], path);
    TestRun run = test_run(line);
    bool named = strstr(run.err, message) != NULL && strstr(run.err, "missing.") == NULL;
    if (run.status != status || !named)
    {
        fail_msg("%s\nstatus %d, expected %d\nstderr: %s\nexpected: %s", line, run.status, status, run.err,
                 message);
    }
    test_free_run(&run);
}

static void test_folders_are_checked_before_the_work(void** state)
{
    (void)state;
    test_write_text("file.txt", "");
    for (int i = 0; i < VERBS; ++i)
    {
        char path[512];
        snprintf(path, sizeof(path), "/nowhere/x.%s", endings[i]);
        check(i, path, 3, "cannot write: No such file or directory");
        snprintf(path, sizeof(path), "file.txt/x.%s", endings[i]);
        check(i, path, 3, "cannot write: Not a directory");
        snprintf(path, sizeof(path), "/proc/x.%s", endings[i]); // not even root may
        check(i, path, 3, "cannot write: ");
        snprintf(path, sizeof(path), "%0300d.%s", 0, endings[i]);
        check(i, path, 3, "cannot write: File name too long");
        snprintf(path, sizeof(path), "folder.%s", endings[i]);
        mkdir(path, 0777);
        check(i, path, 3, "cannot write: Is a directory");
    }
}

static void test_endings_are_checked_before_the_work(void** state)
{
    (void)state;
    static const char* const lists[VERBS] = {
        ".abut, .vti, .nrrd or .npy",
        ".png",
        ".obj, .ply or .stl",
        ".png",
        ".png",
        ".html, .glb, .png, .csv",
        ".json",
        ".json",
    };
    static const char* const wrong[] = { "x.abt", "x.", "x", "obj", "x.obj.bak", "x.PNGs", "''" };
    for (int i = 0; i < VERBS; ++i)
    {
        for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); ++k)
        {
            check(i, wrong[k], 2, lists[i]);
        }
        char hidden[16]; // a name has something before its ending
        snprintf(hidden, sizeof(hidden), "d/.%s", endings[i]);
        check(i, hidden, strcmp(endings[i], "obj") == 0 || strcmp(endings[i], "glb") == 0 ? 3 : 2, "d/.");
    }
    test_check_run("abut bake missing.obj -o x.stl", 2, "", "bake writes fields (.abut) and volumes");
    test_check_run("abut bake missing.obj -o x.OBJ", 2, "", "abut surface writes meshes");
    test_check_run("abut bake missing.obj -o x.sdf", 2, "", ".sdf is only read");
    test_check_run("abut bake missing.obj -o -", 2, "", "needs a file");
}

static void test_devices_and_large_letters_are_fine_and_nothing_is_left_behind(void** state)
{
    (void)state;
    test_check_run("mkdir clean && cd clean && abut slice sphere:1 --size 64x64 -o A.PNG && ls -A", 0,
                   "A.PNG", "");
    test_check_run(
        "cd clean && abut bake sphere:1 --res 8 -o ball.Abut && abut bake missing.obj -o ball.abut; ls -A", 0,
        "A.PNG\nball.Abut\n", "missing.obj");
    test_check_run("abut slice sphere:1 --size 64x64 -o /dev/null", 0, "/dev/null", "");
    test_check_run("abut slice sphere:1 --size 64x64 -o /dev/stdout | cat | tail -c +2 | tr -dc 'A-Z'", 0,
                   "PNG", "");
    test_check_run("abut simulate peg --save - | head -c 1", 0, "{", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders_are_checked_before_the_work),
        cmocka_unit_test(test_endings_are_checked_before_the_work),
        cmocka_unit_test(test_devices_and_large_letters_are_fine_and_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
