// pipe2() is not in POSIX yet.
#define _GNU_SOURCE
#include "io/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
    WAIT_STEP_NANOSECONDS = 1000000 // between two looks whether a child has ended
};

double abut_io_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// -----------------------------------------------------------------------------------------------------------
// Start
// -----------------------------------------------------------------------------------------------------------

/// A host may have closed its standard streams: then a pipe would get one of their numbers, which the child
/// needs.
static bool raise_descriptor(int* file)
{
    if (*file > STDERR_FILENO)
    {
        return true;
    }
    int higher = fcntl(*file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher >= 0)
    {
        close(*file);
        *file = higher;
    }
    return higher >= 0;
}

/// @return 0, or errno
static int open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
    {
        return errno;
    }
    if (raise_descriptor(&ends[0]) && raise_descriptor(&ends[1]))
    {
        return 0;
    }
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return error;
}

static int set_files(posix_spawn_file_actions_t* actions, int output)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    error = error == 0 ? posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO) : error;
    return error == 0 ? posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
                      : error;
}

/// The host may block or ignore signals; the child starts as a shell would start it.
static int set_signals(posix_spawnattr_t* attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error == 0 ? posix_spawnattr_setsigdefault(attributes, &all) : error;
    return error == 0 ? posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
                      : error;
}

static int spawn(const char* program, char* const* arguments, char* const* environment, int output,
                 pid_t* pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
    {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0)
    {
        error = set_files(&actions, output);
        error = error == 0 ? set_signals(&attributes) : error;
        error = error == 0 ? posix_spawn(pid, program, &actions, &attributes, arguments, environment) : error;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int abut_io_child_start(const char* program, char* const* arguments, char* const* environment,
                        AbutIoChild* out)
{
    int ends[2];
    int error = open_pipe(ends);
    if (error != 0)
    {
        return error;
    }
    pid_t pid = 0;
    error = spawn(program, arguments, environment, ends[1], &pid);
    close(ends[1]);
    if (error != 0)
    {
        close(ends[0]);
        return error;
    }
    *out = (AbutIoChild){ pid, ends[0] };
    return 0;
}

// -----------------------------------------------------------------------------------------------------------
// Output and end
// -----------------------------------------------------------------------------------------------------------

AbutIoChildRead abut_io_child_read(const AbutIoChild* child, double seconds, void* bytes, size_t size,
                                   size_t* count)
{
    *count = 0;
    struct pollfd wait = { .fd = child->pipe, .events = POLLIN };
    int ready = poll(&wait, 1, seconds > 0.0 ? (int)(1e3 * (seconds < 1e6 ? seconds : 1e6)) + 1 : 0);
    if (ready <= 0)
    {
        return ready == 0 || errno == EINTR ? ABUT_IO_CHILD_WAITING : ABUT_IO_CHILD_ERROR;
    }
    ssize_t got = read(child->pipe, bytes, size);
    if (got < 0)
    {
        return errno == EINTR || errno == EAGAIN ? ABUT_IO_CHILD_WAITING : ABUT_IO_CHILD_ERROR;
    }
    *count = (size_t)got;
    return got > 0 ? ABUT_IO_CHILD_DATA : ABUT_IO_CHILD_END;
}

static AbutIoChildEnd describe(int status, int* detail)
{
    *detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return WIFSIGNALED(status) ? ABUT_IO_CHILD_KILLED : ABUT_IO_CHILD_EXITED;
}

AbutIoChildEnd abut_io_child_wait(AbutIoChild* child, double seconds, int* detail)
{
    *detail = 0;
    double deadline = abut_io_clock() + seconds;
    int status = 0;
    pid_t ended = 0;
    while (ended == 0)
    {
        ended = waitpid(child->pid, &status, WNOHANG);
        ended = ended < 0 && errno == EINTR ? 0 : ended;
        if (ended == 0 && abut_io_clock() >= deadline)
        {
            abut_io_child_stop(child);
            return ABUT_IO_CHILD_LINGERED;
        }
        if (ended == 0)
        {
            nanosleep(&(struct timespec){ .tv_nsec = WAIT_STEP_NANOSECONDS }, NULL);
        }
    }
    close(child->pipe);
    *child = (AbutIoChild){ 0, -1 };
    return ended < 0 ? ABUT_IO_CHILD_UNKNOWN : describe(status, detail);
}

void abut_io_child_stop(AbutIoChild* child)
{
    if (child->pid == 0)
    {
        return;
    }
    int status = 0;
    pid_t ended = waitpid(child->pid, &status, WNOHANG);
    if (ended == 0) // still ours: its number is not used again before we have waited for it
    {
        kill(child->pid, SIGKILL);
        while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        {
        }
    }
    close(child->pipe);
    *child = (AbutIoChild){ 0, -1 };
}
