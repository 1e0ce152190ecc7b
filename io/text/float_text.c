// Reading: the digits go into a 64-bit integer w and a power of ten, and w · 10^e is computed in double. Each
// of its roundings (w to double, the power of ten, the product, digits beyond the 19th) is off by at most
// 2^-53 of the value, together at most 4 units in the last place. So the float nearest to the double is the
// float nearest to the text unless the double lies within a few units of the middle between two floats.
// There, in the subnormal range and above FLT_MAX, strtof() decides on a copy of the digits that has no
// decimal point, so the locale cannot matter.
//
// Writing: 9 digits from a product in double, then the shortest prefix that reads back as the same float.
#include "io/text/float_text.h"

#include "io/mesh/bytes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POWER_MAX = 65,    // 10^19 · 10^-65 is below half of the smallest subnormal
    MIDDLE_MARGIN = 8, // units in the last place of a double; twice the error above
    EXACT_DIGITS = 128 // the middle between two floats has at most 113 significant digits
};

static const double powers_of_ten[POWER_MAX + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33,
    1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50,
    1e51, 1e52, 1e53, 1e54, 1e55, 1e56, 1e57, 1e58, 1e59, 1e60, 1e61, 1e62, 1e63, 1e64, 1e65,
};

/// The value is digits · 10^exponent, plus what the digits beyond the 19th add.
typedef struct Decimal
{
    uint64_t digits;
    int64_t exponent;
    const char* text; // first digit or point
    const char* text_end;
} Decimal;

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/// Any number of digits; those beyond the 19th only count.
static void sum_long_mantissa(Decimal* decimal)
{
    const uint64_t full = 1000000000000000000u; // one more digit still fits
    bool fraction = false;
    decimal->digits = 0;
    decimal->exponent = 0;
    for (const char* p = decimal->text; p < decimal->text_end; ++p)
    {
        if (*p == '.')
        {
            fraction = true;
            continue;
        }
        bool fits = decimal->digits < full;
        decimal->digits = fits ? decimal->digits * 10 + (uint64_t)(*p - '0') : decimal->digits;
        decimal->exponent += (fits ? 0 : 1) - (fraction ? 1 : 0);
    }
}

/// The value of eight digits, first one in the lowest byte, in three multiplications; false when one is no
/// digit.
static bool sum_eight_digits(const char* text, uint64_t* value)
{
    uint64_t bytes = abut_io_u64(text, false);
    const uint64_t high = 0xF0F0F0F0F0F0F0F0u;
    bool all_digits = ((bytes & high) | (((bytes + 0x0606060606060606u) & high) >> 4)) == 0x3333333333333333u;
    bytes = (bytes & 0x0F0F0F0F0F0F0F0Fu) * (10 * 256 + 1) >> 8;               // pairs of digits in 16 bits
    bytes = (bytes & 0x00FF00FF00FF00FFu) * (100 * 65536 + 1) >> 16;           // fours in 32 bits
    *value = (bytes & 0x0000FFFF0000FFFFu) * (10000 * 0x100000000u + 1) >> 32; // all eight
    return all_digits;
}

static bool scan_mantissa(const char** at, const char* end, Decimal* decimal)
{
    const char* p = *at;
    const char* point = NULL;
    uint64_t digits = 0; // wraps beyond 19 digits, and is summed again below
    while (p < end && is_digit(*p))
    {
        digits = digits * 10 + (uint8_t)(*p++ - '0');
    }
    if (p < end && *p == '.')
    {
        point = p++;
        uint64_t eight;
        if (end - p >= 8 && sum_eight_digits(p, &eight))
        {
            digits = digits * 100000000u + eight;
            p += 8;
        }
        while (p < end && is_digit(*p))
        {
            digits = digits * 10 + (uint8_t)(*p++ - '0');
        }
    }
    decimal->text = *at;
    decimal->text_end = p;
    decimal->digits = digits;
    decimal->exponent = point != NULL ? point + 1 - p : 0;
    ptrdiff_t digit_count = p - *at - (point != NULL ? 1 : 0);
    if (digit_count > 19)
    {
        sum_long_mantissa(decimal);
    }
    *at = p;
    return digit_count > 0;
}

