// Distances of fields: bounds hold the truth, which has a closed form, and are as near each other as
// promised, near and far, turned and scaled, in every format.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/field.h>
#include <abut/narrow.h>
#include <math.h>

enum
{
    KINDS = 7 // of fields
};

static AbutShape* bake(const AbutShape* shape, int kind)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = 48;
    def.format =
        kind == 1 ? ABUT_FIELD_F16 : (kind == 2 || kind == 4 ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32);
    def.sparse = kind == 3 || kind == 4 || kind == 6;
    def.without_octree = kind >= 5;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

static double stated_error(const AbutShape* shape, float scale)
{
    return abut_shape_is_field(shape) ? (double)(abut_field_info(shape).error_bound * scale) : 0.0;
}

/// What a call was asked, and what it should answer.
typedef struct Case
{
    AbutDistanceInput input;
    double truth;
    double size; // of the smaller shape
} Case;

static void check_points(const Case* self, const AbutDistanceOutput* output, double errors)
{
    const AbutDistanceInput* input = &self->input;
    AbutVec3 displacement = abut_vec3_sub(output->point_a, output->point_b), b = output->point_b;
    assert_true(abut_vec3_length(displacement) <= output->high * 1.000001f);
    AbutPose relative = abut_pose_relative(&input->pose_a, &input->pose_b);
    AbutVec3 in_b = abut_pose_inverse_transform_point(&relative, (AbutPosition){ b.x, b.y, b.z });
    double slack = errors + 1e-3 * self->size + 1e-5 * self->truth;
    test_assert_near(abut_shape_distance(input->shape_a, output->point_a, NULL), 0.0, slack);
    test_assert_near(abut_shape_distance(input->shape_b, in_b, NULL) * relative.scale, 0.0, slack);
}

