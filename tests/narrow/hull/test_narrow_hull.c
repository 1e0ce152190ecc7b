// Contacts of the method "hull" against all balls in double; ids that last; solids inside of others; motions
// of a step; formulas that break their promises; batches and memory.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/abut.h>
#include <abut/io.h>
#include <math.h>
#include <string.h>

enum
{
    CAPACITY = 2048,
    POSES = 60
};

static AbutContact contacts[CAPACITY];

static AbutShape* make_shape(const char* text)
{
    AbutParsedShape parsed = { NULL, NULL };
    test_assert_result(abut_shape_parse(text, NULL, &parsed), ABUT_OK);
    assert_non_null(parsed.shape);
    return parsed.shape;
}

static void attach_hull(AbutShape* shape, float error)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = error;
    test_assert_result(abut_point_hull_create(&def, shape, &hull), ABUT_OK);
    test_assert_result(abut_point_hull_attach(hull, shape), ABUT_OK);
    abut_point_hull_destroy(hull);
}

static AbutShape* make_points(const char* text, float error)
{
    AbutShape* shape = make_shape(text);
    attach_hull(shape, error);
    return shape;
}

static AbutCollideInput input_of(const AbutShape* a, const AbutShape* b)
{
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.method = ABUT_COLLIDE_HULL;
    return input;
}

static AbutPose random_pose(TestRandom* random, double distance)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, distance);
    pose.rotation = test_random_rotation(random);
    return pose;
}

