// What combinations and changes declare: kinds of distance, convexity, bounds that are tight where they can
// be and infinite where nothing is known. Cases worked out by hand; tests/shape/test_shape_combine.c has the
// random ones.
#include "support/support.h"

#include <math.h>
#include <string.h>

static const AbutVec3 X = { 1, 0, 0 }, Y = { 0, 1, 0 };

static AbutShape* sphere(float radius)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_sphere(radius, NULL, &s), ABUT_OK);
    return s;
}

static AbutShape* cube(float side)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(side, side, side), NULL, &s), ABUT_OK);
    return s;
}

static AbutShape* plane(AbutVec3 normal, float offset)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_plane(normal, offset, NULL, &s), ABUT_OK);
    return s;
}

// The following take over their children, so that trees can be written as expressions.

static AbutShape* offset(AbutShape* child, float distance)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_offset(child, distance, NULL, &s), ABUT_OK);
    abut_shape_destroy(child);
    return s;
}

static AbutShape* shell(AbutShape* child, float thickness)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_shell(child, thickness, NULL, &s), ABUT_OK);
    abut_shape_destroy(child);
    return s;
}

static AbutShape* corrected(AbutShape* child, float factor)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_corrected(child, factor, NULL, &s), ABUT_OK);
    abut_shape_destroy(child);
    return s;
}

static AbutShape* posed(AbutShape* child, AbutPose pose)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_transformed(child, &pose, NULL, &s), ABUT_OK);
    abut_shape_destroy(child);
    return s;
}

static AbutShape* at(AbutShape* child, double x, double y, double z)
{
    return posed(child, abut_pose_at(x, y, z));
}

static AbutShape* rotated(AbutShape* child, AbutVec3 axis, float angle)
{
    AbutPose pose = abut_pose_identity();
    pose.rotation = abut_quat_from_axis_angle(axis, angle);
    return posed(child, pose);
}

static AbutShape* joined(AbutShape* a, AbutShape* b)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_union((AbutShape* const[2]){ a, b }, 2, NULL, &s), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return s;
}

static AbutShape* common(AbutShape* a, AbutShape* b)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_intersection((AbutShape* const[2]){ a, b }, 2, NULL, &s), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return s;
}

static AbutShape* without(AbutShape* a, AbutShape* b)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_difference(a, b, NULL, &s), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return s;
}

static AbutShape* blended(AbutShape* a, AbutShape* b, float radius)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_smooth_union(a, b, radius, NULL, &s), ABUT_OK);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return s;
}

static void ball_of_one(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = abut_vec3_length(abut_vec3(points.x[i], points.y[i], points.z[i])) - 1.0f;
    }
}

static AbutShape* formula(AbutDistanceKind kind, bool bounded)
{
    AbutShape* s = NULL;
    AbutCallbackDef def = abut_callback_def();
    def.function = ball_of_one;
    def.distance_kind = kind;
    def.bounds = bounded ? abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1)) : def.bounds;
    test_assert_result(abut_shape_create_callback(&def, &s), ABUT_OK);
    return s;
}

