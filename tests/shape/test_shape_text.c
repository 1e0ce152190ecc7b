// SHAPE texts: every form makes what it says, every mistake is named with its column, and no text breaks
// anything.
#include "support/support.h"

#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AbutShape* load_shape(const char* text)
{
    AbutParsedShape loaded;
    AbutResult result = abut_shape_parse(text, NULL, &loaded);
    if (result != ABUT_OK)
    {
        fail_msg("%s: %s", text, abut_last_error());
    }
    assert_non_null(loaded.shape);
    assert_null(loaded.mesh);
    return loaded.shape;
}

// -----------------------------------------------------------------------------------------------------------
// Forms
// -----------------------------------------------------------------------------------------------------------

static void test_primitives_have_their_closed_form_distances(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        float point[3];
        double distance;
        AbutShapeKind kind;
    } cases[] = {
        { "sphere:0.5", { 2.0f, 0.0f, 0.0f }, 1.5, ABUT_SHAPE_SPHERE },
        { "box:1,2,3", { 0.0f, 2.0f, 0.0f }, 1.0, ABUT_SHAPE_BOX },
        { "box:1,2,3", { 0.0f, 0.0f, 0.0f }, -0.5, ABUT_SHAPE_BOX },
        { "rounded_box:1,2,3,0.25", { 0.0f, 0.0f, 2.5f }, 1.0, ABUT_SHAPE_ROUNDED_BOX },
        { "capsule:0.5,2", { 0.0f, 3.0f, 0.0f }, 1.5, ABUT_SHAPE_CAPSULE },
        { "cylinder:0.5,2", { 0.0f, 3.0f, 0.0f }, 2.0, ABUT_SHAPE_CYLINDER },
        { "cone:1,2", { 0.0f, 1.5f, 0.0f }, 0.5, ABUT_SHAPE_CONE },
        { "cone:1,2,0.5", { 0.0f, 1.5f, 0.0f }, 0.5, ABUT_SHAPE_CONE },
        { "torus:1,0.25", { 1.0f, 0.0f, 0.0f }, -0.25, ABUT_SHAPE_TORUS },
        { "plane", { 5.0f, 3.0f, 1.0f }, 3.0, ABUT_SHAPE_PLANE },
        { "plane:1,0,0", { 5.0f, 3.0f, 1.0f }, 5.0, ABUT_SHAPE_PLANE },
        { "plane:2,0,0,1", { 5.0f, 3.0f, 1.0f }, 4.0, ABUT_SHAPE_PLANE },
        { "union(sphere:1;at(sphere:1;3,0,0))", { 5.0f, 0.0f, 0.0f }, 1.0, ABUT_SHAPE_UNION },
        { "union(sphere:1)", { 5.0f, 0.0f, 0.0f }, 4.0, ABUT_SHAPE_UNION },
        { "intersection(sphere:2;sphere:1;plane)", { 0.0f, 0.5f, 0.0f }, 0.5, ABUT_SHAPE_INTERSECTION },
        { "difference(box:2,2,2;sphere:0.5)", { 0.0f, 0.0f, 0.0f }, 0.5, ABUT_SHAPE_DIFFERENCE },
        { "difference(box:2,2,2;sphere:0.5;at(sphere:0.1;0.8,0,0))",
          { 0.8f, 0.0f, 0.0f },
          0.1,
          ABUT_SHAPE_DIFFERENCE },
        { "smooth(sphere:1;at(sphere:1;2,0,0);0.5)", { 1.0f, 0.0f, 0.0f }, -0.125, ABUT_SHAPE_SMOOTH_UNION },
        { "offset(box:1,1,1;0.25)", { 2.0f, 0.0f, 0.0f }, 1.25, ABUT_SHAPE_OFFSET },
        { "offset(sphere:1;-0.25)", { 2.0f, 0.0f, 0.0f }, 1.25, ABUT_SHAPE_OFFSET },
        { "shell(sphere:1;0.5)", { 0.0f, 0.0f, 0.0f }, 0.75, ABUT_SHAPE_SHELL },
        { "at(sphere:1;10,0,0)", { 0.0f, 0.0f, 0.0f }, 9.0, ABUT_SHAPE_TRANSFORMED },
        { "at(cylinder:1,4;0,0,0,0.70710678,0,0,0.70710678,2)",
          { 0.0f, 0.0f, 5.0f },
          1.0,
          ABUT_SHAPE_TRANSFORMED },
        { "corrected(sphere:1;2)", { 3.0f, 0.0f, 0.0f }, 1.0, ABUT_SHAPE_CORRECTED },
        { " union ( sphere : 1 ; at ( box : 1 , 1 , 1 ; 5 , 0 , 0 ) ) ",
          { 3.0f, 0.0f, 0.0f },
          1.5,
          ABUT_SHAPE_UNION },
        { "sphere:5e-1", { 2.0f, 0.0f, 0.0f }, 1.5, ABUT_SHAPE_SPHERE },
        { "sphere:+.5", { 2.0f, 0.0f, 0.0f }, 1.5, ABUT_SHAPE_SPHERE },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutShape* shape = load_shape(cases[i].text);
        const float* p = cases[i].point;
        float distance = abut_shape_distance(shape, abut_vec3(p[0], p[1], p[2]), NULL);
        if (fabs((double)distance - cases[i].distance) > 1e-6)
        {
            fail_msg("%s: distance %.9g, expected %.9g", cases[i].text, (double)distance, cases[i].distance);
        }
        assert_int_equal(abut_shape_info(shape).kind, cases[i].kind);
        abut_shape_destroy(shape);
    }
}

