// The program that runs assimp, at arm's length: whatever it does, the library returns a result and a
// message. Shell scripts stand in for a program that crashes, hangs, talks without end or answers nonsense.
#include "support/meshes/mesh_check.h"
#include "support/meshes/mesh_files.h"

#include "io/process/import_format.h"
#include "io/process/import_scene.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count_descriptors(void)
{
    int count = 0;
    DIR* folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
    {
        ++count;
    }
    if (folder != NULL)
    {
        closedir(folder);
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

static void put_u32(TestText* text, uint32_t value)
{
    test_text_append(text, &value, sizeof(value));
}

static void put_f32(TestText* text, float value)
{
    test_text_append(text, &value, sizeof(value));
}

static void begin_answer(TestText* text, uint32_t status)
{
    test_text_print(text, ABUT_IMPORT_MAGIC);
    put_u32(text, status);
}

static void put_node(TestText* text, uint32_t parent, float scale, uint32_t mesh)
{
    put_u32(text, parent);
    for (int i = 0; i < 12; ++i)
    {
        put_f32(text, i % 5 == 0 ? scale : 0.0f);
    }
    put_u32(text, 1);
    put_u32(text, mesh);
}

/// A tetrahedron, and a second one of twice the size and mirrored.
static TestText make_answer(void)
{
    static const uint32_t corners[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    TestText text = { 0 };
    begin_answer(&text, ABUT_IMPORT_SCENE);
    put_u32(&text, 1);
    put_u32(&text, 5);
    test_text_append(&text, "t\033\xff]0", 5);
    put_u32(&text, 4);
    put_u32(&text, 4);
    put_u32(&text, 12);
    for (int i = 0; i < 12; ++i)
    {
        put_f32(&text, i > 2 && (i - 3) % 4 == 0 ? 1.0f : 0.0f);
    }
    for (int i = 0; i < 4; ++i)
    {
        put_u32(&text, 3);
    }
    test_text_append(&text, corners, sizeof(corners));
    put_u32(&text, 2);
    put_node(&text, ABUT_IMPORT_ROOT, 1.0f, 0);
    put_node(&text, 0, -2.0f, 0);
    put_u32(&text, ABUT_IMPORT_END);
    return text;
}

static AbutResult parse_answer(const void* bytes, size_t size, uint64_t corner_limit, AbutMesh** out)
{
    AbutIoLoad load = { .host = abut_host_default(), .name = "part.off", .size = 100, .progress_span = 1.0f };
    AbutIoBuilder builder = abut_io_builder_make(&load.host);
    AbutResult result = abut_io_import_parse(&load, bytes, size, corner_limit, &builder);
    *out = NULL;
    result = result == ABUT_OK ? abut_io_finish(&load, &builder, out) : result;
    abut_io_builder_free(&builder);
    return result;
}

static void test_answers_become_meshes_and_every_part_of_one_is_refused(void** state)
{
    (void)state;
    TestText answer = make_answer();
    AbutMesh* mesh = NULL;
    test_assert_result(parse_answer(answer.bytes, answer.size, 24, &mesh), ABUT_OK);
    test_assert_near(test_mesh_volume(mesh), (1.0 + 8.0) / 6.0, 1e-6); // mirrored, and still not inside out
    abut_mesh_destroy(mesh);
    test_assert_result(parse_answer(answer.bytes, answer.size, 23, &mesh), ABUT_LIMIT_EXCEEDED);
    for (size_t size = 0; size < answer.size; ++size)
    {
        char* part = malloc(size + 1); // so that a sanitizer sees what is read behind it
        memcpy(part, answer.bytes, size);
        part = realloc(part, size > 0 ? size : 1);
        test_assert_result(parse_answer(part, size, 1000, &mesh), ABUT_INVALID_DATA);
        assert_non_null(strstr(abut_last_error(), "part.off: the answer of abut-import is broken at byte "));
        free(part);
    }
    test_text_append(&answer, "x", 1);
    test_assert_result(parse_answer(answer.bytes, answer.size, 1000, &mesh), ABUT_INVALID_DATA);
    test_text_free(&answer);
}

/// Every word of the answer takes hostile values in turn: a mesh that is finite and in range, or a message.
static void test_hostile_answers_are_meshes_or_messages(void** state)
{
    (void)state;
    static const uint32_t values[] = {
        0,          1,          2,          4,          0x7FFFFFFF, 0x80000000,
        0xFFFFFFFF, 0x7F800000, 0x7FC00000, 0x7F7FFFFF, 0x20000000, 0x40000001
    };
    TestText answer = make_answer();
    int refused = 0;
    for (size_t at = 0; at + 4 <= answer.size; ++at)
    {
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i)
        {
            char* copy = malloc(answer.size);
            memcpy(copy, answer.bytes, answer.size);
            memcpy(copy + at, &values[i], 4);
            AbutMesh* mesh = NULL;
            AbutResult result = parse_answer(copy, answer.size, 1000, &mesh);
            for (uint32_t k = 0; result == ABUT_OK && k < abut_mesh_vertex_count(mesh); ++k)
            {
                assert_true(abut_vec3_is_finite(abut_mesh_vertices(mesh)[k]));
            }
            for (const char* c = abut_last_error(); result != ABUT_OK && *c != '\0'; ++c)
            {
                assert_true((unsigned char)*c >= 0x20); // the name of the mesh would steer a terminal
            }
            refused += result != ABUT_OK;
            abut_mesh_destroy(mesh);
            free(copy);
        }
    }
    assert_true(refused > 1000);
    test_text_free(&answer);
}

// -----------------------------------------------------------------------------------------------------------
// Programs that misbehave
// -----------------------------------------------------------------------------------------------------------

/// A script in place of abut-import. $3 is "0" in the first run and another number in the second.
static const char* make_script(const char* lines)
{
    const char* path = test_temporary_path("import.sh");
    TestText text = { 0 };
    test_text_print(&text, "#!/bin/sh\n%s\n", lines);
    test_write_file(path, text.bytes, text.size);
    assert_int_equal(chmod(path, 0755), 0);
    test_text_free(&text);
    return path;
}

static const char* write_part(void)
{
    const char* path = test_temporary_path("part.off");
    test_write_file(path, "OFF", 3);
    return path;
}

/// Loads a file with the script, in an environment where nothing may be left over: no descriptor, no child.
static AbutResult load_with_script(const char* lines, AbutMeshLoadDef def, AbutMesh** mesh)
{
    int descriptors = count_descriptors();
    def.import_program = make_script(lines);
    AbutResult result = abut_mesh_load_with(&def, write_part(), mesh);
    assert_int_equal(count_descriptors(), descriptors);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return result;
}

static char answer_path[256];

static void write_answer(void)
{
    TestText answer = make_answer();
    snprintf(answer_path, sizeof(answer_path), "%s", test_temporary_path("answer"));
    test_write_file(answer_path, answer.bytes, answer.size);
    test_text_free(&answer);
}

typedef struct BadProgram
{
    const char* lines; ///< %s is the file with a good answer
    AbutResult result;
    const char* message;
} BadProgram;

static void check_program(const BadProgram* bad, AbutMeshLoadDef def)
{
    char lines[1024];
    snprintf(lines, sizeof(lines), bad->lines, answer_path, answer_path);
    AbutMesh* mesh = NULL;
    AbutResult result = load_with_script(lines, def, &mesh);
    if (result != bad->result || (result != ABUT_OK && strstr(abut_last_error(), bad->message) == NULL))
    {
        fail_msg("%s: %s, '%s'", lines, abut_result_name(result), result != ABUT_OK ? abut_last_error() : "");
    }
    assert_true((mesh != NULL) == (result == ABUT_OK));
    abut_mesh_destroy(mesh);
}

static void test_whatever_the_program_does_is_a_message(void** state)
{
    (void)state;
    test_skip_without_assimp();
    write_answer();
    static const BadProgram programs[] = {
        { "cat %s", ABUT_OK, "" },
        { "cat %s; exec >&-; sleep 0.2", ABUT_OK, "" },
        { "kill -SEGV $$", ABUT_INVALID_DATA, "part.off: assimp crashed on it: signal 11" },
        { "kill -ABRT $$", ABUT_INVALID_DATA, "assimp crashed on it: signal 6" },
        { "cat %s; kill -ABRT $$", ABUT_INVALID_DATA, "assimp crashed on it: signal 6" },
        { "kill -KILL $$", ABUT_INVALID_DATA, "killed, perhaps for want of memory" },
        { "kill -FPE $$", ABUT_INVALID_DATA, "assimp crashed on it: signal 8" },
        { "exit 0", ABUT_INVALID_DATA, "broken at byte 0: it ends too early" },
        { "cat %s; exit 7", ABUT_INVALID_DATA, "ended with status 7" },
        { "head -c 50 %s", ABUT_INVALID_DATA, "it ends too early" },
        { "cat %s; echo", ABUT_INVALID_DATA, "does not end where it should" },
        { "echo hello", ABUT_INVALID_DATA, "broken" },
        { "echo 0123456789abcdefg", ABUT_INVALID_DATA, "another program" },
        { "head -c 100000 /dev/zero", ABUT_INVALID_DATA, "another program" },
        { "if [ $3 = 0 ]; then cat %s; else head -c 90 %s; fi", ABUT_INVALID_DATA, "differently each time" },
        { "if [ $3 = 0 ]; then head -c 90 %s; else cat %s; fi", ABUT_INVALID_DATA, "differently each time" },
        { "cat %s; echo $3", ABUT_INVALID_DATA, "numbers differ" },
        { "cat %s; if [ $3 != 0 ]; then kill -SEGV $$; fi", ABUT_INVALID_DATA, "one of two runs crashed" },
        { "if [ $3 = 0 ]; then cat %s; else exit 1; fi", ABUT_INVALID_DATA, "differently each time" },
    };
    AbutMeshLoadDef def = abut_mesh_load_def();
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); ++i)
    {
        check_program(&programs[i], def);
    }
}

