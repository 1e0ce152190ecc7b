// Pairs of shapes against closed forms and brute force: states, gaps, contacts, bad input.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>
#include <string.h>

enum
{
    CAPACITY = 256
};

static AbutPose random_pose(TestRandom* random, double reach)
{
    AbutVec3 p = test_random_point(random, reach);
    AbutPose pose = abut_pose_at(p.x, p.y, p.z);
    pose.rotation = test_random_rotation(random);
    return pose;
}

typedef struct Tally
{
    int separated, contact, close;
    uint64_t evaluations;
} Tally;

/// Checks an answer against the true gap (negative: how deep, at least in sign). `tolerance` is what the
/// answer may not tell.
static void check_state(const AbutCollideOutput* output, double gap, double tolerance, Tally* tally)
{
    tally->evaluations += output->evaluations;
    switch (output->state)
    {
    case ABUT_COLLIDE_SEPARATED:
        tally->separated += 1;
        if (!(gap > 0.0) || !((double)output->gap <= gap * (1.0 + 1e-5) + 1e-6))
        {
            fail_msg("separated by %g, but the gap is %g", (double)output->gap, gap);
        }
        break;
    case ABUT_COLLIDE_CONTACT:
        tally->contact += 1;
        if (!(gap <= 1e-6))
        {
            fail_msg("contact, but the gap is %g", gap);
        }
        break;
    case ABUT_COLLIDE_CLOSE:
        tally->close += 1;
        if (!(fabs(gap) <= tolerance))
        {
            fail_msg("close, but the gap is %g", gap);
        }
        break;
    default:
        fail_msg("state %s", abut_collide_state_name(output->state));
    }
}

static void check_tally(const char* name, const Tally* tally, int count)
{
    print_message("%s: %d separated, %d contact, %d close, %.0f evaluations per pair\n", name,
                  tally->separated, tally->contact, tally->close, (double)tally->evaluations / count);
    assert_true(tally->separated > count / 20 && tally->contact > count / 20 && tally->close < count / 10);
}

// -----------------------------------------------------------------------------------------------------------
// States against closed forms
// -----------------------------------------------------------------------------------------------------------

static void test_spheres_meet_when_their_centres_are_near(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.25f);
    TestRandom random = { 500 };
    Tally tally = { 0 };
    for (int i = 0; i < 10000; ++i)
    {
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = random_pose(&random, 0.7);
        input.pose_b.scale = (float)test_random_range(&random, 0.5, 2.0);
        if (i % 2 == 0) // grazing
        {
            AbutVec3 u = test_random_direction(&random);
            double d = 0.5 + 0.25 * (double)input.pose_b.scale + test_random_range(&random, -0.004, 0.004);
            input.pose_b.position = (AbutPosition){ d * (double)u.x, d * (double)u.y, d * (double)u.z };
        }
        AbutPosition p = input.pose_b.position;
        double gap = sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 0.5 - 0.25 * (double)input.pose_b.scale;
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        check_state(&output, gap, 0.002, &tally);
    }
    check_tally("spheres", &tally, 10000);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static double box_distance(const double half[3], AbutVec3 p)
{
    double q[3] = { fabs((double)p.x) - half[0], fabs((double)p.y) - half[1], fabs((double)p.z) - half[2] };
    double x = fmax(q[0], 0.0), y = fmax(q[1], 0.0), z = fmax(q[2], 0.0);
    return sqrt(x * x + y * y + z * z) + fmin(fmax(q[0], fmax(q[1], q[2])), 0.0);
}

static void test_a_sphere_meets_a_plate(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.3f),
              *b = test_make_box(1.0f, 0.01f, 0.8f); // thin: particles fall through it
    const double half[3] = { 0.5, 0.005, 0.4 };
    TestRandom random = { 501 };
    Tally tally = { 0 };
    for (int i = 0; i < 5000; ++i)
    {
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = random_pose(&random, 0.6);
        AbutVec3 center = abut_pose_inverse_transform_point(&input.pose_b, (AbutPosition){ 0.0, 0.0, 0.0 });
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        check_state(&output, box_distance(half, center) - 0.3, 0.002, &tally);
    }
    check_tally("sphere and plate", &tally, 5000);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

/// Distance between a circle of radius 0.5 about y and a point.
static double circle_distance(AbutVec3 p)
{
    double r = sqrt((double)p.x * (double)p.x + (double)p.z * (double)p.z) - 0.5;
    return sqrt(r * r + (double)p.y * (double)p.y);
}

