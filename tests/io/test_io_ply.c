// The PLY reader: one description of a file written in all three encodings and in many types must give one
// mesh.
#include "support/meshes/mesh_check.h"
#include "support/meshes/mesh_files.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PLY ABUT_MESH_FORMAT_PLY

typedef enum Encoding
{
    TEXT,
    LITTLE,
    BIG,
    ENCODING_COUNT
} Encoding;

static const char* const encoding_names[ENCODING_COUNT] = { "ascii", "binary_little_endian",
                                                            "binary_big_endian" };

typedef struct Type
{
    const char* name;
    const char* other_name;
    size_t size;
    bool is_float;
    bool is_signed;
} Type;

static const Type types[] = {
    { "char", "int8", 1, false, true },    { "uchar", "uint8", 1, false, false },
    { "short", "int16", 2, false, true },  { "ushort", "uint16", 2, false, false },
    { "int", "int32", 4, false, true },    { "uint", "uint32", 4, false, false },
    { "float", "float32", 4, true, true }, { "double", "float64", 8, true, true },
};

enum
{
    TYPE_COUNT = sizeof(types) / sizeof(types[0]),
    INTEGER_COUNT = TYPE_COUNT - 2
};

/// A value of the type, or its digits and a blank.
static void put(TestText* text, Encoding encoding, const Type* type, double value)
{
    if (encoding == TEXT)
    {
        test_text_print(text, "%.17g ", value);
        return;
    }
    uint64_t bits = type->is_float ? 0 : (uint64_t)(int64_t)value;
    if (type->is_float && type->size == 4)
    {
        float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, 4);
        bits = narrow_bits;
    }
    else if (type->is_float)
    {
        memcpy(&bits, &value, 8);
    }
    for (size_t i = 0; i < type->size; ++i)
    {
        size_t byte = encoding == BIG ? type->size - 1 - i : i;
        uint8_t b = (uint8_t)(bits >> (8 * byte));
        test_text_append(text, &b, 1);
    }
}

static void end_item(TestText* text, Encoding encoding)
{
    if (encoding == TEXT)
    {
        test_text_append(text, "\n", 1);
    }
}

static void begin(TestText* text, Encoding encoding)
{
    test_text_print(text, "ply\nformat %s 1.0\ncomment made by a test\nobj_info nothing\n",
                    encoding_names[encoding]);
}

static const double points[5][3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 4, 0 }, { 0, 4, 0 }, { 2, 2, 5 } };

static void put_points(TestText* text, Encoding encoding, const Type* type)
{
    for (size_t i = 0; i < 5; ++i)
    {
        for (size_t axis = 0; axis < 3; ++axis)
        {
            put(text, encoding, type, points[i][axis]);
        }
        end_item(text, encoding);
    }
}

static void put_list(TestText* text, Encoding encoding, const Type* count_type, const Type* type,
                     size_t count, const double* values)
{
    put(text, encoding, count_type, (double)count);
    for (size_t i = 0; i < count; ++i)
    {
        put(text, encoding, type, values[i]);
    }
}

static void assert_pyramid(const AbutMesh* mesh)
{
    assert_int_equal(abut_mesh_vertex_count(mesh), 5);
    assert_int_equal(abut_mesh_triangle_count(mesh), 6);
    test_assert_vertex(mesh, 4, 2.0f, 2.0f, 5.0f);
    test_assert_triangle(mesh, 0, 3, 2, 1);
    test_assert_triangle(mesh, 1, 3, 1, 0);
    test_assert_triangle(mesh, 5, 3, 0, 4);
    test_assert_near(test_mesh_volume(mesh), 80.0 / 3.0, 1e-12);
}

static void put_pyramid_faces(TestText* text, Encoding encoding, const Type* count_type, const Type* type)
{
    static const double base[4] = { 3, 2, 1, 0 };
    put_list(text, encoding, count_type, type, 4, base);
    end_item(text, encoding);
    for (int i = 0; i < 4; ++i)
    {
        double side[3] = { i, (i + 1) % 4, 4 };
        put_list(text, encoding, count_type, type, 3, side);
        end_item(text, encoding);
    }
}