/// The heightfield and the mesh of the same numbers are the same hills.
static void test_terrain_is_the_surface_of_its_mesh(void** state)
{
    (void)state;
    AbutShape* shape = load_shape("terrain:8,2,16,7");
    AbutParsedShape mesh;
    test_assert_result(abut_shape_parse("terrain_mesh:8,2,16,7", NULL, &mesh), ABUT_OK);
    const AbutVec3* vertices = abut_mesh_vertices(mesh.mesh);
    int on_surface = 0;
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh.mesh); ++i)
    {
        on_surface += fabsf(abut_shape_distance(shape, vertices[i], NULL)) < 1e-5f;
    }
    assert_true(on_surface >= 17 * 17);
    AbutShape* wide = load_shape("terrain:8,2,16,7,3");
    test_assert_near(abut_shape_info(wide).band, 3.0, 0.0);
    abut_shape_destroy(wide);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh.mesh);
}

static void test_every_mesh_form_is_closed(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "sphere_mesh:0.5",
        "sphere_mesh:0.5,4",
        "box_mesh:1,2,3",
        "box_mesh:1,2,3,4",
        "torus_mesh:1,0.25",
        "torus_mesh:1,0.25,5",
        "capsule_mesh:0.5,1",
        "capsule_mesh:0.5,1,8",
        "terrain_mesh",
        "terrain_mesh:4,1,8,3",
        "bowl",
        "bowl:1,0.1,16",
        "pipe",
        "pipe:0.1,0.05,1,1,1,12",
        "gear",
        "gear:12,0.1,0.3",
        "gear:12,0.1,0.3,0.2,0.01",
        "link",
        "link:1,0.5,0.2,16",
        "bolt",
        "bolt:8,2,20",
        "bolt:8,2,20,24",
        "nut",
        "nut:8,2,10",
        "nut:8,2,10,0.2",
        "nut:8,2,10,0.2,24",
        "ring",
        "ring:1,0.3,4,-1,48",
        "revolution:12,0,-1,1,0,0,1",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
    {
        AbutParsedShape loaded;
        AbutResult result = abut_shape_parse(texts[i], NULL, &loaded);
        if (result != ABUT_OK)
        {
            fail_msg("%s: %s", texts[i], abut_last_error());
        }
        assert_non_null(loaded.mesh);
        assert_null(loaded.shape);
        AbutMeshReport report;
        AbutMeshInspectDef def = abut_mesh_inspect_def();
        test_assert_result(abut_mesh_inspect(&def, loaded.mesh, &report), ABUT_OK);
        if (!report.closed || !report.oriented || report.mass.volume <= 0.0)
        {
            fail_msg("%s: closed %d, oriented %d, volume %g", texts[i], report.closed, report.oriented,
                     report.mass.volume);
        }
        abut_mesh_destroy(loaded.mesh);
    }
}

