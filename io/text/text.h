/// @file text.h
/// A place in a text with its line number, and the few moves that readers of text formats make. Lines end
/// with LF, CR LF or CR. Nothing is copied, nothing is looked at past the end, and zero bytes are like any
/// other.
#ifndef ABUT_IO_TEXT_H
#define ABUT_IO_TEXT_H

#include "io/mesh/load.h"
#include "io/text/float_text.h"

#include <string.h>

typedef struct AbutIoText
{
    AbutIoLoad* load;
    const char* at;
    const char* end;
    size_t line; ///< counted from 1
} AbutIoText;

enum
{
    ABUT_IO_EXCERPT_SIZE = 48
};

static inline AbutIoText abut_io_text_make(AbutIoLoad* load)
{
    AbutIoText text = { load, load->data, load->data + load->size, 1 };
    return text;
}

static inline size_t abut_io_text_offset(const AbutIoText* text)
{
    return (size_t)(text->at - text->load->data);
}

static inline bool abut_io_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool abut_io_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static inline bool abut_io_text_at_line_end(const AbutIoText* text)
{
    return text->at == text->end || abut_io_is_line_end(*text->at);
}

static inline void abut_io_text_skip_blanks(AbutIoText* text)
{
    while (text->at < text->end && abut_io_is_blank(*text->at))
    {
        ++text->at;
    }
}

/// Moves behind the line end that is here. At the end of the text it does nothing.
static inline void abut_io_text_pass_line_end(AbutIoText* text)
{
    if (text->at == text->end)
    {
        return;
    }
    bool pair = *text->at == '\r' && text->end - text->at > 1 && text->at[1] == '\n';
    text->at += pair ? 2 : 1;
    text->line += 1;
}

/// Moves to the end of this line.
static inline void abut_io_text_skip_to_line_end(AbutIoText* text)
{
    const char* p = text->at;
    while (p < text->end && !abut_io_is_line_end(*p))
    {
        ++p;
    }
    text->at = p;
}

static inline void abut_io_text_skip_line(AbutIoText* text)
{
    abut_io_text_skip_to_line_end(text);
    abut_io_text_pass_line_end(text);
}

/// Moves over everything that is neither blank nor a line end; returns how much that was.
static inline size_t abut_io_text_skip_word(AbutIoText* text)
{
    const char* p = text->at;
    while (p < text->end && !abut_io_is_blank(*p) && !abut_io_is_line_end(*p))
    {
        ++p;
    }
    size_t length = (size_t)(p - text->at);
    text->at = p;
    return length;
}

/// Fails with the line and with what stands here instead of a coordinate.
AbutResult abut_io_text_fail_float(const AbutIoText* text, AbutIoFloatStatus status);

/// Reads a coordinate that stands here. What follows the number is the caller's to check.
static inline AbutResult abut_io_text_read_float(AbutIoText* text, float* out)
{
    AbutIoFloatStatus status = abut_io_float_parse(&text->at, text->end, out);
    return status == ABUT_IO_FLOAT_OK ? ABUT_OK : abut_io_text_fail_float(text, status);
}

/// Reads [+-]digits that stand here; more than 18 digits become ±2^62. Returns false and stays when there is
/// no integer.
static inline bool abut_io_text_read_integer(AbutIoText* text, int64_t* out)
{
    const int64_t most = INT64_C(1) << 62;
    const char* p = text->at;
    const char* end = text->end;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
    {
        ++p;
    }
    const char* digits = p;
    uint64_t sum = 0;
    for (; p < end && (unsigned char)(*p - '0') < 10; ++p)
    {
        sum = sum * 10 + (uint64_t)(*p - '0'); // wraps beyond 19 digits, and is not used then
    }
    if (p == digits)
    {
        return false;
    }
    int64_t value = p - digits <= 18 ? (int64_t)sum : most;
    *out = negative ? -value : value;
    text->at = p;
    return true;
}

/// Over digits at `p`, for the paths that nearly all lines take; returns NULL unless there are one to nine of
/// them.
static inline const char* abut_io_read_digits(const char* p, const char* end, uint32_t* out)
{
    const char* start = p;
    uint32_t value = 0;
    while (p < end && (unsigned char)(*p - '0') < 10)
    {
        value = value * 10 + (unsigned char)(*p++ - '0');
    }
    *out = value;
    return (size_t)(p - start - 1) < 9 ? p : NULL;
}

/// A short printable copy of the word that stands here, in quotes, or "the end of the line" or "the end of
/// the file".
const char* abut_io_text_excerpt(const AbutIoText* text, char buffer[ABUT_IO_EXCERPT_SIZE]);

#endif
