/// @file json_location.h (internal to scenes)
/// Where in a text a JSON value stands. cJSON keeps no positions; but children keep their order, so the
/// numbers of the children on the way down find a value in the text again.
#ifndef ABUT_SCENES_SIMULATE_JSON_JSON_LOCATION_H
#define ABUT_SCENES_SIMULATE_JSON_JSON_LOCATION_H

#include <abut/base.h>

/// A value and how it was reached.
typedef struct JsonLocation
{
    const struct JsonLocation* parent; ///< NULL for the whole document
    uint32_t ordinal;                  ///< among the parent's children, from 0
    const char* key;                   ///< NULL for a member of a list
} JsonLocation;

/// The line, counted from 1, where the value stands (its key, when it has one). The text must be what cJSON
/// has accepted.
uint32_t json_location_line(const char* text, size_t size, const JsonLocation* location);

/// The lines of the children of a list or object, one after the other: asking for the place of each would
/// read the text from the start each time.
typedef struct JsonWalk
{
    const char* at;
    const char* end;
    uint32_t line;
} JsonWalk;

/// At the first child.
JsonWalk json_walk_begin(const char* text, size_t size, const JsonLocation* parent);

/// On to the next child.
void json_walk_next(JsonWalk* walk);

/// The line of a byte of the text.
uint32_t json_line_of(const char* text, size_t offset);

/// "bodies[3].shape"; "scene" for the whole document. Cut off where it does not fit.
void json_location_name(const JsonLocation* location, char* out, size_t size);

#endif