static bool has_id(uint64_t id, uint32_t count)
{
    bool found = false;
    for (uint32_t i = 0; i < count && !found; ++i)
    {
        found = contacts[i].id == id;
    }
    return found;
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

/// A point of A's frame in that of B, in double.
static AbutVec3 into_b(const AbutPose* pose, double x, double y, double z)
{
    AbutVec3 from = abut_vec3((float)(x - pose->position.x), (float)(y - pose->position.y),
                              (float)(z - pose->position.z));
    return abut_quat_rotate(abut_quat_conjugate(pose->rotation), from);
}

/// Balls of A whose overlap is over the error of both are contacts, whatever the settings; what is left out
/// is not needed for a proof.
static void check_balls(const AbutCollideInput* input, const AbutCollideOutput* output)
{
    const AbutPointHull* hull = abut_point_hull_of(input->shape_a);
    AbutPointHullData balls = abut_point_hull_data(hull);
    double spare = 1e-4;
    uint32_t missing = 0, deep = 0;
    for (uint32_t i = 0; i < balls.count; ++i)
    {
        AbutVec3 at = into_b(&input->pose_b, balls.centers.x[i], balls.centers.y[i], balls.centers.z[i]);
        double overlap =
            (double)balls.radii[i] - (double)abut_shape_distance(input->shape_b, at, NULL) - spare;
        deep += overlap > (double)abut_point_hull_info(hull).error ? 1 : 0;
        missing +=
            overlap > (double)abut_point_hull_info(hull).error && !has_id(i, output->contact_count) ? 1 : 0;
    }
    if (missing > 0)
    {
        fail_msg("%u of %u balls that overlap have no contact", missing, deep);
    }
}

static void test_every_ball_that_overlaps_is_a_contact(void** state)
{
    (void)state;
    static const char* const texts[][2] = { { "box:1,0.6,0.4", "torus:0.5,0.2" },
                                            { "torus:0.5,0.15", "box:1,0.6,0.4" },
                                            { "ring:0.4,0.1,3,1,32@48", "cone:0.4,1" } };
    TestRandom random = { 71 };
    for (size_t s = 0; s < sizeof(texts) / sizeof(texts[0]); ++s)
    {
        AbutShape *a = make_points(texts[s][0], 0.04f), *b = make_shape(texts[s][1]);
        for (int i = 0; i < TEST_ROUNDS(POSES); ++i)
        {
            AbutCollideInput input = input_of(a, b);
            input.pose_b = random_pose(&random, 0.7);
            uint32_t total = 0;
            for (int k = 0; k < 4; ++k)
            {
                input.settings.hull.corners = k % 2 == 0;
                input.settings.hull.tree = k / 2 == 0;
                AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
                check_balls(&input, &output);
                assert_true(k == 0 || output.contact_total == total); // the tests drop no ball that touches
                total = output.contact_total;
            }
        }
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

/// Contacts are where both surfaces are, as those of every method: within both solids, or across the margin.
static void test_contacts_lie_on_the_surface_of_the_intersection(void** state)
{
    (void)state;
    AbutShape *a = make_points("box:1,0.6,0.4", 0.03f), *b = make_shape("torus:0.5,0.2");
    TestRandom random = { 72 };
    for (int i = 0; i < TEST_ROUNDS(POSES); ++i)
    {
        AbutCollideInput input = input_of(a, b);
        input.pose_b = random_pose(&random, 0.7);
        input.settings.margin = 0.02f;
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            const AbutContact* c = &contacts[k];
            double of_a = (double)abut_shape_distance(a, c->position, NULL);
            AbutVec3 in_b =
                into_b(&input.pose_b, (double)c->position.x, (double)c->position.y, (double)c->position.z);
            double of_b = (double)abut_shape_distance(b, in_b, NULL);
            test_assert_near(abut_vec3_length(c->normal), 1.0, 1e-5);
            assert_true(of_a <= 0.011 && of_b <= 0.011);
            double separation = of_a > 0.0 || of_b > 0.0 ? of_a + of_b : fmin(of_a, of_b);
            test_assert_near(c->separation, separation, 1e-5);
            test_assert_near(abut_shape_distance(a, c->anchor_a, NULL), 0.0, 0.02);
            test_assert_near(abut_shape_distance(b, c->anchor_b, NULL), 0.0, 0.02);
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

/// Every contact of branch and bound that is deeper than both errors has one of a ball near it.
static void test_every_region_of_contact_has_a_ball(void** state)
{
    (void)state;
    static AbutContact all[CAPACITY];
    AbutShape *a = make_points("difference(box:1,1,1;sphere:0.6)", 0.03f),
              *b = make_points("box:0.3,2,0.3", 0.03f);
    TestRandom random = { 73 };
    double worst = 0.0;
    for (int i = 0; i < TEST_ROUNDS(POSES); ++i)
    {
        AbutCollideInput input = input_of(a, b);
        input.pose_b = random_pose(&random, 0.8);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        input.settings.method = ABUT_COLLIDE_ADAPTIVE;
        AbutCollideOutput adaptive = abut_collide(&input, all, CAPACITY);
        for (uint32_t k = 0; k < adaptive.contact_count; ++k)
        {
            double nearest = INFINITY;
            for (uint32_t m = 0; m < output.contact_count; ++m)
            {
                AbutVec3 off = abut_vec3_sub(all[k].position, contacts[m].position);
                nearest = fmin(nearest, (double)abut_vec3_length(off));
            }
            // A region of this depth is at least as wide as it is deep.
            worst = (double)all[k].separation < -0.06 ? fmax(worst, nearest) : worst;
        }
        assert_true(adaptive.state != ABUT_COLLIDE_CONTACT || output.state != ABUT_COLLIDE_SEPARATED);
    }
    print_message("contacts of branch and bound are within %.3f of one of a ball\n", worst);
    assert_true(worst < 0.35);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_ids_last_from_step_to_step(void** state)
{
    (void)state;
    static uint64_t before[CAPACITY];
    AbutShape *a = make_points("ring:0.4,0.1,3,1,32@48", 0.04f), *b = make_shape("box:2,0.5,2");
    uint32_t before_count = 0, lasting = 0, all = 0;
    for (int step = 0; step < 60; ++step)
    {
        AbutCollideInput input = input_of(a, b);
        input.pose_b = abut_pose_at(0.002 * step, -0.33, 0.001 * step);
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.2f, 0.0f), 0.01f * (float)step);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_true(output.contact_count > 0);
        for (uint32_t i = 0; i < before_count; ++i)
        {
            lasting += has_id(before[i], output.contact_count) ? 1 : 0;
        }
        all += before_count;
        before_count = output.contact_count;
        for (uint32_t i = 0; i < before_count; ++i)
        {
            assert_true(i == 0 || contacts[i - 1].id < contacts[i].id); // sorted, each once
            before[i] = contacts[i].id;
        }
    }
    print_message("%u of %u contacts keep their id over a step of 0.002 and 0.01 rad\n", lasting, all);
    assert_true(lasting > 0.8 * all);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_reduction_keeps_four(void** state)
{
    (void)state;
    AbutShape *a = make_points("box:1,0.5,1", 0.03f), *floor = make_shape("plane");
    AbutCollideInput input = input_of(a, floor);
    input.pose_b = abut_pose_at(0.0, -0.248, 0.0);
    input.settings.hull.keep = 4;
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.contact_count, 4);
    assert_true(output.contact_total > 4);
    float widest = 0.0f;
    for (int i = 0; i < 4; ++i)
    {
        widest = fmaxf(widest, abut_vec3_length(abut_vec3_sub(contacts[i].position, contacts[0].position)));
        test_assert_near(contacts[i].separation, -0.002, 1e-5);
        test_assert_near(contacts[i].normal.y, 1.0, 1e-6);
    }
    assert_true(widest > 0.9f);
    abut_shape_destroy(a);
    abut_shape_destroy(floor);
}

// -----------------------------------------------------------------------------------------------------------
// Containment, roles
// -----------------------------------------------------------------------------------------------------------

/// Neither surface meets the other: the proof is a point inside of both, and contacts are there all the same.
static void test_solids_inside_of_others_touch(void** state)
{
    (void)state;
    AbutShape *large = make_points("box:4,4,4", 0.2f), *small = make_points("torus:0.3,0.1", 0.02f),
              *bare = make_shape("torus:0.3,0.1"), *frame = make_points("shell(box:4,4,4;0.2)", 0.1f);
    AbutShape* pairs[][2] = { { large, small }, { small, large }, { large, bare }, { bare, large } };
    for (int i = 0; i < 4; ++i)
    {
        AbutCollideInput input = input_of(pairs[i][0], pairs[i][1]);
        input.pose_b = abut_pose_at(0.3, 0.2, -0.1);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_true(i > 1 || output.contact_count > 0);
        assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_CONTACT);
    }
    AbutCollideInput hollow = input_of(frame, small);
    AbutCollideOutput output = abut_collide(&hollow, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    assert_true(output.gap > 0.2f && output.gap <= 1.8f); // a lower bound, of whole branches of the tree
    abut_shape_destroy(large);
    abut_shape_destroy(small);
    abut_shape_destroy(bare);
    abut_shape_destroy(frame);
}

static void test_the_hull_with_the_smaller_error_plays_the_points(void** state)
{
    (void)state;
    const uint64_t side_b = UINT64_C(1) << 32;
    AbutShape *fine = make_points("box:1,1,1", 0.03f), *coarse = make_points("box:1,1,1", 0.1f);
    for (int order = 0; order < 2; ++order)
    {
        AbutCollideInput input = input_of(order == 0 ? fine : coarse, order == 0 ? coarse : fine);
        input.pose_b = abut_pose_at(0.95, 0.1, 0.2);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_true(output.contact_count > 0);
        for (uint32_t i = 0; i < output.contact_count; ++i)
        {
            assert_true(((contacts[i].id & side_b) != 0) == (order == 1));
        }
    }
    abut_shape_destroy(fine);
    abut_shape_destroy(coarse);
}

/// Placed and rounded shapes have the hull of the shape inside of them.
static void test_wrapped_shapes_have_the_hull_inside(void** state)
{
    (void)state;
    AbutShape *box = make_points("box:1,0.5,1", 0.03f), *round = NULL, *transformed = NULL,
              *floor = make_shape("plane");
    AbutShape *other = make_shape("box:1,0.5,1"), *thin = NULL;
    AbutPose pose = abut_pose_at(0.0, 2.0, 0.0);
    pose.scale = 2.0f;
    test_assert_result(abut_shape_create_offset(box, 0.1f, NULL, &round), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(round, &pose, NULL, &transformed), ABUT_OK);
    test_assert_result(abut_shape_create_offset(box, -0.1f, NULL, &thin), ABUT_OK);
    AbutCollideInput input = input_of(transformed, floor);
    input.pose_b = abut_pose_at(0.0, 2.0 - 0.7 + 0.01, 0.0);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    test_assert_near(contacts[0].separation, -0.01, 1e-4);
    assert_true(abut_collide_method_serves(ABUT_COLLIDE_HULL, transformed, floor));
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_HULL, other, floor));
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_HULL, thin, floor)); // balls would stick out
    AbutShape* shapes[6] = { box, round, transformed, floor, other, thin };
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_hulls_of_other_shapes_are_refused(void** state)
{
    (void)state;
    AbutShape *box = make_points("box:1,1,1", 0.05f), *thin = make_shape("box:1,0.1,1"),
              *same = make_shape("box:1,1,1");
    AbutPointHull* hull = (AbutPointHull*)(uintptr_t)abut_point_hull_of(box);
    assert_null(abut_point_hull_of(thin));
    test_assert_result(abut_point_hull_attach(hull, thin), ABUT_INVALID_DATA);
    test_assert_result(abut_point_hull_attach(hull, box), ABUT_INVALID_ARGUMENT); // it has one
    test_assert_result(abut_point_hull_attach(NULL, box), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_point_hull_attach(hull, same), ABUT_OK);
    assert_ptr_equal(abut_point_hull_of(same), hull);
    abut_shape_destroy(box);
    assert_true(abut_point_hull_info(abut_point_hull_of(same)).count > 0); // shared owners
    abut_shape_destroy(thin);
    abut_shape_destroy(same);
}

// -----------------------------------------------------------------------------------------------------------
// Optimisations
// -----------------------------------------------------------------------------------------------------------

static void test_counts_say_what_each_test_removes(void** state)
{
    (void)state;
    AbutShape *ring = make_points("torus:0.4,0.1", 0.01f), *other = make_shape("torus:0.4,0.1");
    uint32_t samples[4];
    for (int k = 0; k < 4; ++k)
    {
        AbutHullCounts counts;
        AbutCollideInput input = input_of(ring, other);
        input.pose_b = abut_pose_at(0.85, 0.05, 0.1);
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.2f), 1.2f);
        input.settings.hull.corners = k % 2 == 1;
        input.settings.hull.tree = k / 2 == 1;
        input.settings.hull.counts = &counts;
        abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(counts.points, abut_point_hull_info(abut_point_hull_of(ring)).count);
        assert_int_equal(counts.points, counts.removed_by_corners + counts.removed_by_tree + counts.sampled);
        samples[k] = counts.sampled + counts.sampled_nodes;
        print_message("%s %s: %u balls, %u removed by corners, %u by the tree, %u samples, %u touch\n",
                      k % 2 == 1 ? "corners" : "-", k / 2 == 1 ? "tree" : "-", counts.points,
                      counts.removed_by_corners, counts.removed_by_tree, samples[k], counts.touching);
    }
    assert_true(samples[1] < samples[0] && samples[3] < samples[2]);
    abut_shape_destroy(ring);
    abut_shape_destroy(other);
}

