// Worlds of boxes, capsules, balls and hulls: contacts with a fixed normal, matched by their features.
#include "support/worlds.h"

#include <abut/narrow.h>

#include <math.h>
#include <stdlib.h>

static AbutShape* make_capsule(float radius, float length)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_capsule(radius, length, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* make_rounded_box(float x, float y, float z, float radius)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_rounded_box(abut_vec3(x, y, z), radius, NULL, &shape), ABUT_OK);
    return shape;
}

/// The hull of points of a ball.
static AbutShape* make_stone(float radius, uint64_t seed)
{
    TestRandom random = { seed };
    AbutVec3 points[24];
    AbutShape* shape = NULL;
    for (int i = 0; i < 24; ++i)
    {
        points[i] = abut_vec3_scale(test_random_direction(&random), radius);
    }
    test_assert_result(abut_shape_create_convex(points, 24, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* make_block(float x, float y, float z)
{
    AbutVec3 points[8];
    AbutShape* shape = NULL;
    for (int i = 0; i < 8; ++i)
    {
        points[i] = abut_vec3(0.5f * ((i & 1) != 0 ? x : -x), 0.5f * ((i & 2) != 0 ? y : -y),
                              0.5f * ((i & 4) != 0 ? z : -z));
    }
    test_assert_result(abut_shape_create_convex(points, 8, NULL, &shape), ABUT_OK);
    return shape;
}

/// One of six kinds, of about the same size.
static AbutShape* make_kind(int kind)
{
    switch (kind % 6)
    {
    case 0:
        return test_make_box(0.24f, 0.2f, 0.16f);
    case 1:
        return make_capsule(0.07f, 0.14f);
    case 2:
        return make_stone(0.12f, 7);
    case 3:
        return test_make_sphere(0.1f);
    case 4:
        return make_rounded_box(0.2f, 0.16f, 0.2f, 0.03f);
    default:
        return make_block(0.2f, 0.14f, 0.18f);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The contacts themselves
// -----------------------------------------------------------------------------------------------------------

enum
{
    KINDS = 6,
    POSES = TEST_IS_SANITIZED ? 4 : 60
};

/// Two bodies in random poses, about a size apart, far from the origin.
static void set_poses(TestRandom* random, AbutPose poses[2])
{
    float distance = (float)test_random_range(random, 0.1, 0.3);
    AbutVec3 aside = abut_vec3_scale(test_random_direction(random), distance);
    poses[0] = abut_pose_at(100.0, 50.0, 0.0);
    poses[1] = abut_pose_at(100.0 + (double)aside.x, 50.0 + (double)aside.y, (double)aside.z);
    poses[0].rotation = test_random_rotation(random);
    poses[1].rotation = test_random_rotation(random);
}

/// The least separation of the contacts of a step is the distance of the solids at its start, by GJK in
/// double: the world has closed forms for boxes, balls and capsules.
static int check_separations(TestRandom* random, AbutShape* shape_a, AbutShape* shape_b)
{
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    AbutWorld* world = test_make_world_of(&def);
    AbutConvexInput input = abut_convex_input(shape_a, shape_b);
    AbutBodyId ids[2];
    AbutPose pose = abut_pose_identity();
    ids[0] = test_add_body(world, abut_shape_retain(shape_a), ABUT_BODY_DYNAMIC, pose, test_plain);
    ids[1] = test_add_body(world, abut_shape_retain(shape_b), ABUT_BODY_DYNAMIC, pose, test_plain);
    int compared = 0;
    input.work = ABUT_CONVEX_DEPTH;
    for (int i = 0; i < POSES; ++i)
    {
        AbutPose poses[2];
        AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
        set_poses(random, poses);
        for (int k = 0; k < 2; ++k)
        {
            test_assert_result(abut_body_set_pose(world, ids[k], &poses[k]), ABUT_OK);
            test_assert_result(abut_body_set_velocity(world, ids[k], none, none), ABUT_OK);
        }
        input.pose_a = poses[0];
        input.pose_b = poses[1];
        AbutConvexOutput expected = abut_convex(&input);
        test_steps(world, 1);
        size_t count;
        const AbutWorldContact* contacts = abut_world_contacts(world, &count);
        double least = INFINITY;
        for (size_t k = 0; k < count; ++k)
        {
            least = fmin(least, (double)contacts[k].separation);
        }
        assert_true(expected.has_points && (count > 0 || expected.separation > 0.0));
        if (count > 0 && expected.separation > -0.02) // deeper ones have axes to choose from
        {
            test_assert_near(least, expected.separation, 1e-3 * 0.2);
            ++compared;
        }
    }
    abut_world_destroy(world);
    return compared;
}

static void test_separations_are_distances_of_the_solids(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    int compared = 0;
    for (int i = 0; i < KINDS * KINDS; ++i)
    {
        AbutShape *shape_a = make_kind(i / KINDS), *shape_b = make_kind(i % KINDS);
        compared += check_separations(&random, shape_a, shape_b);
        abut_shape_destroy(shape_a);
        abut_shape_destroy(shape_b);
    }
    assert_true(compared > KINDS * KINDS * POSES / 40);
}

/// Contacts of a box at rest on another one keep their ids, and there are four of them.
static void test_a_box_on_a_box_has_four_contacts_that_last(void** state)
{
    (void)state;
    AbutWorldDef def = abut_world_def();
    def.sleep_speed = 0.0f;
    AbutWorld* world = test_make_world_of(&def);
    test_add_body(world, test_make_box(2.0f, 1.0f, 2.0f), ABUT_BODY_STATIC, abut_pose_at(0.0, -0.5, 0.0),
                  test_plain);
    AbutPose pose = abut_pose_at(0.1, 0.101, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), 0.3f);
    AbutBodyId box =
        test_add_body(world, test_make_box(0.4f, 0.2f, 0.3f), ABUT_BODY_DYNAMIC, pose, test_plain);
    test_steps(world, 60);
    uint64_t ids[4];
    for (int i = 0; i < 120; ++i)
    {
        test_steps(world, 1);
        size_t count;
        const AbutWorldContact* contacts = abut_world_contacts(world, &count);
        assert_int_equal(count, 4);
        double sum = 0.0;
        for (size_t k = 0; k < count; ++k)
        {
            ids[k] = i == 0 ? contacts[k].id : ids[k];
            assert_int_equal(contacts[k].id, ids[k]);
            sum += (double)contacts[k].normal_impulse;
        }
        double weight = abut_body_state(world, box).mass * 9.81 * (double)TEST_STEP;
        test_assert_near(sum / weight, 1.0, 1e-4);
    }
    abut_world_destroy(world);
}

// -----------------------------------------------------------------------------------------------------------
// Rest
// -----------------------------------------------------------------------------------------------------------

/// Aligned, and with offsets of a thirtieth of the size.
static void test_a_stack_of_ten_boxes_stands_still_and_sleeps(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind)
    {
        AbutWorld* world = test_make_world(NULL);
        test_add_ground(world, 0.0, test_plain);
        AbutBodyId boxes[10];
        double offset = kind == 1 ? 0.01 : 0.0;
        for (int i = 0; i < 10; ++i)
        {
            AbutPose pose = abut_pose_at(offset * (i * 7 % 5 - 2), 0.1 + 0.201 * i, offset * (i * 3 % 5 - 2));
            AbutShape* shape = kind == 2 ? make_block(0.3f, 0.2f, 0.3f) : test_make_box(0.3f, 0.2f, 0.3f);
            boxes[i] = test_add_body(world, shape, ABUT_BODY_DYNAMIC, pose, test_plain);
        }
        AbutStepReport report = test_steps(world, 300);
        assert_int_equal(report.awake_count, 0);
        assert_true(report.max_penetration < 0.002f);
        for (int i = 0; i < 10; ++i)
        {
            AbutBodyState now = abut_body_state(world, boxes[i]);
            test_assert_near(now.center.y, 0.1 + 0.2 * i, 0.01);
            test_assert_near(now.center.x, offset * (i * 7 % 5 - 2), 0.01);
        }
        abut_world_destroy(world);
    }
}

/// Rows of five, four, ..., one boxes.
static void test_a_pyramid_stands(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, test_plain);
    AbutBodyId top = { 0, 0 };
    for (int row = 0; row < 5; ++row)
    {
        for (int i = 0; i < 5 - row; ++i)
        {
            AbutPose pose = abut_pose_at(0.22 * i + 0.11 * row, 0.05 + 0.1005 * row, 0.0);
            top = test_add_body(world, test_make_box(0.2f, 0.1f, 0.1f), ABUT_BODY_DYNAMIC, pose, test_plain);
        }
    }
    AbutStepReport report = test_steps(world, 240);
    assert_int_equal(report.awake_count, 0);
    test_assert_near(abut_body_state(world, top).center.y, 0.45, 0.003);
    test_assert_near(abut_body_state(world, top).center.x, 0.44, 0.003);
    abut_world_destroy(world);
}

/// Two cards that lean against each other with a third across the next two: friction alone bears it.
static void test_a_house_of_cards_stands(void** state)
{
    (void)state;
    AbutMaterial rough = { .friction = 0.9f, .rolling_resistance = 0.01f };
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, rough);
    const double tilt = 0.35, length = 0.4, thickness = 0.02;
    AbutBodyId cards[4], roof;
    for (int i = 0; i < 4; ++i)
    {
        double side = i % 2 == 0 ? -1.0 : 1.0, middle = i < 2 ? -0.2 : 0.2;
        double x = side * (0.5 * length * sin(tilt) + 0.5 * thickness * cos(tilt) + 1e-4);
        double y = 0.5 * length * cos(tilt) + 0.5 * thickness * sin(tilt) + 1e-4;
        AbutPose pose = abut_pose_at(middle + x, y, 0.0);
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)(side * tilt));
        cards[i] = test_add_body(world, test_make_box((float)thickness, (float)length, 0.3f),
                                 ABUT_BODY_DYNAMIC, pose, rough);
    }
    double height = length * cos(tilt) + thickness * sin(tilt);
    roof = test_add_body(world, test_make_box(0.7f, 0.02f, 0.3f), ABUT_BODY_DYNAMIC,
                         abut_pose_at(0.0, height + 0.0105, 0.0), rough);
    AbutStepReport report = test_steps(world, 300);
    assert_int_equal(report.awake_count, 0);
    test_assert_near(abut_body_state(world, roof).center.y, height + 0.01, 0.01);
    for (int i = 0; i < 4; ++i)
    {
        test_assert_near(abut_body_state(world, cards[i]).center.y, 0.5 * height, 0.01);
    }
    abut_world_destroy(world);
}

