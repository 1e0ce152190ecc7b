// The same pairs for any number of workers and any instruction set; memory that runs out; bad input.
#include "support/scenes/box_scene.h"

#include <stdio.h>

static AbutBroad* create_set(AbutBroadMethod method, const AbutHost* host)
{
    AbutBroadDef def = abut_broad_def();
    def.method = method;
    def.host = host;
    AbutBroad* broad = NULL;
    test_assert_result(abut_broad_create(&def, &broad), ABUT_OK);
    return broad;
}

static uint64_t pairs_hash(AbutBroad* broad, uint64_t seed)
{
    const AbutBodyPair* pairs;
    size_t count;
    test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
    return abut_hash(pairs, count * sizeof(AbutBodyPair), seed + count);
}

/// Of all pairs of all steps.
static uint64_t run_hash(AbutBroadMethod method, const AbutHost* host, BoxSceneKind kind, uint32_t count)
{
    AbutBroad* broad = create_set(method, host);
    BoxScene scene = box_scene_make(kind, count, false, 5);
    for (uint32_t i = 0; i < count; ++i)
    {
        // Without looking for a free id, which takes its time: ids come in order.
        uint32_t id;
        scene.boxes[i] = box_scene_random_box(&scene);
        scene.velocity[i] = abut_vec3_scale(test_random_direction(&scene.random), 0.02f);
        test_assert_result(abut_broad_add(broad, scene.boxes[i], 1u << i % 4, 0xFu ^ (1u << i % 3), &id),
                           ABUT_OK);
        scene.count = id + 1;
    }
    uint64_t hash = pairs_hash(broad, 0);
    for (int step = 0; step < 14; ++step)
    {
        for (uint32_t i = 0; i < scene.count; ++i)
        {
            bool jumps = step == 6 || test_random_bits(&scene.random) % 64 == 0;
            AbutBox* box = &scene.boxes[i];
            *box = jumps ? box_scene_random_box(&scene)
                         : abut_box(abut_vec3_add(box->min, scene.velocity[i]),
                                    abut_vec3_add(box->max, scene.velocity[i]));
        }
        test_assert_result(abut_broad_move_many(broad, NULL, scene.boxes, scene.count), ABUT_OK);
        hash = pairs_hash(broad, hash);
    }
    box_scene_free(&scene);
    abut_broad_destroy(broad);
    return hash;
}

static void test_pairs_are_the_same_for_any_worker_count_and_method(void** state)
{
    (void)state;
    static const uint32_t counts[] = { 1, 2, 7 };
    static const BoxSceneKind kinds[] = { BOX_SCENE_EVEN, BOX_SCENE_CROWDS };
    for (int k = 0; k < 2; ++k)
    {
        uint64_t expected = 0;
        for (int i = 0; i < 3; ++i)
        {
            AbutWorkers* workers = NULL;
            test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
            AbutHost host = abut_workers_host(workers);
            for (int method = ABUT_BROAD_SWEEP_AND_PRUNE; method < ABUT_BROAD_METHOD_COUNT; ++method)
            {
                uint64_t hash = run_hash((AbutBroadMethod)method, &host, kinds[k], 7000);
                expected = expected == 0 ? hash : expected;
                assert_true(hash == expected);
            }
            abut_workers_destroy(workers);
        }
    }
}

