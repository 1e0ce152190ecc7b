/// @file output.h
/// Where answers go: standard output, checked, and files that are whole or not there.
#ifndef ABUT_CLI_OUTPUT_H
#define ABUT_CLI_OUTPUT_H

#include "message.h"

#include <stdbool.h>
#include <stdio.h>

/// To be called first: makes sure that no file we open becomes standard output because the caller closed it,
/// and that a reader who leaves, or a file that gets too large, is an error we see, not a signal.
void output_prepare(void);

/// Writes to standard output. @return false when it fails; output_finish() then says why.
bool output_write(const void* data, size_t size);

/// Writes what standard output holds back; false when it or something before did not get there:
/// output_finish() says why.
bool output_flush(void);

/// Flushes standard output. @return false after a message when anything written to it was lost.
bool output_finish(void);

/// A file that takes its name only when all of it is written. Devices and pipes are written to directly, "-"
/// is standard output. It stays where it is in memory while it is open.
typedef struct OutputFile
{
    FILE* stream;
    int descriptor;  // behind the stream
    int error;       // errno of the first write that failed; 0 so far
    char* path;      // final name
    char* temporary; // name until then; NULL when written directly
} OutputFile;

/// Whether a file of that name could be written, before the work: a temporary file beside it is created and
/// removed. `endings` are the ones that `who` (a verb and its option, for the message) writes, apart by
/// blanks; NULL: any. Devices and pipes have no ending.
/// @return EXIT_USAGE or EXIT_INPUT after a message.
ExitCode output_file_check(const char* who, const char* path, const char* endings);

/// @return false after a message.
bool output_file_open(OutputFile* file, const char* path);

/// Closes the file and gives it its name. @return false after a message; then the old file, if any, is as it
/// was.
bool output_file_commit(OutputFile* file);

/// Closes and removes a file that is not going to be whole.
void output_file_abandon(OutputFile* file);

#endif
