#include "message.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Work shorter than this shows nothing.
#define PROGRESS_DELAY_SECONDS 2.0
#define PROGRESS_INTERVAL_NANOSECONDS 200000000

enum
{
    MESSAGE_SIZE = 8192
};

/// The work whose progress is shown. A thread of its own shows it, so that a long call that reports nothing
/// is seen to be at work, too.
static struct
{
    pthread_mutex_t mutex; // guards all others, and standard error while a line is written
    pthread_cond_t ended;
    pthread_t thread;
    bool runs, ends;
    bool line_shown;
    Progress progress;
    double done; // part; negative: not known
} shown = { .mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void clear_progress_line(void)
{
    if (shown.line_shown)
    {
        fputs("\r\033[K", stderr);
        shown.line_shown = false;
    }
}

void message_error(const char* format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    abut_text_sanitize(message); // names of files may hold anything, also what would steer a terminal
    pthread_mutex_lock(&shown.mutex);
    clear_progress_line();
    fprintf(stderr, "abut: %s\n", message);
    pthread_mutex_unlock(&shown.mutex);
}

void print_text(const char* text)
{
    char* copy = strdup(text);
    if (copy != NULL)
    {
        abut_text_sanitize(copy);
    }
    fputs(copy != NULL ? copy : "?", stdout);
    free(copy);
}

// -----------------------------------------------------------------------------------------------------------
// Progress
// -----------------------------------------------------------------------------------------------------------

static void print_progress_line(double now)
{
    double passed = now - shown.progress.start, done = shown.done;
    double left = passed * (1.0 - done) / fmax(done, 1e-6);
    if (passed < PROGRESS_DELAY_SECONDS)
    {
        return;
    }
    fprintf(stderr, "\r\033[Kabut: %s", shown.progress.what);
    if (done >= 0.0)
    {
        fprintf(stderr, " %3d %%", (int)(100.0 * fmin(done, 1.0)));
    }
    if (done > 0.001 && left < 360000.0)
    {
        fprintf(stderr, left < 100.0 ? ", %.0f s left" : ", %.0f min left",
                left < 100.0 ? ceil(left) : ceil(left / 60.0));
    }
    else
    {
        fprintf(stderr, ", %.0f s", floor(passed));
    }
    shown.line_shown = true;
}

static void* show_progress(void* unused)
{
    (void)unused;
    pthread_mutex_lock(&shown.mutex);
    while (!shown.ends)
    {
        print_progress_line(seconds_now());
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_INTERVAL_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&shown.ended, &shown.mutex, &until);
    }
    clear_progress_line();
    pthread_mutex_unlock(&shown.mutex);
    return NULL;
}

void progress_resume(const Progress* progress)
{
    progress_end();
    if (isatty(STDERR_FILENO))
    {
        shown.progress = *progress;
        shown.done = -1.0;
        shown.ends = false;
        shown.runs = pthread_create(&shown.thread, NULL, show_progress, NULL) == 0;
    }
}

Progress progress_start(const char* what)
{
    const Progress progress = { .what = what, .start = seconds_now() };
    progress_resume(&progress);
    return progress;
}

bool progress_show(void* user, float done)
{
    (void)user;
    pthread_mutex_lock(&shown.mutex);
    shown.done = (double)done;
    pthread_mutex_unlock(&shown.mutex);
    return true;
}

void progress_end(void)
{
    if (!shown.runs)
    {
        return;
    }
    pthread_mutex_lock(&shown.mutex);
    shown.ends = true;
    pthread_cond_signal(&shown.ended);
    pthread_mutex_unlock(&shown.mutex);
    pthread_join(shown.thread, NULL);
    shown.runs = false;
}