// -----------------------------------------------------------------------------------------------------------
// Friction and energy
// -----------------------------------------------------------------------------------------------------------

/// On a tilted static box, boxes and hulls slide exactly when it is steep, and as fast as they should.
static void test_a_box_slides_on_a_box_exactly_when_it_is_steep(void** state)
{
    (void)state;
    const double friction = 0.5;
    for (int i = 0; i < 12; ++i)
    {
        double slope = atan(friction) + (i % 6 - 2.5) * 0.04;
        AbutMaterial material = { .friction = (float)friction };
        AbutWorld* world = test_make_world(NULL);
        AbutPose ramp = abut_pose_at(0.0, 0.0, 0.0);
        ramp.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), (float)-slope);
        test_add_body(world, test_make_box(20.0f, 1.0f, 2.0f), ABUT_BODY_STATIC, ramp, material);
        AbutPose pose = ramp;
        pose.position = (AbutPosition){ 0.55 * sin(slope), 0.55 * cos(slope), 0.0 };
        AbutShape* shape = i < 6 ? test_make_box(0.4f, 0.1f, 0.4f) : make_block(0.4f, 0.1f, 0.4f);
        AbutBodyId box = test_add_body(world, shape, ABUT_BODY_DYNAMIC, pose, material);
        test_steps(world, 30);
        AbutBodyState before = abut_body_state(world, box);
        test_steps(world, 60);
        AbutBodyState after = abut_body_state(world, box);
        double gained = (double)abut_vec3_length(after.linear_velocity) -
                        (double)abut_vec3_length(before.linear_velocity);
        double expected = 9.81 * (sin(slope) - friction * cos(slope));
        if (i % 6 < 3)
        {
            assert_true(test_position_distance(after.center, before.center) < 1e-4 * 0.4);
        }
        else
        {
            test_assert_near(gained / expected, 1.0, 0.02);
        }
        abut_world_destroy(world);
    }
}

