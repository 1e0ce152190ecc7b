// Contacts of the method gjk: on both surfaces, as deep as they say, few, in order; states of all convex
// kinds against exact distances; the cache.
#include "support/oracles/exact.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum
{
    MOST = 16
};

static AbutShape* box_hull(float x, float y, float z)
{
    AbutVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = abut_vec3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_convex(corners, 8, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* random_hull(TestRandom* random, uint32_t count)
{
    AbutVec3 points[200];
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i] = test_random_direction(random);
    }
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_convex(points, count, NULL, &shape), ABUT_OK);
    return shape;
}

/// All kinds that the method serves.
static uint32_t make_shapes(TestRandom* random, AbutShape** shapes)
{
    uint32_t n = 0;
    test_assert_result(abut_shape_create_sphere(0.7f, NULL, &shapes[n++]), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.5f, 1.5f), NULL, &shapes[n++]), ABUT_OK);
    test_assert_result(abut_shape_create_rounded_box(abut_vec3(1.0f, 0.6f, 1.5f), 0.2f, NULL, &shapes[n++]),
                       ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.3f, 1.2f, NULL, &shapes[n++]), ABUT_OK);
    test_assert_result(abut_shape_create_cylinder(0.6f, 1.0f, NULL, &shapes[n++]), ABUT_OK);
    test_assert_result(abut_shape_create_cone(0.8f, 0.2f, 1.1f, NULL, &shapes[n++]), ABUT_OK);
    shapes[n++] = box_hull(0.5f, 0.4f, 0.8f);
    shapes[n++] = random_hull(random, 30);
    shapes[n++] = random_hull(random, 200);
    test_assert_result(abut_shape_create_offset(shapes[7], 0.1f, NULL, &shapes[n]), ABUT_OK);
    ++n;
    AbutPose pose = abut_pose_at(0.2, -0.1, 0.3);
    pose.rotation = test_random_rotation(random);
    pose.scale = 1.5f;
    test_assert_result(abut_shape_create_transformed(shapes[4], &pose, NULL, &shapes[n]), ABUT_OK);
    return n + 1;
}

static AbutPose random_pose(TestRandom* random, double size)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, size);
    pose.rotation = test_random_rotation(random);
    return pose;
}

static AbutVec3 to_vec3(AbutPosition p)
{
    return abut_vec3((float)p.x, (float)p.y, (float)p.z);
}

/// Anchors are on the surfaces, one beyond the other along the normal by the separation. Rounded caps are
/// octagons, and faces may be tilted against the normal, hence the tolerance.
static void check_contact(const AbutCollideInput* input, const AbutContact* c, float margin, double tolerance)
{
    AbutVec3 b_in_a = to_vec3(abut_pose_transform_point(&input->pose_b, c->anchor_b));
    AbutVec3 between = abut_vec3_sub(c->anchor_a, b_in_a);
    test_assert_near(abut_vec3_dot(between, c->normal), c->separation, 1e-5);
    test_assert_near(abut_vec3_length(between), fabsf(c->separation), 1e-5);
    test_assert_near(abut_vec3_length(c->normal), 1.0, 1e-6);
    assert_true(c->separation <= margin);
    // On the surface, or inside of it where the other solid has a corner behind it.
    double outside_a = (double)abut_shape_distance(input->shape_a, c->anchor_a, NULL);
    double outside_b = (double)abut_shape_distance(input->shape_b, c->anchor_b, NULL);
    if (!(outside_a < tolerance && outside_b < tolerance))
    {
        fail_msg("anchors are %g and %g outside of a %s and a %s; separation %g, id %llx", outside_a,
                 outside_b, abut_shape_kind_name(abut_shape_info(input->shape_a).kind),
                 abut_shape_kind_name(abut_shape_info(input->shape_b).kind), (double)c->separation,
                 (unsigned long long)c->id);
    }
}

