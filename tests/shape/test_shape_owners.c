// Lives of shapes: who owns whom, limits, bad arguments, failing memory, NaN points, many threads.
#include "support/oracles/oracle_tree.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static AbutShape* ball(const AbutHost* host)
{
    AbutShape* s = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, host, &s), ABUT_OK);
    return s;
}

static void ball_formula(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = abut_vec3_length(abut_vec3(points.x[i], points.y[i], points.z[i])) - 0.5f;
    }
}

/// Makes one of each combination and change out of two children.
static AbutResult create_kind(AbutShapeKind kind, AbutShape* a, AbutShape* b, const AbutHost* host,
                              AbutShape** out)
{
    AbutShape* const both[2] = { a, b };
    AbutPose pose = abut_pose_at(1.0, 2.0, 3.0);
    switch (kind)
    {
    case ABUT_SHAPE_UNION:
        return abut_shape_create_union(both, 2, host, out);
    case ABUT_SHAPE_INTERSECTION:
        return abut_shape_create_intersection(both, 2, host, out);
    case ABUT_SHAPE_DIFFERENCE:
        return abut_shape_create_difference(a, b, host, out);
    case ABUT_SHAPE_SMOOTH_UNION:
        return abut_shape_create_smooth_union(a, b, 0.25f, host, out);
    case ABUT_SHAPE_OFFSET:
        return abut_shape_create_offset(a, 0.25f, host, out);
    case ABUT_SHAPE_SHELL:
        return abut_shape_create_shell(a, 0.25f, host, out);
    case ABUT_SHAPE_TRANSFORMED:
        return abut_shape_create_transformed(a, &pose, host, out);
    default:
        return abut_shape_create_corrected(a, 2.0f, host, out);
    }
}

static const AbutShapeKind KINDS[] = { ABUT_SHAPE_UNION,       ABUT_SHAPE_INTERSECTION,
                                       ABUT_SHAPE_DIFFERENCE,  ABUT_SHAPE_SMOOTH_UNION,
                                       ABUT_SHAPE_OFFSET,      ABUT_SHAPE_SHELL,
                                       ABUT_SHAPE_TRANSFORMED, ABUT_SHAPE_CORRECTED };

enum
{
    KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0])
};

static bool has_two_children(AbutShapeKind kind)
{
    return kind <= ABUT_SHAPE_SMOOTH_UNION;
}

// -----------------------------------------------------------------------------------------------------------
// Owners
// -----------------------------------------------------------------------------------------------------------

static void test_children_may_go_right_after_the_combination_is_made(void** state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        TestHost host;
        test_host_init(&host);
        AbutShape *a = ball(&host.host), *b = ball(&host.host), *s = NULL;
        test_assert_result(create_kind(KINDS[i], a, b, &host.host, &s), ABUT_OK);
        float before = abut_shape_distance(s, abut_vec3(0.25f, 0.5f, 1.0f), NULL);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
        assert_true(host.live_count > 0);
        float after = abut_shape_distance(s, abut_vec3(0.25f, 0.5f, 1.0f), NULL);
        assert_memory_equal(&before, &after, sizeof(before));
        abut_shape_destroy(s);
        assert_int_equal(host.live_count, 0);
    }
}

static void test_a_shape_lives_until_its_last_owner_goes(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    AbutShape *s = ball(&host.host), *first = NULL, *second = NULL;
    assert_ptr_equal(abut_shape_retain(s), s);
    AbutShape* const twice[2] = { s, s };
    test_assert_result(abut_shape_create_union(twice, 2, &host.host, &first), ABUT_OK);
    test_assert_result(abut_shape_create_difference(first, s, &host.host, &second), ABUT_OK);
    abut_shape_destroy(s);
    abut_shape_destroy(first);
    abut_shape_destroy(s);
    test_assert_near(abut_shape_distance(second, abut_vec3(1, 0, 0), NULL), 0.5, 1e-6);
    abut_shape_destroy(second);
    assert_int_equal(host.live_count, 0);
    abut_shape_destroy(NULL);
}

static void test_memory_is_counted_once_per_reference(void** state)
{
    (void)state;
    AbutShape *leaf = ball(NULL), *s = NULL;
    size_t leaf_bytes = abut_shape_info(leaf).bytes;
    assert_true(leaf_bytes >= sizeof(AbutShapeInfo));
    AbutShape* const twice[2] = { leaf, leaf };
    test_assert_result(abut_shape_create_union(twice, 2, NULL, &s), ABUT_OK);
    assert_true(abut_shape_info(s).bytes > 2 * leaf_bytes && abut_shape_info(s).bytes < 5 * leaf_bytes);
    abut_shape_destroy(s);
    abut_shape_destroy(leaf);
}

