// Every format that is not ours is read by abut-import, a program that has assimp inside. It runs twice at
// the same time, in memory that was filled with different bytes: an answer that depends on memory nobody has
// written differs between the two.
#include "io/process/assimp.h"

#include "io/input.h"

#include <string.h>

#if defined(ABUT_WITH_ASSIMP)

#include "io/process/child.h"
#include "io/process/import_program.h"
#include "io/process/import_scene.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    FILE_BYTES_MAX = 1 << 30,     // larger files are not given to a parser that is not ours
    READ_SIZE = 1 << 18,          // bytes taken from a pipe at a time
    DEFAULT_MEMORY_PER_BYTE = 32, // of the file
    REPLY_PER_BYTE = 512,         // of the file: bytes that a scene may have ...
    REPLY_MIN = 1 << 27,          // ... and what small files are allowed in any case
    CORNERS_PER_BYTE = 64,        // of the file, that instances may add up to ...
    CORNERS_MIN = 1 << 24,        // ... and what small files are allowed in any case
    RUNS = 2,
    ARGUMENTS = 5,
    NUMBER_SIZE = 24
};

static const uint64_t DEFAULT_MEMORY = UINT64_C(2) << 30; // bytes, and more for large files
static const double DEFAULT_SECONDS = 60.0;               // and more for large files
static const double DEFAULT_SECONDS_PER_BYTE = 1e-6;      // one more for each megabyte
static const double SECONDS_MAX = 1e6;
static const double PROGRESS_SECONDS = 0.05; // between two calls of the progress callback
static const double END_SECONDS = 2.0;       // from the end of an answer to that of the program

