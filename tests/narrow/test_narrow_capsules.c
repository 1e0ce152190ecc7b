// Capsules against any shape with a distance: states and gaps against the least distance along the segment in
// double, half of the pairs within 1e-2 to 1e-7 of touching; few contacts, on both surfaces, with ids in
// order.
#include "support/shapes.h"

#include <abut/abut.h>
#include <math.h>

enum
{
    CAPACITY = 64,
    CASES = 1500,
    SAMPLES = 64,
    STEPS = 60
};

typedef double DistanceFn(AbutPosition p);

/// Of a torus around y, in double.
static double torus_distance(AbutPosition p)
{
    double around = sqrt(p.x * p.x + p.z * p.z) - 0.5;
    return sqrt(around * around + p.y * p.y) - (double)0.2f;
}

/// Of balls of radius 0.25 at (±0.4, 0, 0).
static double balls_distance(AbutPosition p)
{
    double x = fabs(p.x) - (double)0.4f;
    return sqrt(x * x + p.y * p.y + p.z * p.z) - 0.25;
}

/// The segment of a capsule.
typedef struct Segment
{
    AbutPosition middle;
    double axis[3]; // half of the length
} Segment;

static AbutPosition at(const Segment* s, double t)
{
    return (AbutPosition){ s->middle.x + t * s->axis[0], s->middle.y + t * s->axis[1],
                           s->middle.z + t * s->axis[2] };
}

/// The least distance along the segment, by golden sections around every local minimum of samples.
static double least_distance(DistanceFn* distance, const Segment* s)
{
    const double golden = 0.6180339887498949;
    double least = INFINITY;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        double low = fmax(-1.0, 2.0 * (i - 1) / SAMPLES - 1.0),
               high = fmin(1.0, 2.0 * (i + 1) / SAMPLES - 1.0);
        for (int step = 0; step < STEPS; ++step)
        {
            double a = high - golden * (high - low), b = low + golden * (high - low);
            bool left = distance(at(s, a)) < distance(at(s, b));
            high = left ? b : high;
            low = left ? low : a;
        }
        least = fmin(least, fmin(distance(at(s, low)), distance(at(s, 2.0 * i / SAMPLES - 1.0))));
    }
    return least;
}

/// The segment of a capsule of length 1 in a pose, with the rotation as the library reads it.
static Segment segment_of(const AbutPose* pose)
{
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double n = x * x + y * y + z * z + w * w, half = 0.5 * (double)pose->scale / n;
    return (Segment){ pose->position,
                      { 2.0 * (x * y - w * z) * half, (w * w - x * x + y * y - z * z) * half,
                        2.0 * (y * z + w * x) * half } };
}

typedef struct Tally
{
    int states[ABUT_COLLIDE_STATE_COUNT];
    int wrong;
    int contacts;
} Tally;

static void check_contacts(const AbutCollideInput* input, const AbutContact* contacts, uint32_t count,
                           double exact, double size, double error)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutContact* c = &contacts[i];
        double scale_b = (double)input->pose_b.scale / (double)input->pose_a.scale;
        least = fmin(least, (double)c->separation);
        double deep = exact < -0.5 * size ? size : 0.0; // anchors of segments in the solid may be anywhere
        test_assert_near(abut_shape_distance(input->shape_a, c->anchor_a, NULL), 0.0,
                         0.15 * size + error + deep);
        test_assert_near(scale_b * (double)abut_shape_distance(input->shape_b, c->anchor_b, NULL), 0.0,
                         0.15 * size + error + deep);
        test_assert_near(abut_vec3_length(c->normal), 1.0, 1e-6);
        assert_true(i == 0 || contacts[i - 1].id < c->id);
    }
    if (count > 0 && exact > -0.5 * size)
    {
        test_assert_near(least, exact, 0.03 * size + error);
    }
}

/// `error` is that of the shape: contacts are off by as much, and closer ones may have any proved state.
static void check_capsules(const AbutShape* shape, DistanceFn* distance, double offset, double error,
                           Tally* tally)
{
    TestRandom random = { 1919 };
    for (int i = 0; i < TEST_ROUNDS(CASES); ++i)
    {
        AbutContact contacts[CAPACITY];
        AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
        pose.position = test_random_position(&random, i % 3 == 0 ? 0.6 : 1.2);
        pose.rotation = test_random_rotation(&random);
        pose.scale = (float)exp(test_random_range(&random, -2.0, 1.0));
        if (i % 11 == 0)
        {
            pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 1.5707964f);
            pose.position.y = 0.4;
        }
        Segment segment = segment_of(&pose);
        double free = least_distance(distance, &segment) - offset;
        double by = pow(10.0, test_random_range(&random, -7.0, -2.0)) * (i % 5 < 3 ? 1.0 : -1.0);
        double radius = i % 4 < 2 && free > 0.05 ? free - by : test_random_range(&random, 0.02, 0.5);
        AbutShape* capsule = NULL;
        float own = (float)(radius / (double)pose.scale);
        test_assert_result(abut_shape_create_capsule(own, 1.0f, NULL, &capsule), ABUT_OK);
        bool capsule_is_a = i % 2 == 0;
        AbutCollideInput input =
            abut_collide_input(capsule_is_a ? capsule : shape, capsule_is_a ? shape : capsule);
        *(capsule_is_a ? &input.pose_a : &input.pose_b) = pose;
        double unit = capsule_is_a ? (double)pose.scale : 1.0;
        input.settings.margin = i % 3 == 1 ? (float)(0.1 * radius / unit) : 0.0f;
        assert_int_equal(abut_collide_method_of(input.shape_a, input.shape_b), ABUT_COLLIDE_PRIMITIVES);
        AbutCollideOutput output = abut_collide(&input, contacts, i % 7 == 0 ? 0 : CAPACITY);
        double exact = (free - (double)own * (double)pose.scale) / unit, gap = output.gap;
        tally->wrong += (output.state == ABUT_COLLIDE_CONTACT && exact > 1e-9) ||
                        (output.state == ABUT_COLLIDE_SEPARATED && !(exact > 0.0 && gap <= exact)) ||
                        (output.state == ABUT_COLLIDE_CLOSE && fabs(exact) * unit > 1e-3 + error);
        assert_true(output.state <= ABUT_COLLIDE_CLOSE);
        if (output.contact_total <= 10) // else left to branch and bound, whose contacts are many
        {
            check_contacts(&input, contacts, output.contact_count, exact, radius / unit, error / unit);
            tally->contacts += (int)output.contact_count;
            assert_true(i % 7 == 0 || output.state != ABUT_COLLIDE_CONTACT || output.contact_count > 0);
        }
        tally->states[output.state] += 1;
        abut_shape_destroy(capsule);
    }
}

