// States and gaps that are called proved are true of what was baked: fields of primitives near touching
// primitives and each other, of any scale and far from their origins, judged in quad precision by the
// primitives themselves.
#include "support/oracles/motion/sweep_proofs.h"
#include "support/oracles/proofs.h"

#include <abut/bake.h>
#include <abut/field.h>

#include <stdio.h>

enum
{
    CASES = 12, // per pair and style
    FIELDS = 7
};

typedef struct BakedField
{
    ExactShape shape;
    AbutFieldFormat format;
    uint32_t resolution;
    bool sparse;
    AbutShape* field;
} BakedField;

static BakedField baked[FIELDS] = {
    { .shape = { ABUT_SHAPE_SPHERE, { 0.5f } }, .format = ABUT_FIELD_F32, .resolution = 24 },
    { .shape = { ABUT_SHAPE_SPHERE, { 3.0f } }, .format = ABUT_FIELD_FIRST_ORDER, .resolution = 32 },
    { .shape = { ABUT_SHAPE_BOX, { 1.0f, 0.3f, 0.7f } }, .format = ABUT_FIELD_F32, .resolution = 40 },
    { .shape = { ABUT_SHAPE_BOX, { 2.0f, 2.0f, 1.0f } },
      .format = ABUT_FIELD_FIRST_ORDER,
      .resolution = 48,
      .sparse = true },
    { .shape = { ABUT_SHAPE_CAPSULE, { 0.1f, 1.0f } }, .format = ABUT_FIELD_F16, .resolution = 48 },
    { .shape = { ABUT_SHAPE_CAPSULE, { 0.01f, 0.03f } }, .format = ABUT_FIELD_FIRST_ORDER, .resolution = 24 },
    { .shape = { ABUT_SHAPE_TORUS, { 1.0f, 0.25f } },
      .format = ABUT_FIELD_F32,
      .resolution = 64,
      .sparse = true },
};

static int bake_all(void** state)
{
    (void)state;
    for (int i = 0; i < FIELDS; ++i)
    {
        AbutBakeDef def = abut_bake_def();
        AbutShape* shape = exact_shape_create(&baked[i].shape);
        def.resolution = baked[i].resolution;
        def.format = baked[i].format;
        def.sparse = baked[i].sparse;
        test_assert_result(abut_bake_shape(&def, shape, &baked[i].field), ABUT_OK);
        abut_shape_destroy(shape);
    }
    return 0;
}

static int destroy_all(void** state)
{
    (void)state;
    for (int i = 0; i < FIELDS; ++i)
    {
        abut_shape_destroy(baked[i].field);
    }
    return 0;
}

static void ask(ProofTally* tallies, const NearPair* pair, const AbutShape* a, const AbutShape* b,
                uint64_t number)
{
    AbutCollideInput input = abut_collide_input(a, b);
    double size = pair->size / (double)pair->poses[0].scale;
    input.pose_a = pair->poses[0];
    input.pose_b = pair->poses[1];
    input.settings.tolerance = number % 2 == 0 ? 0.0f : (float)(1e-9 * size);
    input.settings.budget = 1u << 12;
    proof_judge_collide(&tallies[0], pair, &input);
    if (number % 2 == 0)
    {
        AbutDistanceInput asked = abut_distance_input(a, b);
        asked.pose_a = input.pose_a;
        asked.pose_b = input.pose_b;
        asked.tolerance = number % 4 == 0 ? 0.0f : (float)(1e-5 * size);
        asked.budget = 1u << 12;
        proof_judge_distance(&tallies[1], pair, &asked);
    }
}

static void print(const ProofTally* tallies, NearStyle style, const BakedField* field, const char* other)
{
    static const char* const questions[2] = { "collide", "distance" };
    for (int i = 0; i < 2; ++i)
    {
        char text[96];
        snprintf(text, sizeof(text), "%s %s field %s-%s", questions[i], near_style_name(style),
                 abut_shape_kind_name(field->shape.kind), other);
        proof_print(&tallies[i], text);
    }
}

