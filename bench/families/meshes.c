// Meshes against meshes by the trees of their triangles: build, refit, yes/no, all pairs, distance, beside
// FCL (as packaged, and compiled for this processor), ODE and GImpact. Meshes come from the folder in
// ABUT_SHARED_MESHES; a ring stands for them.
#include "families.h"
#include "family_mesh.h"
#include "mesh_field.h"
#include "pairs_cases.h"
#include "pairs_time.h"

#include <abut/bvh.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    REPEATS = 5,
    MOST_PAIRS = 1 << 17
};

typedef struct MeshCase
{
    PairModel model; // meshes alone
    AbutMeshTree* tree;
    AbutPose poses[PAIRS_MOST_POSES];
    int all[PAIRS_MOST_POSES], apart[PAIRS_MOST_POSES]; // poses whose surfaces do not touch
    int pose_count, apart_count;
    AbutTrianglePair* pairs;
} MeshCase;

// -----------------------------------------------------------------------------------------------------------
// Contenders
// -----------------------------------------------------------------------------------------------------------

static AbutMeshTreePair pair_at(const MeshCase* set, const AbutPose* pose)
{
    return (AbutMeshTreePair){ set->tree, set->tree, abut_pose_identity(), *pose };
}

static int our_touches(void* context, const AbutPose* pose)
{
    AbutMeshTreePair pair = pair_at(context, pose);
    return abut_mesh_tree_collide(&pair).touching;
}

static int our_pairs(void* context, const AbutPose* pose)
{
    MeshCase* set = context;
    AbutMeshTreePair pair = pair_at(set, pose);
    return (int)abut_mesh_tree_pairs(&pair, set->pairs, MOST_PAIRS).pair_count;
}

static int our_distance(void* context, const AbutPose* pose)
{
    AbutMeshTreePair pair = pair_at(context, pose);
    return abut_mesh_tree_distance(&pair, INFINITY).distance > 0.0;
}

typedef struct Theirs
{
    const BenchCollider* collider;
    void* pair;
} Theirs;

static int their_touches(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    return theirs->collider->touches(theirs->pair, pose) ? 1 : 0;
}

static int their_contacts(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    return theirs->collider->contacts(theirs->pair, pose);
}

static int their_distance(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    double nearest[2][3];
    return theirs->collider->distance(theirs->pair, pose, nearest) > 0.0;
}

typedef enum Question
{
    YES_OR_NO,
    ALL_PAIRS,
    DISTANCE,
    QUESTION_COUNT
} Question;

typedef int RunFn(void* context, const AbutPose* pose);

static const struct
{
    const char* name;
    RunFn *ours, *theirs;
} questions[QUESTION_COUNT] = { { "yes/no", our_touches, their_touches },
                                { "all pairs", our_pairs, their_contacts },
                                { "distance of separated", our_distance, their_distance } };

static bool answers(const BenchCollider* c, Question question)
{
    return question == YES_OR_NO ? c->touches != NULL : question == DISTANCE ? c->distance != NULL : true;
}

// -----------------------------------------------------------------------------------------------------------
// Rows
// -----------------------------------------------------------------------------------------------------------

