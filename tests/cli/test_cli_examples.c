// Every example of every --help page, of README.md and of docs/*.md runs, ends well and writes the files that
// it names.
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    LINE_SIZE = 512,
    MOST_LINES = 256
};

/// Shorter simulations, smaller pictures and coarser cells, the coarsest under slow sanitizers; all else
/// is as it is written. The last of several options wins, so that appending is enough.
static const char shorter[] = "abut() { case \"$1 $*\" in\n"
                              "  *' --replay '* | *' --save '* | *' --list'*) ;;\n"
                              "  'simulate '*' thousand '*) set -- \"$@\" --seconds 0.05 --bodies 40 ;;\n"
                              "  'simulate '*) set -- \"$@\" --seconds 0.05 ;;\n"
                              "  *' --res 512 '*) set -- \"$@\" --res 128 ;;\n"
                              "  esac\n"
                              "  case \"$SANITIZED $1 $*\" in\n"
                              "  '1 '*' --res '*) set -- \"$@\" --res 32 ;;\n"
                              "  esac\n"
                              "  case \"$1 $*\" in\n"
                              "  'slice '* | *' --picture '*) set -- \"$@\" --size 320x300 ;;\n"
                              "  esac; \"$ABUT_PROGRAM\" \"$@\"; }\n";

static const char make_files[] =
    "abut surface torus:0.04,0.015 --res 24 -o part.obj && abut surface part.obj -o part.stl &&"
    "abut surface 'union(torus:0.04,0.015;at(sphere:0.012;0.04,0.01,0))' --res 24 -o new.obj &&"
    "abut surface sphere:0.05 --res 10 -o ball.ply && abut surface ball.ply -o ball.obj &&"
    "sed '$d' ball.obj >scan.obj && abut surface scan.obj -o scan.ply &&"
    "abut surface 'union(sphere:0.06;at(sphere:0.04;0.05,0.05,0))' --res 14 -o bunny.obj &&"
    "abut bake part.obj -o part.abut --res 32 && abut bake box:1,1,1 -o box.abut --res 32 &&"
    "printf '0.3,0,0\\n0 0.05 0 0 0 0.3827 0.9239 # over it\\n' >poses.txt && cp poses.txt turns.txt &&"
    "printf '0.3 0.2 0 0.3 -0.2 0\\n' >motions.txt && printf '0 0 0\\n1 2 3\\n' >points.xyz &&"
    "printf '10000,0,0\\n10000.1,0,0\\n' >points.csv && ln -s \"$ABUT_SCENES\" scenes";

/// A folder with the files that examples read.
static void enter_new_folder(void)
{
    static int number;
    char line[64];
    snprintf(line, sizeof(line), "cp -a \"$ABUT_FOLDER/files\" \"$ABUT_FOLDER/%d\"", ++number);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof(line), "%s/%d", getenv("ABUT_FOLDER"), number);
    assert_int_equal(chdir(line), 0);
}

static int make_all_files(void** state)
{
    char folder[256], line[LINE_SIZE * 4];
    if (test_program_enter_folder(state) != 0 || getcwd(folder, sizeof(folder)) == NULL)
    {
        return 1;
    }
    setenv("ABUT_FOLDER", folder, 1);
    setenv("SANITIZED", TEST_IS_SANITIZED ? "1" : "0", 1);
    snprintf(line, sizeof(line), "mkdir files && cd files && %s", make_files);
    test_check_run(line, 0, "", "");
    return 0;
}

/// Every file that the line says it writes is there and has something in it.
static void check_files(const char* line)
{
    static const char* const marks[] = { " -o ", " --picture ", " --save ", " --record ", " > " };
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); ++i)
    {
        for (const char* at = strstr(line, marks[i]); at != NULL; at = strstr(at, marks[i]))
        {
            char path[LINE_SIZE];
            at += strlen(marks[i]);
            snprintf(path, sizeof(path), "%.*s", (int)strcspn(at, " \n"), at);
            struct stat status;
            bool written = strcmp(path, "-") == 0 || (stat(path, &status) == 0 && status.st_size > 0);
            if (!written)
            {
                fail_msg("%s\nleaves no %s", line, path);
            }
        }
    }
}

/// What the program was built without is said, and nothing is wrong with the example.
static bool is_missing_part(const TestRun* run)
{
    return strstr(run->err, "-DABUT_BUILD_BENCH=ON") != NULL || strstr(run->err, "built without") != NULL;
}

/// Pages share examples: one that has run need not again, unless others need what it writes.
static bool has_run(const char* line)
{
    static char lines[MOST_LINES][LINE_SIZE];
    static int count;
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(lines[i], line) == 0)
        {
            return strstr(line, "record") == NULL;
        }
    }
    assert_true(count < MOST_LINES);
    snprintf(lines[count++], LINE_SIZE, "%s", line);
    return false;
}

static void run_example(const char* line)
{
    // Benchmarks take minutes; tests/cli/test_cli.c has their list.
    if ((strncmp(line, "abut bench", 10) == 0 && strstr(line, "--list") == NULL) || has_run(line))
    {
        return;
    }
    char command[sizeof(shorter) + LINE_SIZE];
    snprintf(command, sizeof(command), "%s%s", shorter, line);
    TestRun run = test_run(command);
    // --fail asks for status 1 where solids touch.
    bool good = run.status == 0 || (run.status == 1 && strstr(line, "--fail") != NULL);
    if (!good && !is_missing_part(&run))
    {
        fail_msg("%s\nends with %d and says: %.2000s", line, run.status, run.err);
    }
    if (good)
    {
        check_files(line);
    }
    test_free_run(&run);
}

