// A nut that is driven along a bolt at 60 steps per second.
//
// In every step it turns with the thread, once per second, and is pushed along the axis by up to two pitches, this way or that: more than the play
// of the thread, so that it would be a turn or two off at the end of the step. What the sweep proves to be free is gone; the rest of the step
// it only turns. A nut that has jumped a thread is off by a pitch.
#include "throw_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    STEPS = 120,
    QUICK_STEPS = 20,
    CELLS = 256,
    BUDGET = 1 << 23
};

static const double TURN = 6.283185307179586;

typedef struct Thread
{
    const char* name;
    AbutShape *nut, *bolt;
    int axis;      // of the thread
    double pitch;  // along it per turn
    double middle; // of the nut's way, where it starts
    double way;    // that it may go to either side
} Thread;

typedef struct Drive
{
    double height, angle; // along the axis from the middle of the way, and about it
    double seconds;
    int hits, jumps, budgets;
} Drive;

static AbutVec3 along(const Thread* thread, double length)
{
    float v[3] = { 0.0f, 0.0f, 0.0f };
    v[thread->axis] = (float)length;
    return abut_vec3(v[0], v[1], v[2]);
}

static AbutSweepOutput sweep(const Thread* thread, Drive* drive, double push, double turn, float tolerance)
{
    AbutSweepInput input = abut_sweep_input(thread->bolt, thread->nut);
    AbutVec3 at = along(thread, thread->middle + drive->height);
    AbutVec3 half = along(thread, sin(0.5 * drive->angle));
    input.pose_b.position = (AbutPosition){ at.x, at.y, at.z };
    input.pose_b.rotation =
        abut_quat_normalize((AbutQuat){ half.x, half.y, half.z, (float)cos(0.5 * drive->angle) });
    input.motion_b.linear = along(thread, push + thread->pitch * turn / TURN);
    input.motion_b.angular = along(thread, turn);
    input.settings.tolerance = tolerance;
    input.settings.budget = BUDGET;
    double start = bench_cpu_seconds();
    AbutSweepOutput output = abut_sweep(&input);
    drive->seconds += bench_cpu_seconds() - start;
    drive->hits += output.state == ABUT_SWEEP_HIT ? 1 : 0;
    drive->budgets += output.state == ABUT_SWEEP_BUDGET ? 1 : 0;
    return output;
}

/// How far the nut is from where its angle says that it is.
static double off_thread(const Thread* thread, const Drive* drive)
{
    return drive->height - thread->pitch * drive->angle / TURN;
}

static void step(const Thread* thread, Drive* drive, double push, double turn)
{
    float tolerance = (float)(2e-3 * thread->pitch);
    AbutSweepOutput output = sweep(thread, drive, push, turn, tolerance);
    // Stays a little apart, so that the next step has something to start from.
    double back = 3.0 * (double)tolerance / (fabs(push) + (double)tolerance);
    double part = output.state == ABUT_SWEEP_MISS ? 1.0 : fmax(0.0, (double)output.time - back);
    part = output.state == ABUT_SWEEP_OVERLAP ? 0.0 : part;
    drive->height += part * push + thread->pitch * turn / TURN;
    drive->angle += turn;
    drive->jumps += fabs(off_thread(thread, drive)) > 0.5 * thread->pitch ? 1 : 0;
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
        sense = drive.height > thread->way ? -1.0 : drive.height < -thread->way ? 1.0 : sense;
        step(thread, &drive, push, sense * TURN / 60.0);
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

static AbutResult make_thread(Thread* thread)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    AbutMesh *nut = NULL, *bolt = NULL;
    def.divisions_per_turn = 96;
    def.clearance = 0.04f;
    *thread = (Thread){ .name = "made nut", .axis = 1, .pitch = (double)def.pitch };
    AbutResult result = abut_mesh_create_bolt(&def, &bolt);
    float length = def.length;
    def.length = 0.4f * length;
    // Whole pitches, so that the nut fits without a turn.
    thread->middle = floor(0.5 * (double)(length - def.length) / thread->pitch) * thread->pitch;
    thread->way = 0.5 * thread->pitch;
    result = result == ABUT_OK ? abut_mesh_create_nut(&def, &nut) : result;
    result = result == ABUT_OK ? bake(bolt, &thread->bolt) : result;
    return result == ABUT_OK ? bake(nut, &thread->nut) : result;
}

static bool report(BenchReport* report, const Thread* thread, const Drive* drive, int count)
{
    char row[64];
    snprintf(row, sizeof(row), "%s: threads jumped in %d steps", thread->name, count);
    bench_report_row(report, row, drive->jumps, "steps", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: stopped by the thread", thread->name);
    bench_report_row(report, row, 100.0 * drive->hits / count, "% of steps", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s: time", thread->name);
    bench_report_row(report, row, 1e6 * drive->seconds / count, "us/query", NULL, 0.0, false);
    if (drive->jumps > 0 || drive->budgets > 0)
    {
        fprintf(stderr, "abut: bench throw: %s: %d steps off the thread, %d out of budget\n", thread->name,
                drive->jumps, drive->budgets);
    }
    return drive->jumps == 0 && drive->budgets == 0;
}

bool throw_thread_run(BenchReport* rows, bool quick)
{
    Thread thread;
    int count = quick ? QUICK_STEPS : STEPS;
    AbutResult result = make_thread(&thread);
    bool ok = result == ABUT_OK;
    if (ok)
    {
        Drive drive = run(&thread, count);
        ok = report(rows, &thread, &drive, count);
    }
    else
    {
        fprintf(stderr, "abut: bench throw: %s\n", abut_last_error());
    }
    abut_shape_destroy(thread.nut);
    abut_shape_destroy(thread.bolt);
    return ok;
}
