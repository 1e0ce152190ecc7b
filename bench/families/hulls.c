// Hulls of 8 to 512 points on a sphere: yes or no, distance and depth, at random poses and along a coherent
// motion, against the peers with the same poses.
#include "families.h"

#include "hull_peers.h"

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    POSES = 1000,
    REPEATS = 9,
    MOST_POINTS = 512
};

/// Answers closer than this may differ between libraries.
#define TOUCHING 1e-3

typedef struct HullCase
{
    uint32_t points;
    bool coherent;
    AbutShape* shapes[2];
    AbutPose poses[POSES];
    double truth[POSES];   // separation
    uint32_t order[POSES]; // separated ones first
    uint32_t separated;
} HullCase;

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static AbutVec3 random_direction(uint64_t* state)
{
    for (;;)
    {
        double x = 2.0 * random_unit(state) - 1.0;
        double y = 2.0 * random_unit(state) - 1.0;
        double z = 2.0 * random_unit(state) - 1.0;
        double length = sqrt(x * x + y * y + z * z);
        if (length < 1.0 && length > 0.1)
        {
            return abut_vec3((float)(x / length), (float)(y / length), (float)(z / length));
        }
    }
}

static AbutResult make_hull(uint64_t* state, uint32_t count, AbutShape** out)
{
    AbutVec3 points[MOST_POINTS];
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i] = random_direction(state);
    }
    return abut_shape_create_convex(points, count, NULL, out);
}

/// Random: centres in a ball where about half of the hulls touch. Coherent: a tumbling body that passes by.
static void fill_poses(HullCase* set, uint64_t* state)
{
    AbutVec3 axis = random_direction(state);
    for (int i = 0; i < POSES; ++i)
    {
        double t = (double)i / POSES;
        AbutVec3 at = random_direction(state);
        double distance = 2.4 * random_unit(state);
        set->poses[i] =
            abut_pose_at(distance * (double)at.x, distance * (double)at.y, distance * (double)at.z);
        AbutVec3 own = random_direction(state);
        set->poses[i].rotation = abut_quat_from_axis_angle(own, (float)(6.28 * random_unit(state)));
        if (set->coherent)
        {
            set->poses[i] = abut_pose_at(3.6 * t - 1.8, 0.7, 0.5 - 0.4 * t);
            set->poses[i].rotation = abut_quat_from_axis_angle(axis, (float)(3.0 * t));
        }
    }
}

static AbutConvexOutput ask(const HullCase* set, int i, AbutConvexWork work, AbutCollideCache* cache)
{
    AbutConvexInput input = abut_convex_input(set->shapes[0], set->shapes[1]);
    input.pose_b = set->poses[i];
    input.work = work;
    input.cache = cache;
    return abut_convex(&input);
}

static void find_truth(HullCase* set)
{
    uint32_t others = 0, touching[POSES];
    set->separated = 0;
    for (int i = 0; i < POSES; ++i)
    {
        set->truth[i] = ask(set, i, ABUT_CONVEX_DEPTH, NULL).separation;
        if (set->truth[i] > 0.0)
        {
            set->order[set->separated++] = (uint32_t)i;
        }
        else
        {
            touching[others++] = (uint32_t)i;
        }
    }
    memcpy(set->order + set->separated, touching, others * sizeof(uint32_t));
}

/// The poses of a question: all, the separated ones, or the others.
static void range_of(const HullCase* set, AbutConvexWork work, uint32_t* first, uint32_t* count)
{
    *first = work == ABUT_CONVEX_DEPTH ? set->separated : 0;
    *count = work == ABUT_CONVEX_STATE      ? POSES
             : work == ABUT_CONVEX_DISTANCE ? set->separated
                                            : POSES - set->separated;
}

static double time_abut(const HullCase* set, AbutConvexWork work)
{
    uint32_t first, count;
    range_of(set, work, &first, &count);
    AbutCollideCache cache = { 0 };
    double start = bench_cpu_seconds();
    for (uint32_t k = first; k < first + count; ++k)
    {
        int i = work == ABUT_CONVEX_STATE ? (int)k : (int)set->order[k];
        AbutConvexOutput output = ask(set, i, work, set->coherent ? &cache : NULL);
        bench_consume(&output, sizeof(output));
    }
    return 1e9 * (bench_cpu_seconds() - start) / (count > 0 ? count : 1);
}

