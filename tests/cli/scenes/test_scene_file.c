// Scene files: what every key does, what is wrong with bad ones and where, and that nothing is lost on the
// way out and in again.
#include "support/support.h"

#include "scenes/simulate/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODY_LIMIT = 1000
};

static AbutResult parse(const char* text, Scene* out)
{
    SceneText input = { "scene.json", text, strlen(text), NULL, BODY_LIMIT };
    return scene_parse(&input, out);
}

static void test_an_empty_scene_has_the_defaults_of_worlds(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(parse("{}", &scene), ABUT_OK);
    AbutWorldDef def = abut_world_def();
    assert_int_equal(scene.shape_count, 0);
    assert_int_equal(scene.body_count, 0);
    assert_memory_equal(&scene.gravity, &def.gravity, sizeof(def.gravity));
    assert_int_equal(scene.substeps, def.substep_count);
    assert_int_equal(scene.response, def.response);
    test_assert_near(scene.step, 1.0 / 60.0, 0.0);
    test_assert_near(scene.margin, def.margin, 0.0);
    scene_destroy(&scene);
}

/// Every text of a scene in turn: title, name and text of a shape, its look, name of a body, schema.
static void test_texts_are_utf8_without_control_characters(void** state)
{
    (void)state;
    static const char* const frames[] = {
        "{\"title\":\"a%sb\"}",
        "{\"$schema\":\"a%sb\"}",
        "{\"shapes\":{\"a%sb\":\"sphere:1\"}}",
        "{\"shapes\":{\"s\":\"a%sb\"}}",
        "{\"shapes\":{\"s\":{\"shape\":\"sphere:1\",\"look\":\"a%sb\"}}}",
        "{\"shapes\":{\"s\":\"sphere:1\"},\"bodies\":[{\"shape\":\"s\",\"name\":\"a%sb\"}]}",
    };
    static const char* const bad[][2] = {
        { "\xff", "the byte 0xFF is not UTF-8" },
        { "\xc3", "the byte 0xC3 is not UTF-8" },
        { "\xed\xa0\x80", "the byte 0xED is not UTF-8" },
        { "\\u0000", "a control character (U+0000) in a text" },
        { "\\\\\\u0000", "a control character (U+0000) in a text" },
        { "\\u001b]0;pwned", "a control character (U+001B) in a text" },
        { "\\u009B2J", "a control character (U+009B) in a text" },
        { "\x1b[2J", "a control character (U+001B) in a text" },
        { "\n", "a control character (U+000A) in a text" },
        { "\\n", "a control character (U+000A) in a text" },
        { "\xc2\x9b", "a control character (U+009B) in a text" },
        { "\\u202e", "a control character (U+202E) in a text" },
    };
    static const char* const good[] = { "\xc3\xbc", "\\u00fc",          "\\\\u001b",
                                        "\\\"",     "\xf0\x9f\x8e\xb1", "\\ud83c\\udfb1" };
    char text[256];
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); ++i)
    {
        Scene scene;
        for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); ++j)
        {
            snprintf(text, sizeof(text), frames[i], bad[j][0]);
            test_assert_result(parse(text, &scene), ABUT_INVALID_DATA);
            assert_non_null(strstr(abut_last_error(), "scene.json:1: at column "));
            assert_non_null(strstr(abut_last_error(), bad[j][1]));
        }
        for (size_t j = 0; j < sizeof(good) / sizeof(good[0]); ++j)
        {
            snprintf(text, sizeof(text), frames[i], good[j]);
            test_assert_result(parse(text, &scene), ABUT_OK);
            scene_destroy(&scene);
        }
    }
    static const char zero[] = "{\"title\":\"a\0b\"}", after[] = "{}\0{}";
    Scene scene;
    SceneText inside = { "scene.json", zero, sizeof(zero) - 1, NULL, BODY_LIMIT };
    test_assert_result(scene_parse(&inside, &scene), ABUT_INVALID_DATA);
    SceneText behind = { "scene.json", after, sizeof(after) - 1, NULL, BODY_LIMIT };
    test_assert_result(scene_parse(&behind, &scene), ABUT_INVALID_DATA);
}

