// abut simulate, as a script uses it.
#include "support/program_json.h"
#include "support/sanitized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fall[] =
    "{ \"title\": \"fall\", \"world\": { \"gravity\": [0, -10, 0], \"seconds\": 1 },\n"
    "  \"shapes\": { \"ball\": \"sphere:0.5\", \"ground\": \"plane\" },\n"
    "  \"bodies\": [ { \"shape\": \"ball\", \"position\": [1, 20, 3], \"velocity\": [2, 0, 0] } ] }\n";

/// A ball that drops on the ground and a box that tumbles down beside it.
static const char meet[] =
    "{ \"title\": \"meet\", \"world\": { \"seconds\": 0.6 },\n"
    "  \"shapes\": { \"ball\": \"sphere:0.1\", \"box\": \"box:0.2,0.1,0.15\", \"ground\": \"plane\" },\n"
    "  \"bodies\": [ { \"shape\": \"ground\", \"kind\": \"static\" },\n"
    "    { \"shape\": \"ball\", \"position\": [0, 0.25, 0] },\n"
    "    { \"name\": \"a \\\"box\\\", turned\", \"shape\": \"box\", \"position\": [0.5, 0.3, 0], \"turn\": "
    "[1, 1, 0, 40], "
    "\"spin\": [0, 9, 25] } ] }\n";

static int make_scenes(void** state)
{
    int failed = test_program_enter_folder(state);
    if (failed == 0)
    {
        test_write_text("fall.json", fall);
        test_write_text("meet.json", meet);
    }
    return failed;
}

static void test_json_has_the_keys_that_scripts_rely_on(void** state)
{
    (void)state;
    cJSON* document = test_run_json("abut simulate fall.json --json");
    test_assert_near(test_json_number(document, "steps"), 60.0, 0.0);
    test_assert_near(test_json_number(document, "seconds"), 1.0, 1e-12);
    test_assert_near(test_json_number(document, "max_penetration"), 0.0, 0.0);
    const char* hash = cJSON_GetStringValue(cJSON_GetObjectItem(document, "hash"));
    assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
    // Mass · (g · 20 + v²/2) of a ball of a volume of π/6 and a density of 1000, before and after.
    test_assert_near(test_json_number(document, "energy"), 523.5988 * 202.0, 300.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "complete")));
    cJSON_Delete(document);
}

/// Bodies of 0.2 m with ears and rims, along which the normals of some contacts lead. (Once 0.088.)
static void test_the_depth_of_a_pile_is_bounded_by_a_fraction_of_its_bodies(void** state)
{
    (void)state;
    if (TEST_IS_SANITIZED)
    {
        skip(); // a minute there
    }
    cJSON* document = test_run_json("abut simulate pile --seconds 3 --json");
    double depth = test_json_number(document, "max_penetration"),
           bound = test_json_number(document, "max_penetration_bound");
    assert_true(depth < 0.006);
    assert_true(depth <= bound && bound < 0.015);
    cJSON_Delete(document);
}

static void test_falling_bodies_fall_as_galileo_says(void** state)
{
    (void)state;
    test_check_run("abut simulate fall.json -o fall.csv", 0, "60 steps", "");
    char* text = test_read_text("fall.csv");
    const char* line = strstr(text, "\n60,");
    assert_non_null(line);
    double time, x, y, z, vx, vy;
    assert_int_equal(sscanf(line, "\n60,%lf,0,\"ball 0\",%lf,%lf,%lf,%*f,%*f,%*f,%*f,%lf,%lf", &time, &x, &y,
                            &z, &vx, &vy),
                     6);
    test_assert_near(time, 1.0, 1e-8);
    test_assert_near(x, 3.0, 1e-5);
    test_assert_near(y, 15.0, 0.05);
    test_assert_near(z, 3.0, 1e-9);
    test_assert_near(vx, 2.0, 1e-6);
    test_assert_near(vy, -10.0, 1e-4);
    free(text);
}

