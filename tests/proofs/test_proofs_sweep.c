// Sweeps are never late and miss nothing: motions of primitives that come near to touching, of any scale and
// far from their origins, judged in quad precision.
#include "support/oracles/motion/sweep_proofs.h"
#include "support/oracles/proofs.h"

#include <stdio.h>

enum
{
    CASES = 2 // per pair of kinds and style
};

static uint64_t run_pair(AbutShapeKind a, AbutShapeKind b, NearStyle style)
{
    SweepTally tally = { 0 };
    TestRandom random = proof_random(1000u * (uint64_t)a + 10u * (uint64_t)b + (uint64_t)style);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearMotion motion = near_motion_make(&random, a, b, style);
        AbutShape* shape_a = exact_shape_create(&motion.pair.shapes[0]);
        AbutShape* shape_b = exact_shape_create(&motion.pair.shapes[1]);
        AbutToiInput input = abut_toi_input(shape_a, shape_b);
        double size = motion.pair.size / (double)motion.pair.poses[0].scale;
        input.settings.tolerance = i % 2 == 0 ? 0.0f : (float)(1e-6 * size);
        input.settings.budget = 1u << 13;
        sweep_proof_judge(&tally, &motion, &input);
        abut_shape_destroy(shape_a);
        abut_shape_destroy(shape_b);
    }
    char text[64];
    snprintf(text, sizeof(text), "sweep %s %s-%s", near_style_name(style), abut_shape_kind_name(a),
             abut_shape_kind_name(b));
    sweep_proof_print(&tally, text);
    return sweep_proof_false_count(&tally);
}

static void run_style(NearStyle style)
{
    uint64_t wrong = 0;
    for (int a = ABUT_SHAPE_SPHERE; a <= ABUT_SHAPE_PLANE; ++a)
    {
        for (int b = ABUT_SHAPE_SPHERE; b <= ABUT_SHAPE_PLANE; ++b)
        {
            if (exact_pair_is_known((AbutShapeKind)a, (AbutShapeKind)b))
            {
                wrong += run_pair((AbutShapeKind)a, (AbutShapeKind)b, style);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_sweeps_of_equal_size_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_EQUAL);
}

static void test_sweeps_of_any_scale_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_SCALES);
}

static void test_sweeps_far_away_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_FAR);
}

static void test_sweeps_of_extreme_lengths_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_EXTREME);
}

static void test_sweeps_of_coincidences_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_LATTICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_of_equal_size_are_answered_truly),
        cmocka_unit_test(test_sweeps_of_any_scale_are_answered_truly),
        cmocka_unit_test(test_sweeps_far_away_are_answered_truly),
        cmocka_unit_test(test_sweeps_of_extreme_lengths_are_answered_truly),
        cmocka_unit_test(test_sweeps_of_coincidences_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
