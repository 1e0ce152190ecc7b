// abut bench points [quick] [CELLS] [BUNNY [DRAGON]]: points on a body that moves between random poses,
// against the field of the same body: Table 3 of Xu & Barbič 2014. A thousand pairs of poses in three times
// the box of the field, on one thread.
//
// Point by point, each goes through the field as a segment, as in the paper; with the tree, spheres of points
// do. Straight paths are the paper's; the true motions of the same poses are measured beside them. Without
// files, a bumpy body stands for the bunny and the dragon.
#include "bake_cases.h"
#include "bench.h"
#include "closed_mesh.h"

#include <abut/abut.h>
#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    PAIRS = 1000,
    CAPACITY = 1 << 20
};

typedef struct PointsModel
{
    const char* name;
    uint32_t points;                 // of the paper
    double paper_linear, paper_tree; // its seconds
} PointsModel;

static const PointsModel models[] = { { "bunny", 777, 1.8, 0.7 },
                                      { "bowl", 2072, 3.4, 0.3 },
                                      { "dragon", 437645, 761.2, 9.9 } };

typedef struct PointsBench
{
    BenchReport* report;
    bool quick;
    uint32_t cells;
    const char* paths[3];
    const PointsModel* model;
    AbutShape* field;
    AbutPointSet* points;
    AbutPose (*poses)[2];
    AbutPointInterval* intervals;
} PointsBench;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// -----------------------------------------------------------------------------------------------------------
// Bodies and poses
// -----------------------------------------------------------------------------------------------------------

static bool parse(PointsBench* bench, int count, char** arguments)
{
    int path = 0;
    for (int i = 0; i < count; ++i)
    {
        char* end;
        unsigned long cells = strtoul(arguments[i], &end, 10);
        if (strcmp(arguments[i], "quick") == 0)
        {
            bench->quick = true;
        }
        else if (*end == '\0' && cells >= 8 && cells <= 2048)
        {
            bench->cells = (uint32_t)cells;
        }
        else if (*end != '\0' && path < 2)
        {
            bench->paths[2 * path++] = arguments[i];
        }
        else
        {
            fprintf(stderr, "abut: bench points: '%s' is one too many, or no resolution\n", arguments[i]);
            return false;
        }
    }
    bench->cells = bench->cells > 0 ? bench->cells : bench->quick ? 128 : 256;
    return true;
}

static AbutResult make_mesh(const PointsBench* bench, int which, AbutMesh** out)
{
    if (bench->paths[which] != NULL)
    {
        return bench_load_closed(bench->paths[which], out);
    }
    return which == 1 ? abut_mesh_create_bowl(0.5f, 0.02f, 128, NULL, out)
                      : bake_mesh_create_statue(70000, out);
}

static AbutResult make_body(PointsBench* bench, int which)
{
    AbutMesh* mesh = NULL;
    AbutBakeDef bake = abut_bake_def();
    AbutPointsDef def = abut_points_def();
    bake.resolution = bench->cells;
    bake.sparse = bench->cells > 512;
    def.count = bench->quick && models[which].points > 50000 ? 50000 : models[which].points;
    def.relaxations = 2;
    AbutResult result = make_mesh(bench, which, &mesh);
    result = result == ABUT_OK ? abut_bake_mesh(&bake, mesh, &bench->field) : result;
    double start = bench_seconds();
    result = result == ABUT_OK ? abut_points_create_from_mesh(&def, mesh, &bench->points) : result;
    if (result == ABUT_OK)
    {
        AbutPointsInfo info = abut_points_info(bench->points);
        printf("%s: %u points in %.1f s, no place further than %.2g from one; %u spheres in %u levels\n",
               models[which].name, info.count, bench_seconds() - start, (double)info.spacing, info.node_count,
               info.depth);
    }
    abut_mesh_destroy(mesh);
    return result;
}

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/// Uniform among all rotations (Shoemake).
static AbutQuat random_rotation(uint64_t* state)
{
    const double tau = 6.283185307179586;
    double u = random_unit(state), a = tau * random_unit(state), b = tau * random_unit(state);
    double s = sqrt(1.0 - u), t = sqrt(u);
    AbutQuat q = { (float)(s * sin(a)), (float)(s * cos(a)), (float)(t * sin(b)), (float)(t * cos(b)) };
    return abut_quat_normalize(q);
}

/// The middle of the body lies anywhere in three times the box of the field.
static AbutPose random_pose(uint64_t* state, AbutBox box)
{
    AbutVec3 e = abut_box_extents(box);
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    AbutPose pose = abut_pose_identity();
    pose.rotation = random_rotation(state);
    AbutPosition offset = abut_pose_transform_point(&pose, middle);
    pose.position.x = (double)middle.x + 3.0 * (random_unit(state) - 0.5) * (double)e.x - offset.x;
    pose.position.y = (double)middle.y + 3.0 * (random_unit(state) - 0.5) * (double)e.y - offset.y;
    pose.position.z = (double)middle.z + 3.0 * (random_unit(state) - 0.5) * (double)e.z - offset.z;
    return pose;
}