static void test_tables_have_a_line_for_every_frame_body_and_contact(void** state)
{
    (void)state;
    test_check_run("abut simulate meet.json -o meet.csv --fps 30", 0, "36 steps", "");
    assert_int_equal(test_check_table("tr -d '\"' < meet.csv | sed 's/a box, turned/box/'",
                                      "frame,time,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,asleep\n"),
                     3 * 19);
    assert_int_equal(test_check_table("cat meet.frames.csv", "frame,time,kinetic,potential,energy,deepest,"),
                     19);
    assert_true(test_check_table("cat meet.contacts.csv",
                                 "frame,time,body_a,body_b,x,y,z,nx,ny,nz,separation,"
                                 "impulse\n") > 10);
    // Names are quoted as tables want it.
    test_check_run("grep -c '\"a \"\"box\"\", turned\"' meet.csv", 0, "19", "");
}

static void test_files_are_the_same_for_any_number_of_threads(void** state)
{
    (void)state;
    static const char* const threads[] = { "1", "2", "7" };
    for (int i = 0; i < 3; ++i)
    {
        char line[256];
        snprintf(line, sizeof(line),
                 "abut simulate meet.json -o t%s.csv -o t%s.glb -o t%s.png --size 500x400 --threads %s",
                 threads[i], threads[i], threads[i], threads[i]);
        test_check_run(line, 0, "meet: 36 steps", "");
    }
    test_check_run(
        "for n in 2 7; do for k in csv frames.csv contacts.csv glb png; do cmp t1.$k t$n.$k || exit 1; "
        "done; done",
        0, "", "");
}

/// Makes the n-th hash another one.
static void change_hash(const char* from, int number, const char* to)
{
    char* text = test_read_text(from);
    char* at = strstr(text, "\"hashes\"");
    for (int i = 0; i < number; ++i)
    {
        at = strchr(at, '\n') + 1;
    }
    at = strchr(at, '"') + 1;
    *at = *at == '0' ? '1' : '0';
    test_write_text(to, text);
    free(text);
}

static void test_a_record_replays_and_a_difference_is_named(void** state)
{
    (void)state;
    test_check_run("abut simulate meet.json --record record.json --threads 2", 0, "36 steps", "");
    test_check_run("abut simulate --replay record.json --threads 1", 0,
                   "all 36 steps have the recorded hashes", "");
    cJSON* answer = test_run_json("abut simulate --replay record.json --json");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(answer, "same")));
    cJSON_Delete(answer);
    change_hash("record.json", 20, "other.json");
    test_check_run("abut simulate --replay other.json", 1, "step 20 of 36 is the first that differs", "");
    // So is a ball that starts a hair lower.
    test_check_run(
        "sed 's/0.25, 0\\]/0.2500001, 0]/' record.json > moved.json; abut simulate --replay moved.json", 1,
        "step 1 of 36", "");
    test_check_run("abut simulate --replay meet.json", 3, "", "has no hashes");
    test_check_run("abut simulate --replay record.json --dt 0.1", 2, "", "the record says how it was made");
    test_check_run("abut simulate pile --replay record.json", 2, "", "leave out the SCENE");
}

static void test_a_scene_can_be_saved_and_simulated_from_its_file(void** state)
{
    (void)state;
    test_check_run("abut simulate cards --bodies 4 --seed 3 --seconds 0.5 --save cards.json", 0, "", "");
    TestRun a = test_run("abut simulate cards --bodies 4 --seed 3 --seconds 0.5");
    TestRun b = test_run("abut simulate cards.json");
    assert_string_equal(a.out, b.out);
    test_free_run(&a);
    test_free_run(&b);
    test_check_run("abut simulate cards.json --save - | cmp - cards.json", 0, "", "");
    test_check_run("abut simulate --list", 0, "pipe", "");
    cJSON* list = test_run_json("abut simulate --list --json");
    assert_true(cJSON_GetArraySize(list) >= 13);
    cJSON_Delete(list);
}

