/// @file json_read.h (internal to scenes)
/// JSON values into C members by tables of keys, with errors that name the file, the line and the key.
#ifndef ABUT_SCENES_JSON_READ_H
#define ABUT_SCENES_JSON_READ_H

#include "scenes/simulate/json/json_location.h"

#include <cjson/cJSON.h>

typedef struct JsonReader
{
    const char* name; ///< of the file, in messages
    const char* text;
    size_t size;
    void* user; ///< for the functions of custom keys
} JsonReader;

struct JsonKey;

/// Reads `item` into `target`, the object that the key is a member of.
typedef AbutResult JsonReadFn(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                              void* target);

typedef enum JsonKind
{
    JSON_TEXT,   ///< char*, owned by the target; not empty
    JSON_FLAG,   ///< bool
    JSON_COUNT,  ///< uint32_t in [low, high]
    JSON_DOUBLE, ///< double in [low, high]
    JSON_FLOAT,  ///< float in [low, high]
    JSON_VEC3,   ///< AbutVec3 of three numbers in [low, high]
    JSON_CUSTOM,
} JsonKind;

typedef struct JsonKey
{
    const char* name;
    JsonKind kind;
    size_t offset; ///< of the member
    double low, high;
    JsonReadFn* read; ///< of custom keys
} JsonKey;

/// Reads an object by its keys (ended by one without a name) into `target`. Unknown keys, keys that are given
/// twice, values of another kind or out of range are ABUT_INVALID_DATA. *seen has a bit per key that is
/// there; it may be NULL.
AbutResult json_read_object(JsonReader* reader, const JsonLocation* location, const cJSON* object,
                            const JsonKey* keys, void* target, uint32_t* seen);

/// Exactly `count` numbers in [low, high].
AbutResult json_read_numbers(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                             uint32_t count, double low, double high, double* out);

/// A copy of a text that is not empty; what was in *out is freed.
AbutResult json_read_text(JsonReader* reader, const JsonLocation* location, const cJSON* item, char** out);

/// One of the words (ended by NULL); its number.
AbutResult json_read_choice(JsonReader* reader, const JsonLocation* location, const cJSON* item,
                            const char* const* words, uint32_t* out);

/// "FILE:LINE: bodies[3].shape: ..."
AbutResult json_fail(const JsonReader* reader, const JsonLocation* location, AbutResult result,
                     const char* format, ...) ABUT_PRINTF(4, 5);

/// "a number", "a list", ...: what a value is.
const char* json_kind_name(const cJSON* item);

#endif
