// realpath() belongs to the X/Open part of POSIX.
#define _XOPEN_SOURCE 700
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    NAMES_TRIED = 100 // temporary names that may be taken already
};

static AbutResult fail_write(const char* path, int error)
{
    return abut_fail(ABUT_IO_ERROR, "%s: cannot be written: %s", path, strerror(error));
}

/// A link is followed, so that it stays a link; everything that exists must be a regular file. `mode` gets
/// that file's permissions.
static AbutResult resolve_target(AbutIoOutput* output, mode_t* mode, bool* exists)
{
    struct stat status;
    *exists = stat(output->path, &status) == 0;
    if (!*exists)
    {
        bool fits = snprintf(output->target, sizeof(output->target), "%s", output->path) < PATH_MAX;
        return fits ? ABUT_OK : fail_write(output->path, ENAMETOOLONG);
    }
    if (!S_ISREG(status.st_mode))
    {
        return abut_fail(ABUT_IO_ERROR, "%s: cannot be written: it exists and is not a regular file",
                         output->path);
    }
    *mode = status.st_mode & 0777;
    // Renaming needs no permission to write the old file, but whoever took it away meant it.
    bool writable = access(output->path, W_OK) == 0 && realpath(output->path, output->target) != NULL;
    return writable ? ABUT_OK : fail_write(output->path, errno);
}

/// A new file beside the target, with the permissions that any new file gets.
static int open_temporary(AbutIoOutput* output)
{
    for (int i = 0; i < NAMES_TRIED; ++i)
    {
        int length = snprintf(output->temporary, sizeof(output->temporary), "%s.%ld-%d.tmp", output->target,
                              (long)getpid(), i);
        if (length >= PATH_MAX)
        {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file >= 0 || errno != EEXIST)
        {
            return file;
        }
    }
    return -1;
}

AbutResult abut_io_output_open(AbutIoOutput* output, const char* path)
{
    output->path = path;
    output->error = 0;
    output->used = 0;
    mode_t mode = 0;
    bool exists = false;
    AbutResult result = resolve_target(output, &mode, &exists);
    if (result != ABUT_OK)
    {
        return result;
    }
    output->file = open_temporary(output);
    if (output->file < 0)
    {
        return fail_write(path, errno);
    }
    if (exists && fchmod(output->file, mode) != 0)
    {
        output->error = errno;
    }
    return ABUT_OK;
}

static void flush_buffer(AbutIoOutput* output)
{
    size_t done = 0;
    while (done < output->used && output->error == 0)
    {
        ssize_t count = write(output->file, output->buffer + done, output->used - done);
        if (count >= 0)
        {
            done += (size_t)count;
        }
        else if (errno != EINTR)
        {
            output->error = errno;
        }
    }
    output->used = 0;
}

char* abut_io_output_reserve(AbutIoOutput* output, size_t size)
{
    if (size > ABUT_IO_OUTPUT_BUFFER - output->used)
    {
        flush_buffer(output);
    }
    return output->buffer + output->used;
}

void abut_io_output_write(AbutIoOutput* output, const void* bytes, size_t size)
{
    const char* from = bytes;
    for (size_t done = 0; done < size;)
    {
        size_t chunk = size - done < ABUT_IO_OUTPUT_BUFFER ? size - done : ABUT_IO_OUTPUT_BUFFER;
        memcpy(abut_io_output_reserve(output, chunk), from + done, chunk);
        output->used += chunk;
        done += chunk;
    }
}

void abut_io_output_cancel(AbutIoOutput* output)
{
    close(output->file);
    unlink(output->temporary);
}

static void keep_first_error(AbutIoOutput* output, int status)
{
    if (status != 0 && output->error == 0)
    {
        output->error = errno;
    }
}

AbutResult abut_io_output_close(AbutIoOutput* output)
{
    flush_buffer(output);
    if (output->error == 0)
    {
        keep_first_error(output, fsync(output->file));
    }
    keep_first_error(output, close(output->file));
    if (output->error == 0)
    {
        keep_first_error(output, rename(output->temporary, output->target));
    }
    if (output->error == 0)
    {
        return ABUT_OK;
    }
    unlink(output->temporary);
    return fail_write(output->path, output->error);
}
