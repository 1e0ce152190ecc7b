// The list of bodies of a scene file.
#include "scenes/simulate/scene_parse.h"

#include <abut/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHAPES_PER_BODY = 256,
    MOST_BYTES_QUOTED = 24
};

/// A body of the file, which may stand for many.
typedef struct ParsedBody
{
    SceneBody body;
    char* name;
    uint32_t shapes[SHAPES_PER_BODY];
    uint32_t shape_count;
    SceneStack stack;
    bool repeats;
} ParsedBody;

static AbutResult add_body_shape(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                 ParsedBody* body)
{
    const Scene* scene = parse_context(reader)->scene;
    if (!cJSON_IsString(item))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected the name of a shape, not %s",
                         json_kind_name(item));
    }
    int64_t shape = scene_find_shape(scene, item->valuestring);
    if (shape == SCENE_NO_SHAPE)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA,
                         "no shape has the name \"%.64s\"; shapes stand before bodies", item->valuestring);
    }
    if (body->shape_count == SHAPES_PER_BODY)
    {
        return json_fail(reader, location, ABUT_LIMIT_EXCEEDED, "more than %d shapes", SHAPES_PER_BODY);
    }
    body->shapes[body->shape_count++] = (uint32_t)shape;
    return ABUT_OK;
}

static AbutResult read_body_shape(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                  void* target)
{
    if (!cJSON_IsArray(item))
    {
        return add_body_shape(reader, location, item, target);
    }
    AbutResult result = ABUT_OK;
    uint32_t ordinal = 0;
    for (const cJSON* child = item->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal++, NULL };
        result = add_body_shape(reader, &here, child, target);
    }
    return result;
}

static AbutResult read_kind(JsonReader* reader, const JsonLocation* location, const cJSON* item, void* target)
{
    const char* words[ABUT_BODY_KIND_COUNT + 1] = { NULL };
    for (int i = 0; i < ABUT_BODY_KIND_COUNT; ++i)
    {
        words[i] = abut_body_kind_name((AbutBodyKind)i);
    }
    uint32_t choice = ABUT_BODY_DYNAMIC;
    AbutResult result = json_read_choice(reader, location, item, words, &choice);
    ((ParsedBody*)target)->body.kind = (AbutBodyKind)choice;
    return result;
}

static AbutResult read_position(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                void* target)
{
    double numbers[3];
    AbutResult result = json_read_numbers(reader, location, item, 3, ANY, numbers);
    if (result == ABUT_OK)
    {
        ((ParsedBody*)target)->body.pose.position = (AbutPosition){ numbers[0], numbers[1], numbers[2] };
    }
    return result;
}

static AbutResult read_rotation(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                void* target)
{
    double q[4];
    AbutResult result = json_read_numbers(reader, location, item, 4, -2.0, 2.0, q);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutQuat read = { (float)q[0], (float)q[1], (float)q[2], (float)q[3] };
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= 1e-2))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA,
                         "a quaternion x, y, z, w of length %g; it must be 1", length);
    }
    // What a program wrote is of unit length as it is, and is kept bit for bit.
    ((ParsedBody*)target)->body.pose.rotation = fabs(length - 1.0) <= 1e-6 ? read : abut_quat_normalize(read);
    return ABUT_OK;
}

static AbutResult read_axis_angle(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                  void* target)
{
    double n[4];
    AbutResult result = json_read_numbers(reader, location, item, 4, -1e6, 1e6, n);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutVec3 axis = abut_vec3((float)n[0], (float)n[1], (float)n[2]);
    if (!(abut_vec3_length(axis) > 0.0f))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "the axis of the turn has no length");
    }
    AbutQuat* rotation = &((ParsedBody*)target)->body.pose.rotation;
    *rotation = abut_quat_from_axis_angle(axis, (float)(n[3] * 3.14159265358979323846 / 180.0));
    return ABUT_OK;
}

