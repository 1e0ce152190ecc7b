// Formats of others through assimp: OFF, glTF with nodes that move, turn and mirror, GLB. In builds without
// assimp these files are refused with a reason.
#include "support/meshes/mesh_check.h"
#include "support/meshes/mesh_files.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const float cube[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                  { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
static const uint8_t quads[6][4] = { { 3, 2, 1, 0 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                     { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };

static bool has_assimp(void)
{
    const char* path = test_temporary_path("probe.off");
    static const char probe[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    test_write_file(path, probe, strlen(probe));
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load(path, &mesh);
    abut_mesh_destroy(mesh);
    unlink(path);
    if (result == ABUT_UNSUPPORTED)
    {
        assert_non_null(strstr(abut_last_error(), "this build reads obj, stl, ply only, not '.off'"));
        print_message("%s: skipped\n", abut_last_error());
    }
    return result != ABUT_UNSUPPORTED;
}

/// Writes the text to a file of that name and loads it.
static AbutResult load(const char* name, const TestText* text, AbutMesh** mesh)
{
    const char* path = test_temporary_path(name);
    test_write_file(path, text->bytes, text->size);
    AbutResult result = abut_mesh_load(path, mesh);
    unlink(path);
    return result;
}

static void assert_unit_cube(const AbutMesh* mesh)
{
    assert_int_equal(abut_mesh_vertex_count(mesh), 8);
    assert_int_equal(abut_mesh_triangle_count(mesh), 12);
    test_assert_near(test_mesh_volume(mesh), 1.0, 1e-12);
    AbutVec3 extents = abut_box_extents(abut_mesh_bounds(mesh));
    assert_true(extents.x == 1.0f && extents.y == 1.0f && extents.z == 1.0f);
}

static void test_off_quads_are_cut_and_corners_joined(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    TestText text = { 0 };
    test_text_print(&text, "OFF\n8 6 12\n");
    for (size_t i = 0; i < 8; ++i)
    {
        test_text_print(&text, "%g %g %g\n", (double)cube[i][0], (double)cube[i][1], (double)cube[i][2]);
    }
    for (size_t i = 0; i < 6; ++i)
    {
        test_text_print(&text, "4 %d %d %d %d\n", quads[i][0], quads[i][1], quads[i][2], quads[i][3]);
    }
    AbutMesh* mesh = NULL;
    test_assert_result(load("cube.off", &text, &mesh), ABUT_OK);
    assert_unit_cube(mesh);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

/// The cube's vertices and triangles as the buffer of a glTF file: 8 · 12 bytes, then 36 indices of 2 bytes.
static TestText cube_buffer(void)
{
    TestText buffer = { 0 };
    for (size_t i = 0; i < 8; ++i)
    {
        for (size_t axis = 0; axis < 3; ++axis)
        {
            test_text_put_f32(&buffer, cube[i][axis], false);
        }
    }
    for (size_t i = 0; i < 6; ++i)
    {
        static const uint8_t order[6] = { 0, 1, 2, 0, 2, 3 };
        for (size_t k = 0; k < 6; ++k)
        {
            const uint8_t index[2] = { quads[i][order[k]], 0 };
            test_text_append(&buffer, index, 2);
        }
    }
    return buffer;
}

static void print_scene(TestText* json, const char* nodes, const char* roots, const char* uri)
{
    test_text_print(
        json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[%s],",
        roots, nodes);
    test_text_print(
        json, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":4}]}],"
              "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
              "\"min\":[0,0,0],\"max\":[1,1,1]},"
              "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"
              "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},"
              "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],");
    test_text_print(json, "\"buffers\":[{%s%s%s\"byteLength\":168}]}", uri != NULL ? "\"uri\":\"" : "",
                    uri != NULL ? uri : "", uri != NULL ? "\"," : "");
}

static AbutMesh* load_gltf(const char* nodes, const char* roots)
{
    TestText buffer = cube_buffer();
    test_write_file(test_temporary_path("cube.bin"), buffer.bytes, buffer.size);
    TestText json = { 0 };
    print_scene(&json, nodes, roots, "cube.bin");
    AbutMesh* mesh = NULL;
    test_assert_result(load("cube.gltf", &json, &mesh), ABUT_OK);
    unlink(test_temporary_path("cube.bin"));
    test_text_free(&buffer);
    test_text_free(&json);
    return mesh;
}

static void test_gltf_nodes_are_flattened(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    AbutMesh* mesh = load_gltf("{\"mesh\":0}", "0");
    assert_unit_cube(mesh);
    abut_mesh_destroy(mesh);
    // A mirrored copy of twice the size inside a moved node: its volume must stay positive.
    mesh = load_gltf(
        "{\"mesh\":0},{\"translation\":[10,0,0],\"children\":[2]},{\"mesh\":0,\"scale\":[-2,2,2]}", "0,1");
    assert_int_equal(abut_mesh_vertex_count(mesh), 16);
    assert_int_equal(abut_mesh_triangle_count(mesh), 24);
    test_assert_near(test_mesh_volume(mesh), 9.0, 1e-6);
    AbutBox bounds = abut_mesh_bounds(mesh);
    test_assert_near(bounds.min.x, 0.0, 0.0);
    test_assert_near(bounds.max.x, 10.0, 1e-6);
    test_assert_near(bounds.max.y, 2.0, 1e-6);
    abut_mesh_destroy(mesh);
    // Two cubes that share a side share its four vertices.
    mesh = load_gltf("{\"mesh\":0},{\"mesh\":0,\"translation\":[1,0,0]}", "0,1");
    assert_int_equal(abut_mesh_vertex_count(mesh), 12);
    test_assert_near(test_mesh_volume(mesh), 2.0, 1e-6);
    abut_mesh_destroy(mesh);
}

static TestText make_glb(void)
{
    TestText buffer = cube_buffer();
    TestText json = { 0 };
    print_scene(&json, "{\"mesh\":0}", "0", NULL);
    while (json.size % 4 != 0)
    {
        test_text_append(&json, " ", 1);
    }
    TestText glb = { 0 };
    test_text_print(&glb, "glTF");
    test_text_put_u32(&glb, 2, false);
    test_text_put_u32(&glb, (uint32_t)(12 + 8 + json.size + 8 + buffer.size), false);
    test_text_put_u32(&glb, (uint32_t)json.size, false);
    test_text_print(&glb, "JSON");
    test_text_append(&glb, json.bytes, json.size);
    test_text_put_u32(&glb, (uint32_t)buffer.size, false);
    test_text_append(&glb, "BIN", 4);
    test_text_append(&glb, buffer.bytes, buffer.size);
    test_text_free(&buffer);
    test_text_free(&json);
    return glb;
}

static void test_glb_is_read(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    TestText glb = make_glb();
    AbutMesh* mesh = NULL;
    test_assert_result(load("cube.glb", &glb, &mesh), ABUT_OK);
    assert_unit_cube(mesh);
    abut_mesh_destroy(mesh);
    test_text_free(&glb);
}

static void test_own_formats_agree_with_assimp(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_sphere(2.0f, 10, NULL, &mesh), ABUT_OK);
    static const char* const names[] = { "sphere.obj", "sphere.stl", "sphere.ply" };
    for (size_t i = 0; i < 3; ++i)
    {
        const char* path = test_temporary_path(names[i]);
        test_assert_result(abut_mesh_save(mesh, path), ABUT_OK);
        AbutMeshLoadDef def = abut_mesh_load_def();
        def.use_assimp = true;
        AbutMesh* other = NULL;
        test_assert_result(abut_mesh_load_with(&def, path, &other), ABUT_OK);
        assert_int_equal(abut_mesh_vertex_count(other), abut_mesh_vertex_count(mesh));
        assert_int_equal(abut_mesh_triangle_count(other), abut_mesh_triangle_count(mesh));
        test_assert_near(test_mesh_volume(other), test_mesh_volume(mesh), 1e-5);
        abut_mesh_destroy(other);
        unlink(path);
    }
    abut_mesh_destroy(mesh);
}

static void test_bad_files_bring_the_message_of_assimp(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    TestText text = { 0 };
    test_text_print(&text, "this is no model");
    AbutMesh* mesh = NULL;
    test_assert_result(load("bad.glb", &text, &mesh), ABUT_INVALID_DATA);
    assert_null(mesh);
    assert_non_null(strstr(abut_last_error(), "bad.glb: assimp cannot read it: "));
    test_text_free(&text);
}

static void test_unknown_endings_are_refused_with_what_can_be_read(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "content");
    AbutMesh* mesh = NULL;
    test_assert_result(load("thing.xyzzy", &text, &mesh), ABUT_UNSUPPORTED);
    assert_non_null(strstr(abut_last_error(), "thing.xyzzy: "));
    assert_non_null(strstr(abut_last_error(), "obj, stl, ply"));
    assert_non_null(strstr(abut_last_error(), "'.xyzzy'"));
    if (has_assimp())
    {
        assert_non_null(strstr(abut_last_error(), "through assimp "));
    }
    test_assert_result(load("noending", &text, &mesh), ABUT_UNSUPPORTED);
    test_text_free(&text);
}

static AbutResult load_glb(void* context, const AbutHost* host)
{
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.host = host;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load_with(&def, context, &mesh);
    abut_mesh_destroy(mesh);
    return result;
}

static void test_every_failing_allocation_is_reported_and_leaks_nothing(void** state)
{
    (void)state;
    if (!has_assimp())
    {
        skip();
    }
    TestText glb = make_glb();
    const char* path = test_temporary_path("cube.glb");
    test_write_file(path, glb.bytes, glb.size);
    test_fail_every_allocation(load_glb, (void*)path);
    unlink(path);
    test_text_free(&glb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off_quads_are_cut_and_corners_joined),
        cmocka_unit_test(test_gltf_nodes_are_flattened),
        cmocka_unit_test(test_glb_is_read),
        cmocka_unit_test(test_own_formats_agree_with_assimp),
        cmocka_unit_test(test_bad_files_bring_the_message_of_assimp),
        cmocka_unit_test(test_unknown_endings_are_refused_with_what_can_be_read),
        cmocka_unit_test(test_every_failing_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
