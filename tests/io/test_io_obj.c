// The OBJ reader: what it accepts, what it refuses and where it says so. Cutting of polygons is in
// test_io_polygon.c, numbers in test_io_float.c.
#include "support/meshes/mesh_files.h"

#include <string.h>

#define OBJ ABUT_MESH_FORMAT_OBJ

static const char four_vertices[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

static AbutMesh* parse_with_faces(const char* faces)
{
    TestText text = { 0 };
    test_text_print(&text, "%s%s", four_vertices, faces);
    AbutMesh* mesh = test_parse(OBJ, text.bytes, text.size);
    test_text_free(&text);
    return mesh;
}

static void refuse_with_faces(const char* faces, const char* phrase)
{
    TestText text = { 0 };
    test_text_print(&text, "%s%s", four_vertices, faces);
    test_parse_refused(OBJ, text.bytes, text.size, ABUT_INVALID_DATA, phrase);
    test_text_free(&text);
}

static void test_reads_vertices_and_triangles(void** state)
{
    (void)state;
    AbutMesh* mesh =
        test_parse_text(OBJ, "# a comment\nv 1 2 3\nv -1.5 2e3 .25\nv 0 -0 5.\nf 1 2 3\nf 3 2 1\n");
    assert_int_equal(abut_mesh_vertex_count(mesh), 3);
    assert_int_equal(abut_mesh_triangle_count(mesh), 2);
    test_assert_vertex(mesh, 0, 1.0f, 2.0f, 3.0f);
    test_assert_vertex(mesh, 1, -1.5f, 2000.0f, 0.25f);
    test_assert_triangle(mesh, 0, 0, 1, 2);
    test_assert_triangle(mesh, 1, 2, 1, 0);
    abut_mesh_destroy(mesh);
}

static void test_all_forms_of_corners_name_the_same_vertex(void** state)
{
    (void)state;
    static const char* const faces[] = {
        "f 1 2 3\n",
        "f 1/5 2/6 3/7\n",
        "f 1//5 2//6 3//7\n",
        "f 1/5/6 2/5/6 3/5/6\n",
        "f -4 -3 -2\n",
        "f -4/-1 2/1 3\n",
        "f -4//-1 2//9 3/1/1\n",
        "f +1 +2 +3\n",
        "f\t1\t2\t3\t\n",
        "  f  1  2  3  \n",
        "f 1 2 3",
        "f 1 2 3 # comment\n",
        "f 1 2 3#comment\n",
        "f 1/ 2/ 3/\n",
        "f 1// 2// 3//\n",
        "f 01 002 0003\n",
        "f 1 \\\n 2 \\\r\n3\n",
        "f 1 2 3\r\n",
        "f 1 2 3\r",
        "f 1 2 3 \\\n\n",
    };
    for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); ++i)
    {
        AbutMesh* mesh = parse_with_faces(faces[i]);
        assert_int_equal(abut_mesh_triangle_count(mesh), 1);
        test_assert_triangle(mesh, 0, 0, 1, 2);
        abut_mesh_destroy(mesh);
    }
}

static void test_line_ends_of_all_systems_are_equal(void** state)
{
    (void)state;
    static const char* const ends[] = { "\n", "\r\n", "\r" };
    for (size_t i = 0; i < 3; ++i)
    {
        TestText text = { 0 };
        const char* e = ends[i];
        test_text_print(&text, "v 0 0 0%s%sv 1 0 0%sv 0 1 0%s# c%svn 0 0 1%sf 1 2 3%sf 1 2%s9%s", e, e, e, e,
                        e, e, e, " ", e);
        test_parse_refused(OBJ, text.bytes, text.size, ABUT_INVALID_DATA, "input:8: ");
        test_text_free(&text);
    }
}

