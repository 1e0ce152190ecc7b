/// @file point_text.h
/// Points as lines of text.
#ifndef ABUT_CLI_POINT_TEXT_H
#define ABUT_CLI_POINT_TEXT_H

#include <abut/math.h>

typedef enum PointLine
{
    POINT_LINE_POINT,
    POINT_LINE_EMPTY, ///< blank, or a comment alone
    POINT_LINE_BAD,
} PointLine;

/// Reads a line "x y z", with blanks or commas between, and a comment after '#'. `end` is where its newline
/// stands. When it is bad, *reason says why.
PointLine point_line_parse(const char* line, const char* end, AbutPosition* point, const char** reason);

#endif
