// How tori and nuts lie in each other: points of the surfaces against exact triangles, which no engine uses.
#include "npm_cases.h"

#include <math.h>
#include <stdlib.h>

enum
{
    BATCH = 1024,
    MOST_DEPTHS = NPM_BODIES * (NPM_BODIES + 1) / 2
};

typedef struct Judge
{
    const NpmModel* model;
    AbutShape* exact; // the triangles
    AbutPointSet* points;
    AbutPointSet* corners; // vertices: what is deepest in the ground
    AbutBroad* broad;
    double depths[MOST_DEPTHS];
    uint32_t depth_count;
} Judge;

static bool create(Judge* judge)
{
    AbutPointsDef def = abut_points_def();
    AbutBroadDef broad = abut_broad_def();
    def.spacing = (float)(0.01 * judge->model->size);
    bool good = abut_shape_create_mesh(judge->model->mesh, NULL, &judge->exact) == ABUT_OK &&
                abut_points_create_from_mesh(&def, judge->model->mesh, &judge->points) == ABUT_OK &&
                abut_points_create_from_vertices(judge->model->mesh, NULL, &judge->corners) == ABUT_OK &&
                abut_broad_create(&broad, &judge->broad) == ABUT_OK;
    for (uint32_t i = 0; i < NPM_BODIES && good; ++i)
    {
        uint32_t id;
        AbutBox box = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
        good = abut_broad_add(judge->broad, box, UINT32_MAX, UINT32_MAX, &id) == ABUT_OK;
    }
    return good;
}

static void destroy(Judge* judge)
{
    abut_shape_destroy(judge->exact);
    abut_points_destroy(judge->points);
    abut_points_destroy(judge->corners);
    abut_broad_destroy(judge->broad);
    free(judge);
}

/// Least distance of a batch of points to the triangles.
static float sample_least(const Judge* judge, const float at[3][BATCH], size_t count)
{
    float distance[BATCH], least = INFINITY;
    AbutPose pose = abut_pose_identity();
    AbutPoints points = { at[0], at[1], at[2] };
    abut_shape_sample(judge->exact, &pose, points, count, (AbutSamples){ .distance = distance });
    for (size_t i = 0; i < count; ++i)
    {
        least = fminf(least, distance[i]);
    }
    return least;
}

static bool is_in_box(AbutBox box, AbutVec3 p)
{
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
           p.z <= box.max.z;
}

/// Least distance of the points of one body to the triangles of another. Points outside of its box are not in
/// it.
static float least_distance(const Judge* judge, const AbutPose* points_in_exact)
{
    AbutPointData data = abut_points_data(judge->points);
    AbutBox box = abut_mesh_bounds(judge->model->mesh);
    float at[3][BATCH], least = INFINITY;
    size_t count = 0;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 p = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        AbutPosition q = abut_pose_transform_point(points_in_exact, p);
        AbutVec3 inside = abut_vec3((float)q.x, (float)q.y, (float)q.z);
        at[0][count] = inside.x;
        at[1][count] = inside.y;
        at[2][count] = inside.z;
        count += is_in_box(box, inside) ? 1u : 0u;
        if (count == BATCH || (i + 1 == data.count && count > 0))
        {
            least = fminf(least, sample_least(judge, at, count));
            count = 0;
        }
    }
    return least;
}

static void note_depth(Judge* judge, double depth)
{
    if (depth > 0.0)
    {
        judge->depths[judge->depth_count++] = depth;
    }
}

/// How deep a body is in the ground.
static double measure_ground(const Judge* judge, const AbutPose* pose)
{
    AbutPointData data = abut_points_data(judge->corners);
    double low = INFINITY;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 p = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        low = fmin(low, abut_pose_transform_point(pose, p).y);
    }
    return -low;
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool measure(Judge* judge, const AbutPose* poses, NpmTruth* out)
{
    *out = (NpmTruth){ 0 };
    AbutBox bounds = abut_mesh_bounds(judge->model->mesh);
    for (uint32_t i = 0; i < NPM_BODIES; ++i)
    {
        abut_broad_move(judge->broad, i, abut_pose_transform_box(&poses[i], bounds));
        note_depth(judge, measure_ground(judge, &poses[i]));
        out->lost += poses[i].position.y < 0.0 ? 1u : 0u;
    }
    const AbutBodyPair* pairs;
    size_t count;
    if (abut_broad_update_pairs(judge->broad, &pairs, &count) != ABUT_OK)
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        const AbutPose *a = &poses[pairs[i].a], *b = &poses[pairs[i].b];
        AbutPose b_in_a = abut_pose_relative(a, b), a_in_b = abut_pose_relative(b, a);
        note_depth(judge, -(double)fminf(least_distance(judge, &b_in_a), least_distance(judge, &a_in_b)));
    }
    qsort(judge->depths, judge->depth_count, sizeof(double), compare);
    out->overlapping = judge->depth_count;
    if (judge->depth_count > 0)
    {
        out->deepest = judge->depths[judge->depth_count - 1];
        out->median = judge->depths[judge->depth_count / 2];
    }
    return true;
}

bool npm_measure(const NpmModel* model, const AbutPose poses[NPM_BODIES], NpmTruth* out)
{
    Judge* judge = calloc(1, sizeof(Judge));
    if (judge == NULL)
    {
        fprintf(stderr, "abut: bench npm: no memory to measure with\n");
        return false;
    }
    judge->model = model;
    bool good = create(judge) && measure(judge, poses, out);
    if (!good)
    {
        fprintf(stderr, "abut: bench npm: %s\n", abut_last_error());
    }
    destroy(judge);
    return good;
}
