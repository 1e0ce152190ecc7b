/// @file text_cursor.h
/// A place in a text that people typed, for parsers that say at which column they stopped understanding.
#ifndef ABUT_IO_TEXT_CURSOR_H
#define ABUT_IO_TEXT_CURSOR_H

#include <abut/base.h>
#include <abut/math.h>

typedef struct TextCursor
{
    const char* what;  // "SHAPE" or "pose", for messages
    const char* begin; // the whole text, ended by a zero byte at `end`
    const char* at;
    const char* end;
} TextCursor;

/// A cursor at the start of `text`, past its leading spaces.
TextCursor abut_text_cursor(const char* what, const char* text);

void abut_text_skip_spaces(TextCursor* cursor);

/// Steps over `c` and the spaces around it, when it is there.
bool abut_text_accept(TextCursor* cursor, char c);

/// Steps over a finite number and the spaces around it, when it is there.
bool abut_text_number(TextCursor* cursor, double* out);

/// Steps over "x,y,z[,qx,qy,qz,qw[,scale]]"; whatever follows the last number is left to the caller.
AbutResult abut_text_pose(TextCursor* cursor, AbutPose* out);

/// ABUT_INVALID_ARGUMENT with `SHAPE "box:1,x": at column 7: <message>`. Columns count bytes from 1.
AbutResult abut_text_fail_at(const TextCursor* cursor, const char* position, const char* format, ...)
    ABUT_PRINTF(3, 4);

/// Puts text and column before abut_last_error(), for failures of the core, and returns `result`.
AbutResult abut_text_wrap_failure(const TextCursor* cursor, const char* position, AbutResult result);

#endif
