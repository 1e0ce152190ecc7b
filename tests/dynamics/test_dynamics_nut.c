// Nuts on bolts: threads that lead, whole descents without a jump from thread to thread, locked and running.
#include "support/worlds.h"

#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.141592653589793

/// A bolt that stands still, and a nut about the same axis.
typedef struct Thread
{
    AbutShape *bolt, *nut;
    int axis; // 1: y, 2: z, which is up
    double pitch, radius,
        start;   // radius in the middle of the flanks; how far the nut's face is above the head
    double play; // how far the nut can move up and down without turning
} Thread;

typedef struct NutRun
{
    double fallen, angle, lean; // since it lies on the flanks
    double worst;   // largest difference of what it has fallen from what its turns say, in pitches
    double fastest; // turn, in radians per second
    int jumps;      // times that it was nearer to another thread than in the step before
    bool arrived;   // at the head
} NutRun;

static double along(AbutVec3 v, int axis)
{
    return (double)(axis == 1 ? v.y : v.z);
}

/// How far a body has turned about an axis between two rotations, under half a turn.
static double angle_between(AbutQuat from, AbutQuat to, int axis)
{
    AbutQuat q = abut_quat_multiply(to, abut_quat_conjugate(from));
    double angle_now = 2.0 * atan2((double)(axis == 1 ? q.y : q.z), (double)q.w);
    return angle_now > PI ? angle_now - 2.0 * PI : angle_now < -PI ? angle_now + 2.0 * PI : angle_now;
}

static AbutVec3 unit(int axis, float size)
{
    return abut_vec3(0.0f, axis == 1 ? size : 0.0f, axis == 2 ? size : 0.0f);
}

static double height_of(const AbutBodyState* state, int axis)
{
    return axis == 1 ? state->pose.position.y : state->pose.position.z;
}

/// The nut where the threads fit, at a height over its place on the head, turning down at a speed.
static AbutBodyId add_nut(AbutWorld* world, const Thread* thread, AbutMaterial material,
                          double angular_velocity)
{
    AbutBodyDef def = abut_body_def();
    def.shape = abut_shape_retain(thread->nut);
    def.density = 7800.0f;
    def.material = material;
    def.pose =
        thread->axis == 1 ? abut_pose_at(0.0, thread->start, 0.0) : abut_pose_at(0.0, 0.0, thread->start);
    def.pose.rotation = abut_quat_from_axis_angle(
        unit(thread->axis, 1.0f), (float)(2.0 * PI * fmod(thread->start / thread->pitch, 1.0)));
    def.angular_velocity = unit(thread->axis, (float)-angular_velocity);
    def.linear_velocity = unit(thread->axis, (float)(-angular_velocity * thread->pitch / (2.0 * PI)));
    return test_add_body_of(world, &def);
}

static void follow(const Thread* thread, const AbutBodyState* start, const AbutBodyState* last,
                   const AbutBodyState* now, NutRun* run)
{
    double before = run->fallen / thread->pitch - run->angle;
    run->angle -= angle_between(last->pose.rotation, now->pose.rotation, thread->axis) / (2.0 * PI);
    run->fallen = height_of(start, thread->axis) - height_of(now, thread->axis);
    double off = run->fallen / thread->pitch - run->angle;
    AbutVec3 up = abut_quat_rotate(now->pose.rotation, unit(thread->axis, 1.0f));
    run->worst = fmax(run->worst, fabs(off));
    run->jumps += fabs(round(off) - round(before)) > 0.0 ? 1 : 0;
    run->lean = fmax(run->lean, acos(fmin(along(up, thread->axis), 1.0)));
    run->fastest = fmax(run->fastest, fabs(along(now->angular_velocity, thread->axis)));
}

/// At 60 steps a second of 4 substeps, until the nut is at the head or the steps are over.
static NutRun run_nut(const Thread* thread, double friction, double angular_velocity, int steps)
{
    AbutWorldDef settings = abut_world_def();
    settings.sleep_speed = 0.0f;
    settings.gravity = unit(thread->axis, -9.81f);
    AbutWorld* world = test_make_world_of(&settings);
    assert_int_equal(settings.substep_count, 4);
    AbutMaterial material = { .friction = (float)friction };
    test_add_body(world, abut_shape_retain(thread->bolt), ABUT_BODY_STATIC, abut_pose_identity(), material);
    AbutBodyId body = add_nut(world, thread, material, angular_velocity);
    test_steps(world, angular_velocity > 0.0 ? 2 : 10); // onto the flanks
    AbutBodyState start = abut_body_state(world, body), last = start;
    NutRun run = { 0 };
    for (int i = 0; i < steps && !run.arrived; ++i)
    {
        test_steps(world, 1);
        AbutBodyState now = abut_body_state(world, body);
        follow(thread, &start, &last, &now, &run);
        run.arrived = height_of(&now, thread->axis) < 0.5 * thread->pitch; // there the thread runs out
        last = now;
    }
    abut_world_destroy(world);
    return run;
}

