#include "io/text/text_cursor.h"

#include <abut/io.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    /// Longer texts are cut when a message quotes them; the column still counts from their start.
    QUOTE_LIMIT = 160
};

TextCursor abut_text_cursor(const char* what, const char* text)
{
    TextCursor cursor = { .what = what, .begin = text, .at = text, .end = text + strlen(text) };
    abut_text_skip_spaces(&cursor);
    return cursor;
}

void abut_text_skip_spaces(TextCursor* cursor)
{
    while (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\n' || *cursor->at == '\r')
    {
        cursor->at += 1;
    }
}

bool abut_text_accept(TextCursor* cursor, char c)
{
    abut_text_skip_spaces(cursor);
    if (cursor->at == cursor->end || *cursor->at != c)
    {
        return false;
    }
    cursor->at += 1;
    abut_text_skip_spaces(cursor);
    return true;
}

bool abut_text_number(TextCursor* cursor, double* out)
{
    abut_text_skip_spaces(cursor);
    const char* after = abut_number_parse(cursor->at, cursor->end, out);
    if (after == NULL)
    {
        return false;
    }
    cursor->at = after;
    abut_text_skip_spaces(cursor);
    return true;
}

/// Quotes the start of the text; bytes that could steer a terminal become question marks.
static void quote(const TextCursor* cursor, char out[QUOTE_LIMIT + 4])
{
    size_t length = (size_t)(cursor->end - cursor->begin);
    size_t kept = length < QUOTE_LIMIT ? length : QUOTE_LIMIT;
    for (size_t i = 0; i < kept; ++i)
    {
        unsigned char c = (unsigned char)cursor->begin[i];
        out[i] = c < 0x20 || c == 0x7F ? '?' : (char)c;
    }
    memcpy(out + kept, length > kept ? "..." : "", length > kept ? 4 : 1);
}

static AbutResult fail_with(const TextCursor* cursor, const char* position, AbutResult result,
                            const char* message)
{
    char quoted[QUOTE_LIMIT + 4];
    quote(cursor, quoted);
    return abut_fail(result, "%s \"%s\": at column %d: %s", cursor->what, quoted,
                     (int)(position - cursor->begin) + 1, message);
}

AbutResult abut_text_fail_at(const TextCursor* cursor, const char* position, const char* format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return fail_with(cursor, position, ABUT_INVALID_ARGUMENT, message);
}

AbutResult abut_text_wrap_failure(const TextCursor* cursor, const char* position, AbutResult result)
{
    return fail_with(cursor, position, result, abut_last_error());
}