/// Lines of docs stand for two shapes as A and B; [ ] and | are for what one may write there, not for a
/// shell.
static bool make_example(const char* text, size_t length, char out[LINE_SIZE])
{
    snprintf(out, LINE_SIZE, "%.*s", (int)length, text);
    char* comment = strstr(out, "  #");
    if (comment != NULL)
    {
        *comment = '\0';
    }
    for (size_t end = strlen(out); end > 0 && out[end - 1] == ' '; --end)
    {
        out[end - 1] = '\0';
    }
    bool runs =
        strncmp(out, "abut ", 5) == 0 || strncmp(out, "echo ", 5) == 0 || strncmp(out, "seq ", 4) == 0;
    bool pattern = strpbrk(out, "[]") != NULL || strstr(out, "...") != NULL || strstr(out, " VERB") != NULL ||
                   strstr(out, " SCENE") != NULL || strstr(out, " FILE") != NULL;
    char* pair = strstr(out, " A ");
    if (pair != NULL)
    {
        char rest[LINE_SIZE];
        const char* b = strncmp(pair, " A B ", 5) == 0 ? " sphere:0.5 " : " ";
        snprintf(rest, sizeof(rest), "%s", pair + (strncmp(pair, " A B ", 5) == 0 ? 5 : 3));
        snprintf(pair, LINE_SIZE - (size_t)(pair - out), " torus:1,0.3%s%s", b, rest);
    }
    return runs && !pattern;
}

/// Runs all examples of a text: its lines that are indented by `indent`. Returns how many there were.
static int run_examples(const char* text, size_t indent)
{
    int count = 0;
    enter_new_folder();
    for (const char* line = text; *line != '\0';)
    {
        size_t length = strcspn(line, "\n");
        char example[LINE_SIZE];
        if (strspn(line, " ") == indent && make_example(line + indent, length - indent, example))
        {
            run_example(example);
            ++count;
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    return count;
}

static void test_examples_of_help_pages_run(void** state)
{
    (void)state;
    static const char* const verbs[] = { "",        "info",     "bake",      "query",   "slice",
                                         "surface", "points",   "decompose", "overlap", "collide",
                                         "sweep",   "simulate", "bench" };
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); ++i)
    {
        char line[64];
        snprintf(line, sizeof(line), "abut %s --help", verbs[i]);
        TestRun help = test_run(line);
        const char* examples = strstr(help.out, "\nExamples\n");
        assert_non_null(examples);
        assert_true(run_examples(examples, 2) >= 3);
        test_free_run(&help);
    }
}

static void run_page(const char* name, int least)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/../%s", getenv("ABUT_SCENES"), name);
    char* text = test_read_text(path);
    int count = run_examples(text, 4);
    print_message("%s: %d examples\n", name, count);
    assert_true(count >= least);
    free(text);
}

static void test_examples_of_the_readme_run(void** state)
{
    (void)state;
    run_page("README.md", 16);
}

static void test_examples_of_the_command_line_page_run(void** state)
{
    (void)state;
    run_page("docs/cli.md", 50);
}

static void test_every_verb_has_a_row_and_a_section_on_its_page(void** state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof(path), "%s/../docs/cli.md", getenv("ABUT_SCENES"));
    char* page = test_read_text(path);
    TestRun help = test_run("abut --help");
    int count = 0;
    char* list = strstr(help.out, "\nVerbs\n");
    assert_non_null(list);
    for (char* at = list + strlen("\nVerbs\n"); strncmp(at, "  ", 2) == 0; at = strchr(at, '\n') + 1, ++count)
    {
        int length = (int)strcspn(at + 2, " ");
        char row[128], section[64];
        snprintf(row, sizeof(row), "| [`%.*s`](#abut-%.*s) |", length, at + 2, length, at + 2);
        snprintf(section, sizeof(section), "\n## abut %.*s\n", length, at + 2);
        if (strstr(page, row) == NULL || strstr(page, section) == NULL)
        {
            fail_msg("docs/cli.md has no \"%s\" or no \"%s\"", row, section);
        }
    }
    assert_int_equal(count, 12);
    test_free_run(&help);
    free(page);
}

static void test_examples_of_other_pages_run(void** state)
{
    (void)state;
    run_page("docs/contacts.md", 6);
    run_page("docs/decompose.md", 1);
    run_page("docs/scenes.md", 5);
    run_page("docs/shapes.md", 3);
    run_page("docs/sweep.md", 7);
    run_page("docs/viewer.md", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_verb_has_a_row_and_a_section_on_its_page),
        cmocka_unit_test(test_examples_of_help_pages_run),
        cmocka_unit_test(test_examples_of_the_readme_run),
        cmocka_unit_test(test_examples_of_the_command_line_page_run),
        cmocka_unit_test(test_examples_of_other_pages_run),
    };
    return cmocka_run_group_tests(tests, make_all_files, test_program_leave_folder);
}
