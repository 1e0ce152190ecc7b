// Poses from a file, one per line.
#include "collide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST_LINE = 1024,
    MOST_POSES = 1 << 24
};

bool poses_add(PoseList* list, const AbutPose* pose)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        AbutPose* items = capacity <= MOST_POSES ? realloc(list->items, capacity * sizeof(*items)) : NULL;
        if (items == NULL)
        {
            message_error("collide: no memory for more than %zu poses", list->count);
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *pose;
    return true;
}

static bool parse_line(char* line, AbutPose* pose, bool* empty)
{
    line[strcspn(line, "#\r\n")] = '\0';
    char text[LONGEST_LINE];
    size_t length = 0;
    for (char* word = strtok(line, ", \t"); word != NULL; word = strtok(NULL, ", \t"))
    {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", length > 0 ? "," : "", word);
    }
    *empty = length == 0;
    return *empty || abut_pose_parse(text, pose) == ABUT_OK;
}

static bool read_stream(FILE* stream, const char* path, PoseList* list)
{
    char line[LONGEST_LINE];
    for (size_t number = 1; fgets(line, sizeof(line), stream) != NULL; ++number)
    {
        AbutPose pose;
        bool empty, whole = strchr(line, '\n') != NULL || feof(stream);
        if (!whole || !parse_line(line, &pose, &empty))
        {
            message_error("%s:%zu: %s", path, number,
                          whole ? abut_last_error() : "the line is too long for a pose");
            return false;
        }
        if (!empty && !poses_add(list, &pose))
        {
            return false;
        }
    }
    if (ferror(stream))
    {
        message_error("%s: cannot read: %s", path, strerror(errno));
        return false;
    }
    return true;
}

bool poses_read(const char* path, PoseList* list)
{
    bool standard = strcmp(path, "-") == 0;
    FILE* stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL)
    {
        message_error("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    bool good = read_stream(stream, path, list);
    if (!standard)
    {
        fclose(stream);
    }
    if (good && list->count == 0)
    {
        message_error("%s: there is no pose in it; write x,y,z[,qx,qy,qz,qw[,scale]] on each line", path);
        return false;
    }
    return good;
}