static const char every_key[] =
    "{ \"version\": 1, \"title\": \"all \\\"keys\\\"\",\n"
    "  \"world\": { \"gravity\": [1, -2, 3.5], \"step\": 0.01, \"seconds\": 2.5, \"substeps\": 7, "
    "\"response\": \"penalty\",\n"
    "             \"margin\": 0.125, \"sleep_speed\": 0.25 },\n"
    "  \"camera\": { \"target\": [1, 2, 3], \"distance\": 4, \"turn\": -30, \"rise\": 60 },\n"
    "  \"shapes\": { \"ball\": \"sphere:0.5\",\n"
    "    \"ring\": { \"shape\": \"ring\", \"look\": \"torus:0.5,0.2\", \"resolution\": 40, \"sparse\": true, "
    "\"order\": 1,\n"
    "              \"close\": true } },\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"one\", \"shape\": \"ring\", \"kind\": \"kinematic\", \"position\": [1e9, 0.1, -2],\n"
    "      \"rotation\": [0, 0.6, 0, 0.8], \"scale\": 2, \"velocity\": [1, 2, 3], \"spin\": [4, 5, 6], "
    "\"density\": 500, \"mass\": 8,\n"
    "      \"friction\": 0.25, \"rolling\": 0.125, \"restitution\": 0.5, \"stiffness\": 100, \"damping\": 3, "
    "\"group\": 2, "
    "\"mask\": 4294967295,\n"
    "      \"locked\": [\"move y\", \"turn z\"], \"color\": \"#ff8000\", \"never_sleeps\": true },\n"
    "    { \"shape\": \"ball\", \"turn\": [0, 2, 0, 90], \"color\": [0.25, 0.5, 1] } ] }\n";

static void test_every_key_is_read(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(parse(every_key, &scene), ABUT_OK);
    assert_string_equal(scene.title, "all \"keys\"");
    assert_int_equal(scene.response, ABUT_RESPONSE_PENALTY);
    assert_int_equal(scene.substeps, 7);
    test_assert_near(scene.gravity.z, 3.5, 0.0);
    test_assert_near(scene.step, 0.01, 0.0);
    test_assert_near(scene.seconds, 2.5, 0.0);
    test_assert_near(scene.margin, 0.125, 0.0);
    test_assert_near(scene.sleep_speed, 0.25, 0.0);
    test_assert_near(scene.camera_target.z, 3.0, 0.0);
    test_assert_near(scene.camera_distance, 4.0, 0.0);
    test_assert_near(scene.camera_yaw, -30.0, 0.0);
    test_assert_near(scene.camera_pitch, 60.0, 0.0);
    const SceneShape* ring = &scene.shapes[1];
    assert_string_equal(ring->visual, "torus:0.5,0.2");
    assert_int_equal(ring->resolution, 40);
    assert_true(ring->sparse && ring->first_order && ring->closes);
    assert_int_equal(ring->line, 6);
    const SceneBody* one = &scene.bodies[0];
    assert_string_equal(one->name, "one");
    assert_int_equal(one->kind, ABUT_BODY_KINEMATIC);
    assert_int_equal(one->line, 9);
    test_assert_near(one->pose.position.x, 1e9, 0.0);
    test_assert_near(one->pose.position.y, 0.1, 0.0);
    test_assert_near(one->pose.rotation.w, 0.8f, 0.0);
    test_assert_near(one->pose.scale, 2.0, 0.0);
    test_assert_near(one->linear_velocity.y, 2.0, 0.0);
    test_assert_near(one->angular_velocity.x, 4.0, 0.0);
    test_assert_near(one->density, 500.0, 0.0);
    test_assert_near(one->mass, 8.0, 0.0);
    test_assert_near(one->material.friction, 0.25, 0.0);
    test_assert_near(one->material.rolling_resistance, 0.125, 0.0);
    test_assert_near(one->material.restitution, 0.5, 0.0);
    test_assert_near(one->material.stiffness, 100.0, 0.0);
    test_assert_near(one->material.damping, 3.0, 0.0);
    assert_int_equal(one->group, 2);
    assert_true(one->mask == UINT32_MAX);
    assert_int_equal(one->locked, ABUT_LOCK_LINEAR_Y | ABUT_LOCK_ANGULAR_Z);
    test_assert_near(one->color[1], 128.0 / 255.0, 1e-7);
    assert_true(one->never_sleeps);
    test_assert_near(scene.bodies[1].pose.rotation.y, sqrt(0.5), 1e-6);
    test_assert_near(scene.bodies[1].color[2], 1.0, 0.0);
    assert_string_equal(scene.bodies[1].name, "ball 1");
    scene_destroy(&scene);
}

