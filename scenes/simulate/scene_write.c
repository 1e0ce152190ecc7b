#include "scenes/simulate/scene_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// A text in quotes, as JSON. Bytes that are not UTF-8 (in the name of a file) become U+FFFD.
static void put_text(FILE* stream, const char* text)
{
    putc('"', stream);
    for (size_t left = strlen(text), length = 0; left > 0; left -= length, text += length)
    {
        uint32_t code = 0xFFFD;
        length = abut_utf8_decode(text, left, &code);
        if (length == 0 || abut_utf8_is_control(code))
        {
            fprintf(stream, "\\u%04x", code);
        }
        else
        {
            fprintf(stream, "%s%.*s", *text == '"' || *text == '\\' ? "\\" : "", (int)length, text);
        }
        length = length > 0 ? length : 1;
    }
    putc('"', stream);
}

/// With as few digits as read back as the same float.
static void put_float(FILE* stream, float value)
{
    char text[32];
    int digits = 5;
    do
    {
        snprintf(text, sizeof(text), "%.*g", ++digits, (double)value);
    } while (digits < 9 && strtof(text, NULL) != value);
    fputs(text, stream);
}

static void put_double(FILE* stream, double value)
{
    char text[32];
    int digits = 14;
    do
    {
        snprintf(text, sizeof(text), "%.*g", ++digits, value);
    } while (digits < 17 && strtod(text, NULL) != value);
    fputs(text, stream);
}

static void put_floats(FILE* stream, const char* key, const float* values, int count)
{
    fprintf(stream, "\"%s\": ", key);
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? ", " : "[", stream);
        put_float(stream, values[i]);
    }
    putc(']', stream);
}

static void put_vec3(FILE* stream, const char* key, AbutVec3 v)
{
    const float values[3] = { v.x, v.y, v.z };
    put_floats(stream, key, values, 3);
}

static void put_position(FILE* stream, const char* key, AbutPosition p)
{
    const double values[3] = { p.x, p.y, p.z };
    fprintf(stream, "\"%s\": ", key);
    for (int i = 0; i < 3; ++i)
    {
        fputs(i > 0 ? ", " : "[", stream);
        put_double(stream, values[i]);
    }
    putc(']', stream);
}

/// ", key: value" where the value is not the usual one.
static void put_unusual(FILE* stream, const char* key, float value, float usual)
{
    if (value != usual)
    {
        fprintf(stream, ", \"%s\": ", key);
        put_float(stream, value);
    }
}

static void put_bits(FILE* stream, const char* key, uint32_t value, uint32_t usual)
{
    if (value != usual)
    {
        fprintf(stream, ", \"%s\": %u", key, value);
    }
}

static void put_velocity(FILE* stream, const char* key, AbutVec3 v)
{
    if (v.x != 0.0f || v.y != 0.0f || v.z != 0.0f)
    {
        fputs(", ", stream);
        put_vec3(stream, key, v);
    }
}

static void put_named_double(FILE* stream, const char* key, double value)
{
    fprintf(stream, ", \"%s\": ", key);
    put_double(stream, value);
}

static void put_world(const Scene* scene, FILE* stream)
{
    fprintf(stream, "\"world\": { \"response\": \"%s\", \"substeps\": %u",
            abut_response_name(scene->response), scene->substeps);
    put_named_double(stream, "step", scene->step);
    put_named_double(stream, "seconds", scene->seconds);
    fputs(",\n               ", stream);
    put_vec3(stream, "gravity", scene->gravity);
    fputs(", \"margin\": ", stream);
    put_float(stream, scene->margin);
    fputs(", \"sleep_speed\": ", stream);
    put_float(stream, scene->sleep_speed);
    fputs(" },\n", stream);
}

static void put_camera(const Scene* scene, FILE* stream)
{
    fputs("\"camera\": { \"turn\": ", stream);
    put_double(stream, scene->camera_yaw);
    put_named_double(stream, "rise", scene->camera_pitch);
    if (scene->camera_distance > 0.0)
    {
        put_named_double(stream, "distance", scene->camera_distance);
        fputs(", ", stream);
        put_position(stream, "target", scene->camera_target);
    }
    fputs(" },\n", stream);
}