static void ask(BenchReport* report, MeshCase* set, Theirs* theirs, int their_count, Question question,
                int repeats)
{
    PairContender contenders[PAIRS_MOST_CONTENDERS] = { { "abut", questions[question].ours, set, 0.0, 0.0 } };
    int count = 1;
    for (int i = 0; i < their_count && count < PAIRS_MOST_CONTENDERS; ++i)
    {
        if (answers(theirs[i].collider, question))
        {
            contenders[count++] =
                (PairContender){ theirs[i].collider->name, questions[question].theirs, &theirs[i], 0.0, 0.0 };
        }
    }
    bool apart = question == DISTANCE;
    PairPoses poses = { set->poses, apart ? set->apart : set->all,
                        apart ? set->apart_count : set->pose_count };
    pairs_time_warm(contenders, count, poses, repeats);
    char name[64];
    snprintf(name, sizeof(name), "%s: %s", set->model.name, questions[question].name);
    for (int i = 1; i < count; ++i)
    {
        bench_report_row(report, name, contenders[0].microseconds, "us", contenders[i].name,
                         contenders[i].microseconds, false);
    }
    if (count == 1)
    {
        bench_report_row(report, name, contenders[0].microseconds, "us", NULL, 0.0, false);
    }
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_of(double times[REPEATS])
{
    qsort(times, REPEATS, sizeof(double), compare_doubles);
    return times[REPEATS / 2];
}

/// Medians of a peer's tree, in processor time.
static void measure_peer(const BenchMeshTree* peer, const AbutMesh* mesh, double* build, double* refit)
{
    double builds[REPEATS], refits[REPEATS];
    for (int i = 0; i < REPEATS; ++i)
    {
        double start = bench_cpu_seconds();
        void* tree = peer->create(mesh);
        double middle = bench_cpu_seconds();
        peer->refit(tree);
        refits[i] = 1e3 * (bench_cpu_seconds() - middle);
        builds[i] = 1e3 * (middle - start);
        peer->destroy(tree);
    }
    *build = median_of(builds);
    *refit = median_of(refits);
}

/// A row per peer, or one without.
static void report_trees(BenchReport* report, const MeshCase* set, double build, double refit)
{
    const BenchMeshTree* const* peer = bench_mesh_trees();
    do
    {
        char name[64];
        double their_build = 0.0, their_refit = 0.0;
        if (*peer != NULL)
        {
            measure_peer(*peer, set->model.mesh_a, &their_build, &their_refit);
        }
        const char* peer_name = *peer != NULL ? (*peer)->name : NULL;
        snprintf(name, sizeof(name), "%s: build", set->model.name);
        bench_report_row(report, name, build, "ms", peer_name, their_build, false);
        snprintf(name, sizeof(name), "%s: refit", set->model.name);
        bench_report_row(report, name, refit, "ms", peer_name, their_refit, false);
    } while (*peer != NULL && *++peer != NULL);
}

/// Medians, on one worker.
static bool measure_build(BenchReport* report, MeshCase* set, const AbutHost* host)
{
    double build[REPEATS], refit[REPEATS];
    const AbutMesh* mesh = set->model.mesh_a;
    for (int i = 0; i < REPEATS; ++i)
    {
        abut_mesh_tree_destroy(set->tree);
        double start = bench_cpu_seconds();
        if (abut_mesh_tree_create(mesh, host, &set->tree) != ABUT_OK)
        {
            fprintf(stderr, "abut: bench families: meshes: %s\n", abut_last_error());
            return false;
        }
        double middle = bench_cpu_seconds();
        abut_mesh_tree_refit(set->tree, abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh));
        refit[i] = 1e3 * (bench_cpu_seconds() - middle);
        build[i] = 1e3 * (middle - start);
    }
    report_trees(report, set, median_of(build), median_of(refit));
    char name[64];
    snprintf(name, sizeof(name), "%s: memory", set->model.name);
    bench_report_row(report, name, 1e-6 * (double)abut_mesh_tree_size(set->tree), "MB", NULL, 0.0, false);
    return true;
}

/// Self-collision in processor time, on one worker. The peer leaves out triangles with a common vertex.
static void measure_self(BenchReport* report, const MeshCase* set)
{
    const BenchSelfCollider* peer = bench_self_collider();
    void* tree = peer != NULL ? peer->create(set->model.mesh_a) : NULL;
    double own = INFINITY, theirs = INFINITY;
    size_t own_count = 0, their_count = 0;
    for (int i = 0; i < REPEATS; ++i)
    {
        double start = bench_cpu_seconds();
        own_count = abut_mesh_tree_self_pairs(set->tree, NULL, 0).pair_count;
        double middle = bench_cpu_seconds();
        their_count = tree != NULL ? peer->pairs(tree) : 0;
        own = fmin(own, 1e3 * (middle - start));
        theirs = fmin(theirs, 1e3 * (bench_cpu_seconds() - middle));
    }
    char name[64];
    snprintf(name, sizeof(name), "%.16s: self-collision", set->model.name);
    bench_report_row(report, name, own, "ms", tree != NULL ? peer->name : NULL, theirs, false);
    snprintf(name, sizeof(name), "%.16s: self-collision, pairs", set->model.name);
    bench_report_row(report, name, (double)own_count, "pairs", NULL, 0.0, true);
    if (their_count > own_count)
    {
        fprintf(stderr, "abut: bench families: meshes: %s: %s finds %zu pairs without neighbours\n",
                set->model.name, peer->name, their_count);
    }
    if (tree != NULL)
    {
        peer->destroy(tree);
    }
}