/// Writes a scene into memory.
static char* written(const Scene* scene)
{
    FILE* file = tmpfile();
    assert_non_null(file);
    assert_true(scene_write(scene, file));
    size_t size = (size_t)ftell(file);
    char* text = calloc(size + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static void test_what_is_written_reads_back_bit_for_bit(void** state)
{
    (void)state;
    Scene scene, again;
    test_assert_result(parse(every_key, &scene), ABUT_OK);
    TestRandom random = { 5 };
    for (int i = 0; i < 200; ++i)
    {
        SceneBody* body = scene_add_body(&scene, NULL, (uint32_t)i % 2);
        AbutVec3 at = test_random_point(&random, 1e3);
        body->pose = abut_pose_at((double)at.x / 3.0, (double)at.y / 7.0, test_random_unit(&random));
        body->pose.rotation = test_random_rotation(&random);
        body->linear_velocity = test_random_point(&random, 1.0);
        body->angular_velocity = test_random_point(&random, 1e-3);
        body->material.friction = (float)test_random_unit(&random);
    }
    scene.hashes = malloc(2 * sizeof(uint64_t));
    scene.hashes[0] = UINT64_C(0x0123456789abcdef);
    scene.hashes[1] = UINT64_MAX;
    scene.hash_count = 2;
    char* text = written(&scene);
    test_assert_result(parse(text, &again), ABUT_OK);
    assert_int_equal(again.body_count, scene.body_count);
    for (uint32_t i = 0; i < scene.body_count; ++i)
    {
        const SceneBody *a = &scene.bodies[i], *b = &again.bodies[i];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(&a->pose, &b->pose, sizeof(AbutPose));
        assert_memory_equal(&a->linear_velocity, &b->linear_velocity, sizeof(AbutVec3));
        assert_memory_equal(&a->angular_velocity, &b->angular_velocity, sizeof(AbutVec3));
        assert_memory_equal(&a->material, &b->material, sizeof(AbutMaterial));
    }
    assert_memory_equal(scene.hashes, again.hashes, 2 * sizeof(uint64_t));
    char* second = written(&again);
    assert_string_equal(text, second);
    free(text);
    free(second);
    scene_destroy(&scene);
    scene_destroy(&again);
}

/// One line each, so that the line of a message is 2 where the rest is put.
#define AROUND(world, shapes, bodies)                                                                        \
    "{\n\"world\": {" world "},\n\"shapes\": {\"s\": \"sphere:1\"" shapes "},\n\"bodies\": [" bodies "]\n}"

static void test_mistakes_are_named_with_line_and_key(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* message; ///< a part of it
    } cases[] = {
        { "", "scene.json:1: at column 1: this is not JSON" },
        { "{\n  \"title\": \"x\",\n  nonsense\n}", "scene.json:3: at column " },
        { "{} {}", "scene.json:1: at column 4: this is not JSON" },
        { "[]", "scene.json:1: scene: expected an object, not a list" },
        { "{\n\"world\": 3}", "scene.json:2: world: expected an object, not a number" },
        { "{\"version\": 2}", "version: only version 1" },
        { AROUND("\"gravty\": [0,0,0]", "", ""),
          "scene.json:2: world.gravty: unknown key; there are gravity" },
        { AROUND("\"gravity\": [0,0]", "", ""), "scene.json:2: world.gravity: expected a list of 3 numbers" },
        { AROUND("\"gravity\": [0,\"a\",0]", "", ""), "world.gravity[1]: expected a number, not a text" },
        { AROUND("\"step\": -0.1", "", ""), "scene.json:2: world.step: -0.1 is out of range" },
        { AROUND("\"step\": NaN", "", ""), "scene.json:2: at column" },
        { AROUND("\"step\": 1e999", "", ""), "world.step: inf is out of range" },
        { AROUND("\"step\": 0.1, \"step\": 0.1", "", ""), "world.step: is given twice" },
        { AROUND("\"substeps\": 2.5", "", ""), "world.substeps: expected a whole number" },
        { AROUND("\"substeps\": 100", "", ""), "world.substeps: 100 is out of range" },
        { AROUND("\"response\": \"magic\"", "", ""),
          "world.response: \"magic\" is none of impulse, penalty" },
        { AROUND("", ", \"s\": \"box:1,1,1\"", ""), "scene.json:3: shapes.s: is given twice" },
        { AROUND("", ", \"t\": {\"resolution\": 3}", ""), "shapes.t: the key shape is missing" },
        { AROUND("", ", \"t\": {\"shape\": \"\"}", ""), "shapes.t.shape: the text is empty" },
        { AROUND("", ", \"t\": {\"shape\": \"ring\", \"order\": 2}", ""), "shapes.t.order: expected 0 or 1" },
        { AROUND("", "", "{}"), "scene.json:4: bodies[0]: the key shape is missing" },
        { AROUND("", "", "{\"shape\": \"s\"},\n{\"shape\": \"t\"}"),
          "scene.json:5: bodies[1].shape: no shape has the name \"t\"" },
        { AROUND("", "", "{\"shape\": \"s\",\n\"mas\": 1}"), "scene.json:5: bodies[0].mas: unknown key" },
        { AROUND("", "", "{\"shape\": \"s\", \"mass\": 0}"), "bodies[0].mass: 0 is out of range" },
        { AROUND("", "", "{\"shape\": \"s\", \"kind\": \"fluid\"}"), "kind: \"fluid\" is none of static" },
        { AROUND("", "", "{\"shape\": \"s\", \"rotation\": [0,0,0,2]}"), "of length 2; it must be 1" },
        { AROUND("", "", "{\"shape\": \"s\", \"turn\": [0,0,0,2]}"), "the axis of the turn has no length" },
        { AROUND("", "", "{\"shape\": \"s\", \"color\": \"red\"}"), "\"red\" is no colour" },
        { AROUND("", "", "{\"shape\": \"s\", \"locked\": [\"x\"]}"), "locked[0]: \"x\" is none of move x" },
        { AROUND("", "", "{\"shape\": [\"s\", \"s\"]}"),
          "several shapes are for bodies with the key repeat" },
        { AROUND("", "", "{\"shape\": \"s\", \"repeat\": {\"count\": 3}}"),
          "repeat: the key spacing is missing" },
        { AROUND("", "", "{\"shape\": \"s\", \"name\": null}"), "bodies[0].name: expected a text, not null" },
        { "{\"hashes\": [\n\"0123\"]}", "scene.json:2: hashes[0]: expected 16 hexadecimal digits" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        Scene scene;
        AbutResult result = parse(cases[i].text, &scene);
        if (result != ABUT_INVALID_DATA || strstr(abut_last_error(), cases[i].message) == NULL)
        {
            fail_msg("%s\ngave %s: %s\nnot %s", cases[i].text, abut_result_name(result), abut_last_error(),
                     cases[i].message);
        }
    }
}

static void test_every_beginning_of_a_file_is_refused(void** state)
{
    (void)state;
    size_t size = strlen(every_key);
    while (size > 0 && every_key[size - 1] != '}')
    {
        --size;
    }
    for (size_t length = 0; length < size; ++length)
    {
        // In a block of its own, so that reading past it is seen by a sanitizer.
        char* copy = malloc(length + 1);
        memcpy(copy, every_key, length);
        SceneText input = { "cut.json", copy, length, NULL, BODY_LIMIT };
        Scene scene;
        test_assert_result(scene_parse(&input, &scene), ABUT_INVALID_DATA);
        free(copy);
    }
}

static void test_repeated_bodies_stand_in_layers(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(
        parse("{\"shapes\": {\"a\": \"sphere:1\", \"b\": \"box:1,1,1\"}, \"bodies\": ["
              "{\"shape\": [\"a\", \"b\"], \"position\": [10, 20, 30], \"mass\": 2, \"repeat\": "
              "{\"count\": 7, \"columns\": [2, 2], \"spacing\": [1, 2, 4]}}]}",
              &scene),
        ABUT_OK);
    assert_int_equal(scene.body_count, 7);
    for (uint32_t i = 0; i < 7; ++i)
    {
        const SceneBody* body = &scene.bodies[i];
        assert_int_equal(body->shape, i % 2);
        test_assert_near(body->mass, 2.0, 0.0);
        test_assert_near(body->pose.position.x, 10.0 + (i % 2 == 0 ? -0.5 : 0.5), 1e-12);
        test_assert_near(body->pose.position.y, 20.0 + 2.0 * (i / 4), 1e-12);
        test_assert_near(body->pose.position.z, 30.0 + (i % 4 < 2 ? -2.0 : 2.0), 1e-12);
    }
    scene_destroy(&scene);
}

static void test_more_bodies_than_the_limit_are_refused_at_once(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(
        parse("{\"shapes\": {\"a\": \"sphere:1\"},\n\"bodies\": ["
              "{\"shape\": \"a\", \"repeat\": {\"count\": 4294967295, \"spacing\": [1, 1, 1]}}]}",
              &scene),
        ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "scene.json:2: bodies[0]: more than 1000 bodies"));
}

static void test_files_are_those_beside_the_scene(void** state)
{
    (void)state;
    char folder[] = "/tmp/abut_scene_XXXXXX", path[64], mesh[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/s.json", folder);
    snprintf(mesh, sizeof(mesh), "%s/part.obj", folder);
    FILE* file = fopen(path, "w");
    fputs("{\"shapes\": {\"a\": {\"shape\": \"part.obj\", \"resolution\": 8}, \"b\": \"sphere:1\", \"c\": "
          "\"none.obj@4\"}}",
          file);
    fclose(file);
    file = fopen(mesh, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    Scene scene;
    test_assert_result(scene_load(path, BODY_LIMIT, &scene), ABUT_OK);
    assert_string_equal(scene.shapes[0].text, mesh);
    assert_string_equal(scene.shapes[1].text, "sphere:1");
    assert_non_null(strstr(scene.shapes[2].text, "none.obj@4"));
    scene_destroy(&scene);
    test_assert_result(scene_load("/nowhere/scene.json", BODY_LIMIT, &scene), ABUT_NOT_FOUND);
    test_assert_result(scene_load(folder, BODY_LIMIT, &scene), ABUT_IO_ERROR);
    remove(path);
    remove(mesh);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_scene_has_the_defaults_of_worlds),
        cmocka_unit_test(test_texts_are_utf8_without_control_characters),
        cmocka_unit_test(test_every_key_is_read),
        cmocka_unit_test(test_what_is_written_reads_back_bit_for_bit),
        cmocka_unit_test(test_mistakes_are_named_with_line_and_key),
        cmocka_unit_test(test_every_beginning_of_a_file_is_refused),
        cmocka_unit_test(test_repeated_bodies_stand_in_layers),
        cmocka_unit_test(test_more_bodies_than_the_limit_are_refused_at_once),
        cmocka_unit_test(test_files_are_those_beside_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
