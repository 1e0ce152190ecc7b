// Moving points against shapes and fields: never late, never missed, against an oracle that is dense in time.
#include "support/oracles/motion/motion_oracle.h"
#include "support/scenes/motion_scenes.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOTIONS = 60, // per scene
    TIMES = 300   // of the oracle
};

/// Motions per scene: `make soak` sets ABUT_TEST_MOTIONS to many more.
static uint64_t motion_count(void)
{
    return (uint64_t)test_count("ABUT_TEST_MOTIONS", MOTIONS);
}

/// The first time of the oracle at which a point of either side is in the other solid; over 1 for none.
static double oracle_first(const AbutToiInput* input)
{
    TestMovingPoints moving[2];
    bool has[2] = { test_moving_points(input, 0, &moving[0]), test_moving_points(input, 1, &moving[1]) };
    for (int k = 0; k <= TIMES; ++k)
    {
        for (int side = 0; side < 2; ++side)
        {
            uint32_t point;
            if (has[side] && test_moving_points_least(&moving[side], (double)k / TIMES, &point) <= 0.0)
            {
                return (double)k / TIMES;
            }
        }
    }
    return 2.0;
}

/// When the points touch first, between two times of the oracle, as bisection finds it.
static double refined(const AbutToiInput* input, double at)
{
    double low = fmax(0.0, at - 1.0 / TIMES), high = at;
    for (int round = 0; round < 24 && at > 0.0; ++round)
    {
        double middle = 0.5 * (low + high);
        bool inside = false;
        for (int side = 0; side < 2; ++side)
        {
            TestMovingPoints moving;
            uint32_t point;
            inside = inside || (test_moving_points(input, side, &moving) &&
                                test_moving_points_least(&moving, middle, &point) <= 0.0);
        }
        low = inside ? low : middle;
        high = inside ? middle : high;
    }
    return high;
}

/// The least distance at a time over both sides, in A's units.
static double least_at(const AbutToiInput* input, double time)
{
    double least = INFINITY;
    for (int side = 0; side < 2; ++side)
    {
        TestMovingPoints moving;
        uint32_t point;
        double unit = side == 0 ? (double)(input->pose_b.scale / input->pose_a.scale) : 1.0;
        if (test_moving_points(input, side, &moving))
        {
            least = fmin(least, unit * test_moving_points_least(&moving, time, &point));
        }
    }
    return least;
}

typedef struct Tally
{
    uint64_t touching, hits, misses, overlaps, proved, missed, late, wrong;
    double early, earliest, evaluations;
} Tally;

/// What an answer claims beside its time.
static bool claims_hold(const AbutToiInput* input, const AbutToiOutput* output)
{
    const double rounding = 2e-5;
    if (output->touch_proved &&
        (least_at(input, output->touch_time) > rounding || output->touch_time < output->time))
    {
        return false;
    }
    switch (output->state)
    {
    case ABUT_TOI_MISS:
        return output->time == 1.0f && !output->touch_proved;
    case ABUT_TOI_OVERLAP:
        return output->time == 0.0f && output->touch_proved;
    case ABUT_TOI_HIT:
        return least_at(input, output->time) <= (double)output->gap + rounding;
    default:
        return false;
    }
}

static void run_motion(const TestScene* scene, uint64_t number, Tally* tally)
{
    TestRandom random = { 1000 + number };
    AbutToiInput input = test_scene_input(scene, &random);
    AbutToiOutput output = abut_time_of_impact(&input);
    double truth = oracle_first(&input);
    tally->hits += output.state == ABUT_TOI_HIT ? 1 : 0;
    tally->misses += output.state == ABUT_TOI_MISS ? 1 : 0;
    tally->overlaps += output.state == ABUT_TOI_OVERLAP ? 1 : 0;
    tally->proved += output.state == ABUT_TOI_HIT && output.touch_proved ? 1 : 0;
    tally->missed += truth <= 1.0 && output.state == ABUT_TOI_MISS ? 1 : 0;
    tally->wrong += claims_hold(&input, &output) ? 0 : 1;
    tally->evaluations += (double)output.evaluations;
    if (truth <= 1.0)
    {
        double exact = refined(&input, truth);
        tally->touching += 1;
        tally->late += (double)output.time > exact ? 1 : 0;
        // Touches that are shorter than the steps of the oracle are found here, and proved.
        double known = output.touch_proved ? fmin(exact, (double)output.touch_time) : exact;
        tally->early += known - (double)output.time;
        tally->earliest = fmax(tally->earliest, known - (double)output.time);
    }
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
        "%s: of %llu motions %llu touch (%llu at the start); %llu hits (%llu proved), %llu misses; %llu "
        "missed, "
        "%llu late; early by %.2g, at most %.2g; %.0f samples\n",
        scene.name, (unsigned long long)count, (unsigned long long)tally.touching,
        (unsigned long long)tally.overlaps, (unsigned long long)tally.hits, (unsigned long long)tally.proved,
        (unsigned long long)tally.misses, (unsigned long long)tally.missed, (unsigned long long)tally.late,
        tally.early / (double)(tally.touching + 1), tally.earliest, tally.evaluations / (double)count);
    assert_int_equal(tally.missed, 0);
    assert_int_equal(tally.late, 0);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.touching > count / 10 && tally.misses > count / 10);
    test_scene_destroy(&scene);
}

static void test_points_of_both_bodies_are_never_late_on_exact_shapes(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "torus and box",
                             .shapes = { test_torus_shape(), test_box_shape() },
                             .points = { test_vertices_of(test_ring_mesh()), test_box_points() } });
}

static void test_points_are_never_late_on_dense_fields(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "dense field",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, false, false), NULL },
                             .points = { NULL, test_box_points() } });
}

static void test_points_are_never_late_on_sparse_fields_of_first_order(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "sparse field of first order",
                             .shapes = { NULL, test_ring_field(ABUT_FIELD_FIRST_ORDER, true, false) },
                             .points = { test_box_points(), NULL } });
}

static void test_points_are_never_late_on_fields_with_signs_in_doubt(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "open mesh, sparse",
                             .shapes = { test_ring_field(ABUT_FIELD_F16, true, true), NULL },
                             .points = { NULL, test_box_points() } });
    check_scene((TestScene){ .name = "open mesh, dense",
                             .shapes = { test_ring_field(ABUT_FIELD_F32, false, true), NULL },
                             .points = { NULL, test_box_points() } });
}

static void test_straight_paths_are_never_late(void** state)
{
    (void)state;
    check_scene((TestScene){ .name = "straight",
                             .shapes = { test_torus_shape(), test_ring_field(ABUT_FIELD_F32, false, false) },
                             .points = { test_vertices_of(test_ring_mesh()), test_box_points() },
                             .linear = true });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_both_bodies_are_never_late_on_exact_shapes),
        cmocka_unit_test(test_points_are_never_late_on_dense_fields),
        cmocka_unit_test(test_points_are_never_late_on_sparse_fields_of_first_order),
        cmocka_unit_test(test_points_are_never_late_on_fields_with_signs_in_doubt),
        cmocka_unit_test(test_straight_paths_are_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
