// States and gaps that are called proved are true: pairs of primitives near touching, of any scale and far
// from their origins, judged in quad precision.
#include "support/oracles/proofs.h"

#include <stdio.h>

enum
{
    CASES = 48 // per pair of kinds and style
};

static void ask(ProofTally* collide, ProofTally* distance, const NearPair* pair, uint64_t number)
{
    AbutShape* shape_a = exact_shape_create(&pair->shapes[0]);
    AbutShape* shape_b = exact_shape_create(&pair->shapes[1]);
    AbutCollideInput input = abut_collide_input(shape_a, shape_b);
    double size = pair->size / (double)pair->poses[0].scale;
    input.pose_a = pair->poses[0];
    input.pose_b = pair->poses[1];
    input.settings.tolerance = number % 4 == 0 ? 0.0f : (float)(1e-9 * size); // rounding alone
    input.settings.budget = number % 16 < 4 ? 1u << 12 : 1u << 8;
    proof_judge_collide(collide, pair, &input);
    if (number % 8 < 2)
    {
        AbutDistanceInput asked = abut_distance_input(shape_a, shape_b);
        asked.pose_a = input.pose_a;
        asked.pose_b = input.pose_b;
        asked.tolerance = number % 8 == 0 ? 0.0f : (float)(1e-5 * size);
        asked.budget = 1u << 10;
        proof_judge_distance(distance, pair, &asked);
    }
    abut_shape_destroy(shape_a);
    abut_shape_destroy(shape_b);
}

static void run_pair(AbutShapeKind a, AbutShapeKind b, NearStyle style, ProofTally* all)
{
    ProofTally collide = { 0 }, distance = { 0 };
    TestRandom random = proof_random(1000u * (uint64_t)a + 10u * (uint64_t)b + (uint64_t)style);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair pair = near_pair_make(&random, a, b, style);
        ask(&collide, &distance, &pair, i);
    }
    char text[64];
    snprintf(text, sizeof(text), "collide %s %s-%s", near_style_name(style), abut_shape_kind_name(a),
             abut_shape_kind_name(b));
    proof_print(&collide, text);
    snprintf(text, sizeof(text), "distance %s %s-%s", near_style_name(style), abut_shape_kind_name(a),
             abut_shape_kind_name(b));
    proof_print(&distance, text);
    proof_add(all, &collide);
    proof_add(all, &distance);
}

static void run_style(NearStyle style)
{
    ProofTally all = { 0 };
    for (int a = ABUT_SHAPE_SPHERE; a <= ABUT_SHAPE_PLANE; ++a)
    {
        for (int b = ABUT_SHAPE_SPHERE; b <= ABUT_SHAPE_PLANE; ++b)
        {
            if (exact_pair_is_known((AbutShapeKind)a, (AbutShapeKind)b))
            {
                run_pair((AbutShapeKind)a, (AbutShapeKind)b, style, &all);
            }
        }
    }
    proof_print(&all, near_style_name(style));
    assert_int_equal(proof_false_count(&all), 0);
    proof_check_close(&all, near_style_name(style));
}

static void test_pairs_of_equal_size_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_EQUAL);
}

static void test_pairs_of_any_scale_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_SCALES);
}

static void test_pairs_far_away_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_FAR);
}

static void test_pairs_of_extreme_lengths_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_EXTREME);
}

static void test_pairs_apart_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_APART);
}

static void test_coincidences_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_LATTICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_equal_size_are_answered_truly),
        cmocka_unit_test(test_pairs_of_any_scale_are_answered_truly),
        cmocka_unit_test(test_pairs_far_away_are_answered_truly),
        cmocka_unit_test(test_pairs_of_extreme_lengths_are_answered_truly),
        cmocka_unit_test(test_pairs_apart_are_answered_truly),
        cmocka_unit_test(test_coincidences_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