static void make_poses(PointsBench* bench)
{
    AbutBox box = abut_shape_info(bench->field).bounds;
    uint64_t state = 7;
    for (int i = 0; i < 2 * PAIRS; ++i)
    {
        bench->poses[i / 2][i % 2] = random_pose(&state, box);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

/// Means over the pairs of poses that were measured: all of them, or as many as a few seconds allow.
typedef struct Run
{
    uint32_t pairs;
    double seconds; // of a thousand
    double touching, intervals, evaluations;
} Run;

static double enough_seconds(const PointsBench* bench)
{
    return bench->quick ? 1.0 : 6.0;
}

static void take_means(Run* run, double seconds)
{
    run->seconds = seconds * PAIRS / run->pairs;
    run->touching /= run->pairs;
    run->intervals /= run->pairs;
    run->evaluations /= run->pairs;
}

static Run run_tree(const PointsBench* bench, bool linear, bool all)
{
    AbutToiInput input = abut_toi_input(bench->field, NULL);
    Run run = { 0 };
    input.points_b = bench->points;
    input.settings.method = ABUT_TOI_POINTS;
    input.settings.linear = linear;
    double start = thread_seconds(), seconds = 0.0;
    for (uint32_t i = 0; i < PAIRS && seconds < enough_seconds(bench); ++i)
    {
        input.pose_b = bench->poses[i][0];
        input.motion_b = abut_motion_between(&bench->poses[i][0], &bench->poses[i][1]);
        AbutToiOutput output =
            all ? abut_toi_intervals(&input, bench->intervals, CAPACITY) : abut_time_of_impact(&input);
        run.touching += output.state != ABUT_TOI_MISS ? 1.0 : 0.0;
        run.intervals += output.interval_total;
        run.evaluations += (double)output.evaluations;
        run.pairs = i + 1;
        seconds = thread_seconds() - start;
    }
    take_means(&run, seconds);
    return run;
}

/// Each point as a segment of its own.
static Run run_points(const PointsBench* bench)
{
    AbutCastSettings settings = abut_cast_settings();
    AbutPointData data = abut_points_data(bench->points);
    Run run = { 0 };
    double start = thread_seconds(), seconds = 0.0;
    settings.method = ABUT_CAST_PYRAMID;
    for (uint32_t i = 0; i < PAIRS && seconds < enough_seconds(bench); ++i)
    {
        const AbutPose* poses = bench->poses[i];
        for (uint32_t k = 0; k < data.count; ++k)
        {
            AbutTimeInterval intervals[8];
            AbutVec3 at = abut_vec3(data.positions.x[k], data.positions.y[k], data.positions.z[k]);
            AbutPosition from = abut_pose_transform_point(&poses[0], at),
                         to = abut_pose_transform_point(&poses[1], at);
            AbutCastOutput output = abut_cast_intervals(
                bench->field, &settings, abut_vec3((float)from.x, (float)from.y, (float)from.z),
                abut_vec3((float)to.x, (float)to.y, (float)to.z), intervals, 8);
            run.intervals += output.interval_total;
        }
        run.pairs = i + 1;
        seconds = thread_seconds() - start;
    }
    take_means(&run, seconds);
    return run;
}

static void add_row(const PointsBench* bench, const char* what, const Run* run, const char* peer,
                    double paper)
{
    char name[64];
    snprintf(name, sizeof(name), "%s, %s", bench->model->name, what);
    bench_report_row(bench->report, name, run->seconds, "s per 1000 pairs", peer, paper, false);
}

static void measure(PointsBench* bench)
{
    const PointsModel* model = bench->model;
    Run points = run_points(bench);
    Run tree = run_tree(bench, true, true), first = run_tree(bench, true, false);
    Run rotating = run_tree(bench, false, true), rotating_first = run_tree(bench, false, false);
    add_row(bench, "point by point", &points, "paper, linear", model->paper_linear);
    add_row(bench, "tree, all intervals", &tree, "paper, hierarchy", model->paper_tree);
    add_row(bench, "tree, first touch", &first, "paper, hierarchy", model->paper_tree);
    add_row(bench, "tree, true motion, all intervals", &rotating, "paper, hierarchy", model->paper_tree);
    add_row(bench, "tree, true motion, first touch", &rotating_first, "paper, hierarchy", model->paper_tree);
    const Run* trees[2] = { &tree, &first };
    for (int i = 0; i < 2; ++i)
    {
        char name[64];
        snprintf(name, sizeof(name), "%s, %s over point by point", model->name,
                 i == 0 ? "all intervals" : "first touch");
        bench_report_row(bench->report, name, points.seconds / trees[i]->seconds, "times faster", "paper",
                         model->paper_linear / model->paper_tree, true);
    }
    printf(
        "%s: %.1f %% of %u pairs touch; %.0f intervals per pair, point by point %.0f of %u; %.0f samples per "
        "pair, %.0f to the first touch; %.0f ns per interval\n",
        model->name, 100.0 * first.touching, first.pairs, tree.intervals, points.intervals, points.pairs,
        tree.evaluations, first.evaluations, 1e9 * tree.seconds / (PAIRS * fmax(1.0, tree.intervals)));
    uint32_t count = abut_points_info(bench->points).count;
    if (count < model->points / 2)
    {
        printf("%s: the paper's times are for %u points, these for %u: they do not compare\n", model->name,
               model->points, count);
    }
}

bool bench_points_run(BenchReport* report, int argument_count, char** arguments)
{
    PointsBench bench = { .report = report };
    if (!parse(&bench, argument_count, arguments))
    {
        return false;
    }
    bench.poses = malloc(PAIRS * sizeof(bench.poses[0]));
    bench.intervals = malloc(CAPACITY * sizeof(AbutPointInterval));
    bool ok = bench.poses != NULL && bench.intervals != NULL;
    for (int i = 0; i < 3 && ok; ++i)
    {
        bench.model = &models[i];
        ok = make_body(&bench, i) == ABUT_OK;
        if (ok)
        {
            make_poses(&bench);
            measure(&bench);
        }
        abut_shape_destroy(bench.field);
        abut_points_destroy(bench.points);
        bench.field = NULL;
        bench.points = NULL;
    }
    if (!ok)
    {
        fprintf(stderr, "abut: bench points: %s\n", abut_last_error());
    }
    free(bench.poses);
    free(bench.intervals);
    return ok;
}
