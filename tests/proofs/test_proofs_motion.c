// Bounds of motions hold, and points that move never touch unseen: turning and far-away motions judged in
// quad precision.
#include "support/oracles/motion/near_motion.h"
#include "support/oracles/proofs.h"

#include <abut/points.h>

#include <math.h>

enum
{
    CASES = 12, // per kind
    POINTS = 8,
    SCAN = 48
};

static AbutToiInput sweep_input(const NearMotion* motion, const AbutShape* a, const AbutShape* b)
{
    AbutToiInput input = abut_toi_input(a, b);
    input.pose_a = motion->pair.poses[0];
    input.pose_b = motion->pair.poses[1];
    input.motion_a = motion->motions[0];
    input.motion_b = motion->motions[1];
    return input;
}

// -----------------------------------------------------------------------------------------------------------
// Margins and travel
// -----------------------------------------------------------------------------------------------------------

static void check_margin(const NearMotion* motion)
{
    AbutShape* a = exact_shape_create(&motion->pair.shapes[0]);
    AbutShape* b = exact_shape_create(&motion->pair.shapes[1]);
    AbutToiInput input = sweep_input(motion, a, b);
    float margin;
    test_assert_result(abut_toi_speculative_margin(&input, &margin), ABUT_OK);
    Exact time, start = near_motion_gap(motion, 0, NULL), least = near_motion_least(motion, 1, &time);
    if (start > 0 && isfinite(margin))
    {
        // Gaps that are not over 0 are no distances: what counts is that those further apart than the margin
        // do not touch.
        Exact nearer = start - (least > 0 ? least : 0);
        if (nearer > (Exact)margin * (Exact)input.pose_a.scale)
        {
            near_motion_print(motion);
            print_message("margin %a, but nearer by %a of %a\n", (double)margin,
                          (double)(nearer / (Exact)input.pose_a.scale), (double)start);
            fail();
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void check_travel(TestRandom* random, const NearMotion* motion)
{
    AbutShape* shape = exact_shape_create(&motion->pair.shapes[1]);
    AbutBox box = abut_shape_info(shape).bounds;
    abut_shape_destroy(shape);
    if (!abut_box_is_finite(box))
    {
        return;
    }
    float travel = abut_motion_max_displacement(&motion->pair.poses[1], &motion->motions[1], box);
    ExactFrame start = exact_frame(&motion->pair.poses[1]);
    for (int i = 0; i < 8; ++i)
    {
        ExactVec corner =
            exact_vec((Exact)(i & 1 ? box.max.x : box.min.x), (Exact)(i & 2 ? box.max.y : box.min.y),
                      (Exact)(i & 4 ? box.max.z : box.min.z));
        ExactFrame later = exact_frame_move(&start, &motion->motions[1], (Exact)test_random_unit(random));
        ExactVec moved = exact_subtract(exact_frame_apply(&later, corner), exact_frame_apply(&start, corner));
        assert_true(exact_length(moved) <= (Exact)travel);
    }
}

static void test_margins_and_travel_are_upper_bounds(void** state)
{
    (void)state;
    TestRandom random = proof_random(3);
    for (int a = ABUT_SHAPE_SPHERE; a <= ABUT_SHAPE_PLANE; ++a)
    {
        for (int b = ABUT_SHAPE_SPHERE; b <= ABUT_SHAPE_PLANE; ++b)
        {
            uint64_t count =
                exact_pair_is_known((AbutShapeKind)a, (AbutShapeKind)b) ? proof_case_count(1) : 0;
            for (uint64_t i = 0; i < count; ++i)
            {
                NearMotion motion = near_motion_make(&random, (AbutShapeKind)a, (AbutShapeKind)b,
                                                     (NearStyle)(i % NEAR_STYLE_COUNT));
                check_margin(&motion);
                check_travel(&random, &motion);
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

/// The least distance of a point of the first body to the second shape in [0, end], as far as a scan finds
/// it.
static Exact point_least(const NearMotion* motion, AbutVec3 point, Exact end)
{
    ExactFrame starts[2] = { exact_frame(&motion->pair.poses[0]), exact_frame(&motion->pair.poses[1]) };
    ExactVec own = exact_vec((Exact)point.x, (Exact)point.y, (Exact)point.z);
    Exact least = 0, center = end / 2, reach = end / 2;
    for (int level = 0; level < 6; ++level)
    {
        Exact best_time = center;
        for (int i = 0; i <= (level == 0 ? SCAN : 8); ++i)
        {
            Exact time = center + reach * (2 * (Exact)i / (level == 0 ? SCAN : 8) - 1);
            time = time < 0 ? 0 : time > end ? end : time;
            ExactFrame a = exact_frame_move(&starts[0], &motion->motions[0], time);
            ExactFrame b = exact_frame_move(&starts[1], &motion->motions[1], time);
            Exact distance = exact_distance(&motion->pair.shapes[1], &b, exact_frame_apply(&a, own));
            if ((level == 0 && i == 0) || distance < least)
            {
                least = distance;
                best_time = time;
            }
        }
        center = best_time;
        reach /= level == 0 ? SCAN / 2 : 4;
    }
    return least;
}

/// From the middle of the ball to where it is nearest to the other shape during the motion, in its own frame.
static AbutVec3 nearest_direction(const NearMotion* motion)
{
    Exact time;
    ExactVec direction;
    near_motion_least(motion, 1, &time);
    near_motion_gap(motion, time, &direction);
    ExactFrame start = exact_frame(&motion->pair.poses[0]);
    ExactFrame frame = exact_frame_move(&start, &motion->motions[0], time);
    float own[3];
    for (int i = 0; i < 3; ++i)
    {
        ExactVec axis = exact_vec(frame.rotation[0][i], frame.rotation[1][i], frame.rotation[2][i]);
        own[i] = (float)exact_dot(axis, direction);
    }
    return abut_vec3(own[0], own[1], own[2]);
}

/// Points of a ball: in its middle, where it is nearest to the other, and elsewhere on its surface.
static AbutPointSet* ball_points(TestRandom* random, const NearMotion* motion, float positions[3 * POINTS])
{
    AbutPointSet* out = NULL;
    float normals[3 * POINTS], radius = motion->pair.shapes[0].parameters[0];
    for (int i = 0; i < POINTS; ++i)
    {
        AbutVec3 d = i == 1 ? nearest_direction(motion) : test_random_direction(random);
        const float values[3] = { d.x, d.y, d.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            normals[3 * i + axis] = values[axis];
            positions[3 * i + axis] = i == 0 ? 0.0f : radius * values[axis];
        }
    }
    test_assert_result(abut_points_create(positions, normals, POINTS, NULL, &out), ABUT_OK);
    return out;
}

static void judge_points(const NearMotion* motion, const AbutToiOutput* output, const float* positions,
                         uint64_t* wrong)
{
    double end = output->state == ABUT_TOI_MISS ? 1.0 : (double)output->time;
    for (int i = 0; i < POINTS && end > 0.0; ++i)
    {
        AbutVec3 p = abut_vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
        double least = (double)point_least(motion, p, (Exact)end);
        if (least < -1e-24 * (1.0 + motion->pair.size))
        {
            if (++*wrong <= 3)
            {
                print_message("points: %s at %a, but point %d is %.3g (%.3g of the size) deep before\n",
                              abut_toi_state_name(output->state), (double)output->time, i, -least,
                              -least / motion->pair.size);
                near_motion_print(motion);
            }
            return;
        }
    }
}

static void test_points_that_move_are_never_late(void** state)
{
    (void)state;
    uint64_t wrong = 0, states[ABUT_TOI_STATE_COUNT] = { 0 };
    for (int kind = ABUT_SHAPE_SPHERE; kind <= ABUT_SHAPE_PLANE; ++kind)
    {
        TestRandom random = proof_random((uint64_t)kind);
        uint64_t count = proof_case_count(CASES);
        for (uint64_t i = 0; i < count; ++i)
        {
            NearMotion motion = near_motion_make(&random, ABUT_SHAPE_SPHERE, (AbutShapeKind)kind,
                                                 (NearStyle)(i % NEAR_STYLE_COUNT));
            float positions[3 * POINTS];
            AbutPointSet* points = ball_points(&random, &motion, positions);
            AbutShape* a = exact_shape_create(&motion.pair.shapes[0]);
            AbutShape* b = exact_shape_create(&motion.pair.shapes[1]);
            AbutToiInput input = sweep_input(&motion, a, b);
            input.settings.method = ABUT_TOI_POINTS;
            input.points_a = points;
            AbutToiOutput output = abut_time_of_impact(&input);
            ++states[output.state];
            judge_points(&motion, &output, positions, &wrong);
            abut_points_destroy(points);
            abut_shape_destroy(a);
            abut_shape_destroy(b);
        }
    }
    print_message("points: miss %d hit %d overlap %d budget %d invalid %d, wrong %d\n", (int)states[0],
                  (int)states[1], (int)states[2], (int)states[3], (int)states[4], (int)wrong);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margins_and_travel_are_upper_bounds),
        cmocka_unit_test(test_points_that_move_are_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
