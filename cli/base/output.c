// For realpath and fopencookie.
#define _GNU_SOURCE

#include "output.h"

#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void output_prepare(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
        {
            // Opened the wrong way round, so that using it still fails.
            int filler = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
            if (filler != -1 && filler != descriptor)
            {
                dup2(filler, descriptor);
                close(filler);
            }
        }
    }
}

/// errno of the first write to standard output that failed.
static int output_error;

bool output_write(const void* data, size_t size)
{
    errno = 0;
    if (fwrite(data, 1, size, stdout) == size)
    {
        return true;
    }
    output_error = output_error != 0 ? output_error : errno;
    return false;
}

bool output_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
    {
        return true;
    }
    output_error = output_error != 0 ? output_error : errno;
    return false;
}

/// A stream remembers that a write failed, but not why. What stopped it stops one more byte, too.
static int reason_of_lost_write(void)
{
    errno = 0;
    return output_error != 0 ? output_error : write(STDOUT_FILENO, "\n", 1) == 1 ? 0 : errno;
}

bool output_finish(void)
{
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost)
    {
        return true;
    }
    errno = errno != 0 ? errno : reason_of_lost_write();
    message_error("standard output: %s; the answer is not complete",
                  errno != 0 ? strerror(errno) : "write error");
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Files
// -----------------------------------------------------------------------------------------------------------

static bool fail_path(const char* path)
{
    message_error("%s: cannot write: %s", path, strerror(errno));
    return false;
}

/// What the stream hands on. The first error is kept: a stream that fails early and is closed late has no
/// errno left.
static ssize_t write_descriptor(void* cookie, const char* bytes, size_t size)
{
    OutputFile* file = cookie;
    size_t done = 0;
    while (done < size && file->error == 0)
    {
        ssize_t count = write(file->descriptor, bytes + done, size - done);
        if (count >= 0)
        {
            done += (size_t)count;
        }
        else if (errno != EINTR)
        {
            file->error = errno;
        }
    }
    errno = file->error;
    return (ssize_t)done;
}

/// @return false with errno
static bool open_stream(OutputFile* file)
{
    cookie_io_functions_t functions = { .write = write_descriptor };
    file->stream = file->descriptor != -1 ? fopencookie(file, "wb", functions) : NULL;
    return file->stream != NULL;
}

static void close_descriptor(OutputFile* file)
{
    if (file->descriptor > STDERR_FILENO && close(file->descriptor) != 0 && file->error == 0)
    {
        file->error = errno;
    }
}

static bool open_directly(OutputFile* file, const char* path)
{
    bool standard = strcmp(path, "-") == 0;
    file->path = strdup(standard ? "standard output" : path);
    fflush(stdout); // what was printed before comes before
    file->descriptor = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file->path != NULL && open_stream(file))
    {
        return true;
    }
    fail_path(path);
    close_descriptor(file);
    free(file->path);
    return false;
}

/// mkstemp gives 0600; a file that a program writes has what the umask leaves.
static void set_usual_mode(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
}

static bool open_temporary(OutputFile* file, const char* path)
{
    // The file that a symbolic link leads to is replaced, not the link.
    char* resolved = realpath(path, NULL);
    file->path = resolved != NULL ? resolved : strdup(path);
    size_t size = file->path != NULL ? strlen(file->path) + sizeof(".XXXXXX") : 0;
    file->temporary = size != 0 ? malloc(size) : NULL;
    if (file->temporary == NULL)
    {
        free(file->path);
        message_error("%s: no memory for its name", path);
        return false;
    }
    snprintf(file->temporary, size, "%s.XXXXXX", file->path);
    file->descriptor = mkstemp(file->temporary);
    if (!open_stream(file))
    {
        fail_path(path);
        close_descriptor(file);
        free(file->temporary);
        free(file->path);
        return false;
    }
    set_usual_mode(file->descriptor);
    return true;
}

/// Whether the path ends in one of the endings, in any case, with a name before it.
static bool has_ending(const char* path, const char* endings)
{
    size_t length = strlen(path);
    for (const char* at = endings; *at != '\0'; at += strspn(at, " "))
    {
        size_t size = strcspn(at, " ");
        if (length > size && path[length - size - 1] != '/' &&
            strncasecmp(path + length - size, at, size) == 0)
        {
            return true;
        }
        at += size;
    }
    return false;
}

/// ".vti, .nrrd or .npy"
static void join_endings(const char* endings, char* out, size_t capacity)
{
    size_t used = 0;
    for (const char* at = endings; *at != '\0' && used < capacity; at += strspn(at, " "))
    {
        int size = (int)strcspn(at, " ");
        bool last = at[size] == '\0';
        const char* between = used == 0 ? "" : last ? " or " : ", ";
        int written = snprintf(out + used, capacity - used, "%s%.*s", between, size, at);
        used += written > 0 ? (size_t)written : 0;
        at += size;
    }
}

ExitCode output_file_check(const char* who, const char* path, const char* endings)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    bool direct = strcmp(path, "-") == 0 || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
    if (!direct && endings != NULL && !(exists && S_ISDIR(status.st_mode)) && !has_ending(path, endings))
    {
        char list[128] = "";
        join_endings(endings, list, sizeof(list));
        message_error("%s %s: unknown kind of file; the name must end in %s", who, path, list);
        return EXIT_USAGE;
    }
    if (direct)
    {
        bool good = strcmp(path, "-") == 0 || access(path, W_OK) == 0;
        return good || fail_path(path) ? EXIT_DONE : EXIT_INPUT;
    }
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return EXIT_INPUT;
    }
    output_file_abandon(&file);
    return EXIT_DONE;
}

bool output_file_open(OutputFile* file, const char* path)
{
    memset(file, 0, sizeof(*file));
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    {
        errno = EISDIR;
        return fail_path(path);
    }
    bool direct = strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
    return direct ? open_directly(file, path) : open_temporary(file, path);
}

static void release(OutputFile* file)
{
    free(file->temporary);
    free(file->path);
    memset(file, 0, sizeof(*file));
}

/// Everything to the disk: where writing is delayed, a full disk is noticed only now. Devices and pipes
/// cannot.
static void synchronize(OutputFile* file)
{
    if (file->error == 0 && file->temporary != NULL && fsync(file->descriptor) != 0 && errno != EINVAL)
    {
        file->error = errno;
    }
}

bool output_file_commit(OutputFile* file)
{
    bool flushed = fclose(file->stream) == 0;
    synchronize(file);
    close_descriptor(file);
    if (file->error == 0 && !flushed)
    {
        file->error = EIO;
    }
    if (file->error == 0 && file->temporary != NULL && rename(file->temporary, file->path) != 0)
    {
        file->error = errno;
    }
    bool good = file->error == 0;
    if (!good)
    {
        errno = file->error;
        fail_path(file->path);
        if (file->temporary != NULL)
        {
            remove(file->temporary);
        }
    }
    release(file);
    return good;
}

void output_file_abandon(OutputFile* file)
{
    if (file->stream != NULL)
    {
        file->error = file->error != 0 ? file->error : ECANCELED; // what is still in the buffer is dropped
        fclose(file->stream);
        close_descriptor(file);
    }
    if (file->temporary != NULL)
    {
        remove(file->temporary);
    }
    release(file);
}
