// SWIFT against the tree of triangles: microseconds per query of two meshes, random poses and a tumbling
// pair, with and without a tracker. Distances of both must agree.
#include "families.h"

#include <abut/abut.h>
#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    POSES = 200,
    REPEATS = 5
};

typedef struct SwiftCase
{
    const char* name;
    AbutDecomposition* decomposition;
    AbutMeshTree* tree;
    double size;
    AbutPose poses[POSES];
} SwiftCase;

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/// In [-1, 1).
static double random_sign(uint64_t* state)
{
    return 2.0 * random_unit(state) - 1.0;
}

/// Random poses within the size of the mesh; about a third of them touch.
static void fill_random(SwiftCase* set)
{
    uint64_t state = 18;
    for (int i = 0; i < POSES; ++i)
    {
        double x = random_sign(&state);
        double y = random_sign(&state);
        double z = random_sign(&state);
        set->poses[i] = abut_pose_at(set->size * x, set->size * y, set->size * z);
        float u = (float)random_sign(&state);
        float v = (float)random_sign(&state);
        float angle = (float)(3.0 * random_unit(&state));
        set->poses[i].rotation = abut_quat_from_axis_angle(abut_vec3(u, v, 0.5f), angle);
    }
}

/// A body that tumbles towards the other one, a two-thousandth of its size and 0.17° per step.
static void fill_coherent(SwiftCase* set)
{
    for (int i = 0; i < POSES; ++i)
    {
        set->poses[i] = abut_pose_at((1.1 - 0.0005 * i) * set->size, 0.1 * set->size, 0.0);
        set->poses[i].rotation = abut_quat_from_axis_angle(abut_vec3(0.6f, 0.0f, 0.8f), 0.003f * (float)i);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Times, in microseconds per query
// -----------------------------------------------------------------------------------------------------------

static double time_swift(const SwiftCase* set, AbutSwiftQuestion question, AbutSwiftTracker* tracker,
                         int repeats)
{
    double times[REPEATS];
    AbutSwiftInput input = abut_swift_input(set->decomposition, set->decomposition);
    input.question = question;
    input.tracker = tracker;
    for (int r = 0; r < repeats; ++r)
    {
        double start = bench_cpu_seconds();
        for (int i = 0; i < POSES; ++i)
        {
            input.pose_b = set->poses[i];
            AbutSwiftOutput out = abut_swift_query(&input);
            bench_consume(&out, sizeof(out));
        }
        times[r] = (bench_cpu_seconds() - start) / POSES;
    }
    return 1e6 * bench_median(times, repeats);
}

static double time_tree(const SwiftCase* set, AbutSwiftQuestion question, int repeats)
{
    double times[REPEATS];
    AbutMeshTreePair pair = { set->tree, set->tree, abut_pose_identity(), abut_pose_identity() };
    for (int r = 0; r < repeats; ++r)
    {
        double start = bench_cpu_seconds();
        for (int i = 0; i < POSES; ++i)
        {
            pair.pose_b = set->poses[i];
            if (question == ABUT_SWIFT_YES_NO)
            {
                AbutMeshTreeTouch out = abut_mesh_tree_collide(&pair);
                bench_consume(&out, sizeof(out));
            }
            else
            {
                AbutMeshTreeDistance out = abut_mesh_tree_distance(&pair, INFINITY);
                bench_consume(&out, sizeof(out));
            }
        }
        times[r] = (bench_cpu_seconds() - start) / POSES;
    }
    return 1e6 * bench_median(times, repeats);
}

/// Proved states and distances of both, at every pose.
static bool agree(const SwiftCase* set)
{
    AbutSwiftInput input = abut_swift_input(set->decomposition, set->decomposition);
    AbutMeshTreePair pair = { set->tree, set->tree, abut_pose_identity(), abut_pose_identity() };
    for (int i = 0; i < POSES; ++i)
    {
        input.pose_b = pair.pose_b = set->poses[i];
        AbutSwiftOutput out = abut_swift_query(&input);
        AbutMeshTreeDistance tree = abut_mesh_tree_distance(&pair, INFINITY);
        bool contradicts = (out.state == ABUT_SWIFT_SEPARATED && tree.state == ABUT_MESH_TREE_CONTACT) ||
                           (out.state == ABUT_SWIFT_SEPARATED && tree.state == ABUT_MESH_TREE_SEPARATED &&
                            fabs(out.high - tree.distance) > 1e-9 * set->size);
        if (contradicts)
        {
            fprintf(stderr, "abut: bench families: %s, pose %d: swift has %s, %.17g; the tree has %.17g\n",
                    set->name, i, abut_swift_state_name(out.state), out.high, tree.distance);
            return false;
        }
    }
    return true;
}

static void report_times(BenchReport* report, const SwiftCase* set, const char* motion,
                         AbutSwiftTracker* tracker, int repeats)
{
    static const char* const questions[] = { "yes/no", "distance" };
    for (int q = 0; q < 2; ++q)
    {
        AbutSwiftQuestion question = q == 0 ? ABUT_SWIFT_YES_NO : ABUT_SWIFT_DISTANCE;
        double tree = time_tree(set, question, repeats);
        double swift = time_swift(set, question, tracker, repeats);
        char name[64];
        snprintf(name, sizeof(name), "swift %s, %s, %s", set->name, questions[q], motion);
        bench_report_row(report, name, swift, "us", "abut's tree of triangles", tree, false);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

static bool run_set(BenchReport* report, SwiftCase* set, int repeats)
{
    AbutSwiftTracker* tracker = NULL;
    bool good = abut_swift_tracker_create(NULL, &tracker) == ABUT_OK;
    fill_random(set);
    good = good && agree(set);
    if (good)
    {
        report_times(report, set, "random", NULL, repeats);
        fill_coherent(set);
        good = agree(set);
    }
    if (good)
    {
        report_times(report, set, "coherent, cold", NULL, repeats);
        report_times(report, set, "coherent, tracked", tracker, repeats);
    }
    abut_swift_tracker_destroy(tracker);
    return good;
}

/// The mesh goes.
static bool run_mesh(BenchReport* report, const char* name, AbutMesh* mesh, bool quick)
{
    SwiftCase* set = calloc(1, sizeof(*set));
    AbutDecomposeDef def = abut_decompose_def();
    double start = bench_cpu_seconds();
    bool good = set != NULL && abut_decompose(&def, mesh, &set->decomposition) == ABUT_OK;
    double decomposed = bench_cpu_seconds();
    good = good && abut_mesh_tree_create(mesh, NULL, &set->tree) == ABUT_OK;
    if (good)
    {
        char row[64];
        AbutVec3 size = abut_box_extents(abut_mesh_bounds(mesh));
        set->name = name;
        set->size = fmax((double)size.x, fmax((double)size.y, (double)size.z));
        snprintf(row, sizeof(row), "swift %s, %u patches", name,
                 abut_decomposition_leaf_count(set->decomposition));
        bench_report_row(report, row, 1e3 * (decomposed - start), "ms", "abut's tree of triangles",
                         1e3 * (bench_cpu_seconds() - decomposed), false);
        good = run_set(report, set, quick ? 1 : REPEATS);
    }
    else
    {
        fprintf(stderr, "abut: bench families: %s\n", set != NULL ? abut_last_error() : "no memory");
    }
    if (set != NULL)
    {
        abut_decomposition_destroy(set->decomposition);
        abut_mesh_tree_destroy(set->tree);
    }
    free(set);
    abut_mesh_destroy(mesh);
    return good;
}

bool family_swift_run(BenchReport* report, const FamilyOptions* options)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    AbutMesh *gear = NULL, *bunny = NULL;
    if (abut_mesh_create_gear(&def, &gear) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench families: %s\n", abut_last_error());
        return false;
    }
    bool good = run_mesh(report, "gear", gear, options->quick);
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[512];
    snprintf(path, sizeof(path), "%s/bunny4k.obj", folder != NULL ? folder : ".");
    if (good && abut_mesh_load(path, &bunny) == ABUT_OK)
    {
        good = run_mesh(report, "bunny 4k", bunny, options->quick);
    }
    return good;
}
