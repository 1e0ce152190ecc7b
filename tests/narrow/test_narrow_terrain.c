// Balls and capsules on terrain: states, distances and contacts against every triangle and wall in double.
#include "support/oracles/oracle_terrain.h"

#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <string.h>

static double hills(TestRandom* random, uint32_t x, uint32_t z)
{
    return 1.5 * sin(0.7 * x) * cos(0.5 * z) + test_random_range(random, -0.2, 0.2);
}

static double cliffs(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    return (x / 3 + z / 4) % 2 == 0 ? -5.0 : 5.0;
}

/// Heights on a coarse grid: coplanar faces, level edges, feet on edges and corners.
static double steps(TestRandom* random, uint32_t x, uint32_t z)
{
    return (double)(test_random_bits(random) % 3) + 0.0 * (x + z);
}

static double valley(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    (void)z;
    return fabs((double)x - 8.0);
}

typedef struct TerrainCase
{
    const char* name;
    uint32_t x_count, z_count;
    double spacing;
    OracleHeightFn* height;
} TerrainCase;

static const TerrainCase CASES[] = {
    { "hills", 13, 11, 1.0, hills },  { "cliffs", 12, 13, 1.0, cliffs }, { "steps", 9, 9, 0.5, steps },
    { "valley", 17, 5, 1.0, valley }, { "one cell", 2, 2, 1.0, hills },  { "a strip", 2, 30, 1.0, steps },
    { "tiny", 9, 7, 1e-6, hills },    { "huge", 9, 7, 1e6, hills },
};

enum
{
    CASE_COUNT = sizeof(CASES) / sizeof(CASES[0]),
    MOST = 64
};

/// Least distance of points of a segment, by samples of the oracle and the golden section around the least.
static double segment_distance(const OracleTerrain* t, const double a[3], const double b[3])
{
    enum
    {
        SAMPLES = 400
    };
    double best = INFINITY;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        double s = (double)i / SAMPLES;
        const double p[3] = { a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]) };
        best = fmin(best, oracle_terrain_distance(t, p));
    }
    return best;
}

static AbutCollideOutput collide(const AbutShape* terrain, const AbutShape* body, const AbutPose* pose,
                                 bool body_first, float margin, AbutContact contacts[MOST])
{
    AbutCollideInput input =
        body_first ? abut_collide_input(body, terrain) : abut_collide_input(terrain, body);
    *(body_first ? &input.pose_a : &input.pose_b) = *pose;
    input.settings.margin = margin;
    assert_int_equal(abut_collide_method_of(input.shape_a, input.shape_b), ABUT_COLLIDE_TERRAIN);
    return abut_collide(&input, contacts, MOST);
}

static AbutVec3 random_position(const OracleTerrain* t, double above, TestRandom* random)
{
    double width = (t->x_count - 1) * t->spacing, depth = (t->z_count - 1) * t->spacing;
    double x = test_random_range(random, -0.1 * width, 1.1 * width);
    double z = test_random_range(random, -0.1 * depth, 1.1 * depth);
    if (test_random_bits(random) % 4 == 0)
    {
        x = round(x / t->spacing * 2.0) * 0.5 * t->spacing;
        z = round(z / t->spacing * 2.0) * 0.5 * t->spacing;
    }
    double y = oracle_terrain_height(t, fmin(fmax(x, 0.0), width), fmin(fmax(z, 0.0), depth));
    y += above * test_random_range(random, -1.0, 2.0);
    return abut_vec3((float)x, (float)y, (float)z);
}

static void check_contacts(const char* name, const AbutCollideOutput* output, const AbutContact* contacts,
                           double expected, double tolerance)
{
    double deepest = INFINITY;
    for (uint32_t i = 0; i < output->contact_count; ++i)
    {
        deepest = fmin(deepest, (double)contacts[i].separation);
        test_assert_near(abut_vec3_length(contacts[i].normal), 1.0, 1e-6);
        assert_true(i == 0 || contacts[i].id > contacts[i - 1].id);
    }
    if (fabs(deepest - expected) > tolerance)
    {
        fail_msg("%s: the deepest contact is %.12g, expected %.12g", name, deepest, expected);
    }
}