/// A ball thrown at a thin plate, several times its size in a step, and a bar that turns into it: contacts
/// are there before the first step ends on the other side.
static void test_motions_of_a_step_find_contacts_ahead(void** state)
{
    (void)state;
    AbutShape *ball = make_points("box:0.2,0.2,0.2", 0.01f), *plate = make_points("box:4,0.01,4", 0.05f),
              *bar = make_points("box:4,0.1,0.1", 0.05f);
    AbutCollideInput input = input_of(plate, ball);
    input.pose_b = abut_pose_at(0.0, 1.2, 0.0);
    assert_int_equal(abut_collide(&input, contacts, CAPACITY).contact_count, 0);
    input.settings.hull.linear = abut_vec3(0.0f, -2.0f, 0.0f);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    test_assert_near(output.gap, 1.095, 0.05);
    assert_true(output.contact_count > 0);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        assert_true(contacts[i].separation > 1.0f && contacts[i].separation < 2.0f);
        assert_true(contacts[i].normal.y < -0.3f); // outward of B, which is above
    }
    // The end of the bar is 2 from its middle: 0.6 rad move it by up to 1.2.
    AbutCollideInput rotating = input_of(plate, bar);
    rotating.pose_b = abut_pose_at(0.0, 0.8, 0.0);
    assert_int_equal(abut_collide(&rotating, contacts, CAPACITY).contact_count, 0);
    rotating.settings.hull.angular = abut_vec3(0.0f, 0.0f, 0.2f);
    assert_int_equal(abut_collide(&rotating, contacts, CAPACITY).contact_count, 0);
    rotating.settings.hull.angular = abut_vec3(0.0f, 0.0f, 0.6f);
    assert_true(abut_collide(&rotating, contacts, CAPACITY).contact_count > 0);
    abut_shape_destroy(ball);
    abut_shape_destroy(plate);
    abut_shape_destroy(bar);
}