/// Six half-spaces, so that values grow like the largest coordinate and not like the distance.
static AbutShape* cube_of_planes(float half)
{
    AbutShape* s = plane(X, half);
    const AbutVec3 normals[5] = { { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    for (int i = 0; i < 5; ++i)
    {
        s = common(s, plane(normals[i], half));
    }
    return s;
}

/// The bounds hold the given box and are not more than `slack` larger. Destroys the shape.
static void expect_bounds(AbutShape* shape, double low_x, double low_y, double low_z, double high_x,
                          double high_y, double high_z, double slack)
{
    AbutBox b = abut_shape_info(shape).bounds;
    const double got[6] = { -b.min.x, -b.min.y, -b.min.z, b.max.x, b.max.y, b.max.z };
    const double expected[6] = { -low_x, -low_y, -low_z, high_x, high_y, high_z };
    for (int i = 0; i < 6; ++i)
    {
        if (!(got[i] >= expected[i] && got[i] <= expected[i] + slack + 1e-6))
        {
            fail_msg("side %d of the bounds is %.9g out, expected %.9g to %.9g", i, got[i], expected[i],
                     expected[i] + slack);
        }
    }
    abut_shape_destroy(shape);
}

/// Half extents of a shape around the origin.
static void expect_half(AbutShape* shape, double half, double slack)
{
    expect_bounds(shape, -half, -half, -half, half, half, half, slack);
}

static void expect_infinite(AbutShape* shape)
{
    AbutBox b = abut_shape_info(shape).bounds, all = abut_box_infinite();
    assert_memory_equal(&b, &all, sizeof(b));
    abut_shape_destroy(shape);
}

// -----------------------------------------------------------------------------------------------------------

static void test_bounds_of_exact_shapes_grow_and_shrink_by_the_offset(void** state)
{
    (void)state;
    expect_half(offset(sphere(1), 0.3f), 1.0 + (double)0.3f, 0.0);
    expect_half(offset(sphere(1), -0.3f), 1.0 - (double)0.3f, 0.0);
    expect_half(shell(cube(2), 0.5f), 1.25, 0.0);
    expect_half(shell(offset(offset(cube(2), -0.5f), 1.0f), 0.25f), 1.625, 0.0);
    expect_bounds(blended(at(cube(2), -2, 0, 0), at(cube(2), 2, 0, 0), 1.0f), -3.25, -1.25, -1.25, 3.25, 1.25,
                  1.25, 0.0);
    expect_bounds(offset(blended(at(cube(2), -2, 0, 0), sphere(1), 1.0f), 0.5f), -3.75, -1.75, -1.75, 1.75,
                  1.75, 1.75, 0.0);
    expect_bounds(offset(rotated(cube(2), Y, 0.78539816f), 1.0f), -sqrt(2) - 1, -2, -sqrt(2) - 1, sqrt(2) + 1,
                  2, sqrt(2) + 1, 0.0);
    expect_half(without(offset(cube(2), 0.5f), sphere(1)), 1.5, 0.0);
}

/// The maximum of half-spaces, turned by 45° and grown by d, reaches √2·d further, not d.
static void test_bounds_of_rotated_intersections_contain_their_offsets(void** state)
{
    (void)state;
    expect_half(offset(cube_of_planes(1), 0.5f), 1.5, 0.0);
    double reach = 1.5 * sqrt(2.0);
    expect_bounds(offset(rotated(cube_of_planes(1), Y, 0.78539816f), 0.5f), -reach, -1.5, -reach, reach, 1.5,
                  reach, 0.3);
    AbutShape* quarter = offset(rotated(cube_of_planes(1), Y, 1.57079633f), 0.5f);
    expect_half(quarter, 1.5, 0.0);
    // Twice: each turn of 45° may add to what is not known, but must hold.
    AbutShape* twice = rotated(rotated(cube_of_planes(1), Y, 0.78539816f), X, 0.78539816f);
    expect_bounds(offset(twice, 0.5f), -reach, -1.5, -1.5, reach, 1.5, 1.5, 3.0);
    // A shrunk box grows back to itself.
    expect_bounds(offset(rotated(offset(cube(2), -0.5f), Y, 0.78539816f), 0.5f), -sqrt(2), -1, -sqrt(2),
                  sqrt(2), 1, sqrt(2), 0.3);
    // One that lies within the others grows like itself.
    AbutShape* inner = common(sphere(1), common(formula(ABUT_DISTANCE_BOUND, false), cube_of_planes(3)));
    reach = sqrt(2.0) + 0.5; // around the turned box of the ball
    expect_bounds(offset(rotated(inner, Y, 0.78539816f), 0.5f), -reach, -1.5, -reach, reach, 1.5, reach, 0.0);
}

static void test_bounds_of_what_is_not_solid_follow_it(void** state)
{
    (void)state;
    AbutShape* nothing = offset(sphere(1), -2.0f);
    assert_true(abut_box_is_empty(abut_shape_info(nothing).bounds));
    assert_true(abut_shape_distance(nothing, abut_vec3(0, 0, 0), NULL) > 0.0f);
    expect_bounds(offset(at(nothing, 10, 0, 0), 2.0f), 9, -1, -1, 11, 1, 1, 1.0);
    AbutShape* apart = common(at(sphere(1), -3, 0, 0), at(sphere(1), 3, 0, 0));
    assert_true(abut_box_is_empty(abut_shape_info(apart).bounds));
    // Both balls of radius 5 cover what lies within 4 of the origin.
    expect_bounds(offset(at(apart, 0, 7, 0), 4.0f), -2, 3, -4, 2, 11, 4, 3.0);
    expect_half(joined(offset(sphere(1), -2.0f), sphere(1)), 1.0, 0.0);
}

static void test_bounds_of_corrected_shapes_hold_their_offsets(void** state)
{
    (void)state;
    expect_half(offset(corrected(sphere(1), 4.0f), 0.5f), 3.0, 0.0);   // (|x| − 1)/4 ≤ ½
    expect_half(offset(corrected(sphere(1), 0.5f), -1.5f), 0.25, 2.0); // 2(|x| − 1) ≤ −1½
    expect_infinite(offset(corrected(sphere(1), 0.5f), 0.5f));         // nothing is known
}

static void test_bounds_of_formulas_are_known_where_they_are_exact_outside(void** state)
{
    (void)state;
    expect_half(formula(ABUT_DISTANCE_BOUND, true), 1.0, 0.0);
    expect_half(offset(formula(ABUT_DISTANCE_EXACT, true), 0.5f), 1.5, 0.0);
    expect_half(offset(formula(ABUT_DISTANCE_EXACT_OUTSIDE, true), 0.5f), 1.5, 0.0);
    expect_half(shell(formula(ABUT_DISTANCE_EXACT, true), 0.5f), 1.25, 0.0);
    expect_infinite(offset(formula(ABUT_DISTANCE_BOUND, true), 0.5f));
    expect_infinite(offset(formula(ABUT_DISTANCE_EXACT_INSIDE, true), 0.5f));
    expect_infinite(shell(formula(ABUT_DISTANCE_BOUND, true), 0.5f));
    expect_infinite(blended(formula(ABUT_DISTANCE_BOUND, true), sphere(1), 0.5f));
    expect_infinite(offset(at(joined(formula(ABUT_DISTANCE_BOUND, true), sphere(2)), 1, 0, 0), 0.5f));
    expect_half(offset(formula(ABUT_DISTANCE_BOUND, true), -0.5f), 1.0, 0.0);
    expect_half(without(sphere(1), formula(ABUT_DISTANCE_BOUND, false)), 1.0, 0.0);
    expect_half(offset(without(sphere(1), formula(ABUT_DISTANCE_BOUND, false)), 0.5f), 1.5, 0.0);
    expect_half(joined(offset(formula(ABUT_DISTANCE_BOUND, true), 0.0f), sphere(0.5f)), 1.0, 0.0);
}

static void test_planes_are_bounded_along_an_axis_alone(void** state)
{
    (void)state;
    AbutShape* s = plane(abut_vec3(0, 2, 0), 0.5f);
    AbutBox b = abut_shape_info(s).bounds;
    assert_true(b.max.y == 0.5f && isinf(b.min.y) && isinf(b.max.x));
    abut_shape_destroy(s);
    s = plane(abut_vec3(0, 0, -3), 0.5f);
    b = abut_shape_info(s).bounds;
    assert_true(b.min.z == -0.5f && isinf(b.max.z) && isinf(b.max.y));
    abut_shape_destroy(s);
    // A hair off the axis: the unit normal's y rounds to 1, and still the plane rises without end.
    s = plane(abut_vec3(1e-4f, 1, 0), 0.0f);
    assert_true(abut_shape_distance(s, abut_vec3(-1e6f, 50, 0), NULL) < 0.0f);
    expect_infinite(s);
}

typedef struct KindCase
{
    const char* what;
    AbutShape* shape;
    AbutDistanceKind kind;
    bool convex;
} KindCase;

static void test_kinds_of_distance_follow_from_those_of_the_children(void** state)
{
    (void)state;
    const AbutDistanceKind EXACT = ABUT_DISTANCE_EXACT, OUTSIDE = ABUT_DISTANCE_EXACT_OUTSIDE;
    const AbutDistanceKind INSIDE = ABUT_DISTANCE_EXACT_INSIDE, BOUND = ABUT_DISTANCE_BOUND;
    AbutShape* torus = NULL;
    test_assert_result(abut_shape_create_torus(2, 1, NULL, &torus), ABUT_OK);
    const KindCase cases[] = {
        { "union", joined(sphere(1), cube(1)), OUTSIDE, false },
        { "intersection", common(sphere(1), cube(1)), INSIDE, true },
        { "intersection with a torus", common(sphere(1), abut_shape_retain(torus)), INSIDE, false },
        { "union of an intersection", joined(sphere(1), common(cube(1), cube(2))), BOUND, false },
        { "intersection of a union", common(sphere(1), joined(cube(1), cube(2))), BOUND, false },
        { "difference", without(sphere(1), cube(1)), INSIDE, false },
        { "difference with a union", without(sphere(1), joined(cube(1), sphere(2))), INSIDE, false },
        { "difference with an intersection", without(sphere(1), common(cube(1), sphere(2))), BOUND, false },
        { "difference from an intersection", without(common(cube(1), sphere(2)), cube(1)), INSIDE, false },
        { "difference from a union", without(joined(cube(1), sphere(2)), cube(1)), BOUND, false },
        { "smooth union", blended(sphere(1), cube(1), 0.1f), BOUND, false },
        { "grown box", offset(cube(1), 0.1f), EXACT, true },
        { "shrunk box", offset(cube(1), -0.1f), INSIDE, true },
        { "grown torus", offset(abut_shape_retain(torus), 0.1f), OUTSIDE, false },
        { "shrunk torus", offset(abut_shape_retain(torus), -0.1f), INSIDE, false },
        { "grown union", offset(joined(sphere(1), cube(1)), 0.1f), OUTSIDE, false },
        { "shrunk union", offset(joined(sphere(1), cube(1)), -0.1f), BOUND, false },
        { "grown intersection", offset(common(sphere(1), cube(1)), 0.1f), BOUND, true },
        { "shrunk intersection", offset(common(sphere(1), cube(1)), -0.1f), INSIDE, true },
        { "shell", shell(cube(1), 0.1f), OUTSIDE, false },
        { "shell of a union", shell(joined(sphere(1), cube(1)), 0.1f), BOUND, false },
        { "corrected", corrected(sphere(1), 1.5f), BOUND, true },
        { "placed box", rotated(cube(1), X, 1.0f), EXACT, true },
        { "placed union", rotated(joined(sphere(1), cube(1)), X, 1.0f), OUTSIDE, false },
        { "exact formula", formula(EXACT, true), EXACT, false },
        { "grown exact formula", offset(formula(EXACT, true), 0.1f), OUTSIDE, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        AbutShapeInfo info = abut_shape_info(cases[i].shape);
        if (info.distance_kind != cases[i].kind || info.convex != cases[i].convex)
        {
            fail_msg("%s: %s%s, expected %s%s", cases[i].what, abut_distance_kind_name(info.distance_kind),
                     info.convex ? ", convex" : "", abut_distance_kind_name(cases[i].kind),
                     cases[i].convex ? ", convex" : "");
        }
        assert_true(info.lipschitz == 1.0f && info.error == 0.0f && isinf(info.band));
        abut_shape_destroy(cases[i].shape);
    }
    abut_shape_destroy(torus);
}

static void test_slopes_of_children_pass_through(void** state)
{
    (void)state;
    AbutCallbackDef def = abut_callback_def();
    def.function = ball_of_one;
    def.lipschitz = 3.0f;
    AbutShape* steep = NULL;
    test_assert_result(abut_shape_create_callback(&def, &steep), ABUT_OK);
    AbutShape* all[] = {
        joined(abut_shape_retain(steep), sphere(1)),  common(sphere(1), abut_shape_retain(steep)),
        without(sphere(1), abut_shape_retain(steep)), blended(sphere(1), abut_shape_retain(steep), 0.5f),
        offset(abut_shape_retain(steep), 0.5f),       shell(abut_shape_retain(steep), 0.5f),
        rotated(abut_shape_retain(steep), X, 1.0f)
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i)
    {
        assert_true(abut_shape_info(all[i]).lipschitz == 3.0f);
        abut_shape_destroy(all[i]);
    }
    AbutShape* fixed = corrected(steep, 3.0f);
    assert_true(abut_shape_info(fixed).lipschitz == 1.0f);
    abut_shape_destroy(fixed);
}

static void test_names_are_there_for_everything(void** state)
{
    (void)state;
    for (int i = 0; i < ABUT_SHAPE_KIND_COUNT; ++i)
    {
        assert_string_not_equal(abut_shape_kind_name((AbutShapeKind)i), "unknown shape");
    }
    assert_string_equal(abut_shape_kind_name(ABUT_SHAPE_KIND_COUNT), "unknown shape");
    assert_string_equal(abut_shape_kind_name((AbutShapeKind)-1), "unknown shape");
    assert_string_equal(abut_distance_kind_name(ABUT_DISTANCE_EXACT_INSIDE), "exact inside");
    assert_string_equal(abut_distance_kind_name((AbutDistanceKind)77), "unknown distance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_of_exact_shapes_grow_and_shrink_by_the_offset),
        cmocka_unit_test(test_bounds_of_rotated_intersections_contain_their_offsets),
        cmocka_unit_test(test_bounds_of_what_is_not_solid_follow_it),
        cmocka_unit_test(test_bounds_of_corrected_shapes_hold_their_offsets),
        cmocka_unit_test(test_bounds_of_formulas_are_known_where_they_are_exact_outside),
        cmocka_unit_test(test_planes_are_bounded_along_an_axis_alone),
        cmocka_unit_test(test_kinds_of_distance_follow_from_those_of_the_children),
        cmocka_unit_test(test_slopes_of_children_pass_through),
        cmocka_unit_test(test_names_are_there_for_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
