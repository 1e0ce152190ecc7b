// Machines: a peg in its hole; gears on axles. Nuts are in test_dynamics_nut.c.
#include "support/worlds.h"

#include <math.h>

#define PI 3.141592653589793

static AbutShape* bake_mesh(AbutMesh* mesh, uint32_t resolution)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = resolution;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

/// How far a body has turned about y between two rotations, under half a turn.
static double turn_about_y(AbutQuat from, AbutQuat to)
{
    AbutQuat q = abut_quat_multiply(to, abut_quat_conjugate(from));
    return 2.0 * atan2((double)q.y, (double)q.w);
}

/// By how much the body's y axis leans.
static double lean_of(AbutQuat q)
{
    AbutVec3 up = abut_quat_rotate(q, abut_vec3(0.0f, 1.0f, 0.0f));
    return atan2(hypot((double)up.x, (double)up.z), (double)up.y);
}

// ---------------------------------------------------------------------------------------------------------------------
// Peg and hole
// ---------------------------------------------------------------------------------------------------------------------

/// A block with a round hole through it, and a plate some way under it.
static AbutShape* make_hole(float radius)
{
    AbutShape *block = test_make_box(0.3f, 0.2f, 0.3f), *drill = NULL, *holed = NULL;
    test_assert_result(abut_shape_create_cylinder(radius, 0.4f, NULL, &drill), ABUT_OK);
    test_assert_result(abut_shape_create_difference(block, drill, NULL, &holed), ABUT_OK);
    abut_shape_destroy(block);
    abut_shape_destroy(drill);
    return holed;
}

static void test_a_peg_slides_through_its_hole(void** state)
{
    (void)state;
    for (int baked = 0; baked < 2; ++baked)
    {
        AbutWorld* world = test_make_world(NULL);
        AbutMaterial smooth = { .friction = 0.1f };
        AbutShape *hole = make_hole(0.052f), *peg = NULL;
        test_assert_result(abut_shape_create_cylinder(0.05f, 0.25f, NULL, &peg), ABUT_OK);
        hole = baked ? test_bake(hole, 160) : hole;
        peg = baked ? test_bake(peg, 96) : peg;
        test_add_body(world, hole, ABUT_BODY_STATIC, abut_pose_at(0.0, 0.3, 0.0), smooth);
        test_add_ground(world, 0.0, smooth);
        AbutPose pose =
            abut_pose_at(0.0005, 0.5, 0.0); // a little out of the middle, its end 25 mm in the hole
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 0.005f);
        AbutBodyId body = test_add_body(world, peg, ABUT_BODY_DYNAMIC, pose, smooth);
        for (int i = 0; i < 240; ++i)
        {
            test_steps(world, 1);
            AbutBodyState now = abut_body_state(world, body);
            assert_true(hypot(now.center.x, now.center.z) < 0.01 && lean_of(now.pose.rotation) < 0.1);
        }
        AbutBodyState now = abut_body_state(world, body);
        test_assert_near(now.center.y, 0.125, 1e-3); // it stands on the ground
        assert_true(now.asleep);
        abut_world_destroy(world);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Gears
// ---------------------------------------------------------------------------------------------------------------------

enum
{
    TEETH_A = 12,
    TEETH_B = 18
};

static AbutShape* make_gear(uint32_t teeth)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = teeth;
    def.module = 0.05f;
    def.width = 0.1f;
    def.backlash = 0.002f;
    def.bore_radius = 0.1f;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_gear(&def, &mesh), ABUT_OK);
    return bake_mesh(mesh, 96);
}

typedef struct GearRun
{
    double turned_a, turned_b; // radians
    double worst;              // of b, from where it should be
} GearRun;

/// The first gear turns as told, or is pushed by a torque against one that holds the second.
static GearRun run_gears(AbutShape* shape_a, AbutShape* shape_b, bool told, double turns)
{
    AbutWorldDef settings = abut_world_def();
    settings.sleep_speed = 0.0f;
    AbutWorld* world = test_make_world_of(&settings);
    AbutBodyDef def = abut_body_def();
    def.material.friction = 0.1f;
    def.locked = ABUT_LOCK_MOVES | ABUT_LOCK_TURN_X | ABUT_LOCK_TURN_Z;
    def.shape = abut_shape_retain(shape_a);
    def.kind = told ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
    def.angular_velocity = abut_vec3(0.0f, told ? 1.0f : 0.0f, 0.0f);
    AbutBodyId a = test_add_body_of(world, &def);
    def.shape = abut_shape_retain(shape_b);
    def.kind = ABUT_BODY_DYNAMIC;
    def.angular_velocity = abut_vec3(0.0f, 0.0f, 0.0f);
    def.pose = abut_pose_at(0.05 * (TEETH_A + TEETH_B) / 2.0, 0.0, 0.0);
    def.pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)(PI / TEETH_B));
    AbutBodyId b = test_add_body_of(world, &def);
    AbutBodyState last[2] = { abut_body_state(world, a), abut_body_state(world, b) };
    GearRun run = { 0 };
    for (int i = 0; run.turned_a < 2.0 * PI * turns && i < 20000; ++i)
    {
        AbutBodyState now[2];
        if (!told) // drives while it is slow, and brakes the other a little
        {
            float drive = last[0].angular_velocity.y < 1.0f ? 20.0f : 0.0f;
            abut_body_apply_force(world, a, abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(0.0f, drive, 0.0f));
            abut_body_apply_force(world, b, abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(0.0f, 4.0f, 0.0f));
        }
        test_steps(world, 1);
        now[0] = abut_body_state(world, a);
        now[1] = abut_body_state(world, b);
        run.turned_a += turn_about_y(last[0].pose.rotation, now[0].pose.rotation);
        run.turned_b += turn_about_y(last[1].pose.rotation, now[1].pose.rotation);
        run.worst = fmax(run.worst, fabs(run.turned_b + run.turned_a * TEETH_A / TEETH_B));
        last[0] = now[0];
        last[1] = now[1];
    }
    assert_true(test_position_distance(last[1].center, def.pose.position) < 1e-5); // the axle holds it
    assert_true(lean_of(last[1].pose.rotation) < 1e-3);
    abut_world_destroy(world);
    return run;
}

static void test_gears_transmit_their_ratio_over_ten_turns(void** state)
{
    (void)state;
    AbutShape *a = make_gear(TEETH_A), *b = make_gear(TEETH_B);
    for (int told = 0; told < 2; ++told)
    {
        GearRun run = run_gears(a, b, told == 1, told == 1 ? 10.0 : 2.0);
        assert_true(run.turned_a > 2.0 * PI * 1.9);
        double ratio = -run.turned_b / run.turned_a * TEETH_B / TEETH_A;
        if (fabs(ratio - 1.0) > 0.005 || run.worst > 0.05 * 2.0 * PI / TEETH_B)
        {
            fail_msg("%s: %g of the ratio after %g turns, at worst %g radians off",
                     told == 1 ? "told" : "by torques", ratio, run.turned_a / (2.0 * PI), run.worst);
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_peg_slides_through_its_hole),
        cmocka_unit_test(test_gears_transmit_their_ratio_over_ten_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