enum
{
    DEEPEST = 64
};

static void test_nesting_ends_at_the_limit_with_a_message(void** state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        AbutShape *s = ball(NULL), *side = ball(NULL), *next = NULL;
        for (int depth = 2; depth <= DEEPEST; ++depth)
        {
            test_assert_result(create_kind(KINDS[i], s, side, NULL, &next), ABUT_OK);
            abut_shape_destroy(s);
            s = next;
        }
        // The deepest tree still answers, for a whole batch with gradients.
        static float c[3][256], v[4][256];
        abut_shape_sample(s, NULL, (AbutPoints){ c[0], c[1], c[2] }, 256,
                          (AbutSamples){ v[0], v[1], v[2], v[3] });
        assert_true(isfinite(v[0][255]));
        next = s;
        test_assert_result(create_kind(KINDS[i], s, side, NULL, &next), ABUT_LIMIT_EXCEEDED);
        assert_null(next);
        assert_non_null(strstr(abut_last_error(), "64"));
        if (has_two_children(KINDS[i])) // the limit is that of the deeper child
        {
            test_assert_result(create_kind(KINDS[i], side, s, NULL, &next), ABUT_LIMIT_EXCEEDED);
            assert_null(next);
        }
        abut_shape_destroy(s);
        abut_shape_destroy(side);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Bad arguments and memory
// -----------------------------------------------------------------------------------------------------------

#define expect_invalid(call)                                                                                 \
    do                                                                                                       \
    {                                                                                                        \
        s = a; /* must be overwritten */                                                                     \
        test_assert_result(call, ABUT_INVALID_ARGUMENT);                                                     \
        assert_null(s);                                                                                      \
        assert_true(strlen(abut_last_error()) > 10);                                                         \
    } while (0)

static void test_missing_children_are_refused(void** state)
{
    (void)state;
    AbutShape *a = ball(NULL), *s = NULL;
    AbutShape* const holes[3] = { a, NULL, a };
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        expect_invalid(create_kind(KINDS[i], NULL, a, NULL, &s));
        if (has_two_children(KINDS[i]))
        {
            expect_invalid(create_kind(KINDS[i], a, NULL, NULL, &s));
        }
    }
    expect_invalid(abut_shape_create_union(holes, 3, NULL, &s));
    assert_non_null(strstr(abut_last_error(), "child 1"));
    expect_invalid(abut_shape_create_union(holes, 0, NULL, &s));
    expect_invalid(abut_shape_create_union(NULL, 2, NULL, &s));
    expect_invalid(abut_shape_create_union(NULL, 0, NULL, &s));
    expect_invalid(abut_shape_create_intersection(holes, 3, NULL, &s));
    expect_invalid(abut_shape_create_intersection(holes, 0, NULL, &s));
    expect_invalid(abut_shape_create_intersection(NULL, 1, NULL, &s));
    abut_shape_destroy(a);
}

static void test_numbers_out_of_range_are_refused(void** state)
{
    (void)state;
    AbutShape *a = ball(NULL), *s = NULL;
    const float bad[] = { NAN, INFINITY, -INFINITY, 0.0f, -1.0f, 1e13f, 1e-13f };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        float b = bad[i];
        expect_invalid(abut_shape_create_smooth_union(a, a, b, NULL, &s));
        expect_invalid(abut_shape_create_shell(a, b, NULL, &s));
        expect_invalid(abut_shape_create_corrected(a, b, NULL, &s));
        AbutPose pose = abut_pose_identity();
        pose.scale = b;
        expect_invalid(abut_shape_create_transformed(a, &pose, NULL, &s));
        if (!isfinite(b) || b > 1e12f)
        {
            expect_invalid(abut_shape_create_offset(a, b, NULL, &s));
            expect_invalid(abut_shape_create_offset(a, -b, NULL, &s));
        }
    }
    AbutPose pose = abut_pose_identity();
    pose.rotation.w = 0.9f;
    expect_invalid(abut_shape_create_transformed(a, &pose, NULL, &s));
    pose = abut_pose_at(NAN, 0, 0);
    expect_invalid(abut_shape_create_transformed(a, &pose, NULL, &s));
    abut_shape_destroy(a);
}

