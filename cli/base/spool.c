// For mkstemp.
#define _XOPEN_SOURCE 700

#include "spool.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MOVE_SIZE = 1 << 18
};

static bool fail(const Spool* spool, const char* what)
{
    message_error("%s: cannot %s the recording beside it: %s", spool->path, what, strerror(errno));
    return false;
}

/// @return a descriptor of a file that has no name any more, or -1 with errno
static int open_nameless(const char* beside)
{
    size_t size = strlen(beside) + sizeof(".XXXXXX");
    char* name = malloc(size);
    if (name == NULL)
    {
        return -1;
    }
    snprintf(name, size, "%s.XXXXXX", beside);
    int descriptor = mkstemp(name);
    if (descriptor != -1)
    {
        unlink(name);
    }
    free(name);
    return descriptor;
}

bool spool_open(Spool* spool, const char* path)
{
    *spool = (Spool){ .path = strdup(path), .descriptor = -1 };
    if (spool->path == NULL)
    {
        message_error("%s: no memory for its name", path);
        return false;
    }
    spool->descriptor = open_nameless(path);
    if (spool->descriptor == -1)
    {
        const char* folder = getenv("TMPDIR");
        char name[1024];
        int length = snprintf(name, sizeof(name), "%s/abut", folder != NULL ? folder : "/tmp");
        spool->descriptor = length < (int)sizeof(name) ? open_nameless(name) : -1;
    }
    return spool->descriptor != -1 || fail(spool, "keep");
}

void spool_close(Spool* spool)
{
    if (spool->path != NULL && spool->descriptor != -1)
    {
        close(spool->descriptor);
    }
    free(spool->path);
    *spool = (Spool){ .descriptor = -1 };
}

static bool write_at(const Spool* spool, uint64_t offset, const void* data, size_t size)
{
    for (size_t done = 0; done < size;)
    {
        ssize_t count =
            pwrite(spool->descriptor, (const char*)data + done, size - done, (off_t)(offset + done));
        if (count < 0 && errno != EINTR)
        {
            return fail(spool, "keep");
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool spool_add(Spool* spool, const void* data, size_t size)
{
    bool good = write_at(spool, spool->size, data, size);
    spool->size += good ? size : 0;
    return good;
}

bool spool_read(const Spool* spool, uint64_t offset, void* out, size_t size)
{
    for (size_t done = 0; done < size;)
    {
        ssize_t count = pread(spool->descriptor, (char*)out + done, size - done, (off_t)(offset + done));
        if (count == 0)
        {
            errno = EIO; // it is shorter than what was added
        }
        if (count == 0 || (count < 0 && errno != EINTR))
        {
            return fail(spool, "read back");
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool spool_move(Spool* spool, uint64_t to, uint64_t from, uint64_t size)
{
    void* bytes = to != from && size > 0 ? malloc(MOVE_SIZE) : NULL;
    bool good = bytes != NULL || to == from || size == 0;
    if (!good)
    {
        message_error("%s: no memory to thin the recording", spool->path);
    }
    for (uint64_t done = 0; good && bytes != NULL && done < size;)
    {
        size_t count = size - done < MOVE_SIZE ? (size_t)(size - done) : MOVE_SIZE;
        good = spool_read(spool, from + done, bytes, count) && write_at(spool, to + done, bytes, count);
        done += count;
    }
    free(bytes);
    return good;
}

bool spool_truncate(Spool* spool, uint64_t size)
{
    if (ftruncate(spool->descriptor, (off_t)size) != 0)
    {
        return fail(spool, "shorten");
    }
    spool->size = size;
    return true;
}
