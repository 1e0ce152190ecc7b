#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/abut_cli_XXXXXX";

int test_program_enter_folder(void** state)
{
    (void)state;
    const char* program = getenv("ABUT_PROGRAM");
    if (program == NULL || access(program, X_OK) != 0)
    {
        print_error("ABUT_PROGRAM does not name the program\n");
        return 1;
    }
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

int test_program_leave_folder(void** state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

char* test_read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* text = calloc((size_t)size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

void test_write_text(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TestRun test_run(const char* line)
{
    char command[4096];
    snprintf(command, sizeof(command), "abut() { \"$ABUT_PROGRAM\" \"$@\"; }; { %s\n} >.out 2>.err", line);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return (TestRun){ WEXITSTATUS(status), test_read_text(".out"), test_read_text(".err") };
}

void test_free_run(TestRun* result)
{
    free(result->out);
    free(result->err);
}

void test_check_run(const char* line, int status, const char* out, const char* err)
{
    TestRun result = test_run(line);
    if (result.status != status || strstr(result.out, out) == NULL || strstr(result.err, err) == NULL)
    {
        fail_msg("%s\nstatus %d, expected %d\nstdout: %.2000s\nexpected: %s\nstderr: %.2000s\nexpected: %s",
                 line, result.status, status, result.out, out, result.err, err);
    }
    if (status == 0 && err[0] == '\0' && result.err[0] != '\0')
    {
        fail_msg("%s\nsays on stderr: %s", line, result.err);
    }
    test_free_run(&result);
}

static int count_commas(const char* text, const char* end)
{
    int count = 0;
    for (; text < end; ++text)
    {
        count += *text == ',' ? 1 : 0;
    }
    return count;
}

int test_check_table(const char* line, const char* header)
{
    TestRun run = test_run(line);
    assert_int_equal(run.status, 0);
    const char* end = strchr(run.out, '\n');
    assert_non_null(end);
    assert_memory_equal(run.out, header, strlen(header));
    int columns = count_commas(run.out, end), lines = 0;
    for (const char* at = end + 1; *at != '\0'; at = end + 1, ++lines)
    {
        end = strchr(at, '\n');
        assert_int_equal(count_commas(at, end), columns);
    }
    test_free_run(&run);
    return lines;
}
