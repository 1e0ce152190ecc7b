// All pairs of a step: the same answers as one by one, the same bytes for any workers and order.
#include "support/scenes/pair_scene.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 2048
};

static AbutContact contacts[CAPACITY];

static void check_pair(const TestPairScene* scene, const AbutCollideSettings* settings,
                       const AbutCollideResults* results, const AbutPairResult* pair)
{
    AbutCollideInput input = abut_collide_input(scene->bodies[pair->a].shape, scene->bodies[pair->b].shape);
    input.pose_a = scene->bodies[pair->a].pose;
    input.pose_b = scene->bodies[pair->b].pose;
    input.settings = *settings;
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, pair->output.state);
    assert_int_equal(output.contact_count, pair->output.contact_count);
    assert_int_equal(output.contact_total, pair->output.contact_total);
    assert_int_equal(output.evaluations, pair->output.evaluations);
    assert_true(output.gap == pair->output.gap && output.spacing == pair->output.spacing);
    assert_true(pair->first_contact + (size_t)output.contact_count <= results->contact_count);
    assert_memory_equal(contacts, results->contacts + pair->first_contact,
                        (size_t)output.contact_count * sizeof(contacts[0]));
    assert_false(pair->reused);
}

static void test_answers_are_those_of_single_pairs(void** state)
{
    (void)state;
    TestPairScene scene;
    test_pair_scene_init(&scene, 10);
    for (int i = 0; i < TEST_VARIANTS - 1; ++i) // the last has more contacts than the array here
    {
        AbutCollideSettings settings = test_collide_variant(i);
        settings.measure_depth = i % 2 == 0;
        AbutCollider* collider = test_create_collider(NULL);
        AbutCollideResults results = test_collide_pair_scene(collider, &scene, &settings);
        assert_int_equal(results.pair_count, scene.pair_count);
        size_t next = 0;
        int states[ABUT_COLLIDE_STATE_COUNT] = { 0 };
        for (size_t k = 0; k < results.pair_count; ++k)
        {
            const AbutPairResult* pair = &results.pairs[k];
            assert_true(k == 0 || pair[-1].a < pair->a || (pair[-1].a == pair->a && pair[-1].b < pair->b));
            assert_int_equal(pair->first_contact, next);
            next += (size_t)pair->output.contact_count;
            states[pair->output.state] += 1;
            check_pair(&scene, &settings, &results, pair);
        }
        assert_int_equal(next, results.contact_count);
        assert_int_equal(results.reused_count, 0);
        assert_int_equal(results.invalid_count, 0);
        assert_true(states[ABUT_COLLIDE_CONTACT] > 50 && states[ABUT_COLLIDE_SEPARATED] > 50);
        abut_collider_destroy(collider);
    }
    test_pair_scene_destroy(&scene);
}

static void shuffle(AbutBodyPair* pairs, size_t count, TestRandom* random)
{
    for (size_t i = count; i > 1; --i)
    {
        size_t k = test_random_bits(random) % i;
        AbutBodyPair pair = pairs[k];
        pairs[k] = pairs[i - 1];
        pairs[i - 1] = pair;
    }
}

static void test_order_and_repetition_of_pairs_do_not_matter(void** state)
{
    (void)state;
    TestPairScene scene;
    test_pair_scene_init(&scene, 11);
    AbutCollideSettings settings = test_collide_variant(1);
    AbutCollider* collider = test_create_collider(NULL);
    AbutCollideResults results = test_collide_pair_scene(collider, &scene, &settings);
    uint64_t expected = test_hash_results(&results);
    TestRandom random = { 12 };
    for (int i = 0; i < 5; ++i)
    {
        for (int k = 0; k < 20; ++k)
        {
            scene.pairs[scene.pair_count] = scene.pairs[test_random_bits(&random) % scene.pair_count];
            scene.pair_count += 1;
        }
        shuffle(scene.pairs, scene.pair_count, &random);
        abut_collider_reset(collider);
        results = test_collide_pair_scene(collider, &scene, &settings);
        assert_true(test_hash_results(&results) == expected);
    }
    abut_collider_destroy(collider);
    test_pair_scene_destroy(&scene);
}

