/// @file scene_parse.h (internal to scenes)
/// The parts of the reader of scene files.
#ifndef ABUT_SCENES_SCENE_PARSE_H
#define ABUT_SCENES_SCENE_PARSE_H

#include "scenes/simulate/json/json_read.h"
#include "scenes/simulate/scene.h"

/// Ranges of numbers.
#define ANY -1e12, 1e12
#define POSITIVE 1e-12, 1e12
#define NOT_NEGATIVE 0.0, 1e12

/// What the functions of keys work on: JsonReader.user.
typedef struct ParseContext
{
    Scene* scene;
    const char* folder;
} ParseContext;

static inline ParseContext* parse_context(const JsonReader* reader)
{
    return reader->user;
}

/// scene_check() with the place.
AbutResult parse_check_scene(const JsonReader* reader, const JsonLocation* location);

/// The value of the key "bodies".
JsonReadFn parse_bodies;

/// The keys of a body, and of its member "repeat".
extern const JsonKey parse_body_keys[], parse_repeat_keys[];

/// The keys of an object of scene files. scenes/scene.schema.json tells them to editors, and a test compares
/// the two.
typedef struct SceneKeyTable
{
    const char* name; ///< "world", ...; "" for the whole document
    const JsonKey* keys;
} SceneKeyTable;

/// All of them, ended by one without a name.
const SceneKeyTable* scene_key_tables(void);

#endif