static void test_all_encodings_and_types_give_one_mesh(void** state)
{
    (void)state;
    for (int encoding = 0; encoding < ENCODING_COUNT; ++encoding)
    {
        for (int coordinate = 0; coordinate < TYPE_COUNT; ++coordinate)
        {
            for (int index = 0; index < INTEGER_COUNT * INTEGER_COUNT; ++index)
            {
                const Type* type = &types[coordinate];
                const Type* count_type = &types[index % INTEGER_COUNT];
                const Type* index_type = &types[index / INTEGER_COUNT];
                TestText text = { 0 };
                begin(&text, (Encoding)encoding);
                test_text_print(&text, "element vertex 5\nproperty %s x\nproperty %s y\nproperty %s z\n",
                                type->name, type->other_name, type->name);
                test_text_print(&text, "element face 5\nproperty list %s %s %s\nend_header\n",
                                count_type->other_name, index_type->name,
                                index % 2 == 0 ? "vertex_indices" : "vertex_index");
                put_points(&text, (Encoding)encoding, type);
                put_pyramid_faces(&text, (Encoding)encoding, count_type, index_type);
                AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
                assert_pyramid(mesh);
                assert_string_equal(test_last_warning(), "");
                abut_mesh_destroy(mesh);
                test_text_free(&text);
            }
        }
    }
}

