#include <abut/base.h>
#include <stdarg.h>
#include <stdio.h>

#define ABUT_STRINGIFY(x) #x
#define ABUT_VERSION_TEXT(major, minor, patch)                                                               \
    ABUT_STRINGIFY(major) "." ABUT_STRINGIFY(minor) "." ABUT_STRINGIFY(patch)

/// Long enough for a path of the longest length and a sentence; longer messages are cut.
enum
{
    MESSAGE_SIZE = 4608
};

static _Thread_local char last_error[MESSAGE_SIZE];

const char* abut_result_name(AbutResult result)
{
    static const char* const names[ABUT_RESULT_COUNT] = {
        [ABUT_OK] = "ok",
        [ABUT_OUT_OF_MEMORY] = "out of memory",
        [ABUT_INVALID_ARGUMENT] = "invalid argument",
        [ABUT_INVALID_DATA] = "invalid data",
        [ABUT_NOT_FOUND] = "not found",
        [ABUT_IO_ERROR] = "input/output error",
        [ABUT_LIMIT_EXCEEDED] = "limit exceeded",
        [ABUT_UNSUPPORTED] = "unsupported",
        [ABUT_CANCELLED] = "cancelled",
        [ABUT_DEVICE_LOST] = "device lost",
    };
    return (unsigned)result < ABUT_RESULT_COUNT ? names[result] : "unknown result";
}

const char* abut_last_error(void)
{
    return last_error;
}

AbutResult abut_fail(AbutResult result, const char* format, ...)
{
    // Formatted aside first: the arguments may include the old message.
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    abut_text_sanitize(message);
    snprintf(last_error, sizeof(last_error), "%s", message);
    return result;
}

const char* abut_version(void)
{
    return ABUT_VERSION_TEXT(ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR, ABUT_VERSION_PATCH);
}
