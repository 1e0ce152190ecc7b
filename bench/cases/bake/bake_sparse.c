// Sparse fields against OpenVDB's narrow band, and one that would be large if it were dense.
//
// Wall time on all processors, for both. A field's nodes are those of its stored bricks, each counted once
// (8³ of the 9³ that a brick keeps), and of its coarse level; the band's are its active voxels. Errors are
// those of the interpolants at the points of a grid that shares no spacing with the nodes, within two cells
// of the surface, against exact distances.
#include "bake_cases.h"
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>

enum
{
    REPEATS = 3 // quick: 1
};

/// Cells between the points at which errors are measured.
static const double ERROR_STEP = 3.37;

static bool say_last_error(const BakeMesh* mesh)
{
    fprintf(stderr, "abut: bench bake: a sparse field of %s: %s\n", mesh->name, abut_last_error());
    return false;
}

static double stored_nodes(const AbutFieldInfo* info)
{
    double coarse = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        coarse *= info->cell_count[axis] / 8 + 1.0;
    }
    return 512.0 * info->stored_brick_count + coarse;
}

// -----------------------------------------------------------------------------------------------------------
// Errors
// -----------------------------------------------------------------------------------------------------------

/// Points within two cells of the surface, with their distances.
typedef struct NearPoints
{
    AbutVec3* at;
    float* truth;
    float* sampled;
    size_t count;
} NearPoints;

static void destroy_points(NearPoints* points)
{
    free(points->at);
    free(points->truth);
    free(points->sampled);
}

/// Keeps the nodes of a grid of distances that are near.
static bool keep_near(const AbutBakeDistancesDef* def, const float* distances, double distance,
                      NearPoints* out)
{
    const uint32_t* n = def->node_count;
    size_t total = (size_t)n[0] * n[1] * n[2], near = 0;
    for (size_t i = 0; i < total; ++i)
    {
        near += (double)distances[i] <= distance;
    }
    *out = (NearPoints){ malloc((near + 1) * sizeof(AbutVec3)), malloc((near + 1) * sizeof(float)),
                         malloc((near + 1) * sizeof(float)), 0 };
    if (out->at == NULL || out->truth == NULL || out->sampled == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < total; ++i)
    {
        if ((double)distances[i] <= distance)
        {
            out->at[out->count] =
                abut_vec3((float)(def->origin.x + def->cell_size * (double)(i % n[0])),
                          (float)(def->origin.y + def->cell_size * (double)(i / n[0] % n[1])),
                          (float)(def->origin.z + def->cell_size * (double)(i / n[0] / n[1])));
            out->truth[out->count++] = distances[i];
        }
    }
    return true;
}

static bool create_points(const BakeMesh* mesh, double cell_size, NearPoints* out)
{
    AbutBox cube = bake_mesh_cube(mesh->mesh, 0.0);
    AbutBakeDistancesDef def = abut_bake_distances_def();
    def.cell_size = ERROR_STEP * cell_size;
    def.origin = (AbutPosition){ cube.min.x, cube.min.y, cube.min.z };
    def.node_count[0] = def.node_count[1] = def.node_count[2] =
        (uint32_t)(((double)cube.max.x - (double)cube.min.x) / def.cell_size) + 1;
    size_t total = (size_t)def.node_count[0] * def.node_count[1] * def.node_count[2];
    float* distances = malloc(total * sizeof(float));
    bool ok = distances != NULL && abut_bake_distances(&def, mesh->mesh, distances) == ABUT_OK &&
              keep_near(&def, distances, 2.0 * cell_size, out);
    free(distances);
    return ok;
}

typedef struct Errors
{
    double largest, rms;
} Errors;

/// In cells. Distances are compared without sign, as the exact ones have none.
static Errors errors_of(const NearPoints* points, double cell_size)
{
    Errors errors = { 0 };
    for (size_t i = 0; i < points->count; ++i)
    {
        double error = fabs(fabs((double)points->sampled[i]) - (double)points->truth[i]) / cell_size;
        errors.largest = fmax(errors.largest, error);
        errors.rms += error * error;
    }
    errors.rms = sqrt(errors.rms / (double)(points->count > 0 ? points->count : 1));
    return errors;
}

