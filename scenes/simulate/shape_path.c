// For realpath.
#define _XOPEN_SOURCE 700

#include "scenes/simulate/shape_path.h"

#include <abut/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Starts with the name of a form, so that it is no file whatever is in the folder.
static bool is_form(const char* text)
{
    for (const AbutShapeForm* form = abut_shape_parse_forms(); form->form != NULL; ++form)
    {
        size_t length = strcspn(form->form, ":[(@ ");
        if (strncmp(text, form->form, length) == 0 && strchr(":(@ ", text[length]) != NULL)
        {
            return true;
        }
    }
    return false;
}

/// "a", "b" and "c" become "abc".
static char* join(const char* a, size_t a_length, const char* b, const char* c)
{
    size_t size = a_length + strlen(b) + strlen(c) + 1;
    char* joined = malloc(size);
    if (joined != NULL)
    {
        snprintf(joined, size, "%.*s%s%s", (int)a_length, a, b, c);
    }
    return joined;
}

char* scene_shape_path(const char* folder, const char* text)
{
    const char* mark = strrchr(text, '@');
    size_t length = mark != NULL ? (size_t)(mark - text) : strlen(text);
    if (is_form(text) || length == 0)
    {
        return strdup(text);
    }
    char* file = join(text, length, "", "");
    bool inside = folder != NULL && text[0] != '/';
    char* beside = inside && file != NULL ? join(folder, strlen(folder), "/", file) : NULL;
    char* whole = file != NULL && (!inside || beside != NULL) ? realpath(inside ? beside : file, NULL) : NULL;
    char* named = file == NULL || (inside && beside == NULL) ? NULL
                  : whole != NULL                            ? join(whole, strlen(whole), "", text + length)
                  : inside                                   ? join(beside, strlen(beside), "", text + length)
                                                             : strdup(text);
    free(file);
    free(beside);
    free(whole);
    return named;
}

char* scene_folder_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    if (slash == NULL)
    {
        return strdup(".");
    }
    return slash == path ? strdup("/") : join(path, (size_t)(slash - path), "", "");
}
