// Image space: CULLIDE on a bunny through a dragon, and what the survey says of the size of the viewport:
// candidates that are none, and time, against resolution, axes and depth slabs. Pairs are compared with those
// of the trees over triangles: a pair more or less fails.
#include "families.h"

#include <abut/abut.h>
#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POSES = 3,
    MOST_REPEATS = 15
};

typedef struct ImageCase
{
    AbutMesh* meshes[2];
    AbutPose poses[POSES][2];
    AbutImageSet* set;
    AbutMeshTree* trees[2];
    AbutWorkers* workers;
    AbutHost host;
    bool is_generated;
    int repeats;
} ImageCase;

static bool fail(void)
{
    fprintf(stderr, "abut: bench families: image: %s\n", abut_last_error());
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// The pair
// -----------------------------------------------------------------------------------------------------------

static AbutMesh* shared_mesh(const char* name)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[1024];
    AbutMesh* mesh = NULL;
    if (folder != NULL)
    {
        snprintf(path, sizeof(path), "%s/%s", folder, name);
        (void)abut_mesh_load(path, &mesh);
    }
    return mesh;
}

/// As many triangles, generated: a sphere and a ring.
static bool generate(ImageCase* c)
{
    AbutTorusMeshDef torus = abut_torus_mesh_def();
    torus.major_divisions = 220;
    torus.minor_divisions = 110;
    c->is_generated = true;
    return abut_mesh_create_sphere(0.6f, 76, NULL, &c->meshes[0]) == ABUT_OK &&
           abut_mesh_create_torus(&torus, &c->meshes[1]) == ABUT_OK;
}

static double size_of(AbutBox box)
{
    AbutVec3 e = abut_box_extents(box);
    return (double)(e.x > e.y ? (e.x > e.z ? e.x : e.z) : (e.y > e.z ? e.y : e.z));
}

/// Centres together, the second 1.3 times as large as the first, in several rotations.
static void set_poses(ImageCase* c)
{
    AbutBox a = abut_mesh_bounds(c->meshes[0]), b = abut_mesh_bounds(c->meshes[1]);
    float scale = (float)(1.3 * size_of(a) / size_of(b));
    AbutVec3 middle_a = abut_vec3_scale(abut_vec3_add(a.min, a.max), 0.5f);
    AbutVec3 middle_b = abut_vec3_scale(abut_vec3_add(b.min, b.max), 0.5f * scale);
    for (int i = 0; i < POSES; ++i)
    {
        AbutPose* pose = c->poses[i];
        pose[0] = pose[1] = abut_pose_identity();
        pose[1].scale = scale;
        pose[1].rotation = abut_quat_from_axis_angle(abut_vec3(0.3f, 1.0f, 0.2f), 0.6f * (float)i);
        AbutVec3 r = abut_quat_rotate(pose[1].rotation, middle_b);
        pose[1].position = (AbutPosition){ (double)middle_a.x - (double)r.x, (double)middle_a.y - (double)r.y,
                                           (double)middle_a.z - (double)r.z };
    }
}

static bool create_case(ImageCase* c, bool quick)
{
    memset(c, 0, sizeof(*c));
    c->repeats = quick ? 3 : MOST_REPEATS;
    c->meshes[0] = shared_mesh("bunny69k.obj");
    c->meshes[1] = c->meshes[0] != NULL ? shared_mesh("dragon48k.obj") : NULL;
    if (c->meshes[1] == NULL)
    {
        abut_mesh_destroy(c->meshes[0]);
        if (!generate(c))
        {
            return fail();
        }
    }
    set_poses(c);
    return true;
}

static bool open_case(ImageCase* c, uint32_t worker_count)
{
    if (abut_workers_create(worker_count, NULL, &c->workers) != ABUT_OK)
    {
        return fail();
    }
    c->host = abut_workers_host(c->workers);
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)c->meshes;
    def.mesh_count = 2;
    def.host = &c->host;
    return (abut_image_set_create(&def, &c->set) == ABUT_OK &&
            abut_mesh_tree_create(c->meshes[0], &c->host, &c->trees[0]) == ABUT_OK &&
            abut_mesh_tree_create(c->meshes[1], &c->host, &c->trees[1]) == ABUT_OK) ||
           fail();
}