static void test_relative_indices_count_from_the_vertices_so_far(void** state)
{
    (void)state;
    AbutMesh* mesh = test_parse_text(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -3 -2 -1\n");
    test_assert_triangle(mesh, 0, 0, 1, 2);
    test_assert_triangle(mesh, 1, 1, 2, 3);
    abut_mesh_destroy(mesh);
}

static void test_faces_may_name_vertices_further_down(void** state)
{
    (void)state;
    // A triangle, a concave polygon (corner 4 is the notch) and a relative face, all before some of their
    // vertices.
    AbutMesh* mesh =
        test_parse_text(OBJ, "v 0 0 0\nv 4 0 0\nf 1 2 5\nf 1 2 3 4\nv 4 4 0\nv 3 1 0\nf -1 -2 -3\nv 0 4 0\n");
    assert_int_equal(abut_mesh_vertex_count(mesh), 5);
    assert_int_equal(abut_mesh_triangle_count(mesh), 4);
    test_assert_triangle(mesh, 0, 0, 1, 4);
    test_assert_triangle(mesh, 3, 3, 2, 1);
    abut_mesh_destroy(mesh);
    test_parse_text_refused(OBJ, "v 0 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n# end\n",
                            "input:6: face has the vertex index 4, but the file has 3 vertices");
}

static void test_everything_else_is_passed_over(void** state)
{
    (void)state;
    AbutMesh* mesh = test_parse_text(
        OBJ,
        "mtllib a.mtl\no thing\ng left \\\nv right\nvt 0 0\nvn 0 0 1\nvp 1\nusemtl x\ns off\nl 1 2\np 1\n"
        "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 nan garbage\nfo 1 2 3\nvfoo\nf 1 2 3\n# ends with \\\n"
        "v 9 9 9 # ends with \\\nf 1 2 4\n");
    assert_int_equal(abut_mesh_vertex_count(mesh), 4);
    assert_int_equal(abut_mesh_triangle_count(mesh), 2);
    abut_mesh_destroy(mesh);
}

static void test_faces_with_fewer_than_three_corners_are_counted_in_a_warning(void** state)
{
    (void)state;
    AbutMesh* mesh = parse_with_faces("f 1\nf 1 2\nf\nf 1 2 3\n");
    assert_int_equal(abut_mesh_triangle_count(mesh), 1);
    assert_string_equal(test_last_warning(), "input: 3 faces with fewer than 3 corners were left out");
    abut_mesh_destroy(mesh);
}

static void test_degenerate_triangles_are_kept(void** state)
{
    (void)state;
    AbutMesh* mesh = parse_with_faces("f 1 1 2\nf 3 3 3 3\n");
    assert_int_equal(abut_mesh_triangle_count(mesh), 3);
    test_assert_triangle(mesh, 0, 0, 0, 1);
    abut_mesh_destroy(mesh);
}

static void test_points_without_faces_are_a_mesh_with_a_warning(void** state)
{
    (void)state;
    AbutMesh* mesh = test_parse_text(OBJ, four_vertices);
    assert_int_equal(abut_mesh_vertex_count(mesh), 4);
    assert_string_equal(test_last_warning(), "input: there are no triangles");
    abut_mesh_destroy(mesh);
}

static void test_bad_indices_are_refused_with_their_line(void** state)
{
    (void)state;
    refuse_with_faces("f 1 2 0\n", "input:5: face has the vertex index 0; indices count from 1");
    refuse_with_faces("f 1 2 -0\n", "input:5: face has the vertex index 0");
    refuse_with_faces("f 1 2 3\nf 1 2 5\n",
                      "input:6: face has the vertex index 5, but the file has 4 vertices");
    refuse_with_faces("f 1 2 -5\n", "input:5: face has the vertex index -5, but only 4 vertices precede it");
    refuse_with_faces("f 1 2 4294967297\n", "input:5: face has the vertex index 4294967297");
    refuse_with_faces("f 1 2 18446744073709551617\n", "input:5: face has the vertex index");
    refuse_with_faces("f 1 2 -99999999999999999999999\n", "input:5: face has the vertex index -");
    refuse_with_faces("f 1 \\\n2 \\\n9\n", "input:7: ");
    test_parse_text_refused(OBJ, "f -1 -2 -3\n",
                            "input:1: face has the vertex index -1, but only 0 vertices");
}

static void test_bad_corners_are_refused_with_their_line(void** state)
{
    (void)state;
    static const char* const faces[] = { "f 1 2 x\n",   "f 1 2 3x\n",   "f 1 2 3/x\n", "f 1 2 3/1/1/1\n",
                                         "f 1 2 /3\n",  "f 1 2 3//-\n", "f 1 2 3.0\n", "f 1 2 --3\n",
                                         "f 1 2 \\3\n", "f 1,2,3\n" };
    for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); ++i)
    {
        refuse_with_faces(faces[i], "input:5: expected a corner as v, v/t, v//n or v/t/n, found '");
    }
    refuse_with_faces("f 1 2 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n",
                      "found 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnop...'");
}

