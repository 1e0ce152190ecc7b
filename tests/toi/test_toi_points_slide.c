// Points that slide along a surface for a whole step: a defined answer within the tolerance, whatever the
// height.
#include "support/scenes/motion_scenes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 8, // points along a side of the plate
    POINTS = SIDE * SIDE,
    CAPACITY = 1 << 16,
    TIMES = 100
};

/// Of positions and samples in float, with coordinates up to 10.
static const double ROUNDING = 4e-5;

static AbutPointSet* create_plate(void)
{
    float positions[3 * POINTS];
    AbutPointSet* points = NULL;
    for (int i = 0; i < POINTS; ++i)
    {
        positions[3 * i] = (float)(i % SIDE) / (float)SIDE;
        positions[3 * i + 1] = 0.0f;
        positions[3 * i + 2] = (float)(i / SIDE) / (float)SIDE;
    }
    test_assert_result(abut_points_create(positions, NULL, POINTS, NULL, &points), ABUT_OK);
    return points;
}

static AbutShape* create_wall(bool is_field)
{
    AbutShape *box = NULL, *field = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(12.0f, 1.0f, 3.0f), NULL, &box), ABUT_OK);
    if (!is_field)
    {
        return box;
    }
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;
    test_assert_result(abut_bake_shape(&def, box, &field), ABUT_OK);
    abut_shape_destroy(box);
    return field;
}

static AbutToiInput slide_input(const AbutShape* wall, const AbutPointSet* plate, double height)
{
    AbutToiInput input = abut_toi_input(wall, NULL);
    input.points_b = plate;
    input.settings.method = ABUT_TOI_POINTS;
    input.settings.tolerance = 1e-3f;
    input.pose_b = abut_pose_at(-5.0, 0.5 + height, -0.5);
    input.motion_b.linear = abut_vec3(9.0f, 0.0f, 0.0f);
    return input;
}

typedef struct Slide
{
    AbutToiOutput output;
    uint64_t missed, made_up;
} Slide;

/// What is deeper than the tolerance is in an interval, and what is higher than it, or than the slack, is in
/// none.
static Slide run_slide(const AbutToiInput* input, double height)
{
    static AbutPointInterval intervals[CAPACITY];
    bool is_field = abut_shape_is_field(input->shape_a);
    double error = is_field ? (double)abut_field_info(input->shape_a).error_bound : 0.0;
    Slide slide = { .output = abut_toi_intervals(input, intervals, CAPACITY) };
    double tolerance = (double)input->settings.tolerance + error + ROUNDING;
    double most = fmax(tolerance, (double)slide.output.slack + ROUNDING);
    TestMovingPoints moving;
    assert_true(test_moving_points(input, 1, &moving));
    assert_int_equal(slide.output.interval_count, slide.output.interval_total);
    int at = 0;
    for (uint32_t point = 0; point < POINTS; ++point)
    {
        int end = at;
        while (end < (int)slide.output.interval_count && intervals[end].point == point)
        {
            end += 1;
        }
        for (int k = 0; k <= TIMES; ++k)
        {
            double time = (double)k / TIMES, f = test_moving_point_distance(&moving, point, time);
            bool in = false;
            for (int i = at; i < end; ++i)
            {
                in = in ||
                     (time >= (double)intervals[i].times.begin && time <= (double)intervals[i].times.end);
            }
            slide.missed += f < -tolerance && !in ? 1 : 0;
            slide.made_up += f > most && in ? 1 : 0;
        }
        at = end;
    }
    print_message(
        "%s at %+.2e: %s, %d intervals of %d points, slack %.2g, %llu samples; %llu missed, %llu made up\n",
        is_field ? "field" : "box", height, abut_toi_state_name(slide.output.state),
        slide.output.interval_total, POINTS, (double)slide.output.slack,
        (unsigned long long)slide.output.evaluations, (unsigned long long)slide.missed,
        (unsigned long long)slide.made_up);
    return slide;
}

static const double heights[] = { 0.0,  1e-7,  -1e-7, 3e-6,  -3e-6, 1e-4, -1e-4,
                                  9e-4, -9e-4, 3e-3,  -3e-3, 0.2,   -0.2 };

static void check_heights(bool is_field)
{
    AbutShape* wall = create_wall(is_field);
    AbutPointSet* plate = create_plate();
    for (size_t i = 0; i < sizeof(heights) / sizeof(heights[0]); ++i)
    {
        AbutToiInput input = slide_input(wall, plate, heights[i]);
        Slide slide = run_slide(&input, heights[i]);
        assert_int_not_equal(slide.output.state, ABUT_TOI_BUDGET);
        assert_int_not_equal(slide.output.state, ABUT_TOI_INVALID);
        assert_int_equal(slide.missed, 0);
        assert_int_equal(slide.made_up, 0);
        assert_true(slide.output.interval_total <= POINTS);
        assert_true(heights[i] > 0.0 || slide.output.interval_total == POINTS);
        assert_true(heights[i] < 0.1 || slide.output.state == ABUT_TOI_MISS);
    }
    abut_points_destroy(plate);
    abut_shape_destroy(wall);
}

static void test_points_that_slide_along_a_wall_have_one_interval_at_most(void** state)
{
    (void)state;
    check_heights(false);
}

static void test_points_that_slide_along_a_field_have_one_interval_at_most(void** state)
{
    (void)state;
    check_heights(true);
}

/// The first touch cannot tell them from touching; intervals say that they do not get in. Neither claims more
/// than it knows.
static void
test_points_that_slide_over_a_field_within_the_tolerance_hit_without_proof_or_interval(void** state)
{
    (void)state;
    AbutShape* wall = create_wall(true);
    AbutPointSet* plate = create_plate();
    const double above[] = { 1e-4, 9e-4, 3e-3 };
    for (size_t i = 0; i < sizeof(above) / sizeof(above[0]); ++i)
    {
        AbutToiInput input = slide_input(wall, plate, above[i]);
        Slide slide = run_slide(&input, above[i]);
        double near = (double)input.settings.tolerance + (double)abut_field_info(wall).error_bound;
        assert_int_equal(slide.output.state, ABUT_TOI_HIT);
        assert_false(slide.output.touch_proved);
        assert_true((double)slide.output.gap <= near + ROUNDING);
        assert_int_equal(slide.output.interval_total, 0);
    }
    abut_points_destroy(plate);
    abut_shape_destroy(wall);
}

static void test_slides_with_few_samples_are_wide_but_miss_nothing(void** state)
{
    (void)state;
    AbutShape* wall = create_wall(false);
    AbutPointSet* plate = create_plate();
    const double depths[] = { 0.0, -1e-4, -2e-3, -0.02, 2e-3 };
    for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); ++i)
    {
        AbutToiInput input = slide_input(wall, plate, depths[i]);
        input.settings.budget = 30000;
        Slide slide = run_slide(&input, depths[i]);
        assert_int_equal(slide.missed, 0);
        assert_int_equal(slide.made_up, 0);
        assert_int_not_equal(slide.output.state, ABUT_TOI_BUDGET);
    }
    abut_points_destroy(plate);
    abut_shape_destroy(wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_that_slide_along_a_wall_have_one_interval_at_most),
        cmocka_unit_test(test_points_that_slide_along_a_field_have_one_interval_at_most),
        cmocka_unit_test(
            test_points_that_slide_over_a_field_within_the_tolerance_hit_without_proof_or_interval),
        cmocka_unit_test(test_slides_with_few_samples_are_wide_but_miss_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
