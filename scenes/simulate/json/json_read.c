#include "scenes/simulate/json/json_read.h"

#include <abut/math.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MESSAGE_SIZE = 768,
    LOCATION_SIZE = 256,
    WORDS_SIZE = 512
};

AbutResult json_fail(const JsonReader* reader, const JsonLocation* location, AbutResult result,
                     const char* format, ...)
{
    char message[MESSAGE_SIZE], where[LOCATION_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    json_location_name(location, where, sizeof(where));
    return abut_fail(result, "%s:%u: %s: %s", reader->name,
                     json_location_line(reader->text, reader->size, location), where, message);
}

const char* json_kind_name(const cJSON* item)
{
    return cJSON_IsNumber(item)   ? "a number"
           : cJSON_IsString(item) ? "a text"
           : cJSON_IsBool(item)   ? "true or false"
           : cJSON_IsArray(item)  ? "a list"
           : cJSON_IsObject(item) ? "an object"
                                  : "null";
}

static AbutResult fail_kind(const JsonReader* reader, const JsonLocation* location, const cJSON* item,
                            const char* expected)
{
    return json_fail(reader, location, ABUT_INVALID_DATA, "expected %s, not %s", expected,
                     json_kind_name(item));
}

static AbutResult read_number(const JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              double low, double high, double* out)
{
    if (!cJSON_IsNumber(item))
    {
        return fail_kind(reader, location, item, "a number");
    }
    double value = item->valuedouble;
    if (!(value >= low && value <= high))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "%g is out of range; it must be in [%g, %g]",
                         value, low, high);
    }
    *out = value;
    return ABUT_OK;
}

static AbutResult read_count(const JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             const JsonKey* key, uint32_t* out)
{
    double value = 0.0;
    AbutResult result = read_number(reader, location, item, key->low, key->high, &value);
    if (result == ABUT_OK && value != floor(value))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected a whole number, not %g", value);
    }
    *out = result == ABUT_OK ? (uint32_t)value : *out;
    return result;
}

AbutResult json_read_numbers(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             uint32_t count, double low, double high, double* out)
{
    if (!cJSON_IsArray(item) || (uint32_t)cJSON_GetArraySize(item) != count)
    {
        char expected[64];
        snprintf(expected, sizeof(expected), "a list of %u numbers", count);
        return cJSON_IsArray(item)
                   ? json_fail(reader, location, ABUT_INVALID_DATA, "expected %s; there are %d", expected,
                               cJSON_GetArraySize(item))
                   : fail_kind(reader, location, item, expected);
    }
    AbutResult result = ABUT_OK;
    uint32_t ordinal = 0;
    for (const cJSON* child = item->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal, NULL };
        result = read_number(reader, &here, child, low, high, &out[ordinal++]);
    }
    return result;
}

AbutResult json_read_text(JsonReader* reader, const JsonLocation* location, const cJSON* item, char** out)
{
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
    {
        return cJSON_IsString(item) ? json_fail(reader, location, ABUT_INVALID_DATA, "the text is empty")
                                    : fail_kind(reader, location, item, "a text");
    }
    char* copy = strdup(item->valuestring);
    if (copy == NULL)
    {
        return json_fail(reader, location, ABUT_OUT_OF_MEMORY, "no memory");
    }
    free(*out);
    *out = copy;
    return ABUT_OK;
}

AbutResult json_read_choice(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                            const char* const* words, uint32_t* out)
{
    char all[WORDS_SIZE] = "";
    for (uint32_t i = 0; words[i] != NULL; ++i)
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, words[i]) == 0)
        {
            *out = i;
            return ABUT_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return cJSON_IsString(item) ? json_fail(reader, location, ABUT_INVALID_DATA, "\"%.64s\" is none of %s",
                                            item->valuestring, all)
                                : json_fail(reader, location, ABUT_INVALID_DATA, "expected one of %s, not %s",
                                            all, json_kind_name(item));
}

static AbutResult read_vec3(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                            const JsonKey* key, AbutVec3* out)
{
    double numbers[3];
    AbutResult result = json_read_numbers(reader, location, item, 3, key->low, key->high, numbers);
    if (result == ABUT_OK)
    {
        *out = abut_vec3((float)numbers[0], (float)numbers[1], (float)numbers[2]);
    }
    return result;
}

static AbutResult read_key(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                           const JsonKey* key, void* target)
{
    void* member = (char*)target + key->offset;
    double value = 0.0;
    AbutResult result = ABUT_OK;
    switch (key->kind)
    {
    case JSON_TEXT:
        return json_read_text(reader, location, item, member);
    case JSON_FLAG:
        if (!cJSON_IsBool(item))
        {
            return fail_kind(reader, location, item, "true or false");
        }
        *(bool*)member = cJSON_IsTrue(item) != 0;
        return ABUT_OK;
    case JSON_COUNT:
        return read_count(reader, location, item, key, member);
    case JSON_DOUBLE:
        return read_number(reader, location, item, key->low, key->high, member);
    case JSON_FLOAT:
        result = read_number(reader, location, item, key->low, key->high, &value);
        *(float*)member = result == ABUT_OK ? (float)value : *(float*)member;
        return result;
    case JSON_VEC3:
        return read_vec3(reader, location, item, key, member);
    case JSON_CUSTOM:
        return key->read(reader, location, item, target);
    }
    return ABUT_OK;
}

static AbutResult fail_unknown(const JsonReader* reader, const JsonLocation* location, const JsonKey* keys)
{
    char all[WORDS_SIZE] = "";
    for (uint32_t i = 0; keys[i].name != NULL; ++i)
    {
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", i > 0 ? ", " : "", keys[i].name);
    }
    return json_fail(reader, location, ABUT_INVALID_DATA, "unknown key; there are %s", all);
}

AbutResult json_read_object(JsonReader* reader, const JsonLocation* location, const cJSON* object,
                            const JsonKey* keys, void* target, uint32_t* seen)
{
    if (!cJSON_IsObject(object))
    {
        return fail_kind(reader, location, object, "an object");
    }
    uint32_t found = 0, ordinal = 0;
    AbutResult result = ABUT_OK;
    for (const cJSON* child = object->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal++, child->string };
        uint32_t k = 0;
        while (keys[k].name != NULL && strcmp(keys[k].name, child->string) != 0)
        {
            ++k;
        }
        if (keys[k].name == NULL)
        {
            return fail_unknown(reader, &here, keys);
        }
        if ((found >> k & 1u) != 0)
        {
            return json_fail(reader, &here, ABUT_INVALID_DATA, "is given twice");
        }
        found |= 1u << k;
        result = read_key(reader, &here, child, &keys[k], target);
    }
    if (seen != NULL)
    {
        *seen = found;
    }
    return result;
}