/// Every bare form of the help page, with its brackets and names replaced by numbers, can be loaded.
static void test_every_listed_form_is_known(void** state)
{
    (void)state;
    int count = 0;
    for (const AbutShapeForm* form = abut_shape_parse_forms(); form->form != NULL; ++form)
    {
        assert_true(strlen(form->meaning) > 0);
        if (form->form[0] >= 'a') // FILE, MESH@N and FIELD stand for names
        {
            char name[64];
            snprintf(name, sizeof(name), "%.*s:~", (int)strcspn(form->form, "[:("), form->form);
            AbutParsedShape loaded;
            test_assert_result(abut_shape_parse(name, NULL, &loaded), ABUT_INVALID_ARGUMENT);
            assert_non_null(
                strstr(abut_last_error(), form->form)); // the form is in the message: it was recognised
        }
        ++count;
    }
    assert_int_equal(count, 35);
}

// -----------------------------------------------------------------------------------------------------------
// Mistakes
// -----------------------------------------------------------------------------------------------------------

static void test_mistakes_are_named_with_their_column(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* message;
    } cases[] = {
        { "sphere", "at column 7: expected ':' and a number for R; the form is sphere:R" },
        { "sphere:", "at column 8: expected a finite number for R; the form is sphere:R" },
        { "sphere:x", "at column 8: expected a finite number for R" },
        { "sphere:nan", "at column 8: expected a finite number for R" },
        { "sphere:inf", "at column 8: expected a finite number for R" },
        { "sphere:1e400", "at column 8: expected a finite number for R" },
        { "sphere:1e39", "at column 8: expected a finite number for R" },
        { "sphere:0x10", "at column 9: expected ',' or the end of sphere; the form is sphere:R" },
        { "sphere:1 2", "at column 10: expected ',' or the end of sphere" },
        { "sphere:1,2", "at column 10: too many numbers; the form is sphere:R" },
        { "sphere:-1", "at column 1: " },
        { "box:1,2", "at column 8: expected ',' and a number for Z; the form is box:X,Y,Z" },
        { "box:1,,2", "at column 7: expected a finite number for Y" },
        { "rounded_box:1,1,1", "a number for R; the form is rounded_box:X,Y,Z,R" },
        { "cone:1,2,3,4", "at column 12: too many numbers; the form is cone:R,L[,R2]" },
        { "plane:1", "at column 8: expected ',' and a number for NY" },
        { "plane:0,0,0", "at column 1: " },
        { "terrain:10", "a number for HEIGHT" },
        { "terrain:10,1,2.5", "at column 14: expected a whole number for DIVISIONS" },
        { "terrain:10,1,0", "at column 1: DIVISIONS of a terrain" },
        { "terrain:10,1,16385", "at column 1: DIVISIONS of a terrain" },
        { "terrain:10,1,-5", "at column 1: DIVISIONS of a terrain" },
        { "gear:3.5,1,1", "at column 6: expected a whole number for TEETH" },
        { "gear:2,1,1", "at column 1: " },
        { "ring:1,0.2,5e9", "at column 12: expected a whole number for CORNERS" },
        { "revolution:12,0,0", "a number for R1" },
        { "revolution:12,0,0,1", "a number for Y1" },
        { "revolution:12,0,0,1,1,0", "has a radius but no height" },
        { "union", "at column 6: expected '('; the form is union(A;B;...)" },
        { "union:1", "at column 6: expected '('" },
        { "union()", "at column 7: no shape and no file has this name" },
        { "union(sphere:1", "at column 15: expected ')'; the form is union(A;B;...)" },
        { "union(sphere:1;)", "at column 16: no shape" },
        { "union(sphere:1,box:1,1,1)", "at column 16: too many numbers; the form is sphere:R" },
        { "union(sphere:1;shpere:1)",
          "at column 16: no shape and no file has this name; the shapes are sphere," },
        { "union(sphere:1 box:1,1,1)", "at column 16: expected ',' or the end of sphere" },
        { "sphere:1)", "at column 9: expected the end of the text" },
        { "union(sphere:1))", "at column 16: expected the end of the text" },
        { "difference(sphere:1)", "at column 20: expected ';' and the next part" },
        { "smooth(sphere:1;sphere:1)", "at column 25: expected ';' and the next part" },
        { "smooth(sphere:1;sphere:1;x)",
          "at column 26: expected a finite number; the form is smooth(A;B;R)" },
        { "smooth(sphere:1;sphere:1;1;2)", "at column 27: expected ')'" },
        { "offset(sphere:1;sphere:1)", "at column 17: expected a finite number; the form is offset(A;D)" },
        { "shell(sphere:1;-1)", "at column 1: " },
        { "at(sphere:1;1,2)", "at column 16: a pose has 3, 7 or 8 numbers, not 2" },
        { "at(sphere:1;1,2,3,0,0,0,5)", "at column 13: the quaternion has length 5" },
        { "at(sphere:1)", "at column 12: expected ';' and the next part" },
        { "union(gear;sphere:1)", "at column 7: gear is a mesh" },
        { "union(sphere:1;part.obj)", "at column 16: part.obj is a mesh" },
        { "shpere:1", "at column 1: no shape and no file has this name; the shapes are sphere, box" },
        { "nothing", "at column 1: no shape and no file has this name" },
        { "", "at column 1: no shape and no file has this name" },
        { "sphere:\x1b[2J", "SHAPE \"sphere:?[2J\": at column 8" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutParsedShape loaded;
        AbutResult result = abut_shape_parse(cases[i].text, NULL, &loaded);
        if (result != ABUT_INVALID_ARGUMENT || strstr(abut_last_error(), cases[i].message) == NULL)
        {
            fail_msg("\"%s\" gave %s: %s\nexpected: %s", cases[i].text, abut_result_name(result),
                     result == ABUT_OK ? "" : abut_last_error(), cases[i].message);
        }
        assert_null(loaded.shape);
        assert_null(loaded.mesh);
    }
}