static AbutResult read_color(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             void* target)
{
    float* color = ((ParsedBody*)target)->body.color;
    if (cJSON_IsString(item))
    {
        const char* text = item->valuestring;
        if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        {
            return json_fail(reader, location, ABUT_INVALID_DATA,
                             "\"%.*s\" is no colour; write \"#rrggbb\" or [r, g, b] from 0 to 1",
                             MOST_BYTES_QUOTED, text);
        }
        unsigned long value = strtoul(text + 1, NULL, 16);
        for (int i = 0; i < 3; ++i)
        {
            color[i] = (float)(value >> (8 * (2 - i)) & 0xFF) / 255.0f;
        }
        return ABUT_OK;
    }
    double numbers[3];
    AbutResult result = json_read_numbers(reader, location, item, 3, 0.0, 1.0, numbers);
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        color[i] = (float)numbers[i];
    }
    return result;
}

static AbutResult read_locked(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    static const char* const words[] = { "move x", "move y", "move z", "turn x", "turn y", "turn z", NULL };
    if (!cJSON_IsArray(item))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected a list such as [\"move y\"], not %s",
                         json_kind_name(item));
    }
    AbutResult result = ABUT_OK;
    uint32_t ordinal = 0;
    for (const cJSON* child = item->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal++, NULL };
        uint32_t choice = 0;
        result = json_read_choice(reader, &here, child, words, &choice);
        ((ParsedBody*)target)->body.locked |= 1u << choice;
    }
    return result;
}

static AbutResult read_columns(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                               void* target)
{
    double numbers[2];
    AbutResult result = json_read_numbers(reader, location, item, 2, 1.0, 65535.0, numbers);
    if (result == ABUT_OK && (numbers[0] != floor(numbers[0]) || numbers[1] != floor(numbers[1])))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected whole numbers");
    }
    for (int i = 0; i < 2 && result == ABUT_OK; ++i)
    {
        ((SceneStack*)target)->columns[i] = (uint32_t)numbers[i];
    }
    return result;
}

static AbutResult read_spacing(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                               void* target)
{
    return json_read_numbers(reader, location, item, 3, NOT_NEGATIVE, ((SceneStack*)target)->spacing);
}

static AbutResult read_seed(JsonReader* reader, const JsonLocation* location, const cJSON* item, void* target)
{
    double seed = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
    if (!(seed >= 0.0 && seed <= (double)UINT32_MAX && seed == floor(seed)))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected a whole number in [0, 4294967295]");
    }
    ((SceneStack*)target)->seed = (uint64_t)seed;
    return ABUT_OK;
}

const JsonKey parse_repeat_keys[] = {
    { "count", JSON_COUNT, offsetof(SceneStack, count), 1, 4294967295.0, NULL },
    { "spacing", JSON_CUSTOM, 0, 0, 0, read_spacing },
    { "columns", JSON_CUSTOM, 0, 0, 0, read_columns },
    { "jitter", JSON_DOUBLE, offsetof(SceneStack, jitter), 0.0, 1.0, NULL },
    { "turned", JSON_FLAG, offsetof(SceneStack, random_rotation), 0, 0, NULL },
    { "seed", JSON_CUSTOM, 0, 0, 0, read_seed },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

static AbutResult read_repeat(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    ParsedBody* body = target;
    uint32_t seen = 0;
    AbutResult result = json_read_object(reader, location, item, parse_repeat_keys, &body->stack, &seen);
    if (result == ABUT_OK && (seen & 3u) != 3u)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "the key %s is missing",
                         (seen & 1u) == 0 ? "count" : "spacing");
    }
    body->repeats = result == ABUT_OK;
    return result;
}

#define BODY(member) offsetof(ParsedBody, body.member)