static void check_contacts(const AbutCollideInput* input, const AbutConvexOutput* truth)
{
    AbutContact contacts[MOST];
    AbutCollideOutput output = abut_collide(input, contacts, MOST);
    float margin = input->settings.margin, deepest = INFINITY;
    assert_int_equal(output.state, truth->state);
    assert_true(output.contact_count <= 8 && output.contact_total == output.contact_count);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        check_contact(input, &contacts[i], margin, 0.03);
        assert_true(i == 0 || contacts[i].id > contacts[i - 1].id);
        deepest = fminf(deepest, contacts[i].separation);
    }
    bool within = truth->has_points && truth->separation <= (double)margin * 0.999;
    assert_int_equal(output.contact_count > 0,
                     within || (truth->has_points && truth->separation <= (double)margin));
    if (within)
    {
        // Contacts of tilted faces are measured to the plane of the other.
        test_assert_near(deepest, truth->separation, 0.05);
    }
    if (output.state == ABUT_COLLIDE_SEPARATED)
    {
        assert_true((double)output.gap <= truth->separation * (1.0 + 1e-7));
    }
    // Fewer than all: the deepest.
    AbutContact few[1];
    AbutCollideOutput less = abut_collide(input, few, 1);
    if (output.contact_count > 0)
    {
        assert_int_equal(less.contact_total, output.contact_total);
        test_assert_near(few[0].separation, deepest, 0.0);
    }
}

static void test_contacts_of_all_kinds_are_on_both_surfaces(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    AbutShape* shapes[16];
    uint32_t count = make_shapes(&random, shapes);
    for (int i = 0; i < TEST_ROUNDS(6000); ++i)
    {
        uint64_t a = test_random_bits(&random) % count;
        uint64_t b = test_random_bits(&random) % count;
        AbutCollideInput input = abut_collide_input(shapes[a], shapes[b]);
        input.pose_b = random_pose(&random, 1.2);
        input.settings.method = ABUT_COLLIDE_GJK;
        input.settings.margin = i % 2 == 0 ? 0.0f : 0.1f;
        AbutConvexInput convex = abut_convex_input(input.shape_a, input.shape_b);
        convex.pose_b = input.pose_b;
        convex.work = ABUT_CONVEX_DEPTH;
        AbutConvexOutput truth = abut_convex(&convex);
        check_contacts(&input, &truth);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_faces_on_faces_have_four_contacts(void** state)
{
    (void)state;
    AbutShape *hull = box_hull(0.5f, 0.5f, 0.5f), *plane = NULL, *box = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(4.0f, 1.0f, 4.0f), NULL, &box), ABUT_OK);
    const AbutShape* grounds[2] = { plane, box };
    for (int i = 0; i < 2; ++i)
    {
        AbutContact contacts[MOST];
        AbutCollideInput input = abut_collide_input(hull, grounds[i]);
        input.pose_a.position.y = 0.5 - 0.01 + (i == 1 ? 0.5 : 0.0);
        AbutCollideOutput output = abut_collide(&input, contacts, MOST);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_int_equal(output.contact_count, 4);
        for (int k = 0; k < 4; ++k)
        {
            test_assert_near(contacts[k].separation, -0.01, 1e-6);
            test_assert_near(contacts[k].normal.y, 1.0, 1e-6);
            test_assert_near(fabsf(contacts[k].position.x), 0.5, 1e-6);
        }
        AbutSpeculativeInput near = abut_speculative_input(grounds[i], hull);
        near.pose_b.position.y = 0.55 + (i == 1 ? 0.5 : 0.0);
        near.settings.margin = 0.1f;
        output = abut_speculative_contacts(&near, contacts, MOST);
        assert_int_equal(output.state, ABUT_COLLIDE_UNDECIDED);
        assert_int_equal(output.contact_count, 4);
        test_assert_near(contacts[0].separation, 0.05, 1e-6);
        test_assert_near(contacts[0].normal.y, -1.0, 1e-6);
        near.settings.margin = 0.01f;
        output = abut_speculative_contacts(&near, contacts, MOST);
        assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
        assert_true(output.gap > 0.0499f && output.gap <= 0.05f && output.contact_count == 0);
    }
    abut_shape_destroy(hull);
    abut_shape_destroy(plane);
    abut_shape_destroy(box);
}

