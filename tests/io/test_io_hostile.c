// Input that means harm: every truncation and every changed byte of small files, everything that a path can
// be besides a good file, sizes that lie, and memory that runs out. Nothing may crash, leak, hang or ask for
// memory out of proportion.
#include "support/meshes/mesh_files.h"

#include <abut/models.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// -----------------------------------------------------------------------------------------------------------
// Small files of every kind
// -----------------------------------------------------------------------------------------------------------

static const char obj_file[] = "# small\nv 0 0 0\nv 1.5 0 -0\nv 1e0 1 0 1\nv 0.25 0.25 0\r\nv 0 1 0\n"
                               "vn 0 0 1\nf 1/1/1 2//1 3\nf -5 -4 \\\n-3 4 5\nf 6 1 2\nv 0 0 1\n";

static const char stl_text_file[] =
    "solid s\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 1.0e0 1 0\n  endloop\n endfacet\nendsolid s\n";

static const char ply_header[] =
    "comment c\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nproperty uchar a\n"
    "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar short n\n"
    "element tristrips 1\nproperty list int int vertex_indices\nend_header\n";

static const float ply_points[5][3] = {
    { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0.5f, 0.25f, 0 }, { 0, 2, 0 }
};

static TestText make_obj(void)
{
    TestText text = { 0 };
    test_text_append(&text, obj_file, sizeof(obj_file) - 1);
    return text;
}

static TestText make_stl_text(void)
{
    TestText text = { 0 };
    test_text_append(&text, stl_text_file, sizeof(stl_text_file) - 1);
    return text;
}

static TestText make_stl_binary(void)
{
    TestText text = { 0 };
    char header[80] = "solid, yet binary";
    test_text_append(&text, header, sizeof(header));
    test_text_put_u32(&text, 2, false);
    for (size_t i = 0; i < 2; ++i)
    {
        for (size_t k = 0; k < 12; ++k)
        {
            test_text_put_f32(&text, ply_points[(i + k) % 5][k % 3], false);
        }
        test_text_append(&text, "\0\0", 2);
    }
    return text;
}

static TestText make_ply_text(void)
{
    TestText text = { 0 };
    test_text_print(&text, "ply\nformat ascii 1.0\n%s", ply_header);
    for (size_t i = 0; i < 5; ++i)
    {
        test_text_print(&text, "%g %g %g 7\n", (double)ply_points[i][0], (double)ply_points[i][1],
                        (double)ply_points[i][2]);
    }
    test_text_print(&text, "5 0 1 2 3 4 1 9\n3 0 1 3 0\n6 0 1 2 -1 3 4");
    return text;
}

static TestText make_ply_binary(bool big_endian)
{
    TestText text = { 0 };
    test_text_print(&text, "ply\nformat binary_%s_endian 1.0\n%s", big_endian ? "big" : "little", ply_header);
    for (size_t i = 0; i < 5; ++i)
    {
        for (size_t axis = 0; axis < 3; ++axis)
        {
            test_text_put_f32(&text, ply_points[i][axis], big_endian);
        }
        test_text_append(&text, "\7", 1);
    }
    static const uint8_t sizes[2] = { 5, 3 };
    for (size_t face = 0; face < 2; ++face)
    {
        test_text_append(&text, &sizes[face], 1);
        for (uint32_t i = 0; i < sizes[face]; ++i)
        {
            test_text_put_u32(&text, i, big_endian);
        }
        test_text_append(&text, "\1\0\2", 3);
    }
    static const uint32_t strip[6] = { 0, 1, 2, UINT32_MAX, 3, 4 };
    test_text_put_u32(&text, 6, big_endian);
    for (size_t i = 0; i < 6; ++i)
    {
        test_text_put_u32(&text, strip[i], big_endian);
    }
    return text;
}

static TestText make_ply_little(void)
{
    return make_ply_binary(false);
}

static TestText make_ply_big(void)
{
    return make_ply_binary(true);
}

typedef struct SmallFile
{
    const char* name;
    AbutMeshFormat format;
    TestText (*make)(void);
    uint32_t triangle_count;
} SmallFile;