static uint64_t run_with_primitive(const BakedField* field, AbutShapeKind kind, NearStyle style)
{
    ProofTally tallies[2] = { { 0 }, { 0 } };
    TestRandom random =
        proof_random(100u * (uint64_t)(field - baked) + 10u * (uint64_t)kind + (uint64_t)style);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair sized = near_pair_make(&random, kind, ABUT_SHAPE_SPHERE, style);
        NearPair pair = near_pair_pose(&random, &field->shape, &sized.shapes[0], style);
        AbutShape* shape = exact_shape_create(&sized.shapes[0]);
        if (i % 2 == 0)
        {
            ask(tallies, &pair, field->field, shape, i / 2);
        }
        else
        {
            NearPair swapped = { .shapes = { pair.shapes[1], pair.shapes[0] },
                                 .poses = { pair.poses[1], pair.poses[0] },
                                 .size = pair.size,
                                 .gap = pair.gap };
            ask(tallies, &swapped, shape, field->field, i / 2);
        }
        abut_shape_destroy(shape);
    }
    print(tallies, style, field, abut_shape_kind_name(kind));
    return proof_false_count(&tallies[0]) + proof_false_count(&tallies[1]);
}

static uint64_t run_fields(const BakedField* a, const BakedField* b, NearStyle style)
{
    ProofTally tallies[2] = { { 0 }, { 0 } };
    TestRandom random =
        proof_random(100u * (uint64_t)(a - baked) + 10u * (uint64_t)(b - baked) + (uint64_t)style);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair pair = near_pair_pose(&random, &a->shape, &b->shape, style);
        ask(tallies, &pair, a->field, b->field, i);
    }
    print(tallies, style, a, b->shape.kind == ABUT_SHAPE_SPHERE ? "field sphere" : "field");
    return proof_false_count(&tallies[0]) + proof_false_count(&tallies[1]);
}

static void run_style(NearStyle style)
{
    uint64_t wrong = 0;
    for (int i = 0; i < FIELDS; ++i)
    {
        for (int kind = ABUT_SHAPE_SPHERE; kind <= ABUT_SHAPE_PLANE; ++kind)
        {
            if (exact_pair_is_known(baked[i].shape.kind, (AbutShapeKind)kind))
            {
                wrong += run_with_primitive(&baked[i], (AbutShapeKind)kind, style);
            }
        }
        for (int other = 0; other < FIELDS; ++other)
        {
            if (exact_pair_is_known(baked[i].shape.kind, baked[other].shape.kind))
            {
                wrong += run_fields(&baked[i], &baked[other], style);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_fields_of_equal_size_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_EQUAL);
}

static void test_fields_of_any_scale_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_SCALES);
}

static void test_fields_far_away_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_FAR);
}

static void test_fields_apart_are_answered_truly(void** state)
{
    (void)state;
    run_style(NEAR_APART);
}

static uint64_t sweep_field(const BakedField* field, AbutShapeKind kind, NearStyle style)
{
    SweepTally tally = { 0 };
    TestRandom random =
        proof_random(100u * (uint64_t)(field - baked) + 10u * (uint64_t)kind + (uint64_t)style);
    uint64_t count = proof_case_count(CASES / 6);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair sized = near_pair_make(&random, kind, ABUT_SHAPE_SPHERE, style);
        NearPair pair = near_pair_pose(&random, &field->shape, &sized.shapes[0], style);
        NearMotion motion = near_motion_through(&random, &pair);
        AbutShape* shape = exact_shape_create(&sized.shapes[0]);
        AbutToiInput input = abut_toi_input(field->field, shape);
        input.settings.budget = 1u << 13;
        sweep_proof_judge(&tally, &motion, &input);
        abut_shape_destroy(shape);
    }
    char text[96];
    snprintf(text, sizeof(text), "sweep %s field %s-%s", near_style_name(style),
             abut_shape_kind_name(field->shape.kind), abut_shape_kind_name(kind));
    sweep_proof_print(&tally, text);
    return sweep_proof_false_count(&tally);
}

static void test_sweeps_of_fields_are_answered_truly(void** state)
{
    (void)state;
    uint64_t wrong = 0;
    for (int i = 0; i < FIELDS; ++i)
    {
        for (int kind = ABUT_SHAPE_SPHERE; kind <= ABUT_SHAPE_PLANE; ++kind)
        {
            for (int style = 0; style < NEAR_EXTREME; ++style)
            {
                if (exact_pair_is_known(baked[i].shape.kind, (AbutShapeKind)kind))
                {
                    wrong += sweep_field(&baked[i], (AbutShapeKind)kind, (NearStyle)style);
                }
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_equal_size_are_answered_truly),
        cmocka_unit_test(test_fields_of_any_scale_are_answered_truly),
        cmocka_unit_test(test_fields_far_away_are_answered_truly),
        cmocka_unit_test(test_fields_apart_are_answered_truly),
        cmocka_unit_test(test_sweeps_of_fields_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, bake_all, destroy_all);
}
