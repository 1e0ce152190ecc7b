// What the program writes when the disk is full, and what it shows of names and titles that strangers chose.
#include "support/program_json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scene[] = "{ \"world\": { \"seconds\": 0.5 }, \"shapes\": { \"s\": \"sphere:0.1\" },\n"
                            "  \"bodies\": [ { \"shape\": \"s\" } ] }\n";

static int make_scene(void** state)
{
    int failed = test_program_enter_folder(state);
    if (failed == 0)
    {
        test_write_text("s.json", scene);
    }
    return failed;
}

static bool has_pages(void)
{
    TestRun run = test_run("abut simulate s.json -o probe.html");
    bool missing = strstr(run.err, "built without the page") != NULL;
    test_free_run(&run);
    unlink("probe.html");
    return !missing;
}

/// Every kind of file that the program writes.
static const char* const writers[][2] = {
    { "abut simulate s.json --seconds 5 -o", "page.html" },
    { "abut simulate s.json --seconds 5 -o", "scene.glb" },
    { "abut simulate s.json --seconds 5 -o", "table.csv" },
    { "abut simulate s.json --seconds 5 --size 400x400 -o", "sheet.png" },
    { "abut simulate s.json --seconds 5 --record", "record.json" },
    { "abut simulate pile --bodies 40 --save", "saved.json" },
    { "abut slice sphere:1 --size 300x300 -o", "slice.png" },
    { "abut collide sphere:1 box:1,1,1 --pose 0,0.9,0 --picture", "pair.png" },
    { "abut bake sphere:1 -o", "field.abut" },
    { "abut bake sphere:1 -o", "field.vti" },
    { "abut surface sphere:1 -o", "mesh.obj" },
    { "abut surface sphere:1 -o", "mesh.ply" },
    { "abut surface sphere:1 -o", "mesh.stl" },
};

static size_t count_files(void)
{
    size_t count = 0;
    DIR* folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
    {
        ++count;
    }
    closedir(folder);
    return count;
}

/// A file that may have only a few blocks, in place of a disk that has only a few left.
static void test_a_write_that_fails_says_why_and_leaves_the_old_file(void** state)
{
    (void)state;
    bool pages = has_pages();
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); ++i)
    {
        const char* name = writers[i][1];
        if (strstr(name, ".html") != NULL && !pages)
        {
            continue;
        }
        char line[256];
        test_write_text(name, "old");
        size_t before = count_files();
        snprintf(line, sizeof(line), "ulimit -f 1; %s %s", writers[i][0], name);
        test_check_run(line, 3, "", "File too large");
        char* kept = test_read_text(name);
        assert_string_equal(kept, "old");
        free(kept);
        assert_int_equal(count_files(), before);
        unlink(name);
    }
}

/// Of a device that is always full, whatever the size of what is written: the first write fails, or the last.
static void test_a_full_disk_is_called_that(void** state)
{
    (void)state;
    bool pages = has_pages();
    static const char* const names[] = { "full.html", "full.glb", "full.csv", "full.png" };
    for (size_t i = 0; i < 4; ++i)
    {
        for (int seconds = 1; seconds < (i > 0 || pages ? 40 : 0); seconds *= 6)
        {
            char line[256];
            unlink(names[i]);
            assert_int_equal(symlink("/dev/full", names[i]), 0);
            snprintf(line, sizeof(line), "abut simulate s.json --seconds %d -o %s", seconds, names[i]);
            test_check_run(line, 3, "", "cannot write: No space left on device");
        }
        unlink(names[i]);
    }
    test_check_run("abut slice sphere:1 --size 300x300 -o - >/dev/full", 3, "", "No space left on device");
    test_check_run("abut slice sphere:1 --size 16x16 -o - >/dev/full", 3, "", "No space left on device");
    test_check_run("yes 1 0.6 0 | head -5000 > poses.txt; abut collide torus:1,0.3 sphere:0.5 --poses "
                   "poses.txt >/dev/full",
                   3, "", "No space left on device");
    unlink("poses.txt");
    // More than the buffer of a stream: the write that fails is not the last one.
    test_check_run("yes 0 0 0 | head -20000 | abut query sphere:1 --json >/dev/full", 3, "",
                   "standard output: No space left on device");
}

/// JSON as a strict reader wants it: UTF-8, and no control character but the line ends and tabs of its
/// layout.
static void assert_clean(const char* text)
{
    for (size_t left = strlen(text), length = 0; left > 0; left -= length, text += length)
    {
        uint32_t code = 0;
        length = abut_utf8_decode(text, left, &code);
        bool layout = code == '\n' || code == '\t';
        if (length == 0 || (abut_utf8_is_control(code) && !layout))
        {
            fail_msg("byte 0x%02x in the output", (unsigned char)*text);
        }
    }
}

static void check_clean(const char* line, int status)
{
    TestRun run = test_run(line);
    if (run.status != status)
    {
        fail_msg("%s: status %d, not %d: %s", line, run.status, status, run.err);
    }
    assert_clean(run.out);
    assert_clean(run.err);
    assert_true(run.out[0] != '\0' || run.err[0] != '\0');
    test_free_run(&run);
}

