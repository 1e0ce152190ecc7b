// Pages that play recordings, from the writer's side: a recording made by hand, read back by a reader of the
// test's own.
#include "cli/base/output.h"
#include "cli/record/recording.h"
#include "cli/record/recording_write.h"
#include "cli/record/viewer_page.h"
#include "cli/record/write_html.h"
#include "support/support.h"

#include <abut/models.h>
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// Stands for the page of viewer/, which takes Node.js to make.
const unsigned char viewer_page[] = "<html><!-- recording --><script>play()</script></html>";
const size_t viewer_page_size = sizeof(viewer_page) - 1;

enum
{
    FRAMES = 21,
    BODIES = 5,
    PAIRS = 6,
    PER_PAIR = 3
};

static const char hostile_name[] = "</script><!-- \"quoted\" \\ \t \xff\xc0\xaf \xe2\x82\xac";
static const char hostile_name_read[] =
    "</script><!-- \"quoted\" \\ \t \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xe2\x82\xac";

// -----------------------------------------------------------------------------------------------------------
// A recording
// -----------------------------------------------------------------------------------------------------------

static RecordedPose make_pose(uint32_t frame, uint32_t body)
{
    return (RecordedPose){ .position = { 1e6 + (double)body + 0.001 * (double)frame, (double)body, -0.5 },
                           .rotation = { 0.0f, sinf(0.01f * (float)frame), 0.0f, cosf(0.01f * (float)frame) },
                           .asleep = body == 2 && frame > 10 };
}

/// Contact k of a pair is 0.001 (1 + k) deep and 0.01 deeper than that of the pair before: the deepest of a
/// pair stands last, and all of a pair are deeper than any of the one before.
static RecordedContact make_contact(uint32_t pair, uint32_t k)
{
    return (RecordedContact){ .position = { 1e6 + (double)pair, 0.25, (double)k },
                              .normal = { 0.0f, 1.0f, 0.0f },
                              .separation = -0.001f * (float)(1 + k) - 0.01f * (float)pair,
                              .impulse = 1.0f,
                              .bodies = { 1 + pair % 4, 0 } };
}

static void add_frame(Recording* recording, uint32_t index)
{
    RecordedPose poses[BODIES];
    RecordedContact contacts[PAIRS * PER_PAIR];
    for (uint32_t body = 0; body < BODIES; ++body)
    {
        poses[body] = make_pose(index, body);
    }
    uint32_t pairs = index % 2 == 1 ? PAIRS : 1;
    for (uint32_t i = 0; i < pairs * PER_PAIR; ++i)
    {
        contacts[i] = make_contact(i / PER_PAIR, i % PER_PAIR);
    }
    RecordedFrame frame = { .time = 0.1 * index,
                            .kinetic = 3.0,
                            .potential = 1e9 + (double)index,
                            .max_penetration = 0.5f,
                            .milliseconds = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f },
                            .contact_count = pairs * PER_PAIR };
    assert_true(recording_add_frame(recording, &frame, poses, contacts));
}

static void make_recording(Recording* recording)
{
    RecordingDef def = { .title = hostile_name,
                         .path = "page.html",
                         .mesh_count = 1,
                         .body_count = BODIES,
                         .byte_limit = (size_t)1 << 24 };
    assert_true(recording_create(recording, &def));
    recording->dt = 0.1;
    recording->origin = (AbutPosition){ 1e6, 0.0, 0.0 };
    recording->camera_target = recording->origin;
    recording->camera_distance = 10.0;
    recording->gravity = abut_vec3(0.5f, -8.0f, 0.25f);
    AbutMesh* mesh = NULL;
    assert_int_equal(abut_mesh_create_sphere(1.0f, 8, NULL, &mesh), ABUT_OK);
    assert_true(recording_set_mesh(recording, 0, mesh));
    abut_mesh_destroy(mesh);
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        RecordedBody body = { .name = (char*)(uintptr_t)(i == 3 ? hostile_name : "ball"),
                              .kind = i == 0 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC,
                              .color = { 0.5f, 0.25f, 1.0f },
                              .scale = 1.0f,
                              .mass = i == 0 ? INFINITY : 2.0 };
        assert_true(recording_set_body(recording, i, &body));
    }
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        add_frame(recording, i);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Reading a page
// -----------------------------------------------------------------------------------------------------------

static char* read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

