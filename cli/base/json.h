/// @file json.h
/// JSON answers: small additions to cJSON. A document is UTF-8 without control characters, whatever the names
/// in it hold. What is not finite becomes null: an infinite side of a box has no number.
#ifndef ABUT_CLI_JSON_H
#define ABUT_CLI_JSON_H

#include "message.h"

#include <abut/math.h>
#include <cjson/cJSON.h>

/// A float with the digits that tell it from its neighbours, not those of its double (0.1, not
/// 0.10000000149011612).
void json_add_float(cJSON* object, const char* name, float value);

void json_add_vec3(cJSON* object, const char* name, AbutVec3 value);

void json_add_doubles(cJSON* object, const char* name, const double* values, int count);

/// { "min": [x, y, z], "max": [x, y, z] }
void json_add_box(cJSON* object, const char* name, AbutBox box);

/// { "volume", "center", "inertia" }
void json_add_mass(cJSON* object, const char* name, const AbutMassData* mass);

/// Prints an item of a list on a line of its own, after a comma unless it is the first, and deletes it:
/// documents of any length need no memory. @return false after a message, without memory.
bool json_print_item(cJSON* item, bool first);

/// Prints the document on a line of stdout and deletes it. NULL, or a document that lost a part for want of
/// memory, is an error with a message.
ExitCode json_print(cJSON* document);

#endif
