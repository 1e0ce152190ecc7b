// Writers: what they write reads back bit for bit, and a save that fails leaves everything as it was.
#include "support/meshes/mesh_files.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static AbutMesh* make_mesh(const AbutVec3* vertices, uint32_t vertex_count, const uint32_t* indices,
                           uint32_t triangle_count)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.indices = indices;
    def.triangle_count = triangle_count;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/// Coordinates of every magnitude; every vertex is used, in the order of the vertices, so that STL gives the
/// same mesh again.
static AbutMesh* make_wild_mesh(uint32_t triangle_count)
{
    TestRandom random = { triangle_count };
    AbutVec3* vertices = malloc(sizeof(AbutVec3) * 3 * triangle_count);
    uint32_t* indices = malloc(sizeof(uint32_t) * 3 * triangle_count);
    assert_true(vertices != NULL && indices != NULL);
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        do
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                uint32_t bits = (uint32_t)test_random_bits(&random);
                memcpy((char*)&vertices[i] + 4 * axis, &bits, 4);
            }
        } while (!abut_vec3_is_finite(vertices[i]));
        indices[i] = i;
    }
    vertices[0] = abut_vec3(FLT_MAX, -FLT_MAX, FLT_MIN);
    vertices[1] = abut_vec3(0.0f, -0.0f, 0x1p-149f);
    vertices[2] = abut_vec3(0.1f, 1e9f, 123456789.0f);
    AbutMesh* mesh = make_mesh(vertices, 3 * triangle_count, indices, triangle_count);
    free(vertices);
    free(indices);
    return mesh;
}

static void assert_same_mesh(const AbutMesh* a, const AbutMesh* b)
{
    assert_int_equal(abut_mesh_vertex_count(a), abut_mesh_vertex_count(b));
    assert_int_equal(abut_mesh_triangle_count(a), abut_mesh_triangle_count(b));
    assert_memory_equal(abut_mesh_vertices(a), abut_mesh_vertices(b),
                        sizeof(AbutVec3) * abut_mesh_vertex_count(a));
    assert_memory_equal(abut_mesh_indices(a), abut_mesh_indices(b),
                        sizeof(uint32_t) * 3 * abut_mesh_triangle_count(a));
}

static void assert_round_trip(const AbutMesh* mesh, const char* name)
{
    const char* path = test_temporary_path(name);
    test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
    AbutMesh* again = NULL;
    test_assert_result(abut_mesh_load(path, &again), ABUT_OK);
    assert_same_mesh(mesh, again);
    abut_mesh_destroy(again);
    unlink(path);
    assert_int_equal(test_temporary_file_count(), 0);
}

static void test_coordinates_of_every_magnitude_survive_a_round_trip(void** state)
{
    (void)state;
    AbutMesh* mesh = make_wild_mesh(50000);
    assert_round_trip(mesh, "wild.obj");
    assert_round_trip(mesh, "wild.ply");
    assert_round_trip(mesh, "wild.STL");
    abut_mesh_destroy(mesh);
}

