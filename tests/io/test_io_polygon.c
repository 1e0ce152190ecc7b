// Polygons become triangles without overlaps. The oracle: a polygon is covered once, with nothing outside,
// exactly when all triangles turn the polygon's way and their areas add up to its own.
#include "support/meshes/mesh_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct Outline
{
    double (*points)[2];
    size_t count;
    size_t capacity;
} Outline;

static void add_point(Outline* outline, double x, double y)
{
    if (outline->count == outline->capacity)
    {
        outline->capacity = outline->capacity * 2 + 64;
        outline->points = realloc(outline->points, outline->capacity * sizeof(*outline->points));
        assert_non_null(outline->points);
    }
    outline->points[outline->count][0] = x;
    outline->points[outline->count][1] = y;
    outline->count += 1;
}

static void free_outline(Outline* outline)
{
    free(outline->points);
    memset(outline, 0, sizeof(*outline));
}

/// Twice the area vector of a closed chain of vertices.
static void area_vector(const AbutVec3* vertices, const uint32_t* corners, size_t count, double area[3])
{
    memset(area, 0, 3 * sizeof(double));
    AbutVec3 o = vertices[corners[0]];
    for (size_t i = 1; i + 1 < count; ++i)
    {
        AbutVec3 p = vertices[corners[i]];
        AbutVec3 q = vertices[corners[i + 1]];
        double u[3] = { (double)p.x - (double)o.x, (double)p.y - (double)o.y, (double)p.z - (double)o.z };
        double v[3] = { (double)q.x - (double)o.x, (double)q.y - (double)o.y, (double)q.z - (double)o.z };
        area[0] += u[1] * v[2] - u[2] * v[1];
        area[1] += u[2] * v[0] - u[0] * v[2];
        area[2] += u[0] * v[1] - u[1] * v[0];
    }
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Writes the outline as one face, turned and moved in space, and reads it back.
static AbutMesh* cut(const Outline* outline, AbutQuat rotation, AbutVec3 offset)
{
    TestText text = { 0 };
    for (size_t i = 0; i < outline->count; ++i)
    {
        AbutVec3 p = abut_vec3((float)outline->points[i][0], (float)outline->points[i][1], 0.0f);
        p = abut_vec3_add(abut_quat_rotate(rotation, p), offset);
        test_text_print(&text, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    test_text_print(&text, "f");
    for (size_t i = 0; i < outline->count; ++i)
    {
        test_text_print(&text, " %zu", i + 1);
    }
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
    test_text_free(&text);
    return mesh;
}

/// Areas of the triangles against the polygon's, relative to it: excess is what overlaps or lies outside,
/// twice.
static double excess_area(const AbutMesh* mesh, size_t corner_count)
{
    assert_int_equal(abut_mesh_triangle_count(mesh), corner_count - 2);
    uint32_t* corners = malloc(corner_count * sizeof(uint32_t));
    assert_non_null(corners);
    for (size_t i = 0; i < corner_count; ++i)
    {
        corners[i] = (uint32_t)i;
    }
    double whole[3];
    area_vector(abut_mesh_vertices(mesh), corners, corner_count, whole);
    free(corners);
    double sum = 0.0;
    double vector_sum[3] = { 0.0, 0.0, 0.0 };
    for (size_t i = 0; i < corner_count - 2; ++i)
    {
        double area[3];
        area_vector(abut_mesh_vertices(mesh), abut_mesh_indices(mesh) + 3 * i, 3, area);
        sum += length(area);
        for (int axis = 0; axis < 3; ++axis)
        {
            vector_sum[axis] += area[axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis) // holds for any cut at all, overlaps or not
    {
        test_assert_near(vector_sum[axis], whole[axis],
                         1e-9 * sum + 1e-12 * (double)corner_count * length(whole));
    }
    return sum / length(whole) - 1.0;
}

static void assert_covered_once(const Outline* outline, double tolerance)
{
    TestRandom random = { outline->count };
    for (int orientation_of = 0; orientation_of < 4; ++orientation_of)
    {
        AbutQuat rotation = orientation_of == 0 ? abut_quat_identity() : test_random_rotation(&random);
        AbutVec3 offset = orientation_of == 0 ? abut_vec3(0.0f, 0.0f, 0.0f) : test_random_point(&random, 1.0);
        AbutMesh* mesh = cut(outline, rotation, offset);
        test_assert_near(excess_area(mesh, outline->count), 0.0, tolerance);
        assert_string_equal(test_last_warning(), "");
        abut_mesh_destroy(mesh);
    }
}

static void test_convex_polygon_becomes_a_fan(void** state)
{
    (void)state;
    Outline outline = { 0 };
    for (int i = 0; i < 7; ++i)
    {
        add_point(&outline, cos(2.0 * PI * i / 7.0), sin(2.0 * PI * i / 7.0));
    }
    AbutMesh* mesh = cut(&outline, abut_quat_identity(), abut_vec3(0.0f, 0.0f, 0.0f));
    for (uint32_t i = 0; i < 5; ++i)
    {
        test_assert_triangle(mesh, i, 0, i + 1, i + 2);
    }
    abut_mesh_destroy(mesh);
    assert_covered_once(&outline, 1e-6);
    free_outline(&outline);
}

static void test_concave_quads_are_cut_at_the_notch(void** state)
{
    (void)state;
    static const double points[4][2] = { { 0.0, 0.0 }, { 2.0, 0.0 }, { 0.5, 0.5 }, { 0.0, 2.0 } };
    for (size_t first = 0; first < 4; ++first)
    {
        Outline outline = { 0 };
        for (size_t i = 0; i < 4; ++i)
        {
            add_point(&outline, points[(first + i) % 4][0], points[(first + i) % 4][1]);
        }
        assert_covered_once(&outline, 1e-6);
        free_outline(&outline);
    }
}

static void test_corners_on_a_straight_side_make_no_flat_triangles(void** state)
{
    (void)state;
    Outline outline = { 0 };
    for (int side = 0; side < 4; ++side)
    {
        for (int i = 0; i < 4; ++i)
        {
            double along = i - 2.0;
            double x = side == 0 ? along : side == 1 ? 2.0 : side == 2 ? -along : -2.0;
            double y = side == 0 ? -2.0 : side == 1 ? along : side == 2 ? 2.0 : -along;
            add_point(&outline, x, y);
        }
    }
    AbutMesh* mesh = cut(&outline, abut_quat_identity(), abut_vec3(0.0f, 0.0f, 0.0f));
    test_assert_near(excess_area(mesh, outline.count), 0.0, 1e-12);
    for (size_t i = 0; i < outline.count - 2; ++i)
    {
        double area[3];
        area_vector(abut_mesh_vertices(mesh), abut_mesh_indices(mesh) + 3 * i, 3, area);
        assert_true(area[2] > 0.5);
    }
    abut_mesh_destroy(mesh);
    free_outline(&outline);
}

static void test_random_stars_are_covered_once(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int round = 0; round < 2000; ++round)
    {
        Outline outline = { 0 };
        int count = 4 + (int)(test_random_bits(&random) % 60);
        for (int i = 0; i < count; ++i)
        {
            double radius = test_random_range(&random, 0.05, 1.0);
            add_point(&outline, radius * cos(2.0 * PI * i / count), radius * sin(2.0 * PI * i / count));
        }
        assert_covered_once(&outline, 1e-5);
        free_outline(&outline);
    }
}

/// `teeth` deep slots in a bar.
static Outline make_comb(int teeth)
{
    Outline outline = { 0 };
    add_point(&outline, 2.0 * teeth, -1.0);
    add_point(&outline, 2.0 * teeth, 0.0);
    for (int i = teeth; i-- > 0;)
    {
        add_point(&outline, 2.0 * i + 1.5, teeth);
        add_point(&outline, 2.0 * i + 0.5, teeth);
        add_point(&outline, 2.0 * i, 0.0);
    }
    add_point(&outline, 0.0, -1.0);
    return outline;
}

/// A band of constant width that winds `turns` times around the origin.
static Outline make_spiral(int turns, int per_turn)
{
    Outline outline = { 0 };
    int count = turns * per_turn;
    for (int i = 0; i <= count; ++i)
    {
        double angle = 2.0 * PI * i / per_turn;
        double radius = 1.0 + angle / (2.0 * PI);
        add_point(&outline, radius * cos(angle), radius * sin(angle));
    }
    for (int i = count; i >= 0; --i)
    {
        double angle = 2.0 * PI * i / per_turn;
        double radius = 0.5 + angle / (2.0 * PI);
        add_point(&outline, radius * cos(angle), radius * sin(angle));
    }
    for (size_t i = 0, j = outline.count - 1; i < j; ++i, --j) // counter-clockwise or not makes no difference
    {
        double x = outline.points[i][0];
        double y = outline.points[i][1];
        memcpy(outline.points[i], outline.points[j], sizeof(outline.points[i]));
        outline.points[j][0] = x;
        outline.points[j][1] = y;
    }
    return outline;
}

static Outline make_gear(int teeth, int per_flank)
{
    Outline outline = { 0 };
    int count = teeth * per_flank * 2;
    for (int i = 0; i < count; ++i)
    {
        double phase = (double)(i % (2 * per_flank)) / per_flank;
        double radius = 1.0 + 0.1 * fmin(1.0, fmax(-1.0, 3.0 * sin(PI * phase)));
        add_point(&outline, radius * cos(2.0 * PI * i / count), radius * sin(2.0 * PI * i / count));
    }
    return outline;
}

static void assert_shape_is_covered(Outline outline, double tolerance)
{
    assert_covered_once(&outline, tolerance);
    free_outline(&outline);
}

static void test_combs_spirals_and_gears_are_covered_once(void** state)
{
    (void)state;
    assert_shape_is_covered(make_comb(10), 1e-6);
    assert_shape_is_covered(make_comb(1000), 1e-5);
    assert_shape_is_covered(make_spiral(5, 40), 1e-5);
    assert_shape_is_covered(make_spiral(30, 100), 1e-4);
    assert_shape_is_covered(make_gear(40, 8), 1e-5);
    assert_shape_is_covered(make_gear(400, 20), 1e-4);
}

/// A square with square holes, each joined to the outside by a bridge that is walked twice.
static void test_holes_joined_by_bridges_stay_open(void** state)
{
    (void)state;
    Outline outline = { 0 };
    enum
    {
        HOLES = 20
    };
    add_point(&outline, 0.0, 4.0);
    add_point(&outline, 0.0, 0.0);
    for (int i = 0; i < HOLES; ++i)
    {
        double x = 4.0 * i + 2.0;
        add_point(&outline, x, 0.0);
        add_point(&outline, x, 1.0); // along the bridge to the hole, and around it the other way
        add_point(&outline, x - 1.0, 1.0);
        add_point(&outline, x - 1.0, 3.0);
        add_point(&outline, x + 1.0, 3.0);
        add_point(&outline, x + 1.0, 1.0);
        add_point(&outline, x, 1.0);
        add_point(&outline, x, 0.0);
    }
    add_point(&outline, 4.0 * HOLES, 0.0);
    add_point(&outline, 4.0 * HOLES, 4.0);
    AbutMesh* mesh = cut(&outline, abut_quat_identity(), abut_vec3(0.0f, 0.0f, 0.0f));
    test_assert_near(excess_area(mesh, outline.count), 0.0, 1e-12);
    assert_string_equal(test_last_warning(), "");
    abut_mesh_destroy(mesh);
    free_outline(&outline);
}

static void test_degenerate_polygons_end_and_keep_their_count(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int round = 0; round < 3000; ++round)
    {
        // Corners on few places: coincident, collinear, backtracking, self-crossing.
        TestText text = { 0 };
        int positions = 1 + (int)(test_random_bits(&random) % 6);
        for (int i = 0; i < positions; ++i)
        {
            int x = (int)(test_random_bits(&random) % 4);
            int y = (int)(test_random_bits(&random) % (round % 3 == 0 ? 1 : 4));
            test_text_print(&text, "v %d %d 0\n", x, y);
        }
        int corners = 3 + (int)(test_random_bits(&random) % 20);
        test_text_print(&text, "f");
        for (int i = 0; i < corners; ++i)
        {
            test_text_print(&text, " %d", 1 + (int)(test_random_bits(&random) % (uint64_t)positions));
        }
        AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
        assert_int_equal(abut_mesh_triangle_count(mesh), corners - 2);
        abut_mesh_destroy(mesh);
        test_text_free(&text);
    }
}

static void test_self_crossing_polygon_is_a_fan_with_a_warning(void** state)
{
    (void)state;
    Outline outline = { 0 };
    for (int i = 0; i < 5; ++i) // a pentagram
    {
        add_point(&outline, cos(4.0 * PI * i / 5.0), sin(4.0 * PI * i / 5.0));
    }
    AbutMesh* mesh = cut(&outline, abut_quat_identity(), abut_vec3(0.0f, 0.0f, 0.0f));
    assert_int_equal(abut_mesh_triangle_count(mesh), 3);
    assert_non_null(
        strstr(test_last_warning(), "input: 1 concave polygons could not be cut without overlaps"));
    abut_mesh_destroy(mesh);
    free_outline(&outline);
}

static double cut_large_polygon(int count, double wave, bool shuffled)
{
    TestRandom random = { 5 };
    TestText text = { 0 };
    for (int i = 0; i < count; ++i)
    {
        double radius = 1.0 + wave * sin(0.01 * i);
        double angle = shuffled ? test_random_range(&random, 0.0, 2.0 * PI) : 2.0 * PI * i / count;
        test_text_print(&text, "v %.9g %.9g 0\n", radius * cos(angle), radius * sin(angle));
    }
    test_text_print(&text, "f");
    for (int i = 0; i < count; ++i)
    {
        test_text_print(&text, " %d", i + 1);
    }
    AbutMesh* mesh = test_parse(ABUT_MESH_FORMAT_OBJ, text.bytes, text.size);
    assert_true(test_last_peak_bytes() < 8 * text.size);
    double excess = excess_area(mesh, (size_t)count);
    abut_mesh_destroy(mesh);
    test_text_free(&text);
    return excess;
}

static void test_polygons_of_a_million_corners_take_bounded_time_and_memory(void** state)
{
    (void)state;
    test_assert_near(cut_large_polygon(TEST_ROUNDS(100000), 0.1, false), 0.0, 1e-3);
    test_assert_near(cut_large_polygon(TEST_ROUNDS(1000000), 0.0, false), 0.0, 1e-3);
    cut_large_polygon(test_heavy_count(1000000), 0.5, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convex_polygon_becomes_a_fan),
        cmocka_unit_test(test_concave_quads_are_cut_at_the_notch),
        cmocka_unit_test(test_corners_on_a_straight_side_make_no_flat_triangles),
        cmocka_unit_test(test_random_stars_are_covered_once),
        cmocka_unit_test(test_combs_spirals_and_gears_are_covered_once),
        cmocka_unit_test(test_holes_joined_by_bridges_stay_open),
        cmocka_unit_test(test_degenerate_polygons_end_and_keep_their_count),
        cmocka_unit_test(test_self_crossing_polygon_is_a_fan_with_a_warning),
        cmocka_unit_test(test_polygons_of_a_million_corners_take_bounded_time_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