/// Every state is true, gaps are bounds of the distance, and the deepest contact has it.
static void test_states_of_balls_agree_with_all_triangles(void** state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c)
    {
        const TerrainCase* which = &CASES[c];
        OracleTerrain terrain =
            oracle_terrain_make(which->x_count, which->z_count, which->spacing, which->height, 5);
        AbutShape* ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f);
        TestRandom random = { 18 };
        double size = which->spacing * 8.0 + 3.0;
        int touching = 0, apart = 0;
        for (int i = 0; i < TEST_ROUNDS(600); ++i)
        {
            double radius = which->spacing * pow(10.0, test_random_range(&random, -2.0, 0.7));
            AbutShape* ball = NULL;
            test_assert_result(abut_shape_create_sphere((float)radius, NULL, &ball), ABUT_OK);
            radius = (double)(float)radius;
            AbutVec3 at = random_position(&terrain, radius + which->spacing, &random);
            AbutPose pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
            double exact = oracle_terrain_distance(&terrain, (const double[3]){ at.x, at.y, at.z }) - radius;
            AbutContact contacts[MOST];
            float margin = i % 2 == 0 ? 0.0f : (float)(0.5 * radius);
            AbutCollideOutput output = collide(ground, ball, &pose, i % 3 == 0, margin, contacts);
            double rounding = 1e-12 * size;
            assert_true(output.state != ABUT_COLLIDE_SEPARATED || exact > 0.0);
            assert_true(output.state != ABUT_COLLIDE_CONTACT || exact < 0.0);
            assert_true(output.state != ABUT_COLLIDE_CLOSE || fabs(exact) <= (double)output.uncertainty);
            assert_true((double)output.gap <= fmax(exact, 0.0));
            if (exact < (double)margin - rounding)
            {
                assert_true(output.contact_count >= 1);
                check_contacts(which->name, &output, contacts, exact, rounding + 2e-7 * fabs(exact));
            }
            touching += output.state == ABUT_COLLIDE_CONTACT;
            apart += output.state == ABUT_COLLIDE_SEPARATED;
            abut_shape_destroy(ball);
        }
        print_message("%-10s %d touch, %d apart\n", which->name, touching, apart);
        const int least = TEST_ROUNDS(60); // of either
        assert_true(touching > least && apart > least);
        abut_shape_destroy(ground);
        oracle_terrain_free(&terrain);
    }
}

static void test_states_of_capsules_agree_with_all_triangles(void** state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c)
    {
        const TerrainCase* which = &CASES[c];
        OracleTerrain terrain =
            oracle_terrain_make(which->x_count, which->z_count, which->spacing, which->height, 5);
        AbutShape* ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f);
        TestRandom random = { 19 };
        for (int i = 0; i < TEST_ROUNDS(60); ++i)
        {
            float radius = (float)(which->spacing * pow(10.0, test_random_range(&random, -1.5, 0.3)));
            float length = (float)(which->spacing * test_random_range(&random, 0.1, 4.0));
            AbutShape* capsule = NULL;
            test_assert_result(abut_shape_create_capsule(radius, length, NULL, &capsule), ABUT_OK);
            AbutVec3 at = random_position(&terrain, (double)radius + which->spacing, &random);
            AbutPose pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
            pose.rotation = i % 5 == 0 ? abut_quat_identity() : test_random_rotation(&random);
            AbutPosition top = abut_pose_transform_point(&pose, abut_vec3(0.0f, 0.5f * length, 0.0f));
            AbutPosition bottom = abut_pose_transform_point(&pose, abut_vec3(0.0f, -0.5f * length, 0.0f));
            double exact = segment_distance(&terrain, (const double[3]){ top.x, top.y, top.z },
                                            (const double[3]){ bottom.x, bottom.y, bottom.z }) -
                           (double)radius;
            double slack = 0.5 * (double)length / 400.0 + 1e-6 * which->spacing; // between samples
            AbutContact contacts[MOST];
            AbutCollideOutput output = collide(ground, capsule, &pose, i % 2 == 0, 0.0f, contacts);
            // `exact` is at least the distance, and at most `slack` more.
            assert_true(output.state != ABUT_COLLIDE_SEPARATED || exact > -1e-6 * which->spacing);
            assert_true((double)output.gap <= fmax(exact, 0.0) + 1e-6 * which->spacing);
            if (output.state == ABUT_COLLIDE_CONTACT)
            {
                assert_true(exact < slack);
                assert_true(output.contact_count >= 1);
            }
            assert_true(exact > slack ? output.state != ABUT_COLLIDE_CONTACT : true);
            assert_true(exact < -1e-6 * which->spacing ? output.state == ABUT_COLLIDE_CONTACT : true);
            abut_shape_destroy(capsule);
        }
        abut_shape_destroy(ground);
        oracle_terrain_free(&terrain);
    }
}

