#include "recording_write.h"

#include "message.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const RecordingFormat formats[] = {
    { ".csv", "poses, a line per frame and body; energies and contacts beside it", write_csv },
    { NULL, NULL, NULL },
};

const RecordingFormat* recording_formats(void)
{
    return formats;
}

const RecordingFormat* recording_format_of(const char* path)
{
    size_t length = strlen(path);
    char endings[128] = "";
    for (const RecordingFormat* format = formats; format->ending != NULL; ++format)
    {
        size_t size = strlen(format->ending);
        if (length > size && strcasecmp(path + length - size, format->ending) == 0)
        {
            return format;
        }
        size_t used = strlen(endings);
        snprintf(endings + used, sizeof(endings) - used, "%s%s", used > 0 ? ", " : "", format->ending);
    }
    message_error("%s: unknown kind of file; the name must end in one of %s", path, endings);
    return NULL;
}