static const SmallFile small_files[] = {
    { "OBJ", ABUT_MESH_FORMAT_OBJ, make_obj, 5 },
    { "text STL", ABUT_MESH_FORMAT_STL, make_stl_text, 1 },
    { "binary STL", ABUT_MESH_FORMAT_STL, make_stl_binary, 2 },
    { "text PLY", ABUT_MESH_FORMAT_PLY, make_ply_text, 5 },
    { "little-endian PLY", ABUT_MESH_FORMAT_PLY, make_ply_little, 5 },
    { "big-endian PLY", ABUT_MESH_FORMAT_PLY, make_ply_big, 5 },
};

enum
{
    SMALL_FILE_COUNT = sizeof(small_files) / sizeof(small_files[0])
};

static void test_small_files_are_good(void** state)
{
    (void)state;
    for (size_t i = 0; i < SMALL_FILE_COUNT; ++i)
    {
        TestText text = small_files[i].make();
        AbutMesh* mesh = test_parse(small_files[i].format, text.bytes, text.size);
        assert_int_equal(abut_mesh_triangle_count(mesh), small_files[i].triangle_count);
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

/// What may be cut off without being noticed: an OBJ says nowhere how much there is, and the last line of a
/// text needs no end.
static bool may_be_whole(const SmallFile* file, size_t size, size_t whole)
{
    return file->format == ABUT_MESH_FORMAT_OBJ || (file->make == make_stl_text && size >= whole - 3) ||
           (file->make == make_ply_text && size == whole);
}

static void test_every_truncation_is_refused_or_whole(void** state)
{
    (void)state;
    for (size_t i = 0; i < SMALL_FILE_COUNT; ++i)
    {
        TestText text = small_files[i].make();
        for (size_t size = 0; size < text.size; ++size)
        {
            AbutResult result = test_parse_anything(small_files[i].format, text.bytes, size);
            if (result != ABUT_INVALID_DATA && !may_be_whole(&small_files[i], size, text.size))
            {
                fail_msg("%s cut to %zu of %zu bytes: %s", small_files[i].name, size, text.size,
                         abut_result_name(result));
            }
        }
        test_text_free(&text);
    }
}

static void test_every_value_of_every_byte_is_survived(void** state)
{
    (void)state;
    for (size_t i = 0; i < SMALL_FILE_COUNT; ++i)
    {
        TestText text = small_files[i].make();
        for (size_t at = 0; at < text.size; ++at)
        {
            char old = text.bytes[at];
            for (int change = 1; change < 256; ++change)
            {
                text.bytes[at] = (char)(old ^ change);
                AbutResult result = test_parse_anything(small_files[i].format, text.bytes, text.size);
                assert_true(result == ABUT_OK || result == ABUT_INVALID_DATA);
                assert_true(test_last_peak_bytes() < 100000);
            }
            text.bytes[at] = old;
        }
        test_text_free(&text);
    }
}

static void test_random_damage_is_survived(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    int rounds = test_heavy_count(60000);
    for (int round = 0; round < rounds; ++round)
    {
        const SmallFile* file = &small_files[round % SMALL_FILE_COUNT];
        TestText text = file->make();
        uint64_t edits = 1 + test_random_bits(&random) % 8;
        for (uint64_t k = 0; k < edits; ++k)
        {
            size_t at = test_random_bits(&random) % text.size;
            size_t from = test_random_bits(&random) % text.size;
            size_t length = test_random_bits(&random) % 12;
            length = at + length <= text.size && from + length <= text.size ? length : 1;
            if (test_random_bits(&random) % 2)
            {
                memmove(text.bytes + at, text.bytes + from, length);
            }
            else
            {
                memset(text.bytes + at, (int)(test_random_bits(&random) % 256), length);
            }
        }
        test_parse_anything(file->format, text.bytes, text.size - test_random_bits(&random) % 3);
        assert_true(test_last_peak_bytes() < 100000);
        test_text_free(&text);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Large and unreasonable
// -----------------------------------------------------------------------------------------------------------

enum
{
    HUGE_LINE = 64 << 20
};

/// A line of 64 MB made of `filler` behind `start`, without an end; must be refused in proportion to its
/// size.
static void refuse_huge_line(AbutMeshFormat format, const char* start, char filler, const char* phrase)
{
    TestText text = { 0 };
    text.capacity = HUGE_LINE + 64;
    text.bytes = malloc(text.capacity);
    assert_non_null(text.bytes);
    test_text_append(&text, start, strlen(start));
    memset(text.bytes + text.size, filler, HUGE_LINE);
    text.size += HUGE_LINE;
    test_parse_refused(format, text.bytes, text.size, ABUT_INVALID_DATA, phrase);
    assert_true(test_last_peak_bytes() < 2 * text.size);
    test_text_free(&text);
}

static void test_lines_of_64_megabytes_are_refused(void** state)
{
    (void)state;
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "v 1 2 ", '9', "input:1: coordinate '999999");
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "v 1 2 ", ' ',
                     "input:1: expected a coordinate, found the end of the file");
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "f ", '1',
                     "input:1: face has the vertex index 4611686018427387904");
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "# ", 'x', "input:1: the file ends without a v or f statement");
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "", '\0', "input:1: the file ends without a v or f statement");
    refuse_huge_line(ABUT_MESH_FORMAT_OBJ, "v 1 2 ", '\0', "input:1: expected a coordinate, found '???");
    refuse_huge_line(ABUT_MESH_FORMAT_STL, "solid ", 'x',
                     "input:1: expected 'facet' or 'endsolid', found the end of the file");
    refuse_huge_line(ABUT_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\ncomment ", 'x',
                     "input:3: expected 'element'");
    refuse_huge_line(ABUT_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex ", '1', "input:3: ");
    refuse_huge_line(ABUT_MESH_FORMAT_PLY, "", 'p',
                     "input:1: expected 'ply' at the start of a PLY file, found 'ppp");
}