static AbutShape* make_balls(void)
{
    AbutShape *ball = test_make_sphere(0.25f), *balls[2], *both = NULL;
    for (int i = 0; i < 2; ++i)
    {
        AbutPose pose = abut_pose_at(i == 0 ? 0.4f : -0.4f, 0.0, 0.0);
        test_assert_result(abut_shape_create_transformed(ball, &pose, NULL, &balls[i]), ABUT_OK);
    }
    test_assert_result(abut_shape_create_union(balls, 2, NULL, &both), ABUT_OK);
    abut_shape_destroy(ball);
    abut_shape_destroy(balls[0]);
    abut_shape_destroy(balls[1]);
    return both;
}

static void test_capsules_against_any_shape_are_proved(void** state)
{
    (void)state;
    AbutShape *torus = test_make_torus(0.5f, 0.2f), *field = NULL, *thick = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    test_assert_result(abut_shape_create_offset(torus, 0.0625f, NULL, &thick), ABUT_OK);
    AbutShape* balls = make_balls();
    const AbutShape* const shapes[] = { torus, field, thick, balls };
    DistanceFn* const distances[] = { torus_distance, torus_distance, torus_distance, balls_distance };
    const double offsets[] = { 0.0, 0.0, 0.0625, 0.0 };
    const double errors[] = { 1e-5, (double)abut_shape_info(field).error, 1e-5, 1e-5 };
    for (int i = 0; i < 4; ++i)
    {
        Tally tally = { { 0 }, 0, 0 };
        check_capsules(shapes[i], distances[i], offsets[i], errors[i], &tally);
        print_message("capsule and %s: separated %d, contact %d, close %d, wrong %d, contacts %d\n",
                      abut_shape_kind_name(abut_shape_info(shapes[i]).kind),
                      tally.states[ABUT_COLLIDE_SEPARATED], tally.states[ABUT_COLLIDE_CONTACT],
                      tally.states[ABUT_COLLIDE_CLOSE], tally.wrong, tally.contacts);
        assert_int_equal(tally.wrong, 0);
        assert_true(tally.states[ABUT_COLLIDE_SEPARATED] > TEST_ROUNDS(200));
        assert_true(tally.states[ABUT_COLLIDE_CONTACT] > TEST_ROUNDS(200));
    }
    abut_shape_destroy(torus);
    abut_shape_destroy(field);
    abut_shape_destroy(thick);
    abut_shape_destroy(balls);
}

/// A capsule that lies in a groove, far from the origin: contacts at both ends and on both sides.
static void test_a_capsule_in_a_groove_touches_both_walls(void** state)
{
    (void)state;
    AbutShape *box = test_make_box(2.0f, 2.0f, 4.0f), *walls[2], *groove = NULL, *capsule = NULL;
    for (int i = 0; i < 2; ++i)
    {
        AbutPose pose = abut_pose_at(i == 0 ? 1.25 : -1.25, 0.0, 0.0);
        test_assert_result(abut_shape_create_transformed(box, &pose, NULL, &walls[i]), ABUT_OK);
    }
    test_assert_result(abut_shape_create_union(walls, 2, NULL, &groove), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.2578125f, 1.0f, NULL, &capsule), ABUT_OK);
    for (int far = 0; far < 2; ++far)
    {
        AbutContact contacts[CAPACITY];
        AbutCollideInput input = abut_collide_input(groove, capsule);
        input.pose_a = input.pose_b = abut_pose_at(far * 1e7, -far * 1e7, 0.0);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_true(output.contact_count >= 4 && output.contact_count <= 10);
        int sides[2][2] = { { 0 } };
        for (uint32_t i = 0; i < output.contact_count; ++i)
        {
            test_assert_near(contacts[i].separation, -0.0078125, 1e-5);
            test_assert_near(fabsf(contacts[i].normal.x), 1.0, 1e-5);
            sides[contacts[i].normal.x > 0.0f][contacts[i].position.y > 0.0f] += 1;
        }
        assert_true(sides[0][0] > 0 && sides[0][1] > 0 && sides[1][0] > 0 && sides[1][1] > 0);
    }
    abut_shape_destroy(box);
    abut_shape_destroy(walls[0]);
    abut_shape_destroy(walls[1]);
    abut_shape_destroy(groove);
    abut_shape_destroy(capsule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capsules_against_any_shape_are_proved),
        cmocka_unit_test(test_a_capsule_in_a_groove_touches_both_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
