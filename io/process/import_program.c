// dladdr() is not in POSIX.
#define _GNU_SOURCE
#include "io/process/import_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// From the folders of programs and of libraries to that of abut-import, and where that is when nothing was
// moved.
#if !defined(ABUT_IMPORT_FROM_BIN)
#define ABUT_IMPORT_FROM_BIN "../libexec/abut"
#endif
#if !defined(ABUT_IMPORT_FROM_LIB)
#define ABUT_IMPORT_FROM_LIB "../libexec/abut"
#endif
#if !defined(ABUT_IMPORT_FOLDER)
#define ABUT_IMPORT_FOLDER "/usr/local/libexec/abut"
#endif

static const char program_name[] = "abut-import";

/// folder/path/abut-import, when it can be executed.
static bool try_path(const char* folder, const char* path, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%s%s%s/%s", folder, *path != '\0' ? "/" : "", path, program_name);
    return length > 0 && length < PATH_MAX && access(out, X_OK) == 0;
}

/// Takes the last part off.
static bool cut_name(char path[PATH_MAX])
{
    char* slash = strrchr(path, '/');
    if (slash != NULL)
    {
        *slash = '\0';
    }
    return slash != NULL;
}

static bool folder_of_program(char out[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    out[length > 0 ? length : 0] = '\0';
    return length > 0 && cut_name(out);
}

static bool folder_of_library(char out[PATH_MAX])
{
    Dl_info info;
    if (dladdr(program_name, &info) == 0 || info.dli_fname == NULL)
    {
        return false;
    }
    int length = snprintf(out, PATH_MAX, "%s", info.dli_fname);
    return length > 0 && length < PATH_MAX && cut_name(out);
}

static bool find_program(char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (folder_of_program(folder) &&
        (try_path(folder, "", out) || try_path(folder, ABUT_IMPORT_FROM_BIN, out)))
    {
        return true;
    }
    return (folder_of_library(folder) && try_path(folder, ABUT_IMPORT_FROM_LIB, out)) ||
           try_path(ABUT_IMPORT_FOLDER, "", out);
}

/// A program with more rights than its user does not start what that user names.
static const char* trusted_environment(const char* name)
{
    bool plain = getuid() == geteuid() && getgid() == getegid();
    const char* value = plain ? getenv(name) : NULL;
    return value != NULL && *value != '\0' ? value : NULL;
}

AbutResult abut_io_import_program(const char* name, const char* chosen, char out[PATH_MAX])
{
    const char* given = chosen != NULL ? chosen : trusted_environment("ABUT_IMPORT");
    if (given != NULL)
    {
        int length = snprintf(out, PATH_MAX, "%s", given);
        return length < PATH_MAX
                   ? ABUT_OK
                   : abut_fail(ABUT_UNSUPPORTED, "%s: the path of %s is too long", name, program_name);
    }
    if (find_program(out))
    {
        return ABUT_OK;
    }
    return abut_fail(ABUT_UNSUPPORTED,
                     "%s: %s, the program that reads this format, is neither beside this one nor in %s; the "
                     "environment variable ABUT_IMPORT can name it",
                     name, program_name, ABUT_IMPORT_FOLDER);
}
