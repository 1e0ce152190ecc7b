/// @file shape_path.h (internal to scenes)
/// Names of files in SHAPE texts of scenes.
#ifndef ABUT_SCENES_SHAPE_PATH_H
#define ABUT_SCENES_SHAPE_PATH_H

/// A copy of the SHAPE text. When it names a file of the folder (NULL: of the current one), with its absolute
/// name, so that the scene means the same wherever it is written to. NULL without memory.
char* scene_shape_path(const char* folder, const char* text);

/// The folder of a file: "scenes" of "scenes/pile.json", "." of "pile.json". NULL without memory; the caller
/// frees it.
char* scene_folder_of(const char* path);

#endif
