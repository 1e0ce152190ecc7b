// Closed forms of primitives: contacts against distances in quad precision, few of them, with ids in order.
#include "support/oracles/near_touching.h"
#include "support/shapes.h"

#include <abut/abut.h>
#include <math.h>

enum
{
    CAPACITY = 64,
    CASES = 60
};

static const AbutShapeKind kinds[] = { ABUT_SHAPE_SPHERE, ABUT_SHAPE_BOX, ABUT_SHAPE_ROUNDED_BOX,
                                       ABUT_SHAPE_CAPSULE, ABUT_SHAPE_PLANE };

enum
{
    KINDS = sizeof(kinds) / sizeof(kinds[0])
};

static uint32_t most_contacts(AbutShapeKind a, AbutShapeKind b)
{
    if (a == ABUT_SHAPE_SPHERE || b == ABUT_SHAPE_SPHERE)
    {
        return 1;
    }
    if (a == ABUT_SHAPE_PLANE || b == ABUT_SHAPE_PLANE)
    {
        return a == ABUT_SHAPE_CAPSULE || b == ABUT_SHAPE_CAPSULE ? 2 : 4;
    }
    return a == ABUT_SHAPE_CAPSULE && b == ABUT_SHAPE_CAPSULE ? 2 : 10;
}

static double least_separation(const AbutContact* contacts, uint32_t count)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        least = fmin(least, (double)contacts[i].separation);
    }
    return least;
}

/// Anchors are on the surfaces, the normal is of unit length, ids are in order, the position is in both or
/// between them.
static void check_contacts(const AbutCollideInput* input, const AbutContact* contacts, uint32_t count,
                           double size)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutContact* c = &contacts[i];
        double scale_b = (double)input->pose_b.scale / (double)input->pose_a.scale;
        double on_a = abut_shape_distance(input->shape_a, c->anchor_a, NULL);
        double on_b = scale_b * (double)abut_shape_distance(input->shape_b, c->anchor_b, NULL);
        // The rounding of a core that is tilted against the face below it reaches beyond the anchor.
        AbutShapeKind a = abut_shape_info(input->shape_a).kind, b = abut_shape_info(input->shape_b).kind;
        bool boxes = a != ABUT_SHAPE_SPHERE && b != ABUT_SHAPE_SPHERE;
        bool rounded = boxes && (a == ABUT_SHAPE_ROUNDED_BOX || b == ABUT_SHAPE_ROUNDED_BOX ||
                                 a == ABUT_SHAPE_CAPSULE || b == ABUT_SHAPE_CAPSULE);
        test_assert_near(on_a, 0.0,
                         (rounded ? 0.3 : 1e-5) * size + 1e-6 * (double)abut_vec3_length(c->anchor_a));
        test_assert_near(on_b, 0.0,
                         (rounded ? 0.3 : 1e-5) * size +
                             1e-6 * scale_b * (double)abut_vec3_length(c->anchor_b));
        test_assert_near(abut_vec3_length(c->normal), 1.0, 1e-6);
        assert_true(i == 0 || contacts[i - 1].id < c->id);
    }
}

