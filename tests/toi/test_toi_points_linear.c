// Points on straight paths against segments: two independent ways to the same intervals.
#include "support/scenes/motion_scenes.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOTIONS = 12, // per scene
    TIMES = 100,
    CAPACITY = 4096,
    SEGMENT_CAPACITY = 32
};

/// Of positions and samples in float.
static const double ROUNDING = 2e-5;

/// Segments are looked for a few steps of float over the surface, which grazing ones meet earlier.
static const double SAME_END = 2e-4;

static uint64_t motion_count(void)
{
    return (uint64_t)test_count("ABUT_TEST_MOTIONS", 0) / 10 + MOTIONS;
}

typedef struct Tally
{
    uint64_t intervals, both, sweep_only, segment_only, ends, other_ends;
    double furthest; // of ends that are not the same
} Tally;

static AbutVec3 position_at(const TestMovingPoints* moving, uint32_t point, double time)
{
    double at[3];
    test_moving_point_at(moving, point, time, at);
    return abut_vec3((float)at[0], (float)at[1], (float)at[2]);
}

/// Ends that both have; others are where dips or gaps within the tolerance were left out.
static void compare_ends(const AbutPointInterval* sweep, int sweep_count, const AbutTimeInterval* segment,
                         int segment_count, Tally* tally)
{
    for (int i = 0; i < sweep_count; ++i)
    {
        const float ends[2] = { sweep[i].times.begin, sweep[i].times.end };
        for (int end = 0; end < 2; ++end)
        {
            double nearest = 1.0;
            for (int k = 0; k < segment_count; ++k)
            {
                double other = (double)(end == 0 ? segment[k].begin : segment[k].end);
                nearest = fmin(nearest, fabs(other - (double)ends[end]));
            }
            tally->ends += 1;
            tally->other_ends += nearest > SAME_END ? 1 : 0;
            tally->furthest = fmax(tally->furthest, nearest > SAME_END ? nearest : 0.0);
        }
    }
}

static void compare_point(const TestMovingPoints* moving, uint32_t point, const AbutPointInterval* sweep,
                          int sweep_count, double tolerance, Tally* tally)
{
    AbutCastSettings settings = abut_cast_settings();
    AbutTimeInterval segment[SEGMENT_CAPACITY];
    AbutCastOutput output = abut_cast_intervals(moving->shape, &settings, position_at(moving, point, 0.0),
                                                position_at(moving, point, 1.0), segment, SEGMENT_CAPACITY);
    assert_int_equal(output.interval_count, output.interval_total);
    for (int k = 0; k <= TIMES; ++k)
    {
        double time = (double)k / TIMES;
        bool in_sweep = false, in_segment = false;
        for (int i = 0; i < sweep_count; ++i)
        {
            in_sweep =
                in_sweep || (time >= (double)sweep[i].times.begin && time <= (double)sweep[i].times.end);
        }
        for (uint32_t i = 0; i < output.interval_count; ++i)
        {
            in_segment = in_segment || (time >= (double)segment[i].begin && time <= (double)segment[i].end);
        }
        double f = test_moving_point_distance(moving, point, time);
        tally->both += in_sweep && in_segment ? 1 : 0;
        tally->sweep_only += in_sweep && !in_segment && f > tolerance + ROUNDING ? 1 : 0;
        tally->segment_only += in_segment && !in_sweep && f < -tolerance - ROUNDING ? 1 : 0;
    }
    compare_ends(sweep, sweep_count, segment, (int)output.interval_count, tally);
}

static void run_motion(const TestScene* scene, uint64_t number, Tally* tally)
{
    static AbutPointInterval intervals[CAPACITY];
    TestRandom random = { 9000 + number };
    AbutToiInput input = test_scene_input(scene, &random);
    input.settings.tolerance = 1e-3f;
    double tolerance = (double)input.settings.tolerance + (double)abut_field_info(input.shape_a).error_bound;
    AbutToiOutput output = abut_toi_intervals(&input, intervals, CAPACITY);
    TestMovingPoints moving;
    int at = 0;
    assert_true(test_moving_points(&input, 1, &moving));
    for (uint32_t point = 0; point < moving.points.count; ++point)
    {
        int end = at;
        while (end < (int)output.interval_count && intervals[end].point == point)
        {
            end += 1;
        }
        compare_point(&moving, point, intervals + at, end - at, tolerance, tally);
        at = end;
    }
    tally->intervals += (uint64_t)output.interval_count;
}

static void check_scene(TestScene scene)
{
    Tally tally = { 0 };
    uint64_t count = motion_count();
    for (uint64_t i = 0; i < count; ++i)
    {
        run_motion(&scene, i, &tally);
    }
    print_message(
        "%s: %llu intervals in %llu motions; %llu times in both, %llu in the sweep's alone, %llu in the "
        "segments' alone; of %llu ends %llu are no segment's, by %.2g at most\n",
        scene.name, (unsigned long long)tally.intervals, (unsigned long long)count,
        (unsigned long long)tally.both, (unsigned long long)tally.sweep_only,
        (unsigned long long)tally.segment_only, (unsigned long long)tally.ends,
        (unsigned long long)tally.other_ends, tally.furthest);
    assert_true(tally.intervals > count);
    assert_int_equal(tally.sweep_only, 0);
    assert_int_equal(tally.segment_only, 0);
    // Every end is a crossing, which the segments have as well but for grazing ones.
    assert_true(tally.other_ends * 1000 <= tally.ends);
    test_scene_destroy(&scene);
}

static void test_straight_points_have_the_intervals_of_segments(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "dense",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, false, false), NULL },
                             .points = { NULL, test_box_points() },
                             .linear = true });
    check_scene((TestScene){ .name = "sparse",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, true, false), NULL },
                             .points = { NULL, test_box_points() },
                             .linear = true });
    check_scene((TestScene){ .name = "dense, first order",
                             .shapes = { test_ring_field(ABUT_FIELD_FIRST_ORDER, false, false), NULL },
                             .points = { NULL, test_box_points() },
                             .linear = true });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_points_have_the_intervals_of_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
