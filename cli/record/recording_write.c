#include "recording_write.h"

#include "message.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#ifdef ABUT_WITH_VIEWER
#define HTML_WRITER write_html
#define HTML_MISSING NULL
#else
#define HTML_WRITER NULL
#define HTML_MISSING                                                                                         \
    "this program was built without the page that plays simulations; install Node.js 18 or newer with npm "  \
    "(Debian: nodejs npm) and build it again (make does both)"
#endif

static const RecordingFormat formats[] = {
    { ".html", "a page that plays it in a browser, from disk, without a server", HTML_WRITER, HTML_MISSING },
    { ".glb", "animated glTF 2.0, which most 3D viewers and Blender play", write_glb, NULL },
    { ".png", "a sheet of pictures", write_sheet, NULL },
    { ".csv", "poses, a line per frame and body; energies and contacts beside it", write_csv, NULL },
    { NULL, NULL, NULL, NULL },
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
            if (format->missing != NULL)
            {
                message_error("%s: %s", path, format->missing);
            }
            return format->missing == NULL ? format : NULL;
        }
        size_t used = strlen(endings);
        snprintf(endings + used, sizeof(endings) - used, "%s%s", used > 0 ? ", " : "", format->ending);
    }
    message_error("%s: unknown kind of file; the name must end in one of %s", path, endings);
    return NULL;
}
