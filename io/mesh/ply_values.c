#include "io/mesh/ply_values.h"

#include <stdarg.h>
#include <stdio.h>

AbutResult abut_io_ply_fail(const AbutIoPlyValues* values, const char* format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    const AbutIoText* text = &values->text;
    return values->encoding == ABUT_IO_PLY_TEXT
               ? abut_io_fail_line(text->load, text->line, "%s", message)
               : abut_io_fail_byte(text->load, abut_io_text_offset(text), "%s", message);
}

static AbutResult fail_here(const AbutIoPlyValues* values, const char* expected)
{
    char found[ABUT_IO_EXCERPT_SIZE];
    return abut_io_ply_fail(values, "expected %s, found %s", expected,
                            abut_io_text_excerpt(&values->text, found));
}

static AbutResult fail_short(const AbutIoPlyValues* values)
{
    return abut_io_ply_fail(values, "the file ends before all items were read");
}

AbutResult abut_io_ply_begin_item(AbutIoPlyValues* values)
{
    AbutIoText* text = &values->text;
    abut_io_text_skip_blanks(text);
    while (text->at < text->end && abut_io_is_line_end(*text->at))
    {
        abut_io_text_pass_line_end(text);
        abut_io_text_skip_blanks(text);
    }
    return text->at < text->end ? ABUT_OK
                                : abut_io_ply_fail(values, "the file ends before all items were read");
}

AbutResult abut_io_ply_end_item(AbutIoPlyValues* values)
{
    AbutIoText* text = &values->text;
    abut_io_text_skip_blanks(text);
    if (!abut_io_text_at_line_end(text))
    {
        return fail_here(values, "the end of the line, since all properties of the item were read");
    }
    abut_io_text_pass_line_end(text);
    return ABUT_OK;
}

static bool at_value_end(const AbutIoText* text)
{
    return abut_io_text_at_line_end(text) || abut_io_is_blank(*text->at);
}

AbutResult abut_io_ply_read_other_integer(AbutIoPlyValues* values, AbutIoPlyType type, int64_t* out)
{
    (void)type;
    if (values->encoding != ABUT_IO_PLY_TEXT)
    {
        return fail_short(values);
    }
    AbutIoText* text = &values->text;
    abut_io_text_skip_blanks(text);
    const char* start = text->at;
    if (!abut_io_text_read_integer(text, out) || !at_value_end(text))
    {
        text->at = start;
        return fail_here(values, "an integer");
    }
    return ABUT_OK;
}

static AbutResult read_text_coordinate(AbutIoPlyValues* values, float* out)
{
    AbutIoText* text = &values->text;
    abut_io_text_skip_blanks(text);
    const char* start = text->at;
    AbutResult result = abut_io_text_read_float(text, out);
    if (result == ABUT_OK && !at_value_end(text))
    {
        text->at = start;
        return fail_here(values, "a coordinate");
    }
    return result;
}

AbutResult abut_io_ply_read_other_coordinate(AbutIoPlyValues* values, AbutIoPlyType type, float* out)
{
    if (values->encoding == ABUT_IO_PLY_TEXT)
    {
        return read_text_coordinate(values, out);
    }
    if (abut_io_ply_bytes_left(values) < abut_io_ply_type_size(type))
    {
        return fail_short(values);
    }
    double number = abut_io_ply_number(values->text.at, type, values->encoding == ABUT_IO_PLY_BIG_ENDIAN);
    return abut_io_ply_fail(values, "coordinate %g is not finite, or too large for a float", number);
}

AbutResult abut_io_ply_read_length(AbutIoPlyValues* values, const AbutIoPlyProperty* list, size_t* out)
{
    const char* start = values->text.at;
    int64_t length = 0;
    AbutResult result = abut_io_ply_read_integer(values, list->count_type, &length);
    if (result != ABUT_OK)
    {
        return result;
    }
    bool is_text = values->encoding == ABUT_IO_PLY_TEXT;
    size_t item_size = is_text ? 2 : abut_io_ply_type_size(list->type); // a digit and a blank
    if (length < 0 || (uint64_t)length > abut_io_ply_bytes_left(values) / item_size)
    {
        size_t left = abut_io_ply_bytes_left(values);
        values->text.at = start;
        return abut_io_ply_fail(values, "a list of %lld items, but only %zu bytes follow", (long long)length,
                                left);
    }
    *out = (size_t)length;
    return ABUT_OK;
}

AbutResult abut_io_ply_skip_values(AbutIoPlyValues* values, AbutIoPlyType type, size_t count)
{
    if (values->encoding != ABUT_IO_PLY_TEXT)
    {
        size_t size = abut_io_ply_type_size(type);
        if (count > abut_io_ply_bytes_left(values) / size)
        {
            return fail_short(values);
        }
        values->text.at += count * size;
        return ABUT_OK;
    }
    for (size_t i = 0; i < count; ++i)
    {
        abut_io_text_skip_blanks(&values->text);
        if (abut_io_text_skip_word(&values->text) == 0)
        {
            return fail_here(values, "another value");
        }
    }
    return ABUT_OK;
}

AbutResult abut_io_ply_skip_property(AbutIoPlyValues* values, const AbutIoPlyProperty* property)
{
    size_t count = 1;
    AbutResult result = property->is_list ? abut_io_ply_read_length(values, property, &count) : ABUT_OK;
    return result == ABUT_OK ? abut_io_ply_skip_values(values, property->type, count) : result;
}
