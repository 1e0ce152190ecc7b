// All pairs of a step: the same answers as one by one, the same bytes for any workers and order, no memory once warm, and
// answers of the last step that are used again only where they still hold.
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 40,
    MOST_PAIRS = BODIES * BODIES,
    CAPACITY = 2048
};

typedef struct Scene
{
    AbutShape* shapes[6];
    AbutCollideBody bodies[BODIES];
    AbutBodyPair pairs[MOST_PAIRS];
    size_t pair_count;
} Scene;

static AbutContact contacts[CAPACITY];

static void create_shapes(AbutShape* shapes[6])
{
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.4f, 0.7f), NULL, &shapes[1]), ABUT_OK);
    test_assert_result(abut_shape_create_torus(0.5f, 0.1f, NULL, &shapes[2]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.2f, 0.8f, NULL, &shapes[3]), ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -1.0f, NULL, &shapes[4]),
                       ABUT_OK);
    AbutShape* parts[2] = { shapes[0], shapes[3] };
    test_assert_result(abut_shape_create_union(parts, 2, NULL, &shapes[5]), ABUT_OK);
}

static AbutPose random_pose(TestRandom* random, double reach)
{
    AbutVec3 p = test_random_point(random, reach);
    AbutPose pose = abut_pose_at(p.x, p.y, p.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.8, 1.2);
    return pose;
}

/// Body 0 is the plane; all pairs with a < b.
static void scene_init(Scene* scene, uint64_t seed)
{
    TestRandom random = { seed };
    create_shapes(scene->shapes);
    scene->pair_count = 0;
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        scene->bodies[i].shape = i == 0 ? scene->shapes[4] : scene->shapes[i % 6 == 4 ? 5 : i % 6];
        scene->bodies[i].pose = i == 0 ? abut_pose_identity() : random_pose(&random, 1.5);
        for (uint32_t k = 0; k < i; ++k)
        {
            scene->pairs[scene->pair_count++] = (AbutBodyPair){ k, i };
        }
    }
}

static void scene_destroy(Scene* scene)
{
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(scene->shapes[i]);
    }
}

static AbutCollider* create_collider(const AbutHost* host)
{
    AbutCollider* collider = NULL;
    test_assert_result(abut_collider_create(host, &collider), ABUT_OK);
    return collider;
}

static AbutCollideResults collide(AbutCollider* collider, const Scene* scene,
                                  const AbutCollideSettings* settings)
{
    AbutCollideResults results;
    test_assert_result(abut_collide_pairs(collider, scene->bodies, BODIES, scene->pairs, scene->pair_count,
                                          settings, &results),
                       ABUT_OK);
    return results;
}

static AbutCollideSettings variant(int i)
{
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = i == 0 ? ABUT_COLLIDE_ADAPTIVE : ABUT_COLLIDE_PARTICLES;
    settings.particles.resolution = i == 4 ? 14 : 6; // more than one run each
    settings.particles.one_per_voxel = i == 2;
    settings.particles.deepest = i == 3 ? 7 : 0;
    settings.particles.quasi_random = i == 3;
    return settings;
}

enum
{
    VARIANTS = 5
};