static void test_coordinates_at_the_limits_of_floats_are_read(void** state)
{
    (void)state;
    static const char text[] =
        "v 3.4028235e38 -3.4028235e38 340282346638528859811704183484516925440\n"
        "v -3.4028235e38 3.4028235e38 0\nv 1e-45 -1e-45 0\nv 3.4028235e38 0 0\nf 1 2 3\nf 1 2 3 4\n";
    AbutMesh* mesh = test_parse_text(ABUT_MESH_FORMAT_OBJ, text);
    test_assert_vertex(mesh, 0, FLT_MAX, -FLT_MAX, FLT_MAX);
    assert_int_equal(abut_mesh_triangle_count(mesh), 3);
    abut_mesh_destroy(mesh);
}

/// Many elements, properties and empty items: counts that cost nothing in the file must cost nothing here.
static void test_headers_cannot_multiply_work(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "ply\nformat binary_little_endian 1.0\n");
    for (int i = 0; i < 100000; ++i)
    {
        test_text_print(&text, "element e%d 4611686018427387904\n", i);
    }
    test_text_print(&text, "element vertex 0\nproperty float x\nproperty float y\nproperty float z\n");
    for (int i = 0; i < 100000; ++i)
    {
        test_text_print(&text, "property float p%d\n", i);
    }
    test_text_print(&text, "end_header\n");
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_PLY, text.bytes, text.size);
    assert_int_equal(abut_mesh_vertex_count(mesh), 0);
    assert_true(test_last_peak_bytes() < 8 * text.size);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_memory_stays_in_proportion_to_the_file(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "v 0 0 0\nv 1 0 0\nv 1 1 0\nf");
    for (int i = 0; i < 1000000; ++i) // two bytes per corner, and a polygon that no fan can cut
    {
        test_text_print(&text, " %d", 1 + (i + i / 5) % 3);
    }
    abut_mesh_destroy(test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size));
    assert_true(test_last_peak_bytes() < 64 * text.size);
    test_text_free(&text);
}

// -----------------------------------------------------------------------------------------------------------
// Paths
// -----------------------------------------------------------------------------------------------------------

static void refuse_path(const char* path, AbutResult expected, const char* phrase)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_load(path, &mesh), expected);
    assert_null(mesh);
    const char* message = abut_last_error();
    if (strncmp(message, path, strlen(path)) != 0 || strstr(message, phrase) == NULL)
    {
        fail_msg("the message is '%s', without '%s'", message, phrase);
    }
}