static void test_nothing_that_strangers_wrote_steers_the_terminal(void** state)
{
    (void)state;
    // Names of files: an escape sequence, a line end, C1 in UTF-8, and bytes that are not UTF-8.
    static const char* const hostile[] = { "$(printf '\\033]0;x\\007y')", "$(printf 'a\\nb')",
                                           "$(printf 'a\\302\\2332J')", "$(printf 'a\\377\\376')" };
    static const char* const lines[][2] = {
        { "cp s.json \"%s.json\"; abut simulate \"%s.json\"", "0" },
        { "abut simulate \"%s.json\" --json", "0" },
        { "abut simulate \"%s.json\" -o \"%s.glb\" --json", "0" },
        { "abut simulate \"%s.json\" --record r.json; abut simulate --replay r.json", "0" },
        { "abut surface sphere:1 -o \"%s.obj\"", "0" },
        { "abut surface sphere:1 -o \"%s.obj\" --json", "0" },
        { "abut info \"%s.obj\"", "0" },
        { "abut info \"%s.obj\" --json", "0" },
        { "abut bake \"%s.obj\" -o \"%s.abut\" --res 16 --json", "0" },
        { "abut info \"%s.abut\" --json", "0" },
        { "abut slice sphere:1 --size 64x64 -o \"%s.png\" --json", "0" },
        { "abut slice sphere:1 --size 64x64 -o \"%s.png\"", "0" },
        { "abut info \"%s.missing.obj\"", "3" },
        { "abut info \"%s.missing.off\" --json", "3" },
        { "abut info \"sphere:%s\"", "3" },
        { "abut \"%s\"", "2" },
        { "abut info sphere:1 \"--%s\"", "2" },
    };
    for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); ++i)
    {
        for (size_t j = 0; j < sizeof(lines) / sizeof(lines[0]); ++j)
        {
            char line[512];
            snprintf(line, sizeof(line), lines[j][0], hostile[i], hostile[i]);
            check_clean(line, lines[j][1][0] - '0');
        }
    }
}

static void test_titles_that_are_not_plain_text_are_refused(void** state)
{
    (void)state;
    char text[512];
    static const char* const titles[] = { "a\xff\xfe", "\\u001b]0;pwned\\u0007\\u001b[2J evil\\nabut: fake",
                                          "a\\u0000b" };
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); ++i)
    {
        snprintf(text, sizeof(text), "{\"title\":\"%s\",%s", titles[i], scene + 1);
        test_write_text("title.json", text);
        check_clean("abut simulate title.json", 3);
        check_clean("abut simulate title.json --json", 3);
        test_check_run("abut simulate title.json", 3, "", "title.json:1: at column 1");
    }
    snprintf(text, sizeof(text), "{\"title\":\"K\xc3\xb6nig\",%s", scene + 1);
    test_write_text("title.json", text);
    cJSON* document = test_run_json("abut simulate title.json --seconds 0.1 --json");
    assert_string_equal(cJSON_GetObjectItem(document, "scene")->valuestring, "K\xc3\xb6nig");
    cJSON_Delete(document);
}

/// Whatever the program that reads formats of others does, and where there is none.
static void test_formats_of_others_end_with_a_mesh_or_with_3(void** state)
{
    (void)state;
    test_write_text("huge.off", "OFF\n353535235358 1 0\n0 0 0\n");
    test_check_run("abut info huge.off", 3, "", "huge.off: ");
    test_check_run("abut info huge.off --json", 3, "", "huge.off: ");
    test_check_run("abut bake huge.off -o huge.abut", 3, "", "huge.off: ");
    test_write_text("crash", "#!/bin/sh\nkill -SEGV $$\n");
    test_write_text("noise", "#!/bin/sh\nyes\n");
    test_write_text("sleep", "#!/bin/sh\nexec sleep 50\n");
    test_check_run("chmod +x crash noise sleep; ABUT_IMPORT=./crash abut info huge.off", 3, "", "huge.off: ");
    test_check_run("ABUT_IMPORT=./noise ABUT_IMPORT_MIB=1 abut info huge.off", 3, "", "huge.off: ");
    test_check_run("ABUT_IMPORT=./sleep ABUT_IMPORT_SECONDS=0.2 abut info huge.off", 3, "", "huge.off: ");
    test_check_run("ABUT_IMPORT=./missing abut info huge.off", 3, "", "huge.off: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_write_that_fails_says_why_and_leaves_the_old_file),
        cmocka_unit_test(test_a_full_disk_is_called_that),
        cmocka_unit_test(test_nothing_that_strangers_wrote_steers_the_terminal),
        cmocka_unit_test(test_titles_that_are_not_plain_text_are_refused),
        cmocka_unit_test(test_formats_of_others_end_with_a_mesh_or_with_3),
    };
    return cmocka_run_group_tests(tests, make_scene, test_program_leave_folder);
}