/// glibc fills memory with the complement of the number when it is asked for, and with the number when it is
/// given back, unless a list of small blocks is used. Other C libraries take no notice.
static const struct
{
    const char* fill;
    const char* tunables;
} runs[RUNS] = {
    { "0", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=255" },
    { "66", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=189" },
};

typedef struct Import
{
    AbutIoLoad* load;
    char program[PATH_MAX];
    uint64_t memory; // bytes, of each run
    double seconds;  // of both together
    double deadline;
    AbutIoChild children[RUNS];
    AbutIoArray reply; // char; of the first run
} Import;

// -----------------------------------------------------------------------------------------------------------
// Limits
// -----------------------------------------------------------------------------------------------------------

/// A positive number in the environment; 0 when there is none.
static AbutResult read_environment(const Import* import, const char* variable, double* out)
{
    const char* text = getenv(variable);
    *out = 0.0;
    if (text == NULL || *text == '\0')
    {
        return ABUT_OK;
    }
    const char* end = abut_number_parse(text, text + strlen(text), out);
    bool good = end != NULL && *end == '\0' && *out > 0.0;
    return good ? ABUT_OK
                : abut_fail(ABUT_INVALID_ARGUMENT,
                            "%s: the environment variable %s must be a positive number, not '%.64s'",
                            import->load->name, variable, text);
}

static AbutResult set_limits(Import* import, const AbutMeshLoadDef* def)
{
    double size = (double)import->load->size;
    double seconds = 0.0, mebibytes = 0.0;
    AbutResult result = read_environment(import, "ABUT_IMPORT_SECONDS", &seconds);
    result = result == ABUT_OK ? read_environment(import, "ABUT_IMPORT_MIB", &mebibytes) : result;
    seconds = def->import_seconds > 0.0 ? def->import_seconds : seconds;
    seconds = seconds > 0.0 ? seconds : DEFAULT_SECONDS + DEFAULT_SECONDS_PER_BYTE * size;
    import->seconds = seconds < SECONDS_MAX ? seconds : SECONDS_MAX;
    double bytes = fmin(mebibytes * 0x1p20, 0x1p62);
    import->memory = def->import_bytes > 0 ? def->import_bytes
                     : bytes > 0.0         ? (uint64_t)bytes
                                   : DEFAULT_MEMORY + DEFAULT_MEMORY_PER_BYTE * (uint64_t)import->load->size;
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

/// What the dynamic linker of the child needs to find assimp; NULL when nothing is set.
static char* library_path(void)
{
    extern char** environ;
    static const char prefix[] = "LD_LIBRARY_PATH=";
    for (char** entry = environ; entry != NULL && *entry != NULL; ++entry)
    {
        if (strncmp(*entry, prefix, sizeof(prefix) - 1) == 0)
        {
            return *entry;
        }
    }
    return NULL;
}

static AbutResult start_run(Import* import, int run)
{
    char memory[NUMBER_SIZE], seconds[NUMBER_SIZE];
    snprintf(memory, sizeof(memory), "%" PRIu64, import->memory);
    snprintf(seconds, sizeof(seconds), "%.0f", ceil(import->seconds) + 1.0);
    char* arguments[ARGUMENTS + 1] = { import->program,           memory, seconds, (char*)runs[run].fill,
                                       (char*)import->load->name, NULL };
    char* environment[] = { "LC_ALL=C", (char*)runs[run].tunables, library_path(), NULL };
    int error = abut_io_child_start(import->program, arguments, environment, &import->children[run]);
    return error == 0
               ? ABUT_OK
               : abut_fail(ABUT_UNSUPPORTED, "%s: cannot start %s, the program that reads this format: %s",
                           import->load->name, import->program, strerror(error));
}

static AbutResult fail_time(const Import* import)
{
    return abut_fail(
        ABUT_LIMIT_EXCEEDED,
        "%s: assimp took more than the %g s that it may (import_seconds, or ABUT_IMPORT_SECONDS)",
        import->load->name, import->seconds);
}

/// Reads what has arrived. `*end` is set when there is nothing more to come.
static AbutResult read_run(Import* import, int run, char* bytes, size_t size, size_t* count, bool* end)
{
    double left = import->deadline - abut_io_clock();
    AbutIoChildRead state =
        abut_io_child_read(&import->children[run], fmin(left, PROGRESS_SECONDS), bytes, size, count);
    *end = state == ABUT_IO_CHILD_END;
    if (state == ABUT_IO_CHILD_ERROR)
    {
        return abut_fail(ABUT_IO_ERROR, "%s: the pipe from abut-import cannot be read", import->load->name);
    }
    if (state != ABUT_IO_CHILD_END && left <= 0.0)
    {
        return fail_time(import);
    }
    return abut_io_report_progress(import->load, run == 0 ? 0 : import->load->size / 2);
}

static const char* signal_meaning(int number)
{
    switch (number)
    {
    case SIGSEGV:
    case SIGBUS:
        return "it read or wrote memory that is not its own";
    case SIGABRT:
        return "it noticed a fault of its own";
    case SIGILL:
    case SIGFPE:
        return "an instruction that cannot be done";
    case SIGKILL:
        return "killed, perhaps for want of memory";
    default:
        return "killed";
    }
}

/// A run that has closed its output must have ended well.
static AbutResult finish_run(Import* import, int run)
{
    const char* name = import->load->name;
    int detail = 0;
    switch (abut_io_child_wait(&import->children[run], END_SECONDS, &detail))
    {
    case ABUT_IO_CHILD_EXITED:
        return detail == 0
                   ? ABUT_OK
                   : abut_fail(ABUT_INVALID_DATA,
                               "%s: assimp gave up on it: abut-import ended with status %d", name, detail);
    case ABUT_IO_CHILD_KILLED:
        return detail == SIGXCPU ? fail_time(import)
                                 : abut_fail(ABUT_INVALID_DATA, "%s: assimp crashed on it: signal %d, %s",
                                             name, detail, signal_meaning(detail));
    case ABUT_IO_CHILD_LINGERED:
    case ABUT_IO_CHILD_UNKNOWN:
    default:
        return ABUT_OK; // whether the answer is whole, the mark at its end says
    }
}

/// The answer of the first run. A file of a few bytes may declare many vertices, and assimp makes them up.
static AbutResult collect_reply(Import* import)
{
    uint64_t most = REPLY_MIN + (uint64_t)REPLY_PER_BYTE * import->load->size;
    most = most < import->memory ? most : import->memory;
    AbutIoArray* reply = &import->reply;
    AbutResult result = ABUT_OK;
    for (bool end = false; !end && result == ABUT_OK;)
    {
        if (!abut_io_array_reserve(&import->load->host, reply, READ_SIZE))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        size_t count = 0;
        result = read_run(import, 0, (char*)reply->items + reply->count, READ_SIZE, &count, &end);
        reply->count += count;
        if (result == ABUT_OK && reply->count > most)
        {
            result =
                abut_fail(ABUT_LIMIT_EXCEEDED, "%s: what assimp made of it has more than %" PRIu64 " bytes%s",
                          import->load->name, most,
                          most == import->memory ? " (import_bytes, or ABUT_IMPORT_MIB)" : "");
        }
    }
    return result == ABUT_OK ? finish_run(import, 0) : result;
}

static AbutResult fail_different(const Import* import, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA,
                     "%s: assimp reads it differently each time (%s): it uses memory that it has not written",
                     import->load->name, what);
}

/// The second run must answer the same.
static AbutResult compare_reply(Import* import, char* bytes)
{
    const AbutIoArray* reply = &import->reply;
    size_t done = 0;
    AbutResult result = ABUT_OK;
    for (bool end = false; !end && result == ABUT_OK;)
    {
        size_t count = 0;
        result = read_run(import, 1, bytes, READ_SIZE, &count, &end);
        bool same =
            count <= reply->count - done && memcmp(bytes, (const char*)reply->items + done, count) == 0;
        if (result == ABUT_OK && !same)
        {
            return fail_different(import, "numbers differ");
        }
        done += count;
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    result = finish_run(import, 1);
    return result == ABUT_INVALID_DATA                 ? fail_different(import, "one of two runs crashed")
           : result == ABUT_OK && done != reply->count ? fail_different(import, "one of two runs ended early")
                                                       : result;
}

static AbutResult run_twice(Import* import)
{
    char* bytes = abut_io_allocate(&import->load->host, READ_SIZE);
    AbutResult result = bytes != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    import->deadline = abut_io_clock() + import->seconds;
    for (int run = 0; run < RUNS && result == ABUT_OK; ++run)
    {
        result = start_run(import, run);
    }
    result = result == ABUT_OK ? collect_reply(import) : result;
    result = result == ABUT_OK ? compare_reply(import, bytes) : result;
    for (int run = 0; run < RUNS; ++run)
    {
        abut_io_child_stop(&import->children[run]);
    }
    abut_io_free(&import->load->host, bytes, READ_SIZE);
    return result;
}

AbutResult abut_io_assimp_read(AbutIoLoad* load, const AbutMeshLoadDef* def, AbutIoBuilder* builder)
{
    size_t most = def->max_bytes < FILE_BYTES_MAX ? def->max_bytes : FILE_BYTES_MAX;
    Import import = { .load = load, .reply.item_size = 1 };
    AbutResult result = abut_io_input_check(load->name, most, &load->size);
    result = result == ABUT_OK ? abut_io_report_progress(load, 0) : result;
    result = result == ABUT_OK ? set_limits(&import, def) : result;
    result =
        result == ABUT_OK ? abut_io_import_program(load->name, def->import_program, import.program) : result;
    result = result == ABUT_OK ? run_twice(&import) : result;
    uint64_t corner_limit = CORNERS_MIN + (uint64_t)CORNERS_PER_BYTE * load->size;
    if (result == ABUT_OK)
    {
        result = abut_io_import_parse(load, import.reply.items, import.reply.count, corner_limit, builder);
    }
    abut_io_array_free(&load->host, &import.reply);
    return result;
}

#else

AbutResult abut_io_assimp_read(AbutIoLoad* load, const AbutMeshLoadDef* def, AbutIoBuilder* builder)
{
    (void)builder;
    size_t size;
    AbutResult result = abut_io_input_check(load->name, def->max_bytes, &size);
    if (result != ABUT_OK)
    {
        return result;
    }
    const char* slash = strrchr(load->name, '/');
    const char* dot = strrchr(slash != NULL ? slash : load->name, '.');
    return abut_fail(
        ABUT_UNSUPPORTED,
        "%s: this build reads obj, stl, ply only, not '%.32s'; others need assimp (-DABUT_WITH_ASSIMP=ON)",
        load->name, dot != NULL ? dot : "");
}

#endif
