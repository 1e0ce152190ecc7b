#include "glb_buffer.h"

#include "message.h"

#include <math.h>
#include <string.h>

/// The header counts bytes in 32 bits; some are left for the JSON.
#define MOST_BYTES 0xF0000000u

bool glb_buffer_create(GlbBuffer* buffer, const char* path)
{
    *buffer = (GlbBuffer){ .array_count = 0 };
    return spool_open(&buffer->bytes, path);
}

static void put_word(uint8_t* out, uint32_t word)
{
    out[0] = (uint8_t)word;
    out[1] = (uint8_t)(word >> 8);
    out[2] = (uint8_t)(word >> 16);
    out[3] = (uint8_t)(word >> 24);
}

/// Little endian, whatever the machine is.
static bool add_words(Spool* spool, const uint8_t* data, size_t count)
{
    uint8_t bytes[4 * 1024];
    for (size_t first = 0; first < count; first += sizeof(bytes) / 4)
    {
        size_t words = count - first < sizeof(bytes) / 4 ? count - first : sizeof(bytes) / 4;
        for (size_t i = 0; i < words; ++i)
        {
            uint32_t word;
            memcpy(&word, data + 4 * (first + i), sizeof(word));
            put_word(bytes + 4 * i, word);
        }
        if (!spool_add(spool, bytes, 4 * words))
        {
            return false;
        }
    }
    return true;
}

static void append_words(GlbBuffer* buffer, const void* data, size_t count)
{
    if (!buffer->failed && 4 * count > MOST_BYTES - buffer->bytes.size)
    {
        message_error("%s: the file would have more than 4 GB; take fewer --fps", buffer->bytes.path);
        buffer->failed = true;
    }
    buffer->failed = buffer->failed || !add_words(&buffer->bytes, data, count);
}

/// The range of each component, as floats.
static void add_min_max(cJSON* accessor, const GlbArray* array)
{
    const float* values = array->data;
    double low[4], high[4];
    for (int k = 0; k < array->width; ++k)
    {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (uint32_t i = 0; i < array->count; ++i)
        {
            double value = (double)values[(size_t)i * (size_t)array->width + (size_t)k];
            low[k] = fmin(low[k], value);
            high[k] = fmax(high[k], value);
        }
    }
    cJSON_AddItemToObject(accessor, "min", cJSON_CreateDoubleArray(low, array->width));
    cJSON_AddItemToObject(accessor, "max", cJSON_CreateDoubleArray(high, array->width));
}

static const char* type_name(int width)
{
    return width == 4 ? "VEC4" : width == 3 ? "VEC3" : "SCALAR";
}

int glb_add_array(GlbBuffer* buffer, cJSON* views, cJSON* accessors, const GlbArray* array)
{
    size_t words = (size_t)array->count * (size_t)array->width;
    int number = buffer->array_count++;
    cJSON* view = cJSON_CreateObject();
    cJSON_AddNumberToObject(view, "buffer", 0);
    cJSON_AddNumberToObject(view, "byteOffset", (double)buffer->bytes.size);
    cJSON_AddNumberToObject(view, "byteLength", (double)(4 * words));
    if (array->target != 0)
    {
        cJSON_AddNumberToObject(view, "target", array->target);
    }
    cJSON_AddItemToArray(views, view);
    cJSON* accessor = cJSON_CreateObject();
    cJSON_AddNumberToObject(accessor, "bufferView", number);
    cJSON_AddNumberToObject(accessor, "componentType", array->type);
    cJSON_AddNumberToObject(accessor, "count", array->count);
    cJSON_AddStringToObject(accessor, "type", type_name(array->width));
    if (array->with_min_max)
    {
        add_min_max(accessor, array);
    }
    cJSON_AddItemToArray(accessors, accessor);
    append_words(buffer, array->data, words);
    return number;
}

static void write_chunk_head(FILE* stream, const char* type, size_t size)
{
    uint8_t head[8];
    put_word(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    fwrite(head, 1, sizeof(head), stream);
}

static bool copy_bytes(const Spool* spool, FILE* stream)
{
    uint8_t bytes[1 << 14];
    for (uint64_t done = 0; done < spool->size;)
    {
        size_t size = spool->size - done < sizeof(bytes) ? (size_t)(spool->size - done) : sizeof(bytes);
        if (!spool_read(spool, done, bytes, size))
        {
            return false;
        }
        fwrite(bytes, 1, size, stream);
        done += size;
    }
    return true;
}

bool glb_write(const GlbBuffer* buffer, const char* json, FILE* stream)
{
    size_t length = strlen(json), json_size = (length + 3) / 4 * 4, size = (size_t)buffer->bytes.size;
    uint8_t head[12];
    memcpy(head, "glTF", 4);
    put_word(head + 4, 2);
    put_word(head + 8, (uint32_t)(sizeof(head) + 8 + json_size + (size > 0 ? 8 + size : 0)));
    fwrite(head, 1, sizeof(head), stream);
    write_chunk_head(stream, "JSON", json_size);
    fwrite(json, 1, length, stream);
    for (size_t i = length; i < json_size; ++i)
    {
        putc(' ', stream);
    }
    if (size > 0)
    {
        write_chunk_head(stream, "BIN\0", size);
    }
    return copy_bytes(&buffer->bytes, stream);
}

void glb_buffer_free(GlbBuffer* buffer)
{
    spool_close(&buffer->bytes);
    memset(buffer, 0, sizeof(*buffer));
}
