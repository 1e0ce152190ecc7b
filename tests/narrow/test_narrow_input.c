// Whatever a query is given, it has an answer: a state, and a message where the input makes no sense.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 64
};

static AbutShape* plane(AbutVec3 normal)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_plane(normal, 0.0f, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* field_of(const AbutShape* shape)
{
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 24;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

static AbutCollideOutput ask(const AbutCollideInput* input)
{
    AbutContact contacts[CAPACITY];
    return abut_collide(input, contacts, CAPACITY);
}

/// The query is refused with a message, by all methods, with and without room for contacts, and writes
/// nothing.
static void check_refused(AbutCollideInput input, const char* word)
{
    for (int i = 0; i < 2 * ABUT_COLLIDE_METHOD_COUNT; ++i)
    {
        AbutContact contacts[2], untouched[2];
        memset(contacts, 0x5a, sizeof(contacts));
        memset(untouched, 0x5a, sizeof(untouched));
        input.settings.method = (AbutCollideMethod)(i / 2);
        if (input.shape_a != NULL && input.shape_b != NULL &&
            !abut_collide_method_serves(input.settings.method, input.shape_a, input.shape_b))
        {
            continue;
        }
        abut_fail(ABUT_OK, " ");
        AbutCollideOutput output = abut_collide(&input, i % 2 == 0 ? contacts : NULL, i % 2 == 0 ? 2 : 0);
        assert_int_equal(output.state, ABUT_COLLIDE_INVALID);
        assert_int_equal(output.contact_count, 0);
        assert_int_equal(output.contact_total, 0);
        assert_memory_equal(contacts, untouched, sizeof(contacts));
        if (strstr(abut_last_error(), word) == NULL)
        {
            fail_msg("the message \"%s\" has no \"%s\"", abut_last_error(), word);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

static void test_poses_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    AbutShape* shapes[2] = { test_make_sphere(0.5f), NULL };
    shapes[1] = field_of(shapes[0]);
    for (int i = 0; i < 2 * 2 * 8 * 2; ++i)
    {
        AbutCollideInput input = abut_collide_input(shapes[i % 2], shapes[i / 2 % 2]);
        AbutPose* pose = i / 4 % 2 == 0 ? &input.pose_a : &input.pose_b;
        double bad = i / 32 == 0 ? (double)NAN : (double)INFINITY;
        switch (i / 4 / 2 % 4 + 4 * (i % 2))
        {
        case 0:
            pose->position.x = bad;
            break;
        case 1:
            pose->position.y = -bad;
            break;
        case 2:
            pose->position.z = bad;
            break;
        case 3:
            pose->rotation.x = (float)bad;
            break;
        case 4:
            pose->rotation.y = (float)bad;
            break;
        case 5:
            pose->rotation.z = (float)-bad;
            break;
        case 6:
            pose->rotation.w = (float)bad;
            break;
        default:
            pose->scale = (float)bad;
            break;
        }
        check_refused(input, "pose");
    }
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
}

static void test_scales_that_are_not_positive_are_refused(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    const float scales[] = { 0.0f, -0.0f, -1.0f, -FLT_MIN };
    for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.pose_a.scale = scales[i];
        check_refused(input, "scale");
        input = abut_collide_input(a, a);
        input.pose_b.scale = scales[i];
        check_refused(input, "scale");
    }
    abut_shape_destroy(a);
}

static void test_quaternions_that_are_no_rotation_are_refused(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    const AbutQuat bad[] = { { 0.0f, 0.0f, 0.0f, 0.0f },
                             { 0.0f, 0.0f, 0.0f, 2.0f },
                             { 1.0f, 1.0f, 0.0f, 0.0f },
                             { 0.0f, 0.0f, 0.0f, 0.99f },
                             { FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX },
                             { FLT_MIN, 0.0f, 0.0f, 0.0f } };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.pose_a.rotation = bad[i];
        check_refused(input, "quaternion");
        input = abut_collide_input(a, a);
        input.pose_b.rotation = bad[i];
        check_refused(input, "quaternion");
    }
    // What rounding leaves of a rotation is one.
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b.rotation = (AbutQuat){ 0.0f, 0.0f, 0.0f, 1.0004f };
    input.pose_b.position.x = 0.9;
    assert_int_equal(ask(&input).state, ABUT_COLLIDE_CONTACT);
    abut_shape_destroy(a);
}

// -----------------------------------------------------------------------------------------------------------
// Shapes and settings
// -----------------------------------------------------------------------------------------------------------

static void test_no_shape_is_refused(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    check_refused(abut_collide_input(NULL, a), "NULL");
    check_refused(abut_collide_input(a, NULL), "NULL");
    check_refused(abut_collide_input(NULL, NULL), "NULL");
    abut_shape_destroy(a);
}

static void test_two_shapes_without_end_are_refused_where_they_may_meet_without_end(void** state)
{
    (void)state;
    AbutShape *down = plane(abut_vec3(0.0f, 1.0f, 0.0f)), *up = plane(abut_vec3(0.0f, -1.0f, 0.0f));
    AbutShape* slope = plane(abut_vec3(1.0f, 1.0f, 0.0f));
    check_refused(abut_collide_input(down, down), "no end");
    check_refused(abut_collide_input(down, up), "no end");
    check_refused(abut_collide_input(down, slope), "no end");
    // Their boxes alone say that these are apart.
    AbutCollideInput input = abut_collide_input(down, up);
    input.pose_b = abut_pose_at(0.0, 0.25, 0.0);
    AbutCollideOutput output = ask(&input);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    test_assert_near(output.gap, 0.25, 1e-4);
    abut_shape_destroy(slope);
    abut_shape_destroy(up);
    abut_shape_destroy(down);
}

static void test_shapes_where_nothing_is_solid_are_apart_from_all(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *empty = NULL;
    test_assert_result(abut_shape_create_offset(a, -1.0f, NULL, &empty), ABUT_OK);
    AbutCollideInput input = abut_collide_input(a, empty);
    assert_int_equal(ask(&input).state, ABUT_COLLIDE_SEPARATED);
    input = abut_collide_input(empty, a);
    assert_int_equal(ask(&input).state, ABUT_COLLIDE_SEPARATED);
    input = abut_collide_input(empty, empty);
    assert_int_equal(ask(&input).state, ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(empty);
    abut_shape_destroy(a);
}

static void nan_distance(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    (void)points;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = NAN;
    }
}

/// A formula of the user's that answers NaN proves nothing: neither that they touch nor that they are apart.
static void test_a_shape_that_answers_nan_is_never_proved_to_touch_or_to_be_apart(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = NULL;
    AbutCallbackDef def = abut_callback_def();
    def.function = nan_distance;
    def.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    test_assert_result(abut_shape_create_callback(&def, &b), ABUT_OK);
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.budget = 10000;
    AbutCollideState got = ask(&input).state;
    assert_true(got == ABUT_COLLIDE_CLOSE || got == ABUT_COLLIDE_BUDGET);
    abut_shape_destroy(b);
    abut_shape_destroy(a);
}

static void test_settings_that_are_no_lengths_are_refused(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    const float bad[] = { NAN, INFINITY, -INFINITY, -1.0f, -FLT_MIN };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.settings.tolerance = bad[i];
        check_refused(input, "tolerance");
        input = abut_collide_input(a, a);
        input.settings.margin = bad[i];
        check_refused(input, "margin");
        input = abut_collide_input(a, a);
        input.settings.spacing = bad[i];
        check_refused(input, "spacing");
    }
    abut_shape_destroy(a);
}

static void test_zeros_stand_for_the_defaults(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b = abut_pose_at(0.9, 0.0, 0.0);
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    AbutCollideOutput usual = ask(&input);
    assert_int_equal(usual.state, ABUT_COLLIDE_CONTACT);
    input.settings.tolerance = 1e-3f;
    input.settings.spacing = 1.0f / 24.0f;
    AbutCollideOutput said = ask(&input);
    assert_int_equal(said.state, usual.state);
    assert_int_equal(said.contact_total, usual.contact_total);
    test_assert_near(said.spacing, usual.spacing, 1e-7);
    abut_shape_destroy(a);
}

static void test_the_smallest_budget_is_spent_at_once(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b = abut_pose_at(0.5774, 0.5774, 0.5774);
    input.settings.budget = 1;
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    AbutCollideOutput output = ask(&input);
    assert_int_equal(output.state, ABUT_COLLIDE_BUDGET);
    assert_true(output.evaluations <= 1024);
    abut_shape_destroy(a);
}

/// The finest tolerance that can be asked for ends all the same.
static void test_the_smallest_tolerance_ends(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = field_of(a);
    AbutCollideInput input = abut_collide_input(a, a);
    input.settings.tolerance = FLT_TRUE_MIN;
    input.pose_b = abut_pose_at(1.0, 0.0, 0.0);
    AbutCollideState got = ask(&input).state;
    assert_true(got == ABUT_COLLIDE_BUDGET || got == ABUT_COLLIDE_CLOSE);
    input.shape_b = b;
    got = ask(&input).state;
    assert_true(got == ABUT_COLLIDE_BUDGET || got == ABUT_COLLIDE_CLOSE);
    abut_shape_destroy(b);
    abut_shape_destroy(a);
}

/// Contacts that a spacing of almost nothing asks for are more than a query holds: it grows until they fit.
static void test_the_smallest_spacing_grows_until_contacts_fit(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b = abut_pose_at(0.5, 0.0, 0.0);
    input.settings.spacing = FLT_TRUE_MIN;
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    AbutCollideOutput output = ask(&input);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    assert_int_equal(output.contact_count, CAPACITY);
    assert_true(output.contact_total > CAPACITY);
    assert_true(output.spacing > 1e-4f);
    abut_shape_destroy(a);
}

static void test_a_huge_margin_has_an_answer(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    const float margins[] = { 10.0f, 1e6f, 1e30f, FLT_MAX };
    for (size_t i = 0; i < sizeof(margins) / sizeof(margins[0]); ++i)
    {
        input.settings.margin = margins[i];
        AbutCollideState got = ask(&input).state;
        assert_true(got == ABUT_COLLIDE_SEPARATED || got == ABUT_COLLIDE_INVALID);
    }
    abut_shape_destroy(a);
}

// -----------------------------------------------------------------------------------------------------------
// Sizes
// -----------------------------------------------------------------------------------------------------------

/// The same pair at every scale that a float has room for gives the same answers, in its own units.
static void test_scales_from_tiny_to_huge_answer_alike(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *field = field_of(a);
    const float scales[] = { 1e-12f, 1e-6f, 1e-3f, 1e3f, 1e6f, 1e12f };
    for (size_t i = 0; i < 2 * sizeof(scales) / sizeof(scales[0]); ++i)
    {
        float scale = scales[i / 2];
        AbutShape* shape = i % 2 == 0 ? a : field;
        AbutCollideInput input = abut_collide_input(shape, shape);
        input.pose_a.scale = scale;
        input.pose_b.scale = scale;
        input.pose_b.position.x = 0.8 * (double)scale;
        assert_int_equal(ask(&input).state, ABUT_COLLIDE_CONTACT);
        input.pose_b.position.x = 1.2 * (double)scale;
        AbutCollideOutput output = ask(&input);
        assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
        assert_true(output.gap > 0.05f && output.gap <= 0.2001f); // in A's units
    }
    abut_shape_destroy(field);
    abut_shape_destroy(a);
}

/// A grain of sand and a planet.
static void test_bodies_of_very_different_size_have_an_answer(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    const float scales[] = { 1e-12f, 1e-9f, 1e-6f, 1e6f, 1e9f, 1e12f };
    for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.pose_b.scale = scales[i];
        AbutCollideState inside = ask(&input).state; // concentric: contained
        assert_true(inside == ABUT_COLLIDE_CONTACT || inside == ABUT_COLLIDE_CLOSE);
        input.pose_b.position.y = 2.0 + (double)scales[i];
        assert_int_equal(ask(&input).state, ABUT_COLLIDE_SEPARATED);
    }
    abut_shape_destroy(a);
}

