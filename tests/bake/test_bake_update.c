// Updates against full bakes of what is there after the change: the same bytes.
#include "support/meshes/meshes.h"
#include "support/support.h"

#include <abut/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOVES = TEST_IS_SANITIZED ? 6 : 18,
    VARIANT_STEP = TEST_IS_SANITIZED ? 5 : 1 // the first and the last, or all
};

static const AbutFieldFormat FORMATS[] = { ABUT_FIELD_F32, ABUT_FIELD_F16, ABUT_FIELD_FIRST_ORDER };

static AbutBakeDef make_def(int variant, double half)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    def.format = FORMATS[variant % 3];
    def.sparse = variant / 3 % 2 != 0;
    float h = (float)half;
    def.box = abut_box(abut_vec3(-h, -h, -h), abut_vec3(h, h, h));
    return def;
}

static void assert_same_field(const AbutShape* actual, const AbutShape* expected)
{
    size_t actual_size, expected_size;
    const unsigned char* a = abut_field_data(actual, &actual_size);
    const unsigned char* b = abut_field_data(expected, &expected_size);
    assert_int_equal(actual_size, expected_size);
    for (size_t i = 0; i < actual_size; ++i)
    {
        if (a[i] != b[i])
        {
            fail_msg("byte %zu of %zu is %u instead of %u", i, actual_size, a[i], b[i]);
        }
    }
}

/// Bakes both meshes, and the second one again from the first. Returns what the update reports.
static AbutBakeUpdate check_mesh_update(const AbutBakeDef* def, const AbutMesh* before, const AbutMesh* after)
{
    AbutShape *old = NULL, *full = NULL, *updated = NULL;
    AbutBakeUpdate report;
    test_assert_result(abut_bake_mesh(def, before, &old), ABUT_OK);
    test_assert_result(abut_bake_mesh(def, after, &full), ABUT_OK);
    AbutBakeMeshChange change = { old, before, after };
    test_assert_result(abut_bake_update_mesh(def, &change, &report, &updated), ABUT_OK);
    assert_same_field(updated, full);
    assert_int_equal(report.brick_count, abut_field_info(full).brick_count);
    abut_shape_destroy(old);
    abut_shape_destroy(full);
    abut_shape_destroy(updated);
    return report;
}

static AbutBakeUpdate check_soup_update(const AbutBakeDef* def, const TestSoup* before, const TestSoup* after)
{
    AbutMesh *a = test_soup_mesh(before, NULL), *b = test_soup_mesh(after, NULL);
    AbutBakeUpdate report = check_mesh_update(def, a, b);
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
    return report;
}

static TestSoup copy_soup(const TestSoup* soup)
{
    TestSoup copy = { 0 };
    for (uint32_t i = 0; i < soup->vertex_count; ++i)
    {
        AbutVec3 v = soup->vertices[i];
        test_soup_vertex(&copy, v.x, v.y, v.z);
    }
    for (uint32_t i = 0; i < soup->triangle_count; ++i)
    {
        const uint32_t* index = soup->indices + 3 * i;
        test_soup_triangle(&copy, index[0], index[1], index[2]);
    }
    return copy;
}

static void add_ball(TestSoup* soup, AbutVec3 center, double radius)
{
    TestSoup ball = { 0 };
    test_soup_sphere(&ball, 6);
    uint32_t first = soup->vertex_count;
    for (uint32_t i = 0; i < ball.vertex_count; ++i)
    {
        AbutVec3 v = ball.vertices[i];
        test_soup_vertex(soup, center.x + radius * v.x, center.y + radius * v.y, center.z + radius * v.z);
    }
    for (uint32_t i = 0; i < ball.triangle_count; ++i)
    {
        const uint32_t* index = ball.indices + 3 * i;
        test_soup_triangle(soup, first + index[0], first + index[1], first + index[2]);
    }
    test_soup_free(&ball);
}

static void remove_triangles(TestSoup* soup, uint32_t first, uint32_t count)
{
    memmove(soup->indices + 3 * (size_t)first, soup->indices + 3 * (size_t)(first + count),
            3 * (size_t)(soup->triangle_count - first - count) * sizeof(uint32_t));
    soup->triangle_count -= count;
}

