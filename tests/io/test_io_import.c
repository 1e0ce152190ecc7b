// The program that runs assimp, at arm's length: whatever it does, the library returns a result and a
// message. Shell scripts stand in for a program that crashes, hangs, talks without end or answers nonsense;
// files that are known to be bad go to the real one.
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

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

static bool has_assimp(void)
{
    static int known = -1;
    if (known < 0)
    {
        const char* path = test_temporary_path("probe.off");
        static const char probe[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
        test_write_file(path, probe, strlen(probe));
        AbutMesh* mesh = NULL;
        known = abut_mesh_load(path, &mesh) == ABUT_OK;
        abut_mesh_destroy(mesh);
        unlink(path);
    }
    return known > 0;
}

static void skip_without_assimp(void)
{
    if (!has_assimp())
    {
        print_message("%s: skipped\n", abut_last_error());
        skip();
    }
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
    skip_without_assimp();
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
    skip_without_assimp();
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
    skip_without_assimp();
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
    double start = seconds_now();
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); ++i)
    {
        check_program(&programs[i], def);
    }
    assert_true(seconds_now() - start < 60.0);
    def = abut_mesh_load_def();
    def.import_bytes = 1 << 20;
    check_program(&(BadProgram){ "yes", ABUT_LIMIT_EXCEEDED, "more than 1048576 bytes (import_bytes" }, def);
}

static void test_limits_come_from_the_environment_where_the_def_has_none(void** state)
{
    (void)state;
    skip_without_assimp();
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
    skip_without_assimp();
    int calls = 0;
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.progress = cancel_later;
    def.progress_user = &calls;
    double start = seconds_now();
    check_program(&(BadProgram){ "exec sleep 50", ABUT_CANCELLED, "cancelled" }, def);
    assert_true(seconds_now() - start < 20.0);
}

static void test_a_missing_program_is_named(void** state)
{
    (void)state;
    skip_without_assimp();
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
    skip_without_assimp();
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

// -----------------------------------------------------------------------------------------------------------
// Files that assimp cannot bear
// -----------------------------------------------------------------------------------------------------------

static void check_file(const char* name, const char* text, AbutResult expected, const char* message)
{
    const char* path = test_temporary_path(name);
    test_write_file(path, text, strlen(text));
    AbutMesh* mesh = NULL;
    double start = seconds_now();
    AbutResult result = abut_mesh_load(path, &mesh);
    abut_mesh_destroy(mesh);
    unlink(path);
    if (result != expected || strstr(abut_last_error(), message) == NULL || seconds_now() - start > 30.0)
    {
        fail_msg("%s: %s, '%s', after %g s", name, abut_result_name(result), abut_last_error(),
                 seconds_now() - start);
    }
}

static void test_declared_counts_take_no_memory(void** state)
{
    (void)state;
    skip_without_assimp();
    static const char* const counts[] = { "353535235358", "4294967295", "99999999999999999999",
                                          "2147483647" };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
    {
        TestText text = { 0 };
        test_text_print(&text, "OFF\n%s 1 0\n", counts[i]);
        while (text.size < 300)
        {
            test_text_print(&text, "0 0 0\n");
        }
        test_text_append(&text, "", 1);
        check_file("huge.off", text.bytes, ABUT_INVALID_DATA, "huge.off: assimp ");
        test_text_free(&text);
    }
    // Few enough for assimp to make them up, and more than a file of this size may bring here.
    check_file("many.off", "OFF\n12000000 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", ABUT_LIMIT_EXCEEDED,
               "many.off: what assimp made of it has more than 134");
}

/// Faces with too few corners: assimp 5.2.5 reads through a pointer that it has not set. Others may read the
/// file.
static void test_a_file_that_crashes_assimp_is_a_message(void** state)
{
    (void)state;
    skip_without_assimp();
    static const char text[] = "OFF\n8 6 12\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
                               "0\nSECTION\nENTITIES\n0\n10\n0\n20";
    const char* path = test_temporary_path("crash.off");
    test_write_file(path, text, strlen(text));
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load(path, &mesh);
    abut_mesh_destroy(mesh);
    print_message("%s\n", result == ABUT_OK ? "it was read" : abut_last_error());
    assert_true(result == ABUT_OK || result == ABUT_INVALID_DATA);
}

static void test_numbers_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    skip_without_assimp();
    static const char* const bad[] = { "nan", "inf", "-inf", "1e39" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        char text[256];
        snprintf(text, sizeof(text), "OFF\n3 1 0\n0 0 0\n1 0 %s\n0 1 0\n3 0 1 2\n", bad[i]);
        check_file("bad.off", text, ABUT_INVALID_DATA, "bad.off: ");
    }
}