static void put_shape(const SceneShape* shape, FILE* stream)
{
    put_text(stream, shape->name);
    fputs(": { \"shape\": ", stream);
    put_text(stream, shape->text);
    if (shape->visual != NULL)
    {
        fputs(", \"look\": ", stream);
        put_text(stream, shape->visual);
    }
    if (shape->resolution > 0)
    {
        fprintf(stream, ", \"resolution\": %u", shape->resolution);
    }
    fputs(shape->sparse ? ", \"sparse\": true" : "", stream);
    fputs(shape->first_order ? ", \"order\": 1" : "", stream);
    fputs(shape->closes ? ", \"close\": true }" : " }", stream);
}

static void put_locked(FILE* stream, uint32_t locked)
{
    const char* separator = ", \"locked\": [";
    for (uint32_t i = 0; i < 6; ++i)
    {
        if ((locked >> i & 1u) != 0)
        {
            fprintf(stream, "%s\"%s %c\"", separator, i < 3 ? "move" : "turn", "xyz"[i % 3]);
            separator = ", ";
        }
    }
    fputs(locked != 0 ? "]" : "", stream);
}

static void put_pose(FILE* stream, const AbutPose* pose)
{
    const AbutQuat q = pose->rotation;
    fputs(", ", stream);
    put_position(stream, "position", pose->position);
    if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 1.0f)
    {
        const float values[4] = { q.x, q.y, q.z, q.w };
        fputs(", ", stream);
        put_floats(stream, "rotation", values, 4);
    }
    put_unusual(stream, "scale", pose->scale, 1.0f);
}

static void put_body(const Scene* scene, const SceneBody* body, FILE* stream)
{
    AbutBodyDef usual = abut_body_def();
    fputs("{ \"name\": ", stream);
    put_text(stream, body->name);
    fputs(", \"shape\": ", stream);
    put_text(stream, scene->shapes[body->shape].name);
    if (body->kind != usual.kind)
    {
        fprintf(stream, ", \"kind\": \"%s\"", abut_body_kind_name(body->kind));
    }
    put_pose(stream, &body->pose);
    put_velocity(stream, "velocity", body->linear_velocity);
    put_velocity(stream, "spin", body->angular_velocity);
    put_unusual(stream, "density", body->density, usual.density);
    put_unusual(stream, "mass", body->mass, 0.0f);
    put_unusual(stream, "friction", body->material.friction, usual.material.friction);
    put_unusual(stream, "restitution", body->material.restitution, usual.material.restitution);
    put_unusual(stream, "rolling", body->material.rolling_resistance, usual.material.rolling_resistance);
    put_unusual(stream, "stiffness", body->material.stiffness, usual.material.stiffness);
    put_unusual(stream, "damping", body->material.damping, usual.material.damping);
    put_bits(stream, "group", body->group, usual.group);
    put_bits(stream, "mask", body->mask, usual.mask);
    put_locked(stream, body->locked);
    if (body->color[0] >= 0.0f)
    {
        fputs(", ", stream);
        put_floats(stream, "color", body->color, 3);
    }
    fputs(body->never_sleeps ? ", \"never_sleeps\": true }" : " }", stream);
}

static void put_hashes(const Scene* scene, FILE* stream)
{
    fputs(",\n    \"hashes\": [", stream);
    for (uint32_t i = 0; i < scene->hash_count; ++i)
    {
        fprintf(stream, "%s\n        \"%016" PRIx64 "\"", i > 0 ? "," : "", scene->hashes[i]);
    }
    fputs("\n    ]", stream);
}

bool scene_write(const Scene* scene, FILE* stream)
{
    fputs("{\n    \"version\": 1,\n    \"title\": ", stream);
    put_text(stream, scene->title);
    fputs(",\n    ", stream);
    put_world(scene, stream);
    fputs("    ", stream);
    put_camera(scene, stream);
    fputs("    \"shapes\": {", stream);
    for (uint32_t i = 0; i < scene->shape_count; ++i)
    {
        fprintf(stream, "%s\n        ", i > 0 ? "," : "");
        put_shape(&scene->shapes[i], stream);
    }
    fputs("\n    },\n    \"bodies\": [", stream);
    for (uint32_t i = 0; i < scene->body_count; ++i)
    {
        fprintf(stream, "%s\n        ", i > 0 ? "," : "");
        put_body(scene, &scene->bodies[i], stream);
    }
    fputs("\n    ]", stream);
    if (scene->hashes != NULL)
    {
        put_hashes(scene, stream);
    }
    fputs("\n}\n", stream);
    return ferror(stream) == 0;
}
