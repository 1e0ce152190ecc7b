#include "format_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum
{
    DIGITS = 9
};

/// 10^-4 to 10^8: the decades that %.9g writes without an exponent.
static const double decades[] = { 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };
static const double scales[] = { 1e12, 1e11, 1e10, 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1e0 };

enum
{
    DECADE_COUNT = (int)(sizeof(decades) / sizeof(decades[0])),
    DECADE_OF_ONE = 4
};

static void write_digits(uint32_t number, char digits[DIGITS])
{
    for (int i = DIGITS - 1; i >= 0; --i)
    {
        digits[i] = (char)('0' + number % 10);
        number /= 10;
    }
}

/// Nine digits with the decimal point after `exponent` + 1 of them, without zeros at the end.
static size_t write_fixed(char* out, const char digits[DIGITS], int exponent)
{
    int kept = DIGITS;
    while (kept > 1 && digits[kept - 1] == '0')
    {
        --kept;
    }
    char* at = out;
    if (exponent < 0)
    {
        *at++ = '0';
        *at++ = '.';
        for (int i = -1; i > exponent; --i)
        {
            *at++ = '0';
        }
        memcpy(at, digits, (size_t)kept);
        return (size_t)(at - out) + (size_t)kept;
    }
    int whole = exponent + 1;
    memcpy(at, digits, (size_t)whole);
    at += whole;
    if (kept > whole)
    {
        *at++ = '.';
        memcpy(at, digits + whole, (size_t)(kept - whole));
        at += kept - whole;
    }
    return (size_t)(at - out);
}

size_t format_float(char* out, float value)
{
    double size = fabs((double)value);
    if (!(size >= decades[0] && size < 999999999.0))
    {
        return (size_t)snprintf(out, FORMAT_FLOAT_SIZE, "%.9g", (double)value);
    }
    int decade = 0;
    while (decade + 1 < DECADE_COUNT && size >= decades[decade + 1])
    {
        ++decade;
    }
    // A float has 24 bits and 5^12 has 28: the product is exact, and rounding it is all the rounding there
    // is.
    double scaled = nearbyint(size * scales[decade]);
    if (scaled >= 1e9)
    {
        scaled = 1e8;
        ++decade;
    }
    char digits[DIGITS];
    write_digits((uint32_t)scaled, digits);
    bool negative = value < 0.0f;
    out[0] = '-';
    return write_fixed(out + negative, digits, decade - DECADE_OF_ONE) + negative;
}
