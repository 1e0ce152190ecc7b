#include "scenes/simulate/json/json_text.h"

#include "scenes/simulate/json/json_location.h"

#include <string.h>

typedef struct TextCheck
{
    const char* name;
    const char* data;
    size_t size;
    size_t at;
    bool inside; // of a text
} TextCheck;

size_t json_column_of(const char* data, size_t offset)
{
    size_t start = offset;
    while (start > 0 && data[start - 1] != '\n')
    {
        --start;
    }
    return offset - start + 1;
}

static AbutResult fail_control(const TextCheck* check, uint32_t code)
{
    return abut_fail(ABUT_INVALID_DATA, "%s:%u: at column %zu: a control character (U+%04X)%s", check->name,
                     json_line_of(check->data, check->at), json_column_of(check->data, check->at), code,
                     check->inside ? " in a text" : "");
}

/// The number that four digits stand for; cJSON has seen that they are there.
static uint32_t read_hex(const char* digits)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
    {
        uint32_t digit = (unsigned char)digits[i];
        value = value << 4 | ((digit & 0xF) + (digit > '9' ? 9 : 0));
    }
    return value;
}

/// A backslash in a text and what follows it.
static AbutResult check_escape(TextCheck* check)
{
    static const char letters[] = "bfnrt";
    static const uint32_t codes[] = { 8, 12, 10, 13, 9 };
    size_t left = check->size - check->at;
    char kind = left > 1 ? check->data[check->at + 1] : '\0';
    const char* letter = kind != '\0' ? strchr(letters, kind) : NULL;
    if (letter != NULL)
    {
        return fail_control(check, codes[letter - letters]);
    }
    bool number = kind == 'u' && left >= 6;
    uint32_t code = number ? read_hex(check->data + check->at + 2) : 0;
    if (number && abut_utf8_is_control(code))
    {
        return fail_control(check, code);
    }
    check->at += left > 1 ? 2 : 1;
    return ABUT_OK;
}

static AbutResult check_character(TextCheck* check)
{
    const char* at = check->data + check->at;
    uint32_t code = 0;
    size_t length = abut_utf8_decode(at, check->size - check->at, &code);
    if (length == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s:%u: at column %zu: the byte 0x%02X is not UTF-8", check->name,
                         json_line_of(check->data, check->at), json_column_of(check->data, check->at),
                         (unsigned char)*at);
    }
    bool layout = !check->inside && (code == '\n' || code == '\r' || code == '\t');
    if (abut_utf8_is_control(code) && !layout)
    {
        return fail_control(check, code);
    }
    if (code == '\\' && check->inside)
    {
        return check_escape(check);
    }
    check->inside = check->inside != (code == '"');
    check->at += length;
    return ABUT_OK;
}

AbutResult json_check_texts(const char* name, const char* data, size_t size)
{
    TextCheck check = { name, data, size, 0, false };
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && check.at < size)
    {
        result = check_character(&check);
    }
    return result;
}
