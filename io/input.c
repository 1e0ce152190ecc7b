#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    CHUNK = 16 << 20 // bytes read between two calls of the progress callback
};

static AbutResult fail_system(const char* path, int error)
{
    if (error == ENOENT || error == ENOTDIR)
    {
        return abut_fail(ABUT_NOT_FOUND, "%s: no such file", path);
    }
    if (error == EACCES || error == EPERM)
    {
        return abut_fail(ABUT_IO_ERROR, "%s: no permission to read it", path);
    }
    return abut_fail(ABUT_IO_ERROR, "%s: cannot be read: %s", path, strerror(error));
}

static AbutResult check_status(const char* path, const struct stat* status, size_t max_bytes)
{
    if (S_ISDIR(status->st_mode))
    {
        return abut_fail(ABUT_IO_ERROR, "%s: is a directory, not a file", path);
    }
    if (!S_ISREG(status->st_mode))
    {
        return abut_fail(ABUT_IO_ERROR, "%s: is a pipe, socket or device, not a regular file", path);
    }
    if (status->st_size == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: the file is empty", path);
    }
    if ((uint64_t)status->st_size > max_bytes)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: the file has %lld bytes, more than the limit of %zu", path,
                         (long long)status->st_size, max_bytes);
    }
    return ABUT_OK;
}

/// Opens without waiting, so that a pipe that nobody writes to is refused instead of waited for.
static AbutResult open_checked(const char* path, size_t max_bytes, int* file, size_t* size)
{
    *file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (*file < 0)
    {
        return fail_system(path, errno);
    }
    struct stat status;
    AbutResult result =
        fstat(*file, &status) == 0 ? check_status(path, &status, max_bytes) : fail_system(path, errno);
    if (result != ABUT_OK)
    {
        close(*file);
        return result;
    }
    *size = (size_t)status.st_size;
    return ABUT_OK;
}

AbutResult abut_io_input_check(const char* path, size_t max_bytes, size_t* size)
{
    int file;
    AbutResult result = open_checked(path, max_bytes, &file, size);
    if (result == ABUT_OK)
    {
        close(file);
    }
    return result;
}

static AbutResult report_read(const AbutIoLoad* load, size_t done, size_t size)
{
    float fraction = load->progress_start * (float)((double)done / (double)size);
    if (load->progress == NULL || load->progress(load->progress_user, fraction))
    {
        return ABUT_OK;
    }
    return abut_fail(ABUT_CANCELLED, "%s: loading was cancelled", load->name);
}

/// A file that got shorter meanwhile is taken as it is now; what was added is not read.
static AbutResult read_all(const AbutIoLoad* load, int file, AbutIoInput* input)
{
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && input->size < input->capacity)
    {
        size_t left = input->capacity - input->size;
        ssize_t count = read(file, input->data + input->size, left < CHUNK ? left : CHUNK);
        if (count == 0)
        {
            break;
        }
        if (count > 0)
        {
            input->size += (size_t)count;
            result = report_read(load, input->size, input->capacity);
        }
        else if (errno != EINTR)
        {
            result = fail_system(load->name, errno);
        }
    }
    if (result == ABUT_OK && input->size == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: the file is empty", load->name);
    }
    return result;
}

AbutResult abut_io_input_read(AbutIoLoad* load, size_t max_bytes, AbutIoInput* input)
{
    int file;
    AbutIoInput opened = { 0 };
    AbutResult result = open_checked(load->name, max_bytes, &file, &opened.capacity);
    if (result != ABUT_OK)
    {
        return result;
    }
    opened.data = abut_io_allocate(&load->host, opened.capacity);
    result = opened.data != NULL ? read_all(load, file, &opened) : ABUT_OUT_OF_MEMORY;
    close(file);
    if (result != ABUT_OK)
    {
        abut_io_input_free(&load->host, &opened);
        return result;
    }
    *input = opened;
    return ABUT_OK;
}

void abut_io_input_free(const AbutHost* host, AbutIoInput* input)
{
    abut_io_free(host, input->data, input->capacity);
    input->data = NULL;
}
