// Prints hashes of everything that moves: segments, point sets, and sweeps of points and solids. Equal text
// means equal bits, whatever the processor and the instruction set. What workers share is printed for 1, 2
// and 7 of them: equal lines.
#include "support/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SEGMENTS = DIGEST_POINTS / 2, // more than one task
    FEW_SEGMENTS = SEGMENTS / 8,  // of the slow ways
    MOTIONS = 8,
    MOST_INTERVALS = 4096
};

static const uint32_t worker_counts[3] = { 1, 2, 7 };

// -----------------------------------------------------------------------------------------------------------
// Segments
// -----------------------------------------------------------------------------------------------------------

/// Between points of the digest's list: through the shape, along its axes, and with any bits at all.
static AbutSegments make_segments(void)
{
    AbutPoints p = digest_points();
    AbutSegments segments = { p, { p.x + SEGMENTS, p.y + SEGMENTS, p.z + SEGMENTS } };
    return segments;
}

static uint64_t hash_first(const AbutShape* shape, AbutCastMethod method, float iso, size_t count,
                           uint32_t workers)
{
    static float times[SEGMENTS];
    static uint8_t states[SEGMENTS];
    AbutWorkers* threads = NULL;
    digest_check(abut_workers_create(workers, NULL, &threads), "workers");
    AbutHost host = abut_workers_host(threads);
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.iso = iso;
    settings.budget = 512;
    settings.host = &host;
    digest_check(
        abut_cast_segments(shape, &settings, make_segments(), count, (AbutCastHits){ times, states }),
        "segments");
    abut_workers_destroy(threads);
    return abut_hash(states, count, digest_hash(times, count, 0));
}

static uint64_t hash_all_intervals(const AbutShape* shape, AbutCastMethod method, uint64_t* steps)
{
    AbutSegments segments = make_segments();
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.budget = 512;
    uint64_t hash = 0;
    for (int i = 0; i < FEW_SEGMENTS; i += 8)
    {
        AbutTimeInterval intervals[8];
        AbutVec3 from = { segments.from.x[i], segments.from.y[i], segments.from.z[i] };
        AbutVec3 to = { segments.to.x[i], segments.to.y[i], segments.to.z[i] };
        AbutCastOutput output = abut_cast_intervals(shape, &settings, from, to, intervals, 8);
        const uint32_t numbers[3] = { (uint32_t)output.state, output.interval_count, output.interval_total };
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = abut_hash(&output.time, sizeof(output.time), hash);
        *steps += output.steps;
        hash = abut_hash(intervals, (size_t)output.interval_count * sizeof(intervals[0]), hash);
    }
    return hash;
}

static void print_segments(const char* name, const AbutShape* shape)
{
    static const char* const labels[ABUT_CAST_METHOD_COUNT] = { "steps", "pyramid", "cells" };
    for (int i = 0; i < ABUT_CAST_METHOD_COUNT; ++i)
    {
        AbutCastMethod method = (AbutCastMethod)i;
        const char* label = labels[i];
        printf("%-24s %-10s %016" PRIx64 " first\n", name, label,
               hash_first(shape, method, 0.0f, FEW_SEGMENTS, 1));
        printf("%-24s %-10s %016" PRIx64 " first, iso 1/16\n", name, label,
               hash_first(shape, method, 0.0625f, FEW_SEGMENTS, 1));
        uint64_t steps = 0, hash = hash_all_intervals(shape, method, &steps);
        printf("%-24s %-10s %016" PRIx64 " intervals, %" PRIu64 " steps\n", name, label, hash, steps);
    }
}

