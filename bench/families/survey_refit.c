// A mesh that is twisted about its longest axis: refits against a new tree, of the laboratory's volumes and
// of the product.
#include "survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_POSES = 60,
    REFIT_REPEATS = 3,
};

/// Twists per length of the mesh, in radians.
static const float twists[] = { 1.0f, 2.0f, 4.0f, 16.0f };

static void twist(const AbutMesh* mesh, float angle, AbutVec3* out)
{
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        float c = cosf(angle * v.x), s = sinf(angle * v.x);
        out[i] = abut_vec3(v.x, c * v.y - s * v.z, s * v.y + c * v.z);
    }
}

static AbutMesh* create_mesh(const AbutMesh* mesh, const AbutVec3* vertices)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = abut_mesh_vertex_count(mesh);
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    AbutMesh* out = NULL;
    return abut_mesh_create(&def, &out) == ABUT_OK ? out : NULL;
}

typedef struct Query
{
    double microseconds;
    size_t found;
} Query;

static Query query_lab(const SurveyCase* set, const AbutBvh* bvh)
{
    AbutBvhTraversal traversal = abut_bvh_traversal();
    int count = set->pose_count < MOST_POSES ? set->pose_count : MOST_POSES;
    Query q = { 0.0, 0 };
    double start = bench_cpu_seconds();
    for (int i = 0; i < count; ++i)
    {
        AbutBvhPair pair = { bvh, bvh, abut_pose_identity(), set->poses[i] };
        q.found += abut_bvh_pairs(&pair, &traversal, NULL, 0).pair_count;
    }
    q.microseconds = 1e6 * (bench_cpu_seconds() - start) / count;
    return q;
}

static Query query_product(const SurveyCase* set, const AbutMeshTree* tree)
{
    int count = set->pose_count < MOST_POSES ? set->pose_count : MOST_POSES;
    Query q = { 0.0, 0 };
    double start = bench_cpu_seconds();
    for (int i = 0; i < count; ++i)
    {
        AbutMeshTreePair pair = { tree, tree, abut_pose_identity(), set->poses[i] };
        q.found += abut_mesh_tree_pairs(&pair, NULL, 0).pair_count;
    }
    q.microseconds = 1e6 * (bench_cpu_seconds() - start) / count;
    return q;
}

/// A refitted tree beside a new one. Rebuilding pays after as many queries as make up for the longer build.
typedef struct Degraded
{
    Query refitted, built;
    double quality, refit, build; // ms
} Degraded;

