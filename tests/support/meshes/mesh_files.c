#include "support/meshes/mesh_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// -----------------------------------------------------------------------------------------------------------
// Temporary files
// -----------------------------------------------------------------------------------------------------------

static char folder[64];

static int visit_files(bool remove_them)
{
    DIR* directory = opendir(folder);
    int count = 0;
    for (struct dirent* entry; directory != NULL && (entry = readdir(directory)) != NULL;)
    {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
        {
            continue;
        }
        ++count;
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (remove_them && unlink(path) != 0)
        {
            rmdir(path);
        }
    }
    if (directory != NULL)
    {
        closedir(directory);
    }
    return count;
}

static void remove_folder(void)
{
    visit_files(true);
    rmdir(folder);
}

const char* test_temporary_path(const char* name)
{
    static char paths[4][256];
    static int next;
    if (folder[0] == '\0')
    {
        strcpy(folder, "/tmp/abut-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    char* path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

int test_temporary_file_count(void)
{
    return visit_files(false);
}

void test_write_file(const char* path, const void* data, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char* test_read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

// -----------------------------------------------------------------------------------------------------------
// Texts
// -----------------------------------------------------------------------------------------------------------

void test_text_append(TestText* text, const void* bytes, size_t size)
{
    if (text->size + size > text->capacity)
    {
        text->capacity = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void test_text_print(TestText* text, const char* format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof(line));
    test_text_append(text, line, (size_t)length);
}

void test_text_put_u32(TestText* text, uint32_t value, bool big_endian)
{
    uint8_t bytes[4];
    for (int i = 0; i < 4; ++i)
    {
        bytes[big_endian ? 3 - i : i] = (uint8_t)(value >> (8 * i));
    }
    test_text_append(text, bytes, sizeof(bytes));
}

void test_text_put_f32(TestText* text, float value, bool big_endian)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    test_text_put_u32(text, bits, big_endian);
}

void test_text_free(TestText* text)
{
    free(text->bytes);
    memset(text, 0, sizeof(*text));
}

// -----------------------------------------------------------------------------------------------------------
// Parsing
// -----------------------------------------------------------------------------------------------------------

static TestHost parse_host;
static char last_warning[1024];

static void keep_warning(void* user, AbutLogLevel level, const char* message)
{
    (void)user;
    assert_int_equal(level, ABUT_LOG_WARNING);
    snprintf(last_warning, sizeof(last_warning), "%s", message);
}

static AbutResult parse(AbutMeshFormat format, const void* data, size_t size, AbutMesh** mesh)
{
    test_host_init(&parse_host);
    parse_host.host.log = keep_warning;
    last_warning[0] = '\0';
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.host = &parse_host.host;
    // In a block of exactly that size, so that the sanitizer sees every read behind the end.
    char* copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    abut_fail(ABUT_OK, "%s", "");
    AbutResult result = abut_mesh_parse(&def, format, copy, size, "input", mesh);
    free(copy);
    assert_true((result == ABUT_OK) == (*mesh != NULL));
    return result;
}

AbutMesh* test_parse(AbutMeshFormat format, const void* data, size_t size)
{
    AbutMesh* mesh = NULL;
    test_assert_result(parse(format, data, size, &mesh), ABUT_OK);
    return mesh;
}

AbutMesh* test_parse_text(AbutMeshFormat format, const char* text)
{
    return test_parse(format, text, strlen(text));
}

void test_parse_refused(AbutMeshFormat format, const void* data, size_t size, AbutResult expected,
                        const char* phrase)
{
    AbutMesh* mesh = NULL;
    test_assert_result(parse(format, data, size, &mesh), expected);
    assert_int_equal(parse_host.live_count, 0);
    const char* message = abut_last_error();
    if (strncmp(message, "input", 5) != 0 || strstr(message, phrase) == NULL)
    {
        fail_msg("the message is '%s', without '%s'", message, phrase);
    }
}

void test_parse_text_refused(AbutMeshFormat format, const char* text, const char* phrase)
{
    test_parse_refused(format, text, strlen(text), ABUT_INVALID_DATA, phrase);
}

AbutResult test_parse_anything(AbutMeshFormat format, const void* data, size_t size)
{
    AbutMesh* mesh = NULL;
    AbutResult result = parse(format, data, size, &mesh);
    abut_mesh_destroy(mesh);
    assert_int_equal(parse_host.live_count, 0);
    assert_true(result == ABUT_OK || strncmp(abut_last_error(), "input", 5) == 0);
    return result;
}

const char* test_last_warning(void)
{
    return last_warning;
}

uint64_t test_last_peak_bytes(void)
{
    return parse_host.peak_bytes;
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

void test_assert_triangle(const AbutMesh* mesh, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(triangle < abut_mesh_triangle_count(mesh));
    const uint32_t* corners = abut_mesh_indices(mesh) + (size_t)triangle * 3;
    if (corners[0] != a || corners[1] != b || corners[2] != c)
    {
        fail_msg("triangle %u is %u %u %u, expected %u %u %u", triangle, corners[0], corners[1], corners[2],
                 a, b, c);
    }
}

void test_assert_vertex(const AbutMesh* mesh, uint32_t vertex, float x, float y, float z)
{
    assert_true(vertex < abut_mesh_vertex_count(mesh));
    AbutVec3 v = abut_mesh_vertices(mesh)[vertex];
    test_assert_near(v.x, x, 0.0);
    test_assert_near(v.y, y, 0.0);
    test_assert_near(v.z, z, 0.0);
}

bool test_has_assimp(void)
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

void test_skip_without_assimp(void)
{
    if (!test_has_assimp())
    {
        print_message("%s: skipped\n", abut_last_error());
        skip();
    }
}

double test_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
