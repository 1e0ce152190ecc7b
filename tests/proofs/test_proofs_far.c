// Ten kilometres away: balls on planes and on wide ground, and millimetre parts, are told apart, and the
// uncertainty is small and printed.
#include "support/oracles/proofs.h"

#include <math.h>

enum
{
    CASES = 60
};

/// States and the largest uncertainty over random orientations.
typedef struct FarTally
{
    ProofTally proofs;
    double uncertainty;
} FarTally;

static NearPair make_pair(const ExactShape* a, AbutPose pose_a, const ExactShape* b, AbutPose pose_b)
{
    NearPair pair = { .shapes = { *a, *b }, .poses = { pose_a, pose_b } };
    ExactFrame frames[2] = { exact_frame(&pose_a), exact_frame(&pose_b) };
    double size_a = exact_shape_size(a), size_b = exact_shape_size(b);
    pair.size = size_b > 0.0 ? fmin(size_a, size_b) : size_a;
    pair.gap = exact_gap(a, &frames[0], b, &frames[1], NULL);
    return pair;
}

static void ask(FarTally* tally, const NearPair* pair, float tolerance)
{
    AbutShape* shapes[2] = { exact_shape_create(&pair->shapes[0]), exact_shape_create(&pair->shapes[1]) };
    AbutCollideInput input = abut_collide_input(shapes[0], shapes[1]);
    input.pose_a = pair->poses[0];
    input.pose_b = pair->poses[1];
    input.settings.tolerance = tolerance;
    input.settings.budget = 1u << 14;
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    proof_judge_output(&tally->proofs, pair, 1.0f, &output, "collide");
    tally->uncertainty = fmax(tally->uncertainty, (double)output.uncertainty);
    AbutDistanceInput distance = abut_distance_input(shapes[0], shapes[1]);
    distance.pose_a = pair->poses[0];
    distance.pose_b = pair->poses[1];
    ProofTally asked = { 0 };
    proof_judge_distance(&asked, pair, &distance);
    assert_int_equal(proof_false_count(&asked), 0);
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
}

/// A ball `depth` deep in ground whose surface is at `level`, `far` from its origin along x and z, in random
/// orientations.
static FarTally drop_ball(float radius, const ExactShape* ground, double level, double far, double depth,
                          float tolerance)
{
    FarTally tally = { { 0 }, 0.0 };
    TestRandom random = proof_random(5);
    ExactShape ball = { ABUT_SHAPE_SPHERE, { radius } };
    for (int i = 0; i < TEST_ROUNDS(CASES); ++i)
    {
        AbutPose pose = abut_pose_at(far, level + (double)radius - depth, far);
        pose.rotation = test_random_rotation(&random);
        NearPair pair = make_pair(&ball, pose, ground, abut_pose_identity());
        ask(&tally, &pair, tolerance);
    }
    return tally;
}

static void check_ball(float radius, const ExactShape* ground, double level, double far)
{
    const double depths[6] = { 1e-4, 3e-5, 1e-6, -1e-6, -3e-5, -3e-4 };
    for (int i = 0; i < 6; ++i)
    {
        FarTally tally = drop_ball(radius, ground, level, far, depths[i], 1e-7f);
        const uint64_t* states = tally.proofs.states;
        print_message(
            "ball of %g m, %g m %s the %s, %g m from its origin: separated %d, contact %d, close %d, "
            "budget %d; uncertainty %.3g m\n",
            (double)radius, fabs(depths[i]), depths[i] > 0.0 ? "deep in" : "above",
            abut_shape_kind_name(ground->kind), far, (int)states[ABUT_COLLIDE_SEPARATED],
            (int)states[ABUT_COLLIDE_CONTACT], (int)states[ABUT_COLLIDE_CLOSE],
            (int)states[ABUT_COLLIDE_BUDGET], tally.uncertainty);
        assert_int_equal(proof_false_count(&tally.proofs), 0);
        assert_true(tally.uncertainty < 1e-4 * (double)radius);
        if (fabs(depths[i]) > 2.0 * tally.uncertainty)
        {
            assert_int_equal(states[ABUT_COLLIDE_CLOSE], 0);
        }
    }
}

