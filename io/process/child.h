/// @file child.h
/// A program that runs beside this one and writes to a pipe: started without fork(), so that
/// hosts with threads are safe, read with a deadline, and ended whatever it does.
#ifndef ABUT_IO_CHILD_H
#define ABUT_IO_CHILD_H

#include <abut/base.h>
#include <sys/types.h>

typedef struct AbutIoChild
{
    pid_t pid; ///< 0: none
    int pipe;  ///< where its standard output arrives
} AbutIoChild;

typedef enum AbutIoChildRead
{
    ABUT_IO_CHILD_DATA,    ///< at least one byte
    ABUT_IO_CHILD_WAITING, ///< nothing within the time that was given
    ABUT_IO_CHILD_END,     ///< it has closed its output: done, or dead
    ABUT_IO_CHILD_ERROR    ///< the pipe cannot be read; errno says why
} AbutIoChildRead;

/// How a child has ended.
typedef enum AbutIoChildEnd
{
    ABUT_IO_CHILD_EXITED,  ///< with the status in `detail`
    ABUT_IO_CHILD_KILLED,  ///< by the signal in `detail`
    ABUT_IO_CHILD_UNKNOWN, ///< the host took its status away: it ignores SIGCHLD, or waits for any child
    ABUT_IO_CHILD_LINGERED ///< it closed its output and did not end within the time that was given: killed
} AbutIoChildEnd;

/// Starts `program` with standard input and error at /dev/null, signals at their defaults, and exactly that
/// environment. `arguments` begins with the name of the program; both lists end with NULL.
/// @return 0, or errno
int abut_io_child_start(const char* program, char* const* arguments, char* const* environment,
                        AbutIoChild* out);

/// Waits at most `seconds` for output and reads what there is, at most `size` bytes.
AbutIoChildRead abut_io_child_read(const AbutIoChild* child, double seconds, void* bytes, size_t size,
                                   size_t* count);

/// Gives a child that has closed its output `seconds` to end, and says how it did.
AbutIoChildEnd abut_io_child_wait(AbutIoChild* child, double seconds, int* detail);

/// Kills a child, if it still runs, and forgets it. Does nothing after abut_io_child_wait() or without a
/// child.
void abut_io_child_stop(AbutIoChild* child);

/// Seconds of a clock that never goes back.
double abut_io_clock(void);

#endif
