// OUT.glb: glTF 2.0 in one file. Surfaces are meshes that bodies share, each body is a node, and its poses
// are an animation of translation and rotation with linear samplers. Nothing in it is an extension, so every
// viewer plays it.
#include "glb_buffer.h"
#include "mesh_shading.h"
#include "message.h"
#include "output.h"
#include "recording_write.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TARGET_VERTICES = 34962, // ARRAY_BUFFER
    TARGET_INDICES = 34963,  // ELEMENT_ARRAY_BUFFER
    NAME_LIMIT = 256,
    BLOCK_BYTES = 1 << 24 // of motions in memory
};

/// Motions of some bodies: positions and rotations over all frames, body by body.
typedef struct MotionBlock
{
    uint32_t first, count, capacity; // bodies
    float* positions;
    float* rotations;
    RecordedPose* poses; // of a frame
} MotionBlock;

typedef struct GlbWriter
{
    const Recording* recording;
    GlbBuffer buffer;
    cJSON *document, *accessors, *views, *meshes, *materials, *nodes, *roots, *channels, *samplers;
    int* mesh_accessors; ///< three of each surface: positions, normals, indices
    MotionBlock block;
    int times;                     ///< accessor of the frames' times
    int sampler_count, mesh_count; ///< cJSON would count its lists by walking them
} GlbWriter;

// -----------------------------------------------------------------------------------------------------------
// Surfaces
// -----------------------------------------------------------------------------------------------------------

static int add_array(GlbWriter* writer, const GlbArray* array)
{
    return glb_add_array(&writer->buffer, writer->views, writer->accessors, array);
}

static bool add_surface(GlbWriter* writer, uint32_t index)
{
    ShadedMesh shaded;
    if (!shaded_mesh_create(&writer->recording->meshes[index], &shaded))
    {
        return false;
    }
    int* to = &writer->mesh_accessors[3 * (size_t)index];
    to[0] = to[1] = to[2] = -1;
    if (shaded.triangle_count > 0)
    {
        to[0] = add_array(writer, &(GlbArray){ GLB_FLOAT, 3, &shaded.positions[0].x, shaded.vertex_count,
                                               TARGET_VERTICES, true });
        to[1] = add_array(writer, &(GlbArray){ GLB_FLOAT, 3, &shaded.normals[0].x, shaded.vertex_count,
                                               TARGET_VERTICES, false });
        to[2] = add_array(writer, &(GlbArray){ GLB_UINT, 1, shaded.indices, 3 * shaded.triangle_count,
                                               TARGET_INDICES, false });
    }
    shaded_mesh_destroy(&shaded);
    return true;
}

/// glTF colours are linear.
static double linear(float value)
{
    double c = (double)value;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/// One for each mesh, with the same number.
static void add_material(GlbWriter* writer, const RecordedBody* body)
{
    cJSON* material = cJSON_CreateObject();
    cJSON* metallic = cJSON_AddObjectToObject(material, "pbrMetallicRoughness");
    const double color[4] = { linear(body->color[0]), linear(body->color[1]), linear(body->color[2]), 1.0 };
    cJSON_AddItemToObject(metallic, "baseColorFactor", cJSON_CreateDoubleArray(color, 4));
    cJSON_AddNumberToObject(metallic, "metallicFactor", 0.0);
    cJSON_AddNumberToObject(metallic, "roughnessFactor", 0.7);
    cJSON_AddItemToArray(writer->materials, material);
}

/// A mesh of glTF has its colour in it: bodies with the same surface and colour share one. -1 for a surface
/// without triangles.
static int add_mesh(GlbWriter* writer, const RecordedBody* body)
{
    const int* accessors = &writer->mesh_accessors[3 * (size_t)body->mesh];
    if (accessors[0] < 0)
    {
        return -1;
    }
    cJSON* mesh = cJSON_CreateObject();
    cJSON* primitive = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(mesh, "primitives"), primitive);
    cJSON* attributes = cJSON_AddObjectToObject(primitive, "attributes");
    cJSON_AddNumberToObject(attributes, "POSITION", accessors[0]);
    cJSON_AddNumberToObject(attributes, "NORMAL", accessors[1]);
    cJSON_AddNumberToObject(primitive, "indices", accessors[2]);
    cJSON_AddNumberToObject(primitive, "material", writer->mesh_count);
    add_material(writer, body);
    cJSON_AddItemToArray(writer->meshes, mesh);
    return writer->mesh_count++;
}