/// Two leaves, a combination of the given kind and a change on top, everything from the host.
static AbutResult create_small_tree(void* context, const AbutHost* host)
{
    AbutShapeKind kind = *(const AbutShapeKind*)context;
    AbutShape *a = NULL, *b = NULL, *both = NULL, *top = NULL;
    AbutCallbackDef def = abut_callback_def();
    def.function = ball_formula;
    def.host = host;
    AbutResult result = abut_shape_create_sphere(1.0f, host, &a);
    result = result == ABUT_OK ? abut_shape_create_callback(&def, &b) : result;
    result = result == ABUT_OK ? create_kind(kind, a, b, host, &both) : result;
    result = result == ABUT_OK ? abut_shape_create_offset(both, 0.5f, host, &top) : result;
    assert_true((result == ABUT_OK) == (top != NULL));
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    abut_shape_destroy(both);
    abut_shape_destroy(top);
    return result;
}

static void test_every_failing_allocation_leaves_nothing_behind(void** state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        AbutShapeKind kind = KINDS[i];
        assert_true(test_fail_every_allocation(create_small_tree, &kind) >= 4);
    }
}

/// Children may come from other hosts than their parents.
static void test_memory_goes_back_to_the_host_that_it_came_from(void** state)
{
    (void)state;
    TestHost hosts[2];
    test_host_init(&hosts[0]);
    test_host_init(&hosts[1]);
    AbutShape *a = ball(&hosts[0].host), *s = NULL;
    test_assert_result(create_kind(ABUT_SHAPE_UNION, a, a, &hosts[1].host, &s), ABUT_OK);
    abut_shape_destroy(a);
    assert_int_equal(hosts[0].live_count, 1);
    abut_shape_destroy(s);
    assert_int_equal(hosts[0].live_count, 0);
    assert_int_equal(hosts[1].live_count, 0);
}

// -----------------------------------------------------------------------------------------------------------
// Points that are no points
// -----------------------------------------------------------------------------------------------------------

static void test_nan_points_get_nan_and_leave_their_neighbours_alone(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int tree_number = 0; tree_number < 100; ++tree_number)
    {
        OracleTree* tree = oracle_tree_random(&random, tree_number % 4, true);
        float c[3][19], clean[4][19], v[4][19];
        for (int i = 0; i < 19; ++i)
        {
            AbutVec3 p = test_random_point(&random, 2.0);
            c[0][i] = p.x;
            c[1][i] = p.y;
            c[2][i] = p.z;
        }
        AbutPoints points = { c[0], c[1], c[2] };
        abut_shape_sample(tree->shape, NULL, points, 19,
                          (AbutSamples){ clean[0], clean[1], clean[2], clean[3] });
        int bad = (int)(test_random_bits(&random) % 19), axis = (int)(test_random_bits(&random) % 3);
        c[axis][bad] = NAN;
        abut_shape_sample(tree->shape, NULL, points, 19, (AbutSamples){ v[0], v[1], v[2], v[3] });
        for (int k = 0; k < 4; ++k)
        {
            for (int i = 0; i < 19; ++i)
            {
                assert_true(i == bad ? isnan(v[k][i]) : v[k][i] == clean[k][i]);
            }
        }
        oracle_tree_destroy(tree);
    }
}

static void nowhere(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    (void)points;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = NAN;
    }
}

/// A formula that has no answer somewhere must not vanish in a minimum: separated would be proved where
/// nothing is known.
static void test_nan_of_one_child_reaches_the_top(void** state)
{
    (void)state;
    AbutShape *lost = NULL, *a = ball(NULL);
    AbutCallbackDef def = abut_callback_def();
    def.function = nowhere;
    test_assert_result(abut_shape_create_callback(&def, &lost), ABUT_OK);
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        for (int order = 0; order < 2; ++order)
        {
            if (order == 1 && !has_two_children(KINDS[i]))
            {
                continue;
            }
            AbutShape *s = NULL, *first = order == 0 ? lost : a, *second = order == 0 ? a : lost;
            test_assert_result(create_kind(KINDS[i], first, second, NULL, &s), ABUT_OK);
            AbutVec3 g;
            if (!isnan(abut_shape_distance(s, abut_vec3(1, 2, 3), &g)) || !isnan(g.x) || !isnan(g.y) ||
                !isnan(g.z))
            {
                fail_msg("%s loses the NaN of child %d", abut_shape_kind_name(KINDS[i]), order);
            }
            abut_shape_destroy(s);
        }
    }
    abut_shape_destroy(lost);
    abut_shape_destroy(a);
}