/// A few steps of a scene whose bodies move, with everything on that remembers; a hash of all results.
static uint64_t run_steps(const AbutHost* host, int settings_index, bool shuffled)
{
    TestPairScene scene;
    test_pair_scene_init(&scene, 13);
    AbutCollideSettings settings = test_collide_variant(settings_index);
    settings.reuse = 0.01f;
    settings.particles.reuse = true;
    AbutCollider* collider = test_create_collider(host);
    TestRandom random = { 14 }, order = { 15 };
    uint64_t hash = 0;
    for (int i = 0; i < 4; ++i)
    {
        if (shuffled)
        {
            shuffle(scene.pairs, scene.pair_count, &order);
        }
        AbutCollideResults results = test_collide_pair_scene(collider, &scene, &settings);
        hash = hash * 31 + test_hash_results(&results);
        for (int k = 1; k < TEST_BODIES; ++k)
        {
            scene.bodies[k].pose.position.x += test_random_range(&random, -0.005, 0.005);
            scene.bodies[k].pose.position.y += test_random_range(&random, -0.005, 0.005);
        }
    }
    abut_collider_destroy(collider);
    test_pair_scene_destroy(&scene);
    return hash;
}

static void test_all_worker_counts_give_the_same_bytes(void** state)
{
    (void)state;
    static const uint32_t counts[] = { 1, 2, 7 };
    for (int i = 0; i < TEST_VARIANTS; ++i)
    {
        uint64_t expected = 0;
        for (size_t k = 0; k < 3; ++k)
        {
            AbutWorkers* workers = NULL;
            test_assert_result(abut_workers_create(counts[k], NULL, &workers), ABUT_OK);
            AbutHost host = abut_workers_host(workers);
            uint64_t hash = run_steps(&host, i, k > 0);
            expected = k == 0 ? hash : expected;
            if (hash != expected)
            {
                fail_msg("variant %d differs with %u workers", i, counts[k]);
            }
            abut_workers_destroy(workers);
        }
    }
}

static void test_all_instruction_sets_give_the_same_bytes(void** state)
{
    (void)state;
    static const char* const names[] = { "scalar", "sse2", "avx2", "neon" };
    const char* best = abut_simd_name();
    for (int i = 0; i < TEST_VARIANTS; ++i)
    {
        uint64_t expected = run_steps(NULL, i, false);
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); ++k)
        {
            if (abut_simd_force(names[k]) == ABUT_OK && run_steps(NULL, i, false) != expected)
            {
                fail_msg("variant %d differs with %s", i, names[k]);
            }
        }
        test_assert_result(abut_simd_force(best), ABUT_OK);
    }
}

static void test_a_large_pair_is_spread_over_the_workers(void** state)
{
    (void)state;
    AbutShape* shapes[6];
    test_create_shapes(shapes);
    AbutCollideBody bodies[2] = { { shapes[0], abut_pose_identity() },
                                  { shapes[0], abut_pose_at(0.6, 0.0, 0.0) } };
    AbutBodyPair pair = { 0, 1 };
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    settings.particles.resolution = 32;
    AbutCollideInput input = abut_collide_input(shapes[0], shapes[0]);
    input.pose_b = bodies[1].pose;
    input.settings = settings;
    AbutCollideOutput expected = abut_collide(&input, NULL, 0);
    AbutWorkers* workers = NULL;
    test_assert_result(abut_workers_create(3, NULL, &workers), ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    AbutCollider* collider = test_create_collider(&host);
    AbutCollideResults results;
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results), ABUT_OK);
    assert_int_equal(results.contact_count, expected.contact_total); // more than the first pool holds
    assert_true(results.contact_count > 10000);
    assert_int_equal(results.evaluations, expected.evaluations);
    abut_collider_destroy(collider);
    abut_workers_destroy(workers);
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_those_of_single_pairs),
        cmocka_unit_test(test_order_and_repetition_of_pairs_do_not_matter),
        cmocka_unit_test(test_all_worker_counts_give_the_same_bytes),
        cmocka_unit_test(test_all_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(test_a_large_pair_is_spread_over_the_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
