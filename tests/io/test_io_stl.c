// The STL reader: both kinds, told apart by content; corners joined.
#include "support/meshes/mesh_files.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STL ABUT_MESH_FORMAT_STL

static void begin_binary(TestText* text, const char* header, uint32_t triangle_count)
{
    char bytes[80] = { 0 };
    memcpy(bytes, header, strlen(header));
    test_text_append(text, bytes, sizeof(bytes));
    test_text_put_u32(text, triangle_count, false);
}

static void add_facet(TestText* text, const float corners[9])
{
    for (int i = 0; i < 3; ++i)
    {
        test_text_put_f32(text, NAN, false); // normals are not looked at
    }
    for (int i = 0; i < 9; ++i)
    {
        test_text_put_f32(text, corners[i], false);
    }
    test_text_append(text, "\xFF\xFF", 2);
}

static const float square[2][9] = { { 0, 0, 0, 1, 0, 0, 1, 1, 0 }, { 0, 0, 0, 1, 1, 0, 0, 1, 0 } };

static void assert_square(const AbutMesh* mesh)
{
    assert_int_equal(abut_mesh_vertex_count(mesh), 4);
    assert_int_equal(abut_mesh_triangle_count(mesh), 2);
    test_assert_triangle(mesh, 0, 0, 1, 2);
    test_assert_triangle(mesh, 1, 0, 2, 3);
    test_assert_vertex(mesh, 3, 0.0f, 1.0f, 0.0f);
}

static void test_binary_joins_equal_corners_in_the_order_of_first_use(void** state)
{
    (void)state;
    static const char* const headers[] = { "", "binary", "solid but binary", "solid" };
    for (size_t i = 0; i < 4; ++i)
    {
        TestText text = { 0 };
        begin_binary(&text, headers[i], 2);
        add_facet(&text, square[0]);
        add_facet(&text, square[1]);
        AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
        assert_square(mesh);
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

static const char text_square[] =
    "solid a square\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
    "  FACET NORMAL nan nan nan\n\n  OUTER LOOP\r\n\tVERTEX 0 0 0\n VERTEX 1e0 1.0 0\n"
    "  VERTEX 0 1 0\n ENDLOOP\n ENDFACET\nendsolid a square\n";

static void test_text_joins_equal_corners_in_the_order_of_first_use(void** state)
{
    (void)state;
    AbutMesh* mesh = test_parse_text(STL, text_square);
    assert_square(mesh);
    abut_mesh_destroy(mesh);
}

static void test_text_without_line_ends_and_names_is_read(void** state)
{
    (void)state;
    AbutMesh* mesh = test_parse_text(
        STL, "\n \t solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 "
             "endloop endfacet facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 1 0 vertex 0 1 0 "
             "endloop endfacet endsolid");
    assert_square(mesh);
    abut_mesh_destroy(mesh);
}

static void test_several_solids_become_one_mesh(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "%s\n\n%s", text_square, text_square);
    AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
    assert_int_equal(abut_mesh_vertex_count(mesh), 4);
    assert_int_equal(abut_mesh_triangle_count(mesh), 4);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_zeros_of_both_signs_are_joined_and_the_first_is_kept(void** state)
{
    (void)state;
    static const float corners[9] = { -0.0f, 0, 0, 0, -0.0f, 0, 0, 0, -0.0f };
    TestText text = { 0 };
    begin_binary(&text, "", 1);
    add_facet(&text, corners);
    AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
    assert_int_equal(abut_mesh_vertex_count(mesh), 1);
    assert_true(signbit(abut_mesh_vertices(mesh)[0].x));
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static int compare_points(const void* a, const void* b)
{
    return memcmp(a, b, sizeof(AbutVec3));
}

/// Random corners from a small set of places, against sorting: as many vertices as different places, each
/// corner at its place.
static void test_joining_agrees_with_sorting(void** state)
{
    (void)state;
    enum
    {
        TRIANGLES = 20000
    };
    TestRandom random = { 9 };
    TestText text = { 0 };
    AbutVec3* corners = malloc(sizeof(AbutVec3) * 3 * TRIANGLES);
    assert_non_null(corners);
    begin_binary(&text, "", TRIANGLES);
    for (size_t i = 0; i < TRIANGLES; ++i)
    {
        for (size_t k = 0; k < 3; ++k)
        {
            // Places that differ in one bit, in the sign or in the exponent only.
            float x = (float)(test_random_bits(&random) % 40) + 1.0f;
            float y = ldexpf(1.0f, (int)(test_random_bits(&random) % 30));
            float z = nextafterf(1.0f, test_random_bits(&random) % 2 ? 2.0f : 0.0f);
            corners[3 * i + k] = abut_vec3(test_random_bits(&random) % 2 ? x : -x, y, z);
        }
        float facet[9];
        memcpy(facet, &corners[3 * i], sizeof(facet));
        add_facet(&text, facet);
    }
    AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
    for (size_t i = 0; i < 3 * TRIANGLES; ++i)
    {
        assert_memory_equal(&abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[i]], &corners[i],
                            sizeof(AbutVec3));
    }
    qsort(corners, 3 * TRIANGLES, sizeof(AbutVec3), compare_points);
    uint32_t different = 1;
    for (size_t i = 1; i < 3 * TRIANGLES; ++i)
    {
        different += compare_points(&corners[i - 1], &corners[i]) != 0;
    }
    assert_int_equal(abut_mesh_vertex_count(mesh), different);
    abut_mesh_destroy(mesh);
    free(corners);
    test_text_free(&text);
}

static void test_count_that_lies_is_refused_with_both_sizes(void** state)
{
    (void)state;
    TestText text = { 0 };
    begin_binary(&text, "", 3);
    add_facet(&text, square[0]);
    add_facet(&text, square[1]);
    test_parse_refused(
        STL, text.bytes, text.size, ABUT_INVALID_DATA,
        "input: byte 80: a binary STL with the declared 3 triangles has 234 bytes, but the file has 184");
    text.bytes[80] = 1;
    test_parse_refused(STL, text.bytes, text.size, ABUT_INVALID_DATA,
                       "declared 1 triangles has 134 bytes, but the file has 184");
    memset(text.bytes + 80, 0xFF, 4);
    test_parse_refused(STL, text.bytes, text.size, ABUT_INVALID_DATA,
                       "4294967295 triangles has 214748364834 bytes");
    memcpy(text.bytes, "solid", 5);
    text.bytes[80] = 9;
    text.bytes[81] = text.bytes[82] = text.bytes[83] = 0;
    test_parse_refused(STL, text.bytes, text.size, ABUT_INVALID_DATA, "declared 9 triangles");
    test_parse_refused(STL, text.bytes, 83, ABUT_INVALID_DATA, "input: byte 83: the file ends here");
    test_text_free(&text);
}

static void test_coordinates_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    static const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; ++i)
    {
        TestText text = { 0 };
        float corners[9] = { 0, 0, 0, 1, 0, 0, 1, bad[i], 0 };
        begin_binary(&text, "", 2);
        add_facet(&text, square[0]);
        add_facet(&text, corners);
        test_parse_refused(STL, text.bytes, text.size, ABUT_INVALID_DATA, "input: byte 170: corner (1, ");
        test_text_free(&text);
    }
    test_parse_text_refused(STL, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 inf 0\n",
                            "input:4: coordinate 'inf' is not");
    test_parse_text_refused(STL, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e40 0\n",
                            "input:4: coordinate '1e40' is");
}