/// An 'e' that no digits follow is not part of the number.
static void scan_exponent(const char** at, const char* end, Decimal* decimal)
{
    const char* p = *at;
    if (p == end || (*p != 'e' && *p != 'E'))
    {
        return;
    }
    ++p;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
    {
        ++p;
    }
    if (p == end || !is_digit(*p))
    {
        return;
    }
    const int64_t enough = INT64_MAX / 1000; // no file is long enough for its digits to make up for that
    int64_t exponent = 0;
    for (; p < end && is_digit(*p); ++p)
    {
        if (exponent < enough)
        {
            exponent = exponent * 10 + (*p - '0');
        }
    }
    decimal->exponent += negative ? -exponent : exponent;
    *at = p;
}

/// Copies up to EXACT_DIGITS digits as an integer with an exponent; a nonzero rest becomes one more digit 1,
/// which keeps the value on its side of every middle.
static float round_exactly(const Decimal* decimal)
{
    char copy[EXACT_DIGITS + 32];
    size_t count = 0;
    bool rest = false;
    int64_t dropped = 0;
    size_t scanned = 0;
    for (const char* p = decimal->text; p < decimal->text_end; ++p)
    {
        if (*p == '.' || (count == 0 && *p == '0'))
        {
            continue;
        }
        ++scanned;
        if (count < EXACT_DIGITS)
        {
            copy[count++] = *p;
        }
        else
        {
            rest = rest || *p != '0';
            ++dropped;
        }
    }
    // decimal->exponent belongs to the first 19 digits; the copy may have more of them.
    int64_t kept = (int64_t)(scanned < 19 ? scanned : 19);
    int64_t exponent = decimal->exponent - ((int64_t)scanned - kept) + dropped;
    if (rest)
    {
        copy[count++] = '1';
        exponent -= 1;
    }
    snprintf(copy + count, sizeof(copy) - count, "e%lld", (long long)exponent);
    return strtof(copy, NULL);
}

/// True when the float nearest to `value` could change by an error of MIDDLE_MARGIN units in the last place.
static bool is_near_middle(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint64_t low = bits & 0x1FFFFFFFu; // what a float drops
    return low - (0x10000000u - MIDDLE_MARGIN) <= 2 * MIDDLE_MARGIN;
}

/// The float nearest to digits · 10^exponent, by way of double; false where that way cannot tell.
static bool round_fast(uint64_t digits, int64_t exponent, float* out)
{
    if (exponent < -POWER_MAX || exponent > FLT_MAX_10_EXP)
    {
        return false;
    }
    double value = (double)digits;
    if (exponent < 0)
    {
        value /= powers_of_ten[-exponent];
    }
    else
    {
        value *= powers_of_ten[exponent];
    }
    *out = value <= (double)FLT_MAX ? (float)value : HUGE_VALF;
    return value >= (double)FLT_MIN && value <= (double)FLT_MAX && !is_near_middle(value);
}

static float decimal_to_float(const Decimal* decimal)
{
    float value;
    if (round_fast(decimal->digits, decimal->exponent, &value))
    {
        return value;
    }
    if (decimal->digits == 0 || decimal->exponent < -POWER_MAX)
    {
        return 0.0f;
    }
    return decimal->exponent > FLT_MAX_10_EXP ? HUGE_VALF : round_exactly(decimal);
}

static bool starts_with_word(const char* at, const char* end, const char* word)
{
    size_t length = strlen(word);
    if ((size_t)(end - at) < length)
    {
        return false;
    }
    for (size_t i = 0; i < length; ++i)
    {
        if ((at[i] | 0x20) != word[i])
        {
            return false;
        }
    }
    return true;
}

