// Answers of batches are true, those that are taken over from earlier steps included: bodies that creep
// towards each other and apart, near and far from the world's origin, judged in quad precision at every step;
// particles and contacts alone keep what they promise. Balls, capsules and boxes of all styles fill the lanes
// of closed forms, in any mixture.
#include "support/oracles/proofs.h"

#include <math.h>
#include <stdio.h>

enum
{
    BODIES = 24,
    STEPS = 12,
    LANE_PAIRS = 64 // of a batch, each in both orders
};

typedef struct Batch
{
    NearPair pairs[BODIES / 2]; // of bodies 2 i and 2 i + 1
    AbutShape* shapes[BODIES];
    AbutCollideBody bodies[BODIES];
    AbutBodyPair asked[BODIES];
    AbutVec3 drift[BODIES / 2];
} Batch;

static void batch_init(Batch* batch, TestRandom* random, NearStyle style)
{
    for (int i = 0; i < BODIES / 2; ++i)
    {
        AbutShapeKind kinds[2];
        do
        {
            kinds[0] = (AbutShapeKind)(test_random_bits(random) % (ABUT_SHAPE_PLANE + 1));
            kinds[1] = (AbutShapeKind)(test_random_bits(random) % (ABUT_SHAPE_PLANE + 1));
        } while (!exact_pair_is_known(kinds[0], kinds[1]));
        batch->pairs[i] = near_pair_make(random, kinds[0], kinds[1], style);
        double speed = batch->pairs[i].size * pow(10.0, test_random_range(random, -9.0, -2.0));
        batch->drift[i] = abut_vec3_scale(test_random_direction(random), (float)speed);
        for (int side = 0; side < 2; ++side)
        {
            batch->shapes[2 * i + side] = exact_shape_create(&batch->pairs[i].shapes[side]);
        }
        batch->asked[2 * i] = (AbutBodyPair){ (uint32_t)(2 * i), (uint32_t)(2 * i + 1) };
        batch->asked[2 * i + 1] = (AbutBodyPair){ (uint32_t)(2 * i + 1), (uint32_t)(2 * i) };
    }
}

static void batch_destroy(Batch* batch)
{
    for (int i = 0; i < BODIES; ++i)
    {
        abut_shape_destroy(batch->shapes[i]);
    }
}

/// Moves and turns a little; some stand still for a step.
static void batch_step(Batch* batch, TestRandom* random)
{
    for (int i = 0; i < BODIES / 2; ++i)
    {
        NearPair* pair = &batch->pairs[i];
        AbutPosition* p = &pair->poses[1].position;
        if (test_random_unit(random) < 0.8)
        {
            p->x += (double)batch->drift[i].x;
            p->y += (double)batch->drift[i].y;
            p->z += (double)batch->drift[i].z;
        }
        if (test_random_unit(random) < 0.3)
        {
            float angle = (float)pow(10.0, test_random_range(random, -8.0, -2.0));
            AbutQuat rotation = abut_quat_from_axis_angle(test_random_direction(random), angle);
            pair->poses[0].rotation = abut_quat_multiply(rotation, pair->poses[0].rotation);
        }
        ExactFrame frames[2] = { exact_frame(&pair->poses[0]), exact_frame(&pair->poses[1]) };
        pair->gap = exact_gap(&pair->shapes[0], &frames[0], &pair->shapes[1], &frames[1], NULL);
        for (int side = 0; side < 2; ++side)
        {
            batch->bodies[2 * i + side] = (AbutCollideBody){ batch->shapes[2 * i + side], pair->poses[side] };
        }
    }
}

static void judge_results(const Batch* batch, const AbutCollideResults* results, ProofTally* tally)
{
    assert_int_equal(results->pair_count, BODIES);
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* result = &results->pairs[i];
        const NearPair* pair = &batch->pairs[result->a / 2];
        proof_judge_output(tally, pair, batch->bodies[result->a].pose.scale, &result->output,
                           result->reused ? "reused" : "computed");
    }
}

/// One of the two settings.
static void run(const AbutCollideSettings* proof, const AbutSpeculativeSettings* speculative,
                const char* what, int rounds)
{
    ProofTally tally = { 0 };
    AbutCollider* collider = NULL;
    size_t reused = 0;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    for (uint64_t round = 0; round < proof_case_count((uint64_t)rounds); ++round)
    {
        Batch batch;
        TestRandom random = proof_random(round);
        batch_init(&batch, &random, (NearStyle)(round % 3));
        for (int step = 0; step < STEPS; ++step)
        {
            AbutCollideResults results;
            batch_step(&batch, &random);
            const AbutPairsInput input = { batch.bodies, BODIES, batch.asked, BODIES };
            test_assert_result(proof != NULL
                                   ? abut_collide_pairs(collider, &input, proof, &results)
                                   : abut_speculative_pairs(collider, &input, speculative, &results),
                               ABUT_OK);
            judge_results(&batch, &results, &tally);
            reused += results.reused_count;
        }
        batch_destroy(&batch);
    }
    proof_print(&tally, what);
    print_message("%s: reused %d\n", what, (int)reused);
    assert_int_equal(proof_false_count(&tally), 0);
    abut_collider_destroy(collider);
}