/// Finite points, however far, have numbers for distances (infinite ones where floats end).
static void test_huge_points_have_no_nan(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    const float far_away[] = { 1e15f, 1e19f, 1e25f, 1e37f };
    for (int i = 0; i < 200; ++i)
    {
        OracleTree* tree = oracle_tree_random(&random, i % 4, true);
        for (int k = 0; k < 4; ++k)
        {
            AbutVec3 p = abut_vec3_scale(test_random_direction(&random), far_away[k]);
            if (isnan(abut_shape_distance(tree->shape, p, NULL)))
            {
                fail_msg("%s is NaN at %g %g %g", oracle_tree_text(tree), (double)p.x, (double)p.y,
                         (double)p.z);
            }
        }
        oracle_tree_destroy(tree);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Threads
// -----------------------------------------------------------------------------------------------------------

enum
{
    THREADS = 4,
    ROUNDS = 200
};

/// Samples a shared tree while others take and give up references to it and to its parts.
static void* share(void* user)
{
    const OracleTree* tree = user;
    static const AbutVec3 p = { 0.3f, -0.2f, 0.7f };
    for (int i = 0; i < ROUNDS; ++i)
    {
        AbutShape *mine = abut_shape_retain(tree->shape), *moved = NULL;
        AbutPose pose = abut_pose_at(0.5, 0.0, 0.0);
        if (abut_shape_create_transformed(mine, &pose, NULL, &moved) != ABUT_OK)
        {
            return user;
        }
        abut_shape_destroy(mine);
        float here = abut_shape_distance(tree->shape, p, NULL);
        float there = abut_shape_distance(moved, abut_vec3(p.x + 0.5f, p.y, p.z), NULL);
        abut_shape_destroy(moved);
        if (!(fabsf(here - there) < 1e-4f))
        {
            return user;
        }
    }
    return NULL;
}

static void test_threads_share_trees(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < 20; ++i)
    {
        OracleTree* tree = oracle_tree_random(&random, 1 + i % 4, false);
        pthread_t threads[THREADS];
        for (int k = 0; k < THREADS; ++k)
        {
            assert_int_equal(pthread_create(&threads[k], NULL, share, tree), 0);
        }
        for (int k = 0; k < THREADS; ++k)
        {
            void* failed = NULL;
            pthread_join(threads[k], &failed);
            assert_null(failed);
        }
        oracle_tree_destroy(tree);
    }
}

static void test_workers_give_the_bytes_of_one_thread(void** state)
{
    (void)state;
    enum
    {
        COUNT = 50001
    };
    static float c[3][COUNT], one[4][COUNT], many[4][COUNT];
    AbutWorkers* workers = NULL;
    test_assert_result(abut_workers_create(3, NULL, &workers), ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    TestRandom random = { 4 };
    for (int i = 0; i < COUNT; ++i)
    {
        AbutVec3 p = test_random_point(&random, 2.0);
        c[0][i] = p.x;
        c[1][i] = p.y;
        c[2][i] = p.z;
    }
    for (int i = 0; i < 8; ++i)
    {
        OracleTree* tree = oracle_tree_random(&random, 1 + i % 4, true);
        AbutPose pose = { { 0.25, 0.5, -0.125 }, test_random_rotation(&random), 1.5f };
        AbutPoints points = { c[0], c[1], c[2] };
        size_t count = i % 2 == 0 ? COUNT : (size_t)(i * 4096);
        abut_shape_sample(tree->shape, i % 3 == 0 ? NULL : &pose, points, count,
                          (AbutSamples){ one[0], one[1], one[2], one[3] });
        abut_shape_sample_parallel(tree->shape, i % 3 == 0 ? NULL : &pose, points, count,
                                   (AbutSamples){ many[0], many[1], many[2], many[3] }, &host);
        for (int k = 0; k < 4; ++k)
        {
            assert_memory_equal(one[k], many[k], count * sizeof(float));
        }
        abut_shape_sample_parallel(tree->shape, NULL, points, 0, (AbutSamples){ .distance = many[0] }, &host);
        oracle_tree_destroy(tree);
    }
    abut_workers_destroy(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_may_go_right_after_the_combination_is_made),
        cmocka_unit_test(test_a_shape_lives_until_its_last_owner_goes),
        cmocka_unit_test(test_memory_is_counted_once_per_reference),
        cmocka_unit_test(test_nesting_ends_at_the_limit_with_a_message),
        cmocka_unit_test(test_missing_children_are_refused),
        cmocka_unit_test(test_numbers_out_of_range_are_refused),
        cmocka_unit_test(test_every_failing_allocation_leaves_nothing_behind),
        cmocka_unit_test(test_memory_goes_back_to_the_host_that_it_came_from),
        cmocka_unit_test(test_nan_points_get_nan_and_leave_their_neighbours_alone),
        cmocka_unit_test(test_nan_of_one_child_reaches_the_top),
        cmocka_unit_test(test_huge_points_have_no_nan),
        cmocka_unit_test(test_threads_share_trees),
        cmocka_unit_test(test_workers_give_the_bytes_of_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