/// A triangle whose third corner lies behind the end of the array that it is read from, `past` items behind
/// it: assimp 5.2.5 returns what is there, which is other numbers on each run. Animations inside of
/// animations do not matter for that.
static void test_collada_that_reads_past_its_arrays_is_refused(void** state)
{
    (void)state;
    skip_without_assimp();
    for (int past = 2; past < 20; past += 3)
    {
        TestText text = { 0 };
        test_text_print(
            &text,
            "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
            "version=\"1.4.1\"><asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>"
            "<library_animations><animation id=\"o\"><animation id=\"i\"></animation></animation>"
            "</library_animations><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
            "<float_array id=\"a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common>"
            "<accessor source=\"#a\" count=\"%d\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
            "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
            "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
            "source=\"#p\"/></vertices>",
            past + 3);
        test_text_print(
            &text,
            "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
            "<p>0 1 %d</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
            "<visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene>"
            "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
            past + 2);
        test_text_append(&text, "", 1);
        check_file("past.dae", text.bytes, ABUT_INVALID_DATA, "past.dae: ");
        test_text_free(&text);
    }
}

typedef struct ZipPart
{
    const char* name;
    const char* text;
    uint32_t checksum, offset;
} ZipPart;

static uint32_t crc32_of(const char* text)
{
    uint32_t sum = 0xFFFFFFFF;
    for (; *text != '\0'; ++text)
    {
        sum ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; ++bit)
        {
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
        }
    }
    return ~sum;
}

static void put_u16(TestText* zip, uint32_t value)
{
    const unsigned char bytes[2] = { (unsigned char)value, (unsigned char)(value >> 8) };
    test_text_append(zip, bytes, 2);
}

/// What the header of a part and its line in the directory have in common.
static void put_zip_part(TestText* zip, const ZipPart* part)
{
    static const uint32_t words[] = { 20, 0, 0, 0, 0x21 }; // version, flags, method: stored, time, date
    for (size_t i = 0; i < 5; ++i)
    {
        put_u16(zip, words[i]);
    }
    test_text_put_u32(zip, part->checksum, false);
    test_text_put_u32(zip, (uint32_t)strlen(part->text), false);
    test_text_put_u32(zip, (uint32_t)strlen(part->text), false);
    put_u16(zip, (uint32_t)strlen(part->name));
    put_u16(zip, 0);
}

static TestText make_zip(ZipPart* parts, uint32_t count)
{
    TestText zip = { 0 };
    for (uint32_t i = 0; i < count; ++i)
    {
        parts[i].checksum = crc32_of(parts[i].text);
        parts[i].offset = (uint32_t)zip.size;
        test_text_put_u32(&zip, 0x04034B50, false);
        put_zip_part(&zip, &parts[i]);
        test_text_print(&zip, "%s%s", parts[i].name, parts[i].text);
    }
    uint32_t start = (uint32_t)zip.size;
    for (uint32_t i = 0; i < count; ++i)
    {
        test_text_put_u32(&zip, 0x02014B50, false);
        put_u16(&zip, 20);
        put_zip_part(&zip, &parts[i]);
        for (int k = 0; k < 5; ++k)
        {
            put_u16(&zip, 0); // comment, disk, attributes
        }
        test_text_put_u32(&zip, parts[i].offset, false);
        test_text_print(&zip, "%s", parts[i].name);
    }
    uint32_t size = (uint32_t)zip.size - start;
    test_text_put_u32(&zip, 0x06054B50, false);
    test_text_put_u32(&zip, 0, false);
    put_u16(&zip, count);
    put_u16(&zip, count);
    test_text_put_u32(&zip, size, false);
    test_text_put_u32(&zip, start, false);
    put_u16(&zip, 0);
    return zip;
}