/// The same state as branch and bound over distances, which shares no code with closed forms.
static void test_states_agree_with_adaptive(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(17, 15, 1.0, hills, 3);
    AbutShape *ground = oracle_terrain_shape(&terrain, (AbutPosition){ -8, 0, -7 }, 0.0f), *bodies[2];
    test_assert_result(abut_shape_create_sphere(0.6f, NULL, &bodies[0]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.3f, 1.5f, NULL, &bodies[1]), ABUT_OK);
    TestRandom random = { 20 };
    int both[2] = { 0, 0 };
    for (int i = 0; i < TEST_ROUNDS(200); ++i)
    {
        AbutCollideInput input = abut_collide_input(bodies[i % 2], ground);
        input.pose_a.position = test_random_position(&random, 4.0);
        input.pose_a.position.y = test_random_range(&random, -1.0, 3.0);
        input.pose_a.rotation = test_random_rotation(&random);
        AbutCollideState states[2];
        for (int k = 0; k < 2; ++k)
        {
            input.settings.method = k == 0 ? ABUT_COLLIDE_TERRAIN : ABUT_COLLIDE_ADAPTIVE;
            states[k] = abut_collide(&input, NULL, 0).state;
        }
        bool contradiction = (states[0] == ABUT_COLLIDE_CONTACT && states[1] == ABUT_COLLIDE_SEPARATED) ||
                             (states[0] == ABUT_COLLIDE_SEPARATED && states[1] == ABUT_COLLIDE_CONTACT);
        assert_false(contradiction);
        both[0] += states[0] == ABUT_COLLIDE_CONTACT && states[1] == ABUT_COLLIDE_CONTACT;
        both[1] += states[0] == ABUT_COLLIDE_SEPARATED && states[1] == ABUT_COLLIDE_SEPARATED;
    }
    const int least = TEST_ROUNDS(20); // of either
    assert_true(both[0] > least && both[1] > least);
    abut_shape_destroy(bodies[0]);
    abut_shape_destroy(bodies[1]);
    abut_shape_destroy(ground);
    oracle_terrain_free(&terrain);
}

static void test_a_ball_in_a_valley_has_both_sides(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(17, 5, 1.0, valley, 0);
    AbutShape *ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f), *ball = NULL;
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &ball), ABUT_OK);
    AbutPose pose = abut_pose_at(8.0, 1.4, 2.3); // √2 is just touching
    AbutContact contacts[MOST];
    AbutCollideOutput output = collide(ground, ball, &pose, true, 0.0f, contacts);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    assert_int_equal(output.contact_count, 2);
    for (int i = 0; i < 2; ++i)
    {
        test_assert_near(contacts[i].separation, 1.4 / sqrt(2.0) - 1.0, 1e-7);
        test_assert_near(contacts[i].normal.y, sqrt(0.5), 1e-6);
    }
    assert_true(contacts[0].normal.x * contacts[1].normal.x < 0.0f);
    abut_shape_destroy(ball);
    abut_shape_destroy(ground);
    oracle_terrain_free(&terrain);
}

static double flat(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    (void)x;
    (void)z;
    return 0.25;
}

static void test_flat_ground_has_one_contact_per_ball_and_two_per_capsule(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(9, 9, 1.0, flat, 0);
    AbutShape *ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f), *shapes[2];
    test_assert_result(abut_shape_create_sphere(0.75f, NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.75f, 2.5f, NULL, &shapes[1]), ABUT_OK);
    for (int i = 0; i < 2 * 9; ++i)
    {
        // Over faces, edges and corners.
        AbutPose pose = abut_pose_at(4.0 + 0.25 * (i / 2 % 3), 0.99, 4.0 + 0.25 * (i / 6));
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 1.57079633f);
        AbutContact contacts[MOST];
        AbutCollideOutput output = collide(ground, shapes[i % 2], &pose, false, 0.0f, contacts);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        if (output.contact_count < (uint32_t)(1 + i % 2) ||
            output.contact_count > (uint32_t)(1 + 7 * (i % 2)))
        {
            fail_msg("%s %d: %u contacts", i % 2 == 0 ? "ball" : "capsule", i, output.contact_count);
        }
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            test_assert_near(contacts[k].separation, -0.01, 1e-6);
            test_assert_near(fabsf(contacts[k].normal.y), 1.0, 1e-6);
        }
    }
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
    abut_shape_destroy(ground);
    oracle_terrain_free(&terrain);
}