/// Between two such circles: samples of one against the closed form of the other, then the best ones refined.
static double circles_distance(const AbutPose* pose)
{
    double least = INFINITY, best = 0.0, width = 6.283185307179586 / 720.0;
    for (int round = 0; round < 8; ++round)
    {
        int count = round == 0 ? 720 : 20;
        double first = round == 0 ? 0.0 : best - 10.0 * width;
        double found = best;
        for (int i = 0; i <= count; ++i)
        {
            double t = first + width * i;
            AbutPosition q = abut_pose_transform_point(
                pose, abut_vec3((float)(0.5 * cos(t)), 0.0f, (float)(0.5 * sin(t))));
            double d = circle_distance(abut_vec3((float)q.x, (float)q.y, (float)q.z));
            if (d < least)
            {
                least = d;
                found = t;
            }
        }
        best = found;
        width *= 0.1;
    }
    return least;
}

static void test_links_of_a_chain_meet_when_their_circles_are_near(void** state)
{
    (void)state;
    AbutShape* a = NULL;
    test_assert_result(abut_shape_create_torus(0.5f, 0.02f, NULL, &a), ABUT_OK);
    TestRandom random = { 502 };
    Tally tally = { 0 };
    for (int i = 0; i < 2000; ++i)
    {
        AbutCollideInput input = abut_collide_input(a, a);
        input.pose_b = random_pose(&random, 0.5);
        double gap = circles_distance(&input.pose_b) - 0.04;
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        check_state(&output, gap, 0.004, &tally);
    }
    check_tally("links", &tally, 2000);
    abut_shape_destroy(a);
}

