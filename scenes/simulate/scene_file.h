/// @file scene_file.h
/// Scenes as JSON files; docs/scenes.md lists every key.
#ifndef ABUT_SCENES_SCENE_FILE_H
#define ABUT_SCENES_SCENE_FILE_H

#include "scenes/simulate/scene.h"

#include <stdio.h>

/// @param body_limit  more bodies than this are an error.
/// @return ABUT_NOT_FOUND, ABUT_IO_ERROR, ABUT_INVALID_DATA with file, line and key, ABUT_LIMIT_EXCEEDED,
/// ABUT_OUT_OF_MEMORY. The scene is to be destroyed only when this succeeds.
AbutResult scene_load(const char* path, uint32_t body_limit, Scene* out);

typedef struct SceneText
{
    const char* name; ///< stands for the file in messages
    const char* data;
    size_t size;
    const char* folder; ///< relative names of files in it are of this folder; NULL: as they are
    uint32_t body_limit;
} SceneText;

/// The same from memory.
AbutResult scene_parse(const SceneText* text, Scene* out);

/// The whole of a file, with a zero after it. @return as scene_load(). The caller frees *data.
AbutResult scene_read_text(const char* path, char** data, size_t* size);

/// Writes a scene such that reading it gives the same bytes in every member. @return false when the stream
/// has failed.
bool scene_write(const Scene* scene, FILE* stream);

#endif