const JsonKey parse_body_keys[] = {
    { "shape", JSON_CUSTOM, 0, 0, 0, read_body_shape },
    { "name", JSON_TEXT, offsetof(ParsedBody, name), 0, 0, NULL },
    { "kind", JSON_CUSTOM, 0, 0, 0, read_kind },
    { "position", JSON_CUSTOM, 0, 0, 0, read_position },
    { "rotation", JSON_CUSTOM, 0, 0, 0, read_rotation },
    { "turn", JSON_CUSTOM, 0, 0, 0, read_axis_angle },
    { "scale", JSON_FLOAT, BODY(pose.scale), POSITIVE, NULL },
    { "velocity", JSON_VEC3, BODY(linear_velocity), ANY, NULL },
    { "spin", JSON_VEC3, BODY(angular_velocity), ANY, NULL },
    { "density", JSON_FLOAT, BODY(density), POSITIVE, NULL },
    { "mass", JSON_FLOAT, BODY(mass), POSITIVE, NULL },
    { "friction", JSON_FLOAT, BODY(material.friction), NOT_NEGATIVE, NULL },
    { "restitution", JSON_FLOAT, BODY(material.restitution), 0.0, 1.0, NULL },
    { "rolling", JSON_FLOAT, BODY(material.rolling_resistance), NOT_NEGATIVE, NULL },
    { "stiffness", JSON_FLOAT, BODY(material.stiffness), NOT_NEGATIVE, NULL },
    { "damping", JSON_FLOAT, BODY(material.damping), NOT_NEGATIVE, NULL },
    { "group", JSON_COUNT, BODY(group), 0, 4294967295.0, NULL },
    { "mask", JSON_COUNT, BODY(mask), 0, 4294967295.0, NULL },
    { "locked", JSON_CUSTOM, 0, 0, 0, read_locked },
    { "color", JSON_CUSTOM, 0, 0, 0, read_color },
    { "never_sleeps", JSON_FLAG, BODY(never_sleeps), 0, 0, NULL },
    { "repeat", JSON_CUSTOM, 0, 0, 0, read_repeat },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

static void add_one(Scene* scene, const ParsedBody* parsed)
{
    SceneBody* body = scene_add_body(scene, parsed->name, parsed->shapes[0]);
    char* name = body->name;
    *body = parsed->body;
    body->name = name;
    body->shape = parsed->shapes[0];
}

static AbutResult add_parsed(const JsonReader* reader, const JsonLocation* location, ParsedBody* parsed)
{
    Scene* scene = parse_context(reader)->scene;
    if (parsed->shape_count == 0)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA,
                         "the key shape is missing, the name of a shape");
    }
    if (!parsed->repeats && parsed->shape_count > 1)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA,
                         "several shapes are for bodies with the key repeat");
    }
    if (parsed->repeats)
    {
        parsed->stack.shapes = parsed->shapes;
        parsed->stack.shape_count = parsed->shape_count;
        parsed->stack.base = parsed->body.pose.position;
        parsed->stack.like = &parsed->body;
        scene_add_stack(scene, &parsed->stack);
    }
    else
    {
        add_one(scene, parsed);
    }
    return parse_check_scene(reader, location);
}

static AbutResult read_body(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                            uint32_t line)
{
    AbutBodyDef def = abut_body_def();
    ParsedBody parsed = {
        .body = { .kind = def.kind,
                  .pose = def.pose,
                  .density = def.density,
                  .material = def.material,
                  .group = def.group,
                  .mask = def.mask,
                  .color = { -1.0f, 0.0f, 0.0f },
                  .line = line },
        .stack = { .columns = { 1, 1 } },
    };
    AbutResult result = json_read_object(reader, location, item, parse_body_keys, &parsed, NULL);
    result = result == ABUT_OK ? add_parsed(reader, location, &parsed) : result;
    free(parsed.name);
    return result;
}

AbutResult parse_bodies(JsonReader* reader, const JsonLocation* location, const cJSON* item, void* target)
{
    (void)target;
    if (!cJSON_IsArray(item))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected a list of bodies, not %s",
                         json_kind_name(item));
    }
    AbutResult result = ABUT_OK;
    uint32_t ordinal = 0;
    JsonWalk walk = json_walk_begin(reader->text, reader->size, location);
    for (const cJSON* child = item->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal++, NULL };
        result = read_body(reader, &here, child, walk.line);
        json_walk_next(&walk);
    }
    return result;
}