/// States of all poses, which must be those of the first peer with an answer.
static bool sort_poses(MeshCase* set, Theirs* theirs, int their_count)
{
    int wrong = 0;
    for (int i = 0; i < set->pose_count; ++i)
    {
        AbutMeshTreePair pair = pair_at(set, &set->poses[i]);
        AbutMeshTreeTouch touch = abut_mesh_tree_collide(&pair);
        set->all[i] = i;
        if (!touch.touching)
        {
            set->apart[set->apart_count++] = i;
        }
        for (int k = 0; k < their_count; ++k)
        {
            if (theirs[k].collider->touches != NULL && touch.state != ABUT_MESH_TREE_CLOSE)
            {
                wrong += theirs[k].collider->touches(theirs[k].pair, &set->poses[i]) != touch.touching;
            }
        }
    }
    if (wrong > 0)
    {
        fprintf(stderr, "abut: bench families: meshes: %d answers of %s differ from a peer's\n", wrong,
                set->model.name);
    }
    return wrong == 0;
}

static bool run_questions(BenchReport* report, MeshCase* set, const FamilyOptions* options)
{
    Theirs theirs[PAIRS_MOST_CONTENDERS];
    int count = 0;
    for (const BenchCollider* const* c = bench_colliders(); *c != NULL && count < PAIRS_MOST_CONTENDERS; ++c)
    {
        theirs[count] = (Theirs){ *c, (*c)->create(set->model.mesh_a, set->model.mesh_b) };
        count += theirs[count].pair != NULL ? 1 : 0;
    }
    bool good = sort_poses(set, theirs, count);
    for (int question = 0; question < QUESTION_COUNT; ++question)
    {
        ask(report, set, theirs, count, (Question)question, options->quick ? 1 : 3);
    }
    for (int i = 0; i < count; ++i)
    {
        theirs[i].collider->destroy(theirs[i].pair);
    }
    return good;
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

static bool run_mesh(BenchReport* report, const FamilyOptions* options, const AbutHost* host,
                     const char* name, const char* file)
{
    MeshCase* set = calloc(1, sizeof(MeshCase));
    AbutTrianglePair* pairs = malloc(MOST_PAIRS * sizeof(AbutTrianglePair));
    AbutMesh* mesh = set != NULL && pairs != NULL ? family_mesh_load(file) : NULL;
    bool good = mesh != NULL;
    if (good)
    {
        set->pairs = pairs;
        set->model.mesh_a = set->model.mesh_b = mesh;
        snprintf(set->model.name, sizeof(set->model.name), "%s", name);
        set->pose_count = options->quick ? 100 : PAIRS_MOST_POSES;
        pair_model_make_poses(&set->model, set->poses, set->pose_count);
        good = measure_build(report, set, host);
        if (good)
        {
            measure_self(report, set);
        }
        good = good && run_questions(report, set, options);
        abut_mesh_tree_destroy(set->tree);
    }
    abut_mesh_destroy(mesh);
    free(pairs);
    free(set);
    return good;
}

bool family_meshes_run(BenchReport* report, const FamilyOptions* options)
{
    AbutWorkers* workers = NULL;
    if (abut_workers_create(1, NULL, &workers) != ABUT_OK)
    {
        return false;
    }
    AbutHost host = abut_workers_host(workers);
    bool good = run_mesh(report, options, &host, "bunny 69k", "bunny69k.obj");
    good = run_mesh(report, options, &host, "dragon 48k", "dragon48k.obj") && good;
    good = mesh_field_run(report, "bunny 4k", "bunny4k.obj") && good;
    abut_workers_destroy(workers);
    return good;
}
