// States and gaps of the method "hull" are true: pairs of primitives near touching, of any scale and far from
// their origins, judged in quad precision; solids inside of others.
#include "support/oracles/proofs.h"

#include <abut/points.h>
#include <math.h>
#include <stdio.h>

enum
{
    CASES = 45,        // per pair of shapes and style
    LATTICE_CASES = 4, // per pair of kinds, each with hulls of its own
    SHAPES = 7
};

static const ExactShape shapes_of_tests[SHAPES] = {
    { ABUT_SHAPE_BOX, { 1.0f, 0.8f, 0.3f } },
    { ABUT_SHAPE_SPHERE, { 0.5f } },
    { ABUT_SHAPE_CAPSULE, { 0.2f, 0.9f } },
    { ABUT_SHAPE_ROUNDED_BOX, { 0.9f, 0.6f, 0.5f, 0.1f } },
    { ABUT_SHAPE_TORUS, { 0.5f, 0.15f } },
    { ABUT_SHAPE_CONE, { 0.4f, 0.1f, 0.9f } },
    { ABUT_SHAPE_PLANE, { 0.0f, 1.0f, 0.0f, 0.1f } },
};

static void attach_hull(AbutShape* shape, float error)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = error;
    test_assert_result(abut_point_hull_create(&def, shape, &hull), ABUT_OK);
    test_assert_result(abut_point_hull_attach(hull, shape), ABUT_OK);
    abut_point_hull_destroy(hull);
}

typedef struct Pairs
{
    AbutShape* fine[SHAPES];
    AbutShape* coarse[SHAPES];
    AbutShape* bare[SHAPES];
} Pairs;

static Pairs make_pairs(void)
{
    Pairs pairs;
    for (int i = 0; i < SHAPES; ++i)
    {
        pairs.fine[i] = exact_shape_create(&shapes_of_tests[i]);
        pairs.coarse[i] = exact_shape_create(&shapes_of_tests[i]);
        pairs.bare[i] = exact_shape_create(&shapes_of_tests[i]);
        if (shapes_of_tests[i].kind != ABUT_SHAPE_PLANE)
        {
            attach_hull(pairs.fine[i], 0.02f);
            attach_hull(pairs.coarse[i], 0.06f);
        }
    }
    return pairs;
}

static void destroy_pairs(Pairs* pairs)
{
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(pairs->fine[i]);
        abut_shape_destroy(pairs->coarse[i]);
        abut_shape_destroy(pairs->bare[i]);
    }
}

/// Every combination of tests on and off; with and without contacts.
static void ask(ProofTally* tally, const NearPair* pair, AbutShape* a, AbutShape* b, uint64_t number)
{
    static AbutContact contacts[512];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_a = pair->poses[0];
    input.pose_b = pair->poses[1];
    input.settings.method = ABUT_COLLIDE_HULL;
    input.settings.budget = 1u << 10; // of `adaptive`, where it decides
    input.settings.hull.corners = number % 2 == 0;
    input.settings.hull.tree = number / 2 % 2 == 0;
    AbutCollideOutput output = abut_collide(&input, contacts, number / 4 % 2 == 0 ? 512 : 0);
    if (output.state == ABUT_COLLIDE_INVALID)
    {
        fail_msg("%s", abut_last_error());
    }
    proof_judge_output(tally, pair, input.pose_a.scale, &output, "hull");
    if (output.state == ABUT_COLLIDE_CLOSE)
    {
        // The uncertainty is that of the hull, and says so.
        double unsure = (double)output.uncertainty * (double)input.pose_a.scale + 1e-3 * pair->size;
        tally->within[0] += fabs((double)pair->gap) <= 1.01 * unsure ? 1 : 0;
        ++tally->close[0];
    }
}

static void run_style(NearStyle style)
{
    ProofTally all = { 0 };
    Pairs pairs = make_pairs();
    for (int i = 0; i < SHAPES * SHAPES; ++i)
    {
        int a = i / SHAPES, b = i % SHAPES;
        const ExactShape *shape_a = &shapes_of_tests[a], *shape_b = &shapes_of_tests[b];
        if (!exact_pair_is_known(shape_a->kind, shape_b->kind) ||
            (shape_a->kind == ABUT_SHAPE_PLANE && shape_b->kind == ABUT_SHAPE_PLANE))
        {
            continue;
        }
        TestRandom random = proof_random(9000u + 100u * (uint64_t)style + (uint64_t)i);
        uint64_t count = proof_case_count(CASES);
        for (uint64_t k = 0; k < count; ++k)
        {
            NearPair pair = near_pair_pose(&random, shape_a, shape_b, style);
            AbutShape* with[3] = { pairs.fine[a], pairs.coarse[a], pairs.bare[a] };
            AbutShape*and [3] = { pairs.fine[b], pairs.coarse[b], pairs.bare[b] };
            AbutShape *first = with[k % 3], *second = and[k / 3 % 3];
            if (abut_collide_method_serves(ABUT_COLLIDE_HULL, first, second))
            {
                ask(&all, &pair, first, second, k / 9);
            }
        }
    }
    proof_print(&all, near_style_name(style));
    print_message("close: %llu, %llu of them within the uncertainty\n", (unsigned long long)all.close[0],
                  (unsigned long long)all.within[0]);
    assert_int_equal(proof_false_count(&all), 0);
    assert_int_equal(all.close[0], all.within[0]);
    assert_true(all.states[ABUT_COLLIDE_SEPARATED] > all.count / 20);
    assert_true(style == NEAR_APART || all.states[ABUT_COLLIDE_CONTACT] > all.count / 20);
    destroy_pairs(&pairs);
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

static void test_pairs_far_from_the_origin_are_answered_truly(void** state)
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

/// Faces on faces, edges on edges, equal coordinates: gaps of exactly 0, of one length, or overlaps.
static void test_coincidences_are_answered_truly(void** state)
{
    (void)state;
    ProofTally all = { 0 };
    for (int i = 0; i < SHAPES * SHAPES; ++i)
    {
        AbutShapeKind a = shapes_of_tests[i / SHAPES].kind, b = shapes_of_tests[i % SHAPES].kind;
        TestRandom random = proof_random(9900u + (uint64_t)i);
        uint64_t count =
            a != ABUT_SHAPE_PLANE && exact_pair_is_known(a, b) ? proof_case_count(LATTICE_CASES) : 0;
        for (uint64_t k = 0; k < count; ++k)
        {
            NearPair pair = near_pair_make(&random, a, b, NEAR_LATTICE);
            AbutShape *first = exact_shape_create(&pair.shapes[0]),
                      *second = exact_shape_create(&pair.shapes[1]);
            attach_hull(first, (float)(0.1 * exact_shape_size(&pair.shapes[0])));
            ask(&all, &pair, first, second, k);
            abut_shape_destroy(first);
            abut_shape_destroy(second);
        }
    }
    proof_print(&all, "lattice");
    assert_true(all.count > 0);
    assert_int_equal(proof_false_count(&all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_equal_size_are_answered_truly),
        cmocka_unit_test(test_pairs_of_any_scale_are_answered_truly),
        cmocka_unit_test(test_pairs_far_from_the_origin_are_answered_truly),
        cmocka_unit_test(test_pairs_of_extreme_lengths_are_answered_truly),
        cmocka_unit_test(test_pairs_apart_are_answered_truly),
        cmocka_unit_test(test_coincidences_are_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
