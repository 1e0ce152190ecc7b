// The keys of scene files. Each object has a table; what a table cannot say has a function.
#include "scenes/simulate/scene_parse.h"
#include "scenes/simulate/json/json_text.h"
#include "scenes/simulate/scene_file.h"
#include "scenes/simulate/shape_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHAPE_LIMIT = 4096,
    MOST_FILE_BYTES = 64 << 20
};

AbutResult parse_check_scene(const JsonReader* reader, const JsonLocation* location)
{
    const Scene* scene = parse_context(reader)->scene;
    if (scene->out_of_memory)
    {
        return json_fail(reader, location, ABUT_OUT_OF_MEMORY, "no memory");
    }
    if (scene->too_many)
    {
        return json_fail(reader, location, ABUT_LIMIT_EXCEEDED, "more than %u bodies", scene->body_limit);
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// World and camera
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_response(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                void* target)
{
    const char* words[ABUT_RESPONSE_COUNT + 1] = { NULL };
    for (int i = 0; i < ABUT_RESPONSE_COUNT; ++i)
    {
        words[i] = abut_response_name((AbutResponse)i);
    }
    uint32_t choice = 0;
    AbutResult result = json_read_choice(reader, location, item, words, &choice);
    ((Scene*)target)->response = result == ABUT_OK ? (AbutResponse)choice : ABUT_RESPONSE_IMPULSE;
    return result;
}

static const JsonKey world_keys[] = {
    { "gravity", JSON_VEC3, offsetof(Scene, gravity), ANY, NULL },
    { "step", JSON_DOUBLE, offsetof(Scene, step), 1e-9, 1e3, NULL },
    { "seconds", JSON_DOUBLE, offsetof(Scene, seconds), 1e-9, 1e9, NULL },
    { "substeps", JSON_COUNT, offsetof(Scene, substeps), 1, 64, NULL },
    { "response", JSON_CUSTOM, 0, 0, 0, read_response },
    { "margin", JSON_FLOAT, offsetof(Scene, margin), NOT_NEGATIVE, NULL },
    { "sleep_speed", JSON_FLOAT, offsetof(Scene, sleep_speed), NOT_NEGATIVE, NULL },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

static AbutResult read_world(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             void* target)
{
    return json_read_object(reader, location, item, world_keys, target, NULL);
}

static AbutResult read_target(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    double numbers[3];
    AbutResult result = json_read_numbers(reader, location, item, 3, ANY, numbers);
    if (result == ABUT_OK)
    {
        ((Scene*)target)->camera_target = (AbutPosition){ numbers[0], numbers[1], numbers[2] };
    }
    return result;
}

static const JsonKey camera_keys[] = {
    { "target", JSON_CUSTOM, 0, 0, 0, read_target },
    { "distance", JSON_DOUBLE, offsetof(Scene, camera_distance), POSITIVE, NULL },
    { "turn", JSON_DOUBLE, offsetof(Scene, camera_yaw), -360.0, 360.0, NULL },
    { "rise", JSON_DOUBLE, offsetof(Scene, camera_pitch), -90.0, 90.0, NULL },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

static AbutResult read_camera(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    return json_read_object(reader, location, item, camera_keys, target, NULL);
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_order(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             void* target)
{
    double order = 0.0;
    if (cJSON_IsNumber(item))
    {
        order = item->valuedouble;
    }
    if (!cJSON_IsNumber(item) || (order != 0.0 && order != 1.0))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected 0 or 1: the order of the field");
    }
    ((SceneShape*)target)->first_order = order == 1.0;
    return ABUT_OK;
}

static const JsonKey shape_keys[] = {
    { "shape", JSON_TEXT, offsetof(SceneShape, text), 0, 0, NULL },
    { "look", JSON_TEXT, offsetof(SceneShape, visual), 0, 0, NULL },
    { "resolution", JSON_COUNT, offsetof(SceneShape, resolution), 1, 8192, NULL },
    { "sparse", JSON_FLAG, offsetof(SceneShape, sparse), 0, 0, NULL },
    { "order", JSON_CUSTOM, 0, 0, 0, read_order },
    { "close", JSON_FLAG, offsetof(SceneShape, closes), 0, 0, NULL },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

static AbutResult read_shape_members(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                                     SceneShape* shape)
{
    if (cJSON_IsString(item))
    {
        return json_read_text(reader, location, item, &shape->text);
    }
    uint32_t seen = 0;
    AbutResult result = json_read_object(reader, location, item, shape_keys, shape, &seen);
    if (result == ABUT_OK && (seen & 1u) == 0)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "the key shape is missing, the SHAPE itself");
    }
    return result;
}

static AbutResult read_shape(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             uint32_t line)
{
    ParseContext* context = parse_context(reader);
    if (location->key[0] == '\0' || scene_find_shape(context->scene, location->key) != SCENE_NO_SHAPE)
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "%s",
                         location->key[0] == '\0' ? "a shape without a name" : "is given twice");
    }
    SceneShape shape = { 0 };
    AbutResult result = read_shape_members(reader, location, item, &shape);
    char* text = result == ABUT_OK ? scene_shape_path(context->folder, shape.text) : NULL;
    char* visual =
        text != NULL && shape.visual != NULL ? scene_shape_path(context->folder, shape.visual) : NULL;
    if (result == ABUT_OK && (text == NULL || (shape.visual != NULL && visual == NULL)))
    {
        result = json_fail(reader, location, ABUT_OUT_OF_MEMORY, "no memory");
    }
    if (result == ABUT_OK)
    {
        uint32_t index = scene_add_shape(context->scene, location->key, text, shape.resolution);
        if (visual != NULL)
        {
            scene_set_visual(context->scene, index, visual);
        }
        result = parse_check_scene(reader, location);
        if (result == ABUT_OK)
        {
            SceneShape* added = &context->scene->shapes[index];
            added->sparse = shape.sparse;
            added->first_order = shape.first_order;
            added->closes = shape.closes;
            added->line = line;
        }
    }
    free(text);
    free(visual);
    free(shape.text);
    free(shape.visual);
    return result;
}

static AbutResult read_shapes(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    (void)target;
    if (!cJSON_IsObject(item))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA,
                         "expected an object of names and shapes, not %s", json_kind_name(item));
    }
    AbutResult result = ABUT_OK;
    uint32_t ordinal = 0;
    JsonWalk walk = json_walk_begin(reader->text, reader->size, location);
    for (const cJSON* child = item->child; result == ABUT_OK && child != NULL; child = child->next)
    {
        JsonLocation here = { location, ordinal++, child->string };
        result = ordinal > SHAPE_LIMIT
                     ? json_fail(reader, &here, ABUT_LIMIT_EXCEEDED, "more than %d shapes", SHAPE_LIMIT)
                     : read_shape(reader, &here, child, walk.line);
        json_walk_next(&walk);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// The whole
// -----------------------------------------------------------------------------------------------------------

/// Says where scenes/scene.schema.json is, for editors; it is never opened.
static AbutResult read_schema(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    (void)target;
    char* schema = NULL;
    AbutResult result = json_read_text(reader, location, item, &schema);
    free(schema);
    return result;
}

static AbutResult read_version(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                               void* target)
{
    (void)target;
    return cJSON_IsNumber(item) && item->valuedouble == 1.0
               ? ABUT_OK
               : json_fail(reader, location, ABUT_INVALID_DATA, "only version 1 is known");
}

/// Sixteen hexadecimal digits.
static bool parse_hash(const cJSON* item, uint64_t* out)
{
    const char* text = cJSON_IsString(item) ? item->valuestring : "";
    if (strspn(text, "0123456789abcdef") != 16 || text[16] != '\0')
    {
        return false;
    }
    *out = strtoull(text, NULL, 16);
    return true;
}

static AbutResult read_hashes(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target)
{
    Scene* scene = target;
    if (!cJSON_IsArray(item))
    {
        return json_fail(reader, location, ABUT_INVALID_DATA, "expected a list of hashes, not %s",
                         json_kind_name(item));
    }
    scene->hashes = malloc(((size_t)cJSON_GetArraySize(item) + 1) * sizeof(uint64_t));
    if (scene->hashes == NULL)
    {
        return json_fail(reader, location, ABUT_OUT_OF_MEMORY, "no memory");
    }
    for (const cJSON* child = item->child; child != NULL; child = child->next)
    {
        if (!parse_hash(child, &scene->hashes[scene->hash_count]))
        {
            JsonLocation here = { location, scene->hash_count, NULL };
            return json_fail(reader, &here, ABUT_INVALID_DATA, "expected 16 hexadecimal digits in quotes");
        }
        scene->hash_count += 1;
    }
    return ABUT_OK;
}

static const JsonKey scene_keys[] = {
    { "version", JSON_CUSTOM, 0, 0, 0, read_version },
    { "title", JSON_TEXT, offsetof(Scene, title), 0, 0, NULL },
    { "world", JSON_CUSTOM, 0, 0, 0, read_world },
    { "camera", JSON_CUSTOM, 0, 0, 0, read_camera },
    { "shapes", JSON_CUSTOM, 0, 0, 0, read_shapes },
    { "bodies", JSON_CUSTOM, 0, 0, 0, parse_bodies },
    { "hashes", JSON_CUSTOM, 0, 0, 0, read_hashes },
    { "$schema", JSON_CUSTOM, 0, 0, 0, read_schema },
    { NULL, JSON_FLAG, 0, 0, 0, NULL },
};

const SceneKeyTable* scene_key_tables(void)
{
    static const SceneKeyTable tables[] = {
        { "", scene_keys },      { "world", world_keys },     { "camera", camera_keys },
        { "shape", shape_keys }, { "body", parse_body_keys }, { "repeat", parse_repeat_keys },
        { NULL, NULL },
    };
    return tables;
}

static AbutResult fail_syntax(const SceneText* text, const char* at)
{
    size_t offset =
        at != NULL && at >= text->data && at <= text->data + text->size ? (size_t)(at - text->data) : 0;
    return abut_fail(ABUT_INVALID_DATA, "%s:%u: at column %zu: this is not JSON", text->name,
                     json_line_of(text->data, offset), json_column_of(text->data, offset));
}

static AbutResult read_scene(const SceneText* text, const cJSON* document, Scene* scene)
{
    ParseContext context = { scene, text->folder };
    JsonReader reader = { text->name, text->data, text->size, &context };
    JsonLocation location = { NULL, 0, NULL };
    return json_read_object(&reader, &location, document, scene_keys, scene, NULL);
}

AbutResult scene_parse(const SceneText* text, Scene* out)
{
    const char* end = NULL;
    cJSON* document = cJSON_ParseWithLengthOpts(text->data, text->size, &end, 0);
    if (document == NULL)
    {
        return fail_syntax(text, end);
    }
    while (end < text->data + text->size && (unsigned char)*end <= ' ')
    {
        ++end;
    }
    AbutResult result = end < text->data + text->size ? fail_syntax(text, end)
                                                      : json_check_texts(text->name, text->data, text->size);
    if (result != ABUT_OK)
    {
        cJSON_Delete(document);
        return result;
    }
    scene_init(out, text->name);
    out->file = strdup(text->name);
    out->out_of_memory = out->out_of_memory || out->file == NULL;
    out->body_limit = text->body_limit;
    result = scene_check(out);
    result = result == ABUT_OK ? read_scene(text, document, out) : result;
    cJSON_Delete(document);
    if (result != ABUT_OK)
    {
        scene_destroy(out);
    }
    return result;
}

static AbutResult fail_file(const char* path)
{
    return abut_fail(errno == ENOENT ? ABUT_NOT_FOUND : ABUT_IO_ERROR, "%s: cannot be read: %s", path,
                     strerror(errno));
}

static AbutResult read_stream(const char* path, FILE* stream, char** data, size_t* size)
{
    size_t capacity = 0, used = 0;
    char* text = NULL;
    while (true)
    {
        if (used + 1 >= capacity)
        {
            capacity = 2 * capacity + 65536;
            char* larger = capacity <= 2 * (size_t)MOST_FILE_BYTES ? realloc(text, capacity) : NULL;
            if (larger == NULL)
            {
                free(text);
                return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: a scene of more than %d bytes", path,
                                 MOST_FILE_BYTES);
            }
            text = larger;
        }
        size_t got = fread(text + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0)
        {
            break;
        }
    }
    if (ferror(stream) != 0)
    {
        free(text);
        return fail_file(path);
    }
    text[used] = '\0';
    *data = text;
    *size = used;
    return ABUT_OK;
}

AbutResult scene_read_text(const char* path, char** data, size_t* size)
{
    FILE* stream = fopen(path, "rb");
    if (stream == NULL)
    {
        return fail_file(path);
    }
    AbutResult result = read_stream(path, stream, data, size);
    fclose(stream);
    return result;
}

AbutResult scene_load(const char* path, uint32_t body_limit, Scene* out)
{
    char* data = NULL;
    size_t size = 0;
    AbutResult result = scene_read_text(path, &data, &size);
    if (result != ABUT_OK)
    {
        return result;
    }
    char* folder = scene_folder_of(path);
    SceneText text = { path, data, size, folder, body_limit };
    result = folder != NULL ? scene_parse(&text, out)
                            : abut_fail(ABUT_OUT_OF_MEMORY, "%s: no memory for its name", path);
    free(folder);
    free(data);
    return result;
}