/// Everything of the results that has a meaning.
static uint64_t hash_results(const AbutCollideResults* results)
{
    uint64_t hash = abut_hash(results->contacts, results->contact_count * sizeof(AbutContact), 1);
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* p = &results->pairs[i];
        const uint64_t numbers[] = { p->a,
                                     p->b,
                                     (uint64_t)p->output.state,
                                     (uint64_t)p->output.contact_count,
                                     (uint64_t)p->output.contact_total,
                                     p->output.evaluations,
                                     p->first_contact,
                                     p->reused };
        const float lengths[] = { p->output.gap, p->output.spacing, p->moved };
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = abut_hash(lengths, sizeof(lengths), hash);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

static void check_pair(const Scene* scene, const AbutCollideSettings* settings,
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
    Scene scene;
    scene_init(&scene, 10);
    for (int i = 0; i < VARIANTS - 1; ++i) // the last has more contacts than the array here
    {
        AbutCollideSettings settings = variant(i);
        AbutCollider* collider = create_collider(NULL);
        AbutCollideResults results = collide(collider, &scene, &settings);
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
    scene_destroy(&scene);
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
    Scene scene;
    scene_init(&scene, 11);
    AbutCollideSettings settings = variant(1);
    AbutCollider* collider = create_collider(NULL);
    AbutCollideResults results = collide(collider, &scene, &settings);
    uint64_t expected = hash_results(&results);
    TestRandom random = { 12 };
    for (int i = 0; i < 5; ++i)
    {
        for (int k = 0; k < 20; ++k)
        {
            scene.pairs[scene.pair_count] = scene.pairs[test_random_bits(&random) % scene.pair_count];
            scene.pair_count += 1;
        }
        shuffle(scene.pairs, scene.pair_count, &random);
        abut_collider_forget(collider);
        results = collide(collider, &scene, &settings);
        assert_true(hash_results(&results) == expected);
    }
    abut_collider_destroy(collider);
    scene_destroy(&scene);
}

/// A few steps of a scene whose bodies move, with everything on that remembers; a hash of all results.
static uint64_t run_steps(const AbutHost* host, int settings_index, bool shuffled)
{
    Scene scene;
    scene_init(&scene, 13);
    AbutCollideSettings settings = variant(settings_index);
    settings.reuse = 0.01f;
    settings.particles.reuse = true;
    AbutCollider* collider = create_collider(host);
    TestRandom random = { 14 }, order = { 15 };
    uint64_t hash = 0;
    for (int i = 0; i < 4; ++i)
    {
        if (shuffled)
        {
            shuffle(scene.pairs, scene.pair_count, &order);
        }
        AbutCollideResults results = collide(collider, &scene, &settings);
        hash = hash * 31 + hash_results(&results);
        for (int k = 1; k < BODIES; ++k)
        {
            scene.bodies[k].pose.position.x += test_random_range(&random, -0.005, 0.005);
            scene.bodies[k].pose.position.y += test_random_range(&random, -0.005, 0.005);
        }
    }
    abut_collider_destroy(collider);
    scene_destroy(&scene);
    return hash;
}

static void test_all_worker_counts_give_the_same_bytes(void** state)
{
    (void)state;
    static const uint32_t counts[] = { 1, 2, 7 };
    for (int i = 0; i < VARIANTS; ++i)
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
    for (int i = 0; i < VARIANTS; ++i)
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
    create_shapes(shapes);
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
    AbutCollider* collider = create_collider(&host);
    AbutCollideResults results;
    test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
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

// ---------------------------------------------------------------------------------------------------------------------
// Memory and bad input
// ---------------------------------------------------------------------------------------------------------------------

static void test_a_warm_collider_does_not_allocate(void** state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; ++i)
    {
        Scene scene;
        scene_init(&scene, 16);
        TestHost test_host;
        test_host_init(&test_host);
        AbutCollideSettings settings = variant(i);
        settings.reuse = 0.001f;
        settings.particles.reuse = i == 2;
        AbutCollider* collider = create_collider(&test_host.host);
        uint64_t warm = 0;
        for (int step = 0; step < 6; ++step)
        {
            scene.bodies[1 + step].pose.position.x += 1e-4;
            collide(collider, &scene, &settings);
            if (step == 3) // both turns of the buffers, and room to spare from doubling
            {
                warm = test_host.allocation_count;
            }
        }
        assert_int_equal(test_host.allocation_count, warm);
        abut_collider_destroy(collider);
        assert_int_equal(test_host.live_count, 0);
        scene_destroy(&scene);
    }
}

static AbutResult create_and_step(void* context, const AbutHost* host)
{
    Scene* scene = context;
    AbutCollider* collider = NULL;
    AbutResult result = abut_collider_create(host, &collider);
    for (int i = 0; i < VARIANTS && result == ABUT_OK; ++i)
    {
        AbutCollideSettings settings = variant(i);
        AbutCollideResults results;
        result = abut_collide_pairs(collider, scene->bodies, BODIES, scene->pairs, 60, &settings, &results);
    }
    abut_collider_destroy(collider);
    return result;
}

static void test_memory_running_out_leaves_nothing_behind(void** state)
{
    (void)state;
    Scene scene;
    scene_init(&scene, 17);
    assert_true(test_fail_every_allocation(create_and_step, &scene) > 5);
    scene_destroy(&scene);
}

static void test_a_bad_pair_does_not_stop_the_others(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        Scene scene;
        scene_init(&scene, 18);
        AbutCollideSettings settings = variant(i);
        AbutCollider* collider = create_collider(NULL);
        scene.bodies[3].pose.position.y = NAN;
        scene.bodies[5].pose.scale = 0.0f;
        scene.bodies[7].shape = NULL;
        scene.bodies[9].pose.rotation.w = 5.0f;
        scene.bodies[11].shape = scene.shapes[4]; // a plane, with the plane
        scene.pairs[scene.pair_count++] = (AbutBodyPair){ 12, 12 };
        for (int step = 0; step < 2; ++step) // also with something to remember
        {
            AbutCollideResults results = collide(collider, &scene, &settings);
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
        AbutCollideResults results = collide(collider, &scene, &settings);
        assert_true(results.pairs[2].b == 3 && results.pairs[2].output.state != ABUT_COLLIDE_INVALID);
        abut_collider_destroy(collider);
        scene_destroy(&scene);
    }
}

static void test_bad_calls_are_refused_and_change_nothing(void** state)
{
    (void)state;
    Scene scene;
    scene_init(&scene, 19);
    AbutCollider* collider = create_collider(NULL);
    AbutCollideSettings settings = abut_collide_settings();
    AbutCollideResults results = { .pair_count = 77 };
    scene.pairs[3].b = BODIES;
    test_assert_result(abut_collide_pairs(collider, scene.bodies, BODIES, scene.pairs, scene.pair_count,
                                          &settings, &results),
                       ABUT_INVALID_ARGUMENT);
    assert_non_null(strstr(abut_last_error(), "pair 3"));
    settings.reuse = NAN;
    test_assert_result(
        abut_collide_pairs(collider, scene.bodies, BODIES, scene.pairs, 2, &settings, &results),
        ABUT_INVALID_ARGUMENT);
    settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    settings.particles.resolution = 0;
    test_assert_result(
        abut_collide_pairs(collider, scene.bodies, BODIES, scene.pairs, 2, &settings, &results),
        ABUT_INVALID_ARGUMENT);
    assert_int_equal(results.pair_count, 77);
    settings = abut_collide_settings();
    test_assert_result(abut_collide_pairs(collider, NULL, 0, NULL, 0, &settings, &results), ABUT_OK);
    assert_int_equal(results.pair_count, 0);
    assert_int_equal(results.contact_count, 0);
    abut_collider_destroy(collider);
    abut_collider_destroy(NULL);
    scene_destroy(&scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Between steps
// ---------------------------------------------------------------------------------------------------------------------

static void test_what_stands_still_is_used_again(void** state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; ++i)
    {
        Scene scene;
        scene_init(&scene, 20);
        AbutCollideSettings settings = variant(i);
        AbutCollider* collider = create_collider(NULL);
        AbutCollideResults first = collide(collider, &scene, &settings);
        AbutContact* copy = malloc(first.contact_count * sizeof(AbutContact));
        assert_non_null(copy);
        memcpy(copy, first.contacts, first.contact_count * sizeof(AbutContact));
        for (int step = 0; step < 3; ++step)
        {
            AbutCollideResults again = collide(collider, &scene, &settings);
            assert_int_equal(again.reused_count, scene.pair_count);
            assert_int_equal(again.evaluations, 0);
            assert_int_equal(again.contact_count, first.contact_count);
            assert_memory_equal(again.contacts, copy, again.contact_count * sizeof(AbutContact));
        }
        scene.bodies[4].pose.position.x += 1e-9; // one body moves: its pairs are computed, no others
        AbutCollideResults moved = collide(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, scene.pair_count - (BODIES - 1));
        scene.bodies[6].shape = scene.shapes[1]; // other shape
        moved = collide(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, scene.pair_count - (BODIES - 1));
        settings.spacing = 0.05f; // other settings
        moved = collide(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, 0);
        free(copy);
        abut_collider_destroy(collider);
        scene_destroy(&scene);
    }
}

static void test_pairs_left_out_of_a_step_are_forgotten(void** state)
{
    (void)state;
    Scene scene;
    scene_init(&scene, 21);
    AbutCollideSettings settings = abut_collide_settings();
    AbutCollider* collider = create_collider(NULL);
    collide(collider, &scene, &settings);
    size_t all = scene.pair_count;
    scene.pair_count = 10;
    assert_int_equal(collide(collider, &scene, &settings).reused_count, 10);
    scene.pair_count = all;
    assert_int_equal(collide(collider, &scene, &settings).reused_count, 10);
    abut_collider_destroy(collider);
    scene_destroy(&scene);
}

static void test_shapes_live_as_long_as_they_are_remembered(void** state)
{
    (void)state;
    TestHost test_host;
    test_host_init(&test_host);
    AbutShape *a = NULL, *b = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, &test_host.host, &a), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.5f, &test_host.host, &b), ABUT_OK);
    AbutCollideBody bodies[2] = { { a, abut_pose_identity() }, { b, abut_pose_at(0.9, 0.0, 0.0) } };
    AbutBodyPair pair = { 0, 1 };
    AbutCollideSettings settings = abut_collide_settings();
    AbutCollider* collider = create_collider(NULL);
    AbutCollideResults results;
    for (int i = 0; i < 3; ++i)
    {
        test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
        assert_int_equal(results.pairs[0].output.state, ABUT_COLLIDE_CONTACT);
    }
    abut_shape_destroy(b);
    assert_int_equal(test_host.live_count, 2); // so no new shape can have its address
    test_assert_result(abut_shape_create_sphere(0.3f, &test_host.host, &b), ABUT_OK);
    bodies[1].shape = b;
    test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
    assert_int_equal(results.pairs[0].output.state, ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    test_assert_result(abut_collide_pairs(collider, NULL, 0, NULL, 0, &settings, &results), ABUT_OK);
    test_assert_result(abut_collide_pairs(collider, NULL, 0, NULL, 0, &settings, &results), ABUT_OK);
    assert_int_equal(test_host.live_count, 0);
    abut_collider_destroy(collider);
}

typedef struct MotionTally
{
    size_t reused_contacts, reused_apart, computed;
} MotionTally;

/// A reused answer against the truth now.
static void check_reused(const Scene* scene, const AbutCollideSettings* settings,
                         const AbutCollideResults* results, const AbutPairResult* pair, MotionTally* tally)
{
    const AbutCollideBody *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    AbutCollideInput input = abut_collide_input(a->shape, b->shape);
    input.pose_a = a->pose;
    input.pose_b = b->pose;
    AbutCollideOutput fresh = abut_collide(&input, NULL, 0);
    bool contact = pair->output.state == ABUT_COLLIDE_CONTACT;
    tally->reused_contacts += contact ? 1 : 0;
    tally->reused_apart += contact ? 0 : 1;
    assert_true(contact || pair->output.state == ABUT_COLLIDE_SEPARATED);
    if (fresh.state == (contact ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_CONTACT))
    {
        fail_msg("pair %u %u, moved by %g: %s, but computed anew it is %s", pair->a, pair->b,
                 (double)pair->moved, abut_collide_state_name(pair->output.state),
                 abut_collide_state_name(fresh.state));
    }
    assert_true(pair->output.contact_count == 0 || pair->moved <= settings->reuse);
    AbutPose relative = abut_pose_relative(&a->pose, &b->pose);
    for (int i = 0; i < pair->output.contact_count; ++i)
    {
        const AbutContact* c = &results->contacts[pair->first_contact + (size_t)i];
        AbutPosition p = { (double)c->position.x, (double)c->position.y, (double)c->position.z };
        float fa = abut_shape_distance(a->shape, c->position, NULL);
        float fb = abut_shape_distance_at(b->shape, &relative, p, NULL);
        bool sum = settings->method == ABUT_COLLIDE_ADAPTIVE && fmaxf(fa, fb) > 0.0f;
        float separation = sum ? fa + fb : fminf(fa, fb);
        float slope = fmaxf(1.0f, abut_shape_info(b->shape).lipschitz);
        if (!(fabsf(separation - c->separation) <= slope * pair->moved + 2e-6f))
        {
            fail_msg("moved by %g: separation %g, now %g", (double)pair->moved, (double)c->separation,
                     (double)separation);
        }
    }
}

/// Spheres have a gap in closed form: what is reported is never more.
static void check_sphere_gap(const Scene* scene, const AbutPairResult* pair)
{
    const AbutCollideBody *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    if (a->shape != scene->shapes[0] || b->shape != scene->shapes[0])
    {
        return;
    }
    double x = a->pose.position.x - b->pose.position.x, y = a->pose.position.y - b->pose.position.y;
    double z = a->pose.position.z - b->pose.position.z;
    double gap = sqrt(x * x + y * y + z * z) - 0.5 * ((double)a->pose.scale + (double)b->pose.scale);
    gap /= (double)a->pose.scale; // in lengths of A
    if (pair->output.state == ABUT_COLLIDE_SEPARATED)
    {
        assert_true((double)pair->output.gap <= gap + 1e-6);
    }
    else if (pair->output.state == ABUT_COLLIDE_CONTACT)
    {
        assert_true(gap <= 1e-6);
    }
}

/// Moves everything but the plane by a little.
static void move_bodies(Scene* scene, TestRandom* random)
{
    for (int k = 1; k < BODIES; ++k)
    {
        AbutVec3 way = test_random_point(random, 0.0015);
        AbutPose* pose = &scene->bodies[k].pose;
        pose->position.x += (double)way.x;
        pose->position.y += (double)way.y;
        pose->position.z += (double)way.z;
        AbutQuat turn = abut_quat_from_axis_angle(test_random_direction(random), 0.001f);
        pose->rotation = abut_quat_multiply(turn, pose->rotation);
    }
}

static MotionTally run_motions(Scene* scene, AbutCollideSettings settings, int steps, bool spheres)
{
    settings.reuse = 0.01f;
    AbutCollider* collider = create_collider(NULL);
    TestRandom random = { 23 };
    MotionTally tally = { 0 };
    for (int step = 0; step < steps; ++step)
    {
        AbutCollideResults results = collide(collider, scene, &settings);
        for (size_t k = 0; k < results.pair_count; ++k)
        {
            const AbutPairResult* pair = &results.pairs[k];
            if (spheres)
            {
                check_sphere_gap(scene, pair);
            }
            tally.computed += pair->reused ? 0 : 1;
            if (pair->reused)
            {
                check_reused(scene, &settings, &results, pair, &tally);
            }
        }
        move_bodies(scene, &random);
    }
    print_message("%s: %zu contacts and %zu gaps used again, %zu computed\n",
                  abut_collide_method_name(settings.method), tally.reused_contacts, tally.reused_apart,
                  tally.computed);
    abut_collider_destroy(collider);
    return tally;
}

static void test_reused_answers_hold_after_small_motions(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        Scene scene;
        scene_init(&scene, 22);
        MotionTally tally = run_motions(&scene, variant(i), 80, true); // 80 · 780 motions, twice
        assert_true(tally.reused_contacts > 1000 && tally.reused_apart > 1000 && tally.computed > 1000);
        scene_destroy(&scene);
    }
}