static bool report_degraded(BenchReport* report, const char* label, float angle, const Degraded* d)
{
    char name[64];
    snprintf(name, sizeof(name), "%s, twist %.1f: all pairs", label, (double)angle);
    bench_report_row(report, name, d->refitted.microseconds, "us", "new tree", d->built.microseconds, false);
    snprintf(name, sizeof(name), "%s, twist %.1f: quality", label, (double)angle);
    bench_report_row(report, name, d->quality, "of areas", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%s, twist %.1f: update", label, (double)angle);
    bench_report_row(report, name, d->refit, "ms", "build", d->build, false);
    double gain = d->refitted.microseconds - d->built.microseconds;
    if (gain > 0.0)
    {
        snprintf(name, sizeof(name), "%s, twist %.1f: rebuild pays after", label, (double)angle);
        bench_report_row(report, name, 1e3 * (d->build - d->refit) / gain, "queries", NULL, 0.0, false);
    }
    if (d->refitted.found != d->built.found)
    {
        fprintf(stderr, "abut: bench families: survey: %s: %zu pairs after a refit, %zu of a new tree\n",
                label, d->refitted.found, d->built.found);
    }
    return d->refitted.found == d->built.found;
}

static bool run_lab(BenchReport* report, const SurveyCase* set, AbutBvhVolume volume, AbutBvhRefit refit,
                    const AbutVec3* vertices, const AbutMesh* twisted, float angle)
{
    AbutBvhDef def = abut_bvh_def();
    def.volume = volume;
    AbutBvh *old = NULL, *built = NULL;
    Degraded d = { .refit = INFINITY };
    bool good = abut_bvh_create(&def, set->mesh, &old) == ABUT_OK;
    double start = bench_cpu_seconds();
    good = good && abut_bvh_create(&def, twisted, &built) == ABUT_OK;
    d.build = 1e3 * (bench_cpu_seconds() - start);
    for (int i = 0; i < REFIT_REPEATS && good; ++i)
    {
        start = bench_cpu_seconds();
        good = abut_bvh_refit(old, vertices, abut_mesh_vertex_count(set->mesh), refit) == ABUT_OK;
        d.refit = fmin(d.refit, 1e3 * (bench_cpu_seconds() - start));
    }
    if (good)
    {
        d.quality = abut_bvh_quality(old);
        d.refitted = query_lab(set, old);
        d.built = query_lab(set, built);
        char label[40];
        snprintf(label, sizeof(label), "%s, %s, %s", set->name, abut_bvh_volume_name(volume),
                 abut_bvh_refit_name(refit));
        good = report_degraded(report, label, angle, &d);
    }
    abut_bvh_destroy(old);
    abut_bvh_destroy(built);
    return good;
}

static bool run_product(BenchReport* report, const SurveyCase* set, const AbutVec3* vertices,
                        const AbutMesh* twisted, float angle)
{
    AbutMeshTree *old = NULL, *built = NULL;
    Degraded d = { .refit = INFINITY };
    bool good = abut_mesh_tree_create(set->mesh, NULL, &old) == ABUT_OK;
    double start = bench_cpu_seconds();
    good = good && abut_mesh_tree_create(twisted, NULL, &built) == ABUT_OK;
    d.build = 1e3 * (bench_cpu_seconds() - start);
    for (int i = 0; i < REFIT_REPEATS && good; ++i)
    {
        start = bench_cpu_seconds();
        good = abut_mesh_tree_refit(old, vertices, abut_mesh_vertex_count(set->mesh)) == ABUT_OK;
        d.refit = fmin(d.refit, 1e3 * (bench_cpu_seconds() - start));
    }
    if (good)
    {
        d.quality = abut_mesh_tree_quality(old);
        d.refitted = query_product(set, old);
        d.built = query_product(set, built);
        char label[40];
        snprintf(label, sizeof(label), "%s, product", set->name);
        good = report_degraded(report, label, angle, &d);
    }
    abut_mesh_tree_destroy(old);
    abut_mesh_tree_destroy(built);
    return good;
}

bool survey_refit_run(BenchReport* report, const SurveyCase* set)
{
    static const AbutBvhVolume volumes[] = { ABUT_BVH_BOX, ABUT_BVH_ORIENTED_BOX, ABUT_BVH_SPHERE,
                                             ABUT_BVH_DOP_18 };
    AbutVec3* vertices = malloc(abut_mesh_vertex_count(set->mesh) * sizeof(AbutVec3));
    bool good = vertices != NULL;
    for (size_t i = 0; i < sizeof(twists) / sizeof(twists[0]) && good; ++i)
    {
        twist(set->mesh, twists[i], vertices);
        AbutMesh* twisted = create_mesh(set->mesh, vertices);
        good = twisted != NULL && run_product(report, set, vertices, twisted, twists[i]);
        for (size_t k = 0; k < sizeof(volumes) / sizeof(volumes[0]) && good; ++k)
        {
            // All refits at one deformation, bottom-up at each.
            int refits = twists[i] == 2.0f ? ABUT_BVH_REFIT_COUNT : 1;
            for (int refit = 0; refit < refits && good; ++refit)
            {
                good = run_lab(report, set, volumes[k], (AbutBvhRefit)refit, vertices, twisted, twists[i]);
            }
        }
        abut_mesh_destroy(twisted);
    }
    free(vertices);
    return good;
}
