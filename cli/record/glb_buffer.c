#include "glb_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The header counts bytes in 32 bits; some are left for the JSON.
#define MOST_BYTES 0xF0000000u

static void put_word(uint8_t* out, uint32_t word)
{
    out[0] = (uint8_t)word;
    out[1] = (uint8_t)(word >> 8);
    out[2] = (uint8_t)(word >> 16);
    out[3] = (uint8_t)(word >> 24);
}

static bool reserve(GlbBuffer* buffer, size_t more)
{
    if (buffer->failed || more > MOST_BYTES - buffer->size)
    {
        buffer->failed = true;
        return false;
    }
    if (buffer->size + more > buffer->capacity)
    {
        size_t capacity = 2 * buffer->capacity + more + 65536;
        uint8_t* larger = realloc(buffer->bytes, capacity);
        buffer->failed = larger == NULL;
        buffer->bytes = larger != NULL ? larger : buffer->bytes;
        buffer->capacity = larger != NULL ? capacity : buffer->capacity;
    }
    return !buffer->failed;
}

/// Little endian, whatever the machine is.
static void append_words(GlbBuffer* buffer, const void* data, size_t count)
{
    if (reserve(buffer, 4 * count))
    {
        for (size_t i = 0; i < count; ++i)
        {
            uint32_t word;
            memcpy(&word, (const uint8_t*)data + 4 * i, sizeof(word));
            put_word(buffer->bytes + buffer->size + 4 * i, word);
        }
        buffer->size += 4 * count;
    }
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
    cJSON_AddNumberToObject(view, "byteOffset", (double)buffer->size);
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

static void write_chunk(FILE* stream, const char* type, const void* data, size_t size, char padding)
{
    uint8_t head[8];
    size_t padded = (size + 3) / 4 * 4;
    put_word(head, (uint32_t)padded);
    memcpy(head + 4, type, 4);
    fwrite(head, 1, sizeof(head), stream);
    if (size > 0)
    {
        fwrite(data, 1, size, stream);
    }
    for (size_t i = size; i < padded; ++i)
    {
        putc(padding, stream);
    }
}

void glb_write(const GlbBuffer* buffer, const char* json, FILE* stream)
{
    size_t json_size = (strlen(json) + 3) / 4 * 4;
    size_t binary_size = buffer->size > 0 ? 8 + buffer->size : 0;
    uint8_t head[12];
    memcpy(head, "glTF", 4);
    put_word(head + 4, 2);
    put_word(head + 8, (uint32_t)(sizeof(head) + 8 + json_size + binary_size));
    fwrite(head, 1, sizeof(head), stream);
    write_chunk(stream, "JSON", json, strlen(json), ' ');
    if (buffer->size > 0)
    {
        write_chunk(stream, "BIN\0", buffer->bytes, buffer->size, '\0');
    }
}

void glb_buffer_free(GlbBuffer* buffer)
{
    free(buffer->bytes);
    memset(buffer, 0, sizeof(*buffer));
}
