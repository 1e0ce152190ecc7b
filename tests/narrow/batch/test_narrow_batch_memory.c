// All pairs of a step: no memory once warm, nothing left behind when there is none, and bad pairs and calls.
#include "support/scenes/pair_scene.h"

#include <math.h>
#include <string.h>

static void test_a_warm_collider_does_not_allocate(void** state)
{
    (void)state;
    for (int i = 0; i < TEST_VARIANTS; ++i)
    {
        TestPairScene scene;
        test_pair_scene_init(&scene, 16);
        TestHost test_host;
        test_host_init(&test_host);
        AbutCollideSettings settings = test_collide_variant(i);
        settings.reuse = 0.001f;
        settings.particles.reuse = i == 2;
        AbutCollider* collider = test_create_collider(&test_host.host);
        uint64_t warm = 0;
        for (int step = 0; step < 6; ++step)
        {
            scene.bodies[1 + step].pose.position.x += 1e-4;
            test_collide_pair_scene(collider, &scene, &settings);
            if (step == 3) // both turns of the buffers, and room to spare from doubling
            {
                warm = test_host.allocation_count;
            }
        }
        assert_int_equal(test_host.allocation_count, warm);
        abut_collider_destroy(collider);
        assert_int_equal(test_host.live_count, 0);
        test_pair_scene_destroy(&scene);
    }
}

static AbutResult create_and_step(void* context, const AbutHost* host)
{
    TestPairScene* scene = context;
    AbutCollider* collider = NULL;
    AbutResult result = abut_collider_create(host, &collider);
    for (int i = 0; i < TEST_VARIANTS && result == ABUT_OK; ++i)
    {
        AbutCollideSettings settings = test_collide_variant(i);
        AbutCollideResults results;
        result = abut_collide_pairs(
            collider, &(AbutPairsInput){ scene->bodies, TEST_BODIES, scene->pairs, 60 }, &settings, &results);
    }
    abut_collider_destroy(collider);
    return result;
}

static void test_memory_running_out_leaves_nothing_behind(void** state)
{
    (void)state;
    TestPairScene scene;
    test_pair_scene_init(&scene, 17);
    assert_true(test_fail_every_allocation(create_and_step, &scene) > 5);
    test_pair_scene_destroy(&scene);
}

static void test_a_bad_pair_does_not_stop_the_others(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        TestPairScene scene;
        test_pair_scene_init(&scene, 18);
        AbutCollideSettings settings = test_collide_variant(i);
        AbutCollider* collider = test_create_collider(NULL);
        scene.bodies[3].pose.position.y = NAN;
        scene.bodies[5].pose.scale = 0.0f;
        scene.bodies[7].shape = NULL;
        scene.bodies[9].pose.rotation.w = 5.0f;
        scene.bodies[11].shape = scene.shapes[4]; // a plane, with the plane
        scene.pairs[scene.pair_count++] = (AbutBodyPair){ 12, 12 };
        for (int step = 0; step < 2; ++step) // also with something to remember
        {
            AbutCollideResults results = test_collide_pair_scene(collider, &scene, &settings);
            size_t invalid = 0;
            for (size_t k = 0; k < results.pair_count; ++k)
            {
                const AbutPairResult* pair = &results.pairs[k];
                bool bad = pair->a == pair->b || (pair->a == 0 && pair->b == 11);
                for (uint32_t body = 3; body <= 9; body += 2)
                {
                    bad = bad || pair->a == body || pair->b == body;
                }
                assert_int_equal(pair->output.state == ABUT_COLLIDE_INVALID, bad);
                invalid += bad ? 1 : 0;
            }
            assert_int_equal(results.invalid_count, invalid);
            assert_non_null(strstr(abut_last_error(), "pose")); // that of the first, which is (0, 3)
        }
        scene.bodies[3].pose.position.y = 0.0; // recovers
        AbutCollideResults results = test_collide_pair_scene(collider, &scene, &settings);
        assert_true(results.pairs[2].b == 3 && results.pairs[2].output.state != ABUT_COLLIDE_INVALID);
        abut_collider_destroy(collider);
        test_pair_scene_destroy(&scene);
    }
}

static void test_bad_calls_are_refused_and_change_nothing(void** state)
{
    (void)state;
    TestPairScene scene;
    test_pair_scene_init(&scene, 19);
    AbutCollider* collider = test_create_collider(NULL);
    AbutCollideSettings settings = abut_collide_settings();
    AbutCollideResults results = { .pair_count = 77 };
    scene.pairs[3].b = TEST_BODIES;
    test_assert_result(
        abut_collide_pairs(collider,
                           &(AbutPairsInput){ scene.bodies, TEST_BODIES, scene.pairs, scene.pair_count },
                           &settings, &results),
        ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "pair 3"));
    settings.reuse = NAN;
    test_assert_result(abut_collide_pairs(collider,
                                          &(AbutPairsInput){ scene.bodies, TEST_BODIES, scene.pairs, 2 },
                                          &settings, &results),
                       ABUT_INVALID_ARGUMENT);
    settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    settings.particles.resolution = 0;
    test_assert_result(abut_collide_pairs(collider,
                                          &(AbutPairsInput){ scene.bodies, TEST_BODIES, scene.pairs, 2 },
                                          &settings, &results),
                       ABUT_INVALID_ARGUMENT);
    assert_int_equal(results.pair_count, 77);
    settings = abut_collide_settings();
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ NULL, 0, NULL, 0 }, &settings, &results), ABUT_OK);
    assert_int_equal(results.pair_count, 0);
    assert_int_equal(results.contact_count, 0);
    abut_collider_destroy(collider);
    abut_collider_destroy(NULL);
    test_pair_scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_warm_collider_does_not_allocate),
        cmocka_unit_test(test_memory_running_out_leaves_nothing_behind),
        cmocka_unit_test(test_a_bad_pair_does_not_stop_the_others),
        cmocka_unit_test(test_bad_calls_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
