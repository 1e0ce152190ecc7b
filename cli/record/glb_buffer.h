/// @file glb_buffer.h
/// The binary part of a .glb file: arrays one after the other, each with the accessor that describes it. They
/// wait on disk, because the text before them counts their bytes.
#ifndef ABUT_CLI_GLB_BUFFER_H
#define ABUT_CLI_GLB_BUFFER_H

#include "spool.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct GlbBuffer
{
    Spool bytes;     ///< whole words
    int array_count; ///< cJSON would count its lists by walking them
    bool failed;     ///< after a message: the disk is full, or it is larger than the format allows
} GlbBuffer;

typedef enum GlbType
{
    GLB_FLOAT = 5126, ///< as glTF numbers them
    GLB_UINT = 5125
} GlbType;

typedef struct GlbArray
{
    GlbType type;
    int width; ///< numbers of an item: 1, 3 or 4
    const void* data;
    uint32_t count;    ///< items
    int target;        ///< what the data are for; 0: neither vertices nor indices
    bool with_min_max; ///< the accessor tells its range, as positions and times must
} GlbArray;

/// For the file `path`. @return false after a message; to be freed then, too.
bool glb_buffer_create(GlbBuffer* buffer, const char* path);

/// Appends the array with its view and accessor. Returns the number of the accessor.
int glb_add_array(GlbBuffer* buffer, cJSON* views, cJSON* accessors, const GlbArray* array);

/// Writes the header and both chunks. @return false after a message, when the arrays cannot be read back.
bool glb_write(const GlbBuffer* buffer, const char* json, FILE* stream);

void glb_buffer_free(GlbBuffer* buffer);

#endif