static void test_paths_that_are_no_good_files_are_refused(void** state)
{
    (void)state;
    static const char* const endings[] = { "obj", "stl", "ply", "glb", "xyzzy", "" };
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); ++i)
    {
        char name[32];
        snprintf(name, sizeof(name), "file.%s", endings[i]);
        const char* path = test_temporary_path(name);
        refuse_path(path, ABUT_NOT_FOUND, ": no such file");
        assert_int_equal(mkdir(path, 0777), 0);
        refuse_path(path, ABUT_IO_ERROR, ": is a directory, not a file");
        assert_int_equal(rmdir(path), 0);
        assert_int_equal(mkfifo(path, 0666), 0);
        refuse_path(path, ABUT_IO_ERROR, ": is a pipe, socket or device, not a regular file");
        assert_int_equal(unlink(path), 0);
        test_write_file(path, "", 0);
        refuse_path(path, ABUT_INVALID_DATA, ": the file is empty");
        assert_int_equal(unlink(path), 0);
    }
    const char* file = test_temporary_path("file");
    test_write_file(file, "x", 1);
    refuse_path(test_temporary_path("file/mesh.obj"), ABUT_NOT_FOUND, ": no such file");
    unlink(file);
}

static void test_files_without_permission_are_refused(void** state)
{
    (void)state;
    if (geteuid() == 0)
    {
        print_message("root may read everything: skipped\n");
        skip();
    }
    const char* path = test_temporary_path("secret.obj");
    test_write_file(path, obj_file, sizeof(obj_file) - 1);
    assert_int_equal(chmod(path, 0), 0);
    refuse_path(path, ABUT_IO_ERROR, ": no permission to read it");
    unlink(path);
}

static void test_limit_on_bytes_is_kept(void** state)
{
    (void)state;
    const char* path = test_temporary_path("limit.obj");
    test_write_file(path, obj_file, sizeof(obj_file) - 1);
    AbutMeshLoadDef def = abut_mesh_load_def();
    AbutMesh* mesh = NULL;
    def.max_bytes = sizeof(obj_file) - 1;
    test_assert_result(abut_mesh_load_with(&def, path, &mesh), ABUT_OK);
    abut_mesh_destroy(mesh);
    def.max_bytes -= 1;
    test_assert_result(abut_mesh_load_with(&def, path, &mesh), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "limit.obj: the file has "));
    test_assert_result(
        abut_mesh_parse(&def, ABUT_MESH_FORMAT_OBJ, obj_file, sizeof(obj_file) - 1, "input", &mesh),
        ABUT_LIMIT_EXCEEDED);
    assert_null(mesh);
    unlink(path);
}

static void test_endings_of_any_case_name_the_format(void** state)
{
    (void)state;
    assert_int_equal(abut_mesh_format_from_path("a/b.obj"), ABUT_MESH_FORMAT_OBJ);
    assert_int_equal(abut_mesh_format_from_path("B.OBJ"), ABUT_MESH_FORMAT_OBJ);
    assert_int_equal(abut_mesh_format_from_path("x.y.Stl"), ABUT_MESH_FORMAT_STL);
    assert_int_equal(abut_mesh_format_from_path(".ply"), ABUT_MESH_FORMAT_PLY);
    assert_int_equal(abut_mesh_format_from_path("ply"), ABUT_MESH_FORMAT_UNKNOWN);
    assert_int_equal(abut_mesh_format_from_path("a.objx"), ABUT_MESH_FORMAT_UNKNOWN);
    assert_int_equal(abut_mesh_format_from_path(""), ABUT_MESH_FORMAT_UNKNOWN);
    // Only letters have two cases: '.' with bit 5 flipped is another character.
    assert_int_equal(abut_mesh_format_from_path("a\x0Eobj"), ABUT_MESH_FORMAT_UNKNOWN);
}

// -----------------------------------------------------------------------------------------------------------
// Memory and progress
// -----------------------------------------------------------------------------------------------------------

typedef struct LoadContext
{
    const char* path;
    AbutMeshFormat format;
} LoadContext;

static AbutResult load_with_host(void* context, const AbutHost* host)
{
    const LoadContext* load = context;
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.format = load->format;
    def.host = host;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load_with(&def, load->path, &mesh);
    assert_true(result == ABUT_OK || strncmp(abut_last_error(), load->path, strlen(load->path)) == 0);
    abut_mesh_destroy(mesh);
    return result;
}

static void test_every_failing_allocation_is_reported_and_leaks_nothing(void** state)
{
    (void)state;
    for (size_t i = 0; i < SMALL_FILE_COUNT; ++i)
    {
        TestText text = small_files[i].make();
        LoadContext context = { test_temporary_path("small.mesh"), small_files[i].format };
        test_write_file(context.path, text.bytes, text.size);
        assert_true(test_fail_every_allocation(load_with_host, &context) >= 5);
        unlink(context.path);
        test_text_free(&text);
    }
}