/// `depth` combinations around a sphere.
static char* nested_text(int depth)
{
    char* text = calloc((size_t)depth * 16 + 16, 1);
    for (int i = 0; i < depth; ++i)
    {
        strcat(text, "union(");
    }
    strcat(text, "sphere:1");
    for (int i = 0; i < depth; ++i)
    {
        strcat(text, ")");
    }
    return text;
}

static void test_nesting_has_a_limit_that_is_named(void** state)
{
    (void)state;
    AbutParsedShape loaded;
    char* text = nested_text(60);
    test_assert_result(abut_shape_parse(text, NULL, &loaded), ABUT_OK);
    abut_shape_destroy(loaded.shape);
    free(text);
    text = nested_text(5000);
    test_assert_result(abut_shape_parse(text, NULL, &loaded), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "at column 385: shapes are nested deeper than 64"));
    free(text);
}

static void test_number_of_shapes_has_a_limit_that_is_named(void** state)
{
    (void)state;
    char* text = calloc(2000 * 9 + 16, 1);
    char* at = text + sprintf(text, "union(sphere:1");
    for (int i = 0; i < 1999; ++i)
    {
        at += sprintf(at, ";sphere:1");
    }
    strcpy(at, ")");
    AbutParsedShape loaded;
    test_assert_result(abut_shape_parse(text, NULL, &loaded), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "more than 1024 shapes"));
    free(text);
}

