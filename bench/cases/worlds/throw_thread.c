// Nuts that are driven along bolts at 60 steps per second.
//
// In every step a nut turns with the thread, once per second, and is pushed along the axis by up to two
// pitches, this way or that: more than the play of the thread, so that it would be a turn or two off at the
// end of the step. What the sweep proves to be free is gone; the rest of the step it only turns. A nut that
// has jumped a thread is off by a pitch. Besides, it is turned without a push, which ought to be free, and
// pushed without a turn, which must not be.
#include "throw_cases.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    STEPS = 120,
    QUICK_STEPS = 20,
    REVOLUTIONS = 12, // without a push, from all round
    QUICK_TURNS = 2,
    CELLS = 256,
    BUDGET = 1 << 23
};

/// Of made nuts; their pitch is 0.2.
static const float clearances[] = { 0.04f, 0.02f };

static const double TAU = 6.283185307179586;

typedef struct Thread
{
    char name[32];
    AbutShape *nut, *bolt;
    int axis;         // of the thread
    double pitch;     // along it per turn
    double middle;    // of the nut's way, where it starts
    double clearance; // that it may go to either side
} Thread;

typedef struct Drive
{
    double height, angle; // along the axis from the middle of the way, and about it
    double seconds;       // of queries
    int queries, hits, jumps, budgets;
} Drive;

static AbutVec3 along(const Thread* thread, double length)
{
    float v[3] = { 0.0f, 0.0f, 0.0f };
    v[thread->axis] = (float)length;
    return abut_vec3(v[0], v[1], v[2]);
}

static float tolerance_of(const Thread* thread)
{
    return (float)(2e-3 * thread->pitch);
}

static AbutToiOutput sweep(const Thread* thread, Drive* drive, double push, double rotation)
{
    AbutToiInput input = abut_toi_input(thread->bolt, thread->nut);
    AbutVec3 at = along(thread, thread->middle + drive->height);
    AbutVec3 half = along(thread, sin(0.5 * drive->angle));
    input.pose_b.position = (AbutPosition){ at.x, at.y, at.z };
    input.pose_b.rotation =
        abut_quat_normalize((AbutQuat){ half.x, half.y, half.z, (float)cos(0.5 * drive->angle) });
    input.motion_b.linear = along(thread, push + thread->pitch * rotation / TAU);
    input.motion_b.angular = along(thread, rotation);
    input.settings.tolerance = tolerance_of(thread);
    input.settings.budget = BUDGET;
    double start = bench_cpu_seconds();
    AbutToiOutput output = abut_time_of_impact(&input);
    drive->seconds += bench_cpu_seconds() - start;
    drive->queries += 1;
    drive->hits += output.state == ABUT_TOI_HIT ? 1 : 0;
    drive->budgets += output.state == ABUT_TOI_BUDGET ? 1 : 0;
    return output;
}

/// How far the nut is from where its angle says that it is.
static double off_thread(const Thread* thread, const Drive* drive)
{
    return drive->height - thread->pitch * drive->angle / TAU;
}

static void step(const Thread* thread, Drive* drive, double push, double rotation)
{
    AbutToiOutput output = sweep(thread, drive, push, rotation);
    // Stays a little apart, so that the next step has something to start from.
    double tolerance = (double)tolerance_of(thread), back = 3.0 * tolerance / (fabs(push) + tolerance);
    double part = output.state == ABUT_TOI_MISS ? 1.0 : fmax(0.0, (double)output.time - back);
    part = output.state == ABUT_TOI_OVERLAP ? 0.0 : part;
    drive->height += part * push + thread->pitch * rotation / TAU;
    drive->angle += rotation;
    drive->jumps += fabs(off_thread(thread, drive)) > 0.5 * thread->pitch ? 1 : 0;
}

/// A nut without a push or without a turn, from where it starts and all round: how many are proved to be
/// free.
static int run_plain(const Thread* thread, Drive* drive, int count, bool turns)
{
    int free = 0;
    for (int i = 0; i < count; ++i)
    {
        drive->angle = TAU * i / count;
        drive->height = thread->pitch * i / count;
        double push = turns ? 0.0 : (i % 2 == 0 ? 2.0 : -2.0) * thread->pitch;
        free += sweep(thread, drive, push, turns ? TAU / 60.0 : 0.0).state == ABUT_TOI_MISS ? 1 : 0;
    }
    return free;
}

static Drive run(const Thread* thread, int count)
{
    Drive drive = { 0 };
    uint64_t state = 1;
    double sense = 1.0;
    for (int i = 0; i < count; ++i)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double push = 4.0 * ((double)(state >> 11) * 0x1p-53 - 0.5) * thread->pitch;
        sense = drive.height > thread->clearance ? -1.0 : drive.height < -thread->clearance ? 1.0 : sense;
        step(thread, &drive, push, sense * TAU / 60.0);
    }
    return drive;
}

