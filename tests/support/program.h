/// @file program.h
/// Running the command line in an empty folder.
#ifndef ABUT_TEST_PROGRAM_H
#define ABUT_TEST_PROGRAM_H

#include "support/support.h"

/// Setup and teardown of a group of tests: a folder that is theirs.
int test_program_enter_folder(void** state);
int test_program_leave_folder(void** state);

/// The caller frees the text.
char* test_read_text(const char* path);
void test_write_text(const char* path, const char* text);

typedef struct TestRun
{
    int status;
    char* out;
    char* err;
} TestRun;

/// Runs a line of shell in which `abut` is the program.
TestRun test_run(const char* line);
void test_free_run(TestRun* run);

/// Fails unless the line ends with that status and says `out` and `err` somewhere; nothing on stderr when it
/// is done and `err` is empty.
void test_check_run(const char* line, int status, const char* out, const char* err);

/// Fails unless the line prints a table of CSV that begins with `header` and has as many columns in every
/// line. Returns the number of lines after the header.
int test_check_table(const char* line, const char* header);

#endif
