// abut bench drop [quick] [PART...] [CELLS]: a body falls on a fixed copy of itself: Table 4 and the fourth
// experiment of Xu & Barbič 2014.
//
// The motion comes from a world with springs. Then each frame of it is asked again for the contact intervals
// of all points, in both roles: with the tree, and point by point as segments; thread time. Bunny and dragon
// come from the folder in ABUT_SHARED_MESHES; without it, a bumpy body stands for them.
#include "drop.h"

#include "bake_cases.h"
#include "closed_mesh.h"

#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    CAPACITY = 1 << 20,
    SIMULATED_POINTS = 777,
    QUICK_FRAMES = 200
};

/// About what one point takes as a segment; only the number of frames depends on it.
#define POINT_SECONDS 0.4e-6

typedef struct DropModel
{
    const char* name;
    const char* file;                // of the shared meshes; NULL for one that is generated
    uint32_t points, frames;         // of the paper
    double paper_linear, paper_tree; // its seconds
} DropModel;

static const DropModel models[] = { { "bunny", "bunny4k.obj", 777, 2600, 8.0, 2.5 },
                                    { "bowl", NULL, 2072, 2000, 20.3, 4.5 },
                                    { "dragon", "dragon48k.obj", 437645, 1160, 671.6, 2.6 } };

/// What can be asked for; without any, all of it.
typedef enum DropPart
{
    PART_BUNNY, // the first ones are models
    PART_BOWL,
    PART_DRAGON,
    PART_STEPS,
    PART_BOUNCE,
    PART_COUNT
} DropPart;

static const char* const part_names[PART_COUNT] = { "bunny", "bowl", "dragon", "steps", "bounce" };

typedef struct DropBench
{
    BenchReport* report;
    bool quick;
    bool parts[PART_COUNT];
    uint32_t cells;
    AbutPose* poses;
    uint32_t frames;
    AbutPointInterval* intervals;
} DropBench;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool take_part(DropBench* bench, const char* name)
{
    for (int i = 0; i < PART_COUNT; ++i)
    {
        if (strcmp(name, part_names[i]) == 0)
        {
            bench->parts[i] = true;
            return true;
        }
    }
    return false;
}

static bool parse(DropBench* bench, int count, char** arguments)
{
    bool some = false;
    for (int i = 0; i < count; ++i)
    {
        char* end;
        unsigned long cells = strtoul(arguments[i], &end, 10);
        if (strcmp(arguments[i], "quick") == 0)
        {
            bench->quick = true;
        }
        else if (take_part(bench, arguments[i]))
        {
            some = true;
        }
        else if (*end == '\0' && cells >= 8 && cells <= 1024)
        {
            bench->cells = (uint32_t)cells;
        }
        else
        {
            fprintf(
                stderr,
                "abut: bench drop: '%s' is neither 'quick', a part (bunny, bowl, dragon, steps, bounce) nor "
                "a resolution from 8 to 1024\n",
                arguments[i]);
            return false;
        }
    }
    for (int i = 0; i < PART_COUNT && !some; ++i)
    {
        bench->parts[i] = true;
    }
    bench->cells = bench->cells > 0 ? bench->cells : bench->quick ? 64 : 256;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

static AbutResult make_mesh(const DropModel* model, AbutMesh** out)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    if (model->file != NULL && folder != NULL && folder[0] != '\0')
    {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", folder, model->file);
        return bench_load_closed(path, out);
    }
    return model->file == NULL ? abut_mesh_create_bowl(0.5f, 0.02f, 128, NULL, out)
                               : bake_mesh_create_statue(20000, out);
}

static AbutResult make_points(const AbutMesh* mesh, uint32_t count, AbutPointSet** out)
{
    AbutPointsDef def = abut_points_def();
    def.count = count;
    def.relaxations = 2;
    return abut_points_create_from_mesh(&def, mesh, out);
}

