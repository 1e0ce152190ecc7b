// Overlaps of worlds are answered truly: bodies far from the world's origin, judged in quad precision.
#include "support/oracles/proofs.h"

#include <abut/dynamics.h>

#include <stdio.h>

enum
{
    CASES = 5 // per pair of kinds and style
};

static uint64_t overlap_pair(AbutShapeKind a, AbutShapeKind b, NearStyle style)
{
    ProofTally tally = { 0 };
    TestRandom random = proof_random(1000u * (uint64_t)a + 10u * (uint64_t)b + (uint64_t)style);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair pair = near_pair_make(&random, a, b, style);
        AbutShape* shape_a = exact_shape_create(&pair.shapes[0]);
        AbutShape* shape_b = exact_shape_create(&pair.shapes[1]);
        AbutWorld* world = proof_world(&pair, shape_a);
        AbutOverlapInput input = abut_overlap_input(shape_b, pair.poses[1]);
        AbutOverlap found;
        uint32_t found_count = 0;
        test_assert_result(abut_world_overlap(world, &input, &found, 1, &found_count), ABUT_OK);
        AbutCollideOutput output = { .state = found_count == 0 ? ABUT_COLLIDE_SEPARATED : found.state };
        proof_judge_output(&tally, &pair, 1.0f, &output, "overlap");
        abut_world_destroy(world);
        abut_shape_destroy(shape_a);
        abut_shape_destroy(shape_b);
    }
    char text[64];
    snprintf(text, sizeof(text), "overlap %s %s-%s", near_style_name(style), abut_shape_kind_name(a),
             abut_shape_kind_name(b));
    proof_print(&tally, text);
    return proof_false_count(&tally);
}

static void test_overlaps_of_worlds_are_answered_truly(void** state)
{
    (void)state;
    uint64_t bad = 0;
    for (int a = ABUT_SHAPE_SPHERE; a <= ABUT_SHAPE_PLANE; ++a)
    {
        for (int b = ABUT_SHAPE_SPHERE; b < ABUT_SHAPE_PLANE; ++b)
        {
            if (exact_pair_is_known((AbutShapeKind)a, (AbutShapeKind)b))
            {
                bad += overlap_pair((AbutShapeKind)a, (AbutShapeKind)b, NEAR_FAR);
                bad += overlap_pair((AbutShapeKind)a, (AbutShapeKind)b, NEAR_LATTICE);
            }
        }
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlaps_of_worlds_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