/// Large enough for arrays and tables to grow several times.
static void test_failing_growth_is_reported_and_leaks_nothing(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 20, NULL, &mesh), ABUT_OK);
    static const char* const names[] = { "sphere.obj", "sphere.stl", "sphere.ply" };
    for (size_t i = 0; i < 3; ++i)
    {
        LoadContext context = { test_temporary_path(names[i]), ABUT_MESH_FORMAT_UNKNOWN };
        test_assert_result(abut_mesh_save(mesh, context.path), ABUT_OK);
        test_fail_every_allocation(load_with_host, &context);
        unlink(context.path);
    }
    abut_mesh_destroy(mesh);
}

typedef struct ProgressLog
{
    float last;
    int calls;
    int stop_at; // call that asks to stop; 0 for none
} ProgressLog;

static bool log_progress(void* user, float done)
{
    ProgressLog* log = user;
    assert_true(done >= log->last && done >= 0.0f && done <= 1.0f);
    log->last = done;
    log->calls += 1;
    return log->calls != log->stop_at;
}

/// A face in the last line names a vertex behind it, so that the file is read again.
static void test_progress_never_goes_back(void** state)
{
    (void)state;
    TestText text = { 0 };
    for (int i = 0; i < 300000; ++i)
    {
        test_text_print(&text, "v %d 0 0\n", i);
    }
    test_text_print(&text, "f 1 2 300001\nv 0 1 0\n");
    ProgressLog log = { 0 };
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.progress = log_progress;
    def.progress_user = &log;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_parse(&def, ABUT_MESH_FORMAT_OBJ, text.bytes, text.size, "input", &mesh),
                       ABUT_OK);
    assert_true(log.calls >= 6 && log.last == 1.0f);
    test_assert_triangle(mesh, 0, 0, 1, 300000);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_progress_grows_to_one_and_can_stop_the_load(void** state)
{
    (void)state;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(1.0f, 150, NULL, &mesh), ABUT_OK);
    static const char* const names[] = { "progress.obj", "progress.stl", "progress.ply" };
    for (size_t i = 0; i < 3; ++i)
    {
        const char* path = test_temporary_path(names[i]);
        test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
        int call_count = 1;
        for (int stop_at = 0; stop_at <= call_count; ++stop_at)
        {
            TestHost host;
            test_host_init(&host);
            ProgressLog log = { .stop_at = stop_at };
            AbutMeshLoadDef def = abut_mesh_load_def();
            def.progress = log_progress;
            def.progress_user = &log;
            def.host = &host.host;
            AbutMesh* loaded = NULL;
            AbutResult result = abut_mesh_load_with(&def, path, &loaded);
            test_assert_result(result, stop_at == 0 ? ABUT_OK : ABUT_CANCELLED);
            assert_true(stop_at == 0 || strncmp(abut_last_error(), path, strlen(path)) == 0);
            assert_true(stop_at != 0 || (log.last == 1.0f && log.calls >= 4));
            call_count = stop_at == 0 ? log.calls : call_count;
            abut_mesh_destroy(loaded);
            assert_int_equal(host.live_count, 0);
        }
        unlink(path);
    }
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_files_are_good),
        cmocka_unit_test(test_every_truncation_is_refused_or_whole),
        cmocka_unit_test(test_every_value_of_every_byte_is_survived),
        cmocka_unit_test(test_random_damage_is_survived),
        cmocka_unit_test(test_lines_of_64_megabytes_are_refused),
        cmocka_unit_test(test_coordinates_at_the_limits_of_floats_are_read),
        cmocka_unit_test(test_headers_cannot_multiply_work),
        cmocka_unit_test(test_memory_stays_in_proportion_to_the_file),
        cmocka_unit_test(test_paths_that_are_no_good_files_are_refused),
        cmocka_unit_test(test_files_without_permission_are_refused),
        cmocka_unit_test(test_limit_on_bytes_is_kept),
        cmocka_unit_test(test_endings_of_any_case_name_the_format),
        cmocka_unit_test(test_every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_failing_growth_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_progress_never_goes_back),
        cmocka_unit_test(test_progress_grows_to_one_and_can_stop_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
