// Answers of the last step are used again only where they still hold.
#include "support/scenes/pair_scene.h"

#include <abut/bake.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_what_stands_still_is_used_again(void** state)
{
    (void)state;
    for (int i = 0; i < TEST_VARIANTS; ++i)
    {
        TestPairScene scene;
        test_pair_scene_init(&scene, 20);
        AbutCollideSettings settings = test_collide_variant(i);
        AbutCollider* collider = test_create_collider(NULL);
        AbutCollideResults first = test_collide_pair_scene(collider, &scene, &settings);
        AbutContact* copy = malloc(first.contact_count * sizeof(AbutContact));
        assert_non_null(copy);
        memcpy(copy, first.contacts, first.contact_count * sizeof(AbutContact));
        for (int step = 0; step < 3; ++step)
        {
            AbutCollideResults again = test_collide_pair_scene(collider, &scene, &settings);
            assert_int_equal(again.reused_count, scene.pair_count);
            assert_int_equal(again.evaluations, 0);
            assert_int_equal(again.contact_count, first.contact_count);
            assert_memory_equal(again.contacts, copy, again.contact_count * sizeof(AbutContact));
        }
        scene.bodies[4].pose.position.x += 1e-9; // one body moves: its pairs are computed, no others
        AbutCollideResults moved = test_collide_pair_scene(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, scene.pair_count - (TEST_BODIES - 1));
        scene.bodies[6].shape = scene.shapes[1]; // other shape
        moved = test_collide_pair_scene(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, scene.pair_count - (TEST_BODIES - 1));
        settings.spacing = 0.05f; // other settings
        moved = test_collide_pair_scene(collider, &scene, &settings);
        assert_int_equal(moved.reused_count, 0);
        free(copy);
        abut_collider_destroy(collider);
        test_pair_scene_destroy(&scene);
    }
}

static void test_pairs_left_out_of_a_step_are_forgotten(void** state)
{
    (void)state;
    TestPairScene scene;
    test_pair_scene_init(&scene, 21);
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_ADAPTIVE; // closed forms are computed again
    AbutCollider* collider = test_create_collider(NULL);
    test_collide_pair_scene(collider, &scene, &settings);
    size_t all = scene.pair_count;
    scene.pair_count = 10;
    assert_int_equal(test_collide_pair_scene(collider, &scene, &settings).reused_count, 10);
    scene.pair_count = all;
    assert_int_equal(test_collide_pair_scene(collider, &scene, &settings).reused_count, 10);
    abut_collider_destroy(collider);
    test_pair_scene_destroy(&scene);
}

static void test_shapes_live_as_long_as_their_pairs_are_recycled(void** state)
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
    settings.method = ABUT_COLLIDE_ADAPTIVE; // closed forms are computed again
    AbutCollider* collider = test_create_collider(NULL);
    AbutCollideResults results;
    for (int i = 0; i < 3; ++i)
    {
        test_assert_result(
            abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results),
            ABUT_OK);
        assert_int_equal(results.pairs[0].output.state, ABUT_COLLIDE_CONTACT);
    }
    abut_shape_destroy(b);
    assert_int_equal(test_host.live_count, 2); // so no new shape can have its address
    test_assert_result(abut_shape_create_sphere(0.3f, &test_host.host, &b), ABUT_OK);
    bodies[1].shape = b;
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results), ABUT_OK);
    assert_int_equal(results.pairs[0].output.state, ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ NULL, 0, NULL, 0 }, &settings, &results), ABUT_OK);
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ NULL, 0, NULL, 0 }, &settings, &results), ABUT_OK);
    assert_int_equal(test_host.live_count, 0);
    abut_collider_destroy(collider);
}

typedef struct MotionTally
{
    size_t reused_contacts, reused_apart, computed;
} MotionTally;