static AbutResult bake(AbutMesh* mesh, AbutShape** out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = CELLS;
    AbutResult result = abut_bake_mesh(&def, mesh, out);
    abut_mesh_destroy(mesh);
    return result;
}

static AbutResult make_thread(float clearance, Thread* thread)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    AbutMesh *nut = NULL, *bolt = NULL;
    def.divisions_per_turn = 96;
    def.clearance = clearance;
    *thread = (Thread){ .axis = 1, .pitch = (double)def.pitch };
    snprintf(thread->name, sizeof(thread->name), "nut, clearance %g", (double)clearance);
    AbutResult result = abut_mesh_create_bolt(&def, &bolt);
    float length = def.length;
    def.length = 0.4f * length;
    // Whole pitches, so that the nut fits without a turn.
    thread->middle = floor(0.5 * (double)(length - def.length) / thread->pitch) * thread->pitch;
    thread->clearance = 0.5 * thread->pitch;
    result = result == ABUT_OK ? abut_mesh_create_nut(&def, &nut) : result;
    result = result == ABUT_OK ? bake(bolt, &thread->bolt) : result;
    return result == ABUT_OK ? bake(nut, &thread->nut) : result;
}

/// The M16 nut and bolt of the folder in ABUT_SHARED_MESHES, in metres; false when they are not there.
static bool load_thread(Thread* thread)
{
    AbutMesh* bolt = throw_load_shared("factory_bolt_m16_loose.obj");
    AbutMesh* nut = throw_load_shared("factory_nut_m16_loose_subdiv_3x.obj");
    *thread = (Thread){ .name = "M16 nut", .axis = 2, .pitch = 0.002, .middle = 0.008, .clearance = 0.004 };
    bool ok = bolt != NULL && nut != NULL && bake(bolt, &thread->bolt) == ABUT_OK &&
              bake(nut, &thread->nut) == ABUT_OK;
    if (!ok)
    {
        abut_mesh_destroy(thread->bolt == NULL ? bolt : NULL);
        abut_mesh_destroy(thread->nut == NULL ? nut : NULL);
    }
    return ok;
}

static bool report(BenchReport* report, const Thread* thread, const Drive* drive, int count)
{
    char row[64];
    snprintf(row, sizeof(row), "%s: threads jumped in %d steps", thread->name, count);
    bench_report_row(report, row, drive->jumps, "steps", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: stopped by the thread", thread->name);
    bench_report_row(report, row, 100.0 * drive->hits / count, "% of steps", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: time", thread->name);
    bench_report_row(report, row, 1e3 * drive->seconds / drive->queries, "ms/query", NULL, 0.0, false);
    if (drive->jumps > 0)
    {
        fprintf(stderr, "abut: bench throw: %s: %d steps off the thread\n", thread->name, drive->jumps);
    }
    return drive->jumps == 0;
}

static void report_plain(BenchReport* report, const Thread* thread, const char* what, int free, int count,
                         const Drive* drive)
{
    char row[64];
    snprintf(row, sizeof(row), "%s, %s: free", thread->name, what);
    bench_report_row(report, row, 100.0 * free / count, "% of steps", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s, %s: time", thread->name, what);
    bench_report_row(report, row, 1e3 * drive->seconds / drive->queries, "ms/query", NULL, 0.0, false);
}

/// False when a nut has jumped a thread or passed one.
static bool run_thread(BenchReport* rows, Thread* thread, bool quick)
{
    int count = quick ? QUICK_STEPS : STEPS, turns = quick ? QUICK_TURNS : REVOLUTIONS;
    Drive drive = run(thread, count), rotated = { 0 }, pushed = { 0 };
    bool ok = report(rows, thread, &drive, count);
    int free = run_plain(thread, &rotated, turns, true), passed = run_plain(thread, &pushed, turns, false);
    report_plain(rows, thread, "only turned", free, turns, &rotated);
    report_plain(rows, thread, "only pushed", passed, turns, &pushed);
    int budgets = drive.budgets + rotated.budgets + pushed.budgets;
    if (passed > 0 || budgets > 0)
    {
        fprintf(stderr, "abut: bench throw: %s: %d passed, %d out of budget\n", thread->name, passed,
                budgets);
    }
    return ok && passed == 0 && budgets == 0;
}

static void destroy_thread(Thread* thread)
{
    abut_shape_destroy(thread->nut);
    abut_shape_destroy(thread->bolt);
}

bool throw_thread_run(BenchReport* rows, bool quick)
{
    bool ok = true;
    Thread thread;
    for (size_t i = 0; i < sizeof(clearances) / sizeof(clearances[0]); ++i)
    {
        if (make_thread(clearances[i], &thread) == ABUT_OK)
        {
            ok = run_thread(rows, &thread, quick) && ok;
        }
        else
        {
            fprintf(stderr, "abut: bench throw: %s\n", abut_last_error());
            ok = false;
        }
        destroy_thread(&thread);
    }
    if (load_thread(&thread))
    {
        ok = run_thread(rows, &thread, quick) && ok;
    }
    destroy_thread(&thread);
    return ok;
}
