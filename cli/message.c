#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/// Work shorter than this shows nothing.
#define PROGRESS_DELAY_SECONDS 2.0
#define PROGRESS_INTERVAL_SECONDS 0.1

enum
{
    MESSAGE_SIZE = 8192
};

static bool progress_line_shown;

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void clear_progress_line(void)
{
    if (progress_line_shown)
    {
        fputs("\r\033[K", stderr);
        progress_line_shown = false;
    }
}

void message_error(const char* format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    // Names of files may hold anything, also what would steer a terminal.
    for (char* at = message; *at != '\0'; ++at)
    {
        unsigned char byte = (unsigned char)*at;
        *at = byte < 0x20 || byte == 0x7F ? '?' : *at;
    }
    clear_progress_line();
    fprintf(stderr, "abut: %s\n", message);
}

Progress progress_start(const char* what)
{
    return (Progress){ .what = what, .start = seconds_now(), .shown = 0.0 };
}

bool progress_show(void* user, float done)
{
    Progress* progress = user;
    double now = seconds_now();
    double last = progress->shown > 0.0 ? progress->shown + PROGRESS_INTERVAL_SECONDS
                                        : progress->start + PROGRESS_DELAY_SECONDS;
    if (now >= last && isatty(STDERR_FILENO))
    {
        double left = (now - progress->start) * (1.0 - (double)done) / fmax((double)done, 1e-6);
        fprintf(stderr, "\r\033[Kabut: %s %3d %%", progress->what, (int)(100.0f * done));
        if (done > 0.01f && left < 360000.0)
        {
            fprintf(stderr, left < 100.0 ? ", %.0f s left" : ", %.0f min left",
                    left < 100.0 ? ceil(left) : ceil(left / 60.0));
        }
        progress->shown = now;
        progress_line_shown = true;
    }
    return true;
}

void progress_end(void)
{
    clear_progress_line();
}