/// A reused answer against the truth now.
static void check_reused(const TestPairScene* scene, const AbutCollideSettings* settings,
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
    for (uint32_t i = 0; i < pair->output.contact_count; ++i)
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
static void check_sphere_gap(const TestPairScene* scene, const AbutPairResult* pair)
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
static void move_bodies(TestPairScene* scene, TestRandom* random)
{
    for (int k = 1; k < TEST_BODIES; ++k)
    {
        AbutVec3 displacement = test_random_point(random, 0.0015);
        AbutPose* pose = &scene->bodies[k].pose;
        pose->position.x += (double)displacement.x;
        pose->position.y += (double)displacement.y;
        pose->position.z += (double)displacement.z;
        AbutQuat rotation = abut_quat_from_axis_angle(test_random_direction(random), 0.001f);
        pose->rotation = abut_quat_multiply(rotation, pose->rotation);
    }
}

static MotionTally run_motions(TestPairScene* scene, AbutCollideSettings settings, int steps, bool spheres)
{
    settings.reuse = 0.01f;
    AbutCollider* collider = test_create_collider(NULL);
    TestRandom random = { 23 };
    MotionTally tally = { 0 };
    for (int step = 0; step < steps; ++step)
    {
        AbutCollideResults results = test_collide_pair_scene(collider, scene, &settings);
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
        TestPairScene scene;
        test_pair_scene_init(&scene, 22);
        MotionTally tally = run_motions(&scene, test_collide_variant(i), 80, true); // 80 · 780 motions, twice
        assert_true(tally.reused_contacts > 1000 && tally.reused_apart > 1000 && tally.computed > 1000);
        test_pair_scene_destroy(&scene);
    }
}

/// All but the plane become fields, with errors that proofs must count in.
static void bake_scene(TestPairScene* scene, AbutFieldFormat format)
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
            for (int k = 1; k < TEST_BODIES; ++k)
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
        TestPairScene scene;
        test_pair_scene_init(&scene, 24);
        bake_scene(&scene, i == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER);
        MotionTally tally = run_motions(&scene, test_collide_variant(i), 12, false);
        assert_true(tally.reused_contacts > 100 && tally.reused_apart > 1000 && tally.computed > 100);
        test_pair_scene_destroy(&scene);
    }
}

static void test_a_body_on_a_plane_is_bounded_by_its_own_corners(void** state)
{
    (void)state;
    AbutShape* shapes[6];
    test_create_shapes(shapes);
    AbutCollideBody bodies[2] = { { shapes[1], abut_pose_at(0.0, -0.9, 0.0) },
                                  { shapes[4], abut_pose_identity() } };
    AbutBodyPair pair = { 0, 1 };
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_ADAPTIVE; // closed forms are computed again
    settings.reuse = 0.01f;
    AbutCollider* collider = test_create_collider(NULL);
    AbutCollideResults results;
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results), ABUT_OK);
    bodies[0].pose.position.x += 0.003;
    bodies[1].pose.position.z += 0.004;
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results), ABUT_OK);
    assert_int_equal(results.reused_count, 1);
    test_assert_near(results.pairs[0].moved, 0.005, 1e-6);
    bodies[0].pose.position.x += 0.007; // counted from where it was computed: 0.0108
    test_assert_result(
        abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results), ABUT_OK);
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
        AbutCollider* collider = test_create_collider(NULL);
        settings.particles.reuse = i == 1;
        AbutPose start = bodies[1].pose;
        for (int step = 0; step < 50; ++step)
        {
            AbutCollideResults results;
            test_assert_result(
                abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &settings, &results),
                ABUT_OK);
            found[i] += results.contact_count > 0 ? 1 : 0;
            AbutQuat rotation = abut_quat_from_axis_angle(abut_vec3(0.2f, 1.0f, 0.0f), 0.02f);
            bodies[1].pose.rotation = abut_quat_multiply(rotation, bodies[1].pose.rotation);
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
        cmocka_unit_test(test_what_stands_still_is_used_again),
        cmocka_unit_test(test_pairs_left_out_of_a_step_are_forgotten),
        cmocka_unit_test(test_shapes_live_as_long_as_their_pairs_are_recycled),
        cmocka_unit_test(test_reused_answers_hold_after_small_motions),
        cmocka_unit_test(test_reused_answers_of_fields_hold_after_small_motions),
        cmocka_unit_test(test_a_body_on_a_plane_is_bounded_by_its_own_corners),
        cmocka_unit_test(test_particles_follow_the_contacts_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