/// The time of a peer, and whether its answers contradict the truth.
static double time_peer(const HullCase* set, const BenchHullPeer* peer, void* pair, AbutConvexWork work,
                        uint32_t* wrong)
{
    uint32_t first, count;
    range_of(set, work, &first, &count);
    *wrong = 0;
    double start = bench_cpu_seconds();
    for (uint32_t k = first; k < first + count; ++k)
    {
        uint32_t i = work == ABUT_CONVEX_STATE ? k : set->order[k];
        double truth = set->truth[i];
        if (work == ABUT_CONVEX_STATE)
        {
            bool touches = peer->touches(pair, &set->poses[i]);
            *wrong += fabs(truth) > TOUCHING && touches != (truth < 0.0);
        }
        else
        {
            double value = work == ABUT_CONVEX_DISTANCE ? peer->distance(pair, &set->poses[i])
                                                        : peer->depth(pair, &set->poses[i]);
            // A peer may find a depth that is not the smallest; never a smaller one.
            double error = work == ABUT_CONVEX_DISTANCE ? fabs(value - truth) : -truth - value;
            *wrong += error > TOUCHING;
        }
    }
    return 1e9 * (bench_cpu_seconds() - start) / (count > 0 ? count : 1);
}

static bool answers(const BenchHullPeer* peer, AbutConvexWork work)
{
    return work == ABUT_CONVEX_STATE      ? peer->touches != NULL
           : work == ABUT_CONVEX_DISTANCE ? peer->distance != NULL
                                          : peer->depth != NULL;
}

/// A row per peer; peer and abut take turns.
static bool run_question(BenchReport* report, const HullCase* set, AbutConvexWork work, int repeats)
{
    static const char* const names[3] = { "yes/no", "distance", "depth" };
    char name[64];
    double own[REPEATS], theirs[REPEATS];
    uint32_t wrong = 0, first, count;
    bool compared = false;
    range_of(set, work, &first, &count);
    snprintf(name, sizeof(name), "%s, %u points, %s", names[work], set->points,
             set->coherent ? "coherent" : "random");
    for (const BenchHullPeer* const* peer = bench_hull_peers(); *peer != NULL; ++peer)
    {
        void* pair = answers(*peer, work)
                         ? (*peer)->create(abut_shape_hull(set->shapes[0]), abut_shape_hull(set->shapes[1]))
                         : NULL;
        if (pair == NULL)
        {
            continue;
        }
        for (int r = 0; r < repeats; ++r)
        {
            own[r] = time_abut(set, work);
            theirs[r] = time_peer(set, *peer, pair, work, &wrong);
        }
        (*peer)->destroy(pair);
        compared = true;
        bench_report_row(report, name, bench_median(own, repeats), "ns per pair", (*peer)->name,
                         bench_median(theirs, repeats), false);
        if (wrong > count / 20)
        {
            fprintf(stderr, "abut: bench families: %s: %s contradicts %u of %u answers\n", name,
                    (*peer)->name, wrong, count);
            return false;
        }
    }
    for (int r = 0; r < repeats && !compared; ++r)
    {
        own[r] = time_abut(set, work);
    }
    if (!compared)
    {
        bench_report_row(report, name, bench_median(own, repeats), "ns per pair", NULL, 0.0, false);
    }
    return true;
}

static bool run_case(BenchReport* report, uint32_t points, bool coherent, int repeats)
{
    static HullCase set;
    uint64_t state = 18;
    set.points = points;
    set.coherent = coherent;
    bool good = make_hull(&state, points, &set.shapes[0]) == ABUT_OK &&
                make_hull(&state, points, &set.shapes[1]) == ABUT_OK;
    if (good)
    {
        fill_poses(&set, &state);
        find_truth(&set);
    }
    for (int work = 0; work < 3 && good; ++work)
    {
        good = run_question(report, &set, (AbutConvexWork)work, repeats);
    }
    abut_shape_destroy(set.shapes[0]);
    abut_shape_destroy(set.shapes[1]);
    set.shapes[0] = set.shapes[1] = NULL;
    return good;
}

bool family_hulls_run(BenchReport* report, const FamilyOptions* options)
{
    static const uint32_t counts[4] = { 8, 32, 128, 512 };
    bool good = true;
    for (int i = 0; i < 8 && good; ++i)
    {
        good = run_case(report, counts[i / 2], i % 2 == 1, options->quick ? 3 : REPEATS);
    }
    return good;
}