static bool same_look(const RecordedBody* a, const RecordedBody* b)
{
    return a->mesh == b->mesh && memcmp(a->color, b->color, sizeof(a->color)) == 0;
}

/// The mesh of each body; a body with a look that came before takes the same. Bodies of one look mostly
/// follow in a short cycle, so looking back over some is enough to share, and keeps the search short for many
/// bodies.
static void add_meshes(GlbWriter* writer, int* mesh_of_body)
{
    enum
    {
        LOOK_BACK = 512
    };
    const Recording* recording = writer->recording;
    for (uint32_t i = 0; i < recording->body_count; ++i)
    {
        uint32_t from = i > LOOK_BACK ? i - LOOK_BACK : 0, j = from;
        while (j < i && !same_look(&recording->bodies[j], &recording->bodies[i]))
        {
            ++j;
        }
        mesh_of_body[i] = j < i ? mesh_of_body[j] : add_mesh(writer, &recording->bodies[i]);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

static void add_channel(GlbWriter* writer, int node, const char* path, int output)
{
    cJSON* sampler = cJSON_CreateObject();
    cJSON_AddNumberToObject(sampler, "input", writer->times);
    cJSON_AddNumberToObject(sampler, "output", output);
    cJSON_AddStringToObject(sampler, "interpolation", "LINEAR");
    cJSON_AddItemToArray(writer->samplers, sampler);
    cJSON* channel = cJSON_CreateObject();
    cJSON_AddNumberToObject(channel, "sampler", writer->sampler_count++);
    cJSON* target = cJSON_AddObjectToObject(channel, "target");
    cJSON_AddNumberToObject(target, "node", node);
    cJSON_AddStringToObject(target, "path", path);
    cJSON_AddItemToArray(writer->channels, channel);
}

static void put_position(const Recording* recording, const RecordedPose* pose, float out[3])
{
    out[0] = (float)(pose->position.x - recording->origin.x);
    out[1] = (float)(pose->position.y - recording->origin.y);
    out[2] = (float)(pose->position.z - recording->origin.z);
}

/// q and −q are the same rotation, but what is between two of them is not: the one nearer to the last is
/// taken.
static void put_rotation(AbutQuat q, const float* last, float out[4])
{
    float dot = last != NULL ? last[0] * q.x + last[1] * q.y + last[2] * q.z + last[3] * q.w : 1.0f;
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    float sign = (dot < 0.0f ? -1.0f : 1.0f) / (length > 0.0f ? length : 1.0f);
    out[0] = sign * q.x;
    out[1] = sign * q.y;
    out[2] = sign * q.z;
    out[3] = sign * q.w;
}

/// Recordings are by frame and motions by body: as many bodies as fit into a block take one walk over all
/// frames.
static bool create_block(GlbWriter* writer)
{
    const Recording* recording = writer->recording;
    MotionBlock* block = &writer->block;
    size_t frames = recording->frame_count, bodies = BLOCK_BYTES / (7 * sizeof(float) * (frames + 1)) + 1;
    block->capacity = bodies < recording->body_count ? (uint32_t)bodies : recording->body_count;
    block->positions = malloc(block->capacity * frames * 3 * sizeof(float) + 1);
    block->rotations = malloc(block->capacity * frames * 4 * sizeof(float) + 1);
    block->poses = malloc(block->capacity * sizeof(RecordedPose) + 1);
    return block->positions != NULL && block->rotations != NULL && block->poses != NULL;
}

static void free_block(MotionBlock* block)
{
    free(block->positions);
    free(block->rotations);
    free(block->poses);
}

static bool read_block(GlbWriter* writer, uint32_t first)
{
    const Recording* recording = writer->recording;
    MotionBlock* block = &writer->block;
    size_t frames = recording->frame_count;
    block->first = first;
    block->count = recording->body_count - first;
    block->count = block->count < block->capacity ? block->count : block->capacity;
    for (uint32_t frame = 0; frame < frames; ++frame)
    {
        if (!recording_read_poses(recording, frame, first, block->count, block->poses))
        {
            return false;
        }
        for (uint32_t i = 0; i < block->count; ++i)
        {
            float* rotation = &block->rotations[4 * (i * frames + frame)];
            put_position(recording, &block->poses[i], &block->positions[3 * (i * frames + frame)]);
            put_rotation(block->poses[i].rotation, frame > 0 ? rotation - 4 : NULL, rotation);
        }
    }
    return true;
}

/// Whether `count` items of some bytes are not all the same.
static bool varies(const float* items, size_t width, uint32_t count)
{
    uint32_t i = 1;
    while (i < count && memcmp(items + i * width, items, width * sizeof(float)) == 0)
    {
        ++i;
    }
    return i < count;
}

static void add_motion(GlbWriter* writer, const float* positions, const float* rotations, int node)
{
    uint32_t count = writer->recording->frame_count;
    if (varies(positions, 3, count) || varies(rotations, 4, count))
    {
        add_channel(writer, node, "translation",
                    add_array(writer, &(GlbArray){ GLB_FLOAT, 3, positions, count, 0, false }));
        add_channel(writer, node, "rotation",
                    add_array(writer, &(GlbArray){ GLB_FLOAT, 4, rotations, count, 0, false }));
    }
}

static void add_numbers(cJSON* object, const char* key, const float* values, int count)
{
    double numbers[4];
    for (int i = 0; i < count; ++i)
    {
        numbers[i] = (double)values[i];
    }
    cJSON_AddItemToObject(object, key, cJSON_CreateDoubleArray(numbers, count));
}

static bool add_body(GlbWriter* writer, uint32_t index, int mesh)
{
    const Recording* recording = writer->recording;
    const RecordedBody* body = &recording->bodies[index];
    MotionBlock* block = &writer->block;
    if (index == block->first + block->count && !read_block(writer, index))
    {
        return false;
    }
    cJSON* node = cJSON_CreateObject();
    char name[NAME_LIMIT];
    snprintf(name, sizeof(name), "%s", body->name);
    cJSON_AddStringToObject(node, "name", name);
    if (mesh >= 0)
    {
        cJSON_AddNumberToObject(node, "mesh", mesh);
    }
    size_t item = (size_t)(index - block->first) * recording->frame_count;
    const float *positions = &block->positions[3 * item], *rotations = &block->rotations[4 * item];
    add_numbers(node, "translation", positions, 3);
    add_numbers(node, "rotation", rotations, 4);
    const float scale[3] = { body->scale, body->scale, body->scale };
    add_numbers(node, "scale", scale, 3);
    cJSON_AddItemToArray(writer->nodes, node);
    cJSON_AddItemToArray(writer->roots, cJSON_CreateNumber(index));
    if (recording->frame_count > 1)
    {
        add_motion(writer, positions, rotations, (int)index);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// The document
// -----------------------------------------------------------------------------------------------------------

static bool add_times(GlbWriter* writer)
{
    const Recording* recording = writer->recording;
    float* times = malloc(recording->frame_count * sizeof(float) + 1);
    if (times == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < recording->frame_count; ++i)
    {
        times[i] = (float)recording->frames[i].time;
    }
    writer->times = add_array(writer, &(GlbArray){ GLB_FLOAT, 1, times, recording->frame_count, 0, true });
    free(times);
    return true;
}

static void begin_document(GlbWriter* writer)
{
    const Recording* recording = writer->recording;
    writer->document = cJSON_CreateObject();
    cJSON* asset = cJSON_AddObjectToObject(writer->document, "asset");
    cJSON_AddStringToObject(asset, "version", "2.0");
    cJSON_AddStringToObject(asset, "generator", "abut");
    cJSON_AddNumberToObject(writer->document, "scene", 0);
    cJSON* scene = cJSON_CreateObject();
    cJSON_AddStringToObject(scene, "name", recording->title);
    writer->roots = cJSON_AddArrayToObject(scene, "nodes");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(writer->document, "scenes"), scene);
    writer->nodes = cJSON_AddArrayToObject(writer->document, "nodes");
    writer->meshes = cJSON_CreateArray();
    writer->materials = cJSON_CreateArray();
    writer->accessors = cJSON_CreateArray();
    writer->views = cJSON_CreateArray();
    writer->channels = cJSON_CreateArray();
    writer->samplers = cJSON_CreateArray();
}

/// Lists that are empty may not be there.
static void add_list(cJSON* object, const char* name, cJSON* list)
{
    if (list != NULL && list->child != NULL)
    {
        cJSON_AddItemToObject(object, name, list);
    }
    else
    {
        cJSON_Delete(list);
    }
}

static void end_document(GlbWriter* writer)
{
    cJSON* document = writer->document;
    add_list(document, "meshes", writer->meshes);
    add_list(document, "materials", writer->materials);
    add_list(document, "accessors", writer->accessors);
    add_list(document, "bufferViews", writer->views);
    bool moves = writer->channels != NULL && writer->channels->child != NULL;
    cJSON* animation = cJSON_CreateObject();
    cJSON_AddStringToObject(animation, "name", "simulation");
    add_list(animation, "channels", writer->channels);
    add_list(animation, "samplers", writer->samplers);
    cJSON* animations = cJSON_CreateArray();
    if (moves)
    {
        cJSON_AddItemToArray(animations, animation);
    }
    else
    {
        cJSON_Delete(animation);
    }
    add_list(document, "animations", animations);
    if (writer->buffer.bytes.size > 0)
    {
        cJSON* buffer = cJSON_CreateObject();
        cJSON_AddNumberToObject(buffer, "byteLength", (double)writer->buffer.bytes.size);
        cJSON_AddItemToArray(cJSON_AddArrayToObject(document, "buffers"), buffer);
    }
}

static bool fill_document(GlbWriter* writer)
{
    const Recording* recording = writer->recording;
    int* mesh_of_body = malloc(recording->body_count * sizeof(int) + 1);
    writer->mesh_accessors = malloc(3 * (size_t)recording->mesh_count * sizeof(int) + 1);
    bool good = mesh_of_body != NULL && writer->mesh_accessors != NULL && create_block(writer);
    begin_document(writer);
    for (uint32_t i = 0; good && i < recording->mesh_count; ++i)
    {
        good = add_surface(writer, i);
    }
    good = good && (recording->frame_count < 2 || add_times(writer));
    if (good)
    {
        add_meshes(writer, mesh_of_body);
    }
    for (uint32_t i = 0; good && i < recording->body_count; ++i)
    {
        good = add_body(writer, i, mesh_of_body[i]);
    }
    end_document(writer);
    free(mesh_of_body);
    free(writer->mesh_accessors);
    free_block(&writer->block);
    return good && !writer->buffer.failed;
}

bool write_glb(const Recording* recording, const char* path)
{
    GlbWriter writer = { .recording = recording };
    if (!glb_buffer_create(&writer.buffer, path))
    {
        glb_buffer_free(&writer.buffer);
        return false;
    }
    bool good = fill_document(&writer);
    char* text = good ? cJSON_PrintUnformatted(writer.document) : NULL;
    cJSON_Delete(writer.document);
    good = text != NULL;
    if (!good)
    {
        message_error("%s: cannot be written: too large, no memory, or its frames are lost", path);
    }
    else
    {
        abut_text_sanitize(text); // glTF is UTF-8
    }
    OutputFile file;
    good = good && output_file_open(&file, path);
    if (good && !glb_write(&writer.buffer, text, file.stream))
    {
        output_file_abandon(&file);
        good = false;
    }
    good = good && output_file_commit(&file);
    cJSON_free(text);
    glb_buffer_free(&writer.buffer);
    return good;
}
