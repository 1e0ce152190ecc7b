/// @file float_text.h
/// Floats as decimal text, both ways, exact and without regard to the locale of the program.
#ifndef ABUT_IO_FLOAT_TEXT_H
#define ABUT_IO_FLOAT_TEXT_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum AbutIoFloatStatus
{
    ABUT_IO_FLOAT_OK,
    ABUT_IO_FLOAT_NO_NUMBER,  ///< the text does not start with a number
    ABUT_IO_FLOAT_NOT_FINITE, ///< "nan", "inf" or "infinity", in any case
    ABUT_IO_FLOAT_OVERFLOW,   ///< rounds to more than FLT_MAX
} AbutIoFloatStatus;

/// Reads [+-]digits[.digits][e[+-]digits] from [*at, end) and rounds to the nearest float, ties to even, for
/// any number of digits. Moves `*at` behind the number on success only. Time goes with the length of the
/// number, memory does not.
AbutIoFloatStatus abut_io_float_parse(const char** at, const char* end, float* out);

enum
{
    ABUT_IO_FLOAT_TEXT_SIZE = 24 ///< room for the longest text that abut_io_float_print() writes
};

/// Writes a finite float with as few digits as bring it back bit for bit (never more than 9), without a final
/// zero byte. Returns the length.
size_t abut_io_float_print(float value, char text[ABUT_IO_FLOAT_TEXT_SIZE]);

/// Rounds to the nearest float; false for NaN, infinities and what rounds to more than FLT_MAX.
static inline bool abut_io_float_from_double(double value, float* out)
{
    const double first_overflow = 0x1.ffffffp127; // the middle between FLT_MAX and the next power of two
    if (!(value > -first_overflow && value < first_overflow))
    {
        return false;
    }
    double most = (double)FLT_MAX; // values a little above it round to it
    *out = (float)(value > most ? most : value < -most ? -most : value);
    return true;
}

#endif