AbutIoFloatStatus abut_io_float_parse(const char** at, const char* end, float* out)
{
    const char* p = *at;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
    {
        ++p;
    }
    Decimal decimal;
    if (!scan_mantissa(&p, end, &decimal))
    {
        bool named = starts_with_word(p, end, "nan") || starts_with_word(p, end, "inf");
        return named ? ABUT_IO_FLOAT_NOT_FINITE : ABUT_IO_FLOAT_NO_NUMBER;
    }
    scan_exponent(&p, end, &decimal);
    float value = decimal_to_float(&decimal);
    if (value > FLT_MAX)
    {
        return ABUT_IO_FLOAT_OVERFLOW;
    }
    *out = negative ? -value : value;
    *at = p;
    return ABUT_IO_FLOAT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Writing
// -----------------------------------------------------------------------------------------------------------

/// digits · 10^exponent
typedef struct Digits
{
    uint64_t digits;
    int exponent;
} Digits;

static double scaled_by(double value, int power)
{
    return power < 0 ? value / powers_of_ten[-power] : value * powers_of_ten[power];
}

/// Nine digits of a positive float, the last of them perhaps one off.
static Digits nine_digits(float value)
{
    int binary;
    frexp((double)value, &binary);
    int decimal = (int)floor((binary - 1) * 0.30102999566398120); // the number's power of ten, or one less
    double scaled = scaled_by((double)value, 8 - decimal);
    if (scaled >= 1e9)
    {
        decimal += 1;
        scaled = scaled_by((double)value, 8 - decimal);
    }
    Digits result = { (uint64_t)(scaled + 0.5), decimal - 8 };
    return result;
}

/// The first `count` of nine digits, rounded.
static Digits shortened(Digits nine, int count)
{
    uint64_t unit = (uint64_t)powers_of_ten[9 - count];
    Digits result = { (nine.digits + unit / 2) / unit, nine.exponent + 9 - count };
    return result;
}

static size_t print_exponential(Digits digits, char* text)
{
    char plain[24];
    int count = snprintf(plain, sizeof(plain), "%llu", (unsigned long long)digits.digits);
    size_t length = 0;
    text[length++] = plain[0];
    if (count > 1)
    {
        text[length++] = '.';
        memcpy(text + length, plain + 1, (size_t)count - 1);
        length += (size_t)count - 1;
    }
    int written = snprintf(text + length, 8, "e%d", digits.exponent + count - 1);
    return length + (size_t)written;
}

/// Without an exponent, for numbers from 1e-5 up to 9 digits before the point.
static size_t print_plain(Digits digits, char* text)
{
    char reversed[24];
    size_t count = 0;
    uint64_t rest = digits.digits;
    for (int i = digits.exponent; i > 0; --i)
    {
        reversed[count++] = '0';
    }
    int fraction = digits.exponent < 0 ? -digits.exponent : 0;
    for (int i = 0; rest > 0 || i <= fraction; ++i)
    {
        if (i == fraction && fraction > 0)
        {
            reversed[count++] = '.';
        }
        reversed[count++] = (char)('0' + rest % 10);
        rest /= 10;
    }
    for (size_t i = 0; i < count; ++i)
    {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

static Digits without_final_zeros(Digits digits)
{
    while (digits.digits % 10 == 0)
    {
        digits.digits /= 10;
        digits.exponent += 1;
    }
    return digits;
}

static size_t print_digits(Digits digits, char* text)
{
    Digits d = without_final_zeros(digits);
    int magnitude = d.exponent + 1; // power of ten above the number
    for (uint64_t rest = d.digits; rest >= 10; rest /= 10)
    {
        ++magnitude;
    }
    return magnitude > -4 && magnitude <= 9 ? print_plain(d, text) : print_exponential(d, text);
}

static bool reads_back(Digits digits, float value)
{
    float parsed;
    if (round_fast(digits.digits, digits.exponent, &parsed))
    {
        return parsed == value;
    }
    char text[ABUT_IO_FLOAT_TEXT_SIZE];
    const char* at = text;
    size_t length = print_digits(digits, text);
    return abut_io_float_parse(&at, text + length, &parsed) == ABUT_IO_FLOAT_OK && parsed == value;
}

size_t abut_io_float_print(float value, char text[ABUT_IO_FLOAT_TEXT_SIZE])
{
    size_t sign = signbit(value) ? 1 : 0;
    text[0] = '-';
    float magnitude = fabsf(value);
    if (magnitude == 0.0f)
    {
        text[sign] = '0';
        return sign + 1;
    }
    Digits nine = nine_digits(magnitude);
    Digits shortest = nine;
    for (int count = 1; count < 9; ++count)
    {
        Digits candidate = shortened(nine, count);
        if (reads_back(candidate, magnitude))
        {
            shortest = candidate;
            break;
        }
    }
    return sign + print_digits(shortest, text + sign);
}
