// The survey's claims about bounding volume hierarchies, measured: volumes, numbers of children, splits,
// traversals, queues, leaf tests. Scalar trees of the laboratory (abut_bvh_create()); ratios are to the first
// of each group. Deforming meshes are in survey_refit.c.
#include "survey.h"
#include "families.h"
#include "family_mesh.h"
#include "pairs_cases.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_REPEATS = 3,
};

// -----------------------------------------------------------------------------------------------------------
// One combination
// -----------------------------------------------------------------------------------------------------------

typedef struct Result
{
    double touch, pairs; // µs per pose
    double tests;        // of volumes and triangles, per pose, all pairs
    double queue;        // longest of all poses, all pairs
    double build;        // ms
    size_t found;        // pairs of all poses
} Result;

static Result run_once(const SurveyCase* set, const AbutBvh* bvh, const AbutBvhTraversal* traversal)
{
    Result r = { .found = 0 };
    double start = bench_cpu_seconds();
    for (int i = 0; i < set->pose_count; ++i)
    {
        AbutBvhPair pair = { bvh, bvh, abut_pose_identity(), set->poses[i] };
        r.found += abut_bvh_collide(&pair, traversal).touching;
    }
    double middle = bench_cpu_seconds();
    for (int i = 0; i < set->pose_count; ++i)
    {
        AbutBvhPair pair = { bvh, bvh, abut_pose_identity(), set->poses[i] };
        AbutBvhOutput output = abut_bvh_pairs(&pair, traversal, NULL, 0);
        r.found += output.pair_count;
        r.tests += (double)(output.volume_tests + output.triangle_tests) / set->pose_count;
        r.queue = fmax(r.queue, (double)output.largest_queue);
    }
    r.touch = 1e6 * (middle - start) / set->pose_count;
    r.pairs = 1e6 * (bench_cpu_seconds() - middle) / set->pose_count;
    return r;
}

/// The fastest of the repeats: what a busy machine adds is never negative.
static bool measure(const SurveyCase* set, const AbutBvhDef* def, const AbutBvhTraversal* traversal,
                    Result* out)
{
    AbutBvh* bvh = NULL;
    double start = bench_cpu_seconds();
    if (abut_bvh_create(def, set->mesh, &bvh) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench families: survey: %s\n", abut_last_error());
        return false;
    }
    double build = 1e3 * (bench_cpu_seconds() - start);
    for (int i = 0; i < set->repeats; ++i)
    {
        Result r = run_once(set, bvh, traversal);
        r.touch = i > 0 ? fmin(r.touch, out->touch) : r.touch;
        r.pairs = i > 0 ? fmin(r.pairs, out->pairs) : r.pairs;
        *out = r;
    }
    out->build = build;
    abut_bvh_destroy(bvh);
    if (out->found != set->found)
    {
        fprintf(stderr, "abut: bench families: survey: %s: %zu touching pairs, the product has %zu\n",
                set->name, out->found, set->found);
        return false;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Groups: combinations that differ in one respect
// -----------------------------------------------------------------------------------------------------------

typedef struct Combination
{
    char label[40];
    AbutBvhDef def;
    AbutBvhTraversal traversal;
} Combination;

typedef enum Columns
{
    TOUCH = 1,
    PAIRS = 2,
    TESTS = 4,
    QUEUE = 8,
    BUILD = 16,
} Columns;

static void report_row(BenchReport* report, const SurveyCase* set, const Combination* c, const char* question,
                       double value, const char* unit, const char* first, double first_value)
{
    char name[64];
    snprintf(name, sizeof(name), "%.8s, %.38s: %.13s", set->name, c->label, question);
    bench_report_row(report, name, value, unit, first, first_value, false);
}

static bool run_group(BenchReport* report, const SurveyCase* set, const Combination* group, int count,
                      unsigned columns)
{
    Result first = { .found = 0 };
    for (int i = 0; i < count; ++i)
    {
        Result r = { .found = 0 };
        const Combination* c = &group[i];
        if (!measure(set, &c->def, &c->traversal, &r))
        {
            return false;
        }
        first = i == 0 ? r : first;
        const char* peer = i == 0 ? NULL : group[0].label;
        const struct
        {
            unsigned column;
            const char *question, *unit;
            double value, first;
        } rows[] = { { TOUCH, "yes/no", "us", r.touch, first.touch },
                     { PAIRS, "all pairs", "us", r.pairs, first.pairs },
                     { TESTS, "tests", "per pose", r.tests, first.tests },
                     { QUEUE, "longest queue", "pairs", r.queue, first.queue },
                     { BUILD, "build", "ms", r.build, first.build } };
        for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); ++k)
        {
            if ((columns & rows[k].column) != 0)
            {
                report_row(report, set, c, rows[k].question, rows[k].value, rows[k].unit, peer,
                           rows[k].first);
            }
        }
    }
    return true;
}