/// Beside this test.
static bool find_careless(char path[4096])
{
    ssize_t length = readlink("/proc/self/exe", path, 4000);
    path[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(path, '/');
    if (slash != NULL)
    {
        strcpy(slash, "/careless_import");
    }
    return slash != NULL && access(path, X_OK) == 0;
}

/// Scenes whose numbers are not reproducible: memory from malloc(), and memory that was in use before. Only
/// the malloc of glibc fills memory on request.
static void test_numbers_from_memory_that_nobody_wrote_are_refused(void** state)
{
    (void)state;
    test_skip_without_assimp();
    char program[4096];
#if defined(__GLIBC__)
    bool found = find_careless(program);
#else
    bool found = false;
#endif
    if (!found)
    {
        skip();
    }
    static const char* const names[] = { "plain.off", "fresh.off", "again.off" };
    for (size_t i = 0; i < 3; ++i)
    {
        AbutMeshLoadDef def = abut_mesh_load_def();
        def.import_program = program;
        const char* path = test_temporary_path(names[i]);
        test_write_file(path, "OFF", 3);
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_load_with(&def, path, &mesh);
        abut_mesh_destroy(mesh);
        test_assert_result(result, i == 0 ? ABUT_OK : ABUT_INVALID_DATA);
        assert_true(i == 0 || strstr(abut_last_error(), "differently each time (numbers differ)") != NULL);
    }
}

static void test_time_and_memory_of_the_program_are_limited(void** state)
{
    (void)state;
    test_skip_without_assimp();
    write_answer();
    static const BadProgram programs[] = {
        { "exec sleep 50", ABUT_LIMIT_EXCEEDED, "more than the 0.125 s that it may" },
        { "while :; do :; done", ABUT_LIMIT_EXCEEDED, "import_seconds" },
        { "trap '' TERM INT HUP PIPE; cat %s; while :; do :; done", ABUT_LIMIT_EXCEEDED, "import_seconds" },
        { "sleep 2 & exit 0", ABUT_LIMIT_EXCEEDED, "import_seconds" }, // who keeps the pipe open
        { "cat %s; if [ $3 != 0 ]; then exec sleep 50; fi", ABUT_LIMIT_EXCEEDED, "import_seconds" },
        { "while :; do sleep 0.01; echo x; done", ABUT_LIMIT_EXCEEDED, "import_seconds" },
    };
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.import_seconds = 0.125;
    double start = test_seconds_now();
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); ++i)
    {
        check_program(&programs[i], def);
    }
    assert_true(test_seconds_now() - start < 60.0);
    def = abut_mesh_load_def();
    def.import_bytes = 1 << 20;
    check_program(&(BadProgram){ "yes", ABUT_LIMIT_EXCEEDED, "more than 1048576 bytes (import_bytes" }, def);
}