/// Writes the recording as a page and gives back the JSON in it.
static cJSON* write_and_read(const Recording* recording, const PageLimits* limits)
{
    char path[] = "/tmp/abut-page-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_true(write_html_within(recording, path, limits));
    char* text = read_text(path);
    remove(path);
    const char head[] = "<html><script id=\"abut-recording\" type=\"application/json\">";
    assert_memory_equal(text, head, sizeof(head) - 1);
    char* end = strstr(text, "</script>");
    assert_string_equal(end, "</script><script>play()</script></html>");
    *end = '\0';
    cJSON* json = cJSON_Parse(text + sizeof(head) - 1);
    assert_non_null(json);
    free(text);
    return json;
}

static size_t decode_base64(const char* text, unsigned char* out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    uint32_t bits = 0;
    int held = 0;
    for (; *text != '\0' && *text != '='; ++text)
    {
        bits = bits << 6 | (uint32_t)(strchr(digits, *text) - digits);
        held += 6;
        if (held >= 8)
        {
            held -= 8;
            out[count++] = (unsigned char)(bits >> held & 255);
        }
    }
    return count;
}

/// The 32-bit words of a packed array, which must be `count`; up to 4096 rows, which are one block. Freed by
/// the caller.
static uint32_t* unpack(const cJSON* packed, size_t count)
{
    uint32_t words = (uint32_t)cJSON_GetObjectItem(packed, "words")->valueint;
    uint32_t back = (uint32_t)cJSON_GetObjectItem(packed, "back")->valueint;
    const char* text = cJSON_GetObjectItem(packed, "data")->valuestring;
    unsigned char* deflated = malloc(strlen(text) + 1);
    unsigned char* bytes = malloc(4 * count + 1);
    uint32_t* out = calloc(count + 1, sizeof(uint32_t));
    uLongf size = (uLongf)(4 * count + 1);
    assert_true(deflated != NULL && bytes != NULL && out != NULL);
    assert_int_equal(uncompress(bytes, &size, deflated, (uLong)decode_base64(text, deflated)), Z_OK);
    assert_int_equal(size, 4 * count);
    size_t rows = count / words;
    assert_true(rows <= 4096);
    for (size_t row = 0; row < rows; ++row)
    {
        for (size_t word = 0; word < words; ++word)
        {
            uint32_t value = row >= back ? out[(row - back) * words + word] : 0;
            for (size_t byte = 0; byte < 4; ++byte)
            {
                value += (uint32_t)bytes[(word * 4 + byte) * rows + row] << (8 * byte);
            }
            out[row * words + word] = value;
        }
    }
    free(deflated);
    free(bytes);
    return out;
}

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double number_of(const cJSON* json, const char* key)
{
    const cJSON* item = cJSON_GetObjectItem(json, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void check_poses(const cJSON* json, uint32_t frames, uint32_t stride)
{
    uint32_t* poses = unpack(cJSON_GetObjectItem(json, "poses"), (size_t)frames * BODIES * 7);
    for (uint32_t i = 0; i < frames * BODIES; ++i)
    {
        RecordedPose expected = make_pose(i / BODIES * stride, i % BODIES);
        const double numbers[7] = { expected.position.x - 1e6,   expected.position.y,
                                    expected.position.z,         (double)expected.rotation.x,
                                    (double)expected.rotation.y, (double)expected.rotation.z,
                                    (double)expected.rotation.w };
        for (uint32_t k = 0; k < 7; ++k)
        {
            assert_true(as_float(poses[7 * i + k]) == (float)numbers[k]);
        }
    }
    free(poses);
}

// -----------------------------------------------------------------------------------------------------------
// Tests
// -----------------------------------------------------------------------------------------------------------

static void test_page_holds_the_recording(void** state)
{
    (void)state;
    Recording recording;
    make_recording(&recording);
    cJSON* json = write_and_read(&recording, &(PageLimits){ 1000, 1000 });
    assert_true(number_of(json, "frames") == FRAMES);
    assert_true(number_of(json, "stride") == 1);
    assert_true(number_of(json, "dt") == 0.1);
    const cJSON* gravity = cJSON_GetObjectItem(json, "gravity");
    const double expected_gravity[3] = { 0.5, -8.0, 0.25 };
    for (int i = 0; i < 3; ++i)
    {
        assert_true(cJSON_GetArrayItem(gravity, i)->valuedouble == expected_gravity[i]);
    }
    check_poses(json, FRAMES, 1);
    const cJSON* contacts = cJSON_GetObjectItem(json, "contacts");
    uint32_t* counts = unpack(cJSON_GetObjectItem(contacts, "counts"), FRAMES);
    assert_int_equal(counts[0], PER_PAIR);
    assert_int_equal(counts[1], PAIRS * PER_PAIR);
    free(counts);
    // Far from the origin the potential is a large number; what is kept is how it changes.
    uint32_t* potential =
        unpack(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "series"), "potential"), FRAMES);
    assert_true(as_float(potential[7]) == 7.0f);
    free(potential);
    cJSON_Delete(json);
    recording_destroy(&recording);
}