static void test_mistakes_end_with_a_message_before_anything_is_simulated(void** state)
{
    (void)state;
    test_write_text("bad.json", "{ \"bodies\": [ { \"shape\": \"x\" } ] }");
    test_write_text("mesh.json", "{ \"shapes\": {\n\"m\": \"missing.obj@20\" } }");
    test_write_text("endless.json",
                    "{ \"shapes\": { \"p\": \"plane\" },\n \"bodies\": [ { \"shape\": \"p\" } ] }");
    static const struct
    {
        const char* line;
        int status;
        const char* message;
    } cases[] = {
        { "abut simulate", 2, "a SCENE is missing" },
        { "abut simulate pil", 3, "did you mean pile?" },
        { "abut simulate nothing.json", 3, "nothing.json: cannot be read" },
        { "abut simulate bad.json", 3, "bad.json:1: bodies[0].shape: no shape has the name \"x\"" },
        { "abut simulate mesh.json", 3, "mesh.json:2: shape \"m\":" },
        { "abut simulate endless.json", 3, "endless.json:2: body \"p 0\":" },
        { "abut simulate thousand --seconds 1e4 -o out.mp4", 2,
          "out.mp4: unknown kind of file; the name must end" },
        { "abut simulate thousand --seconds 1e4 -o none/out.csv", 3, "none/out.csv: cannot write" },
        { "abut simulate thousand --seconds 1e4 --record none/r.json", 3, "none/r.json: cannot write" },
        { "mkdir -p folder.csv; abut simulate thousand --seconds 1e4 -o folder.csv", 3,
          "folder.csv: cannot write" },
        { "abut simulate pile --bodies 1000000", 3, "1000000 bodies take more than the 1024 MB of --memory" },
        { "abut simulate pile --dt -0.1", 2, "--dt is -0.1; it must be over 0" },
        { "abut simulate pile --dt nan", 2, "--dt wants a finite number" },
        { "abut simulate pile --seconds 0", 2, "--seconds is 0" },
        { "abut simulate fall.json --dt 1e-9 --seconds 1e3", 2, "more than 100000000 steps" },
        { "abut simulate pile --response magic", 2, "--response wants one of impulse|penalty|bullet" },
        { "abut simulate meet.json --response bullet --record r.json", 2, "leave out --record and --save" },
        { "abut simulate nut --bodies 3", 2, "the number of its bodies is fixed" },
        { "abut simulate pipe --mesh a.obj", 2, "takes no mesh" },
        { "abut simulate bunny --mesh none.obj", 3, "shape \"bunny\": none.obj" },
        { "abut simulate meet.json --bodies 3", 2, "--bodies and --mesh are for scenes that come with abut" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        test_check_run(cases[i].line, cases[i].status, "", cases[i].message);
    }
}

/// Springs say when they cannot do what is asked of them; in small steps nothing is said.
static void test_penalty_steps_that_are_too_large_are_said_to_be(void** state)
{
    (void)state;
    test_check_run("abut simulate meet.json --response penalty --dt 0.2 --substeps 1", 0, "meet: 3 steps",
                   "too large for stiffer springs");
    test_check_run("abut simulate meet.json --response penalty", 0, "meet: 36 steps", "");
}

/// Of a program with Bullet; without it a message says so. A gear with 18 teeth turns one with 27.
static void test_bullet_moves_scenes_with_locked_axes(void** state)
{
    (void)state;
    TestRun first = test_run("abut simulate meet.json --response bullet -o bullet.csv");
    if (first.status != 0)
    {
        assert_int_equal(first.status, 3);
        assert_non_null(strstr(first.err, "built without Bullet"));
        test_free_run(&first);
        skip();
    }
    TestRun again = test_run("abut simulate meet.json --response bullet");
    assert_string_equal(first.out, again.out);
    assert_non_null(strstr(first.out, "meet: 36 steps"));
    test_free_run(&first);
    test_free_run(&again);
    test_check_run("abut simulate gears --seconds 0.5 --response bullet -o gears.csv", 0, "gears: 30 steps",
                   "");
    char* text = test_read_text("gears.csv");
    const char* line = strstr(text, "\n30,");
    line = line != NULL ? strstr(line + 1, ",\"driven\",") : NULL;
    assert_non_null(line);
    double x, speed;
    assert_int_equal(sscanf(line, ",\"driven\",%lf,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%lf", &x, &speed),
                     2);
    test_assert_near(x, 1.125, 1e-4);
    test_assert_near(speed, -2.0 * 18.0 / 27.0, 0.03);
    free(text);
}

/// Bodies that are clamped in a heap would be held in the air by their neighbours, and their velocity would
/// grow.
static void test_a_pile_in_bullet_comes_to_rest(void** state)
{
    (void)state;
    TestRun run = test_run("abut simulate fall.json --seconds 0.1 --response bullet");
    int status = run.status;
    test_free_run(&run);
    if (status != 0 || TEST_IS_SANITIZED)
    {
        skip(); // built without Bullet, or too slow
    }
    cJSON* document =
        test_run_json("abut simulate pile --bodies 15 --seed 2 --seconds 2 --response bullet --json");
    assert_true(test_json_number(document, "kinetic") < 0.1);
    assert_true(test_json_number(document, "max_penetration") < 0.006);
    cJSON_Delete(document);
}

/// In the foreground, `timeout` sends one signal and not two, of which the second would end the program at
/// once. A ball falls for hours; the recording has a megabyte of disk, and someone stops it.
static void test_an_interrupt_writes_what_is_there_in_even_frames(void** state)
{
    (void)state;
    test_check_run("timeout --foreground --preserve-status -s INT 2 \"$ABUT_PROGRAM\" simulate fall.json "
                   "--seconds 100000 --dt 0.1 "
                   "--fps 1000 --disk 1 -o long.csv --record long.json",
                   130, "fall: ", "what is there is written");
    char* text = test_read_text("long.frames.csv");
    double first = 0.0, last = 0.0;
    int count = 0;
    for (const char* line = strchr(text, '\n'); line != NULL && line[1] != '\0';
         line = strchr(line + 1, '\n'), ++count)
    {
        double time;
        assert_int_equal(sscanf(line, "\n%*d,%lf", &time), 1);
        first = count == 1 ? time : first;
        if (count > 0)
        {
            test_assert_near(time - last, first, 1e-6 * (1.0 + time));
        }
        last = time;
    }
    free(text);
    assert_true(count > 2 && count < 14000);
    test_check_run("tail -2 long.json | head -1", 0, "]", "");
}

/// The recording of some seconds is megabytes on disk when the program is killed.
static void test_a_killed_simulation_leaves_nothing_behind(void** state)
{
    (void)state;
    test_check_run("mkdir killed && cd killed && timeout --foreground -s KILL 1 \"$ABUT_PROGRAM\" simulate "
                   "../fall.json --seconds 100000 --dt 0.1 --fps 1000 -o a.csv -o a.glb 2>/dev/null; "
                   "test -z \"$(ls -A)\" && echo empty",
                   0, "empty", "");
}

/// A limit on the size of files (blocks of 512 bytes, or of 1024) is a disk that is full.
static void test_a_full_disk_ends_the_simulation_and_leaves_nothing_behind(void** state)
{
    (void)state;
    test_check_run(
        "mkdir full && cd full && ulimit -f 50 && abut simulate ../fall.json --seconds 1000 --dt 0.1 "
        "--fps 1000 -o a.csv -o a.glb",
        3, "", "a.csv: cannot keep the recording beside it: File too large");
    test_check_run("test -z \"$(ls -A full)\" && echo empty", 0, "empty", "");
}

static uint32_t word_at(const unsigned char* bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static unsigned char* read_bytes(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char* bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

/// The floats of an accessor.
static const float* accessor_data(const cJSON* document, const unsigned char* binary, int index, int* count)
{
    const cJSON* accessor = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "accessors"), index);
    const cJSON* view = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "bufferViews"),
                                           (int)test_json_number(accessor, "bufferView"));
    *count = (int)test_json_number(accessor, "count");
    return (const float*)(const void*)(binary + (size_t)test_json_number(view, "byteOffset"));
}