static void test_limits_come_from_the_environment_where_the_def_has_none(void** state)
{
    (void)state;
    test_skip_without_assimp();
    const BadProgram sleeps = { "exec sleep 50", ABUT_LIMIT_EXCEEDED, "more than the 0.125 s" };
    const BadProgram talks = { "yes", ABUT_LIMIT_EXCEEDED, "more than 2097152 bytes" };
    setenv("ABUT_IMPORT_SECONDS", "0.125", 1);
    setenv("ABUT_IMPORT_MIB", "2", 1);
    check_program(&sleeps, abut_mesh_load_def());
    unsetenv("ABUT_IMPORT_SECONDS");
    check_program(&talks, abut_mesh_load_def());
    unsetenv("ABUT_IMPORT_MIB");
    static const char* const bad[] = { "0", "-1", "abc", "1x", "nan", "inf" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        setenv("ABUT_IMPORT_SECONDS", bad[i], 1);
        check_program(&(BadProgram){ "exit 0", ABUT_INVALID_ARGUMENT, "ABUT_IMPORT_SECONDS must be" },
                      abut_mesh_load_def());
    }
    unsetenv("ABUT_IMPORT_SECONDS");
}

static bool cancel_later(void* user, float done)
{
    (void)done;
    int* calls = user;
    return ++*calls < 4;
}