static void test_page_keeps_names_as_text(void** state)
{
    (void)state;
    Recording recording;
    make_recording(&recording);
    cJSON* json = write_and_read(&recording, &(PageLimits){ 1000, 1000 });
    assert_string_equal(cJSON_GetObjectItem(json, "title")->valuestring, hostile_name_read);
    const cJSON* body = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "bodies"), 3);
    assert_string_equal(cJSON_GetObjectItem(body, "name")->valuestring, hostile_name_read);
    assert_true(number_of(body, "mass") == 2.0);
    const cJSON* ground = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "bodies"), 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(ground, "mass")));
    cJSON_Delete(json);
    recording_destroy(&recording);
}

static void test_page_of_too_many_poses_keeps_every_nth_frame(void** state)
{
    (void)state;
    Recording recording;
    make_recording(&recording);
    cJSON* json = write_and_read(&recording, &(PageLimits){ FRAMES * BODIES / 4, 1000 });
    assert_true(number_of(json, "stride") == 5);
    assert_true(number_of(json, "frames") == 5); // 0, 5, 10, 15, 20
    assert_true(fabs(number_of(json, "dt") - 0.5) < 1e-15);
    check_poses(json, 5, 5);
    cJSON_Delete(json);
    recording_destroy(&recording);
}

static void test_page_of_too_many_contacts_keeps_the_deepest_of_every_pair(void** state)
{
    (void)state;
    Recording recording;
    make_recording(&recording);
    // 11 frames have 3 contacts, 10 have 18: 113 leaves 8 to each, the deepest of all 6 pairs and 2 that are
    // second.
    cJSON* json = write_and_read(&recording, &(PageLimits){ 1000, 11 * 3 + 10 * 8 + 9 });
    const cJSON* contacts = cJSON_GetObjectItem(json, "contacts");
    uint32_t* counts = unpack(cJSON_GetObjectItem(contacts, "counts"), FRAMES);
    uint32_t* totals = unpack(cJSON_GetObjectItem(contacts, "totals"), FRAMES);
    uint32_t* points = unpack(cJSON_GetObjectItem(contacts, "points"), (11 * 3 + 10 * 8) * 8);
    uint32_t kept_of_pair[PAIRS] = { 0 };
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 8);
    assert_int_equal(totals[1], PAIRS * PER_PAIR);
    for (uint32_t i = 3; i < 3 + 8; ++i) // of frame 1
    {
        uint32_t pair = (uint32_t)as_float(points[8 * i]);
        uint32_t k = (uint32_t)as_float(points[8 * i + 2]);
        bool deepest_pairs = pair >= PAIRS - 2;
        assert_true(k == PER_PAIR - 1 || (k == PER_PAIR - 2 && deepest_pairs));
        float separation = make_contact(pair, k).separation;
        assert_true(fabsf(as_float(points[8 * i + 6]) - separation) < -1e-3f * separation);
        kept_of_pair[pair] += 1;
    }
    for (uint32_t pair = 0; pair < PAIRS; ++pair)
    {
        assert_int_equal(kept_of_pair[pair], pair >= PAIRS - 2 ? 2 : 1);
    }
    free(counts);
    free(totals);
    free(points);
    cJSON_Delete(json);
    recording_destroy(&recording);
}

static void test_page_that_cannot_be_written_is_not_there(void** state)
{
    (void)state;
    Recording recording;
    make_recording(&recording);
    assert_false(write_html(&recording, "/tmp/there/is/no/such/folder/page.html"));
    assert_false(write_html(&recording, "/dev/full"));
    recording_destroy(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_holds_the_recording),
        cmocka_unit_test(test_page_keeps_names_as_text),
        cmocka_unit_test(test_page_of_too_many_poses_keeps_every_nth_frame),
        cmocka_unit_test(test_page_of_too_many_contacts_keeps_the_deepest_of_every_pair),
        cmocka_unit_test(test_page_that_cannot_be_written_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