static void print_batches(const char* name, const AbutShape* shape)
{
    for (int i = 0; i < 3; ++i)
    {
        printf("%-24s %-10s %016" PRIx64 " first of many\n", name, "batch",
               hash_first(shape, ABUT_CAST_SPHERE_TRACING, 0.0f, SEGMENTS, worker_counts[i]));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

static uint64_t hash_points(const AbutPointSet* points)
{
    AbutPointData data = abut_points_data(points);
    AbutPointsInfo info = abut_points_info(points);
    const float* lists[6] = { data.positions.x, data.positions.y, data.positions.z,
                              data.normals.x,   data.normals.y,   data.normals.z };
    uint64_t hash = abut_hash(data.source, data.count * sizeof(data.source[0]), 0);
    for (int i = 0; i < 6; ++i)
    {
        hash = digest_hash(lists[i], data.count, hash);
    }
    hash = abut_hash(&info.spacing, sizeof(info.spacing), hash);
    hash = abut_hash(&info.min_distance, sizeof(info.min_distance), hash);
    for (uint32_t i = 0; i < info.node_count; ++i)
    {
        AbutPointNode node = abut_points_node(points, i);
        const uint32_t numbers[4] = { node.first_point, node.point_count, node.first_child,
                                      node.child_count };
        hash = abut_hash(&node.center, sizeof(node.center), hash);
        hash = abut_hash(&node.radius, sizeof(node.radius), hash);
        hash = abut_hash(numbers, sizeof(numbers), hash);
    }
    return hash;
}

/// Samples of a mesh, or of a shape where there is none, by each number of workers; returns those of the
/// last.
static AbutPointSet* print_points(const char* name, const AbutMesh* mesh, const AbutShape* shape,
                                  uint32_t count)
{
    AbutPointSet* points = NULL;
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        digest_check(abut_workers_create(worker_counts[i], NULL, &workers), "workers");
        AbutHost host = abut_workers_host(workers), plain = abut_host_default();
        AbutPointsDef def = abut_points_def();
        def.count = count;
        def.host = &host;
        // The set lives longer than the workers do.
        host.allocate = plain.allocate;
        host.free = plain.free;
        abut_points_destroy(points);
        digest_check(mesh != NULL ? abut_points_create_from_mesh(&def, mesh, &points)
                                  : abut_points_create_from_shape(&def, shape, &points),
                     name);
        AbutPointsInfo info = abut_points_info(points);
        printf("%-24s %-10s %016" PRIx64 " %u points, %u nodes\n", name, "points", hash_points(points),
               info.count, info.node_count);
        abut_workers_destroy(workers);
    }
    return points;
}

// -----------------------------------------------------------------------------------------------------------
// Sweeps
// -----------------------------------------------------------------------------------------------------------

/// Numbers of few bits: nothing that a C library may round in its own way.
static void set_motion(AbutToiInput* input, int number)
{
    static const AbutQuat turns[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                      { 0.5f, 0.5f, 0.5f, 0.5f },
                                      { 0.48f, 0.36f, 0.0f, 0.8f } };
    input->pose_b =
        abut_pose_at(0.125 * (number % 3) - 1.5, 0.25 * (number % 4) - 0.5, 0.125 * (number % 5) - 0.25);
    input->pose_b.rotation = turns[number % 3];
    input->pose_b.scale = number % 4 == 3 ? 0.75f : 1.0f;
    input->motion_b.linear = abut_vec3(2.5f, 0.25f * (float)(number % 3) - 0.25f, 0.125f);
    input->motion_b.angular = abut_vec3(0.5f * (float)(number % 4), 1.0f, -0.75f * (float)(number % 5));
    input->motion_b.center = abut_vec3(0.0f, 0.0625f, 0.0f);
    input->motion_a.angular = abut_vec3(0.0f, 0.25f * (float)(number % 2), 0.0f);
    input->settings.budget = 1u << 16;
}

static uint64_t hash_output(const AbutToiOutput* output, uint64_t seed)
{
    const uint32_t numbers[4] = { (uint32_t)output->state, output->touch_proved, output->interval_count,
                                  output->interval_total };
    const float values[9] = { output->time,       output->touch_time, output->gap,
                              output->position.x, output->position.y, output->position.z,
                              output->normal.x,   output->normal.y,   output->normal.z };
    uint64_t hash = abut_hash(numbers, sizeof(numbers), seed);
    hash = abut_hash(&output->evaluations, sizeof(output->evaluations), hash);
    return digest_hash(values, 9, hash);
}

static uint64_t hash_intervals(const AbutPointInterval* intervals, uint32_t count, uint64_t hash)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t numbers[2] = { intervals[i].point, intervals[i].side };
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = abut_hash(&intervals[i].times, sizeof(intervals[i].times), hash);
    }
    return hash;
}

