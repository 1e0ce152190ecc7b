/// @file json_text.h (internal to scenes)
/// What the texts of a JSON document may hold: UTF-8 without control
/// characters, so that titles and names can be shown anywhere.
#ifndef ABUT_SCENES_JSON_TEXT_H
#define ABUT_SCENES_JSON_TEXT_H

#include <abut/base.h>

/// Bytes that are not UTF-8; zero bytes and other control characters, as they are or as escapes (\u001b, \n)
/// in a text. cJSON takes all of these, and ends a text at \u0000. The document must be what cJSON has
/// accepted.
/// @return ABUT_OK, or ABUT_INVALID_DATA with `name`, line and column.
AbutResult json_check_texts(const char* name, const char* data, size_t size);

/// The column of a byte in its line, counted in bytes from 1.
size_t json_column_of(const char* data, size_t offset);

#endif