// -----------------------------------------------------------------------------------------------------------
// Broken formulas
// -----------------------------------------------------------------------------------------------------------

/// A ball whose formula is three times its distance, while the shape promises a slope of 1.
static void steep_ball(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i], z = points.z[i];
        out.distance[i] = 3.0f * (sqrtf(x * x + y * y + z * z) - 1.0f);
    }
}

static AbutShape* make_steep_ball(void)
{
    AbutCallbackDef def = abut_callback_def();
    AbutShape* shape = NULL;
    def.function = steep_ball;
    def.bounds = abut_box(abut_vec3(-1.0f, -1.0f, -1.0f), abut_vec3(1.0f, 1.0f, 1.0f));
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    return shape;
}

static void test_broken_formulas_are_corrected(void** state)
{
    (void)state;
    AbutShape *ring = make_points("torus:0.4,0.1", 0.02f), *ball = make_steep_ball();
    AbutHullCounts counts;
    AbutCollideInput input = input_of(ring, ball);
    input.settings.hull.counts = &counts;
    input.settings.margin = 0.06f;
    input.pose_b = abut_pose_at(0.0, 1.07, 0.0); // 0.042 apart
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    print_message("measured slope %.3f, %u contacts\n", (double)counts.slope, output.contact_count);
    assert_true(counts.slope > 2.0f && counts.slope < 3.01f);
    uint32_t corrected = output.contact_count;
    assert_int_not_equal(output.state, ABUT_COLLIDE_SEPARATED); // nothing is proved about it
    input.settings.hull.correct = false;
    uint32_t raw = abut_collide(&input, contacts, CAPACITY).contact_count;
    assert_true(corrected > raw);
    input.settings.hull.correct = true;
    input.pose_b = abut_pose_at(0.0, 1.0, 0.0);
    output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    assert_true(output.contact_count > 0);
    // Depths are those of the distance, not of the formula: the overlap is 0.023.
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        assert_true(contacts[i].separation > -0.04f);
    }
    AbutShape* marble = make_points("sphere:0.2", 0.02f); // one ball
    AbutCollideInput single = input_of(marble, ball);
    single.settings.margin = 0.06f;
    single.pose_b = abut_pose_at(0.0, 1.24, 0.0); // 0.04 apart: 0.12 by the formula
    output = abut_collide(&single, contacts, CAPACITY);
    assert_int_equal(output.contact_count, 1);
    abut_shape_destroy(marble);
    input.pose_b = abut_pose_at(0.0, 1.9, 0.0);
    output = abut_collide(&input, contacts, CAPACITY);
    assert_true(output.state == ABUT_COLLIDE_NONE_FOUND || output.state == ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(ring);
    abut_shape_destroy(ball);
}