static void test_pairs_are_the_same_for_every_instruction_set(void** state)
{
    (void)state;
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    char before[16];
    snprintf(before, sizeof(before), "%s", abut_simd_name());
    uint64_t expected = 0;
    for (int i = 0; i < 4; ++i)
    {
        if (abut_simd_force(sets[i]) != ABUT_OK)
        {
            continue;
        }
        for (int method = ABUT_BROAD_SWEEP_AND_PRUNE; method < ABUT_BROAD_METHOD_COUNT; ++method)
        {
            uint64_t hash = run_hash((AbutBroadMethod)method, NULL, BOX_SCENE_SIZES, 1500);
            expected = expected == 0 ? hash : expected;
            assert_true(hash == expected);
        }
    }
    test_assert_result(abut_simd_force(before), ABUT_OK);
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

static AbutBox small_box(int i)
{
    AbutVec3 corner = abut_vec3((float)(i * 7 % 11), (float)(i * 5 % 13), (float)(i % 9));
    corner = i % 31 == 0 ? abut_vec3(-INFINITY, 0.0f, 0.0f) : corner;
    return abut_box(corner, abut_vec3((float)(i * 7 % 11) + 2.0f, corner.y + 2.0f, corner.z + 1.5f));
}

static AbutResult fill_and_collect(AbutBroad* broad)
{
    AbutResult result = ABUT_OK;
    const AbutBodyPair* pairs;
    size_t count;
    for (int i = 0; i < 90 && result == ABUT_OK; ++i)
    {
        uint32_t id;
        result = abut_broad_add(broad, small_box(i), UINT32_MAX, UINT32_MAX, &id);
    }
    result = result == ABUT_OK ? abut_broad_update_pairs(broad, &pairs, &count) : result;
    for (uint32_t i = 0; i < 5 && result == ABUT_OK; ++i)
    {
        result = abut_broad_move(broad, 2 * i, small_box((int)(100 + i)));
    }
    return result == ABUT_OK ? abut_broad_update_pairs(broad, &pairs, &count) : result;
}

static AbutResult create_and_collect(void* context, const AbutHost* host)
{
    AbutBroadDef def = abut_broad_def();
    def.method = *(const AbutBroadMethod*)context;
    def.host = host;
    AbutBroad* broad = NULL;
    AbutResult result = abut_broad_create(&def, &broad);
    result = result == ABUT_OK ? fill_and_collect(broad) : result;
    abut_broad_destroy(broad);
    return result;
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    for (int i = 0; i < ABUT_BROAD_METHOD_COUNT; ++i)
    {
        AbutBroadMethod method = (AbutBroadMethod)i;
        assert_true(test_fail_every_allocation(create_and_collect, &method) > 10);
    }
}

/// A collection that fails loses nothing: the next one has all pairs, and queries in between see all boxes.
static void test_a_collection_that_fails_can_be_repeated(void** state)
{
    (void)state;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        for (uint64_t skip = 1; skip < 40; ++skip)
        {
            TestHost host;
            test_host_init(&host);
            AbutBroad* broad = create_set((AbutBroadMethod)method, &host.host);
            BoxScene scene = box_scene_make(BOX_SCENE_INFINITE, 60, false, skip);
            for (int i = 0; i < 40; ++i)
            {
                box_scene_add(&scene, &broad, 1);
            }
            if (skip % 2 == 0)
            {
                box_scene_check(&scene, &broad, 1);
            }
            box_scene_step(&scene, &broad, 1, skip % 3 == 0 ? 0.05 : 0.9, true);
            const AbutBodyPair* pairs = NULL;
            size_t count = 0;
            host.fail_at = host.allocation_count + skip / 2 + 1;
            AbutResult result = abut_broad_update_pairs(broad, &pairs, &count);
            assert_true(result == ABUT_OK || (result == ABUT_OUT_OF_MEMORY && pairs == NULL && count == 0));
            host.fail_at = 0;
            box_scene_step(&scene, &broad, 1, 0.1, true);
            box_scene_check(&scene, &broad, 1);
            box_scene_free(&scene);
            abut_broad_destroy(broad);
            assert_true(host.live_count == 0);
        }
    }
}

static void test_nothing_is_allocated_once_warm(void** state)
{
    (void)state;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        TestHost host;
        test_host_init(&host);
        AbutBroad* broad = create_set((AbutBroadMethod)method, &host.host);
        BoxScene scene = box_scene_make(BOX_SCENE_EVEN, 500, false, 3);
        for (int i = 0; i < 500; ++i)
        {
            box_scene_add(&scene, &broad, 1);
        }
        uint64_t warm = 0;
        for (int step = 0; step < 120; ++step)
        {
            for (uint32_t i = 0; i < scene.count; ++i)
            {
                AbutBox* box = &scene.boxes[i];
                float sign = step / 10 % 2 == 0 ? 1.0f : -1.0f; // there and back
                AbutVec3 displacement = abut_vec3_scale(scene.velocity[i], sign * (float)(1 + i % 7));
                *box = abut_box(abut_vec3_add(box->min, displacement), abut_vec3_add(box->max, displacement));
            }
            test_assert_result(abut_broad_move_many(broad, NULL, scene.boxes, scene.count), ABUT_OK);
            pairs_hash(broad, 0);
            warm = step == 40 ? host.allocation_count : warm;
        }
        assert_true(host.allocation_count == warm);
        box_scene_free(&scene);
        abut_broad_destroy(broad);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Input
// -----------------------------------------------------------------------------------------------------------

static void test_an_empty_world_has_no_pairs(void** state)
{
    (void)state;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        AbutBroad* broad = create_set((AbutBroadMethod)method, NULL);
        const AbutBodyPair* pairs;
        size_t count = 1;
        uint32_t id;
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
        assert_int_equal(count, 0);
        test_assert_result(abut_broad_move_many(broad, NULL, NULL, 0), ABUT_OK);
        test_assert_result(abut_broad_add(broad, abut_box_infinite(), 1, 1, &id), ABUT_OK);
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
        assert_int_equal(count, 0);
        test_assert_result(abut_broad_remove(broad, id), ABUT_OK);
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
        assert_int_equal(count, 0);
        assert_int_equal(abut_broad_count(broad), 0);
        abut_broad_destroy(broad);
    }
    abut_broad_destroy(NULL);
}

