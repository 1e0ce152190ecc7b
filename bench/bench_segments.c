// abut bench segments [quick] [steps] [CELLS...] [MESH]: segments against the field of a mesh, by all methods
// on one thread, beside the figures of the paper (Xu & Barbič 2014, Table 2) and Embree's rays against the
// triangles in the same run.
//
// Long segments go between any two places of the box, short ones are 2 % of it long. All begin outside of the
// solid: from the inside a field answers at once, while rays would have to look for the way out.
#include "bake_cases.h"
#include "bench.h"
#include "closed_mesh.h"
#include "peers.h"

#include <abut/abut.h>
#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    TRIANGLES = 70000,
    MOST_DENSE = 512, // cells along a side, beyond which fields are sparse
    MOST_SIDES = 4
};

typedef struct SegmentSet
{
    const char* name;
    float* ends[6];
} SegmentSet;

typedef struct SegmentBench
{
    BenchReport* report;
    bool quick, steps_only;
    uint32_t sides[MOST_SIDES];
    int side_count;
    const char* path;
    size_t count;
    int repeats;
    AbutMesh* mesh;
    void* rays;
    AbutHost alone;
    SegmentSet sets[2]; // long and short
    float *time, *peer_time;
    uint8_t *state, *peer_state;
    double first_steps[2]; // seconds of the first resolution
} SegmentBench;

static const uint32_t all_sides[MOST_SIDES] = { 128, 256, 512, 1024 };

// -----------------------------------------------------------------------------------------------------------
// What is measured
// -----------------------------------------------------------------------------------------------------------

static bool parse(SegmentBench* bench, int count, char** arguments)
{
    for (int i = 0; i < count; ++i)
    {
        char* end;
        unsigned long side = strtoul(arguments[i], &end, 10);
        if (strcmp(arguments[i], "quick") == 0)
        {
            bench->quick = true;
        }
        else if (strcmp(arguments[i], "steps") == 0)
        {
            bench->steps_only = true;
        }
        else if (*end == '\0' && side >= 8 && side <= 4096 && bench->side_count < MOST_SIDES)
        {
            bench->sides[bench->side_count++] = (uint32_t)side;
        }
        else if (bench->path == NULL && *end != '\0')
        {
            bench->path = arguments[i];
        }
        else
        {
            fprintf(stderr, "abut: bench segments: '%s' is one too many, or no resolution\n", arguments[i]);
            return false;
        }
    }
    if (bench->side_count == 0)
    {
        bench->side_count = bench->quick ? 2 : MOST_SIDES;
        memcpy(bench->sides, all_sides, sizeof(all_sides));
    }
    bench->count = bench->quick ? 100000 : 1000000;
    bench->repeats = bench->quick ? 5 : 3;
    return true;
}

static float random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

static void random_point(uint64_t* state, AbutBox box, float* ends[3], size_t i)
{
    ends[0][i] = box.min.x + random_unit(state) * (box.max.x - box.min.x);
    ends[1][i] = box.min.y + random_unit(state) * (box.max.y - box.min.y);
    ends[2][i] = box.min.z + random_unit(state) * (box.max.z - box.min.z);
}

/// Turns the second ends into ones at a length from the first.
static void shorten(const SegmentSet* set, size_t i, float length)
{
    double direction[3], squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        direction[axis] = (double)set->ends[axis + 3][i] - (double)set->ends[axis][i];
        squared += direction[axis] * direction[axis];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double part = direction[axis] * (double)length / sqrt(squared);
        set->ends[axis + 3][i] = (float)((double)set->ends[axis][i] + part);
    }
}