/// Properties in another order, unknown ones between them, unknown elements before, between and behind, faces
/// before vertices.
static void test_unknown_elements_are_passed_over_in_any_order(void** state)
{
    (void)state;
    static const double noise[7] = { 1, 2, 3, 4, 5, 6, 7 };
    for (int e = 0; e < ENCODING_COUNT; ++e)
    {
        Encoding encoding = (Encoding)e;
        TestText text = { 0 };
        begin(&text, encoding);
        test_text_print(
            &text, "element camera 2\nproperty double a\nproperty list uchar short b\nproperty char c\n"
                   "element nothing 353535235358\n"
                   "element face 5\nproperty uchar red\nproperty list ushort float texcoord\n"
                   "property list uchar int vertex_indices\nproperty list int double weights\n"
                   "element edge 1\nproperty int vertex1\nproperty int vertex2\n"
                   "element vertex 5\nproperty uchar flag\nproperty float z\nproperty list uchar uint d\n"
                   "property double x\nproperty short y\nproperty float quality\n"
                   "element material 3\nproperty list uint uint a\nend_header\n");
        for (size_t i = 0; i < 2; ++i)
        {
            put(&text, encoding, &types[7], 0.25);
            put_list(&text, encoding, &types[1], &types[2], 3 * i, noise);
            put(&text, encoding, &types[0], -3);
            end_item(&text, encoding);
        }
        for (size_t i = 0; i < 5; ++i)
        {
            double corners[4] = { i == 0 ? 3.0 : (double)i - 1.0, i == 0 ? 2.0 : (double)(i % 4),
                                  i == 0 ? 1.0 : 4.0, 0.0 };
            put(&text, encoding, &types[1], 255);
            put_list(&text, encoding, &types[3], &types[6], i, noise);
            put_list(&text, encoding, &types[1], &types[4], i == 0 ? 4 : 3, corners);
            put_list(&text, encoding, &types[4], &types[7], 5 - i, noise);
            end_item(&text, encoding);
        }
        put(&text, encoding, &types[4], 1);
        put(&text, encoding, &types[4], 2);
        end_item(&text, encoding);
        for (size_t i = 0; i < 5; ++i)
        {
            put(&text, encoding, &types[1], 1);
            put(&text, encoding, &types[6], points[i][2]);
            put_list(&text, encoding, &types[1], &types[5], i, noise);
            put(&text, encoding, &types[7], points[i][0]);
            put(&text, encoding, &types[2], points[i][1]);
            put(&text, encoding, &types[6], 0.5);
            end_item(&text, encoding);
        }
        for (size_t i = 0; i < 3; ++i)
        {
            put_list(&text, encoding, &types[5], &types[5], i, noise);
            end_item(&text, encoding);
        }
        AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
        assert_pyramid(mesh);
        assert_string_equal(test_last_warning(), "");
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

static void test_strips_flip_every_other_triangle_and_restart(void** state)
{
    (void)state;
    static const double strip[10] = { 0, 1, 3, 2, -1, 0, 1, 4, 4, 3 };
    for (int e = 0; e < ENCODING_COUNT; ++e)
    {
        Encoding encoding = (Encoding)e;
        TestText text = { 0 };
        begin(&text, encoding);
        test_text_print(&text, "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
                               "element tristrips 1\nproperty list int int vertex_indices\nend_header\n");
        put_points(&text, encoding, &types[6]);
        put_list(&text, encoding, &types[4], &types[4], 10, strip);
        AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
        assert_int_equal(abut_mesh_triangle_count(mesh),
                         3); // the ones with two equal corners only join strips
        test_assert_triangle(mesh, 0, 0, 1, 3);
        test_assert_triangle(mesh, 1, 3, 1, 2);
        test_assert_triangle(mesh, 2, 0, 1, 4);
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

static void test_line_ends_of_the_header_do_not_eat_the_data(void** state)
{
    (void)state;
    static const char* const ends[] = { "\n", "\r\n", "\r" };
    for (int i = 0; i < 3; ++i)
    {
        const char* e = ends[i];
        TestText text = { 0 };
        test_text_print(
            &text,
            "ply%sformat binary_little_endian 1.0%selement vertex 3%sproperty char x%sproperty char y%s"
            "property char z%selement face 1%sproperty list uchar uchar vertex_indices%send_header%s",
            e, e, e, e, e, e, e, e, e);
        test_text_append(&text, "\n\r\n \n\r\r\n\n\3\0\1\2", 13);
        AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
        test_assert_vertex(mesh, 0, 10.0f, 13.0f, 10.0f);
        test_assert_vertex(mesh, 1, 32.0f, 10.0f, 13.0f);
        test_assert_triangle(mesh, 0, 0, 1, 2);
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

static void test_doubles_are_rounded_to_floats(void** state)
{
    (void)state;
    TestText text = { 0 };
    begin(&text, LITTLE);
    test_text_print(
        &text, "element vertex 1\nproperty double x\nproperty double y\nproperty double z\nend_header\n");
    put(&text, LITTLE, &types[7], 0.1);
    put(&text, LITTLE, &types[7], -3.40282356e38); // rounds to -FLT_MAX
    put(&text, LITTLE, &types[7], 1e-60);
    AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
    test_assert_vertex(mesh, 0, 0.1f, -FLT_MAX, 0.0f);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void refuse_coordinate(Encoding encoding, const Type* type, double value, const char* phrase)
{
    TestText text = { 0 };
    begin(&text, encoding);
    test_text_print(&text, "element vertex 1\nproperty %s x\nproperty %s y\nproperty %s z\nend_header\n",
                    type->name, type->name, type->name);
    put(&text, encoding, type, 1.0);
    put(&text, encoding, type, value);
    put(&text, encoding, type, 1.0);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA, phrase);
    test_text_free(&text);
}

static void test_coordinates_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    refuse_coordinate(LITTLE, &types[6], (double)NAN, "input: byte 159: coordinate ");
    refuse_coordinate(BIG, &types[6], (double)INFINITY,
                      "coordinate inf is not finite, or too large for a float");
    refuse_coordinate(BIG, &types[7], 1e39, "coordinate 1e+39 is not finite, or too large for a float");
    refuse_coordinate(LITTLE, &types[7], -(double)INFINITY, "coordinate -inf is not finite");
    refuse_coordinate(TEXT, &types[6], (double)NAN, "input:10: coordinate 'nan' is not finite");
    refuse_coordinate(TEXT, &types[7], 1e39,
                      "input:10: coordinate '9.9999999999999994e+38' is too large for a float");
}

static void test_counts_beyond_the_file_are_refused_before_memory_is_asked_for(void** state)
{
    (void)state;
    for (int e = 0; e < ENCODING_COUNT; ++e)
    {
        TestText text = { 0 };
        begin(&text, (Encoding)e);
        test_text_print(&text,
                        "element vertex 353535235358\nproperty float x\nproperty float y\nproperty float z\n"
                        "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n");
        test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA,
                           e == TEXT
                               ? "input:5: the header declares 353535235358 items of at least 6 bytes, but "
                                 "only 6 bytes follow"
                               : "input:5: the header declares 353535235358 items of at least 12 bytes");
        assert_true(test_last_peak_bytes() < 10000);
        test_text_free(&text);
    }
    // Sums and products that wrap.
    test_parse_text_refused(
        PLY,
        "ply\nformat ascii 1.0\nelement vertex 4611686018427387904\nproperty float x\nproperty float y\n"
        "property float z\nelement a 9223372036854775807\nproperty int b\nend_header\n1 2 3\n",
        "input:3: the header declares 4611686018427387904 items");
    test_parse_text_refused(
        PLY,
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
        "element a 99999999999999999999999999\nproperty int b\nend_header\n1 2 3\n",
        "input:7: the header declares");
}

static void test_lists_beyond_the_file_are_refused(void** state)
{
    (void)state;
    TestText text = { 0 };
    begin(&text, LITTLE);
    test_text_print(&text, "element vertex 3\nproperty char x\nproperty char y\nproperty char z\n"
                           "element face 1\nproperty list int int vertex_indices\nend_header\n123456789");
    size_t length = text.size;
    test_text_put_u32(&text, 0x7FFFFFFF, false);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA,
                       "a list of 2147483647 items, but only 0 bytes follow");
    text.size = length;
    test_text_put_u32(&text, 0xFFFFFFFF, false);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA, "a list of -1 items");
    text.size = length;
    test_text_put_u32(&text, 3, false);
    test_text_put_u32(&text, 0, false);
    test_text_put_u32(&text, 1, false);
    test_text_put_u32(&text, 0xFFFFFFFF, false);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA,
                       "face 0 refers to vertex -1 of 3, which count from 0");
    test_text_free(&text);
}

static const char header_of_three[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

static void refuse_body(const char* body, const char* phrase)
{
    TestText text = { 0 };
    test_text_print(&text, "%s%s", header_of_three, body);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA, phrase);
    test_text_free(&text);
}

static void test_bad_bodies_are_refused_with_their_line(void** state)
{
    (void)state;
    refuse_body("0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
                "input:13: face 0 refers to vertex 3 of 3, which count from 0");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "input:13: face 0 refers to vertex -1 of 3");
    refuse_body("0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "input:11: expected a coordinate, found the end of the line");
    refuse_body("0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n",
                "input:11: expected the end of the line, since all properties");
    refuse_body("0 0 0\n1 0 0x\n0 1 0\n3 0 1 2\n", "input:11: expected a coordinate, found '0x'");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n3 0 1 \n ", "input:13: expected an integer, found the end of the line");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n3 0 1 2 0\n", "input:13: expected the end of the line");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n3.0 0 1 2\n", "input:13: expected an integer, found '3.0'");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n\n\n   \n", "input:16: the file ends before all items were read");
    refuse_body("0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "input:13: a list of -3 items");
    refuse_body("0 0 0\n1 0 0\n",
                "input:3: the header declares 3 items of at least 6 bytes, but only 12 bytes follow");
}

