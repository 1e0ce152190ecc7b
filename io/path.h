/// @file path.h
/// Endings of file names.
#ifndef ABUT_IO_PATH_H
#define ABUT_IO_PATH_H

#include <stdbool.h>

/// Whether a name ends with `ending` (lower case, with its dot), in any case.
bool abut_io_path_ends_with(const char* path, const char* ending);

#endif
