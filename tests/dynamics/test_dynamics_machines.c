// Machines: a peg in its hole; gears on axles. Nuts are in test_dynamics_nut.c.
#include "support/worlds.h"

#include <abut/models.h>
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
static double angle_about_y(AbutQuat from, AbutQuat to)
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

// -----------------------------------------------------------------------------------------------------------
// Peg and hole
// -----------------------------------------------------------------------------------------------------------

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

#define PEG_RADIUS 0.05
#define PEG_LENGTH 0.25

/// How far the peg is in the wall of the hole, from y = 0.2 to 0.4: its axis at the ends of what is in there.
/// Exact for small angles.
static double wall_overlap(const AbutBodyState* peg, double hole_radius)
{
    AbutVec3 axis = abut_quat_rotate(peg->pose.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
    double half = 0.5 * PEG_LENGTH, deepest = -hole_radius;
    double low = fmax(0.2, peg->center.y - half), high = fmin(0.4, peg->center.y + half);
    for (int end = 0; end < 2 && low < high; ++end)
    {
        double along = ((end == 0 ? low : high) - peg->center.y) / (double)axis.y;
        double off = hypot(peg->center.x + along * (double)axis.x, peg->center.z + along * (double)axis.z);
        deepest = fmax(deepest, off + PEG_RADIUS - hole_radius);
    }
    return deepest;
}

typedef struct PegRun
{
    int steps;              // until it is on the ground, or 0
    double slides, arrives; // deepest overlaps with the wall, on the way down and by the blow at its end
} PegRun;

/// A peg that starts a little out of the middle and askew, its end 25 mm in the hole.
static PegRun run_peg(bool baked, float hole_radius)
{
    AbutWorld* world = test_make_world(NULL);
    AbutMaterial smooth = { .friction = 0.1f };
    AbutShape *hole = make_hole(hole_radius), *peg = NULL;
    test_assert_result(abut_shape_create_cylinder((float)PEG_RADIUS, (float)PEG_LENGTH, NULL, &peg), ABUT_OK);
    hole = baked ? test_bake(hole, 160) : hole;
    peg = baked ? test_bake(peg, 96) : peg;
    test_add_body(world, hole, ABUT_BODY_STATIC, abut_pose_at(0.0, 0.3, 0.0), smooth);
    test_add_ground(world, 0.0, smooth);
    AbutPose pose = abut_pose_at(0.2 * ((double)hole_radius - PEG_RADIUS), 0.5, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 0.005f);
    AbutBodyId body = test_add_body(world, peg, ABUT_BODY_DYNAMIC, pose, smooth);
    PegRun run = { 0, -1.0, -1.0 };
    for (int i = 1; i <= 240; ++i)
    {
        test_steps(world, 1);
        AbutBodyState now = abut_body_state(world, body);
        double* overlap =
            now.center.y > 0.5 * PEG_LENGTH + 0.01 && run.steps == 0 ? &run.slides : &run.arrives;
        *overlap = fmax(*overlap, wall_overlap(&now, (double)hole_radius));
        run.steps = run.steps == 0 && now.center.y < 0.5 * PEG_LENGTH + 1e-3 ? i : run.steps;
    }
    AbutBodyState now = abut_body_state(world, body);
    test_assert_near(now.center.y, 0.5 * PEG_LENGTH, 1e-3); // it stands on the ground
    assert_true(now.asleep);
    abut_world_destroy(world);
    return run;
}

/// A fall of 0.375 takes 17 steps; walls and friction make that longer, but nothing jams.
static void test_a_peg_slides_through_its_hole(void** state)
{
    (void)state;
    const struct
    {
        bool baked;
        float radius;
    } cases[] = { { false, 0.052f }, { false, 0.0505f }, { true, 0.052f }, { true, 0.051f } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        PegRun run = run_peg(cases[i].baked, cases[i].radius);
        double clearance = (double)cases[i].radius - PEG_RADIUS;
        print_message("clearance %g, %s: down in %d steps, %g in the wall, and %g by the blow\n", clearance,
                      cases[i].baked ? "fields" : "formulas", run.steps, run.slides, run.arrives);
        if (run.steps == 0 || run.steps > 30 || run.slides > 3e-4 || run.arrives > 2e-3)
        {
            fail_msg("a clearance of %g: down in %d steps, %g in the wall, and %g by the blow", clearance,
                     run.steps, run.slides, run.arrives);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Gears
// -----------------------------------------------------------------------------------------------------------

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
    double angle_a, angle_b; // radians
    double worst;            // of b, from where it should be
} GearRun;

/// The first gear turns as told, or is pushed by a torque against one that holds the second, up to a speed.
static GearRun run_gears(AbutShape* shape_a, AbutShape* shape_b, bool is_kinematic, double speed,
                         double turns)
{
    AbutWorldDef settings = abut_world_def();
    settings.sleep_speed = 0.0f;
    AbutWorld* world = test_make_world_of(&settings);
    AbutBodyDef def = abut_body_def();
    def.material.friction = 0.1f;
    def.locked = ABUT_LOCK_LINEAR | ABUT_LOCK_ANGULAR_X | ABUT_LOCK_ANGULAR_Z;
    def.shape = abut_shape_retain(shape_a);
    def.kind = is_kinematic ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
    def.angular_velocity = abut_vec3(0.0f, is_kinematic ? (float)speed : 0.0f, 0.0f);
    AbutBodyId a = test_add_body_of(world, &def);
    def.shape = abut_shape_retain(shape_b);
    def.kind = ABUT_BODY_DYNAMIC;
    def.angular_velocity = abut_vec3(0.0f, 0.0f, 0.0f);
    def.pose = abut_pose_at(0.05 * (TEETH_A + TEETH_B) / 2.0, 0.0, 0.0);
    def.pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)(PI / TEETH_B));
    AbutBodyId b = test_add_body_of(world, &def);
    AbutBodyState last[2] = { abut_body_state(world, a), abut_body_state(world, b) };
    GearRun run = { 0 };
    for (int i = 0; run.angle_a < 2.0 * PI * turns && i < 20000; ++i)
    {
        AbutBodyState now[2];
        if (!is_kinematic) // drives while it is slow, and brakes the other a little
        {
            float drive = (double)last[0].angular_velocity.y < speed ? 40.0f : 0.0f;
            abut_body_apply_force(world, a, abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(0.0f, drive, 0.0f));
            abut_body_apply_force(world, b, abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(0.0f, 4.0f, 0.0f));
        }
        test_steps(world, 1);
        now[0] = abut_body_state(world, a);
        now[1] = abut_body_state(world, b);
        run.angle_a += angle_about_y(last[0].pose.rotation, now[0].pose.rotation);
        run.angle_b += angle_about_y(last[1].pose.rotation, now[1].pose.rotation);
        run.worst = fmax(run.worst, fabs(run.angle_b + run.angle_a * TEETH_A / TEETH_B));
        last[0] = now[0];
        last[1] = now[1];
    }
    assert_true(test_position_distance(last[1].center, def.pose.position) < 1e-5); // the axle holds it
    assert_true(lean_of(last[1].pose.rotation) < 1e-3);
    abut_world_destroy(world);
    return run;
}

typedef struct GearCase
{
    bool is_kinematic;
    double speed; // radians per second
    double turns;
} GearCase;

static void test_gears_transmit_their_ratio_over_ten_revolutions(void** state)
{
    (void)state;
    AbutShape *a = make_gear(TEETH_A), *b = make_gear(TEETH_B);
    const GearCase cases[] = {
        { true, 2.0, 2.0 }, { true, 8.0, 10.0 }, { false, 2.0, 2.0 }, { false, 8.0, 10.0 }
    };
    size_t count = TEST_IS_SANITIZED ? 1 : sizeof(cases) / sizeof(cases[0]);
    for (size_t i = 0; i < count; ++i)
    {
        GearRun run = run_gears(a, b, cases[i].is_kinematic, cases[i].speed, cases[i].turns);
        assert_true(run.angle_a >= 2.0 * PI * cases[i].turns);
        double ratio = -run.angle_b / run.angle_a * TEETH_B / TEETH_A;
        print_message("%g rad/s, %s: %.5f of the ratio, at worst %.3f teeth off\n", cases[i].speed,
                      cases[i].is_kinematic ? "as told" : "by torques", ratio,
                      run.worst * TEETH_B / (2.0 * PI));
        if (fabs(ratio - 1.0) > 0.005 || run.worst > (cases[i].speed > 2.0 ? 0.2 : 0.05) * 2.0 * PI / TEETH_B)
        {
            fail_msg("%g rad/s, %s: %g of the ratio, at worst %g radians off", cases[i].speed,
                     cases[i].is_kinematic ? "as told" : "by torques", ratio, run.worst);
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_peg_slides_through_its_hole),
        cmocka_unit_test(test_gears_transmit_their_ratio_over_ten_revolutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