static void test_answers_that_are_used_again_are_true(void** state)
{
    (void)state;
    AbutCollideSettings settings = abut_collide_settings();
    settings.budget = 1u << 11;
    settings.reuse = 1e-2f;
    run(&settings, NULL, "reuse", 3);
    settings.reuse = 1e3f;
    settings.tolerance = 1e-7f;
    run(&settings, NULL, "reuse, fine", 3);
    settings.margin = 1e-4f;
    run(&settings, NULL, "reuse, margin", 3);
}

static void test_speculative_contacts_prove_separations(void** state)
{
    (void)state;
    AbutSpeculativeSettings settings = abut_speculative_settings();
    settings.budget = 1u << 11;
    run(NULL, &settings, "speculative", 3);
    settings.margin = 1e-4f;
    settings.reuse = 1e-2f;
    run(NULL, &settings, "speculative, margin", 3);
}

static void test_particles_prove_what_they_call_contact(void** state)
{
    (void)state;
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    run(&settings, NULL, "particles", 3);
    settings.particles.reuse = true;
    settings.tolerance = 1e-6f;
    run(&settings, NULL, "particles, fine", 3);
}

// -----------------------------------------------------------------------------------------------------------
// Closed forms in lanes
// -----------------------------------------------------------------------------------------------------------

typedef struct LaneBatch
{
    NearPair pairs[LANE_PAIRS];
    AbutShape* shapes[2 * LANE_PAIRS];
    AbutCollideBody bodies[2 * LANE_PAIRS];
    AbutBodyPair asked[2 * LANE_PAIRS];
} LaneBatch;

static const AbutShapeKind LANE_KINDS[4] = { ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_BOX,
                                             ABUT_SHAPE_ROUNDED_BOX };

static AbutShapeKind lane_kind(TestRandom* random)
{
    return LANE_KINDS[test_random_bits(random) % 4];
}

static void lane_batch_init(LaneBatch* batch, TestRandom* random, NearStyle style)
{
    AbutShapeKind first = lane_kind(random);
    AbutShapeKind second = lane_kind(random);
    bool mixed = test_random_unit(random) < 0.5; // else all lanes are of one kind
    for (uint32_t i = 0; i < LANE_PAIRS; ++i)
    {
        AbutShapeKind a = mixed ? lane_kind(random) : first;
        AbutShapeKind b = mixed ? lane_kind(random) : second;
        batch->pairs[i] = near_pair_make(random, a, b, style);
        for (uint32_t side = 0; side < 2; ++side)
        {
            batch->shapes[2 * i + side] = exact_shape_create(&batch->pairs[i].shapes[side]);
            batch->bodies[2 * i + side] =
                (AbutCollideBody){ batch->shapes[2 * i + side], batch->pairs[i].poses[side] };
        }
        batch->asked[2 * i] = (AbutBodyPair){ 2 * i, 2 * i + 1 };
        batch->asked[2 * i + 1] = (AbutBodyPair){ 2 * i + 1, 2 * i };
    }
}

static void judge_batch(const LaneBatch* batch, const AbutCollideResults* results, ProofTally* tally)
{
    assert_int_equal(results->pair_count, 2 * LANE_PAIRS);
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* result = &results->pairs[i];
        proof_judge_output(tally, &batch->pairs[result->a / 2], batch->bodies[result->a].pose.scale,
                           &result->output, "lanes");
    }
}

static void run_batch(AbutCollider* collider, NearStyle style, uint64_t count)
{
    ProofTally tally = { 0 };
    TestRandom random = proof_random(200u + (uint64_t)style);
    AbutCollideSettings settings = abut_collide_settings();
    for (uint64_t i = 0; i < count; ++i)
    {
        LaneBatch batch;
        AbutCollideResults results;
        lane_batch_init(&batch, &random, style);
        settings.margin = i % 2 == 0 ? 0.0f : 1e-3f;
        const AbutPairsInput input = { batch.bodies, 2 * LANE_PAIRS, batch.asked, 2 * LANE_PAIRS };
        test_assert_result(abut_collide_pairs(collider, &input, &settings, &results), ABUT_OK);
        judge_batch(&batch, &results, &tally);
        for (int side = 0; side < 2 * LANE_PAIRS; ++side)
        {
            abut_shape_destroy(batch.shapes[side]);
        }
    }
    char text[64];
    snprintf(text, sizeof(text), "lanes %s", near_style_name(style));
    proof_print(&tally, text);
    assert_int_equal(proof_false_count(&tally), 0);
    assert_int_equal(tally.states[ABUT_COLLIDE_BUDGET], 0); // closed forms need none
}

static void test_pairs_of_batches_are_answered_truly(void** state)
{
    (void)state;
    AbutCollider* collider = NULL;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    for (int style = 0; style < NEAR_STYLE_COUNT; ++style)
    {
        run_batch(collider, (NearStyle)style, proof_case_count(6));
    }
    abut_collider_destroy(collider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_that_are_used_again_are_true),
        cmocka_unit_test(test_speculative_contacts_prove_separations),
        cmocka_unit_test(test_particles_prove_what_they_call_contact),
        cmocka_unit_test(test_pairs_of_batches_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