/// A ring, or a ball with a box beside it: closed, and with places far from each other.
static TestSoup assorted_soup(int which)
{
    TestSoup soup = { 0 };
    switch (which % 3)
    {
    case 0:
        test_soup_torus(&soup, 0.7, 0.22, 40, 20);
        break;
    case 1:
        test_soup_sphere(&soup, 12);
        break;
    default:
        add_ball(&soup, abut_vec3(-0.5f, -0.5f, -0.5f), 0.4);
        test_soup_box(&soup, abut_vec3(0.1f, 0.125f, 0.25f), abut_vec3(0.875f, 0.9f, 0.75f));
        add_ball(&soup, abut_vec3(0.5f, -0.5f, 0.5f), 0.3);
        break;
    }
    return soup;
}

/// Moves all vertices that stand where one does.
static void move_vertex(TestSoup* soup, uint32_t vertex, AbutVec3 to)
{
    AbutVec3 from = soup->vertices[vertex];
    for (uint32_t i = 0; i < soup->vertex_count; ++i)
    {
        if (soup->vertices[i].x == from.x && soup->vertices[i].y == from.y && soup->vertices[i].z == from.z)
        {
            soup->vertices[i] = to;
        }
    }
}

static void nudge(TestSoup* soup, TestRandom* random, double most)
{
    uint32_t vertex = soup->indices[test_random_bits(random) % (3 * (uint64_t)soup->triangle_count)];
    move_vertex(soup, vertex, abut_vec3_add(soup->vertices[vertex], test_random_point(random, most)));
}

static void test_moved_vertices_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    uint64_t redone = 0, total = 0;
    for (int i = 0; i < MOVES; ++i)
    {
        AbutBakeDef def = make_def(i, 1.15);
        TestSoup before = assorted_soup(i / 2), after = copy_soup(&before);
        for (int k = 0; k <= i % 3; ++k)
        {
            nudge(&after, &random, i % 2 == 0 ? 0.02 : 0.1);
        }
        AbutBakeUpdate report = check_soup_update(&def, &before, &after);
        assert_null(report.reason);
        redone += report.redone_brick_count;
        total += report.brick_count;
        test_soup_free(&before);
        test_soup_free(&after);
    }
    assert_true(redone > 0);
    assert_true(redone < total / 2); // or there would be no point in it
}

static void test_pieces_that_come_go_and_move_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    for (int i = 0; i < 12; i += 2)
    {
        AbutBakeDef def = make_def(i, 1.3);
        TestSoup a = { 0 }, b = { 0 };
        test_soup_torus(&a, 0.6, 0.2, 24, 12);
        b = copy_soup(&a);
        if (i / 6 % 2 == 0)
        {
            add_ball(&b, abut_vec3(0.9f, 0.8f, 0.7f), 0.2);
        }
        else // one moves across, and the triangles behind it get other numbers
        {
            add_ball(&a, abut_vec3(0.9f, 0.8f, 0.7f), 0.2);
            add_ball(&a, abut_vec3(-0.9f, 0.8f, -0.7f), 0.2);
            add_ball(&b, abut_vec3(-0.9f, 0.8f, -0.7f), 0.2);
            add_ball(&b, abut_vec3(-0.9f, -0.8f, 0.7f), 0.2);
        }
        AbutBakeUpdate there = check_soup_update(&def, &a, &b), back = check_soup_update(&def, &b, &a);
        assert_null(there.reason);
        assert_null(back.reason);
        assert_true(there.redone_brick_count < there.brick_count);
        test_soup_free(&a);
        test_soup_free(&b);
    }
}

static void test_a_box_around_a_ball_changes_signs_that_are_nearer_to_the_ball(void** state)
{
    (void)state;
    for (int variant = 0; variant < 6; variant += 3)
    {
        AbutBakeDef def = make_def(variant, 1.3);
        def.resolution = 80;
        TestSoup a = { 0 }, b = { 0 };
        add_ball(&a, abut_vec3(0.0f, 0.0f, 0.0f), 0.5);
        b = copy_soup(&a);
        test_soup_box(&b, abut_vec3(-1.25f, -1.25f, -1.25f), abut_vec3(1.25f, 1.25f, 1.25f));
        assert_null(check_soup_update(&def, &a, &b).reason);
        test_soup_free(&a);
        test_soup_free(&b);
    }
}