/// Poses bisected to the last bit of the touch: no state is wrong on either side of it.
static void test_bisected_touch_is_never_wrong(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(13, 11, 1.0, hills, 5);
    AbutShape *ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f), *ball = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    TestRandom random = { 21 };
    for (int i = 0; i < TEST_ROUNDS(40); ++i)
    {
        double x = test_random_range(&random, 1.0, 11.0), z = test_random_range(&random, 1.0, 9.0);
        double low = -3.0, high = 6.0;
        for (int k = 0; k < 60; ++k)
        {
            double y = 0.5 * (low + high);
            AbutPose pose = abut_pose_at(x, y, z);
            AbutContact contacts[MOST];
            AbutCollideOutput output = collide(ground, ball, &pose, k % 2 == 0, 0.0f, contacts);
            double exact = oracle_terrain_distance(&terrain, (const double[3]){ x, y, z }) - 0.5;
            assert_true(output.state != ABUT_COLLIDE_SEPARATED || exact > -1e-15);
            assert_true(output.state != ABUT_COLLIDE_CONTACT || exact < 1e-15);
            assert_true(output.state != ABUT_COLLIDE_CLOSE || fabs(exact) < 1e-10);
            *(exact > 0.0 ? &high : &low) = y;
        }
    }
    abut_shape_destroy(ball);
    abut_shape_destroy(ground);
    oracle_terrain_free(&terrain);
}

/// Placed, scaled and offset shapes are seen through; ten kilometres away answers are the same.
static void test_wrappers_and_far_positions_keep_the_answer(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(13, 11, 1.0, hills, 5);
    AbutShape *ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f), *ball = NULL;
    AbutShape *crust = NULL, *far_ground = NULL, *small = NULL, *transformed = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.25f, NULL, &small), ABUT_OK);
    test_assert_result(abut_shape_create_offset(ground, 0.125f, NULL, &crust), ABUT_OK);
    far_ground = oracle_terrain_shape(&terrain, (AbutPosition){ 10000.0, 500.0, -10000.0 }, 0.0f);
    AbutPose inner = abut_pose_at(0.5, -0.25, 0.125);
    inner.scale = 1.5f;
    test_assert_result(abut_shape_create_transformed(small, &inner, NULL, &transformed), ABUT_OK);
    TestRandom random = { 22 };
    for (int i = 0; i < TEST_ROUNDS(300); ++i)
    {
        double x = floor(test_random_range(&random, 1.0, 11.0) * 1024.0) / 1024.0;
        double z = floor(test_random_range(&random, 1.0, 9.0) * 1024.0) / 1024.0;
        double y = floor(test_random_range(&random, -1.5, 3.0) * 1024.0) / 1024.0;
        AbutPose at = abut_pose_at(x, y, z), far = abut_pose_at(10000.0 + x, 500.0 + y, z - 10000.0);
        AbutPose moved = abut_pose_at(x - 0.5, y + 0.25, z - 0.125);
        AbutContact a[MOST], b[MOST];
        AbutCollideOutput one = collide(ground, ball, &at, true, 0.25f, a);
        AbutCollideOutput two = collide(far_ground, ball, &far, true, 0.25f, b);
        assert_int_equal(one.contact_count, two.contact_count);
        for (uint32_t k = 0; k < one.contact_count; ++k)
        {
            test_assert_near(a[k].separation, b[k].separation, 1e-9 + 2e-7 * fabs((double)a[k].separation));
            assert_true(a[k].id == b[k].id);
        }
        // Radius 0.375 and a crust of 0.125 are a ball of 0.5.
        AbutCollideOutput three = collide(crust, transformed, &moved, false, 0.25f, b);
        assert_int_equal(one.contact_count, three.contact_count);
        for (uint32_t k = 0; k < one.contact_count; ++k)
        {
            test_assert_near(a[k].separation, b[k].separation, 1e-6);
            test_assert_near(a[k].normal.y, -b[k].normal.y, 1e-6);
        }
    }
    AbutShape* const all[] = { ground, ball, crust, far_ground, small, transformed };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i)
    {
        abut_shape_destroy(all[i]);
    }
    oracle_terrain_free(&terrain);
}

static void test_other_pairs_are_refused_with_their_kinds(void** state)
{
    (void)state;
    AbutShape *box = NULL, *ball = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 1.0f, 1.0f), NULL, &box), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(1.0f, NULL, &ball), ABUT_OK);
    AbutCollideInput input = abut_collide_input(box, ball);
    input.settings.method = ABUT_COLLIDE_TERRAIN;
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_INVALID);
    assert_non_null(strstr(abut_last_error(), "heightfield"));
    abut_shape_destroy(box);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_of_balls_agree_with_all_triangles),
        cmocka_unit_test(test_states_of_capsules_agree_with_all_triangles),
        cmocka_unit_test(test_states_agree_with_adaptive),
        cmocka_unit_test(test_a_ball_in_a_valley_has_both_sides),
        cmocka_unit_test(test_flat_ground_has_one_contact_per_ball_and_two_per_capsule),
        cmocka_unit_test(test_bisected_touch_is_never_wrong),
        cmocka_unit_test(test_wrappers_and_far_positions_keep_the_answer),
        cmocka_unit_test(test_other_pairs_are_refused_with_their_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