/// What a run under its weight must show: a pitch per turn, and no jump.
static void check_run(const Thread* thread, const NutRun* run, double friction, double least_turns)
{
    double per_turn = run->fallen / (thread->pitch * run->angle);
    print_message("friction %.4f: %.3f turns, up to %.1f rad/s, %.4f of the pitch per turn, at worst %.3f "
                  "pitches off\n",
                  friction, run->angle, run->fastest, per_turn, run->worst);
    if (run->jumps > 0 || run->angle < least_turns || fabs(per_turn - 1.0) > 0.02)
    {
        fail_msg("friction %g: %d jumps, %g turns, %g of the pitch per turn", friction, run->jumps,
                 run->angle, per_turn);
    }
    assert_true(run->worst * thread->pitch < thread->play); // it stays between its flanks
    assert_true(run->lean < 0.1);
}

/// Free, with less friction than the slope of the thread, and with more.
static void check_thread(const Thread* thread, int steps)
{
    // Flanks at an angle press harder than the load, by 1 / cos(30°) here: just under that it still runs.
    double limit = thread->pitch / (2.0 * PI * thread->radius);
    NutRun free = run_nut(thread, 0.0, 0.0, steps);
    check_run(thread, &free, 0.0, 2.5);
    assert_true(free.arrived);
    if (TEST_IS_SANITIZED)
    {
        return; // what was run has seen all of the code
    }
    NutRun slow = run_nut(thread, 0.4 * limit, 0.0, 100);
    check_run(thread, &slow, 0.4 * limit, 0.5);
    NutRun slower = run_nut(thread, 0.8 * limit, 0.0, 150);
    check_run(thread, &slower, 0.8 * limit, 0.05);
    NutRun locked = run_nut(thread, 1.05 * limit, 0.0, 120);
    assert_true(locked.angle < 0.01 && fabs(locked.fallen) < 0.01 * thread->pitch);
}

static void destroy_thread(Thread* thread)
{
    abut_shape_destroy(thread->bolt);
    abut_shape_destroy(thread->nut);
}

// -----------------------------------------------------------------------------------------------------------
// The made pair
// -----------------------------------------------------------------------------------------------------------

static AbutShape* bake_mesh(AbutMesh* mesh, uint32_t resolution, bool sparse)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = resolution;
    def.sparse = sparse;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

static Thread make_thread(void)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.major_radius = 0.05f;
    def.pitch = 0.02f;
    def.depth = 0.009f;
    def.clearance = 0.0015f;
    def.divisions_per_turn = 96;
    def.length = 0.14f;
    def.head_radius = 0.07f;
    def.head_height = 0.02f;
    AbutMesh *bolt = NULL, *nut = NULL;
    test_assert_result(abut_mesh_create_bolt(&def, &bolt), ABUT_OK);
    AbutThreadMeshDef nut_def = def;
    nut_def.length = 0.04f;
    nut_def.head_radius = 0.08f;
    test_assert_result(abut_mesh_create_nut(&nut_def, &nut), ABUT_OK);
    return (Thread){ .bolt = bake_mesh(bolt, 128, false),
                     .nut = bake_mesh(nut, 128, false),
                     .axis = 1,
                     .pitch = (double)def.pitch,
                     .radius = (double)def.major_radius - 0.5 * (double)def.depth,
                     .start = 0.08,
                     .play = 0.002 };
}

static void test_a_nut_runs_down_its_bolt_by_a_pitch_per_revolution_or_locks(void** state)
{
    (void)state;
    Thread thread = make_thread();
    check_thread(&thread, 220);
    destroy_thread(&thread);
}

// -----------------------------------------------------------------------------------------------------------
// The M16 pair: a clearance of a tenth of a millimetre
// -----------------------------------------------------------------------------------------------------------

/// ABUT_TEST_THREAD_CELLS along the longest side, for soaks; or 256.
static uint32_t thread_cells(void)
{
    const char* text = getenv("ABUT_TEST_THREAD_CELLS");
    long cells = text != NULL ? strtol(text, NULL, 10) : 0;
    return cells >= 64 && cells <= 1024 ? (uint32_t)cells : 256;
}

static AbutShape* load_part(const char* name)
{
    const char* path = test_shared_mesh(name);
    AbutMesh* mesh = NULL;
    if (path == NULL)
    {
        return NULL;
    }
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
    return bake_mesh(mesh, thread_cells(), true);
}

/// The face of the nut is on that of the head as modelled.
static Thread load_m16(void)
{
    return (Thread){ .bolt = load_part("factory_bolt_m16_loose.obj"),
                     .nut = load_part("factory_nut_m16_loose_subdiv_3x.obj"),
                     .axis = 2,
                     .pitch = 0.002,
                     .radius = 0.00735,
                     .start = 0.01,
                     .play = 0.0003 };
}

static void test_the_m16_nut_runs_down_its_bolt_without_a_jump(void** state)
{
    (void)state;
    Thread thread = load_m16();
    if (thread.bolt == NULL || thread.nut == NULL)
    {
        destroy_thread(&thread);
        print_message("the M16 pair is not there (ABUT_SHARED_MESHES): skipped\n");
        skip();
    }
    check_thread(&thread, 400);
    // As fast from the start as a fall along all of the bolt would make it: most of a radian per step.
    NutRun fast = run_nut(&thread, 0.0, 55.0, 400);
    check_run(&thread, &fast, 0.0, 1.5);
    assert_true(fast.arrived && fast.fastest > 30.0);
    destroy_thread(&thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_nut_runs_down_its_bolt_by_a_pitch_per_revolution_or_locks),
        cmocka_unit_test(test_the_m16_nut_runs_down_its_bolt_without_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
