// scenes/scene.schema.json tells editors what the reader of scene files takes: each of its keys, with the
// same ranges, and no others. viewer/test/schema.test.js asks a validator and the reader about the same
// files.
#include "support/support.h"

#include "scenes/simulate/scene_file.h"
#include "scenes/simulate/scene_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load_schema(void** state)
{
    const char* folder = getenv("ABUT_SCENES");
    char path[1024];
    char* text = NULL;
    size_t size = 0;
    snprintf(path, sizeof(path), "%s/scene.schema.json", folder != NULL ? folder : "scenes");
    if (scene_read_text(path, &text, &size) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return 1;
    }
    *state = cJSON_ParseWithLength(text, size);
    free(text);
    return *state != NULL ? 0 : 1;
}

static int free_schema(void** state)
{
    cJSON_Delete(*state);
    return 0;
}

static const cJSON* get(const cJSON* object, const char* key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/// What a value refers to, or the value itself.
static const cJSON* follow(const cJSON* schema, const cJSON* value)
{
    static const char start[] = "#/$defs/";
    const cJSON* reference = get(value, "$ref");
    if (reference == NULL)
    {
        return value;
    }
    assert_int_equal(strncmp(reference->valuestring, start, sizeof(start) - 1), 0);
    return get(get(schema, "$defs"), reference->valuestring + sizeof(start) - 1);
}

static const cJSON* find_object(const cJSON* schema, const char* name)
{
    return name[0] == '\0' ? schema : get(get(schema, "$defs"), name);
}

static uint32_t count_keys(const JsonKey* keys)
{
    uint32_t count = 0;
    while (keys[count].name != NULL)
    {
        ++count;
    }
    return count;
}

static void test_objects_have_the_keys_that_are_read_and_no_others(void** state)
{
    const cJSON* schema = *state;
    for (const SceneKeyTable* table = scene_key_tables(); table->name != NULL; ++table)
    {
        const cJSON* object = find_object(schema, table->name);
        const cJSON* properties = get(object, "properties");
        assert_true(cJSON_IsFalse(get(object, "additionalProperties")));
        for (const JsonKey* key = table->keys; key->name != NULL; ++key)
        {
            if (get(properties, key->name) == NULL)
            {
                fail_msg("the schema has no %s.%s", table->name, key->name);
            }
        }
        // As many, and all of the reader's are there.
        assert_int_equal(cJSON_GetArraySize(properties), count_keys(table->keys));
    }
}

static void test_every_object_of_the_schema_is_one_that_is_read(void** state)
{
    for (const cJSON* object = get(*state, "$defs")->child; object != NULL; object = object->next)
    {
        const SceneKeyTable* table = scene_key_tables();
        while (table->name != NULL && strcmp(table->name, object->string) != 0)
        {
            ++table;
        }
        assert_true(table->name != NULL || get(object, "properties") == NULL);
    }
}

static void check_range(const cJSON* value, const JsonKey* key, const char* type)
{
    assert_string_equal(get(value, "type")->valuestring, type);
    test_assert_near(get(value, "minimum")->valuedouble, key->low, 0.0);
    test_assert_near(get(value, "maximum")->valuedouble, key->high, 0.0);
}

static void check_vector(const cJSON* value, const JsonKey* key)
{
    assert_string_equal(get(value, "type")->valuestring, "array");
    assert_int_equal(get(value, "minItems")->valueint, 3);
    assert_int_equal(get(value, "maxItems")->valueint, 3);
    check_range(get(value, "items"), key, "number");
}

static void check_kind(const cJSON* value, const JsonKey* key)
{
    switch (key->kind)
    {
    case JSON_TEXT:
        assert_string_equal(get(value, "type")->valuestring, "string");
        assert_int_equal(get(value, "minLength")->valueint, 1);
        break;
    case JSON_FLAG:
        assert_string_equal(get(value, "type")->valuestring, "boolean");
        break;
    case JSON_COUNT:
        check_range(value, key, "integer");
        break;
    case JSON_DOUBLE:
    case JSON_FLOAT:
        check_range(value, key, "number");
        break;
    case JSON_VEC3:
        check_vector(value, key);
        break;
    case JSON_CUSTOM: // as schema.test.js finds
        break;
    }
}

static void test_values_have_the_kinds_and_ranges_that_are_read(void** state)
{
    const cJSON* schema = *state;
    for (const SceneKeyTable* table = scene_key_tables(); table->name != NULL; ++table)
    {
        const cJSON* properties = get(find_object(schema, table->name), "properties");
        for (const JsonKey* key = table->keys; key->name != NULL; ++key)
        {
            check_kind(follow(schema, get(properties, key->name)), key);
        }
    }
}

static void check_number(const cJSON* schema, const char* object, const char* key, double expected)
{
    const cJSON* value = get(get(get(find_object(schema, object), "properties"), key), "default");
    assert_non_null(value);
    test_assert_near(value->valuedouble, expected, 1e-7 * (1.0 + expected));
}

static void test_defaults_are_those_of_worlds_and_bodies(void** state)
{
    AbutWorldDef world = abut_world_def();
    AbutBodyDef body = abut_body_def();
    Scene scene;
    scene_init(&scene, "defaults");
    check_number(*state, "world", "step", scene.step);
    check_number(*state, "world", "seconds", scene.seconds);
    check_number(*state, "world", "substeps", world.substep_count);
    check_number(*state, "world", "sleep_speed", (double)world.sleep_speed);
    check_number(*state, "camera", "turn", scene.camera_yaw);
    check_number(*state, "camera", "rise", scene.camera_pitch);
    check_number(*state, "body", "density", (double)body.density);
    check_number(*state, "body", "friction", (double)body.material.friction);
    check_number(*state, "body", "rolling", (double)body.material.rolling_resistance);
    check_number(*state, "body", "restitution", (double)body.material.restitution);
    check_number(*state, "body", "group", body.group);
    check_number(*state, "body", "mask", body.mask);
    assert_true(world.margin == 0.0f); // "a hundredth of the size"
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_have_the_keys_that_are_read_and_no_others),
        cmocka_unit_test(test_every_object_of_the_schema_is_one_that_is_read),
        cmocka_unit_test(test_values_have_the_kinds_and_ranges_that_are_read),
        cmocka_unit_test(test_defaults_are_those_of_worlds_and_bodies),
    };
    return cmocka_run_group_tests(tests, load_schema, free_schema);
}