static void check_rotations(const cJSON* document, const unsigned char* binary, const cJSON* animation)
{
    const cJSON* channel;
    int rotations = 0;
    cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels"))
    {
        const cJSON* target = cJSON_GetObjectItem(channel, "target");
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(target, "path")), "rotation") != 0)
        {
            continue;
        }
        const cJSON* sampler = cJSON_GetArrayItem(cJSON_GetObjectItem(animation, "samplers"),
                                                  (int)test_json_number(channel, "sampler"));
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(sampler, "interpolation")), "LINEAR");
        int count;
        const float* q = accessor_data(document, binary, (int)test_json_number(sampler, "output"), &count);
        assert_int_equal(count, 37);
        for (int i = 0; i < count; ++i)
        {
            const float* at = q + 4 * (size_t)i;
            test_assert_near(at[0] * at[0] + at[1] * at[1] + at[2] * at[2] + at[3] * at[3], 1.0, 1e-5);
            // Never the long way round.
            assert_true(i == 0 || at[0] * at[-4] + at[1] * at[-3] + at[2] * at[-2] + at[3] * at[-1] > 0.0f);
        }
        ++rotations;
    }
    assert_int_equal(rotations, 2);
}

static void test_glb_has_a_node_per_body_and_rotates_by_the_smaller_angle(void** state)
{
    (void)state;
    test_check_run("abut simulate meet.json -o meet.glb", 0, "36 steps", "");
    size_t size;
    unsigned char* bytes = read_bytes("meet.glb", &size);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(word_at(bytes + 4), 2);
    assert_int_equal(word_at(bytes + 8), size);
    uint32_t json_size = word_at(bytes + 12);
    cJSON* document = cJSON_ParseWithLength((const char*)bytes + 20, json_size);
    assert_non_null(document);
    unsigned char* binary = malloc(size);
    memcpy(binary, bytes + 20 + json_size + 8, size - 20 - json_size - 8);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "nodes")), 3);
    const cJSON* animation = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "animations"), 0);
    check_rotations(document, binary, animation);
    int times;
    const cJSON* sampler = cJSON_GetArrayItem(cJSON_GetObjectItem(animation, "samplers"), 0);
    const float* time = accessor_data(document, binary, (int)test_json_number(sampler, "input"), &times);
    assert_int_equal(times, 37);
    test_assert_near(time[36], 0.6, 1e-6);
    free(binary);
    free(bytes);
    cJSON_Delete(document);
}

