// Files that assimp cannot bear, and files that others write: a mesh, or a message in a short time.
#include "support/meshes/mesh_check.h"
#include "support/meshes/mesh_files.h"

#include "io/process/import_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_file(const char* name, const char* text, AbutResult expected, const char* message)
{
    const char* path = test_temporary_path(name);
    test_write_file(path, text, strlen(text));
    AbutMesh* mesh = NULL;
    double start = test_seconds_now();
    AbutResult result = abut_mesh_load(path, &mesh);
    abut_mesh_destroy(mesh);
    unlink(path);
    if (result != expected || strstr(abut_last_error(), message) == NULL || test_seconds_now() - start > 30.0)
    {
        fail_msg("%s: %s, '%s', after %g s", name, abut_result_name(result), abut_last_error(),
                 test_seconds_now() - start);
    }
}

static void test_declared_counts_take_no_memory(void** state)
{
    (void)state;
    test_skip_without_assimp();
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
    test_skip_without_assimp();
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
    test_skip_without_assimp();
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
    test_skip_without_assimp();
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

/// A square of two triangles under two nodes, moved by an animation inside of `depth` others.
static TestText animated_square(int depth)
{
    TestText text = { 0 };
    test_text_print(
        &text,
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><asset><unit meter=\"1\"/><up_axis>Z_UP</up_axis></asset>"
        "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">"
        "0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source=\"#a\" count=\"4\" "
        "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\">"
        "<input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"2\"><input "
        "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2 0 2 3</p></triangles></mesh></geometry>"
        "</library_geometries><library_animations>");
    for (int i = 0; i < depth; ++i)
    {
        test_text_print(&text, "<animation id=\"outer%d\" name=\"arm\">", i);
    }
    test_text_print(
        &text,
        "<animation id=\"inner\"><source id=\"t\"><float_array id=\"ta\" count=\"2\">0.04 1.6</float_array>"
        "<technique_common><accessor source=\"#ta\" count=\"2\" stride=\"1\"><param name=\"TIME\" "
        "type=\"float\"/></accessor></technique_common></source><source id=\"m\"><float_array id=\"ma\" "
        "count=\"32\">1 0 0 1 0 1 0 -1 0 0 1 0 0 0 0 1 0 -1 0 2 1 0 0 -1 0 0 1 0 0 0 0 1</float_array>"
        "<technique_common><accessor source=\"#ma\" count=\"2\" stride=\"16\"><param name=\"TRANSFORM\" "
        "type=\"float4x4\"/></accessor></technique_common></source><source id=\"i\"><Name_array id=\"ia\" "
        "count=\"2\">LINEAR LINEAR</Name_array><technique_common><accessor source=\"#ia\" count=\"2\" "
        "stride=\"1\"><param name=\"INTERPOLATION\" type=\"name\"/></accessor></technique_common></source>"
        "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" "
        "source=\"#m\"/><input semantic=\"INTERPOLATION\" source=\"#i\"/></sampler><channel source=\"#s\" "
        "target=\"arm/transform\"/></animation>");
    for (int i = 0; i < depth; ++i)
    {
        test_text_print(&text, "</animation>");
    }
    test_text_print(
        &text,
        "</library_animations><library_visual_scenes><visual_scene id=\"w\"><node id=\"arm\"><matrix "
        "sid=\"transform\">1 0 0 1 0 1 0 -1 0 0 1 0 0 0 0 1</matrix><node id=\"n\"><translate>0 0 2"
        "</translate><instance_geometry url=\"#g\"/></node></node></visual_scene></library_visual_scenes>"
        "<scene><instance_visual_scene url=\"#w\"/></scene></COLLADA>");
    return text;
}

/// Animations do not move the mesh, however deep they are: it is where its nodes place it, each time.
static void test_collada_with_nested_animations_is_read_as_its_nodes_say(void** state)
{
    (void)state;
    test_skip_without_assimp();
    uint64_t expected = 0;
    for (int depth = 0; depth < 4; ++depth)
    {
        TestText text = animated_square(depth);
        const char* path = test_temporary_path("animated.dae");
        test_write_file(path, text.bytes, text.size);
        AbutMesh* mesh = NULL;
        test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
        assert_int_equal(abut_mesh_triangle_count(mesh), 2);
        AbutBox box = abut_mesh_bounds(mesh);
        test_assert_near(box.min.x, 1.0, 1e-6);
        test_assert_near(box.min.y, 2.0, 1e-6); // which way is up becomes y
        test_assert_near(box.max.z, 1.0, 1e-6);
        expected = depth == 0 ? test_mesh_hash(mesh) : expected;
        assert_int_equal(test_mesh_hash(mesh), expected);
        abut_mesh_destroy(mesh);
        unlink(path);
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
    test_skip_without_assimp();
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
    test_skip_without_assimp();
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
        cmocka_unit_test(test_declared_counts_take_no_memory),
        cmocka_unit_test(test_a_file_that_crashes_assimp_is_a_message),
        cmocka_unit_test(test_numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(test_collada_that_reads_past_its_arrays_is_refused),
        cmocka_unit_test(test_collada_with_nested_animations_is_read_as_its_nodes_say),
        cmocka_unit_test(test_a_3mf_file_with_a_thumbnail_is_read),
        cmocka_unit_test(test_the_list_of_endings_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
