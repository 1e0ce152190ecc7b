// abut bench hull [quick] [one-radius] [BUNNY [DRAGON]]: point hulls of five bodies, their size, error,
// memory and time; and the method `hull` on pairs of them beside `adaptive` and `particles`, with each of its
// optimisations off.
//
// Pairs are random poses whose boxes meet, on one thread. Recall is judged by `adaptive`, which proves its
// states and misses no region: "missed" are poses proved to touch that a method calls separated or finds
// nothing in; "regions" is the share of contacts of `adaptive` with one of the method within two spacings.
// Without files a bumpy body stands for the bunny and the dragon.
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
    HULLS = 5,
    BODIES = HULLS + 1, // and a formula, which is no body of points
    POSES = 400,
    QUICK_POSES = 60,
    CELLS = 128,
    CAPACITY = 2048,
    STEPS = 60, // of a coherent motion
};

/// Error of hulls, as a fraction of the largest extent.
static const double ERROR = 0.01;

/// A Menger sponge of size 1 with four levels of holes, as users write them: point by point, and slow.
static void sponge(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        const float p[3] = { points.x[i], points.y[i], points.z[i] };
        float distance = fmaxf(fabsf(p[0]), fmaxf(fabsf(p[1]), fabsf(p[2]))) - 0.5f;
        for (float scale = 1.0f; scale < 30.0f; scale *= 3.0f)
        {
            float r[3];
            for (int k = 0; k < 3; ++k)
            {
                float a = (p[k] + 0.5f) * scale;
                r[k] = fabsf((a - floorf(a)) - 0.5f);
            }
            float cross = fminf(fmaxf(r[0], r[1]), fminf(fmaxf(r[1], r[2]), fmaxf(r[2], r[0])));
            distance = fmaxf(distance, (1.0f / 6.0f - cross) / scale);
        }
        out.distance[i] = distance;
    }
}

typedef struct HullBody
{
    const char* name;
    AbutShape* shape;
    float size;
} HullBody;

typedef struct HullBench
{
    BenchReport* report;
    bool quick, one_radius;
    const char* paths[2];
    int path_count;
    HullBody bodies[BODIES];
    AbutPose poses[POSES];
    int pose_count;
    AbutContact contacts[CAPACITY], truth[CAPACITY];
} HullBench;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool parse(HullBench* bench, int count, char** arguments)
{
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(arguments[i], "quick") == 0)
        {
            bench->quick = true;
        }
        else if (strcmp(arguments[i], "one-radius") == 0)
        {
            bench->one_radius = true;
        }
        else if (bench->path_count < 2)
        {
            bench->paths[bench->path_count++] = arguments[i];
        }
        else
        {
            fprintf(stderr, "abut: bench hull: '%s' is one file too many\n", arguments[i]);
            return false;
        }
    }
    bench->pose_count = bench->quick ? QUICK_POSES : POSES;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

static AbutResult bake(AbutMesh* mesh, AbutResult result, AbutShape** out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = CELLS;
    result = result == ABUT_OK ? abut_bake_mesh(&def, mesh, out) : result;
    abut_mesh_destroy(mesh);
    return result;
}

static AbutResult make_shape(const HullBench* bench, int which, AbutShape** out)
{
    AbutMesh* mesh = NULL;
    AbutResult result = ABUT_OK;
    if (which == 0)
    {
        return abut_shape_create_sphere(0.5f, NULL, out);
    }
    if (which == 1)
    {
        return abut_shape_create_torus(0.4f, 0.1f, NULL, out);
    }
    if (which == HULLS)
    {
        AbutCallbackDef def = abut_callback_def();
        def.function = sponge;
        def.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
        return abut_shape_create_callback(&def, out);
    }
    if (which == 4)
    {
        AbutThreadMeshDef bolt = abut_thread_mesh_def();
        result = abut_mesh_create_bolt(&bolt, &mesh);
    }
    else if (bench->paths[which - 2] != NULL)
    {
        result = bench_load_closed(bench->paths[which - 2], &mesh);
    }
    else
    {
        result = bake_mesh_create_statue(which == 2 ? 4000 : 70000, &mesh);
    }
    return bake(mesh, result, out);
}

