// Primitives against each other and against a field: nanoseconds per pair with contacts, in batches and in
// single calls, on one thread, beside Bullet, FCL and ODE with the same pairs.
#include "families.h"

#include "primitive_peers.h"

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    PAIRS = 4096,
    REPEATS = 9,
    MOST_CONTACTS = 64
};

/// A pair of shapes at many poses of the second, most of them close to touching.
typedef struct PrimitiveCase
{
    const char* name;
    AbutShape *a, *b;
    const BenchPrimitive* primitive; // of both, for the peers; NULL: they have none
    AbutPose poses[PAIRS];
} PrimitiveCase;

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/// Centres within a shell where about half of the pairs touch.
static void fill_poses(PrimitiveCase* set, double spread)
{
    uint64_t state = 18;
    for (int i = 0; i < PAIRS; ++i)
    {
        double at[3], length = 2.0;
        while (length > 1.0)
        {
            at[0] = 2.0 * random_unit(&state) - 1.0;
            at[1] = 2.0 * random_unit(&state) - 1.0;
            at[2] = 2.0 * random_unit(&state) - 1.0;
            length = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        }
        set->poses[i] = abut_pose_at(spread * at[0], spread * at[1], spread * at[2]);
        float axis_x = (float)random_unit(&state);
        AbutVec3 axis = abut_vec3(axis_x, (float)random_unit(&state), 1.0f);
        set->poses[i].rotation = abut_quat_from_axis_angle(axis, (float)(6.0 * random_unit(&state)));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Times
// -----------------------------------------------------------------------------------------------------------

/// Nanoseconds per pair of abut_collide(), contacts included.
static double time_singles(const PrimitiveCase* set, AbutCollideMethod method, int repeats, int step)
{
    double times[REPEATS];
    AbutContact contacts[MOST_CONTACTS];
    AbutCollideInput input = abut_collide_input(set->a, set->b);
    input.settings.method = method;
    for (int r = 0; r < repeats; ++r)
    {
        double start = bench_cpu_seconds();
        for (int i = 0; i < PAIRS; i += step)
        {
            input.pose_b = set->poses[i];
            AbutCollideOutput output = abut_collide(&input, contacts, MOST_CONTACTS);
            bench_consume(&output, sizeof(output));
        }
        times[r] = (bench_cpu_seconds() - start) / (PAIRS / step);
    }
    return 1e9 * bench_median(times, repeats);
}

/// One body of the first shape, and one of the second per pose.
static bool time_batches(const PrimitiveCase* set, int repeats, double* nanoseconds)
{
    static AbutCollideBody bodies[PAIRS + 1];
    static AbutBodyPair pairs[PAIRS];
    double times[REPEATS];
    AbutWorkers* workers = NULL;
    AbutCollider* collider = NULL;
    AbutCollideResults results;
    AbutCollideSettings settings = abut_collide_settings();
    bodies[0] = (AbutCollideBody){ set->a, abut_pose_identity() };
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        bodies[i + 1] = (AbutCollideBody){ set->b, set->poses[i] };
        pairs[i] = (AbutBodyPair){ 0, i + 1 };
    }
    bool good = abut_workers_create(1, NULL, &workers) == ABUT_OK;
    AbutHost host = good ? abut_workers_host(workers) : (AbutHost){ 0 };
    good = good && abut_collider_create(&host, &collider) == ABUT_OK;
    const AbutPairsInput input = { bodies, PAIRS + 1, pairs, PAIRS };
    for (int r = 0; r < repeats && good; ++r)
    {
        abut_collider_reset(collider); // no pair is as it was
        double start = bench_cpu_seconds();
        good = abut_collide_pairs(collider, &input, &settings, &results) == ABUT_OK;
        times[r] = (bench_cpu_seconds() - start) / PAIRS;
    }
    *nanoseconds = good ? 1e9 * bench_median(times, repeats) : 0.0;
    abut_collider_destroy(collider);
    abut_workers_destroy(workers);
    return good;
}

/// Pairs that touch, by single calls.
static int count_touching(const PrimitiveCase* set)
{
    int count = 0;
    AbutCollideInput input = abut_collide_input(set->a, set->b);
    for (int i = 0; i < PAIRS; ++i)
    {
        input.pose_b = set->poses[i];
        count += abut_collide(&input, NULL, 0).state == ABUT_COLLIDE_CONTACT;
    }
    return count;
}

/// Nanoseconds per pair of a peer, contacts included, and its pairs that touch.
static double time_peer(const PrimitiveCase* set, const BenchPrimitivePeer* peer, void* pair, int* touching)
{
    *touching = 0;
    double start = bench_cpu_seconds();
    for (int i = 0; i < PAIRS; ++i)
    {
        *touching += peer->collide(pair, &set->poses[i]) > 0;
    }
    return 1e9 * (bench_cpu_seconds() - start) / PAIRS;
}

/// Rows beside a peer: batches and single calls; peer and abut take turns.
static bool run_peer(BenchReport* report, const PrimitiveCase* set, const BenchPrimitivePeer* peer,
                     int repeats)
{
    char name[64];
    double batches[REPEATS], singles[REPEATS], theirs[REPEATS];
    int touching = 0, own = count_touching(set);
    void* pair = peer->create(set->primitive, set->primitive);
    bool good = true;
    for (int r = 0; r < repeats && good && pair != NULL; ++r)
    {
        good = time_batches(set, 3, &batches[r]);
        singles[r] = time_singles(set, ABUT_COLLIDE_AUTOMATIC, 1, 1);
        theirs[r] = time_peer(set, peer, pair, &touching);
    }
    if (pair == NULL || !good)
    {
        return good;
    }
    peer->destroy(pair);
    double theirs_median = bench_median(theirs, repeats);
    snprintf(name, sizeof(name), "%s, batch", set->name);
    bench_report_row(report, name, bench_median(batches, repeats), "ns per pair", peer->name, theirs_median,
                     false);
    snprintf(name, sizeof(name), "%s, single calls", set->name);
    bench_report_row(report, name, bench_median(singles, repeats), "ns per pair", peer->name, theirs_median,
                     false);
    if (abs(touching - own) > PAIRS / 100)
    {
        fprintf(stderr, "abut: bench families: %s: %d pairs touch, %d by %s\n", set->name, own, touching,
                peer->name);
        return false;
    }
    return true;
}

static bool run_case(BenchReport* report, const PrimitiveCase* set, bool quick)
{
    char name[64];
    double batch;
    int repeats = quick ? 3 : REPEATS;
    if (!time_batches(set, repeats, &batch))
    {
        fprintf(stderr, "abut: bench families: %s\n", abut_last_error());
        return false;
    }
    double adaptive = time_singles(set, ABUT_COLLIDE_ADAPTIVE, 1, 64);
    snprintf(name, sizeof(name), "%s, batch", set->name);
    bench_report_row(report, name, batch, "ns per pair", "abut's adaptive", adaptive, false);
    double single = time_singles(set, ABUT_COLLIDE_AUTOMATIC, repeats, 1);
    snprintf(name, sizeof(name), "%s, single calls", set->name);
    bench_report_row(report, name, single, "ns per pair", "abut's adaptive", adaptive, false);
    bool good = true;
    for (const BenchPrimitivePeer* const* peer = bench_primitive_peers();
         *peer != NULL && good && set->primitive != NULL; ++peer)
    {
        good = run_peer(report, set, *peer, repeats);
    }
    return good;
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutResult make_field(AbutShape** out)
{
    AbutShape* torus = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 64;
    AbutResult result = abut_shape_create_torus(0.5f, 0.2f, NULL, &torus);
    result = result == ABUT_OK ? abut_bake_shape(&def, torus, out) : result;
    abut_shape_destroy(torus);
    return result;
}

/// `primitive`: both shapes, or NULL.
static bool run_pair(BenchReport* report, const char* name, AbutShape* a, AbutShape* b,
                     const BenchPrimitive* primitive, double spread, bool quick)
{
    PrimitiveCase* set = malloc(sizeof(*set));
    if (set == NULL)
    {
        fprintf(stderr, "abut: bench families: no memory\n");
        return false;
    }
    set->name = name;
    set->a = a;
    set->b = b;
    set->primitive = primitive;
    fill_poses(set, spread);
    bool good = run_case(report, set, quick);
    free(set);
    return good;
}

bool family_primitives_run(BenchReport* report, const FamilyOptions* options)
{
    static const BenchPrimitive primitives[3] = { { BENCH_SPHERE, { 0.5 } },
                                                  { BENCH_CAPSULE, { 0.25, 0.75 } },
                                                  { BENCH_BOX, { 1.0, 0.75, 0.5 } } };
    AbutShape *ball = NULL, *capsule = NULL, *box = NULL, *field = NULL;
    bool quick = options->quick;
    bool good = abut_shape_create_sphere(0.5f, NULL, &ball) == ABUT_OK &&
                abut_shape_create_capsule(0.25f, 0.75f, NULL, &capsule) == ABUT_OK &&
                abut_shape_create_box(abut_vec3(1.0f, 0.75f, 0.5f), NULL, &box) == ABUT_OK &&
                make_field(&field) == ABUT_OK;
    if (!good)
    {
        fprintf(stderr, "abut: bench families: %s\n", abut_last_error());
    }
    good = good && run_pair(report, "sphere, sphere", ball, ball, &primitives[0], 1.2, quick) &&
           run_pair(report, "capsule, capsule", capsule, capsule, &primitives[1], 0.9, quick) &&
           run_pair(report, "box, box", box, box, &primitives[2], 1.0, quick) &&
           run_pair(report, "sphere, field", ball, field, NULL, 1.1, quick);
    abut_shape_destroy(ball);
    abut_shape_destroy(capsule);
    abut_shape_destroy(box);
    abut_shape_destroy(field);
    return good;
}
