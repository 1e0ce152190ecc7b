/// @file input.h
/// A file read whole into memory. Not mapped: a file that shrinks under a map kills the program, and one that
/// changes would be checked in one state and used in another.
#ifndef ABUT_IO_INPUT_H
#define ABUT_IO_INPUT_H

#include "io/mesh/load.h"

typedef struct AbutIoInput
{
    char* data;
    size_t size;     ///< bytes that were read
    size_t capacity; ///< bytes that were allocated
} AbutIoInput;

/// The size of a file that may be read: only regular files that are not empty and have at most `max_bytes`
/// pass.
/// @return ABUT_NOT_FOUND, ABUT_IO_ERROR (a directory, a pipe, no permission), ABUT_INVALID_DATA (empty),
/// ABUT_LIMIT_EXCEEDED
AbutResult abut_io_input_check(const char* path, size_t max_bytes, size_t* size);

/// Reads the file load->name. On success the caller gives it back with abut_io_input_free().
/// @return as above; ABUT_OUT_OF_MEMORY; ABUT_CANCELLED
AbutResult abut_io_input_read(AbutIoLoad* load, size_t max_bytes, AbutIoInput* input);

void abut_io_input_free(const AbutHost* host, AbutIoInput* input);

#endif
