/// @file poses.h
/// Poses from files, one or two on each line.
#ifndef ABUT_CLI_POSES_H
#define ABUT_CLI_POSES_H

#include "message.h"

#include <abut/math.h>

typedef struct PoseList
{
    AbutPose* items; ///< to be freed
    size_t count, capacity;
} PoseList;

/// Reads `per_line` poses on each line, numbers apart by commas or blanks, all with as many numbers; empty
/// lines and what follows a # are passed over. "-" is standard input.
/// @return false after a message that names the line.
bool poses_read(const char* path, int per_line, PoseList* list);

/// @return false after a message, without memory.
bool poses_add(PoseList* list, const AbutPose* pose);

#endif
