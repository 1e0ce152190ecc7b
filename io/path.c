#include "io/path.h"

#include <stddef.h>
#include <string.h>

bool abut_io_path_ends_with(const char* path, const char* ending)
{
    size_t path_length = strlen(path);
    size_t length = strlen(ending);
    if (path_length < length)
    {
        return false;
    }
    const char* tail = path + path_length - length;
    for (size_t i = 0; i < length; ++i)
    {
        char lower = tail[i] >= 'A' && tail[i] <= 'Z' ? (char)(tail[i] | 0x20) : tail[i];
        if (lower != ending[i])
        {
            return false;
        }
    }
    return true;
}
