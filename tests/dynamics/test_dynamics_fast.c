// Fast bodies and thin ones: nothing gets through what it could meet.
#include "support/shapes.h"
#include "support/support.h"

#include "scenes/random.h"

#include <abut/abut.h>
#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

#define STEP (1.0f / 60.0f)

static AbutBodyId add(AbutWorld* world, AbutShape* shape, AbutBodyKind kind, AbutPose pose, AbutVec3 velocity,
                      AbutVec3 angular_velocity)
{
    AbutBodyDef def = abut_body_def();
    AbutBodyId id = { 0, 0 };
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.linear_velocity = velocity;
    def.angular_velocity = angular_velocity;
    test_assert_result(abut_body_create(world, &def, &id), ABUT_OK);
    abut_shape_destroy(shape);
    return id;
}

static AbutShape* make_bowl(void)
{
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    test_assert_result(abut_mesh_create_bowl(0.05f, 0.002f, 24, NULL, &mesh), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;
    def.format = ABUT_FIELD_FIRST_ORDER;
    def.sparse = true;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

/// Thrown at a plate of a hundredth of its size, k body lengths per step, from where it meets the plate in
/// the first steps.
static void throw_at_plate(AbutShape* shape, double size, double lengths, double rotation)
{
    AbutWorld* world = NULL;
    AbutWorldDef def = abut_world_def();
    def.gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
    add(world, test_make_box((float)(40.0 * size), (float)(0.01 * size), (float)(40.0 * size)),
        ABUT_BODY_STATIC, abut_pose_identity(), none, none);
    AbutPose pose = abut_pose_at(0.1 * size, size * (0.8 + 1.7 * lengths), 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.2f, 0.5f), (float)rotation);
    AbutVec3 down = abut_vec3(0.0f, (float)(-60.0 * lengths * size), 0.0f);
    AbutBodyId body = add(world, abut_shape_retain(shape), ABUT_BODY_DYNAMIC, pose, down,
                          abut_vec3((float)(10.0 * rotation), 0.0f, 5.0f));
    bool arrived = false;
    for (int i = 0; i < 12; ++i)
    {
        test_assert_result(abut_world_step(world, STEP, NULL), ABUT_OK);
        double height = abut_body_state(world, body).center.y;
        assert_true(height > 0.0);
        arrived = arrived || height < size;
    }
    assert_true(arrived);
    abut_world_destroy(world);
}

static void test_fast_bodies_do_not_pass_a_thin_plate(void** state)
{
    (void)state;
    const double lengths[] = { 0.5, 1.0, 2.0, 5.0, 10.0 };
    AbutShape* shapes[3] = { test_make_box(0.1f, 0.07f, 0.05f), test_make_torus(0.04f, 0.01f), make_bowl() };
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 5; ++k)
        {
            for (int rotation = 0; rotation < 3; ++rotation)
            {
                throw_at_plate(shapes[i], 0.1, lengths[k], 0.7 * rotation);
            }
        }
        abut_shape_destroy(shapes[i]);
    }
}

static int throw_count(void)
{
    return test_count("ABUT_TEST_THROWS", 4);
}

static AbutVec3 random_vector(SceneRandom* random, double most)
{
    double x = scene_random_range(random, -most, most), y = scene_random_range(random, -most, most);
    return abut_vec3((float)x, (float)y, (float)scene_random_range(random, -most, most));
}

/// From anywhere, turned and turning in any way, at an angle.
static void throw_at_random(AbutWorld* world, AbutBodyId body, double size, double lengths,
                            SceneRandom* random)
{
    AbutPose pose = abut_pose_identity();
    pose.position.x = size * scene_random_range(random, -1.0, 1.0);
    pose.position.y = size * (0.8 + lengths * scene_random_range(random, 0.3, 2.0));
    pose.position.z = size * scene_random_range(random, -1.0, 1.0);
    pose.rotation = scene_random_rotation(random);
    AbutVec3 velocity = random_vector(random, 20.0 * lengths * size);
    velocity.y = (float)(-60.0 * lengths * size);
    test_assert_result(abut_body_set_pose(world, body, &pose), ABUT_OK);
    test_assert_result(abut_body_set_velocity(world, body, velocity, random_vector(random, 40.0)), ABUT_OK);
    for (int i = 0; i < 8; ++i)
    {
        test_assert_result(abut_world_step(world, STEP, NULL), ABUT_OK);
        assert_true(abut_body_state(world, body).center.y > 0.0);
    }
}

