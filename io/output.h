/// @file output.h
/// Writes a file beside its target and renames it at the end: the target is always either the old file or the
/// new one, whole.
#ifndef ABUT_IO_OUTPUT_H
#define ABUT_IO_OUTPUT_H

#include <abut/base.h>
#include <limits.h>

#if !defined(PATH_MAX)
#define PATH_MAX 4096
#endif

enum
{
    ABUT_IO_OUTPUT_BUFFER = 1 << 15
};

/// Lives on the stack; no memory is asked of anybody.
typedef struct AbutIoOutput
{
    const char* path;         ///< as the caller wrote it, for messages
    char target[PATH_MAX];    ///< the same with links resolved
    char temporary[PATH_MAX]; ///< beside the target
    int file;
    int error; ///< errno of the first write that failed; later ones do nothing
    size_t used;
    char buffer[ABUT_IO_OUTPUT_BUFFER];
} AbutIoOutput;

/// @return ABUT_OK or ABUT_IO_ERROR. After ABUT_OK, abut_io_output_close() must be called.
AbutResult abut_io_output_open(AbutIoOutput* output, const char* path);

/// Room for `size` bytes (at most ABUT_IO_OUTPUT_BUFFER); the caller fills them and adds what it used to
/// output->used.
char* abut_io_output_reserve(AbutIoOutput* output, size_t size);

/// Writes `size` bytes, however many.
void abut_io_output_write(AbutIoOutput* output, const void* bytes, size_t size);

/// Takes everything back: the target stays as it was before abut_io_output_open().
void abut_io_output_cancel(AbutIoOutput* output);

/// Flushes to the disk and renames, or removes the temporary file when anything failed since the start.
AbutResult abut_io_output_close(AbutIoOutput* output);

#endif
