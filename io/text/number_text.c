#include "models/fp_env.h"
#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    /// Digits that are kept of a number. A double needs at most 767 to be rounded right; one more stands for
    /// all that follow, so that a tie is told from a little more than a tie.
    DIGIT_LIMIT = 780,
    /// Exponents beyond this are infinite or zero for any number of digits that fits into memory times this.
    EXPONENT_LIMIT = 100000000,
    /// 10^22 is the largest power of ten that a double holds exactly.
    EXACT_POWER_LIMIT = 22,
    /// This many digits always fit below 2^53.
    EXACT_DIGIT_LIMIT = 15
};

/// A decimal number taken apart: digits · 10^exponent.
typedef struct Decimal
{
    bool negative;
    bool has_digits;
    char digits[DIGIT_LIMIT + 1]; // significant ones, no leading zeros
    int digit_count;
    int64_t exponent;
} Decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void decimal_add_digit(Decimal* decimal, char digit, bool after_point)
{
    decimal->has_digits = true;
    bool leading_zero = digit == '0' && decimal->digit_count == 0;
    if (!leading_zero && decimal->digit_count < DIGIT_LIMIT)
    {
        decimal->digits[decimal->digit_count++] = digit;
        decimal->exponent -= after_point;
        return;
    }
    if (!leading_zero)
    {
        if (digit != '0')
        {
            decimal->digits[DIGIT_LIMIT - 1] = '1'; // beyond all digits that matter: only "not zero" counts
        }
        decimal->exponent += !after_point;
        return;
    }
    decimal->exponent -= after_point;
}

/// Reads the mantissa; returns its end.
static const char* read_digits(const char* at, const char* end, Decimal* decimal)
{
    bool after_point = false;
    for (; at < end; ++at)
    {
        if (*at == '.' && !after_point)
        {
            after_point = true;
        }
        else if (is_digit(*at))
        {
            decimal_add_digit(decimal, *at, after_point);
        }
        else
        {
            break;
        }
    }
    return at;
}

/// Reads "e-12" when it is all there; otherwise returns `at`, and the number ends before the letter.
static const char* read_exponent(const char* at, const char* end, Decimal* decimal)
{
    const char* p = at;
    if (p == end || (*p != 'e' && *p != 'E'))
    {
        return at;
    }
    ++p;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
    {
        ++p;
    }
    if (p == end || !is_digit(*p))
    {
        return at;
    }
    int64_t exponent = 0;
    for (; p < end && is_digit(*p); ++p)
    {
        exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (*p - '0') : exponent;
    }
    decimal->exponent += negative ? -exponent : exponent;
    return p;
}

/// Few digits and a small power of ten: both are exact doubles, so one operation rounds once, as it should
/// (W. D. Clinger, "How to read floating point numbers accurately", 1990).
static bool decimal_to_double_exact(const Decimal* decimal, double* out)
{
    static const double powers[EXACT_POWER_LIMIT + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    if (decimal->digit_count > EXACT_DIGIT_LIMIT || decimal->exponent < -EXACT_POWER_LIMIT ||
        decimal->exponent > EXACT_POWER_LIMIT)
    {
        return false;
    }
    int64_t mantissa = 0;
    for (int i = 0; i < decimal->digit_count; ++i)
    {
        mantissa = mantissa * 10 + (decimal->digits[i] - '0');
    }
    double value = (double)mantissa;
    *out = decimal->exponent < 0 ? value / powers[-decimal->exponent] : value * powers[decimal->exponent];
    return true;
}

/// Everything else goes to strtod as "digits e exponent": without a decimal point, no locale can misread it.
static double decimal_to_double_slow(const Decimal* decimal)
{
    if (decimal->digit_count == 0)
    {
        return 0.0;
    }
    int64_t exponent = decimal->exponent;
    exponent = exponent > EXPONENT_LIMIT ? EXPONENT_LIMIT : exponent;
    exponent = exponent < -EXPONENT_LIMIT ? -EXPONENT_LIMIT : exponent;
    char text[DIGIT_LIMIT + 32];
    memcpy(text, decimal->digits, (size_t)decimal->digit_count);
    snprintf(text + decimal->digit_count, 32, "e%d", (int)exponent);
    return strtod(text, NULL);
}

const char* abut_number_parse(const char* text, const char* end, double* out)
{
    ABUT_FP_CALL(abut_number_parse, text, end, out);
    Decimal decimal;
    decimal.has_digits = false;
    decimal.digit_count = 0;
    decimal.exponent = 0;
    const char* at = text;
    decimal.negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
    {
        ++at;
    }
    at = read_digits(at, end, &decimal);
    if (!decimal.has_digits)
    {
        return NULL;
    }
    at = read_exponent(at, end, &decimal);
    double value;
    if (!decimal_to_double_exact(&decimal, &value))
    {
        value = decimal_to_double_slow(&decimal);
    }
    if (!isfinite(value))
    {
        return NULL;
    }
    *out = decimal.negative ? -value : value;
    return at;
}