static void test_png_shows_more_than_one_colour_in_the_size_asked_for(void** state)
{
    (void)state;
    test_check_run("abut simulate meet.json -o meet.png --size 640x480", 0, "36 steps", "");
    size_t size;
    unsigned char* bytes = read_bytes("meet.png", &size);
    assert_memory_equal(bytes + 1, "PNG", 3);
    assert_int_equal(bytes[18] << 8 | bytes[19], 640);
    assert_int_equal(bytes[22] << 8 | bytes[23], 480);
    assert_true(size > 20000); // a picture of one colour packs into far less
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_penalty_steps_that_are_too_large_are_said_to_be),
        cmocka_unit_test(test_bullet_moves_scenes_with_locked_axes),
        cmocka_unit_test(test_a_pile_in_bullet_comes_to_rest),
        cmocka_unit_test(test_json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(test_the_depth_of_a_pile_is_bounded_by_a_fraction_of_its_bodies),
        cmocka_unit_test(test_falling_bodies_fall_as_galileo_says),
        cmocka_unit_test(test_tables_have_a_line_for_every_frame_body_and_contact),
        cmocka_unit_test(test_files_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_a_record_replays_and_a_difference_is_named),
        cmocka_unit_test(test_a_scene_can_be_saved_and_simulated_from_its_file),
        cmocka_unit_test(test_mistakes_end_with_a_message_before_anything_is_simulated),
        cmocka_unit_test(test_an_interrupt_writes_what_is_there_in_even_frames),
        cmocka_unit_test(test_a_killed_simulation_leaves_nothing_behind),
        cmocka_unit_test(test_a_full_disk_ends_the_simulation_and_leaves_nothing_behind),
        cmocka_unit_test(test_glb_has_a_node_per_body_and_rotates_by_the_smaller_angle),
        cmocka_unit_test(test_png_shows_more_than_one_colour_in_the_size_asked_for),
    };
    return cmocka_run_group_tests(tests, make_scenes, test_program_leave_folder);
}