static void test_fields_answer_within_their_error(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.3f);
    for (int format = 0; format < ABUT_FIELD_FORMAT_COUNT; ++format)
    {
        AbutShape* fields[2] = { NULL, NULL };
        AbutBakeDef def = abut_bake_def();
        def.resolution = 64;
        def.format = (AbutFieldFormat)format;
        test_assert_result(abut_bake_shape(&def, a, &fields[0]), ABUT_OK);
        test_assert_result(abut_bake_shape(&def, b, &fields[1]), ABUT_OK);
        double cell = abut_field_info(fields[0]).cell_size;
        TestRandom random = { 503 };
        Tally tally = { 0 };
        for (int i = 0; i < 1500; ++i)
        {
            AbutCollideInput input = abut_collide_input(fields[0], fields[1]);
            input.pose_b = random_pose(&random, 0.7);
            AbutPosition p = input.pose_b.position;
            AbutCollideOutput output = abut_collide(&input, NULL, 0);
            check_state(&output, sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 0.8, 0.5 * cell, &tally);
        }
        check_tally(abut_field_format_name(def.format), &tally, 1500);
        abut_shape_destroy(fields[0]);
        abut_shape_destroy(fields[1]);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

static void test_contacts_are_in_both_solids_with_the_normal_of_the_second(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.4f);
    TestRandom random = { 504 };
    for (int i = 0; i < 100; ++i)
    {
        AbutContact contacts[CAPACITY];
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = random_pose(&random, 0.45);
        input.settings.method = ABUT_COLLIDE_ADAPTIVE;
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_true(output.contact_count > 0 && output.contact_count <= CAPACITY);
        assert_true(output.contact_total >= output.contact_count);
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            AbutVec3 gradient;
            float in_a = abut_shape_distance(a, contacts[k].position, NULL);
            AbutPosition position = { contacts[k].position.x, contacts[k].position.y,
                                      contacts[k].position.z };
            float in_b = abut_shape_distance_at(b, &input.pose_b, position, &gradient);
            assert_true(in_a <= 1e-3f && in_b <= 1e-3f);
            test_assert_near(contacts[k].separation, fminf(in_a, in_b), 1e-3);
            test_assert_near(contacts[k].normal.x, gradient.x, 1e-3);
            test_assert_near(contacts[k].normal.y, gradient.y, 1e-3);
            test_assert_near(contacts[k].normal.z, gradient.z, 1e-3);
            assert_true(k == 0 || contacts[k].id > contacts[k - 1].id);
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_every_region_of_the_intersection_has_a_contact(void** state)
{
    (void)state;
    // A row of five balls on a plate that they all dip into.
    AbutShape *balls[5], *row = NULL, *plate = test_make_box(3.0f, 0.1f, 0.5f),
                         *ball = test_make_sphere(0.1f);
    for (int i = 0; i < 5; ++i)
    {
        AbutPose pose = abut_pose_at(0.5 * i - 1.0, 0.0, 0.0);
        test_assert_result(abut_shape_create_transformed(ball, &pose, NULL, &balls[i]), ABUT_OK);
    }
    test_assert_result(abut_shape_create_union(balls, 5, NULL, &row), ABUT_OK);
    AbutCollideInput input = abut_collide_input(row, plate);
    input.pose_b = abut_pose_at(0.0, -0.145, 0.0);
    AbutContact contacts[CAPACITY];
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    bool found[5] = { false };
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        int which = (int)lround(((double)contacts[i].position.x + 1.0) / 0.5);
        assert_in_range(which, 0, 4);
        found[which] = true;
        assert_true(contacts[i].normal.y > 0.99f);
    }
    for (int i = 0; i < 5; ++i)
    {
        assert_true(found[i]);
        abut_shape_destroy(balls[i]);
    }
    abut_shape_destroy(row);
    abut_shape_destroy(plate);
    abut_shape_destroy(ball);
}

static void test_a_body_inside_another_is_a_contact(void** state)
{
    (void)state;
    AbutShape *a = test_make_box(2.0f, 2.0f, 2.0f), *b = test_make_sphere(0.1f);
    AbutContact contacts[CAPACITY];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_b = abut_pose_at(0.5, 0.2, 0.0);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    assert_true(output.contact_count > 0 && contacts[0].separation < -0.4f);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_margin_reports_contacts_of_bodies_apart(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.5f);
    AbutContact contacts[CAPACITY];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_b = abut_pose_at(1.02, 0.0, 0.0);
    AbutCollideOutput none = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(none.state, ABUT_COLLIDE_SEPARATED);
    assert_int_equal(none.contact_count, 0);
    assert_true(none.gap > 0.015f && none.gap <= 0.02f);
    input.settings.margin = 0.05f;
    AbutCollideOutput some = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(some.state, ABUT_COLLIDE_SEPARATED);
    assert_true(some.contact_count > 0);
    float least = INFINITY;
    for (uint32_t i = 0; i < some.contact_count; ++i)
    {
        least = fminf(least, contacts[i].separation);
        assert_true(contacts[i].separation > 0.0195f && contacts[i].separation <= 0.06f);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_small_capacity_gets_the_deepest_contacts(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_box(2.0f, 2.0f, 2.0f);
    AbutContact all[CAPACITY], few[4];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_b = abut_pose_at(0.0, -1.45, 0.0);
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    AbutCollideOutput whole = abut_collide(&input, all, CAPACITY), some = abut_collide(&input, few, 4);
    assert_true(whole.contact_count > 4);
    assert_int_equal(some.contact_count, 4);
    assert_int_equal(some.contact_total, whole.contact_count);
    for (int i = 0; i < 4; ++i)
    {
        int deeper = 0;
        for (uint32_t k = 0; k < whole.contact_count; ++k)
        {
            deeper += all[k].separation < few[i].separation ? 1 : 0;
        }
        assert_true(deeper < 4);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

// -----------------------------------------------------------------------------------------------------------
// Input
// -----------------------------------------------------------------------------------------------------------

static void test_input_without_sense_is_an_answer(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutContact contacts[4];
    AbutCollideInput input = abut_collide_input(a, a);
    input.pose_b.position.x = NAN;
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_INVALID);
    assert_true(strstr(abut_last_error(), "pose") != NULL);
    input = abut_collide_input(a, a);
    input.pose_a.scale = 0.0f;
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_INVALID);
    input = abut_collide_input(a, NULL);
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_INVALID);
    input = abut_collide_input(plane, plane);
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_INVALID);
    assert_true(strstr(abut_last_error(), "no end") != NULL);
    input = abut_collide_input(plane, a);
    input.pose_b = abut_pose_at(0.0, 0.4, 0.0);
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_CONTACT);
    input.pose_b = abut_pose_at(0.0, 0.6, 0.0);
    assert_int_equal(abut_collide(&input, contacts, 4).state, ABUT_COLLIDE_SEPARATED);
    abut_shape_destroy(a);
    abut_shape_destroy(plane);
}

static void test_a_spent_budget_is_a_state_of_its_own(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.5f);
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_b = abut_pose_at(0.57741, 0.57741, 0.57741);
    input.settings.tolerance = 1e-6f;
    input.settings.budget = 100;
    input.settings.method = ABUT_COLLIDE_ADAPTIVE;
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_BUDGET);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_meet_when_their_centres_are_near),
        cmocka_unit_test(test_a_sphere_meets_a_plate),
        cmocka_unit_test(test_links_of_a_chain_meet_when_their_circles_are_near),
        cmocka_unit_test(test_fields_answer_within_their_error),
        cmocka_unit_test(test_contacts_are_in_both_solids_with_the_normal_of_the_second),
        cmocka_unit_test(test_every_region_of_the_intersection_has_a_contact),
        cmocka_unit_test(test_a_body_inside_another_is_a_contact),
        cmocka_unit_test(test_a_margin_reports_contacts_of_bodies_apart),
        cmocka_unit_test(test_a_small_capacity_gets_the_deepest_contacts),
        cmocka_unit_test(test_input_without_sense_is_an_answer),
        cmocka_unit_test(test_a_spent_budget_is_a_state_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