static void test_open_meshes_keep_what_is_certain(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int variant = 0; variant < 6; variant += VARIANT_STEP)
    {
        AbutBakeDef def = make_def(variant, 1.4);
        TestSoup before = { 0 };
        test_soup_sphere(&before, 12);
        remove_triangles(&before, 100, 3);
        TestSoup after = copy_soup(&before);
        // One of the last face: far from the hole.
        uint32_t vertex = after.indices[3 * (after.triangle_count - 70)];
        float factor = (float)test_random_range(&random, 0.8, 0.95);
        move_vertex(&after, vertex, abut_vec3_scale(after.vertices[vertex], factor));
        AbutBakeUpdate report = check_soup_update(&def, &before, &after);
        assert_null(report.reason);
        assert_true(report.redone_brick_count < report.brick_count);
        test_soup_free(&before);
        test_soup_free(&after);
    }
}

static void test_what_cannot_be_updated_is_baked_in_full_and_says_why(void** state)
{
    (void)state;
    AbutBakeDef def = make_def(0, 1.4);
    def.resolution = 32;
    TestSoup whole = { 0 };
    test_soup_sphere(&whole, 8);
    TestSoup open = copy_soup(&whole);
    remove_triangles(&open, 17, 2);
    assert_non_null(check_soup_update(&def, &whole, &open).reason);
    assert_non_null(check_soup_update(&def, &open, &whole).reason);
    TestSoup rotated = copy_soup(&whole);
    for (uint32_t i = 0; i < rotated.triangle_count; ++i)
    {
        uint32_t *index = rotated.indices + 3 * i, first = index[0];
        index[0] = index[1];
        index[1] = first;
    }
    assert_non_null(check_soup_update(&def, &whole, &rotated).reason);
    assert_non_null(check_soup_update(&def, &rotated, &whole).reason);
    def.sign = ABUT_BAKE_SIGN_WINDING;
    assert_non_null(check_soup_update(&def, &open, &open).reason);
    test_soup_free(&whole);
    test_soup_free(&open);
    test_soup_free(&rotated);
}

static void test_a_mesh_that_stays_as_it_is_keeps_all_bricks(void** state)
{
    (void)state;
    for (int variant = 0; variant < 6; variant += VARIANT_STEP)
    {
        AbutBakeDef def = make_def(variant, 1.1);
        TestSoup soup = assorted_soup(2);
        AbutBakeUpdate report = check_soup_update(&def, &soup, &soup);
        assert_int_equal(report.redone_brick_count, 0);
        test_soup_free(&soup);
    }
}

static void test_triangles_in_another_order_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    AbutBakeDef def = make_def(2, 1.1); // gradients tell which of equally near triangles was taken
    TestSoup before = assorted_soup(2), after = copy_soup(&before);
    for (uint32_t i = 0; i < 40; ++i)
    {
        uint32_t a = (uint32_t)(test_random_bits(&random) % after.triangle_count) * 3,
                 b = (uint32_t)(test_random_bits(&random) % after.triangle_count) * 3, keep[3];
        memcpy(keep, after.indices + a, sizeof(keep));
        memmove(after.indices + a, after.indices + b, sizeof(keep));
        memcpy(after.indices + b, keep, sizeof(keep));
    }
    check_soup_update(&def, &before, &after);
    test_soup_free(&before);
    test_soup_free(&after);
}

static void test_shells_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    for (int variant = 0; variant < 6; variant += VARIANT_STEP)
    {
        AbutBakeDef def = make_def(variant, 1.4);
        def.sign = ABUT_BAKE_SIGN_SHELL;
        def.thickness = 0.1f;
        TestSoup before = { 0 };
        test_soup_sphere(&before, 8);
        remove_triangles(&before, 10, 30);
        TestSoup after = copy_soup(&before);
        nudge(&after, &random, 0.1);
        AbutBakeUpdate report = check_soup_update(&def, &before, &after);
        assert_null(report.reason);
        assert_true(report.redone_brick_count < report.brick_count);
        test_soup_free(&before);
        test_soup_free(&after);
    }
}

/// Moves the corners that stand where vertex `vertex` does by a hundredth towards the middle.
static AbutMesh* edited(const AbutMesh* mesh, uint32_t vertex)
{
    TestSoup soup = { 0 };
    AbutBox box = abut_mesh_bounds(mesh);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        test_soup_vertex(&soup, v.x, v.y, v.z);
    }
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        const uint32_t* index = abut_mesh_indices(mesh) + 3 * (size_t)i;
        test_soup_triangle(&soup, index[0], index[1], index[2]);
    }
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f), at = soup.vertices[vertex];
    move_vertex(&soup, vertex, abut_vec3_add(at, abut_vec3_scale(abut_vec3_sub(middle, at), 0.01f)));
    AbutMesh* after = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return after;
}