static Combination combination(const char* label)
{
    Combination c = { .def = abut_bvh_def(), .traversal = abut_bvh_traversal() };
    snprintf(c.label, sizeof(c.label), "%s", label);
    return c;
}

static bool run_volumes(BenchReport* report, const SurveyCase* set)
{
    Combination group[ABUT_BVH_VOLUME_COUNT];
    for (int i = 0; i < ABUT_BVH_VOLUME_COUNT; ++i)
    {
        group[i] = combination(abut_bvh_volume_name((AbutBvhVolume)i));
        group[i].def.volume = (AbutBvhVolume)i;
    }
    return run_group(report, set, group, ABUT_BVH_VOLUME_COUNT, TOUCH | PAIRS | TESTS | BUILD);
}

static bool run_children(BenchReport* report, const SurveyCase* set, AbutBvhVolume volume)
{
    Combination group[3];
    for (int i = 0; i < 3; ++i)
    {
        char label[40];
        snprintf(label, sizeof(label), "%s, %d children", abut_bvh_volume_name(volume), 2 << i);
        group[i] = combination(label);
        group[i].def.volume = volume;
        group[i].def.children = 2u << i;
    }
    return run_group(report, set, group, 3, TOUCH | PAIRS | TESTS);
}

static bool run_splits(BenchReport* report, const SurveyCase* set)
{
    static const char* const axes[ABUT_BVH_AXIS_COUNT] = { "longest", "variance", "best axis" };
    Combination group[ABUT_BVH_SPLIT_COUNT];
    bool good = true;
    for (int axis = 0; axis < ABUT_BVH_AXIS_COUNT && good; ++axis)
    {
        for (int i = 0; i < ABUT_BVH_SPLIT_COUNT; ++i)
        {
            char label[40];
            snprintf(label, sizeof(label), "%s, %s", axes[axis], abut_bvh_split_name((AbutBvhSplit)i));
            group[i] = combination(label);
            group[i].def.axis = (AbutBvhAxis)axis;
            group[i].def.split = (AbutBvhSplit)i;
            group[i].def.children = 2;
        }
        good = run_group(report, set, group, ABUT_BVH_SPLIT_COUNT, PAIRS | TESTS | BUILD);
    }
    return good;
}

static bool run_traversals(BenchReport* report, const SurveyCase* set)
{
    Combination rules[ABUT_BVH_RULE_COUNT], queues[ABUT_BVH_QUEUE_COUNT], leaves[ABUT_BVH_LEAF_TEST_COUNT];
    for (int i = 0; i < ABUT_BVH_RULE_COUNT; ++i)
    {
        rules[i] = combination(abut_bvh_rule_name((AbutBvhRule)i));
        rules[i].traversal.rule = (AbutBvhRule)i;
    }
    for (int i = 0; i < ABUT_BVH_QUEUE_COUNT; ++i)
    {
        queues[i] = combination(abut_bvh_queue_name((AbutBvhQueue)i));
        queues[i].traversal.queue = (AbutBvhQueue)i;
    }
    for (int i = 0; i < ABUT_BVH_LEAF_TEST_COUNT; ++i)
    {
        leaves[i] = combination(abut_bvh_leaf_test_name((AbutBvhLeafTest)i));
        leaves[i].traversal.leaf_test = (AbutBvhLeafTest)i;
    }
    return run_group(report, set, rules, ABUT_BVH_RULE_COUNT, TOUCH | PAIRS | TESTS) &&
           run_group(report, set, queues, ABUT_BVH_QUEUE_COUNT, TOUCH | PAIRS | QUEUE) &&
           run_group(report, set, leaves, ABUT_BVH_LEAF_TEST_COUNT, TOUCH | PAIRS | TESTS);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

static AbutMesh* create_gear(void)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    AbutMesh* mesh = NULL;
    return abut_mesh_create_gear(&def, &mesh) == ABUT_OK ? family_mesh_recenter(mesh) : NULL;
}