/// Many boxes in one place are asked for by a mistake, or by an attacker.
static void test_more_pairs_than_the_limit_are_refused_and_can_be_mended(void** state)
{
    (void)state;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        AbutBroadDef def = abut_broad_def();
        def.method = (AbutBroadMethod)method;
        def.pair_limit = 1000;
        AbutBroad* broad = NULL;
        test_assert_result(abut_broad_create(&def, &broad), ABUT_OK);
        const AbutBodyPair* pairs = NULL;
        size_t count = 0;
        for (uint32_t i = 0; i < 46; ++i) // 45 boxes have 990 pairs, 46 have 1035
        {
            uint32_t id;
            test_assert_result(abut_broad_add(broad, small_box(1), UINT32_MAX, UINT32_MAX, &id), ABUT_OK);
            if (i == 44)
            {
                test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
                assert_int_equal(count, 990);
            }
        }
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_LIMIT_EXCEEDED);
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_LIMIT_EXCEEDED);
        test_assert_result(abut_broad_move(broad, 7, abut_box_empty()), ABUT_OK);
        test_assert_result(abut_broad_update_pairs(broad, &pairs, &count), ABUT_OK);
        assert_int_equal(count, 990);
        abut_broad_destroy(broad);
    }
}

static void test_boxes_without_numbers_and_unknown_ids_are_refused(void** state)
{
    (void)state;
    AbutBroad* broad = create_set(ABUT_BROAD_TREE, NULL);
    const AbutBox good = abut_box(abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(1.0f, 1.0f, 1.0f));
    uint32_t a, b, none = 99;
    test_assert_result(abut_broad_add(broad, good, 1, 1, &a), ABUT_OK);
    test_assert_result(abut_broad_add(broad, good, 1, 1, &b), ABUT_OK);
    for (int side = 0; side < 6; ++side)
    {
        AbutBox bad = side % 2 == 0 ? good : abut_box_infinite();
        float* const sides[6] = { &bad.min.x, &bad.min.y, &bad.min.z, &bad.max.x, &bad.max.y, &bad.max.z };
        *sides[side] = NAN;
        test_assert_result(abut_broad_add(broad, bad, 1, 1, &none), ABUT_INVALID_ARGUMENT);
        const AbutBox boxes[2] = { abut_box_empty(), bad };
        test_assert_result(abut_broad_move_many(broad, NULL, boxes, 2), ABUT_INVALID_ARGUMENT);
    }
    assert_int_equal(none, 99);
    const AbutBox kept = abut_broad_box(broad, a);
    assert_memory_equal(&kept, &good, sizeof(good)); // nothing has moved
    test_assert_result(abut_broad_move(broad, 2, good), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_broad_remove(broad, UINT32_MAX), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_broad_set_filter(broad, 2, 1, 1), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_broad_remove(broad, a), ABUT_OK);
    test_assert_result(abut_broad_remove(broad, a), ABUT_INVALID_ARGUMENT);
    assert_false(abut_broad_has(broad, a));
    assert_true(abut_broad_has(broad, b) && abut_box_is_empty(abut_broad_box(broad, a)));
    test_assert_result(abut_broad_add(broad, good, 1, 1, &none), ABUT_OK);
    assert_int_equal(none, a); // ids of removed boxes are given again
    AbutBroadDef def = abut_broad_def();
    def.method = (AbutBroadMethod)17;
    AbutBroad* other = broad;
    test_assert_result(abut_broad_create(&def, &other), ABUT_INVALID_ARGUMENT);
    assert_null(other);
    assert_string_equal(abut_broad_method_name((AbutBroadMethod)17), "unknown method");
    abut_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_the_same_for_any_worker_count_and_method),
        cmocka_unit_test(test_pairs_are_the_same_for_every_instruction_set),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_a_collection_that_fails_can_be_repeated),
        cmocka_unit_test(test_nothing_is_allocated_once_warm),
        cmocka_unit_test(test_an_empty_world_has_no_pairs),
        cmocka_unit_test(test_more_pairs_than_the_limit_are_refused_and_can_be_mended),
        cmocka_unit_test(test_boxes_without_numbers_and_unknown_ids_are_refused),
    };
    return cmocka_run_group_tests_name("broad_workers", tests, NULL, NULL);
}