/// assimp 5.2.5 frees a picture in such a file twice, at the end: its program answers and ends before that.
static void test_a_3mf_file_with_a_thumbnail_is_read(void** state)
{
    (void)state;
    skip_without_assimp();
    ZipPart parts[] = {
        { .name = "[Content_Types].xml",
          .text = "<?xml version=\"1.0\"?><Types "
                  "xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>" },
        { .name = "_rels/.rels",
          .text = "<?xml version=\"1.0\"?><Relationships "
                  "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship "
                  "Target=\"/3D/3dmodel.model\" Id=\"r\" "
                  "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>" },
        { .name = "3D/3dmodel.model",
          .text =
              "<?xml version=\"1.0\"?><model unit=\"millimeter\" "
              "xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources><object "
              "id=\"1\" "
              "type=\"model\"><mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"0\" "
              "z=\"0\"/>"
              "<vertex x=\"0\" y=\"1\" z=\"0\"/><vertex x=\"0\" y=\"0\" "
              "z=\"1\"/></vertices><triangles><triangle "
              "v1=\"0\" v2=\"2\" v3=\"1\"/><triangle v1=\"0\" v2=\"1\" v3=\"3\"/><triangle v1=\"0\" v2=\"3\" "
              "v3=\"2\"/><triangle v1=\"1\" v2=\"2\" "
              "v3=\"3\"/></triangles></mesh></object></resources><build>"
              "<item objectid=\"1\"/></build></model>" },
        { .name = "Metadata/thumbnail.png", .text = "this is not a picture, and assimp does not look" },
    };
    TestText zip = make_zip(parts, sizeof(parts) / sizeof(parts[0]));
    const char* path = test_temporary_path("thumbnail.3mf");
    test_write_file(path, zip.bytes, zip.size);
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
    assert_int_equal(abut_mesh_triangle_count(mesh), 4);
    test_assert_near(test_mesh_volume(mesh), 1.0 / 6.0, 1e-6);
    abut_mesh_destroy(mesh);
    test_text_free(&zip);
}

/// The list was read through a string that assimp leaves as it is when all endings do not fit.
static void test_the_list_of_endings_is_whole(void** state)
{
    (void)state;
    skip_without_assimp();
    AbutMesh* mesh = NULL;
    const char* path = test_temporary_path("part.unknown");
    test_write_file(path, "x", 1);
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_UNSUPPORTED);
    static const char* const some[] = { " obj, ", " 3ds, ", " dae, ", " fbx, ", " gltf, ", " off, ", "3mf" };
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); ++i)
    {
        if (strstr(abut_last_error(), some[i]) == NULL)
        {
            fail_msg("'%s' is not in '%s'", some[i], abut_last_error());
        }
    }
    for (const char* c = strstr(abut_last_error(), "through assimp"); *c != '\0'; ++c)
    {
        assert_non_null(strchr("abcdefghijklmnopqrstuvwxyz0123456789., ", *c));
    }
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
        cmocka_unit_test(test_declared_counts_take_no_memory),
        cmocka_unit_test(test_a_file_that_crashes_assimp_is_a_message),
        cmocka_unit_test(test_numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(test_collada_that_reads_past_its_arrays_is_refused),
        cmocka_unit_test(test_a_3mf_file_with_a_thumbnail_is_read),
        cmocka_unit_test(test_the_list_of_endings_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