static void sample_field(const AbutShape* field, NearPoints* points)
{
    for (size_t i = 0; i < points->count; ++i)
    {
        points->sampled[i] = abut_shape_distance(field, points->at[i], NULL);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Against OpenVDB
// -----------------------------------------------------------------------------------------------------------

static AbutBakeDef sparse_def(const BakeMesh* mesh, uint32_t side, AbutFieldFormat format)
{
    AbutBakeDef def = abut_bake_def();
    def.box = bake_mesh_cube(mesh->mesh, 4.0 / side);
    def.resolution = side;
    def.format = format;
    def.sparse = true;
    return def;
}

typedef struct SparseRun
{
    const BakeBench* bench;
    const BakeMesh* mesh;
    AbutShape* field; // of the last turn
    BenchBand band;
    double nanoseconds, band_nanoseconds; // per node
} SparseRun;

static bool take_turns(SparseRun* run, const AbutBakeDef* def)
{
    double own[REPEATS], peer[REPEATS];
    const int repeats = run->bench->quick ? 1 : REPEATS;
    for (int repeat = 0; repeat < repeats; ++repeat)
    {
        abut_shape_destroy(run->field);
        double start = bench_seconds();
        if (abut_bake_mesh(def, run->mesh->mesh, &run->field) != ABUT_OK)
        {
            return say_last_error(run->mesh);
        }
        own[repeat] = bench_seconds() - start;
        if (bench_band_exists())
        {
            bench_band_destroy(&run->band);
            if (!bench_band_create(run->mesh->mesh, abut_field_info(run->field).cell_size,
                                   abut_processor_count(), &run->band))
            {
                return false;
            }
            peer[repeat] = run->band.seconds;
        }
    }
    AbutFieldInfo info = abut_field_info(run->field);
    run->nanoseconds = 1e9 * bench_median(own, repeats) / stored_nodes(&info);
    run->band_nanoseconds =
        bench_band_exists() ? 1e9 * bench_median(peer, repeats) / (double)run->band.node_count : 0.0;
    return true;
}

static bool report_sparse(SparseRun* run, const char* title)
{
    const char* peer = bench_band_exists() ? "OpenVDB meshToVolume" : NULL;
    AbutFieldInfo info = abut_field_info(run->field);
    NearPoints points = { 0 };
    if (!create_points(run->mesh, info.cell_size, &points))
    {
        destroy_points(&points);
        return say_last_error(run->mesh);
    }
    sample_field(run->field, &points);
    Errors own = errors_of(&points, info.cell_size), other = { 0 };
    if (peer != NULL)
    {
        bench_band_sample(&run->band, points.at, points.count, points.sampled);
        other = errors_of(&points, info.cell_size);
    }
    destroy_points(&points);
    char name[64];
    bench_report_row(run->bench->report, title, run->nanoseconds, "ns/stored node", peer,
                     run->band_nanoseconds, false);
    snprintf(name, sizeof(name), "%s, RMS error", title);
    bench_report_row(run->bench->report, name, own.rms, "cells", peer, other.rms, false);
    snprintf(name, sizeof(name), "%s, largest error", title);
    bench_report_row(run->bench->report, name, own.largest, "cells", peer, other.largest, false);
    return true;
}

bool bake_bench_sparse(const BakeBench* bench, const BakeMesh* mesh, uint32_t side)
{
    static const AbutFieldFormat formats[] = { ABUT_FIELD_FIRST_ORDER, ABUT_FIELD_F32 };
    bool ok = true;
    for (int i = 0; i < 2 && ok; ++i)
    {
        SparseRun run = { .bench = bench, .mesh = mesh };
        AbutBakeDef def = sparse_def(mesh, side, formats[i]);
        char title[48];
        snprintf(title, sizeof(title), "sparse %u\u00b3 %s, %s", side, i == 0 ? "order 1" : "f32",
                 mesh->name);
        ok = take_turns(&run, &def) && report_sparse(&run, title);
        bench_band_destroy(&run.band);
        abut_shape_destroy(run.field);
    }
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Fine
// -----------------------------------------------------------------------------------------------------------

/// Starts a new count of the peak where the system can (Linux).
static void forget_peak(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    FILE* file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL)
    {
        fputs("5", file);
        fclose(file);
    }
}

/// Most memory that the process had resident, in MB, since forget_peak(), or since it started.
static double peak_megabytes(void)
{
    FILE* file = fopen("/proc/self/status", "r");
    char line[128];
    double kibibytes = 0.0;
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        if (strncmp(line, "VmHWM:", 6) == 0)
        {
            kibibytes = strtod(line + 6, NULL);
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    struct rusage usage;
    if (kibibytes == 0.0 && getrusage(RUSAGE_SELF, &usage) == 0)
    {
        kibibytes = (double)usage.ru_maxrss;
    }
    return 1.024e-3 * kibibytes;
}

static bool bench_fine(const BakeBench* bench, const BakeMesh* mesh, uint32_t side, AbutFieldFormat format)
{
    AbutBakeDef def = sparse_def(mesh, side, format);
    AbutShape* field = NULL;
    forget_peak();
    double start = bench_seconds();
    if (abut_bake_mesh(&def, mesh->mesh, &field) != ABUT_OK)
    {
        return say_last_error(mesh);
    }
    double seconds = bench_seconds() - start, megabytes = peak_megabytes();
    AbutFieldInfo info = abut_field_info(field);
    abut_shape_destroy(field);
    char title[48], name[64];
    snprintf(title, sizeof(title), "sparse %u\u00b3 %s, %s", side, abut_field_format_name(format),
             mesh->name);
    snprintf(name, sizeof(name), "%s, complete", title);
    bench_report_row(bench->report, name, seconds, "s", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%s, peak resident", title);
    bench_report_row(bench->report, name, megabytes, "MB", NULL, 0.0, false);
    snprintf(name, sizeof(name), "%s, field", title);
    bench_report_row(bench->report, name, 1e-6 * (double)info.bytes, "MB", NULL, 0.0, false);
    return true;
}

bool bake_bench_fine(const BakeBench* bench, const BakeMesh* mesh, uint32_t side)
{
    return bench_fine(bench, mesh, side, ABUT_FIELD_F16) && bench_fine(bench, mesh, side, ABUT_FIELD_F32);
}