/// The least separation is the gap. Of boxes that overlap it is that of the best axis, within a thousandth.
static void check_pair(const NearPair* pair, AbutShapeKind a, AbutShapeKind b)
{
    AbutShape* shapes[2] = { exact_shape_create(&pair->shapes[0]), exact_shape_create(&pair->shapes[1]) };
    AbutContact contacts[CAPACITY], swapped[CAPACITY];
    AbutCollideInput input = abut_collide_input(shapes[0], shapes[1]);
    double unit = (double)pair->poses[0].scale, size = pair->size / unit, gap = (double)pair->gap / unit;
    input.pose_a = pair->poses[0];
    input.pose_b = pair->poses[1];
    input.settings.margin = (float)(0.2 * size);
    assert_int_equal(abut_collide_method_of(shapes[0], shapes[1]), ABUT_COLLIDE_PRIMITIVES);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_true(output.contact_count > 0 && output.contact_count <= most_contacts(a, b));
    assert_int_equal(output.contact_total, output.contact_count);
    test_assert_near(least_separation(contacts, output.contact_count), gap, 4e-3 * size);
    if (gap > 0.0 || a == ABUT_SHAPE_SPHERE || b == ABUT_SHAPE_SPHERE)
    {
        test_assert_near(least_separation(contacts, output.contact_count), gap, 2e-6 * size);
    }
    check_contacts(&input, contacts, output.contact_count, size);
    AbutCollideInput other = abut_collide_input(shapes[1], shapes[0]);
    other.pose_a = pair->poses[1];
    other.pose_b = pair->poses[0];
    double ratio = unit / (double)pair->poses[1].scale;
    other.settings.margin = (float)(0.2 * size * ratio);
    AbutCollideOutput back = abut_collide(&other, swapped, CAPACITY);
    test_assert_near(least_separation(swapped, back.contact_count) / ratio,
                     least_separation(contacts, output.contact_count), 4e-3 * size);
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
}

static void test_the_least_separation_is_the_gap(void** state)
{
    (void)state;
    for (int i = 0; i < KINDS * KINDS; ++i)
    {
        AbutShapeKind a = kinds[i / KINDS], b = kinds[i % KINDS];
        TestRandom random = { 1800u + (uint64_t)i };
        for (int k = 0; k < TEST_ROUNDS(CASES) && (a != ABUT_SHAPE_PLANE || b != ABUT_SHAPE_PLANE); ++k)
        {
            NearPair pair = near_pair_make(&random, a, b, NEAR_EQUAL);
            check_pair(&pair, a, b);
        }
    }
}

/// A box on a box: the corners of the smaller face, whichever is A.
static void test_a_box_on_a_box_has_the_corners_of_the_common_face(void** state)
{
    (void)state;
    AbutShape *large = test_make_box(4.0f, 1.0f, 4.0f), *small = test_make_box(1.0f, 0.5f, 2.0f);
    for (int i = 0; i < 2; ++i)
    {
        AbutContact contacts[CAPACITY];
        AbutCollideInput input = abut_collide_input(i == 0 ? large : small, i == 0 ? small : large);
        input.pose_b = abut_pose_at(0.0, i == 0 ? 0.74 : -0.74, 0.0);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_int_equal(output.contact_count, 4);
        for (uint32_t k = 0; k < 4; ++k)
        {
            AbutVec3 on = i == 0 ? contacts[k].anchor_b : contacts[k].anchor_a;
            test_assert_near(fabsf(on.x), 0.5, 1e-6);
            test_assert_near(fabsf(on.z), 1.0, 1e-6);
            test_assert_near(contacts[k].separation, -0.01, 1e-6);
            test_assert_near(contacts[k].normal.y, i == 0 ? -1.0 : 1.0, 1e-6);
        }
        AbutContact few[2];
        AbutCollideOutput truncated = abut_collide(&input, few, 2);
        assert_int_equal(truncated.contact_count, 2);
        assert_int_equal(truncated.contact_total, 4);
    }
    abut_shape_destroy(large);
    abut_shape_destroy(small);
}

