// Random convex pairs with coincidences made on purpose, against all axes and features in quad precision; the
// states of all methods that serve them, on the same pairs.
#include "support/oracles/hull_pairs.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pairs of the random test; ABUT_TEST_CONVEX_PAIRS has another count.
static int pair_count(int count)
{
    return test_count("ABUT_TEST_CONVEX_PAIRS", TEST_ROUNDS(count));
}

typedef enum Family
{
    GENERAL,
    LONG,
    PLATE,
    TINY,
    LARGE,
    GRID,      // coordinates on a coarse grid: parallel faces, shared edges and vertices
    BOXES,     // aligned
    FLAT_HULL, // a polygon
    FAMILY_COUNT
} Family;

static float grid(TestRandom* random, int most)
{
    return (float)((int)(test_random_bits(random) % (2 * (unsigned)most + 1)) - most);
}

static AbutVec3 grid_point(TestRandom* random, int most)
{
    float x = grid(random, most);
    float y = grid(random, most);
    float z = grid(random, most);
    return abut_vec3(x, y, z);
}

static AbutVec3 make_point(TestRandom* random, Family family, uint32_t i, AbutVec3 box)
{
    AbutVec3 p = test_random_point(random, 1.0);
    switch (family)
    {
    case LONG:
        return abut_vec3(10.0f * p.x, 0.1f * p.y, 0.1f * p.z);
    case PLATE:
        return abut_vec3(2.0f * p.x, 0.01f * p.y, 2.0f * p.z);
    case TINY:
        return abut_vec3_scale(p, 1e-6f);
    case LARGE:
        return abut_vec3_scale(p, 1e6f);
    case GRID:
        return grid_point(random, 2);
    case BOXES:
        return abut_vec3(i & 1 ? box.x : -box.x, i & 2 ? box.y : -box.y, i & 4 ? box.z : -box.z);
    case FLAT_HULL:
        return abut_vec3(p.x, 0.0f, p.z);
    default:
        return p;
    }
}

static double size_of(const AbutShape* shape)
{
    return (double)abut_vec3_length(abut_box_extents(abut_shape_info(shape).bounds));
}

static AbutShape* make_hull(TestRandom* random, Family family)
{
    AbutShape* shape = NULL;
    AbutVec3 points[16], box = abut_vec3(1.0f, 1.0f, 1.0f);
    box.x += fabsf(grid(random, 2));
    box.z += fabsf(grid(random, 1));
    uint32_t count = family == BOXES ? 8 : 4 + (uint32_t)(test_random_bits(random) % 12);
    // The oracle needs a difference that is not flat.
    while (shape == NULL ||
           abut_hull_info(abut_shape_hull(shape)).dimension < (family == FLAT_HULL ? 2u : 3u))
    {
        abut_shape_destroy(shape);
        for (uint32_t i = 0; i < count; ++i)
        {
            points[i] = make_point(random, family, i, box);
        }
        test_assert_result(abut_shape_create_convex(points, count, NULL, &shape), ABUT_OK);
    }
    return shape;
}

/// Rotations, exact ones among them.
static AbutQuat make_rotation(TestRandom* random)
{
    static const AbutQuat exact[5] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                       { 0.0f, 0.0f, 0.70710678f, 0.70710678f },
                                       { 0.5f, 0.5f, 0.5f, 0.5f },
                                       { 0.0f, 1.0f, 0.0f, 0.0f },
                                       { 0.0f, 0.0f, 0.0f, 1.0f } };
    uint64_t choice = test_random_bits(random) % 8;
    return choice < 5 ? exact[choice] : test_random_rotation(random);
}

static AbutPose make_pose(TestRandom* random, Family family, double size)
{
    AbutPose pose = abut_pose_identity();
    pose.rotation = make_rotation(random);
    pose.position = test_random_position(random, size);
    if (family == GRID || family == BOXES)
    {
        AbutVec3 at = grid_point(random, 4);
        pose.position = (AbutPosition){ at.x, at.y, at.z };
    }
    uint64_t choice = test_random_bits(random) % 16;
    if (choice == 0)
    {
        pose = abut_pose_identity();
    }
    pose.scale = choice == 1 ? 0.5f : 1.0f;
    return pose;
}

typedef struct Counts
{
    int separated, contact, close;
    int unproved; // close beyond the stated uncertainty: no proof was found next to slivers
    double worst; // of distance and depth, relative
} Counts;