static void test_bad_coordinates_are_refused_with_their_line(void** state)
{
    (void)state;
    test_parse_text_refused(OBJ, "v 0 0 0\nv 1 2\n",
                            "input:2: expected a coordinate, found the end of the line");
    test_parse_text_refused(OBJ, "v 0 0 0\nv 1 2",
                            "input:2: expected a coordinate, found the end of the file");
    test_parse_text_refused(OBJ, "v 1 2 # 3\n", "input:1: expected a coordinate, found '#'");
    test_parse_text_refused(OBJ, "v", "input:1: expected a coordinate, found the end of the file");
    test_parse_text_refused(OBJ, "v 1 2 3x\n", "input:1: expected a coordinate, found '3x'");
    test_parse_text_refused(OBJ, "v 1 2 - 3\n", "input:1: expected a coordinate, found '-'");
    test_parse_text_refused(OBJ, "v 1 2 .\n", "input:1: expected a coordinate, found '.'");
    test_parse_text_refused(OBJ, "v 1,5 2 3\n", "input:1: expected a coordinate, found '1,5'");
    test_parse_text_refused(OBJ, "v 1 2 1e\n", "input:1: expected a coordinate, found '1e'");
    test_parse_text_refused(OBJ, "v 1 nan 3\n", "input:1: coordinate 'nan' is not finite");
    test_parse_text_refused(OBJ, "v 1 -INF 3\n", "input:1: coordinate '-INF' is not finite");
    test_parse_text_refused(OBJ, "v 1 Infinity 3\n", "input:1: coordinate 'Infinity' is not finite");
    test_parse_text_refused(OBJ, "\n\nv 1 1e39 3\n", "input:3: coordinate '1e39' is too large for a float");
    test_parse_text_refused(OBJ, "v 1 2 1e999999999999999999999\n",
                            "input:1: coordinate '1e999999999999999999999' is too");
}

static void test_what_is_no_obj_file_is_refused(void** state)
{
    (void)state;
    test_parse_text_refused(OBJ, "<html>\n<body>\n</html>\n",
                            "input:4: the file ends without a v or f statement");
    test_parse_refused(OBJ, "\0\0\0\0", 4, ABUT_INVALID_DATA, "the file ends without a v or f statement");
    test_parse_refused(OBJ, "", 0, ABUT_INVALID_DATA, "input: the file is empty");
    test_parse_refused(OBJ, "v 1 \0 2", 7, ABUT_INVALID_DATA, "input:1: expected a coordinate, found '?'");
}

static void test_format_must_be_one_of_ours(void** state)
{
    (void)state;
    test_parse_refused(ABUT_MESH_FORMAT_UNKNOWN, "v", 1, ABUT_INVALID_ARGUMENT, "OBJ, STL or PLY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_vertices_and_triangles),
        cmocka_unit_test(test_all_forms_of_corners_name_the_same_vertex),
        cmocka_unit_test(test_line_ends_of_all_systems_are_equal),
        cmocka_unit_test(test_relative_indices_count_from_the_vertices_so_far),
        cmocka_unit_test(test_faces_may_name_vertices_further_down),
        cmocka_unit_test(test_everything_else_is_passed_over),
        cmocka_unit_test(test_faces_with_fewer_than_three_corners_are_counted_in_a_warning),
        cmocka_unit_test(test_degenerate_triangles_are_kept),
        cmocka_unit_test(test_points_without_faces_are_a_mesh_with_a_warning),
        cmocka_unit_test(test_bad_indices_are_refused_with_their_line),
        cmocka_unit_test(test_bad_corners_are_refused_with_their_line),
        cmocka_unit_test(test_bad_coordinates_are_refused_with_their_line),
        cmocka_unit_test(test_what_is_no_obj_file_is_refused),
        cmocka_unit_test(test_format_must_be_one_of_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