/// Placed, scaled and offset primitives are seen through, to the same answer.
static void test_transformed_and_offset_primitives_are_seen_through(void** state)
{
    (void)state;
    AbutShape *box = test_make_box(1.0f, 0.5f, 2.0f), *ball = test_make_sphere(0.5f), *plain = NULL;
    AbutShape *grown = NULL, *moved = NULL;
    AbutPose pose = abut_pose_at(0.25, -0.5, 1.0);
    pose.scale = 2.0f;
    test_assert_result(abut_shape_create_offset(box, 0.125f, NULL, &grown), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(grown, &pose, NULL, &moved), ABUT_OK);
    test_assert_result(abut_shape_create_rounded_box(abut_vec3(2.5f, 1.5f, 4.5f), 0.25f, NULL, &plain),
                       ABUT_OK);
    for (int i = 0; i < 20; ++i)
    {
        AbutContact a[CAPACITY], b[CAPACITY];
        AbutCollideInput one = abut_collide_input(moved, ball), two = abut_collide_input(plain, ball);
        one.settings.margin = two.settings.margin = 0.5f;
        one.pose_b = abut_pose_at(0.25 + 0.1 * i, 0.7, 1.0 + 0.2 * i);
        two.pose_b = abut_pose_at(0.1 * i, 1.2, 0.2 * i);
        assert_int_equal(abut_collide_method_of(moved, ball), ABUT_COLLIDE_PRIMITIVES);
        AbutCollideOutput first = abut_collide(&one, a, CAPACITY), second = abut_collide(&two, b, CAPACITY);
        assert_int_equal(first.state, second.state);
        assert_int_equal(first.contact_count, second.contact_count);
        for (uint32_t k = 0; k < first.contact_count; ++k)
        {
            test_assert_near(a[k].separation, b[k].separation, 1e-6);
            test_assert_near(a[k].normal.y, b[k].normal.y, 1e-6);
        }
    }
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
    abut_shape_destroy(plain);
    abut_shape_destroy(grown);
    abut_shape_destroy(moved);
}

/// A ball and a field or formula of a torus: states agree with branch and bound, the first contact is within
/// a cell of the formula's distance.
static void test_balls_and_shapes_agree_with_branch_and_bound(void** state)
{
    (void)state;
    AbutShape *torus = test_make_torus(0.5f, 0.2f), *ball = test_make_sphere(0.25f), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 40;
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    TestRandom random = { 1830 };
    int touching = 0, apart = 0;
    for (int i = 0; i < TEST_ROUNDS(600); ++i)
    {
        AbutContact contacts[CAPACITY];
        bool swap = i % 2 == 1;
        const AbutShape* shape = i % 4 < 2 ? torus : field;
        AbutCollideInput input = abut_collide_input(swap ? ball : shape, swap ? shape : ball);
        AbutPose* pose = swap ? &input.pose_a : &input.pose_b;
        double x = test_random_range(&random, -1.0, 1.0);
        double y = test_random_range(&random, -0.5, 0.5);
        double z = test_random_range(&random, -1.0, 1.0);
        *pose = abut_pose_at(x, y, z);
        input.settings.margin = 0.2f;
        assert_int_equal(abut_collide_method_of(shape, ball), ABUT_COLLIDE_PRIMITIVES);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        double exact = (double)abut_shape_distance_at(torus, &(AbutPose){ { 0, 0, 0 }, { 0, 0, 0, 1 }, 1 },
                                                      pose->position, NULL) -
                       0.25;
        touching += output.state == ABUT_COLLIDE_CONTACT;
        apart += output.state == ABUT_COLLIDE_SEPARATED;
        assert_true(output.state != ABUT_COLLIDE_CONTACT || exact < 1e-5);
        assert_true(output.state != ABUT_COLLIDE_SEPARATED ||
                    (exact > -1e-5 && (double)output.gap <= exact + 1e-5));
        assert_true(output.state != ABUT_COLLIDE_CLOSE || fabs(exact) < 0.05);
        if (exact < 0.02 && exact > -0.25)
        {
            assert_true(output.contact_count > 0);
            test_assert_near(least_separation(contacts, output.contact_count), exact,
                             i % 4 < 2 ? 1e-5 : 0.02);
        }
    }
    assert_true(touching > 20 && apart > 20);
    abut_shape_destroy(torus);
    abut_shape_destroy(ball);
    abut_shape_destroy(field);
}

/// Distance of a torus around y, in double.
static double torus_distance(AbutPosition p)
{
    double around = sqrt(p.x * p.x + p.z * p.z) - 0.5;
    return sqrt(around * around + p.y * p.y) - (double)0.2f;
}

typedef struct BallTally
{
    int states[ABUT_COLLIDE_STATE_COUNT];
    int wrong;
} BallTally;

