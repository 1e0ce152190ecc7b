/// @file format_number.h
/// Floats as text, fast.
#ifndef ABUT_CLI_FORMAT_NUMBER_H
#define ABUT_CLI_FORMAT_NUMBER_H

#include <stddef.h>

enum
{
    FORMAT_FLOAT_SIZE = 24 ///< room that any float needs
};

/// Writes what printf's %.9g would (nine digits tell every float from its neighbours), without a zero byte,
/// several times faster. Returns the number of bytes.
size_t format_float(char* out, float value);

#endif
