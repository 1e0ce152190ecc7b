// The methods v-clip and lin-canny against quad precision, against gjk, and against themselves with a cache.
#include "support/oracles/hull_pairs.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 16
};

/// Pairs of the random test; ABUT_TEST_CONVEX_PAIRS has another count.
static int pair_count(int count)
{
    return test_count("ABUT_TEST_CONVEX_PAIRS", TEST_ROUNDS(count));
}

static AbutVec3 make_point(TestRandom* random, uint32_t family, float size)
{
    AbutVec3 p = test_random_point(random, 1.0);
    switch (family)
    {
    case 0:
        break;
    case 1:
        p = abut_vec3(roundf(2.0f * p.x), roundf(2.0f * p.y), roundf(2.0f * p.z));
        break;
    case 2:
        p = test_random_direction(random);
        break;
    case 3:
        p = abut_vec3(8.0f * p.x, 0.1f * p.y, 0.2f * p.z);
        break;
    default:
        p = abut_vec3(p.x > 0.0f ? 1.0f : -1.0f, p.y > 0.0f ? 0.5f : -0.5f, p.z > 0.0f ? 1.0f : -1.0f);
        break;
    }
    return abut_vec3_scale(p, size);
}

static AbutShape* make_hull(TestRandom* random, uint32_t family, float size)
{
    AbutShape* shape = NULL;
    while (shape == NULL || abut_hull_info(abut_shape_hull(shape)).dimension < 3)
    {
        AbutVec3 points[HULL_PAIR_VERTICES];
        uint32_t count = 4 + (uint32_t)(test_random_bits(random) % (HULL_PAIR_VERTICES - 4));
        for (uint32_t i = 0; i < count; ++i)
        {
            points[i] = make_point(random, family, size);
        }
        abut_shape_destroy(shape);
        test_assert_result(abut_shape_create_convex(points, count, NULL, &shape), ABUT_OK);
    }
    return shape;
}

static AbutPose make_pose(TestRandom* random, double size)
{
    AbutPose pose = abut_pose_identity();
    uint64_t choice = test_random_bits(random) % 8;
    pose.position = test_random_position(random, 2.0);
    pose.rotation = test_random_rotation(random);
    if (choice < 3) // coincidences: exact touch of faces, edges and vertices
    {
        pose.position.x = round(2.0 * pose.position.x) / 2.0;
        pose.position.y = round(2.0 * pose.position.y) / 2.0;
        pose.position.z = round(2.0 * pose.position.z) / 2.0;
        pose.rotation = abut_pose_identity().rotation;
    }
    pose = choice == 7 ? abut_pose_identity() : pose;
    pose.scale = choice == 6 ? 0.5f : 1.0f;
    pose.position.x *= size;
    pose.position.y *= size;
    pose.position.z *= size;
    return pose;
}

typedef struct Counts
{
    int separated, contact, close;
    double worst; // difference of the deepest contact from the truth, in sizes
} Counts;

static double deepest_of(const AbutContact* contacts, uint32_t count)
{
    double deepest = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        deepest = fmin(deepest, (double)contacts[i].separation);
        assert_true(i == 0 || contacts[i - 1].id < contacts[i].id);
    }
    return deepest;
}

/// A proved state is that of quad precision; the gap is a lower bound, close means close.
static void check_state(const AbutCollideOutput* output, double truth, double size, Counts* counts)
{
    counts->separated += output->state == ABUT_COLLIDE_SEPARATED;
    counts->contact += output->state == ABUT_COLLIDE_CONTACT;
    counts->close += output->state == ABUT_COLLIDE_CLOSE;
    switch (output->state)
    {
    case ABUT_COLLIDE_SEPARATED:
        assert_true(truth > 0.0);
        assert_true((double)output->gap <= truth);
        assert_true(truth - (double)output->gap <= 1e-6 * size);
        break;
    case ABUT_COLLIDE_CONTACT:
        assert_true(truth <= 0.0);
        break;
    case ABUT_COLLIDE_CLOSE:
        assert_true(fabs(truth) <= (double)output->uncertainty);
        break;
    default:
        fail_msg("state %s", abut_collide_state_name(output->state));
    }
}

static AbutCollideState check_method(AbutCollideInput* input, AbutCollideMethod method,
                                     AbutCollideCache* cache, double truth, double size, Counts* counts)
{
    AbutContact contacts[CAPACITY];
    input->settings.method = method;
    input->settings.margin = (float)size;
    AbutCollideOutput cold = abut_collide(input, contacts, CAPACITY);
    check_state(&cold, truth, size, counts);
    if (cold.contact_count > 0 && cold.state != ABUT_COLLIDE_CLOSE)
    {
        double difference = fabs(deepest_of(contacts, cold.contact_count) - truth) / size;
        counts->worst = fmax(counts->worst, difference);
    }
    else
    {
        assert_true(cold.state != ABUT_COLLIDE_CONTACT);
    }
    input->cache = cache;
    AbutCollideOutput warm = abut_collide(input, contacts, CAPACITY);
    AbutCollideOutput again = abut_collide(input, NULL, 0);
    input->cache = NULL;
    assert_int_equal(warm.state, cold.state);
    assert_int_equal(again.state, cold.state);
    return cold.state;
}