static void make_segments(const SegmentBench* bench, const AbutShape* field, AbutBox box)
{
    uint64_t state = 1;
    float side = fmaxf(box.max.x - box.min.x, fmaxf(box.max.y - box.min.y, box.max.z - box.min.z));
    for (int s = 0; s < 2; ++s)
    {
        const SegmentSet* set = &bench->sets[s];
        for (size_t i = 0; i < bench->count; ++i)
        {
            do
            {
                random_point(&state, box, (float**)set->ends, i);
            } while (abut_shape_distance(field, abut_vec3(set->ends[0][i], set->ends[1][i], set->ends[2][i]),
                                         NULL) <= 0.0f);
            random_point(&state, box, (float**)set->ends + 3, i);
            if (s == 1)
            {
                shorten(set, i, 0.02f * side);
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static AbutSegments segments_of(const SegmentSet* set)
{
    return (AbutSegments){ { set->ends[0], set->ends[1], set->ends[2] },
                           { set->ends[3], set->ends[4], set->ends[5] } };
}

static double run_abut(const SegmentBench* bench, const AbutShape* field, const SegmentSet* set,
                       AbutCastMethod method)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.host = &bench->alone;
    double start = thread_seconds();
    abut_cast_segments(field, &settings, segments_of(set), bench->count,
                       (AbutCastHits){ bench->time, bench->state });
    return thread_seconds() - start;
}

static double run_peer(const SegmentBench* bench, const SegmentSet* set)
{
    AbutSegments segments = segments_of(set);
    double start = thread_seconds();
    bench_rays()->first(bench->rays, segments.from, segments.to, bench->count, bench->peer_time,
                        bench->peer_state);
    return thread_seconds() - start;
}

enum
{
    RUN_PEER = ABUT_CAST_METHOD_COUNT,
    RUNS
};

/// Best times of all, which take turns; the slow ones run once.
static void measure(const SegmentBench* bench, const AbutShape* field, const SegmentSet* set,
                    double best[RUNS])
{
    for (int repeat = 0; repeat < bench->repeats; ++repeat)
    {
        for (int who = 0; who < RUNS; ++who)
        {
            bool slow = who == ABUT_CAST_PYRAMID || who == ABUT_CAST_CELLS;
            if ((slow && (repeat > 0 || bench->steps_only)) || (who == RUN_PEER && bench->rays == NULL))
            {
                continue;
            }
            double seconds =
                who == RUN_PEER ? run_peer(bench, set) : run_abut(bench, field, set, (AbutCastMethod)who);
            best[who] = repeat == 0 ? seconds : fmin(best[who], seconds);
        }
    }
}

/// How the answers differ from those for the triangles, of which the field is an interpolant.
static void compare(const SegmentBench* bench, const char* name, uint32_t side)
{
    size_t hits = 0, different = 0;
    double sum = 0.0;
    for (size_t i = 0; i < bench->count; ++i)
    {
        bool hit = bench->state[i] == ABUT_CAST_HIT || bench->state[i] == ABUT_CAST_INSIDE;
        hits += hit ? 1 : 0;
        different += hit != (bench->peer_state[i] != 0) ? 1 : 0;
        sum += hit && bench->peer_state[i] != 0 ? fabs((double)bench->time[i] - (double)bench->peer_time[i])
                                                : 0.0;
    }
    printf("%u, %s: %.1f %% touch; %s: %.3f %% answered differently, times %.2g apart on average\n", side,
           name, 100.0 * (double)hits / (double)bench->count, bench_rays()->name,
           100.0 * (double)different / (double)bench->count, hits > 0 ? sum / (double)hits : 0.0);
}

/// Seconds of the paper's Table 2 for a million long segments: every cell, and with its octree. 0 for
/// resolutions that it does not have.
static double paper_seconds(uint32_t side, bool octree)
{
    static const double table[MOST_SIDES][2] = {
        { 12.7, 12.0 }, { 38.8, 13.1 }, { 97.2, 15.4 }, { 274.3, 21.4 }
    };
    for (int i = 0; i < MOST_SIDES; ++i)
    {
        if (all_sides[i] == side)
        {
            return table[i][octree ? 1 : 0];
        }
    }
    return 0.0;
}

static void report_set(SegmentBench* bench, const AbutShape* field, uint32_t side, int s)
{
    const SegmentSet* set = &bench->sets[s];
    double best[RUNS] = { 0 }, scale = 1e6 / (double)bench->count;
    measure(bench, field, set, best);
    char name[64];
    for (int method = ABUT_CAST_METHOD_COUNT - 1; method >= 0; --method)
    {
        if (bench->steps_only && method != ABUT_CAST_SPHERE_TRACING)
        {
            continue;
        }
        double paper = s == 0 ? paper_seconds(side, method != ABUT_CAST_CELLS) : 0.0;
        snprintf(name, sizeof(name), "%u^3 %s, %s", side, set->name,
                 abut_cast_method_name((AbutCastMethod)method));
        bench_report_row(bench->report, name, best[method] * scale, "s per million",
                         paper > 0.0 ? (method == ABUT_CAST_CELLS ? "paper, uniform" : "paper, octree")
                                     : NULL,
                         paper, false);
    }
    if (bench->rays != NULL)
    {
        snprintf(name, sizeof(name), "%u^3 %s, steps", side, set->name);
        bench_report_row(bench->report, name, best[ABUT_CAST_SPHERE_TRACING] * scale, "s per million",
                         bench_rays()->name, best[RUN_PEER] * scale, false);
        run_abut(bench, field, set, ABUT_CAST_SPHERE_TRACING);
        compare(bench, set->name, side);
    }
    bench->first_steps[s] =
        bench->first_steps[s] > 0.0 ? bench->first_steps[s] : best[ABUT_CAST_SPHERE_TRACING];
    snprintf(name, sizeof(name), "%u^3 %s, steps over those of %u^3", side, set->name, bench->sides[0]);
    bench_report_row(bench->report, name, best[ABUT_CAST_SPHERE_TRACING] / bench->first_steps[s], "", NULL,
                     0.0, false);
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

/// Bytes of the pyramid alone: eight per brick (sparse: per stored one) and per box of each level above.
static double pyramid_bytes(const AbutFieldInfo* info)
{
    double total = info->stored_brick_count;
    uint32_t count[3] = { info->cell_count[0] / 8, info->cell_count[1] / 8, info->cell_count[2] / 8 };
    while (count[0] > 1 || count[1] > 1 || count[2] > 1)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            count[axis] = (count[axis] + 1) / 2;
        }
        total += (double)count[0] * count[1] * count[2];
    }
    return 8.0 * total;
}

static void report_field(const SegmentBench* bench, const AbutShape* field, uint32_t side, double seconds)
{
    AbutFieldInfo info = abut_field_info(field);
    char name[64];
    double bytes = (double)info.bytes, derived = (double)(info.bounds_bytes + info.octree_bytes);
    snprintf(name, sizeof(name), "%u^3 %s: pyramid of the field", side, info.sparse ? "sparse" : "dense");
    bench_report_row(bench->report, name, 100.0 * pyramid_bytes(&info) / (bytes - derived), "%", "paper",
                     417.0, false);
    snprintf(name, sizeof(name), "%u^3: all derived of the field", side);
    bench_report_row(bench->report, name, 100.0 * derived / (bytes - derived), "%", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%u^3: field", side);
    bench_report_row(bench->report, name, bytes * 1e-6, "MB", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%u^3: bake, all derived with it", side);
    static const double paper[MOST_SIDES] = { 1.91, 6.89, 46.25, 351.88 };
    double peer = 0.0;
    for (int i = 0; i < MOST_SIDES; ++i)
    {
        peer = all_sides[i] == side ? paper[i] : peer;
    }
    bench_report_row(bench->report, name, seconds, "s", peer > 0.0 ? "paper" : NULL, peer, false);
}

static bool bench_side(SegmentBench* bench, uint32_t side)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = side;
    def.sparse = side > MOST_DENSE;
    AbutShape* field = NULL;
    double start = bench_seconds();
    if (abut_bake_mesh(&def, bench->mesh, &field) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench segments: %s\n", abut_last_error());
        return false;
    }
    report_field(bench, field, side, bench_seconds() - start);
    // The box of the mesh, so that all resolutions have the same segments.
    make_segments(bench, field, abut_mesh_bounds(bench->mesh));
    for (int s = 0; s < 2; ++s)
    {
        report_set(bench, field, side, s);
    }
    abut_shape_destroy(field);
    return true;
}

static bool allocate(SegmentBench* bench)
{
    bool ok = true;
    for (int s = 0; s < 2; ++s)
    {
        bench->sets[s].name = s == 0 ? "long" : "short";
        for (int i = 0; i < 6; ++i)
        {
            bench->sets[s].ends[i] = malloc(bench->count * sizeof(float));
            ok = ok && bench->sets[s].ends[i] != NULL;
        }
    }
    bench->time = malloc(bench->count * sizeof(float));
    bench->peer_time = malloc(bench->count * sizeof(float));
    bench->state = malloc(bench->count);
    bench->peer_state = malloc(bench->count);
    return ok && bench->time != NULL && bench->peer_time != NULL && bench->state != NULL &&
           bench->peer_state != NULL;
}

static void release(SegmentBench* bench)
{
    for (int i = 0; i < 12; ++i)
    {
        free(bench->sets[i / 6].ends[i % 6]);
    }
    free(bench->time);
    free(bench->peer_time);
    free(bench->state);
    free(bench->peer_state);
    if (bench->rays != NULL)
    {
        bench_rays()->destroy(bench->rays);
    }
    abut_mesh_destroy(bench->mesh);
}

bool bench_segments_run(BenchReport* report, int argument_count, char** arguments)
{
    SegmentBench bench = { .report = report, .alone = abut_host_default() };
    bench.alone.worker_count = 1;
    if (!parse(&bench, argument_count, arguments))
    {
        return false;
    }
    AbutResult result = bench.path != NULL ? bench_load_closed(bench.path, &bench.mesh)
                                           : bake_mesh_create_statue(TRIANGLES, &bench.mesh);
    bool ok = result == ABUT_OK && allocate(&bench);
    if (!ok)
    {
        fprintf(stderr, "abut: bench segments: %s\n", result != ABUT_OK ? abut_last_error() : "no memory");
    }
    bench.rays = ok && bench_rays() != NULL ? bench_rays()->create(bench.mesh) : NULL;
    for (int i = 0; i < bench.side_count && ok; ++i)
    {
        ok = bench_side(&bench, bench.sides[i]);
    }
    release(&bench);
    return ok;
}