/// A heap of all kinds: no step adds more energy than the resolution of its penetrations.
static void test_heaps_do_not_gain_energy_and_come_to_rest(void** state)
{
    (void)state;
    AbutMaterial material = { .friction = 0.6f, .rolling_resistance = 0.03f };
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, material);
    TestRandom random = { 3 };
    for (int i = 0; i < 60; ++i)
    {
        AbutPose pose = abut_pose_at(0.3 * (i % 3), 0.3 + 0.3 * (i / 9), 0.3 * (i / 3 % 3));
        pose.rotation = test_random_rotation(&random);
        test_add_body(world, make_kind(i), ABUT_BODY_DYNAMIC, pose, material);
    }
    AbutStepReport report = test_steps(world, 1);
    double start = report.kinetic_energy + report.potential_energy, last = start;
    for (int i = 0; i < 420; ++i)
    {
        report = test_steps(world, 1);
        double now = report.kinetic_energy + report.potential_energy;
        assert_true(now < last + 2e-4 * start);
        test_assert_near(report.max_penetration, 0.0, 0.02);
        last = now;
    }
    test_assert_near(report.kinetic_energy / start, 0.0, 1e-3);
    assert_true(report.max_penetration < 0.003f);
    abut_world_destroy(world);
}

// -----------------------------------------------------------------------------------------------------------
// Continuous collision
// -----------------------------------------------------------------------------------------------------------