/// Moves B along the normal until the surfaces touch within rounding, by the truth and not by the answer.
static void bring_to_touching(TestRandom* random, const AbutConvexInput* input, const AbutHull* a,
                              const AbutHull* b, AbutPose* pose)
{
    AbutConvexInput query = *input;
    query.work = ABUT_CONVEX_DEPTH;
    AbutConvexOutput output = abut_convex(&query);
    if (!output.has_points)
    {
        return;
    }
    double size = fmax(size_of(input->shape_a), size_of(input->shape_b));
    double offset = hull_pair_gap(a, &input->pose_a, b, pose) * input->pose_a.scale;
    double steps = grid(random, 3);
    offset += size * steps * pow(10.0, -9.0 - 6.0 * test_random_unit(random));
    AbutVec3 n = abut_quat_rotate(input->pose_a.rotation, output.normal);
    pose->position.x += offset * (double)n.x;
    pose->position.y += offset * (double)n.y;
    pose->position.z += offset * (double)n.z;
}

static void check_state(const AbutConvexOutput* output, double gap, double size, Counts* counts)
{
    if (output->state == ABUT_COLLIDE_SEPARATED && !(gap > 0.0 && output->gap <= gap * (1.0 + 1e-12)))
    {
        fail_msg("separated by %.17g, but the truth is %.17g", output->gap, gap);
    }
    if (output->state == ABUT_COLLIDE_CONTACT && !(gap <= 0.0))
    {
        fail_msg("contact, but the gap is %.17g", gap);
    }
    if (output->state == ABUT_COLLIDE_CLOSE && !(fabs(gap) <= 1e-8 * size))
    {
        fail_msg("close, but the gap is %.17g, size %g, uncertainty %g", gap, size, output->uncertainty);
    }
    counts->unproved += output->state == ABUT_COLLIDE_CLOSE && fabs(gap) > 2.0 * output->uncertainty;
    counts->separated += output->state == ABUT_COLLIDE_SEPARATED;
    counts->contact += output->state == ABUT_COLLIDE_CONTACT;
    counts->close += output->state == ABUT_COLLIDE_CLOSE;
}

static void check_points(const AbutConvexOutput* output, double gap, double size, Counts* counts)
{
    double error = fabs(output->separation - gap) / size;
    counts->worst = fmax(counts->worst, error);
    if (!(error <= 1e-7))
    {
        fail_msg("separation %.17g, but the truth is %.17g, size %g", output->separation, gap, size);
    }
    AbutPosition a = output->point_a, b = output->point_b;
    double along = (a.x - b.x) * (double)output->normal.x + (a.y - b.y) * (double)output->normal.y +
                   (a.z - b.z) * (double)output->normal.z;
    test_assert_near(along, output->separation, 1e-6 * size);
}

static void check_pair(const AbutConvexInput* input, Counts* counts)
{
    const AbutHull *a = abut_shape_hull(input->shape_a), *b = abut_shape_hull(input->shape_b);
    double gap = hull_pair_gap(a, &input->pose_a, b, &input->pose_b) / (double)input->pose_a.scale;
    double size = fmax(size_of(input->shape_a), size_of(input->shape_b));
    for (int work = 0; work < 3; ++work)
    {
        AbutConvexInput query = *input;
        query.work = (AbutConvexWork)work;
        AbutConvexOutput output = abut_convex(&query);
        check_state(&output, gap, size, counts);
        if (output.has_points)
        {
            check_points(&output, gap, size, counts);
        }
        if (work == 2 && !output.has_points && output.state != ABUT_COLLIDE_CLOSE)
        {
            fail_msg("no points: state %d, gap %g, truth %g", (int)output.state, output.gap, gap);
        }
    }
    // The other order has the same states, or close.
    AbutConvexInput swapped = *input;
    swapped.shape_a = input->shape_b;
    swapped.shape_b = input->shape_a;
    swapped.pose_a = input->pose_b;
    swapped.pose_b = input->pose_a;
    AbutConvexOutput output = abut_convex(&swapped);
    check_state(&output, hull_pair_gap(b, &input->pose_b, a, &input->pose_a) / (double)input->pose_b.scale,
                size, counts);
}

/// States of a method over all pairs that it serves.
typedef struct MethodCounts
{
    int states[ABUT_COLLIDE_STATE_COUNT];
} MethodCounts;

/// The state of one method, and its gap, against the truth.
static void check_method(const AbutConvexInput* pair, AbutCollideMethod method, double gap,
                         MethodCounts* counts)
{
    if (!abut_collide_method_serves(method, pair->shape_a, pair->shape_b))
    {
        return;
    }
    AbutCollideInput input = abut_collide_input(pair->shape_a, pair->shape_b);
    input.pose_a = pair->pose_a;
    input.pose_b = pair->pose_b;
    input.settings.method = method;
    input.settings.budget = 4096;
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    if (output.state == ABUT_COLLIDE_SEPARATED && !(gap > 0.0 && (double)output.gap <= gap))
    {
        fail_msg("%s: separated by %.9g, but the truth is %.17g", abut_collide_method_name(method),
                 (double)output.gap, gap);
    }
    if (output.state == ABUT_COLLIDE_CONTACT && !(gap <= 0.0))
    {
        fail_msg("%s: contact, but the gap is %.17g", abut_collide_method_name(method), gap);
    }
    assert_true(output.state <= ABUT_COLLIDE_BUDGET);
    counts[method].states[output.state] += 1;
}

