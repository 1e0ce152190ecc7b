/// @file point_hull_output.h
/// A point hull as a file of balls, as a picture and as a report.
#ifndef ABUT_CLI_POINT_HULL_OUTPUT_H
#define ABUT_CLI_POINT_HULL_OUTPUT_H

#include "json.h"
#include "message.h"

#include <abut/points.h>

/// Endings of files: those of the block, of meshes, of tables.
#define POINT_HULL_ENDINGS ".points .obj .ply .stl .csv"

/// True for a name with the ending of the block.
bool point_hull_is_block(const char* path);

/// Writes the hull as the ending of the name says. @return false after a message.
bool point_hull_write(const AbutPointHull* hull, const char* path);

/// Draws the balls, small ones warm, large ones cold. @return false after a message.
bool point_hull_draw(const AbutPointHull* hull, const char* title, const char* path, uint32_t width,
                     uint32_t height);

/// Count, error, radii and memory of the hull, as lines of text and as members of a document.
void point_hull_print(const AbutPointHull* hull);
void point_hull_add_json(cJSON* document, const AbutPointHull* hull);

#endif
