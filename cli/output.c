// For realpath.
#define _XOPEN_SOURCE 700

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

bool output_finish(void)
{
    errno = output_error;
    bool lost = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !lost)
    {
        return true;
    }
    message_error("standard output: %s; the answer is not complete",
                  errno != 0 ? strerror(errno) : "write error");
    return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

static bool fail_path(const char* path)
{
    message_error("%s: cannot write: %s", path, strerror(errno));
    return false;
}

static bool open_directly(OutputFile* file, const char* path)
{
    bool standard = strcmp(path, "-") == 0;
    file->path = strdup(standard ? "standard output" : path);
    file->stream = standard ? stdout : fopen(path, "wb");
    if (file->path != NULL && file->stream != NULL)
    {
        return true;
    }
    free(file->path);
    return fail_path(path);
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
    int descriptor = mkstemp(file->temporary);
    file->stream = descriptor != -1 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL)
    {
        fail_path(path);
        free(file->temporary);
        free(file->path);
        return false;
    }
    set_usual_mode(descriptor);
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

bool output_file_commit(OutputFile* file)
{
    errno = 0;
    bool good = fflush(file->stream) == 0 && ferror(file->stream) == 0;
    int error = errno;
    if (file->stream != stdout && fclose(file->stream) != 0 && good)
    {
        good = false;
        error = errno;
    }
    if (good && file->temporary != NULL && rename(file->temporary, file->path) != 0)
    {
        good = false;
        error = errno;
    }
    if (!good)
    {
        errno = error != 0 ? error : EIO;
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
    if (file->stream != NULL && file->stream != stdout)
    {
        fclose(file->stream);
    }
    if (file->temporary != NULL)
    {
        remove(file->temporary);
    }
    release(file);
}