static void check_pair(TestRandom* random, const AbutShape* a, const AbutShape* b, AbutCollideCache caches[2],
                       double size, Counts counts[2])
{
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_b = make_pose(random, size);
    double truth = hull_pair_gap(abut_shape_hull(a), &input.pose_a, abut_shape_hull(b), &input.pose_b);
    const AbutCollideMethod methods[2] = { ABUT_COLLIDE_V_CLIP, ABUT_COLLIDE_LIN_CANNY };
    input.settings.method = ABUT_COLLIDE_GJK;
    AbutCollideState gjk = abut_collide(&input, NULL, 0).state;
    for (int m = 0; m < 2; ++m)
    {
        if (test_random_bits(random) % 8 == 0) // any content is valid
        {
            caches[m].method = methods[m];
            for (int w = 0; w < 4; ++w)
            {
                caches[m].words[w] = (uint32_t)(test_random_bits(random) % 40);
            }
        }
        AbutCollideState state = check_method(&input, methods[m], &caches[m], truth, size, &counts[m]);
        assert_false(state == ABUT_COLLIDE_CONTACT && gjk == ABUT_COLLIDE_SEPARATED);
        assert_false(state == ABUT_COLLIDE_SEPARATED && gjk == ABUT_COLLIDE_CONTACT);
    }
}

static void test_states_and_depths_are_those_of_quad_precision(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    Counts counts[2] = { { 0 }, { 0 } };
    AbutCollideCache caches[2] = { { 0 }, { 0 } };
    const float sizes[] = { 1.0f, 1e-6f, 1e6f };
    for (int round = 0; round < pair_count(400); ++round)
    {
        float size = sizes[round % 3];
        uint32_t family = (uint32_t)(test_random_bits(&random) % 25);
        AbutShape* a = make_hull(&random, family % 5, size);
        AbutShape* b = make_hull(&random, family / 5, size);
        check_pair(&random, a, b, caches, (double)size, counts);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
    for (int m = 0; m < 2; ++m)
    {
        print_message("%s: %d separated, %d contact, %d close, deepest contact within %.2g\n",
                      m == 0 ? "v-clip" : "lin-canny", counts[m].separated, counts[m].contact,
                      counts[m].close, counts[m].worst);
        assert_true(counts[m].separated > 0 && counts[m].contact > 0);
        // The deepest point is in every manifold, within 1e-7 of the size, up to 17 here.
        assert_true(counts[m].worst <= 2e-6);
    }
}

/// A tumbling pair: the features of the last step are those of the next one, or next to them.
static void test_coherent_motion_takes_few_steps(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    AbutShape *a = make_hull(&random, 2, 1.0f), *b = make_hull(&random, 2, 1.0f);
    const AbutCollideMethod methods[2] = { ABUT_COLLIDE_V_CLIP, ABUT_COLLIDE_LIN_CANNY };
    for (int m = 0; m < 2; ++m)
    {
        AbutCollideCache cache = { 0 };
        uint64_t cold = 0, warm = 0;
        for (int step = 0; step < 500; ++step)
        {
            AbutCollideInput input = abut_collide_input(a, b);
            input.settings.method = methods[m];
            input.pose_b.position = (AbutPosition){ 2.5, 0.001 * step, 0.2 };
            input.pose_b.rotation =
                abut_quat_from_axis_angle(abut_vec3(0.6f, 0.0f, 0.8f), 0.005f * (float)step);
            cold += abut_collide(&input, NULL, 0).evaluations;
            input.cache = &cache;
            warm += abut_collide(&input, NULL, 0).evaluations;
        }
        print_message("%s: %llu steps cold, %llu warm\n", abut_collide_method_name(methods[m]),
                      (unsigned long long)cold, (unsigned long long)warm);
        assert_true(2 * warm < cold);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

/// Rounded and placed hulls are seen through; anything else is refused with the reason.
static void test_offsets_count_and_other_shapes_are_refused(void** state)
{
    (void)state;
    const AbutVec3 corners[] = { { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 },
                                 { -1, -1, 1 },  { 1, -1, 1 },  { -1, 1, 1 },  { 1, 1, 1 } };
    AbutShape *cube = NULL, *rounded = NULL, *ball = NULL;
    test_assert_result(abut_shape_create_convex(corners, 8, NULL, &cube), ABUT_OK);
    test_assert_result(abut_shape_create_offset(cube, 0.25f, NULL, &rounded), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &ball), ABUT_OK);
    AbutContact contacts[CAPACITY];
    AbutCollideInput input = abut_collide_input(rounded, rounded);
    input.settings.method = ABUT_COLLIDE_V_CLIP;
    input.pose_b.position.x = 3.0;
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    assert_true(output.gap <= 0.5f && output.gap > 0.4999f);
    input.pose_b.position.x = 2.25;
    output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    assert_int_equal(output.contact_count, 4);
    assert_true(fabs(deepest_of(contacts, output.contact_count) + 0.25) < 1e-6);
    assert_true(contacts[0].normal.x < -0.999f);
    input.shape_b = ball;
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_INVALID);
    assert_non_null(strstr(abut_last_error(), "v-clip needs two convex hulls"));
    abut_shape_destroy(cube);
    abut_shape_destroy(rounded);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_and_depths_are_those_of_quad_precision),
        cmocka_unit_test(test_coherent_motion_takes_few_steps),
        cmocka_unit_test(test_offsets_count_and_other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