static void test_blank_lines_and_what_follows_the_last_element(void** state)
{
    (void)state;
    TestText text = { 0 };
    test_text_print(&text, "%s\n0 0 0\n\n  \n1 0 0\n0 1 0\n 3  0 1 2 \nmore", header_of_three);
    AbutMesh* mesh = test_parse(PLY, text.bytes, text.size);
    assert_int_equal(abut_mesh_triangle_count(mesh), 1);
    assert_string_equal(test_last_warning(), "input: 4 bytes behind the last element were left out");
    abut_mesh_destroy(mesh);
    test_text_free(&text);
}

static void test_bad_headers_are_refused_with_their_line(void** state)
{
    (void)state;
    static const char xyz[] = "property float x\nproperty float y\nproperty float z\n";
    static const char* const cases[][2] = {
        { "plyy\n", "input:1: expected 'ply' at the start of a PLY file, found 'plyy'" },
        { "ply 1\n", "input:1: expected the end of the line, found '1'" },
        { "ply\nelement\n", "input:2: expected 'format', found 'element'" },
        { "ply\nformat text 1.0\n",
          "input:2: expected 'ascii', 'binary_little_endian' or 'binary_big_endian', found 'text'" },
        { "ply\nformat ascii 2.0\n", "input:2: expected the version '1.0', found '2.0'" },
        { "ply\nformat ascii 1.0\n",
          "input:3: expected 'element', 'property', 'comment' or 'end_header', found the end of the file" },
        { "ply\nformat ascii 1.0\nfoo\n", "input:3: expected 'element'" },
        { "ply\nformat ascii 1.0\nend_header\n", "input:4: the header ends without an element 'vertex'" },
        { "ply\nformat ascii 1.0\nproperty int x\n", "input:3: a property stands before the first element" },
        { "ply\nformat ascii 1.0\nelement\n",
          "input:3: expected the name of an element, found the end of the line" },
        { "ply\nformat ascii 1.0\nelement vertex\n", "input:3: expected the number of items of the element" },
        { "ply\nformat ascii 1.0\nelement vertex -1\n",
          "input:3: expected the number of items of the element, found '-1'" },
        { "ply\nformat ascii 1.0\nelement vertex 1 2\n", "input:3: expected the end of the line, found '2'" },
        { "ply\nformat ascii 1.0\nelement vertex 1x\n", "input:3: expected the end of the line, found 'x'" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n",
          "input:4: element was declared in line 3 already" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nproperty foo x\n", "input:4: expected a type" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n",
          "input:4: expected the name of the property" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n",
          "input:5: the element has this property already" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar float x\n",
          "input:4: the coordinates of a vertex must not be lists" },
        { "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
          "input:3: the vertices have no property y" },
        { "ply\nformat ascii 1.0\nelement face 1\nproperty int vertex_index\n",
          "input:4: the corners of a face must be a list of integers" },
        { "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar float vertex_index\n",
          "input:4: the corners of a face must be a list" },
        { "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_index\n",
          "input:4: expected an integer type for the length" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        test_parse_text_refused(PLY, cases[i][0], cases[i][1]);
    }
    TestText text = { 0 };
    test_text_print(
        &text,
        "ply\nformat ascii 1.0\nelement vertex 1\n%selement face 1\nproperty int a\nend_header\n1 2 3\n4\n",
        xyz);
    test_parse_refused(PLY, text.bytes, text.size, ABUT_INVALID_DATA,
                       "input:7: the element has no list property vertex_indices");
    test_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_encodings_and_types_give_one_mesh),
        cmocka_unit_test(test_unknown_elements_are_passed_over_in_any_order),
        cmocka_unit_test(test_strips_flip_every_other_triangle_and_restart),
        cmocka_unit_test(test_line_ends_of_the_header_do_not_eat_the_data),
        cmocka_unit_test(test_doubles_are_rounded_to_floats),
        cmocka_unit_test(test_coordinates_that_are_not_finite_are_refused),
        cmocka_unit_test(test_counts_beyond_the_file_are_refused_before_memory_is_asked_for),
        cmocka_unit_test(test_lists_beyond_the_file_are_refused),
        cmocka_unit_test(test_bad_bodies_are_refused_with_their_line),
        cmocka_unit_test(test_blank_lines_and_what_follows_the_last_element),
        cmocka_unit_test(test_bad_headers_are_refused_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