// -----------------------------------------------------------------------------------------------------------
// Files
// -----------------------------------------------------------------------------------------------------------

static void write_triangle(const char* path)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
}

/// Works in an empty folder of its own.
static void enter_folder(char* folder)
{
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static void leave_folder(const char* folder)
{
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_meshes_become_fields_behind_a_resolution(void** state)
{
    (void)state;
    const char* const texts[] = { "box_mesh:1,1,1@16", "gear@24", "sphere:1@16", "gear@24,close" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
    {
        AbutParsedShape loaded;
        test_assert_result(abut_shape_parse(texts[i], NULL, &loaded), ABUT_OK);
        assert_null(loaded.mesh);
        assert_true(abut_shape_is_field(loaded.shape));
        abut_shape_destroy(loaded.shape);
    }
}

static void test_files_are_told_from_forms(void** state)
{
    (void)state;
    char folder[] = "/tmp/abut_shape_text_XXXXXX";
    enter_folder(folder);
    static const struct
    {
        const char* file;
        const char* text;
        AbutResult expected;
        const char* message;
    } cases[] = {
        { "part.obj", "part.obj", ABUT_OK, NULL },
        { "sphere.obj", "sphere.obj", ABUT_OK, NULL },
        { "sphere:1.obj", "./sphere:1.obj", ABUT_OK, NULL },
        { "sphere:1.obj", "sphere:1.obj", ABUT_INVALID_ARGUMENT,
          "a file of this name exists: write ./sphere:1.obj for it" },
        { "a:b(c).obj", "a:b(c).obj", ABUT_OK, NULL },
        { "two words.obj", "two words.obj", ABUT_OK, NULL },
        { "box (1).obj", "./box (1).obj", ABUT_OK, NULL },
        { "part.obj", "part.obj@99999", ABUT_INVALID_ARGUMENT, "8192" },
        { "part.obj", "other.obj@64", ABUT_NOT_FOUND, "other.obj" },
        { "part.obj", "other.obj@64,close", ABUT_NOT_FOUND, "other.obj" },
        { "part.obj", "sphere:1@64,close", ABUT_INVALID_ARGUMENT, "a shape has no holes" },
        { "part.obj", "part.obj@64,open", ABUT_NOT_FOUND, "part.obj@64,open" },
        { "part.abut", "part.abut", ABUT_INVALID_DATA, "part.abut" },
        { "part.obj", "other.obj", ABUT_NOT_FOUND, "other.obj" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        write_triangle(cases[i].file);
        AbutParsedShape loaded;
        test_assert_result(abut_shape_parse(cases[i].text, NULL, &loaded), cases[i].expected);
        if (cases[i].expected == ABUT_OK)
        {
            assert_int_equal(abut_mesh_triangle_count(loaded.mesh), 1);
            abut_mesh_destroy(loaded.mesh);
        }
        else
        {
            assert_non_null(strstr(abut_last_error(), cases[i].message));
        }
        assert_int_equal(remove(cases[i].file), 0);
    }
    leave_folder(folder);
}

// -----------------------------------------------------------------------------------------------------------
// Memory and noise
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_from_text(void* context, const AbutHost* host)
{
    AbutParsedShape loaded;
    AbutResult result = abut_shape_parse(context, host, &loaded);
    abut_shape_destroy(loaded.shape);
    abut_mesh_destroy(loaded.mesh);
    return result;
}

static void test_no_allocation_that_fails_leaks(void** state)
{
    (void)state;
    test_fail_every_allocation(create_from_text,
                               "difference(union(sphere:1;at(shell(box:1,1,1;0.1);1,0,0));cylinder:0.1,3;"
                               "offset(smooth(torus:1,0.2;capsule:0.1,1;0.1);0.1);corrected(cone:1,1;2))");
    test_fail_every_allocation(create_from_text, "terrain:4,1,8");
    test_fail_every_allocation(create_from_text, "gear:12,0.1,0.2");
}

/// Refuses large blocks, so that mutated numbers cannot ask for gigabytes.
static void* small_allocate(void* user, size_t size, size_t alignment)
{
    (void)user;
    enum
    {
        LARGEST = 1 << 16
    };
    return size <= LARGEST ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

static void small_free(void* user, void* memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static void mutate(TestRandom* random, char* text, size_t capacity)
{
    static const char alphabet[] = "0123456789.,;:()-+e @x\t_spherebox\xff";
    size_t length = strlen(text);
    size_t offset = length > 0 ? test_random_bits(random) % length : 0;
    char letter = alphabet[test_random_bits(random) % (sizeof(alphabet) - 1)];
    switch (test_random_bits(random) % 4)
    {
    case 0:
        if (length > 0)
        {
            text[offset] = letter;
        }
        break;
    case 1:
        if (length + 1 < capacity)
        {
            memmove(text + offset + 1, text + offset, length - offset + 1);
            text[offset] = letter;
        }
        break;
    case 2:
        if (length > 0)
        {
            memmove(text + offset, text + offset + 1, length - offset);
        }
        break;
    default:
        text[offset] = '\0';
        break;
    }
}

static void test_mutated_texts_never_break_anything(void** state)
{
    (void)state;
    static const char* const seeds[] = {
        "difference(union(sphere:1;at(box:1,1,1;1,2,3,0,0,0,1,2));cylinder:0.1,3)",
        "smooth(torus:1,0.25;offset(capsule:0.1,2;-0.05);0.3)",
        "shell(intersection(cone:1,2,0.5;rounded_box:1,1,1,0.1;plane:0,1,0,0.5);0.1)",
        "terrain:10,1,4,3",
        "revolution:5,0,-1,1,0,0,1",
        "gear:8,0.1,0.3,0.1,0.01",
        "ring:1,0.3,4,-1,8",
        "corrected(at(sphere:1;1e-3,.5,+2);1.5)",
    };
    AbutHost host = abut_host_default();
    host.allocate = small_allocate;
    host.free = small_free;
    TestRandom random = { 7 };
    int loaded_count = 0;
    int rounds = test_heavy_count(1000000);
    for (int i = 0; i < rounds; ++i)
    {
        char text[160];
        snprintf(text, sizeof(text), "%s", seeds[i % (int)(sizeof(seeds) / sizeof(seeds[0]))]);
        for (uint64_t n = 1 + test_random_bits(&random) % 4; n > 0; --n)
        {
            mutate(&random, text, sizeof(text) - 1);
        }
        AbutParsedShape loaded;
        AbutResult result = abut_shape_parse(text, &host, &loaded);
        assert_true((result == ABUT_OK) == (loaded.shape != NULL || loaded.mesh != NULL));
        loaded_count += result == ABUT_OK;
        abut_shape_destroy(loaded.shape);
        abut_mesh_destroy(loaded.mesh);
    }
    assert_true(loaded_count > rounds / 100); // the mutations are not all nonsense
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primitives_have_their_closed_form_distances),
        cmocka_unit_test(test_terrain_is_the_surface_of_its_mesh),
        cmocka_unit_test(test_every_mesh_form_is_closed),
        cmocka_unit_test(test_every_listed_form_is_known),
        cmocka_unit_test(test_mistakes_are_named_with_their_column),
        cmocka_unit_test(test_nesting_has_a_limit_that_is_named),
        cmocka_unit_test(test_number_of_shapes_has_a_limit_that_is_named),
        cmocka_unit_test(test_meshes_become_fields_behind_a_resolution),
        cmocka_unit_test(test_files_are_told_from_forms),
        cmocka_unit_test(test_no_allocation_that_fails_leaks),
        cmocka_unit_test(test_mutated_texts_never_break_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