static void check(const Case* self)
{
    AbutDistanceOutput output = abut_distance(&self->input);
    double errors = stated_error(self->input.shape_a, 1.0f) +
                    stated_error(self->input.shape_b, self->input.pose_b.scale / self->input.pose_a.scale);
    double rounding = 1e-5 * (self->size + self->truth);
    double width = (double)output.high - (double)output.low;
    // Of the box around a shape that is turned, and a little larger as a field.
    double automatic = 2e-3 * 1.9 * self->size;
    double tolerance = self->input.tolerance > 0.0f ? (double)self->input.tolerance : automatic;
    if (output.state != ABUT_COLLIDE_SEPARATED)
    {
        assert_int_equal(output.state, ABUT_COLLIDE_CLOSE);
        assert_true(self->truth < 0.15 * self->size);
        return;
    }
    if (!((double)output.low <= self->truth + rounding && (double)output.high >= self->truth - rounding) ||
        !(width <= tolerance + errors + rounding))
    {
        fail_msg("%.9g to %.9g, truth %.9g, tolerance %g and errors %g, %llu samples", (double)output.low,
                 (double)output.high, self->truth, tolerance, errors, (unsigned long long)output.evaluations);
    }
    check_points(self, &output, errors);
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// -----------------------------------------------------------------------------------------------------------
// A box and a ball
// -----------------------------------------------------------------------------------------------------------

static double to_box(const double at[3], const double half[3])
{
    double out[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = fmax(0.0, fabs(at[axis]) - half[axis]);
    }
    return length_of(out);
}

/// A pose of the ball at which it is `gap` from the box, somewhere around it.
static AbutPose pose_at_gap(TestRandom* random, const double half[3], double reach, double gap)
{
    AbutVec3 displacement = test_random_direction(random);
    const double direction[3] = { displacement.x, displacement.y, displacement.z };
    double low = 0.0, high = 4.0 + reach + gap;
    for (int i = 0; i < 60; ++i)
    {
        double middle = 0.5 * (low + high);
        const double at[3] = { middle * direction[0], middle * direction[1], middle * direction[2] };
        *(to_box(at, half) < reach + gap ? &low : &high) = middle;
    }
    AbutPose pose = abut_pose_at(high * direction[0], high * direction[1], high * direction[2]);
    pose.rotation = test_random_rotation(random);
    return pose;
}

static void check_box_and_ball(AbutShape* const shapes[2], bool swapped, TestRandom* random, double gap)
{
    const double half[3] = { 0.5, (double)0.6f * 0.5, (double)0.4f * 0.5 };
    static const float scales[3] = { 1.0f, 0.5f, 1.75f };
    float scale = scales[test_random_bits(random) % 3];
    AbutPose box = abut_pose_at(5.0, -3.0, 2.0),
             ball = pose_at_gap(random, half, (double)0.3f * (double)scale, gap);
    ball.scale = scale;
    const double at[3] = { ball.position.x, ball.position.y, ball.position.z };
    Case self = { .input = abut_distance_input(shapes[swapped ? 1 : 0], shapes[swapped ? 0 : 1]),
                  .truth = to_box(at, half) - (double)0.3f * (double)scale,
                  .size = fmin(1.0, 1.04 * (double)(0.6f * scale)) };
    box.rotation = test_random_rotation(random);
    ball = abut_pose_multiply(&box, &ball);
    self.input.pose_a = swapped ? ball : box;
    self.input.pose_b = swapped ? box : ball;
    if (swapped) // in units of the ball
    {
        self.truth /= (double)scale;
        self.size = fmin(1.0 / (double)scale, 1.04 * 0.6);
    }
    self.input.tolerance = test_random_bits(random) % 3 == 0 ? (float)(0.01 * self.size) : 0.0f;
    check(&self);
}

static void test_fields_of_all_kinds_are_as_far_apart_as_they_are(void** state)
{
    (void)state;
    static const double gaps[] = { 0.03, 0.06, 0.15, 0.4, 1.5, 40.0 };
    AbutShape *box = test_make_box(1.0f, 0.6f, 0.4f), *ball = test_make_sphere(0.3f);
    TestRandom random = { 51 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        AbutShape* const fields[2] = { bake(box, kind), bake(ball, (kind + 2) % KINDS) };
        for (int i = 0; i < 48; ++i)
        {
            check_box_and_ball(fields, i % 2 == 1, &random, gaps[i / 2 % 6]);
        }
        abut_shape_destroy(fields[0]);
        abut_shape_destroy(fields[1]);
    }
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
}

static void test_fields_and_formulas_are_as_far_apart_as_they_are(void** state)
{
    (void)state;
    static const double gaps[] = { 0.03, 0.06, 0.15, 0.4, 1.5, 40.0 };
    AbutShape *box = test_make_box(1.0f, 0.6f, 0.4f), *ball = test_make_sphere(0.3f);
    TestRandom random = { 52 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        AbutShape *box_field = bake(box, kind), *ball_field = bake(ball, kind);
        AbutShape* const pairs[2][2] = { { box_field, ball }, { box, ball_field } };
        for (int i = 0; i < 48; ++i)
        {
            check_box_and_ball(pairs[i % 4 / 2], i % 2 == 1, &random, gaps[i / 4 % 6]);
        }
        abut_shape_destroy(box_field);
        abut_shape_destroy(ball_field);
    }
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
}

// -----------------------------------------------------------------------------------------------------------
// Others
// -----------------------------------------------------------------------------------------------------------

static void test_a_field_in_the_hollow_of_another_has_a_distance(void** state)
{
    (void)state;
    AbutShape *sphere = test_make_sphere(1.0f), *ball = test_make_sphere(0.25f), *hollow = NULL;
    test_assert_result(abut_shape_create_shell(sphere, 0.2f, NULL, &hollow), ABUT_OK);
    TestRandom random = { 53 };
    for (int kind = 0; kind < KINDS; kind += 2)
    {
        AbutShape *outer = bake(hollow, kind), *inner = bake(ball, kind);
        // About the middle all of it is equally near, which takes long without an octree.
        for (int i = kind >= 5 ? 6 : 0; i < 16; ++i)
        {
            AbutVec3 displacement = abut_vec3_scale(test_random_direction(&random), (float)i * 0.035f);
            Case self = { .input = abut_distance_input(i % 4 == 0 ? hollow : outer, inner),
                          .truth = 0.9 - (double)0.25f - (double)abut_vec3_length(displacement),
                          .size = 0.52 };
            self.input.pose_b = abut_pose_at(displacement.x, displacement.y, displacement.z);
            check(&self);
        }
        abut_shape_destroy(outer);
        abut_shape_destroy(inner);
    }
    abut_shape_destroy(hollow);
    abut_shape_destroy(sphere);
    abut_shape_destroy(ball);
}

static void test_a_field_over_a_shape_without_end_has_a_distance(void** state)
{
    (void)state;
    AbutShape *ground = NULL, *ring = test_make_torus(0.5f, 0.15f);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground), ABUT_OK);
    TestRandom random = { 54 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        AbutShape* field = bake(ring, kind);
        for (int i = 0; i < 12; ++i)
        {
            AbutPose pose = abut_pose_at(3.0, 0.0, -2.0);
            pose.rotation = test_random_rotation(&random);
            // The lowest point of a ring whose axis is tilted.
            AbutVec3 axis = abut_quat_rotate(pose.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
            double lowest = -0.5 * sqrt(fmax(0.0, 1.0 - (double)axis.y * (double)axis.y)) - (double)0.15f;
            double gap = i % 3 == 0 ? 0.05 : (i % 3 == 1 ? 0.8 : 100.0);
            pose.position.y = gap - lowest;
            bool above = i % 2 == 0;
            Case self = { .input = abut_distance_input(above ? field : ground, above ? ground : field),
                          .truth = gap,
                          .size = 1.3 };
            *(above ? &self.input.pose_a : &self.input.pose_b) = pose;
            check(&self);
        }
        abut_shape_destroy(field);
    }
    abut_shape_destroy(ring);
    abut_shape_destroy(ground);
}