static void test_bodies_thrown_in_any_direction_do_not_pass_a_thin_plate(void** state)
{
    (void)state;
    const double lengths[] = { 0.5, 1.0, 2.0, 5.0, 10.0 }, size = 0.1;
    AbutShape* shapes[4] = { test_make_box(0.1f, 0.07f, 0.05f), test_make_torus(0.04f, 0.01f), make_bowl(),
                             test_make_box(0.1f, 0.002f, 0.07f) };
    SceneRandom random = { 5 };
    for (int i = 0; i < 4; ++i)
    {
        AbutWorld* world = NULL;
        AbutWorldDef def = abut_world_def();
        AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
        def.gravity = none;
        test_assert_result(abut_world_create(&def, &world), ABUT_OK);
        add(world, test_make_box((float)(100.0 * size), (float)(0.01 * size), (float)(100.0 * size)),
            ABUT_BODY_STATIC, abut_pose_identity(), none, none);
        AbutBodyId body = add(world, shapes[i], ABUT_BODY_DYNAMIC, abut_pose_at(0.0, size, 0.0), none, none);
        for (int k = 0; k < 5 * throw_count(); ++k)
        {
            throw_at_random(world, body, size, lengths[k % 5], &random);
        }
        abut_world_destroy(world);
    }
}

/// One bowl thrown into another that stands on the ground, opening upwards: it ends up inside, not under it.
static void test_a_bowl_thrown_into_a_bowl_stays_in_it(void** state)
{
    (void)state;
    AbutShape *bowl = make_bowl(), *ground = NULL;
    for (int k = 1; k <= 3; ++k)
    {
        AbutWorld* world = NULL;
        AbutWorldDef def = abut_world_def();
        AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f);
        test_assert_result(abut_world_create(&def, &world), ABUT_OK);
        test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground),
                           ABUT_OK);
        add(world, ground, ABUT_BODY_STATIC, abut_pose_identity(), none, none);
        add(world, abut_shape_retain(bowl), ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.0505, 0.0), none, none);
        AbutBodyId upper = add(world, abut_shape_retain(bowl), ABUT_BODY_DYNAMIC,
                               abut_pose_at(0.0, 0.25, 0.0), abut_vec3(0.0f, (float)(-2.0 * k), 0.0f), none);
        for (int i = 0; i < 90; ++i)
        {
            test_assert_result(abut_world_step(world, STEP, NULL), ABUT_OK);
            // The walls are 2 mm thick: nested, the upper one stands that much higher.
            assert_true(abut_body_state(world, upper).pose.position.y > 0.0515);
        }
        abut_world_destroy(world);
    }
    abut_shape_destroy(bowl);
}

static void test_bodies_that_fall_together_and_are_stopped_do_not_sink_in(void** state)
{
    (void)state;
    AbutWorld* world = NULL;
    AbutWorldDef def = abut_world_def();
    AbutVec3 none = abut_vec3(0.0f, 0.0f, 0.0f), fast = abut_vec3(0.0f, -6.0f, 0.0f);
    AbutShape* ground = NULL;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground), ABUT_OK);
    add(world, ground, ABUT_BODY_STATIC, abut_pose_identity(), none, none);
    AbutBodyId boxes[5];
    for (int i = 0; i < 5; ++i)
    {
        boxes[i] = add(world, test_make_box(0.1f, 0.02f, 0.1f), ABUT_BODY_DYNAMIC,
                       abut_pose_at(0.0, 0.2 + 0.04 * i, 0.0), fast, none);
    }
    for (int i = 0; i < 120; ++i)
    {
        test_assert_result(abut_world_step(world, STEP, NULL), ABUT_OK);
        for (int k = 1; k < 5; ++k)
        {
            double gap =
                abut_body_state(world, boxes[k]).center.y - abut_body_state(world, boxes[k - 1]).center.y;
            assert_true(gap > 0.02 * 0.6); // plates of 20 mm
        }
    }
    for (int k = 0; k < 5; ++k)
    {
        test_assert_near(abut_body_state(world, boxes[k]).center.y, 0.01 + 0.02 * k, 6e-3);
    }
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_bodies_do_not_pass_a_thin_plate),
        cmocka_unit_test(test_bodies_thrown_in_any_direction_do_not_pass_a_thin_plate),
        cmocka_unit_test(test_a_bowl_thrown_into_a_bowl_stays_in_it),
        cmocka_unit_test(test_bodies_that_fall_together_and_are_stopped_do_not_sink_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