static void close_case(ImageCase* c)
{
    abut_image_set_destroy(c->set);
    abut_mesh_tree_destroy(c->trees[0]);
    abut_mesh_tree_destroy(c->trees[1]);
    abut_workers_destroy(c->workers);
    c->set = NULL;
    c->trees[0] = c->trees[1] = NULL;
    c->workers = NULL;
}

static void destroy_case(ImageCase* c)
{
    close_case(c);
    abut_mesh_destroy(c->meshes[0]);
    abut_mesh_destroy(c->meshes[1]);
}

// -----------------------------------------------------------------------------------------------------------
// Measurements
// -----------------------------------------------------------------------------------------------------------

/// Sums over all poses.
typedef struct Counts
{
    double pairs, candidates, triangles, hit_triangles;
} Counts;

/// Triangles of both objects that are in a pair, of each the first time.
static double count_triangles(const ImageCase* c, const AbutCullideOutput* out)
{
    uint32_t counts[2] = { abut_mesh_triangle_count(c->meshes[0]), abut_mesh_triangle_count(c->meshes[1]) };
    unsigned char* seen = calloc((size_t)counts[0] + counts[1], 1);
    double total = 0.0;
    for (size_t i = 0; seen != NULL && i < out->pair_count; ++i)
    {
        unsigned char *a = &seen[out->pairs[i].triangle_a], *b = &seen[counts[0] + out->pairs[i].triangle_b];
        total += (*a == 0) + (*b == 0);
        *a = *b = 1;
    }
    free(seen);
    return total;
}

static size_t tree_pairs(const ImageCase* c, int pose)
{
    AbutMeshTreePair pair = { c->trees[0], c->trees[1], c->poses[pose][0], c->poses[pose][1] };
    AbutMeshTreePairs found = abut_mesh_tree_pairs(&pair, NULL, 0);
    return found.pair_count;
}

/// Milliseconds per pose: of the processor, or on the clock.
static bool measure(ImageCase* c, const AbutImageSettings* settings, double (*clock)(void), double* time,
                    Counts* counts)
{
    double times[MOST_REPEATS];
    AbutCullideOutput out;
    for (int r = -1; r < c->repeats; ++r) // one to warm up
    {
        double start = clock();
        for (int i = 0; i < POSES; ++i)
        {
            if (abut_cullide(c->set, settings, c->poses[i], &out) != ABUT_OK)
            {
                return fail();
            }
        }
        times[r < 0 ? 0 : r] = 1e3 * (clock() - start) / POSES;
    }
    *time = bench_median(times, c->repeats);
    *counts = (Counts){ 0 };
    for (int i = 0; i < POSES; ++i)
    {
        (void)abut_cullide(c->set, settings, c->poses[i], &out);
        size_t expected = tree_pairs(c, i);
        if (out.pair_count != expected)
        {
            fprintf(stderr, "abut: bench families: image: %zu pairs, the trees have %zu\n", out.pair_count,
                    expected);
            return false;
        }
        counts->pairs += (double)out.pair_count;
        counts->candidates += (double)out.report.candidate_count;
        counts->triangles += (double)out.report.triangle_count;
        counts->hit_triangles += count_triangles(c, &out);
    }
    return true;
}

static double time_trees(const ImageCase* c, double (*clock)(void))
{
    double times[MOST_REPEATS];
    for (int r = 0; r < c->repeats; ++r)
    {
        double start = clock();
        for (int i = 0; i < POSES; ++i)
        {
            size_t count = tree_pairs(c, i);
            bench_consume(&count, sizeof(count));
        }
        times[r] = 1e3 * (clock() - start) / POSES;
    }
    return bench_median(times, c->repeats);
}

/// A row of time and one of false candidates.
static bool report_settings(BenchReport* report, ImageCase* c, const AbutImageSettings* settings,
                            const char* label)
{
    char name[64];
    double time;
    Counts counts;
    if (!measure(c, settings, bench_cpu_seconds, &time, &counts))
    {
        return false;
    }
    snprintf(name, sizeof(name), "cullide, %s", label);
    bench_report_row(report, name, time, "ms CPU", NULL, 0.0, false);
    snprintf(name, sizeof(name), "  left in vain after pruning");
    bench_report_row(report, name, 100.0 * (1.0 - counts.hit_triangles / counts.triangles), "% of triangles",
                     NULL, 0.0, false);
    snprintf(name, sizeof(name), "  exact tests in vain");
    bench_report_row(report, name, 100.0 * (1.0 - counts.pairs / counts.candidates), "% of tests", NULL, 0.0,
                     false);
    return true;
}