/// Pairs whose gap is known in quad precision: states and distances of primitives.
static void test_primitives_agree_with_exact_gaps(void** state)
{
    (void)state;
    static const ExactShape kinds[6] = {
        { ABUT_SHAPE_SPHERE, { 0.7f } },
        { ABUT_SHAPE_BOX, { 1.0f, 0.5f, 1.5f } },
        { ABUT_SHAPE_ROUNDED_BOX, { 1.0f, 0.75f, 1.5f, 0.25f } },
        { ABUT_SHAPE_CAPSULE, { 0.25f, 1.5f } },
        { ABUT_SHAPE_CYLINDER, { 0.5f, 1.0f } },
        { ABUT_SHAPE_CONE, { 0.75f, 0.25f, 1.0f } },
    };
    if (!EXACT_IS_QUAD)
    {
        skip();
    }
    TestRandom random = { 2 };
    AbutShape* shapes[6];
    int known = 0;
    for (int i = 0; i < 6; ++i)
    {
        shapes[i] = exact_shape_create(&kinds[i]);
    }
    for (int i = 0; i < TEST_ROUNDS(3000); ++i)
    {
        uint64_t a = test_random_bits(&random) % 6;
        uint64_t b = test_random_bits(&random) % 6;
        AbutConvexInput input = abut_convex_input(shapes[a], shapes[b]);
        input.pose_b = random_pose(&random, 1.0);
        input.work = ABUT_CONVEX_DEPTH;
        if (exact_pair_is_known(kinds[a].kind, kinds[b].kind))
        {
            ++known;
            ExactFrame frame_a = exact_frame(&input.pose_a), frame_b = exact_frame(&input.pose_b);
            double gap = (double)exact_gap(&kinds[a], &frame_a, &kinds[b], &frame_b, NULL);
            AbutConvexOutput output = abut_convex(&input);
            assert_true(output.state == (gap > 0.0 ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_CONTACT));
            bool round = a >= 4 || b >= 4;
            // The truth of a ball's centre in a cylinder or cone is not the shortest translation.
            if (gap > 0.0 || !round)
            {
                test_assert_near(output.separation, gap, round ? 2e-6 : 1e-8);
            }
        }
    }
    assert_true(known > 100);
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_the_cache_changes_no_state(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    AbutShape* shapes[16];
    uint32_t count = make_shapes(&random, shapes);
    AbutCollideCache cache = { 0 };
    for (int i = 0; i < TEST_ROUNDS(6000); ++i)
    {
        uint64_t a = test_random_bits(&random) % count;
        uint64_t b = test_random_bits(&random) % count;
        AbutConvexInput input = abut_convex_input(shapes[a], shapes[b]);
        input.pose_b = random_pose(&random, 1.2);
        input.work = (AbutConvexWork)(i % 3);
        AbutConvexOutput cold = abut_convex(&input);
        if (i % 4 == 0) // anything is a valid cache
        {
            for (int k = 0; k < 15; ++k)
            {
                cache.words[k] = (uint32_t)test_random_bits(&random);
            }
            cache.words[0] &= 15u;
        }
        input.cache = &cache;
        for (int step = 0; step < 2; ++step)
        {
            AbutConvexOutput warm = abut_convex(&input);
            assert_int_equal(warm.state, cold.state);
            if (cold.has_points)
            {
                test_assert_near(warm.separation, cold.separation, 4e-6);
            }
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
}

static void test_other_shapes_are_refused(void** state)
{
    (void)state;
    AbutShape *torus = NULL, *ball = NULL, *small = NULL;
    test_assert_result(abut_shape_create_torus(1.0f, 0.2f, NULL, &torus), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_shape_create_offset(ball, -0.5f, NULL, &small), ABUT_OK);
    AbutConvexInput input = abut_convex_input(torus, ball);
    assert_int_equal(abut_convex(&input).state, ABUT_COLLIDE_INVALID);
    assert_non_null(strstr(abut_last_error(), "torus"));
    input.shape_a = small;
    assert_int_equal(abut_convex(&input).state, ABUT_COLLIDE_INVALID);
    input.shape_a = NULL;
    assert_int_equal(abut_convex(&input).state, ABUT_COLLIDE_INVALID);
    input.shape_a = ball;
    input.pose_b.position.x = NAN;
    assert_int_equal(abut_convex(&input).state, ABUT_COLLIDE_INVALID);
    AbutCollideInput collide = abut_collide_input(torus, ball);
    collide.settings.method = ABUT_COLLIDE_GJK;
    assert_int_equal(abut_collide(&collide, NULL, 0).state, ABUT_COLLIDE_INVALID);
    abut_shape_destroy(torus);
    abut_shape_destroy(ball);
    abut_shape_destroy(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_all_kinds_are_on_both_surfaces),
        cmocka_unit_test(test_faces_on_faces_have_four_contacts),
        cmocka_unit_test(test_primitives_agree_with_exact_gaps),
        cmocka_unit_test(test_the_cache_changes_no_state),
        cmocka_unit_test(test_other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
