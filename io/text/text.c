#include "io/text/text.h"

AbutResult abut_io_text_fail_float(const AbutIoText* text, AbutIoFloatStatus status)
{
    char found[ABUT_IO_EXCERPT_SIZE];
    const char* word = abut_io_text_excerpt(text, found);
    switch (status)
    {
    case ABUT_IO_FLOAT_NOT_FINITE:
        return abut_io_fail_line(text->load, text->line, "coordinate %s is not finite", word);
    case ABUT_IO_FLOAT_OVERFLOW:
        return abut_io_fail_line(text->load, text->line,
                                 "coordinate %s is too large for a float, which ends at 3.4028235e38", word);
    default:
        return abut_io_fail_line(text->load, text->line, "expected a coordinate, found %s", word);
    }
}

const char* abut_io_text_excerpt(const AbutIoText* text, char buffer[ABUT_IO_EXCERPT_SIZE])
{
    if (abut_io_text_at_line_end(text))
    {
        return text->at == text->end ? "the end of the file" : "the end of the line";
    }
    const size_t most = ABUT_IO_EXCERPT_SIZE - 6; // quotes, dots and the final zero
    AbutIoText word = *text;
    size_t length = abut_io_text_skip_word(&word);
    size_t count = 0;
    buffer[count++] = '\'';
    for (size_t i = 0; i < length && i < most; ++i)
    {
        char c = text->at[i];
        buffer[count++] = c > 0x20 && c < 0x7F ? c : '?';
    }
    strcpy(buffer + count, length > most ? "...'" : "'");
    return buffer;
}
