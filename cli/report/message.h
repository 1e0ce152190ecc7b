/// @file message.h
/// What the program says to people: errors and progress on stderr.
#ifndef ABUT_CLI_MESSAGE_H
#define ABUT_CLI_MESSAGE_H

#include <abut/base.h>

/// How the program ends.
typedef enum ExitCode
{
    EXIT_DONE = 0,
    EXIT_ANSWER = 1,        ///< an answer that the caller asked to fail on
    EXIT_USAGE = 2,         ///< the command line cannot be understood
    EXIT_INPUT = 3,         ///< what it names cannot be read, is wrong, or the answer cannot be written
    EXIT_INTERRUPTED = 130, ///< by Ctrl-C; what was there is written
} ExitCode;

/// "abut: <message>" on a line of stderr of its own, also when a progress line stands there.
void message_error(const char* format, ...) ABUT_PRINTF(1, 2);

/// A name of a file, shape or scene on stdout, cleaned by abut_text_sanitize().
void print_text(const char* text);

/// Progress of one piece of work, on stderr when that is a terminal and the work takes over two seconds: a
/// percentage and the time left when the work reports how far it is, else the seconds that it has taken. One
/// at a time.
typedef struct Progress
{
    const char* what; ///< "baking"
    double start;
} Progress;

Progress progress_start(const char* what);

/// Shows it again after progress_end(), as begun when it was.
void progress_resume(const Progress* progress);

/// An AbutProgressFn whose user is a Progress; never asks to stop. From any thread.
bool progress_show(void* progress, float done);

/// Takes the line off the terminal; nothing is shown until the next start.
void progress_end(void);

/// Seconds on a clock that never goes back.
double seconds_now(void);

#endif