static void test_meshes_without_triangles_survive_a_round_trip(void** state)
{
    (void)state;
    static const AbutVec3 vertices[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
    AbutMesh* mesh = make_mesh(vertices, 2, NULL, 0);
    assert_round_trip(mesh, "points.obj");
    assert_round_trip(mesh, "points.ply");
    abut_mesh_destroy(mesh);
    mesh = make_mesh(NULL, 0, NULL, 0);
    assert_round_trip(mesh, "empty.stl");
    assert_round_trip(mesh, "empty.ply");
    abut_mesh_destroy(mesh);
}

static void test_text_is_short_and_plain(void** state)
{
    (void)state;
    static const AbutVec3 vertices[3] = { { 0.1f, -1.5f, 1000000.0f },
                                          { 0.0f, 16777216.0f, 1e-4f },
                                          { 1e30f, -2.5e-8f, 0.3333333f } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    AbutMesh* mesh = make_mesh(vertices, 3, indices, 1);
    const char* path = test_temporary_path("short.obj");
    test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
    size_t size;
    char* bytes = test_read_file(path, &size);
    char expected[256];
    snprintf(
        expected, sizeof(expected),
        "# written by abut %s\nv 0.1 -1.5 1000000\nv 0 16777216 0.0001\nv 1e30 -2.5e-8 0.3333333\nf 1 2 3\n",
        abut_version());
    assert_string_equal(bytes, expected);
    free(bytes);
    unlink(path);
    abut_mesh_destroy(mesh);
}

static void test_stl_has_unit_normals_and_zero_ones_without_area(void** state)
{
    (void)state;
    static const AbutVec3 vertices[4] = { { 0, 0, 0 }, { 1e-20f, 0, 0 }, { 0, 1e-20f, 0 }, { 3e-20f, 0, 0 } };
    static const uint32_t indices[6] = { 0, 1, 2, 0, 1, 3 };
    AbutMesh* mesh = make_mesh(vertices, 4, indices, 2);
    const char* path = test_temporary_path("normals.stl");
    test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
    size_t size;
    char* bytes = test_read_file(path, &size);
    assert_int_equal(size, 84 + 100);
    assert_true(strncmp(bytes, "solid", 5) != 0);
    static const uint8_t unit_z[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F };
    static const uint8_t zero[12] = { 0 };
    assert_memory_equal(bytes + 84, unit_z, 12);
    assert_memory_equal(bytes + 134, zero, 12);
    free(bytes);
    unlink(path);
    abut_mesh_destroy(mesh);
}

static void test_unknown_endings_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = make_wild_mesh(1);
    test_assert_result(abut_mesh_save(mesh, test_temporary_path("mesh.off")), ABUT_UNSUPPORTED);
    assert_non_null(strstr(abut_last_error(), "mesh.off: meshes are written as .obj, .ply or .stl"));
    test_assert_result(abut_mesh_save(mesh, test_temporary_path("obj")), ABUT_UNSUPPORTED);
    abut_mesh_destroy(mesh);
}

static void assert_save_fails(const AbutMesh* mesh, const char* path, const char* phrase)
{
    test_assert_result(abut_mesh_save(mesh, path), ABUT_IO_ERROR);
    const char* message = abut_last_error();
    assert_true(strncmp(message, path, strlen(path)) == 0);
    if (strstr(message, phrase) == NULL)
    {
        fail_msg("the message is '%s', without '%s'", message, phrase);
    }
}

static void test_paths_that_cannot_be_written_are_refused(void** state)
{
    (void)state;
    AbutMesh* mesh = make_wild_mesh(1);
    assert_save_fails(mesh, test_temporary_path("missing/mesh.obj"),
                      "cannot be written: No such file or directory");
    assert_save_fails(mesh, "/proc/mesh.obj", "cannot be written: ");
    const char* folder = test_temporary_path("folder.obj");
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_save_fails(mesh, folder, "it exists and is not a regular file");
    rmdir(folder);
    char longest[4200];
    memset(longest, 'a', sizeof(longest));
    strcpy(longest + sizeof(longest) - 5, ".obj");
    assert_save_fails(mesh, longest, "cannot be written: File name too long");
    assert_int_equal(test_temporary_file_count(), 0);
    abut_mesh_destroy(mesh);
}

static void test_folder_without_permission_is_refused(void** state)
{
    (void)state;
    if (geteuid() == 0)
    {
        print_message("root may write everywhere: skipped\n");
        skip();
    }
    const char* folder = test_temporary_path("closed");
    assert_int_equal(mkdir(folder, 0500), 0);
    AbutMesh* mesh = make_wild_mesh(1);
    assert_save_fails(mesh, test_temporary_path("closed/mesh.obj"), "cannot be written: Permission denied");
    const char* file = test_temporary_path("closed.obj");
    test_write_file(file, "old", 3);
    assert_int_equal(chmod(file, 0400), 0);
    assert_save_fails(mesh, file, "cannot be written: Permission denied");
    unlink(file);
    abut_mesh_destroy(mesh);
    rmdir(folder);
}

/// A limit on the size of files stands for a full disk: write() fails in the middle.
static void test_full_disk_leaves_the_old_file_whole_and_nothing_else(void** state)
{
    (void)state;
    static const char* const names[] = { "full.obj", "full.ply", "full.stl" };
    AbutMesh* small = make_wild_mesh(1);
    AbutMesh* large = make_wild_mesh(20000);
    struct rlimit old_limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; ++i)
    {
        const char* path = test_temporary_path(names[i]);
        test_assert_result(abut_mesh_save(small, path), ABUT_OK);
        struct rlimit limit = { 100000, old_limit.rlim_max };
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        AbutResult result = abut_mesh_save(large, path);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
        test_assert_result(result, ABUT_IO_ERROR);
        assert_non_null(strstr(abut_last_error(), "cannot be written: "));
        assert_int_equal(test_temporary_file_count(), 1);
        AbutMesh* again = NULL;
        test_assert_result(abut_mesh_load(path, &again), ABUT_OK);
        assert_same_mesh(small, again);
        abut_mesh_destroy(again);
        unlink(path);
    }
    signal(SIGXFSZ, old_handler);
    abut_mesh_destroy(small);
    abut_mesh_destroy(large);
}

static void test_links_and_permissions_stay(void** state)
{
    (void)state;
    AbutMesh* mesh = make_wild_mesh(2);
    const char* target = test_temporary_path("target.obj");
    const char* link = test_temporary_path("link.obj");
    test_write_file(target, "old", 3);
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target.obj", link), 0);
    test_assert_result(abut_mesh_save(mesh, link), ABUT_OK);
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    AbutMesh* again = NULL;
    test_assert_result(abut_mesh_load(target, &again), ABUT_OK);
    assert_same_mesh(mesh, again);
    abut_mesh_destroy(again);
    unlink(link);
    unlink(target);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates_of_every_magnitude_survive_a_round_trip),
        cmocka_unit_test(test_meshes_without_triangles_survive_a_round_trip),
        cmocka_unit_test(test_text_is_short_and_plain),
        cmocka_unit_test(test_stl_has_unit_normals_and_zero_ones_without_area),
        cmocka_unit_test(test_unknown_endings_are_refused),
        cmocka_unit_test(test_paths_that_cannot_be_written_are_refused),
        cmocka_unit_test(test_folder_without_permission_is_refused),
        cmocka_unit_test(test_full_disk_leaves_the_old_file_whole_and_nothing_else),
        cmocka_unit_test(test_links_and_permissions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