static AbutMesh* create_sphere(void)
{
    AbutMesh* mesh = NULL;
    return abut_mesh_create_sphere(0.5f, 48, NULL, &mesh) == ABUT_OK ? family_mesh_recenter(mesh) : NULL;
}

static AbutMesh* create_pipe(void)
{
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    AbutMesh* mesh = NULL;
    return abut_mesh_create_pipe(&def, &mesh) == ABUT_OK ? family_mesh_recenter(mesh) : NULL;
}

/// Random poses; of nested the sphere around itself, 1 to 5 % larger: parallel surfaces that never touch.
static void make_poses(SurveyCase* set, bool nested)
{
    PairModel model = { .mesh_a = set->mesh, .mesh_b = set->mesh };
    pair_model_make_poses(&model, set->poses, set->pose_count);
    for (int i = 0; nested && i < set->pose_count; ++i)
    {
        set->poses[i].position = (AbutPosition){ 0.0, 0.0, 0.0 };
        set->poses[i].scale = 1.01f + 0.04f * (float)i / (float)set->pose_count;
    }
}

/// What the product finds at all poses: one for each that touches, and all pairs.
static bool count_pairs(SurveyCase* set)
{
    AbutMeshTree* tree = NULL;
    if (abut_mesh_tree_create(set->mesh, NULL, &tree) != ABUT_OK)
    {
        return false;
    }
    for (int i = 0; i < set->pose_count; ++i)
    {
        AbutMeshTreePair pair = { tree, tree, abut_pose_identity(), set->poses[i] };
        size_t count = abut_mesh_tree_pairs(&pair, NULL, 0).pair_count;
        set->found += count + (count > 0);
    }
    abut_mesh_tree_destroy(tree);
    return true;
}

typedef enum CaseKind
{
    ALL_GROUPS,
    VOLUMES,
    NESTED, ///< volumes, of parallel surfaces
} CaseKind;

static bool run_case(BenchReport* report, const FamilyOptions* options, const char* name, AbutMesh* mesh,
                     CaseKind kind)
{
    SurveyCase* set = calloc(1, sizeof(SurveyCase));
    bool good = set != NULL && mesh != NULL;
    if (good)
    {
        set->name = name;
        set->mesh = mesh;
        set->pose_count = options->quick ? 60 : 300;
        set->repeats = options->quick ? 1 : MOST_REPEATS;
        make_poses(set, kind == NESTED);
        good = count_pairs(set) && run_volumes(report, set) && run_children(report, set, ABUT_BVH_BOX);
        good = good && (kind != ALL_GROUPS ||
                        (run_children(report, set, ABUT_BVH_ORIENTED_BOX) && run_splits(report, set) &&
                         run_traversals(report, set) && survey_refit_run(report, set)));
    }
    abut_mesh_destroy(mesh);
    free(set);
    return good;
}

bool family_survey_run(BenchReport* report, const FamilyOptions* options)
{
    bool good = run_case(report, options, "bunny", family_mesh_load("bunny69k.obj"), ALL_GROUPS);
    good = run_case(report, options, "dragon", family_mesh_load("dragon48k.obj"), ALL_GROUPS) && good;
    good = run_case(report, options, "gear", create_gear(), VOLUMES) && good;
    good = run_case(report, options, "pipe", create_pipe(), VOLUMES) && good;
    return run_case(report, options, "nested", create_sphere(), NESTED) && good;
}