static void test_real_meshes_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    // Closed, open, with edges of more than two faces, and with T-junctions.
    static const char* const NAMES[] = { "bunny4k.obj", "bunny69k.obj", "dragon48k.obj",
                                         "factory_nut_m16_loose_subdiv_3x.obj" };
    size_t found = 0;
    for (int i = 0; i < 4; ++i)
    {
        const char* path = test_shared_mesh(NAMES[i]);
        if (path == NULL)
        {
            continue;
        }
        AbutMesh* before = NULL;
        test_assert_result(abut_mesh_load(path, &before), ABUT_OK);
        AbutMesh* after = edited(before, abut_mesh_vertex_count(before) / 3);
        AbutBakeDef def = make_def(i % 2 == 0 ? 2 : 5, 1.0);
        def.resolution = 64;
        def.box = abut_mesh_bounds(before);
        AbutBakeUpdate report = check_mesh_update(&def, before, after);
        assert_null(report.reason);
        assert_true(report.redone_brick_count < report.brick_count / 2);
        abut_mesh_destroy(before);
        abut_mesh_destroy(after);
        found += 1;
    }
    if (found == 0)
    {
        skip();
    }
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutShape* moved_ball(double radius, AbutVec3 at)
{
    AbutShape *ball = NULL, *posed = NULL;
    test_assert_result(abut_shape_create_sphere((float)radius, NULL, &ball), ABUT_OK);
    AbutPose pose = abut_pose_identity();
    pose.position = (AbutPosition){ at.x, at.y, at.z };
    test_assert_result(abut_shape_create_transformed(ball, &pose, NULL, &posed), ABUT_OK);
    abut_shape_destroy(ball);
    return posed;
}

static AbutBakeUpdate check_shape_update(const AbutBakeDef* def, const AbutShape* before,
                                         const AbutShape* after, const AbutShape* const* operands,
                                         uint32_t count)
{
    AbutShape *old = NULL, *full = NULL, *updated = NULL;
    AbutBakeUpdate report;
    test_assert_result(abut_bake_shape(def, before, &old), ABUT_OK);
    test_assert_result(abut_bake_shape(def, after, &full), ABUT_OK);
    AbutBakeShapeChange change = { old, after, operands, count };
    test_assert_result(abut_bake_update_shape(def, &change, &report, &updated), ABUT_OK);
    assert_same_field(updated, full);
    abut_shape_destroy(old);
    abut_shape_destroy(full);
    abut_shape_destroy(updated);
    return report;
}

static void test_stamps_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestRandom random = { 77 };
    for (int i = 0; i < 6; ++i)
    {
        AbutBakeDef def = make_def(i, 1.0);
        AbutShape *base = NULL, *united = NULL, *carved = NULL;
        test_assert_result(abut_shape_create_box(abut_vec3(1.5f, 0.7f, 1.2f), NULL, &base), ABUT_OK);
        double radius = test_random_range(&random, 0.1, 0.3);
        AbutShape* stamp = moved_ball(radius, test_random_point(&random, 0.8));
        AbutShape* both[2] = { base, stamp };
        test_assert_result(abut_shape_create_union(both, 2, NULL, &united), ABUT_OK);
        test_assert_result(abut_shape_create_difference(base, stamp, NULL, &carved), ABUT_OK);
        const AbutShape* operands[1] = { stamp };
        AbutBakeUpdate report = check_shape_update(&def, base, united, operands, 1);
        assert_null(report.reason);
        assert_true(report.redone_brick_count > 0 && report.redone_brick_count < report.brick_count);
        check_shape_update(&def, united, base, operands, 1);
        check_shape_update(&def, base, carved, operands, 1);
        check_shape_update(&def, carved, base, operands, 1);
        abut_shape_destroy(base);
        abut_shape_destroy(stamp);
        abut_shape_destroy(united);
        abut_shape_destroy(carved);
    }
}