static void test_progress_can_stop_a_program_that_hangs(void** state)
{
    (void)state;
    test_skip_without_assimp();
    int calls = 0;
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.progress = cancel_later;
    def.progress_user = &calls;
    double start = test_seconds_now();
    check_program(&(BadProgram){ "exec sleep 50", ABUT_CANCELLED, "cancelled" }, def);
    assert_true(test_seconds_now() - start < 20.0);
}

static void test_a_missing_program_is_named(void** state)
{
    (void)state;
    test_skip_without_assimp();
    AbutMeshLoadDef def = abut_mesh_load_def();
    AbutMesh* mesh = NULL;
    def.import_program = "/nowhere/abut-import";
    test_assert_result(abut_mesh_load_with(&def, write_part(), &mesh), ABUT_UNSUPPORTED);
    assert_non_null(strstr(abut_last_error(), "cannot start /nowhere/abut-import"));
    def.import_program = NULL;
    char before[512] = "";
    const char* old = getenv("ABUT_IMPORT");
    snprintf(before, sizeof(before), "%s", old != NULL ? old : "");
    setenv("ABUT_IMPORT", "/elsewhere/abut-import", 1);
    test_assert_result(abut_mesh_load_with(&def, write_part(), &mesh), ABUT_UNSUPPORTED);
    assert_non_null(strstr(abut_last_error(), "cannot start /elsewhere/abut-import"));
    unsetenv("ABUT_IMPORT");
    if (before[0] != '\0')
    {
        setenv("ABUT_IMPORT", before, 1);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Hosts
// -----------------------------------------------------------------------------------------------------------

static const char good_off[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

static AbutResult load_good(const char* path)
{
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load(path, &mesh);
    if (result == ABUT_OK && abut_mesh_triangle_count(mesh) != 4)
    {
        result = ABUT_INVALID_DATA;
    }
    abut_mesh_destroy(mesh);
    return result;
}

static void* load_often(void* context)
{
    static AbutResult results[ABUT_RESULT_COUNT];
    AbutResult result = ABUT_OK;
    for (int i = 0; i < 4 && result == ABUT_OK; ++i)
    {
        result = load_good(context);
    }
    return &results[result];
}

/// Streams that are closed, signals that are ignored or blocked, several threads at once.
static void test_hosts_of_any_kind_can_import(void** state)
{
    (void)state;
    test_skip_without_assimp();
    char path[256];
    snprintf(path, sizeof(path), "%s", test_temporary_path("good.off"));
    test_write_file(path, good_off, strlen(good_off));
    test_assert_result(load_good(path), ABUT_OK);

    void (*old)(int) = signal(SIGCHLD, SIG_IGN);
    AbutResult ignored = load_good(path);
    signal(SIGCHLD, old);
    test_assert_result(ignored, ABUT_OK);

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    AbutResult blocked = load_good(path);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    test_assert_result(blocked, ABUT_OK);

    fflush(NULL);
    int kept[3];
    for (int i = 0; i < 3; ++i)
    {
        kept[i] = fcntl(i, F_DUPFD, 10);
        close(i);
    }
    AbutResult closed = load_good(path);
    for (int i = 0; i < 3; ++i)
    {
        dup2(kept[i], i);
        close(kept[i]);
    }
    test_assert_result(closed, ABUT_OK);

    pthread_t threads[4];
    void* first = NULL;
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal(pthread_create(&threads[i], NULL, load_often, path), 0);
    }
    for (int i = 0; i < 4; ++i)
    {
        void* result = NULL;
        pthread_join(threads[i], &result);
        first = i == 0 ? result : first;
        assert_ptr_equal(result, first);
    }
    test_assert_result(load_good(path), ABUT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_become_meshes_and_every_part_of_one_is_refused),
        cmocka_unit_test(test_hostile_answers_are_meshes_or_messages),
        cmocka_unit_test(test_whatever_the_program_does_is_a_message),
        cmocka_unit_test(test_numbers_from_memory_that_nobody_wrote_are_refused),
        cmocka_unit_test(test_time_and_memory_of_the_program_are_limited),
        cmocka_unit_test(test_limits_come_from_the_environment_where_the_def_has_none),
        cmocka_unit_test(test_progress_can_stop_a_program_that_hangs),
        cmocka_unit_test(test_a_missing_program_is_named),
        cmocka_unit_test(test_hosts_of_any_kind_can_import),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