static bool make_bodies(HullBench* bench)
{
    static const char* const names[BODIES] = { "sphere", "torus", "bunny", "dragon", "bolt", "sponge" };
    for (int i = 0; i < BODIES; ++i)
    {
        HullBody* body = &bench->bodies[i];
        body->name = names[i];
        if (make_shape(bench, i, &body->shape) != ABUT_OK)
        {
            fprintf(stderr, "abut: bench hull: %s: %s\n", names[i], abut_last_error());
            return false;
        }
        AbutVec3 e = abut_box_extents(abut_shape_info(body->shape).bounds);
        body->size = fmaxf(e.x, fmaxf(e.y, e.z));
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Hulls
// -----------------------------------------------------------------------------------------------------------

static void report_hull(const HullBench* bench, const HullBody* body, AbutPointHullInfo info, bool one_radius,
                        double seconds)
{
    char row[64];
    const char* kind = one_radius ? "one radius" : "hull";
    snprintf(row, sizeof(row), "%s, %s: points", body->name, kind);
    bench_report_row(bench->report, row, (double)info.count, "balls", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s, %s: error", body->name, kind);
    bench_report_row(bench->report, row, 100.0 * (double)info.error / (double)body->size, "% of size", NULL,
                     0.0, false);
    snprintf(row, sizeof(row), "%s, %s: memory", body->name, kind);
    bench_report_row(bench->report, row, 1e-3 * (double)info.bytes, "KB", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s, %s: generation", body->name, kind);
    bench_report_row(bench->report, row, 1e3 * seconds, "ms of CPU", NULL, 0.0, false);
}

/// The error, or the least that the field allows. The hull with a radius per ball stays with the shape.
static bool measure_hull(const HullBench* bench, HullBody* body, bool one_radius)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    float least = 2.1f * abut_shape_info(body->shape).error;
    def.error = fmaxf((float)ERROR * body->size, least);
    def.one_radius = one_radius;
    double start = bench_cpu_seconds();
    AbutResult result = abut_point_hull_create(&def, body->shape, &hull);
    double seconds = bench_cpu_seconds() - start;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench hull: %s: %s\n", body->name, abut_last_error());
        return false;
    }
    report_hull(bench, body, abut_point_hull_info(hull), one_radius, seconds);
    result = one_radius ? ABUT_OK : abut_point_hull_attach(hull, body->shape);
    abut_point_hull_destroy(hull);
    return result == ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

typedef struct Variant
{
    const char* name;
    AbutCollideMethod method;
    bool corners, tree;
} Variant;

static const Variant variants[] = {
    { "hull", ABUT_COLLIDE_HULL, true, true },
    { "hull without corners", ABUT_COLLIDE_HULL, false, true },
    { "hull without tree", ABUT_COLLIDE_HULL, true, false },
    { "hull, every ball", ABUT_COLLIDE_HULL, false, false },
    { "particles", ABUT_COLLIDE_PARTICLES, true, true },
    { "adaptive", ABUT_COLLIDE_ADAPTIVE, true, true },
};

enum
{
    VARIANTS = (int)(sizeof(variants) / sizeof(variants[0]))
};

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static AbutQuat random_rotation(uint64_t* state)
{
    const double tau = 6.283185307179586;
    double u = random_unit(state), a = tau * random_unit(state), b = tau * random_unit(state);
    double s = sqrt(1.0 - u), t = sqrt(u);
    return abut_quat_normalize(
        (AbutQuat){ (float)(s * sin(a)), (float)(s * cos(a)), (float)(t * sin(b)), (float)(t * cos(b)) });
}

/// B rotated at random, moved evenly over all positions where its box meets that of A.
static void make_poses(HullBench* bench, const HullBody* a, const HullBody* b)
{
    AbutBox box_a = abut_shape_info(a->shape).bounds;
    uint64_t state = 11;
    for (int i = 0; i < bench->pose_count; ++i)
    {
        AbutPose* pose = &bench->poses[i];
        *pose = abut_pose_identity();
        pose->rotation = random_rotation(&state);
        AbutBox box_b = abut_pose_transform_box(pose, abut_shape_info(b->shape).bounds);
        double low[3] = { box_a.min.x - box_b.max.x, box_a.min.y - box_b.max.y, box_a.min.z - box_b.max.z };
        double high[3] = { box_a.max.x - box_b.min.x, box_a.max.y - box_b.min.y, box_a.max.z - box_b.min.z };
        double at[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] = low[axis] + random_unit(&state) * (high[axis] - low[axis]);
        }
        pose->position = (AbutPosition){ at[0], at[1], at[2] };
    }
}

typedef struct Tally
{
    double seconds, contacts, evaluations, points, corners, tree;
    int touching, missed;
    double regions, found; // contacts of `adaptive`, and those with one of the method near them
} Tally;

static AbutCollideInput input_of(const HullBench* bench, const HullBody* a, const HullBody* b, int pose,
                                 const Variant* variant)
{
    AbutCollideInput input = abut_collide_input(a->shape, b->shape);
    input.pose_b = bench->poses[pose];
    input.settings.method = variant->method;
    input.settings.hull.corners = variant->corners;
    input.settings.hull.tree = variant->tree;
    return input;
}

static void judge(HullBench* bench, const AbutCollideOutput* truth, const AbutCollideOutput* output,
                  double size, Tally* tally)
{
    if (truth->state != ABUT_COLLIDE_CONTACT)
    {
        return;
    }
    ++tally->touching;
    bool none = output->state == ABUT_COLLIDE_SEPARATED || output->contact_total == 0;
    tally->missed += none ? 1 : 0;
    for (uint32_t i = 0; i < truth->contact_count; ++i)
    {
        bool is_matched = false;
        for (uint32_t k = 0; k < output->contact_count && !is_matched; ++k)
        {
            AbutVec3 off = abut_vec3_sub(bench->truth[i].position, bench->contacts[k].position);
            is_matched = (double)abut_vec3_length(off) < 2.0 * size / 24.0;
        }
        tally->regions += 1.0;
        tally->found += is_matched ? 1.0 : 0.0;
    }
}

static void run_pose(HullBench* bench, const HullBody* a, const HullBody* b, int pose,
                     Tally tallies[VARIANTS])
{
    AbutCollideInput input = input_of(bench, a, b, pose, &variants[VARIANTS - 1]);
    AbutCollideOutput truth = abut_collide(&input, bench->truth, CAPACITY);
    for (int i = 0; i < VARIANTS; ++i)
    {
        Tally* tally = &tallies[i];
        AbutHullCounts counts = { 0 };
        input = input_of(bench, a, b, pose, &variants[i]);
        input.settings.hull.counts = &counts;
        abut_collide(&input, bench->contacts, CAPACITY); // caches are those of the variant itself
        double start = thread_seconds();
        AbutCollideOutput output = abut_collide(&input, bench->contacts, CAPACITY);
        tally->seconds += thread_seconds() - start;
        tally->contacts += output.contact_total;
        tally->evaluations += (double)output.evaluations;
        tally->points += counts.points;
        tally->corners += counts.removed_by_corners;
        tally->tree += counts.removed_by_tree;
        judge(bench, &truth, &output, (double)fminf(a->size, b->size), tally);
    }
}

static void report_variant(const HullBench* bench, const char* pair, const Variant* variant,
                           const Tally* tally, const Tally* adaptive)
{
    char row[64];
    double count = bench->pose_count;
    bool is_adaptive = variant->method == ABUT_COLLIDE_ADAPTIVE;
    snprintf(row, sizeof(row), "%s: %s", pair, variant->name);
    bench_report_row(bench->report, row, 1e6 * tally->seconds / count, "us of CPU per pair",
                     is_adaptive ? NULL : "adaptive", 1e6 * adaptive->seconds / count, false);
    snprintf(row, sizeof(row), "%s: %s, contacts", pair, variant->name);
    bench_report_row(bench->report, row, 1e-6 * tally->contacts / tally->seconds, "million per s of CPU",
                     NULL, 0.0, true);
    snprintf(row, sizeof(row), "%s: %s, samples", pair, variant->name);
    bench_report_row(bench->report, row, tally->evaluations / count, "per pair", NULL, 0.0, false);
    if (!is_adaptive)
    {
        snprintf(row, sizeof(row), "%s: %s, missed", pair, variant->name);
        bench_report_row(bench->report, row, (double)tally->missed, "of touching poses", NULL, 0.0, false);
        snprintf(row, sizeof(row), "%s: %s, regions", pair, variant->name);
        bench_report_row(bench->report, row, 100.0 * tally->found / fmax(tally->regions, 1.0),
                         "% have a contact", NULL, 0.0, true);
    }
    if (tally->points > 0.0)
    {
        snprintf(row, sizeof(row), "%s: %s, removed", pair, variant->name);
        bench_report_row(bench->report, row, 100.0 * (tally->corners + tally->tree) / tally->points,
                         "% of balls", NULL, 0.0, true);
        snprintf(row, sizeof(row), "%s: %s, by box and corners", pair, variant->name);
        bench_report_row(bench->report, row, 100.0 * tally->corners / tally->points, "% of balls", NULL, 0.0,
                         true);
    }
}

/// False when a proof of the hull contradicts that of `adaptive`.
static bool run_pair(HullBench* bench, int first, int second)
{
    const HullBody *a = &bench->bodies[first], *b = &bench->bodies[second];
    Tally tallies[VARIANTS] = { { 0 } };
    char pair[40];
    snprintf(pair, sizeof(pair), "%s-%s", a->name, b->name);
    make_poses(bench, a, b);
    for (int i = 0; i < bench->pose_count; ++i)
    {
        run_pose(bench, a, b, i, tallies);
    }
    printf("%s: %d of %d poses touch\n", pair, tallies[0].touching, bench->pose_count);
    bool good = true;
    for (int i = 0; i < VARIANTS; ++i)
    {
        report_variant(bench, pair, &variants[i], &tallies[i], &tallies[VARIANTS - 1]);
        bool wrong = variants[i].method == ABUT_COLLIDE_HULL && tallies[i].missed > 0;
        good = good && !wrong;
    }
    if (!good)
    {
        fprintf(stderr, "abut: bench hull: %s: a pose that touches has no contact by its hull\n", pair);
    }
    return good;
}

// -----------------------------------------------------------------------------------------------------------
// The frame of a pair that moves little
// -----------------------------------------------------------------------------------------------------------

/// All poses as one batch, B moved by 1/2000 of the size in each step.
static AbutResult take_step(const HullBench* bench, AbutCollider* collider,
                            const AbutCollideSettings* settings, const HullBody* const pair[2], int step,
                            AbutCollideResults* results)
{
    AbutCollideBody bodies[1 + POSES];
    AbutBodyPair pairs[POSES];
    bodies[0] = (AbutCollideBody){ pair[0]->shape, abut_pose_identity() };
    for (int i = 0; i < bench->pose_count; ++i)
    {
        bodies[1 + i] = (AbutCollideBody){ pair[1]->shape, bench->poses[i] };
        bodies[1 + i].pose.position.x += 5e-4 * step * (double)pair[0]->size;
        pairs[i] = (AbutBodyPair){ 0, (uint32_t)(1 + i) };
    }
    AbutPairsInput input = { bodies, (size_t)bench->pose_count + 1, pairs, (size_t)bench->pose_count };
    return abut_collide_pairs(collider, &input, settings, results);
}

/// Results of earlier steps are reused where that is proved: the temporal collision frame.
static bool run_coherent(const HullBench* bench, int first, int second, double reuse)
{
    const HullBody* const pair[2] = { &bench->bodies[first], &bench->bodies[second] };
    AbutCollideSettings settings = abut_collide_settings();
    AbutCollider* collider = NULL;
    AbutCollideResults results;
    double reused = 0.0, all = 0.0;
    settings.method = ABUT_COLLIDE_HULL;
    settings.reuse = (float)reuse * pair[0]->size;
    bool good = abut_collider_create(NULL, &collider) == ABUT_OK;
    double start = bench_cpu_seconds();
    for (int step = 0; good && step < STEPS; ++step)
    {
        good = take_step(bench, collider, &settings, pair, step, &results) == ABUT_OK;
        reused += good ? (double)results.reused_count : 0.0;
        all += good ? (double)results.pair_count : 0.0;
    }
    double seconds = bench_cpu_seconds() - start;
    abut_collider_destroy(collider);
    char row[64];
    const char* kind = reuse > 0.0 ? "frame" : "no frame";
    snprintf(row, sizeof(row), "%s-%s, coherent: %s", pair[0]->name, pair[1]->name, kind);
    bench_report_row(bench->report, row, 1e6 * seconds / all, "us of CPU per pair", NULL, 0.0, false);
    snprintf(row, sizeof(row), "%s-%s, coherent: %s, reused", pair[0]->name, pair[1]->name, kind);
    bench_report_row(bench->report, row, 100.0 * reused / all, "% of pairs", NULL, 0.0, true);
    return good;
}

static bool run_all(HullBench* bench)
{
    static const int pairs[][2] = { { 2, 2 }, { 3, 3 }, { 4, 4 }, { 1, 2 }, { 1, 1 }, { 2, HULLS } };
    bool good = make_bodies(bench);
    for (int i = 0; good && i < HULLS; ++i)
    {
        // One radius for all takes up to half a minute of a field.
        bool both = bench->one_radius || i < 2;
        good = measure_hull(bench, &bench->bodies[i], false) &&
               (!both || measure_hull(bench, &bench->bodies[i], true));
    }
    for (size_t i = 0; good && i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        good = run_pair(bench, pairs[i][0], pairs[i][1]);
    }
    make_poses(bench, &bench->bodies[2], &bench->bodies[2]);
    return good && run_coherent(bench, 2, 2, 0.0) && run_coherent(bench, 2, 2, 0.01);
}

bool bench_hull_run(BenchReport* report, int argument_count, char** arguments)
{
    HullBench* bench = calloc(1, sizeof(*bench));
    if (bench == NULL)
    {
        fprintf(stderr, "abut: bench hull: no memory\n");
        return false;
    }
    bench->report = report;
    bool good = parse(bench, argument_count, arguments) && run_all(bench);
    for (int i = 0; i < BODIES; ++i)
    {
        abut_shape_destroy(bench->bodies[i].shape);
    }
    free(bench);
    return good;
}
