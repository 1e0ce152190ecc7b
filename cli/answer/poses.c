#include "poses.h"

#include <abut/io.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST_LINE = 1024,
    MOST_NUMBERS = 16, // two poses with rotation and scale
    MOST_POSES = 1 << 24
};

static AbutResult add(PoseList* list, const AbutPose* pose)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        AbutPose* items = capacity <= MOST_POSES ? realloc(list->items, capacity * sizeof(*items)) : NULL;
        if (items == NULL)
        {
            return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for more than %zu poses", list->count);
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *pose;
    return ABUT_OK;
}

bool poses_add(PoseList* list, const AbutPose* pose)
{
    bool added = add(list, pose) == ABUT_OK;
    if (!added)
    {
        message_error("%s", abut_last_error());
    }
    return added;
}

/// Where the numbers of a line start; each ends with a zero. Those beyond the limit are counted alone.
static int split_line(char* line, char* numbers[MOST_NUMBERS])
{
    int count = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    for (char* word = strtok(line, ", \t"); word != NULL; word = strtok(NULL, ", \t"), ++count)
    {
        if (count < MOST_NUMBERS)
        {
            numbers[count] = word;
        }
    }
    return count;
}

static AbutResult parse_pose(char* const* numbers, int count, AbutPose* pose)
{
    char text[LONGEST_LINE];
    size_t length = 0;
    for (int i = 0; i < count; ++i)
    {
        length +=
            (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", i > 0 ? "," : "", numbers[i]);
    }
    return abut_pose_parse(text, pose);
}

static AbutResult parse_line(char* line, int per_line, PoseList* list)
{
    char* numbers[MOST_NUMBERS];
    int count = split_line(line, numbers), each = count / per_line;
    if (count > 0 && (count != per_line * each || (each != 3 && each != 7 && each != 8)))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "%d numbers, where %s x,y,z[,qx,qy,qz,qw[,scale]] ha%s %d, %d or %d", count,
                         per_line == 1 ? "a pose" : "start and end", per_line == 1 ? "s" : "ve", 3 * per_line,
                         7 * per_line, 8 * per_line);
    }
    AbutResult result = ABUT_OK;
    for (int i = 0; result == ABUT_OK && count > 0 && i < per_line; ++i)
    {
        AbutPose pose;
        result = parse_pose(numbers + i * each, each, &pose);
        result = result == ABUT_OK ? add(list, &pose) : result;
    }
    return result;
}

static bool read_stream(FILE* stream, const char* path, int per_line, PoseList* list)
{
    char line[LONGEST_LINE];
    for (size_t number = 1; fgets(line, sizeof(line), stream) != NULL; ++number)
    {
        bool whole = strchr(line, '\n') != NULL || feof(stream);
        if (!whole || parse_line(line, per_line, list) != ABUT_OK)
        {
            message_error("%s:%zu: %s", path, number, whole ? abut_last_error() : "the line is too long");
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

bool poses_read(const char* path, int per_line, PoseList* list)
{
    bool standard = strcmp(path, "-") == 0;
    FILE* stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL)
    {
        message_error("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    bool good = read_stream(stream, path, per_line, list);
    if (!standard)
    {
        fclose(stream);
    }
    if (good && list->count == 0)
    {
        message_error("%s: there is no pose in it; write x,y,z[,qx,qy,qz,qw[,scale]]%s on each line", path,
                      per_line == 1 ? "" : " of start and end");
        return false;
    }
    return good;
}