/// All but the plane become fields, with errors that proofs must count in.
static void bake_scene(Scene* scene, AbutFieldFormat format)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 24;
    def.format = format;
    AbutShape* fields[6] = { NULL };
    for (int i = 0; i < 6; ++i)
    {
        if (i != 4)
        {
            test_assert_result(abut_bake_shape(&def, scene->shapes[i], &fields[i]), ABUT_OK);
            for (int k = 1; k < BODIES; ++k)
            {
                bool same = scene->bodies[k].shape == scene->shapes[i];
                scene->bodies[k].shape = same ? fields[i] : scene->bodies[k].shape;
            }
            abut_shape_destroy(scene->shapes[i]);
            scene->shapes[i] = fields[i];
        }
    }
}

static void test_reused_answers_of_fields_hold_after_small_motions(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        Scene scene;
        scene_init(&scene, 24);
        bake_scene(&scene, i == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER);
        MotionTally tally = run_motions(&scene, variant(i), 12, false);
        assert_true(tally.reused_contacts > 100 && tally.reused_apart > 1000 && tally.computed > 100);
        scene_destroy(&scene);
    }
}

static void test_a_body_on_a_plane_is_bounded_by_its_own_corners(void** state)
{
    (void)state;
    AbutShape* shapes[6];
    create_shapes(shapes);
    AbutCollideBody bodies[2] = { { shapes[1], abut_pose_at(0.0, -0.9, 0.0) },
                                  { shapes[4], abut_pose_identity() } };
    AbutBodyPair pair = { 0, 1 };
    AbutCollideSettings settings = abut_collide_settings();
    settings.reuse = 0.01f;
    AbutCollider* collider = create_collider(NULL);
    AbutCollideResults results;
    test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
    bodies[0].pose.position.x += 0.003;
    bodies[1].pose.position.z += 0.004;
    test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
    assert_int_equal(results.reused_count, 1);
    test_assert_near(results.pairs[0].moved, 0.005, 1e-6);
    bodies[0].pose.position.x += 0.007; // counted from where it was computed: 0.0108
    test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results), ABUT_OK);
    assert_int_equal(results.reused_count, 0);
    abut_collider_destroy(collider);
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_particles_follow_the_contacts_of_the_last_step(void** state)
{
    (void)state;
    AbutShape *needle = NULL, *plate = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(0.004f, 2.0f, 0.004f), NULL, &needle), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(2.0f, 0.02f, 2.0f), NULL, &plate), ABUT_OK);
    AbutCollideBody bodies[2] = { { plate, abut_pose_identity() },
                                  { needle, abut_pose_at(0.31, 0.5, 0.12) } };
    bodies[1].pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 1.0f), 0.7f);
    AbutBodyPair pair = { 0, 1 };
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    settings.tolerance = 1e-4f;
    settings.particles.resolution = 3;
    settings.particles.steps = 6;
    settings.particles.one_per_voxel = true;
    int found[2] = { 0, 0 };
    for (int i = 0; i < 2; ++i)
    {
        AbutCollider* collider = create_collider(NULL);
        settings.particles.reuse = i == 1;
        AbutPose start = bodies[1].pose;
        for (int step = 0; step < 50; ++step)
        {
            AbutCollideResults results;
            test_assert_result(abut_collide_pairs(collider, bodies, 2, &pair, 1, &settings, &results),
                               ABUT_OK);
            found[i] += results.contact_count > 0 ? 1 : 0;
            AbutQuat turn = abut_quat_from_axis_angle(abut_vec3(0.2f, 1.0f, 0.0f), 0.02f);
            bodies[1].pose.rotation = abut_quat_multiply(turn, bodies[1].pose.rotation);
        }
        bodies[1].pose = start;
        abut_collider_destroy(collider);
    }
    print_message("found in %d of 50 steps, in %d with the contacts of the last step\n", found[0], found[1]);
    assert_true(found[0] < 48 && found[1] > found[0]);
    abut_shape_destroy(needle);
    abut_shape_destroy(plate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_those_of_single_pairs),
        cmocka_unit_test(test_order_and_repetition_of_pairs_do_not_matter),
        cmocka_unit_test(test_all_worker_counts_give_the_same_bytes),
        cmocka_unit_test(test_all_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(test_a_large_pair_is_spread_over_the_workers),
        cmocka_unit_test(test_a_warm_collider_does_not_allocate),
        cmocka_unit_test(test_memory_running_out_leaves_nothing_behind),
        cmocka_unit_test(test_a_bad_pair_does_not_stop_the_others),
        cmocka_unit_test(test_bad_calls_are_refused_and_change_nothing),
        cmocka_unit_test(test_what_stands_still_is_used_again),
        cmocka_unit_test(test_pairs_left_out_of_a_step_are_forgotten),
        cmocka_unit_test(test_shapes_live_as_long_as_they_are_remembered),
        cmocka_unit_test(test_reused_answers_hold_after_small_motions),
        cmocka_unit_test(test_reused_answers_of_fields_hold_after_small_motions),
        cmocka_unit_test(test_a_body_on_a_plane_is_bounded_by_its_own_corners),
        cmocka_unit_test(test_particles_follow_the_contacts_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
