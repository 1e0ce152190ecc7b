// How bodies lie in each other, measured with finer fields, many points and triangles: nothing that moved
// them.
#include "pile_cases.h"
#include "scenes/mesh_gap.h"
#include "scenes/recall_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    BATCH = 1024
};

struct PileJudge
{
    const PileModel* model;
    uint32_t count;
    AbutPointSet* points;
    SceneSurface* middle;
    AbutBroad* broad;
};

PileJudge* pile_judge_create(const PileModel* model, uint32_t count)
{
    PileJudge* judge = calloc(1, sizeof(PileJudge));
    AbutPointsDef def = abut_points_def();
    AbutBroadDef broad = abut_broad_def();
    def.spacing = (float)(0.01 * PILE_SIZE);
    bool good = judge != NULL && abut_points_create_from_mesh(&def, model->mesh, &judge->points) == ABUT_OK &&
                abut_broad_create(&broad, &judge->broad) == ABUT_OK;
    if (good && model->thin)
    {
        judge->middle = scene_surface_create(model->middle);
        good = judge->middle != NULL;
    }
    for (uint32_t i = 0; i < count && good; ++i)
    {
        uint32_t id;
        AbutBox box = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
        good = abut_broad_add(judge->broad, box, UINT32_MAX, UINT32_MAX, &id) == ABUT_OK;
    }
    if (!good)
    {
        fprintf(stderr, "abut: bench pile: no memory to measure with\n");
        pile_judge_destroy(judge);
        return NULL;
    }
    judge->model = model;
    judge->count = count;
    return judge;
}

void pile_judge_destroy(PileJudge* judge)
{
    if (judge != NULL)
    {
        abut_points_destroy(judge->points);
        scene_surface_destroy(judge->middle);
        abut_broad_destroy(judge->broad);
        free(judge);
    }
}

/// Least distance of the points of one body to the fine field of another.
static float least_distance(const PileJudge* judge, const AbutPose* field_in_points)
{
    AbutPointData data = abut_points_data(judge->points);
    float distance[BATCH], least = INFINITY;
    for (uint32_t first = 0; first < data.count; first += BATCH)
    {
        size_t n = data.count - first < BATCH ? data.count - first : BATCH;
        AbutPoints at = { data.positions.x + first, data.positions.y + first, data.positions.z + first };
        abut_shape_sample(judge->model->fine, field_in_points, at, n, (AbutSamples){ .distance = distance });
        for (size_t i = 0; i < n; ++i)
        {
            least = fminf(least, distance[i]);
        }
    }
    return least;
}

static void measure_pair(const PileJudge* judge, const AbutPose* a, const AbutPose* b, PileTruth* truth)
{
    AbutPose b_in_a = abut_pose_relative(a, b), a_in_b = abut_pose_relative(b, a);
    float least = fminf(least_distance(judge, &b_in_a), least_distance(judge, &a_in_b));
    truth->close_pairs += (double)least < 0.01 * PILE_SIZE ? 1u : 0u;
    truth->max_penetration = fmax(truth->max_penetration, -(double)least / PILE_SIZE);
    if (judge->middle != NULL && (double)least < 0.01 * PILE_SIZE)
    {
        SceneRigid there = recall_truth_relative(a, b);
        truth->through += scene_surface_gap(judge->middle, judge->middle, &there, 1e-6) <= 0.0 ? 1u : 0u;
    }
}

/// How deep a body is in the ground, in metres.
static double measure_ground(const PileJudge* judge, const AbutPose* pose)
{
    double m[3][3], low = INFINITY;
    abut_quat_to_matrix(pose->rotation, m);
    AbutPointData data = abut_points_data(judge->points);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        double y = m[1][0] * (double)data.positions.x[i] + m[1][1] * (double)data.positions.y[i] +
                   m[1][2] * (double)data.positions.z[i];
        low = y < low ? y : low;
    }
    return -(low + pose->position.y);
}

PileTruth pile_judge_measure(PileJudge* judge, const AbutPose* poses)
{
    PileTruth truth = { 0 };
    AbutBox bounds = abut_mesh_bounds(judge->model->mesh);
    for (uint32_t i = 0; i < judge->count; ++i)
    {
        AbutBox box = abut_box_expand(abut_pose_transform_box(&poses[i], bounds), (float)(0.01 * PILE_SIZE));
        abut_broad_move(judge->broad, i, box);
        double depth = measure_ground(judge, &poses[i]);
        truth.max_penetration = fmax(truth.max_penetration, depth / PILE_SIZE);
        truth.lost += poses[i].position.y < 0.0 ? 1u : 0u;
    }
    const AbutBodyPair* pairs;
    size_t count;
    if (abut_broad_update_pairs(judge->broad, &pairs, &count) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench pile: %s\n", abut_last_error());
        return truth;
    }
    for (size_t i = 0; i < count; ++i)
    {
        measure_pair(judge, &poses[pairs[i].a], &poses[pairs[i].b], &truth);
    }
    return truth;
}