static void test_balls_on_planes_are_answered_truly_ten_kilometres_away(void** state)
{
    (void)state;
    const ExactShape plane = { ABUT_SHAPE_PLANE, { 0.0f, 1.0f, 0.0f, 0.0f } };
    check_ball(0.1f, &plane, 0.0, 0.0);
    check_ball(0.1f, &plane, 0.0, 10000.0);
}

static void test_balls_on_wide_ground_are_answered_truly_ten_kilometres_away(void** state)
{
    (void)state;
    const ExactShape ground = { ABUT_SHAPE_BOX, { 20480.0f, 1.0f, 20480.0f, 0.0f } };
    check_ball(0.5f, &ground, 0.5, 100.0);
    check_ball(0.5f, &ground, 0.5, 10000.0);
}

/// Two parts in random orientations, `far` from the world's origin along each axis, with a gap or an overlap
/// of 1e-8 to 1e-4 m.
static NearPair far_solids(TestRandom* random, const ExactShape* a, const ExactShape* b, double far)
{
    AbutPose poses[2] = { abut_pose_at(far, far, -far), abut_pose_at(far, far, -far) };
    AbutVec3 d = test_random_direction(random);
    poses[0].rotation = test_random_rotation(random);
    poses[1].rotation = test_random_rotation(random);
    poses[1].position.x += 0.01 * (double)d.x;
    poses[1].position.y += 0.01 * (double)d.y;
    poses[1].position.z += 0.01 * (double)d.z;
    ExactFrame frames[2] = { exact_frame(&poses[0]), exact_frame(&poses[1]) };
    ExactVec direction;
    Exact gap = exact_gap(a, &frames[0], b, &frames[1], &direction);
    double target = pow(10.0, test_random_range(random, -8.0, -4.0));
    target = test_random_unit(random) < 0.5 ? target : -target;
    ExactVec at = exact_add(frames[1].position, exact_scale(direction, (Exact)target - gap));
    poses[1].position = (AbutPosition){ (double)at.x[0], (double)at.x[1], (double)at.x[2] };
    return make_pair(a, poses[0], b, poses[1]);
}

static void test_millimetre_solids_are_told_apart_ten_kilometres_away(void** state)
{
    (void)state;
    const ExactShape solids[4] = { { ABUT_SHAPE_BOX, { 1e-3f, 2e-3f, 1.5e-3f, 0.0f } },
                                   { ABUT_SHAPE_SPHERE, { 1e-3f } },
                                   { ABUT_SHAPE_CAPSULE, { 4e-4f, 2e-3f } },
                                   { ABUT_SHAPE_ROUNDED_BOX, { 1e-3f, 1e-3f, 2e-3f, 1e-4f } } };
    const double distances[3] = { 0.0, 10000.0, 1e6 };
    for (int k = 0; k < 3; ++k)
    {
        FarTally tally = { { 0 }, 0.0 };
        TestRandom random = proof_random(9);
        for (int i = 0; i < 2 * TEST_ROUNDS(CASES); ++i)
        {
            NearPair pair = far_solids(&random, &solids[i % 4], &solids[(i / 4) % 4], distances[k]);
            ask(&tally, &pair, 1e-9f);
        }
        const uint64_t* states = tally.proofs.states;
        print_message("millimetre parts %g m from the world's origin: separated %d, contact %d, close %d, "
                      "budget %d; uncertainty %.3g m\n",
                      distances[k], (int)states[ABUT_COLLIDE_SEPARATED], (int)states[ABUT_COLLIDE_CONTACT],
                      (int)states[ABUT_COLLIDE_CLOSE], (int)states[ABUT_COLLIDE_BUDGET], tally.uncertainty);
        assert_int_equal(proof_false_count(&tally.proofs), 0);
        assert_true(tally.uncertainty < 1e-7);
        assert_true(states[ABUT_COLLIDE_CLOSE] < tally.proofs.count / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_on_planes_are_answered_truly_ten_kilometres_away),
        cmocka_unit_test(test_balls_on_wide_ground_are_answered_truly_ten_kilometres_away),
        cmocka_unit_test(test_millimetre_solids_are_told_apart_ten_kilometres_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
