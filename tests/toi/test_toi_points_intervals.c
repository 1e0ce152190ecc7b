// While moving points are in a solid, against an oracle that is dense in time.
#include "support/scenes/motion_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOTIONS = 25, // per scene
    TIMES = 250,  // of the oracle
    CAPACITY = 4096
};

/// Of positions and samples in float.
static const double ROUNDING = 2e-5;

static uint64_t motion_count(void)
{
    return (uint64_t)test_count("ABUT_TEST_MOTIONS", 0) / 10 + MOTIONS;
}

typedef struct Tally
{
    uint64_t intervals, inside, missed, made_up, blunt;
    double evaluations;
} Tally;

static bool is_in(const AbutPointInterval* intervals, int count, double time)
{
    for (int i = 0; i < count; ++i)
    {
        if (time >= (double)intervals[i].times.begin && time <= (double)intervals[i].times.end)
        {
            return true;
        }
    }
    return false;
}

/// The intervals of one point say what the oracle does, but for what is shallower than the tolerance.
static void check_point(const TestMovingPoints* moving, uint32_t point, const AbutPointInterval* intervals,
                        int count, double tolerance, Tally* tally)
{
    for (int k = 0; k <= TIMES; ++k)
    {
        double time = (double)k / TIMES, f = test_moving_point_distance(moving, point, time);
        bool in = is_in(intervals, count, time);
        tally->inside += in ? 1 : 0;
        tally->missed += f < -tolerance - ROUNDING && !in ? 1 : 0;
        tally->made_up += f > tolerance + ROUNDING && in ? 1 : 0;
    }
    for (int i = 0; i < count; ++i)
    {
        float ends[2] = { intervals[i].times.begin, intervals[i].times.end };
        for (int end = 0; end < 2; ++end)
        {
            double f = test_moving_point_distance(moving, point, ends[end]);
            tally->blunt += ends[end] > 0.0f && ends[end] < 1.0f && fabs(f) > ROUNDING ? 1 : 0;
        }
    }
}

/// Sorted by side, point and time, and merged.
static void check_order(const AbutPointInterval* intervals, int count)
{
    for (int i = 0; i < count; ++i)
    {
        AbutTimeInterval times = intervals[i].times;
        assert_true(times.begin >= 0.0f && times.begin <= times.end && times.end <= 1.0f);
        if (i > 0)
        {
            const AbutPointInterval *a = &intervals[i - 1], *b = &intervals[i];
            assert_true(a->side < b->side ||
                        (a->side == b->side &&
                         (a->point < b->point || (a->point == b->point && a->times.end < b->times.begin))));
        }
    }
}

/// Tolerance in the units of the shape that a side's points move against.
static double side_tolerance(const AbutToiInput* input, int side)
{
    const AbutShape* shape = side == 1 ? input->shape_a : input->shape_b;
    double unit = side == 1 ? 1.0 : (double)input->pose_b.scale / (double)input->pose_a.scale;
    double error = abut_shape_is_field(shape) ? (double)abut_field_info(shape).error_bound : 0.0;
    return (double)input->settings.tolerance / unit + (isfinite(error) ? error : 0.0);
}

static void run_motion(const TestScene* scene, uint64_t number, Tally* tally)
{
    static AbutPointInterval intervals[CAPACITY];
    TestRandom random = { 5000 + number };
    AbutToiInput input = test_scene_input(scene, &random);
    input.settings.tolerance = 2e-3f;
    AbutToiOutput output = abut_toi_intervals(&input, intervals, CAPACITY),
                  first = abut_time_of_impact(&input);
    assert_int_equal(output.state, first.state);
    assert_true(output.time == first.time && output.interval_count == output.interval_total);
    check_order(intervals, (int)output.interval_count);
    tally->intervals += (uint64_t)output.interval_count;
    tally->evaluations += (double)output.evaluations;
    int at = 0;
    for (int side = 0; side < 2; ++side)
    {
        TestMovingPoints moving;
        for (uint32_t point = 0; test_moving_points(&input, side, &moving) && point < moving.points.count;
             ++point)
        {
            int end = at;
            while (end < (int)output.interval_count && intervals[end].point == point &&
                   intervals[end].side == side)
            {
                assert_true(intervals[end].times.begin >= output.time);
                end += 1;
            }
            check_point(&moving, point, intervals + at, end - at, side_tolerance(&input, side), tally);
            at = end;
        }
    }
    assert_int_equal(at, output.interval_count);
}

static void check_scene(TestScene scene, bool jumps)
{
    Tally tally = { 0 };
    uint64_t count = motion_count();
    for (uint64_t i = 0; i < count; ++i)
    {
        run_motion(&scene, i, &tally);
    }
    print_message("%s: %llu intervals in %llu motions; %llu times missed, %llu made up, %llu blunt ends; "
                  "%.0f samples\n",
                  scene.name, (unsigned long long)tally.intervals, (unsigned long long)count,
                  (unsigned long long)tally.missed, (unsigned long long)tally.made_up,
                  (unsigned long long)tally.blunt, tally.evaluations / (double)count);
    assert_true(tally.intervals > count);
    assert_int_equal(tally.missed, 0);
    assert_int_equal(tally.made_up, 0);
    assert_true(jumps || tally.blunt == 0);
    test_scene_destroy(&scene);
}

static void test_intervals_of_both_bodies_are_those_of_the_oracle(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "torus and box",
                             .shapes = { test_torus_shape(), test_box_shape() },
                             .points = { test_vertices_of(test_ring_mesh()), test_box_points() } },
                false);
}

static void test_intervals_in_fields_are_those_of_the_oracle(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "dense field",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, false, false), NULL },
                             .points = { NULL, test_box_points() } },
                false);
    check_scene((TestScene){ .name = "sparse field of first order",
                             .shapes = { NULL, test_ring_field(ABUT_FIELD_FIRST_ORDER, true, false) },
                             .points = { test_box_points(), NULL } },
                true);
    check_scene((TestScene){ .name = "sparse field of halves",
                             .shapes = { test_ring_field(ABUT_FIELD_F16, true, false), NULL },
                             .points = { NULL, test_box_points() } },
                true);
    check_scene((TestScene){ .name = "open mesh",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, false, true), NULL },
                             .points = { NULL, test_box_points() } },
                true);
}

static void test_intervals_of_straight_paths_are_those_of_the_oracle(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "straight",
                             .shapes = { test_torus_shape(), test_ring_field(ABUT_FIELD_F32, false, false) },
                             .points = { test_vertices_of(test_ring_mesh()), test_box_points() },
                             .linear = true },
                false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_of_both_bodies_are_those_of_the_oracle),
        cmocka_unit_test(test_intervals_in_fields_are_those_of_the_oracle),
        cmocka_unit_test(test_intervals_of_straight_paths_are_those_of_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
