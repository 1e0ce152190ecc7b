// Batches of primitives, which are computed in lanes and without records: the bytes of single calls, for all
// instruction sets, with coincidences on purpose.
#include "support/support.h"

#include <abut/abut.h>
#include <math.h>
#include <string.h>

enum
{
    SHAPES = 12,
    BODIES = 120,
    MOST_PAIRS = BODIES * (BODIES - 1),
    ROUNDS = 4
};

static void create_shapes(AbutShape* shapes[SHAPES])
{
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.1f, NULL, &shapes[1]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.2f, 0.5f, NULL, &shapes[2]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.25f, 1.0f, NULL, &shapes[3]), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(0.5f, 0.25f, 0.75f), NULL, &shapes[4]), ABUT_OK);
    test_assert_result(abut_shape_create_rounded_box(abut_vec3(0.5f, 0.5f, 0.25f), 0.125f, NULL, &shapes[5]),
                       ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &shapes[6]), ABUT_OK);
    test_assert_result(abut_shape_create_offset(shapes[2], 0.0625f, NULL, &shapes[7]), ABUT_OK);
    AbutPose pose = abut_pose_at(0.25, 0.0, -0.5);
    pose.scale = 0.5f;
    test_assert_result(abut_shape_create_transformed(shapes[0], &pose, NULL, &shapes[8]), ABUT_OK);
    test_assert_result(abut_shape_create_torus(0.5f, 0.125f, NULL, &shapes[9]), ABUT_OK);
    // States that samples do not prove are left to another method.
    AbutShape* const operands[2] = { shapes[4], shapes[8] };
    test_assert_result(abut_shape_create_intersection(operands, 2, NULL, &shapes[10]), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 16;
    test_assert_result(abut_bake_shape(&def, shapes[9], &shapes[11]), ABUT_OK);
}

/// Positions on a coarse grid for half of the bodies, so that many touch, coincide or are parallel.
static AbutPose random_pose(TestRandom* random, int round)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, 1.5);
    if (test_random_unit(random) < 0.5)
    {
        pose.position =
            (AbutPosition){ 0.25 * nearbyint(4.0 * pose.position.x), 0.25 * nearbyint(4.0 * pose.position.y),
                            0.25 * nearbyint(4.0 * pose.position.z) };
    }
    if (test_random_unit(random) < 0.6)
    {
        pose.rotation = test_random_rotation(random);
    }
    double scale = round == 1 ? 1e-6 : round == 2 ? 1e6 : 1.0;
    double far = round == 3 ? 1e7 : 0.0;
    pose.position = (AbutPosition){ far + pose.position.x * scale, pose.position.y * scale,
                                    pose.position.z * scale - far };
    pose.scale = (float)scale * (test_random_unit(random) < 0.5 ? 1.0f : 1.5f);
    double kind = test_random_unit(random);
    pose.position.x = kind < 0.01 ? NAN : kind < 0.02 ? 1e300 : pose.position.x;
    pose.rotation.w = kind > 0.99 ? 3.0f : pose.rotation.w;
    pose.scale = kind > 0.98 && kind < 0.99 ? INFINITY : pose.scale;
    return pose;
}

/// All pairs in both orders, some twice, and a body with itself.
static size_t make_pairs(AbutBodyPair* pairs, TestRandom* random)
{
    size_t count = 0;
    for (uint32_t a = 0; a < BODIES; ++a)
    {
        for (uint32_t b = 0; b < BODIES; ++b)
        {
            if (test_random_unit(random) < 0.2 && count < MOST_PAIRS)
            {
                pairs[count++] = (AbutBodyPair){ a, b };
            }
        }
    }
    return count;
}

static void check_pair(const AbutCollideBody* bodies, const AbutCollideSettings* settings,
                       const AbutCollideResults* results, const AbutPairResult* pair, size_t tally[2])
{
    AbutContact contacts[2048];
    AbutCollideInput input = { bodies[pair->a].shape,
                               bodies[pair->b].shape,
                               bodies[pair->a].pose,
                               bodies[pair->b].pose,
                               *settings,
                               NULL };
    AbutCollideOutput output = { .state = ABUT_COLLIDE_INVALID };
    if (pair->a != pair->b)
    {
        output = abut_collide(&input, contacts, 2048);
    }
    if (memcmp(&output, &pair->output, sizeof(output)) != 0)
    {
        fail_msg("pair %u %u: state %d, gap %g; alone %d, %g", pair->a, pair->b, (int)pair->output.state,
                 (double)pair->output.gap, (int)output.state, (double)output.gap);
    }
    const AbutContact* own = results->contacts + pair->first_contact;
    assert_memory_equal(own, contacts, output.contact_count * sizeof(contacts[0]));
    tally[0] += output.state == ABUT_COLLIDE_CONTACT;
    tally[1] += output.state == ABUT_COLLIDE_INVALID;
}

static void test_batches_of_primitives_have_the_bytes_of_single_calls(void** state)
{
    (void)state;
    static AbutCollideBody bodies[BODIES];
    static AbutBodyPair pairs[MOST_PAIRS];
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    const char* usual = abut_simd_name();
    AbutShape* shapes[SHAPES];
    create_shapes(shapes);
    TestRandom random = { 18 };
    size_t tally[2] = { 0 };
    for (int round = 0; round < ROUNDS * 4; ++round)
    {
        for (int i = 0; i < BODIES; ++i)
        {
            AbutShape* shape = shapes[test_random_bits(&random) % (round < 8    ? 4u
                                                                   : round < 12 ? SHAPES - 3u
                                                                                : SHAPES)];
            bodies[i] = (AbutCollideBody){ i % 50 == 49 ? NULL : shape, random_pose(&random, round % 4) };
        }
        AbutCollideSettings settings = abut_collide_settings();
        settings.margin = round % 3 == 1 ? 0.125f : 0.0f;
        settings.spacing = round % 5 == 2 ? 0.25f : 0.0f;
        settings.budget = 4096;
        const AbutPairsInput input = { bodies, BODIES, pairs, make_pairs(pairs, &random) };
        AbutWorkers* workers = NULL;
        AbutCollider* collider = NULL;
        if (abut_simd_force(sets[round % 4]) != ABUT_OK)
        {
            continue;
        }
        test_assert_result(abut_workers_create(round % 2 == 0 ? 1 : 3, NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        test_assert_result(abut_collider_create(&host, &collider), ABUT_OK);
        AbutCollideResults results;
        test_assert_result(abut_collide_pairs(collider, &input, &settings, &results), ABUT_OK);
        for (size_t i = 0; i < results.pair_count; ++i)
        {
            check_pair(bodies, &settings, &results, &results.pairs[i], tally);
        }
        abut_collider_destroy(collider);
        abut_workers_destroy(workers);
    }
    test_assert_result(abut_simd_force(usual), ABUT_OK);
    assert_true(tally[0] > 2000 && tally[1] > 500);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_of_primitives_have_the_bytes_of_single_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