static bool report_claims(BenchReport* report, ImageCase* c, bool quick)
{
    static const uint32_t resolutions[] = { 16, 32, 64, 128, 256, 512, 1024 };
    bool good = true;
    for (size_t i = quick ? 3 : 0; i < (quick ? 4 : sizeof(resolutions) / sizeof(resolutions[0])) && good;
         ++i)
    {
        char label[32];
        AbutImageSettings settings = abut_image_settings();
        settings.resolution = resolutions[i];
        snprintf(label, sizeof(label), "resolution %u", resolutions[i]);
        good = report_settings(report, c, &settings, label);
    }
    AbutImageSettings settings = abut_image_settings();
    settings.axes = ABUT_IMAGE_XYZ;
    good = good && report_settings(report, c, &settings, "axes x, y and z");
    settings.axes = ABUT_IMAGE_Z;
    settings.slabs = 0;
    good = good && report_settings(report, c, &settings, "intervals without slabs");
    settings.slabs = 64;
    settings.rounds = 4;
    return good && report_settings(report, c, &settings, "4 rounds");
}

static bool report_workers(BenchReport* report, ImageCase* c, uint32_t workers)
{
    char name[64];
    double time;
    Counts counts;
    AbutImageSettings settings = abut_image_settings();
    double (*clock)(void) = workers > 1 ? bench_seconds : bench_cpu_seconds;
    if (!measure(c, &settings, clock, &time, &counts))
    {
        return false;
    }
    snprintf(name, sizeof(name), "cullide, %s, all pairs, %u worker%s",
             c->is_generated ? "sphere 69k ring 48k" : "bunny 69k dragon 48k", workers,
             workers > 1 ? "s" : "");
    bench_report_row(report, name, time, workers > 1 ? "ms on the clock" : "ms CPU", "abut's trees, 1 thread",
                     time_trees(c, clock), false);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// CInDeR
// -----------------------------------------------------------------------------------------------------------

/// Two chain links, through each other without touching: every edge has to be proved.
static bool report_cinder(BenchReport* report, bool quick)
{
    ImageCase c = { .repeats = quick ? 3 : MOST_REPEATS };
    c.poses[0][0] = abut_pose_identity();
    c.poses[0][1] = abut_pose_at(0.85, 0.0, 0.0);
    c.poses[0][1].rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.0f), 1.5f);
    bool good = (abut_mesh_create_chain_link(0.5f, 0.3f, 0.1f, 96, NULL, &c.meshes[0]) == ABUT_OK &&
                 abut_mesh_create_chain_link(0.5f, 0.3f, 0.1f, 96, NULL, &c.meshes[1]) == ABUT_OK) ||
                fail();
    good = good && open_case(&c, 1);
    static const uint32_t resolutions[] = { 64, 128, 256, 512 };
    for (size_t i = 0; i < sizeof(resolutions) / sizeof(resolutions[0]) && good; ++i)
    {
        AbutImageSettings settings = abut_image_settings();
        settings.resolution = resolutions[i];
        AbutCinderOutput out;
        double times[MOST_REPEATS];
        for (int r = 0; r < c.repeats && good; ++r)
        {
            double start = bench_cpu_seconds();
            good = abut_cinder(c.set, &settings, c.poses[0], 0, 1, &out) == ABUT_OK || fail();
            times[r] = 1e3 * (bench_cpu_seconds() - start);
        }
        if (good)
        {
            char name[64];
            snprintf(name, sizeof(name), "cinder, links of %uk, %s, res. %u",
                     (abut_mesh_triangle_count(c.meshes[0]) + 500) / 1000, abut_image_state_name(out.state),
                     resolutions[i]);
            bench_report_row(report, name, bench_median(times, c.repeats), "ms CPU", NULL, 0.0, false);
            bench_report_row(report, "  exact tests", out.exact_count, "edges and faces", NULL, 0.0, false);
        }
    }
    destroy_case(&c);
    return good;
}

bool family_image_run(BenchReport* report, const FamilyOptions* options)
{
    ImageCase c;
    bool good = create_case(&c, options->quick) && open_case(&c, 1) && report_workers(report, &c, 1) &&
                report_claims(report, &c, options->quick);
    close_case(&c);
    good = good && open_case(&c, 2) && report_workers(report, &c, 2);
    destroy_case(&c);
    return good && report_cinder(report, options->quick);
}