static void test_largest_coordinates_are_read(void** state)
{
    (void)state;
    static const float corners[9] = { FLT_MAX, -FLT_MAX, 0, FLT_MIN, 0, FLT_MAX, -FLT_MAX, 0, 1 };
    TestText text = { 0 };
    begin_binary(&text, "", 1);
    add_facet(&text, corners);
    AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
    test_assert_vertex(mesh, 0, FLT_MAX, -FLT_MAX, 0.0f);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_empty_solids_are_meshes_with_a_warning(void** state)
{
    (void)state;
    TestText text = { 0 };
    begin_binary(&text, "", 0);
    AbutMesh* mesh = test_parse(STL, text.bytes, text.size);
    assert_int_equal(abut_mesh_triangle_count(mesh), 0);
    assert_string_equal(test_last_warning(), "input: there are no triangles");
    abut_mesh_destroy(mesh);
    test_text_free(&text);
    abut_mesh_destroy(test_parse_text(STL, "solid\nendsolid\n"));
    assert_string_equal(test_last_warning(), "input: there are no triangles");
}

static void test_bad_text_is_refused_with_its_line(void** state)
{
    (void)state;
    test_parse_text_refused(STL, "solid\n",
                            "input:2: expected 'facet' or 'endsolid', found the end of the file");
    test_parse_text_refused(STL, "solid\nfacett", "input:2: expected 'facet' or 'endsolid', found 'facett'");
    test_parse_text_refused(STL, "solid\nfacet 1 2 3", "input:2: expected 'normal', found '1'");
    test_parse_text_refused(STL, "solid\nfacet normal 1 2 3\nloop",
                            "input:3: expected 'outer', found 'loop'");
    test_parse_text_refused(STL, "solid\nfacet normal 1 2 3\nouter loop\nvertex 1 2\nvertex",
                            "input:5: expected a coordinate");
    test_parse_text_refused(STL, "solid\nfacet normal 1 2 3\nouter loop\nvertex 1 2 3,\n",
                            "input:4: expected a coordinate, found '3,'");
    test_parse_text_refused(
        STL,
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n",
        "input:7: expected 'endloop', found 'vertex'");
    test_parse_text_refused(STL, "solid\nendsolid\nmore\n", "input:3: expected 'solid', found 'more'");
    test_parse_text_refused(STL, "sol",
                            "input: byte 3: the file ends here: a binary STL has at least 84 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary_joins_equal_corners_in_the_order_of_first_use),
        cmocka_unit_test(test_text_joins_equal_corners_in_the_order_of_first_use),
        cmocka_unit_test(test_text_without_line_ends_and_names_is_read),
        cmocka_unit_test(test_several_solids_become_one_mesh),
        cmocka_unit_test(test_zeros_of_both_signs_are_joined_and_the_first_is_kept),
        cmocka_unit_test(test_joining_agrees_with_sorting),
        cmocka_unit_test(test_count_that_lies_is_refused_with_both_sizes),
        cmocka_unit_test(test_coordinates_that_are_not_finite_are_refused),
        cmocka_unit_test(test_largest_coordinates_are_read),
        cmocka_unit_test(test_empty_solids_are_meshes_with_a_warning),
        cmocka_unit_test(test_bad_text_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