static AbutResult make_body(const DropBench* bench, const DropModel* model, DropBody* body)
{
    AbutMesh* mesh = NULL;
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = bench->cells;
    uint32_t count = bench->quick && model->points > 20000 ? 20000 : model->points;
    AbutResult result = make_mesh(model, &mesh);
    result = result == ABUT_OK ? abut_bake_mesh(&bake, mesh, &body->field) : result;
    result = result == ABUT_OK ? make_points(mesh, count, &body->points) : result;
    result = result == ABUT_OK ? make_points(mesh, SIMULATED_POINTS, &body->sampled) : result;
    if (result == ABUT_OK)
    {
        AbutVec3 e = abut_box_extents(abut_shape_info(body->field).bounds);
        body->size = fmax((double)e.x, fmax((double)e.y, (double)e.z));
        body->name = model->name;
    }
    abut_mesh_destroy(mesh);
    return result;
}

static void destroy_body(DropBody* body)
{
    abut_shape_destroy(body->field);
    abut_points_destroy(body->points);
    abut_points_destroy(body->sampled);
    *body = (DropBody){ 0 };
}

// -----------------------------------------------------------------------------------------------------------
// Table 4
// -----------------------------------------------------------------------------------------------------------

/// The poses of the falling body, frame by frame.
static bool simulate(DropBench* bench, const DropModel* model, const DropBody* body)
{
    AbutBodyId id;
    DropDef def = { body, body->sampled, ABUT_PENALTY_BALANCED, 0.0f, 0 };
    AbutWorld* world = drop_create(&def, &id);
    double step = 12.0 * drop_time(body) / model->frames;
    double max_penetration = 0.0, detected = 0.0;
    bool good = world != NULL;
    bench->frames = bench->quick ? QUICK_FRAMES : model->frames;
    step *= (double)model->frames / bench->frames;
    for (uint32_t i = 0; i <= bench->frames && good; ++i)
    {
        AbutStepReport report = { 0 };
        bench->poses[i] = abut_body_state(world, id).pose;
        good = abut_world_step(world, (float)step, &report) == ABUT_OK;
        max_penetration = fmax(max_penetration, (double)report.max_penetration);
        detected += report.profile.seconds[ABUT_PHASE_SEARCH];
    }
    if (good)
    {
        printf("%s: %u frames of %.2g fall times with %u points; deepest %.2g of the size; %.2f s of finding "
               "contacts\n",
               model->name, bench->frames, step / drop_time(body), abut_points_info(body->sampled).count,
               max_penetration / body->size, detected);
    }
    abut_world_destroy(world);
    return good;
}

/// What all frames take one way, and what those take that were measured the other way, too.
typedef struct Run
{
    double seconds;
    double intervals;
    uint32_t frames;
} Run;

static double time_tree(const DropBench* bench, const DropBody* body, uint32_t frame, Run* run)
{
    AbutToiInput input = abut_toi_input(body->field, body->field);
    input.points_a = input.points_b = body->points;
    input.settings.method = ABUT_TOI_POINTS;
    input.settings.linear = true;
    input.pose_b = bench->poses[frame];
    input.motion_b = abut_motion_between(&bench->poses[frame], &bench->poses[frame + 1]);
    double start = thread_seconds();
    run->intervals += abut_toi_intervals(&input, bench->intervals, CAPACITY).interval_total;
    double seconds = thread_seconds() - start;
    run->seconds += seconds;
    run->frames += 1;
    return seconds;
}

/// One point as a segment through the field, in one role or the other.
static int follow(const DropBody* body, AbutVec3 at, const AbutPose poses[2], int side)
{
    AbutCastSettings settings = abut_cast_settings();
    AbutTimeInterval intervals[8];
    AbutVec3 ends[2];
    settings.method = ABUT_CAST_PYRAMID;
    for (int i = 0; i < 2; ++i)
    {
        AbutPosition outer = { at.x, at.y, at.z };
        AbutPosition moved = abut_pose_transform_point(&poses[i], at);
        ends[i] = side == 0 ? abut_pose_inverse_transform_point(&poses[i], outer)
                            : abut_vec3((float)moved.x, (float)moved.y, (float)moved.z);
    }
    return (int)abut_cast_intervals(body->field, &settings, ends[0], ends[1], intervals, 8).interval_total;
}