/// A field is a shape: what was a mesh is dug into by way of it.
static void test_stamps_into_the_field_of_a_mesh_give_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestSoup soup = assorted_soup(0);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    for (int variant = 0; variant < 6; variant += 5)
    {
        AbutBakeDef def = make_def(variant, 1.1);
        AbutShape *field = NULL, *carved = NULL, *stamp = moved_ball(0.3, abut_vec3(0.7f, 0.0f, 0.1f));
        test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
        test_assert_result(abut_shape_create_difference(field, stamp, NULL, &carved), ABUT_OK);
        const AbutShape* operands[1] = { stamp };
        AbutBakeUpdate report = check_shape_update(&def, field, carved, operands, 1);
        assert_null(report.reason);
        assert_true(report.redone_brick_count < report.brick_count);
        abut_shape_destroy(field);
        abut_shape_destroy(carved);
        abut_shape_destroy(stamp);
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void test_a_stamp_that_moves_gives_the_bytes_of_a_full_bake(void** state)
{
    (void)state;
    TestRandom random = { 78 };
    for (int i = 0; i < 6; ++i)
    {
        AbutBakeDef def = make_def(i, 1.0);
        AbutShape *base = NULL, *before = NULL, *after = NULL;
        test_assert_result(abut_shape_create_torus(0.6f, 0.25f, NULL, &base), ABUT_OK);
        AbutShape* from = moved_ball(0.2, test_random_point(&random, 0.8));
        AbutShape* to = moved_ball(0.2, test_random_point(&random, 0.8));
        test_assert_result(abut_shape_create_difference(base, from, NULL, &before), ABUT_OK);
        test_assert_result(abut_shape_create_difference(base, to, NULL, &after), ABUT_OK);
        const AbutShape* operands[2] = { from, to };
        assert_null(check_shape_update(&def, before, after, operands, 2).reason);
        abut_shape_destroy(base);
        abut_shape_destroy(from);
        abut_shape_destroy(to);
        abut_shape_destroy(before);
        abut_shape_destroy(after);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Failures
// -----------------------------------------------------------------------------------------------------------

static void test_the_wrong_field_or_a_mesh_that_outgrows_it_is_refused(void** state)
{
    (void)state;
    AbutBakeDef def = make_def(0, 1.2);
    def.resolution = 16;
    TestSoup soup = assorted_soup(1);
    AbutMesh* before = test_soup_mesh(&soup, NULL);
    move_vertex(&soup, 0, abut_vec3(0.0f, 3.0f, 0.0f));
    AbutMesh* after = test_soup_mesh(&soup, NULL);
    AbutShape *field = NULL, *updated = NULL;
    test_assert_result(abut_bake_mesh(&def, before, &field), ABUT_OK);
    AbutBakeMeshChange wrong = { field, after, before }, outgrown = { field, before, after };
    test_assert_result(abut_bake_update_mesh(&def, &wrong, NULL, &updated), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "was not baked from"));
    test_assert_result(abut_bake_update_mesh(&def, &outgrown, NULL, &updated), ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "larger box"));
    assert_null(updated);
    abut_shape_destroy(field);
    abut_mesh_destroy(before);
    abut_mesh_destroy(after);
    test_soup_free(&soup);
}

static AbutResult update_with(void* context, const AbutHost* host)
{
    AbutBakeDef def = make_def(5, 1.2);
    def.resolution = 16;
    def.host = host;
    AbutShape* out = NULL;
    AbutResult result = abut_bake_update_mesh(&def, context, NULL, &out);
    abut_shape_destroy(out);
    return result;
}

static void test_updates_survive_every_failing_allocation(void** state)
{
    (void)state;
    AbutBakeDef def = make_def(5, 1.2);
    def.resolution = 16;
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, 3);
    AbutMesh* before = test_soup_mesh(&soup, NULL);
    move_vertex(&soup, 0, abut_vec3(0.9f, 0.0f, 0.1f));
    AbutMesh* after = test_soup_mesh(&soup, NULL);
    AbutShape* field = NULL;
    test_assert_result(abut_bake_mesh(&def, before, &field), ABUT_OK);
    AbutBakeMeshChange change = { field, before, after };
    assert_true(test_fail_every_allocation(update_with, &change) > 10);
    abut_shape_destroy(field);
    abut_mesh_destroy(before);
    abut_mesh_destroy(after);
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved_vertices_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_pieces_that_come_go_and_move_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_a_box_around_a_ball_changes_signs_that_are_nearer_to_the_ball),
        cmocka_unit_test(test_open_meshes_keep_what_is_certain),
        cmocka_unit_test(test_what_cannot_be_updated_is_baked_in_full_and_says_why),
        cmocka_unit_test(test_a_mesh_that_stays_as_it_is_keeps_all_bricks),
        cmocka_unit_test(test_triangles_in_another_order_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_shells_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_real_meshes_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_stamps_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_stamps_into_the_field_of_a_mesh_give_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_a_stamp_that_moves_gives_the_bytes_of_a_full_bake),
        cmocka_unit_test(test_the_wrong_field_or_a_mesh_that_outgrows_it_is_refused),
        cmocka_unit_test(test_updates_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