/// Balls of any size about a field, its torus, and both transformed and offset: half of them within 1e-2 to
/// 1e-7 of touching. No state is wrong, and a gap is never larger than the distance.
static void check_balls(const AbutShape* shape, double offset, double most_close, BallTally* tally)
{
    AbutShape* ball = test_make_sphere(1.0f);
    TestRandom random = { 1918 };
    for (int i = 0; i < TEST_ROUNDS(4000); ++i)
    {
        AbutCollideInput input = abut_collide_input(i % 2 == 0 ? shape : ball, i % 2 == 0 ? ball : shape);
        AbutPose* pose = i % 2 == 0 ? &input.pose_b : &input.pose_a;
        AbutContact contacts[CAPACITY];
        pose->position = test_random_position(&random, i % 3 == 0 ? 0.7 : 1.4);
        double distance = torus_distance(pose->position) - offset;
        double by = pow(10.0, test_random_range(&random, -7.0, -2.0)) * (i % 5 < 3 ? 1.0 : -1.0);
        double radius = i % 4 < 2 && distance > 0.05 ? distance - by : test_random_range(&random, 0.02, 0.9);
        pose->scale = (float)radius;
        AbutCollideOutput output = abut_collide(&input, contacts, i % 7 == 0 ? 0 : CAPACITY);
        // In units of A.
        double unit = i % 2 == 0 ? 1.0 : (double)pose->scale;
        double exact = (distance - (double)pose->scale) / unit, gap = output.gap;
        bool wrong = (output.state == ABUT_COLLIDE_CONTACT && exact > 1e-9) ||
                     (output.state == ABUT_COLLIDE_SEPARATED && !(exact > 0.0 && gap <= exact)) ||
                     (output.state == ABUT_COLLIDE_CLOSE && fabs(exact) * unit > most_close);
        tally->wrong += wrong;
        tally->states[output.state] += 1;
        assert_true(output.state <= ABUT_COLLIDE_CLOSE);
    }
    abut_shape_destroy(ball);
}

static void test_balls_against_fields_are_proved(void** state)
{
    (void)state;
    AbutShape *torus = test_make_torus(0.5f, 0.2f), *field = NULL, *coarse = NULL, *thick = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 64;
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    def.resolution = 16;
    def.sparse = true;
    test_assert_result(abut_bake_shape(&def, torus, &coarse), ABUT_OK);
    test_assert_result(abut_shape_create_offset(torus, 0.0625f, NULL, &thick), ABUT_OK);
    const AbutShape* const shapes[] = { torus, field, coarse, thick };
    const double offsets[] = { 0.0, 0.0, 0.0, 0.0625 }, close[] = { 4e-5, 0.03, 0.25, 1e-3 };
    for (int i = 0; i < 4; ++i)
    {
        BallTally tally = { { 0 }, 0 };
        check_balls(shapes[i], offsets[i], close[i], &tally);
        print_message("ball and %s: separated %d, contact %d, close %d, wrong %d\n",
                      abut_shape_kind_name(abut_shape_info(shapes[i]).kind),
                      tally.states[ABUT_COLLIDE_SEPARATED], tally.states[ABUT_COLLIDE_CONTACT],
                      tally.states[ABUT_COLLIDE_CLOSE], tally.wrong);
        assert_int_equal(tally.wrong, 0);
        assert_true(tally.states[ABUT_COLLIDE_SEPARATED] > TEST_ROUNDS(200));
        assert_true(tally.states[ABUT_COLLIDE_CONTACT] > TEST_ROUNDS(200));
    }
    abut_shape_destroy(torus);
    abut_shape_destroy(field);
    abut_shape_destroy(coarse);
    abut_shape_destroy(thick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least_separation_is_the_gap),
        cmocka_unit_test(test_a_box_on_a_box_has_the_corners_of_the_common_face),
        cmocka_unit_test(test_transformed_and_offset_primitives_are_seen_through),
        cmocka_unit_test(test_balls_and_shapes_agree_with_branch_and_bound),
        cmocka_unit_test(test_balls_against_fields_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