// -----------------------------------------------------------------------------------------------------------
// Batches
// -----------------------------------------------------------------------------------------------------------

enum
{
    BODIES = 12
};

static void test_batches_answer_as_single_queries_without_memory_once_warm(void** state)
{
    (void)state;
    TestHost counting;
    test_host_init(&counting);
    AbutShape *ring = make_points("ring:0.4,0.1,3,1,32@48", 0.04f),
              *box = make_points("box:0.5,0.4,0.3", 0.03f);
    AbutCollideBody bodies[BODIES];
    AbutBodyPair pairs[BODIES * BODIES];
    size_t pair_count = 0;
    TestRandom random = { 74 };
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        bodies[i] = (AbutCollideBody){ i % 2 == 0 ? ring : box, random_pose(&random, 0.9) };
        for (uint32_t k = 0; k < i; ++k)
        {
            pairs[pair_count++] = (AbutBodyPair){ k, i };
        }
    }
    AbutCollider* collider = NULL;
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_HULL;
    test_assert_result(abut_collider_create(&counting.host, &collider), ABUT_OK);
    uint64_t allocations = 0;
    for (int step = 0; step < 4; ++step)
    {
        AbutCollideResults results;
        AbutPairsInput input = { bodies, BODIES, pairs, pair_count };
        bodies[0].pose.position.x += 0.001;
        allocations = step == 2 ? counting.allocation_count : allocations;
        test_assert_result(abut_collide_pairs(collider, &input, &settings, &results), ABUT_OK);
        assert_int_equal(results.invalid_count, 0);
        for (size_t i = 0; i < results.pair_count; ++i)
        {
            const AbutPairResult* pair = &results.pairs[i];
            AbutCollideInput single = input_of(bodies[pair->a].shape, bodies[pair->b].shape);
            single.pose_a = bodies[pair->a].pose;
            single.pose_b = bodies[pair->b].pose;
            AbutCollideOutput output = abut_collide(&single, contacts, CAPACITY);
            assert_int_equal(output.state, pair->output.state);
            assert_int_equal(output.contact_count, pair->output.contact_count);
            assert_memory_equal(contacts, results.contacts + pair->first_contact,
                                output.contact_count * sizeof(AbutContact));
        }
    }
    assert_int_equal(counting.allocation_count, allocations);
    abut_collider_destroy(collider);
    abut_shape_destroy(ring);
    abut_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_ball_that_overlaps_is_a_contact),
        cmocka_unit_test(test_contacts_lie_on_the_surface_of_the_intersection),
        cmocka_unit_test(test_every_region_of_contact_has_a_ball),
        cmocka_unit_test(test_ids_last_from_step_to_step),
        cmocka_unit_test(test_a_reduction_keeps_four),
        cmocka_unit_test(test_solids_inside_of_others_touch),
        cmocka_unit_test(test_the_hull_with_the_smaller_error_plays_the_points),
        cmocka_unit_test(test_wrapped_shapes_have_the_hull_inside),
        cmocka_unit_test(test_hulls_of_other_shapes_are_refused),
        cmocka_unit_test(test_counts_say_what_each_test_removes),
        cmocka_unit_test(test_motions_of_a_step_find_contacts_ahead),
        cmocka_unit_test(test_broken_formulas_are_corrected),
        cmocka_unit_test(test_batches_answer_as_single_queries_without_memory_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