static void print_line(const char* name, const char* what, uint64_t hash, uint64_t evaluations,
                       const int states[ABUT_TOI_STATE_COUNT])
{
    printf("%-24s %-10s %016" PRIx64 " %" PRIu64 " evaluations;", name, what, hash, evaluations);
    for (int i = 0; i < ABUT_TOI_STATE_COUNT; ++i)
    {
        printf(" %d", states[i]);
    }
    printf("\n");
}

static void print_sweeps(const char* name, const AbutShape* a, const AbutShape* b,
                         const AbutPointSet* points_a, const AbutPointSet* points_b)
{
    static const char* const displacements[4] = { "solids", "points", "linear", "intervals" };
    static AbutPointInterval intervals[MOST_INTERVALS];
    for (int label = 0; label < 4; ++label)
    {
        uint64_t hash = 0, evaluations = 0;
        int states[ABUT_TOI_STATE_COUNT] = { 0 };
        for (int i = 0; i < MOTIONS; ++i)
        {
            AbutToiInput input = abut_toi_input(a, b);
            set_motion(&input, i);
            input.settings.method = label == 0 ? ABUT_TOI_SOLIDS : ABUT_TOI_POINTS;
            input.settings.linear = label == 2;
            input.points_a = points_a;
            input.points_b = points_b;
            AbutToiOutput output = label == 3 ? abut_toi_intervals(&input, intervals, MOST_INTERVALS)
                                              : abut_time_of_impact(&input);
            hash = hash_output(&output, hash);
            hash = label == 3 ? hash_intervals(intervals, output.interval_count, hash) : hash;
            evaluations += output.evaluations;
            states[output.state] += 1;
        }
        print_line(name, displacements[label], hash, evaluations, states);
    }
}

static void print_fields(const AbutMesh* gear, const AbutShape* torus, const AbutPointSet* gear_points,
                         const AbutPointSet* torus_points)
{
    for (int i = 0; i < DIGEST_FIELD_PAIRS; ++i)
    {
        AbutShape* pair[2];
        char name[40];
        digest_bake_pair(i, 72, gear, torus, pair, name);
        AbutShape *a = pair[0], *b = pair[1];
        print_segments(name, a);
        if (i == 0)
        {
            print_batches(name, a);
        }
        print_sweeps(name, a, b, gear_points, torus_points);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

int main(void)
{
    fprintf(stderr, "digest_sweep: %s\n", abut_simd_name());
    AbutMesh* gear = digest_create_gear();
    AbutShape *torus = NULL, *box = NULL;
    digest_check(abut_shape_create_torus(0.375f, 0.125f, NULL, &torus), "torus");
    digest_check(abut_shape_create_box(abut_vec3(0.75f, 0.25f, 0.5f), NULL, &box), "box");
    AbutPointSet* gear_points = print_points("gear", gear, NULL, 300);
    AbutPointSet* torus_points = print_points("torus", NULL, torus, 200);
    print_segments("torus", torus);
    print_segments("box", box);
    print_batches("box", box);
    print_sweeps("box, torus", box, torus, NULL, torus_points);
    print_fields(gear, torus, gear_points, torus_points);
    abut_points_destroy(gear_points);
    abut_points_destroy(torus_points);
    abut_shape_destroy(box);
    abut_shape_destroy(torus);
    abut_mesh_destroy(gear);
    return EXIT_SUCCESS;
}
