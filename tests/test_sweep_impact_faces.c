// Faces that meet as a whole, the worst case of a search that divides: the answer is a hit, in time, within its tolerance.
#include "support/support.h"

#include <abut/sweep.h>
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
static AbutSweepInput make_fall(const AbutShape* a, const AbutShape* b, float turn)
{
    AbutSweepInput input = abut_sweep_input(a, b);
    input.pose_b = abut_pose_at(0.0, 3.0, 0.0);
    input.motion_b.linear = abut_vec3(0.0f, -6.0f, 0.0f);
    input.motion_b.angular = abut_vec3(0.0f, turn, 0.0f);
    input.settings.tolerance = 1e-3f;
    return input;
}

/// `length` is how much earlier or later a hit may be, in the way that the bodies fall.
static void check_meet(const AbutSweepOutput* output, double truth, double length, const char* what)
{
    if (output->state != ABUT_SWEEP_HIT || (double)output->time > truth + 1e-6 ||
        (double)output->time < truth - length / 6.0)
    {
        print_message("%s: %s at %.7f, truth %.7f, %llu evaluations\n", what,
                      abut_sweep_state_name(output->state), (double)output->time, truth,
                      (unsigned long long)output->evaluations);
    }
    assert_int_equal(output->state, ABUT_SWEEP_HIT);
    assert_true((double)output->time <= truth + 1e-6);
    assert_true((double)output->time >= truth - length / 6.0);
    assert_true(output->touch_proved && (double)output->touch_time >= truth - 1e-6);
    assert_true((double)output->touch_time <= truth + length / 6.0);
    assert_true(output->evaluations < MOST_EVALUATIONS);
    test_assert_near(fabs((double)output->normal.y), 1.0, 1e-3);
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
            AbutSweepInput input = make_fall(a, b, turns ? 2.0f : 0.0f);
            AbutSweepOutput output = abut_sweep(&input);
            check_meet(&output, 1.0 / 3.0, 1e-3, what);
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
        AbutSweepInput input = make_fall(floor, shape, 0.0f);
        AbutSweepOutput output = abut_sweep(&input);
        check_meet(&output, 2.5 / 6.0, 1e-3, "on a half-space");
        abut_shape_destroy(shape);
    }
    abut_shape_destroy(floor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_that_meet_face_to_face_are_hits_within_the_tolerance),
        cmocka_unit_test(test_shapes_that_land_on_a_half_space_are_hits_within_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