static void time_points(const DropBench* bench, const DropBody* body, uint32_t frame, Run* run)
{
    AbutPointData data = abut_points_data(body->points);
    double start = thread_seconds();
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 at = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        run->intervals +=
            follow(body, at, &bench->poses[frame], 0) + follow(body, at, &bench->poses[frame], 1);
    }
    run->seconds += thread_seconds() - start;
    run->frames += 1;
}

/// How many frames are between those that are measured point by point: spread over all of them, in a few
/// seconds.
static uint32_t frame_stride(const DropBench* bench, const DropBody* body)
{
    double enough = bench->quick ? 1.0 : 8.0;
    double all = 2.0 * POINT_SECONDS * abut_points_info(body->points).count * bench->frames;
    return (uint32_t)fmax(1.0, ceil(all / enough));
}

static void report_times(const DropBench* bench, const DropModel* model, double points, double tree,
                         double ratio)
{
    char name[64];
    snprintf(name, sizeof(name), "%s, point by point", model->name);
    bench_report_row(bench->report, name, points, "s for its frames", "paper, linear", model->paper_linear,
                     false);
    snprintf(name, sizeof(name), "%s, tree", model->name);
    bench_report_row(bench->report, name, tree, "s for its frames", "paper, hierarchy", model->paper_tree,
                     false);
    snprintf(name, sizeof(name), "%s, tree over point by point", model->name);
    bench_report_row(bench->report, name, ratio, "times faster", "paper",
                     model->paper_linear / model->paper_tree, true);
}

static void measure(const DropBench* bench, const DropModel* model, const DropBody* body)
{
    Run points = { 0 }, tree = { 0 };
    double same = 0.0; // of the tree, for the frames that are measured point by point
    uint32_t stride = frame_stride(bench, body);
    for (uint32_t i = 0; i < bench->frames; ++i)
    {
        double seconds = time_tree(bench, body, i, &tree);
        if (i % stride == stride / 2)
        {
            time_points(bench, body, i, &points);
            same += seconds;
        }
    }
    double frames = model->frames;
    report_times(bench, model, points.seconds * frames / points.frames, tree.seconds * frames / tree.frames,
                 points.seconds / same);
    printf("%s: %u points, paper's frames %u; %.1f intervals per frame, point by point %.1f in %u of the "
           "frames\n",
           model->name, abut_points_info(body->points).count, model->frames, tree.intervals / tree.frames,
           points.intervals / points.frames, points.frames);
    fflush(stdout);
}

/// Table 4 for one model; for the bunny, the fourth experiment, too.
static bool run_model(DropBench* bench, DropPart part)
{
    bool steps = part == PART_BUNNY && bench->parts[PART_STEPS];
    if (!bench->parts[part] && !steps)
    {
        return true;
    }
    DropBody body = { 0 };
    bool good = make_body(bench, &models[part], &body) == ABUT_OK;
    if (good && bench->parts[part])
    {
        good = simulate(bench, &models[part], &body);
        measure(bench, &models[part], &body);
    }
    good = good && (!steps || drop_compare(bench->report, &body, bench->quick));
    destroy_body(&body);
    return good;
}

bool bench_drop_run(BenchReport* report, int argument_count, char** arguments)
{
    DropBench bench = { .report = report };
    if (!parse(&bench, argument_count, arguments))
    {
        return false;
    }
    bench.poses = malloc(4096 * sizeof(AbutPose));
    bench.intervals = malloc(CAPACITY * sizeof(AbutPointInterval));
    bool good = bench.poses != NULL && bench.intervals != NULL;
    good = good && (!bench.parts[PART_BOUNCE] || drop_bounce(report));
    for (int i = PART_BUNNY; i <= PART_DRAGON && good; ++i)
    {
        good = run_model(&bench, (DropPart)i);
    }
    if (!good)
    {
        fprintf(stderr, "abut: bench drop: %s\n", abut_last_error());
    }
    free(bench.poses);
    free(bench.intervals);
    return good;
}
