// Faces that meet as a whole, the worst case of a search that divides: the answer is a hit, in time, within
// its tolerance.
#include "support/support.h"

#include <abut/bake.h>
#include <abut/field.h>
#include <abut/toi.h>
#include <math.h>
#include <stdio.h>

enum
{
    MOST_EVALUATIONS = 150000,
    KINDS = 4
};

static AbutShape* make_box(float x, float y, float z)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(x, y, z), NULL, &shape), ABUT_OK);
    return shape;
}

/// A box with a hole through each of its faces: its distance is only a bound.
static AbutShape* make_cut_box(void)
{
    AbutShape *box = make_box(1.0f, 1.0f, 1.0f), *ball = NULL, *cut = NULL;
    test_assert_result(abut_shape_create_sphere(0.6f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_shape_create_difference(box, ball, NULL, &cut), ABUT_OK);
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
    return cut;
}

/// All reach from y = −0.5 to 0.5, and end in a face on either side.
static AbutShape* make_kind(int kind)
{
    AbutShape* shape = NULL;
    switch (kind)
    {
    case 0:
        return make_box(1.0f, 1.0f, 1.0f);
    case 1:
        return make_cut_box();
    case 2:
        test_assert_result(abut_shape_create_cylinder(0.5f, 1.0f, NULL, &shape), ABUT_OK);
        return shape;
    default:
        return make_box(3.0f, 1.0f, 2.0f);
    }
}

/// A fall by 6 from a height of 3, perhaps with a turn about the way of the fall.
static AbutToiInput make_fall(const AbutShape* a, const AbutShape* b, float rotation)
{
    AbutToiInput input = abut_toi_input(a, b);
    input.pose_b = abut_pose_at(0.0, 3.0, 0.0);
    input.motion_b.linear = abut_vec3(0.0f, -6.0f, 0.0f);
    input.motion_b.angular = abut_vec3(0.0f, rotation, 0.0f);
    input.settings.tolerance = 1e-3f;
    return input;
}

/// `length` is how much earlier or later a hit may be, in the way that the bodies fall.
static void check_meet(const AbutToiOutput* output, double truth, double length, const char* what)
{
    if (output->state != ABUT_TOI_HIT || (double)output->time > truth + 1e-6 ||
        (double)output->time < truth - length / 6.0)
    {
        print_message("%s: %s at %.7f, truth %.7f, %llu evaluations\n", what,
                      abut_toi_state_name(output->state), (double)output->time, truth,
                      (unsigned long long)output->evaluations);
    }
    assert_int_equal(output->state, ABUT_TOI_HIT);
    assert_true((double)output->time <= truth + 1e-6);
    assert_true((double)output->time >= truth - length / 6.0);
    assert_true(output->touch_proved && (double)output->touch_time >= truth - 1e-6);
    assert_true((double)output->touch_time <= truth + length / 6.0);
    assert_true(output->evaluations < MOST_EVALUATIONS);
}

static void test_shapes_that_meet_face_to_face_are_hits_within_the_tolerance(void** state)
{
    (void)state;
    for (int pair = 0; pair < KINDS * KINDS; ++pair)
    {
        AbutShape *a = make_kind(pair % KINDS), *b = make_kind(pair / KINDS);
        char what[32];
        snprintf(what, sizeof(what), "kinds %d and %d", pair % KINDS, pair / KINDS);
        for (int turns = 0; turns < 2; ++turns)
        {
            AbutToiInput input = make_fall(a, b, turns ? 2.0f : 0.0f);
            AbutToiOutput output = abut_time_of_impact(&input);
            check_meet(&output, 1.0 / 3.0, 1e-3, what);
            test_assert_near(output.normal.y, -1.0, 1e-3);
        }
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

static void test_shapes_that_land_on_a_half_space_are_hits_within_the_tolerance(void** state)
{
    (void)state;
    AbutShape* floor = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &floor), ABUT_OK);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        AbutShape* shape = make_kind(kind);
        AbutToiInput input = make_fall(floor, shape, 0.0f);
        AbutToiOutput output = abut_time_of_impact(&input);
        check_meet(&output, 2.5 / 6.0, 1e-3, "on a half-space");
        test_assert_near(output.normal.y, -1.0, 1e-3);
        abut_shape_destroy(shape);
    }
    abut_shape_destroy(floor);
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

/// A shape as a field that is turned against its grid; *pose turns it back.
static AbutShape* bake_rotated(AbutShape* shape, float angle, AbutPose* pose)
{
    AbutBakeDef def = abut_bake_def();
    AbutPose rotation = abut_pose_identity();
    AbutShape *rotated = NULL, *field = NULL;
    AbutVec3 axis = abut_vec3(0.48f, 0.6f, -0.64f);
    AbutVec3 v = abut_vec3_scale(axis, sinf(0.5f * angle));
    rotation.rotation = (AbutQuat){ v.x, v.y, v.z, cosf(0.5f * angle) };
    pose->rotation = (AbutQuat){ -v.x, -v.y, -v.z, cosf(0.5f * angle) };
    def.resolution = 32;
    test_assert_result(abut_shape_create_transformed(shape, &rotation, NULL, &rotated), ABUT_OK);
    test_assert_result(abut_bake_shape(&def, rotated, &field), ABUT_OK);
    abut_shape_destroy(rotated);
    return field;
}

enum
{
    FIELD_KINDS = 3,
    ANGLES = 3
};

static void test_fields_that_meet_face_to_face_are_hits_within_their_cells(void** state)
{
    (void)state;
    const float angles[ANGLES] = { 0.0f, 0.02f, 0.4f };
    for (int angle = 0; angle < ANGLES; ++angle)
    {
        AbutShape *shapes[FIELD_KINDS], *fields[FIELD_KINDS];
        AbutPose pose = abut_pose_identity();
        for (int kind = 0; kind < FIELD_KINDS; ++kind)
        {
            shapes[kind] = make_kind(kind);
            fields[kind] = bake_rotated(shapes[kind], angles[angle], &pose);
        }
        for (int i = 0; i < 2 * FIELD_KINDS * FIELD_KINDS;
             ++i) // field against shape, and field against field
        {
            int kind_a = i / 2 % FIELD_KINDS, kind_b = i / 2 / FIELD_KINDS;
            bool both = i % 2 != 0;
            AbutToiInput input = make_fall(both ? fields[kind_a] : shapes[kind_a], fields[kind_b], 0.0f);
            char what[64];
            snprintf(what, sizeof(what), "fields of kinds %d and %d, turned by %g", kind_a, kind_b,
                     (double)angles[angle]);
            input.pose_a.rotation = both ? pose.rotation : input.pose_a.rotation;
            input.pose_b.rotation = pose.rotation;
            AbutToiOutput output = abut_time_of_impact(&input);
            check_meet(&output, 1.0 / 3.0, 2.0 * (double)abut_field_info(fields[kind_b]).cell_size, what);
        }
        for (int kind = 0; kind < FIELD_KINDS; ++kind)
        {
            abut_shape_destroy(shapes[kind]);
            abut_shape_destroy(fields[kind]);
        }
    }
}

static void test_solids_within_others_overlap_although_their_surfaces_are_apart(void** state)
{
    (void)state;
    AbutPose none = abut_pose_identity();
    AbutShape *ball = NULL, *ring = NULL, *box = make_box(2.0f, 2.0f, 2.0f);
    test_assert_result(abut_shape_create_sphere(0.2f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_shape_create_torus(0.7f, 0.2f, NULL, &ring), ABUT_OK);
    AbutShape* shapes[3] = { ball, ring, box };
    AbutShape* fields[3];
    for (int i = 0; i < 3; ++i)
    {
        fields[i] = bake_rotated(shapes[i], 0.0f, &none);
    }
    for (int i = 0; i < 8; ++i) // the one or the other is a field, the one or the other comes first
    {
        bool swapped = (i & 1) != 0, inner_field = (i & 2) != 0, outer_field = (i & 4) != 0;
        for (int outer = 1; outer < 3; ++outer)
        {
            AbutShape* in = (inner_field ? fields : shapes)[0];
            AbutShape* out = (outer_field ? fields : shapes)[outer];
            AbutToiInput input = abut_toi_input(swapped ? in : out, swapped ? out : in);
            input.motion_b.linear = abut_vec3(0.0f, 0.01f, 0.0f);
            AbutToiOutput output = abut_time_of_impact(&input);
            assert_int_equal(output.state, outer == 1 ? ABUT_TOI_MISS : ABUT_TOI_OVERLAP);
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        abut_shape_destroy(fields[i]);
        abut_shape_destroy(shapes[i]);
    }
}

/// Plates and walls of a few cells, which are deep nowhere.
static void test_thin_plates_within_others_overlap(void** state)
{
    (void)state;
    AbutPose none = abut_pose_identity();
    AbutShape *plate = make_box(0.9f, 0.05f, 0.7f), *wall = make_box(2.0f, 0.18f, 2.0f);
    AbutShape* fields[2];
    fields[0] = bake_rotated(plate, 0.0f, &none);
    fields[1] = bake_rotated(wall, 0.0f, &none);
    TestRandom random = { 17 };
    for (int i = 0; i < TEST_ROUNDS(100); ++i)
    {
        AbutToiInput input = abut_toi_input(fields[1], i % 2 == 0 ? fields[0] : plate);
        double x = test_random_range(&random, -0.4, 0.4), y = test_random_range(&random, -0.03, 0.03);
        input.pose_b = abut_pose_at(x, y, test_random_range(&random, -0.5, 0.5));
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f),
                                                          (float)test_random_range(&random, 0.0, 0.3));
        input.motion_b.linear = abut_vec3(0.001f, 0.0f, 0.0f);
        assert_int_equal(abut_time_of_impact(&input).state, ABUT_TOI_OVERLAP);
    }
    for (int i = 0; i < 2; ++i)
    {
        abut_shape_destroy(fields[i]);
    }
    abut_shape_destroy(plate);
    abut_shape_destroy(wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_that_meet_face_to_face_are_hits_within_the_tolerance),
        cmocka_unit_test(test_shapes_that_land_on_a_half_space_are_hits_within_the_tolerance),
        cmocka_unit_test(test_fields_that_meet_face_to_face_are_hits_within_their_cells),
        cmocka_unit_test(test_solids_within_others_overlap_although_their_surfaces_are_apart),
        cmocka_unit_test(test_thin_plates_within_others_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
