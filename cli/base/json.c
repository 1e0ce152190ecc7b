#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The shortest decimal that reads back as `value`, as a double.
static double shortest(float value)
{
    if (!isfinite(value))
    {
        return (double)value;
    }
    for (int digits = 6; digits < 9; ++digits)
    {
        char text[32];
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        double rounded = strtod(text, NULL);
        if ((float)rounded == value)
        {
            return rounded;
        }
    }
    return (double)value;
}

void json_add_float(cJSON* object, const char* name, float value)
{
    cJSON_AddNumberToObject(object, name, shortest(value));
}

void json_add_vec3(cJSON* object, const char* name, AbutVec3 value)
{
    double values[3] = { shortest(value.x), shortest(value.y), shortest(value.z) };
    json_add_doubles(object, name, values, 3);
}

void json_add_doubles(cJSON* object, const char* name, const double* values, int count)
{
    cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(values, count));
}

void json_add_box(cJSON* object, const char* name, AbutBox box)
{
    cJSON* sides = cJSON_AddObjectToObject(object, name);
    json_add_vec3(sides, "min", box.min);
    json_add_vec3(sides, "max", box.max);
}

void json_add_mass(cJSON* object, const char* name, const AbutMassData* mass)
{
    cJSON* item = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(item, "volume", mass->volume);
    json_add_doubles(item, "center", mass->center, 3);
    cJSON* rows = cJSON_AddArrayToObject(item, "inertia");
    for (int i = 0; i < 3; ++i)
    {
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(mass->inertia[i], 3));
    }
}

/// cJSON hands bytes from 0x7F up on as they are: characters that steer a terminal are escaped here, and what
/// is not UTF-8 (in the name of a file) becomes U+FFFD. Both can stand in texts alone.
static void put_document(const char* text)
{
    size_t left = strlen(text);
    size_t plain = 0; // bytes before `text` that are not written yet
    while (left > 0)
    {
        uint32_t code = 0xFFFD;
        size_t length = abut_utf8_decode(text, left, &code);
        bool whole = length > 0 && (!abut_utf8_is_control(code) || code < 0x20); // line ends of the layout
        length = length > 0 ? length : 1;
        if (whole)
        {
            plain += length;
        }
        else
        {
            fwrite(text - plain, 1, plain, stdout);
            printf("\\u%04x", code);
            plain = 0;
        }
        text += length;
        left -= length;
    }
    fwrite(text - plain, 1, plain, stdout);
}

bool json_print_item(cJSON* item, bool first)
{
    char* text = item != NULL ? cJSON_PrintUnformatted(item) : NULL;
    cJSON_Delete(item);
    if (text == NULL)
    {
        message_error("no memory for the JSON document");
        return false;
    }
    printf("%s\n    ", first ? "" : ",");
    put_document(text);
    cJSON_free(text);
    return true;
}

ExitCode json_print(cJSON* document)
{
    char* text = document != NULL ? cJSON_Print(document) : NULL;
    cJSON_Delete(document);
    if (text == NULL)
    {
        message_error("no memory for the JSON document");
        return EXIT_INPUT;
    }
    put_document(text);
    putchar('\n');
    cJSON_free(text);
    return EXIT_DONE;
}