static void test_fields_that_overlap_say_so(void** state)
{
    (void)state;
    AbutShape *box = test_make_box(1.0f, 0.6f, 0.4f), *ball = test_make_sphere(0.3f);
    AbutShape *a = bake(box, 0), *b = bake(ball, 3);
    static const double positions[][3] = { { 0.0, 0.0, 0.0 }, { 0.6, 0.1, 0.0 }, { 0.0, 0.0, -0.4 } };
    for (int i = 0; i < 6; ++i)
    {
        AbutDistanceInput input = abut_distance_input(a, i % 2 == 0 ? b : ball);
        input.pose_b = abut_pose_at(positions[i / 2][0], positions[i / 2][1], positions[i / 2][2]);
        AbutDistanceOutput output = abut_distance(&input);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_true(output.low == 0.0f && output.high == 0.0f);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
}

static void test_bad_input_is_refused_and_a_small_budget_kept(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(0.3f), *field = bake(ball, 0);
    AbutDistanceInput input = abut_distance_input(field, field);
    input.pose_b = abut_pose_at(NAN, 0.0, 0.0);
    assert_int_equal(abut_distance(&input).state, ABUT_COLLIDE_INVALID);
    input.pose_b = abut_pose_at(1.0, 0.0, 0.0);
    input.tolerance = NAN;
    assert_int_equal(abut_distance(&input).state, ABUT_COLLIDE_INVALID);
    input.tolerance = 0.0f;
    input.pose_b.scale = 0.0f;
    assert_int_equal(abut_distance(&input).state, ABUT_COLLIDE_INVALID);
    input.pose_b = abut_pose_at(1.0, 0.5, 0.25);
    double truth = sqrt(1.0 + 0.25 + 0.0625) - 2.0 * (double)0.3f;
    for (uint32_t budget = 1; budget < 3000; budget = 2 * budget + 1)
    {
        input.budget = budget;
        AbutDistanceOutput output = abut_distance(&input);
        assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
        assert_true((double)output.low <= truth + 1e-6 && (double)output.high >= truth - 1e-6);
    }
    abut_shape_destroy(field);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_all_kinds_are_as_far_apart_as_they_are),
        cmocka_unit_test(test_fields_and_formulas_are_as_far_apart_as_they_are),
        cmocka_unit_test(test_a_field_in_the_hollow_of_another_has_a_distance),
        cmocka_unit_test(test_a_field_over_a_shape_without_end_has_a_distance),
        cmocka_unit_test(test_fields_that_overlap_say_so),
        cmocka_unit_test(test_bad_input_is_refused_and_a_small_budget_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