/// The box that a hull of its corners is.
static AbutShape* box_of(const AbutShape* hull)
{
    AbutShape* box = NULL;
    AbutVec3 e = abut_box_extents(abut_shape_info(hull).bounds);
    test_assert_result(abut_shape_create_box(e, NULL, &box), ABUT_OK);
    return box;
}

/// All methods that have an answer for the pair; branch and bound, which is slow, for a few of them.
static void check_methods(const AbutConvexInput* input, Family family, bool slow, MethodCounts* counts)
{
    static const AbutCollideMethod fast[3] = { ABUT_COLLIDE_GJK, ABUT_COLLIDE_V_CLIP,
                                               ABUT_COLLIDE_LIN_CANNY };
    double gap = hull_pair_gap(abut_shape_hull(input->shape_a), &input->pose_a,
                               abut_shape_hull(input->shape_b), &input->pose_b) /
                 (double)input->pose_a.scale;
    for (int i = 0; i < 3; ++i)
    {
        check_method(input, fast[i], gap, counts);
    }
    if (slow)
    {
        check_method(input, ABUT_COLLIDE_ADAPTIVE, gap, counts);
    }
    if (family == BOXES)
    {
        AbutConvexInput boxes = *input;
        AbutShape *a = box_of(input->shape_a), *b = box_of(input->shape_b);
        boxes.shape_a = a;
        boxes.shape_b = b;
        check_method(&boxes, ABUT_COLLIDE_PRIMITIVES, gap, counts);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

static void print_methods(const MethodCounts* counts)
{
    static const AbutCollideMethod methods[5] = { ABUT_COLLIDE_GJK, ABUT_COLLIDE_V_CLIP,
                                                  ABUT_COLLIDE_LIN_CANNY, ABUT_COLLIDE_PRIMITIVES,
                                                  ABUT_COLLIDE_ADAPTIVE };
    for (int i = 0; i < 5; ++i)
    {
        const int* n = counts[methods[i]].states;
        print_message("%s: separated %d, contact %d, close %d, budget %d, wrong 0\n",
                      abut_collide_method_name(methods[i]), n[ABUT_COLLIDE_SEPARATED],
                      n[ABUT_COLLIDE_CONTACT], n[ABUT_COLLIDE_CLOSE], n[ABUT_COLLIDE_BUDGET]);
        assert_true(n[ABUT_COLLIDE_SEPARATED] > 0 && n[ABUT_COLLIDE_CONTACT] > 0);
    }
}

static void test_states_distances_and_depths_are_the_truth(void** state)
{
    (void)state;
    if (!EXACT_IS_QUAD)
    {
        skip();
    }
    TestRandom random = { 1 };
    Counts counts = { 0 };
    MethodCounts methods[ABUT_COLLIDE_METHOD_COUNT] = { 0 };
    int count = pair_count(4000);
    for (int i = 0; i < count; ++i)
    {
        Family family = (Family)(test_random_bits(&random) % FAMILY_COUNT);
        AbutShape* a = make_hull(&random, family == FLAT_HULL ? GENERAL : family);
        AbutShape* b = test_random_bits(&random) % 8 == 0 ? abut_shape_retain(a) : make_hull(&random, family);
        AbutConvexInput input = abut_convex_input(a, b);
        double size = 0.5 * (size_of(a) + size_of(b));
        input.pose_a = make_pose(&random, family, 0.5 * size);
        input.pose_b = make_pose(&random, family, 0.5 * size);
        if (test_random_bits(&random) % 3 == 0)
        {
            bring_to_touching(&random, &input, abut_shape_hull(a), abut_shape_hull(b), &input.pose_b);
        }
        check_pair(&input, &counts);
        check_methods(&input, family, i % 128 == 0, methods);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
    print_message(
        "%d pairs: separated %d, contact %d, close %d (%d without need), worst error %.2g of the size\n",
        count, counts.separated, counts.contact, counts.close, counts.unproved, counts.worst);
    print_methods(methods);
    assert_true(counts.unproved <= 1 + count / 10000);
    assert_true(counts.separated > count / 4 && counts.contact > count / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_distances_and_depths_are_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