static void test_positions_far_from_the_origin_have_the_same_results(void** state)
{
    (void)state;
    AbutShape* a = test_make_sphere(0.5f);
    const double positions[] = { 1e6, -1e9, 1e15, 1e300 };
    for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.pose_a = abut_pose_at(positions[i], 0.0, 0.0);
        input.pose_b = abut_pose_at(positions[i], 0.75, 0.0);
        assert_int_equal(ask(&input).state, ABUT_COLLIDE_CONTACT);
        input.pose_b = abut_pose_at(positions[i], 1.25, 0.0);
        assert_int_equal(ask(&input).state, ABUT_COLLIDE_SEPARATED);
        input.pose_b = abut_pose_at(-positions[i], 0.0, 0.0); // further apart than floats can say
        AbutCollideState got = ask(&input).state;
        assert_true(got == ABUT_COLLIDE_SEPARATED || got == ABUT_COLLIDE_INVALID);
    }
    abut_shape_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_that_are_not_finite_are_refused),
        cmocka_unit_test(test_scales_that_are_not_positive_are_refused),
        cmocka_unit_test(test_quaternions_that_are_no_rotation_are_refused),
        cmocka_unit_test(test_no_shape_is_refused),
        cmocka_unit_test(test_two_shapes_without_end_are_refused_where_they_may_meet_without_end),
        cmocka_unit_test(test_shapes_where_nothing_is_solid_are_apart_from_all),
        cmocka_unit_test(test_a_shape_that_answers_nan_is_never_proved_to_touch_or_to_be_apart),
        cmocka_unit_test(test_settings_that_are_no_lengths_are_refused),
        cmocka_unit_test(test_zeros_stand_for_the_defaults),
        cmocka_unit_test(test_the_smallest_budget_is_spent_at_once),
        cmocka_unit_test(test_the_smallest_tolerance_ends),
        cmocka_unit_test(test_the_smallest_spacing_grows_until_contacts_fit),
        cmocka_unit_test(test_a_huge_margin_has_an_answer),
        cmocka_unit_test(test_scales_from_tiny_to_huge_answer_alike),
        cmocka_unit_test(test_bodies_of_very_different_size_have_an_answer),
        cmocka_unit_test(test_positions_far_from_the_origin_have_the_same_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
