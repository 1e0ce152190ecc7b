// UTF-8, and texts from strangers that are shown: in messages, on terminals, in JSON.
#include <abut/base.h>
#include <string.h>

/// Bytes of the character that starts with `first`; 0 for a byte that starts none (0xC0, 0xC1 and 0xF5 up
/// would start characters in too many bytes, or past U+10FFFF).
static size_t sequence_length(unsigned char first)
{
    return first < 0x80                    ? 1
           : first >= 0xC2 && first < 0xE0 ? 2
           : (first & 0xF0) == 0xE0        ? 3
           : first >= 0xF0 && first < 0xF5 ? 4
                                           : 0;
}

size_t abut_utf8_decode(const char* text, size_t size, uint32_t* code)
{
    const unsigned char* bytes = (const unsigned char*)text;
    size_t length = size > 0 ? sequence_length(bytes[0]) : 0;
    if (length == 0 || length > size)
    {
        return 0;
    }
    uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i)
    {
        if ((bytes[i] & 0xC0) != 0x80)
        {
            return 0;
        }
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    bool too_long = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    bool surrogate = value >= 0xD800 && value < 0xE000;
    if (too_long || surrogate || value > 0x10FFFF)
    {
        return 0;
    }
    *code = value;
    return length;
}

bool abut_utf8_is_control(uint32_t code)
{
    bool separator = code == 0x2028 || code == 0x2029;
    bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || separator || direction;
}

void abut_text_sanitize(char* text)
{
    size_t left = strlen(text);
    while (left > 0)
    {
        uint32_t code = 0;
        size_t length = abut_utf8_decode(text, left, &code);
        if (length == 0 || abut_utf8_is_control(code))
        {
            length = length > 0 ? length : 1;
            memset(text, '?', length);
        }
        text += length;
        left -= length;
    }
}