/// Thin boxes, thrown at a thin plate by up to ten of their lengths per step, in any orientation.
static void test_a_thrown_box_does_not_pass_a_plate(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int i = 0; i < TEST_ROUNDS(60); ++i)
    {
        AbutWorldDef def = abut_world_def();
        def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
        AbutWorld* world = test_make_world_of(&def);
        bool moves = i % 3 == 2; // a heavy plate, free to move
        test_add_body(world, test_make_box(0.04f, 6.0f, 6.0f), moves ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC,
                      abut_pose_identity(), test_plain);
        AbutBodyDef body = abut_body_def();
        body.shape = i % 2 == 0 ? test_make_box(0.3f, 0.02f, 0.2f) : make_kind(i / 2);
        body.pose = abut_pose_at(-1.0, test_random_range(&random, -0.5, 0.5), 0.0);
        body.pose.rotation = test_random_rotation(&random);
        body.linear_velocity = abut_vec3((float)test_random_range(&random, 5.0, 180.0), 0.0f, 0.0f);
        body.angular_velocity = abut_vec3_scale(test_random_direction(&random), 20.0f);
        body.material = test_plain;
        AbutBodyId thrown = test_add_body_of(world, &body);
        for (int step = 0; step < 30; ++step)
        {
            test_steps(world, 1);
            AbutBodyId all[2];
            abut_world_bodies(world, all, 2);
            double plate = abut_body_state(world, all[0]).center.x;
            if (abut_body_state(world, thrown).center.x > plate)
            {
                fail_msg("case %d: passed in step %d", i, step);
            }
        }
        abut_world_destroy(world);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Mixed worlds
// -----------------------------------------------------------------------------------------------------------

/// Fields, formulas and hulls, on a plane.
static AbutWorld* make_mixed(const AbutHost* host)
{
    AbutMaterial material = { .friction = 0.6f, .rolling_resistance = 0.03f };
    AbutWorld* world = test_make_world(host);
    test_add_ground(world, 0.0, material);
    AbutShape* ring = test_bake(test_make_torus(0.15f, 0.05f), 24);
    TestRandom random = { 9 };
    for (int i = 0; i < 14; ++i)
    {
        AbutPose pose = abut_pose_at(0.25 * (i % 2), 0.2 + 0.22 * (i / 4), 0.25 * (i / 2 % 2));
        pose.rotation = test_random_rotation(&random);
        AbutShape* shape = i % 7 == 6 ? abut_shape_retain(ring) : make_kind(i % 7);
        test_add_body(world, shape, ABUT_BODY_DYNAMIC, pose, material);
    }
    abut_shape_destroy(ring);
    return world;
}

static uint64_t hash_of_mixed(void* context, const AbutHost* host)
{
    (void)context;
    AbutWorld* world = make_mixed(host);
    test_steps(world, TEST_IS_SANITIZED ? 15 : 45);
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    return hash;
}

static void test_mixed_worlds_have_the_same_bytes_for_all_workers_and_instruction_sets(void** state)
{
    (void)state;
    test_assert_same_bytes(hash_of_mixed, NULL);
}

static void test_mixed_worlds_rewind_to_the_same_bytes(void** state)
{
    (void)state;
    AbutWorld *world = make_mixed(NULL), *other = make_mixed(NULL);
    test_steps(world, 35);
    size_t size = abut_world_snapshot_size(world);
    unsigned char* data = malloc(size);
    assert_non_null(data);
    test_assert_result(abut_world_save(world, data, size), ABUT_OK);
    test_steps(world, 20);
    uint64_t there = abut_world_hash(world);
    test_assert_result(abut_world_restore(world, data, size), ABUT_OK);
    test_steps(world, 20);
    assert_int_equal(abut_world_hash(world), there);
    test_assert_result(abut_world_restore(other, data, size), ABUT_OK); // one that has not stepped
    test_steps(other, 20);
    assert_int_equal(abut_world_hash(other), there);
    free(data);
    abut_world_destroy(world);
    abut_world_destroy(other);
}

/// But for a thousandth of the energy, of balls that still roll.
static void test_mixed_worlds_come_to_rest(void** state)
{
    (void)state;
    AbutWorld* world = make_mixed(NULL);
    double start = test_steps(world, 1).potential_energy;
    AbutStepReport report = test_steps(world, TEST_IS_SANITIZED ? 120 : 360);
    test_assert_near(report.max_penetration, 0.0, 0.005);
    test_assert_near(TEST_IS_SANITIZED ? 0.0 : report.kinetic_energy / start, 0.0, 1e-3);
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separations_are_distances_of_the_solids),
        cmocka_unit_test(test_a_box_on_a_box_has_four_contacts_that_last),
        cmocka_unit_test(test_a_stack_of_ten_boxes_stands_still_and_sleeps),
        cmocka_unit_test(test_a_pyramid_stands),
        cmocka_unit_test(test_a_house_of_cards_stands),
        cmocka_unit_test(test_a_box_slides_on_a_box_exactly_when_it_is_steep),
        cmocka_unit_test(test_heaps_do_not_gain_energy_and_come_to_rest),
        cmocka_unit_test(test_a_thrown_box_does_not_pass_a_plate),
        cmocka_unit_test(test_mixed_worlds_have_the_same_bytes_for_all_workers_and_instruction_sets),
        cmocka_unit_test(test_mixed_worlds_rewind_to_the_same_bytes),
        cmocka_unit_test(test_mixed_worlds_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
