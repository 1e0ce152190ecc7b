// abut bench load: reading one mesh from OBJ, STL and PLY files, against assimp.
//
// Both sides end with the same thing: triangles over joined vertices, positions only. assimp gets there with
// its own steps (triangulate, remove components, join identical vertices). Without the last it hands out STL
// as loose corners, three per triangle, in about the time that abut takes to read and join them. Files are in
// the system's cache, and the two sides take turns, so that both see the same state of the machine.
#include "bench.h"

#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(BENCH_HAS_ASSIMP)
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

enum
{
    REPEATS = 15,
    SPHERE_DIVISIONS = 76, // 69,312 triangles
    PATH_SIZE = 256
};

typedef struct LoadCase
{
    const char* name;
    const char* file;
    bool (*write)(const AbutMesh* mesh, const char* path);
} LoadCase;

// -----------------------------------------------------------------------------------------------------------
// Files
// -----------------------------------------------------------------------------------------------------------

static bool write_by_ending(const AbutMesh* mesh, const char* path)
{
    return abut_mesh_save(mesh, path) == ABUT_OK;
}

static bool write_text_stl(const AbutMesh* mesh, const char* path)
{
    FILE* file = fopen(path, "w");
    if (file == NULL)
    {
        return false;
    }
    fprintf(file, "solid bench\n");
    for (size_t i = 0; i < (size_t)abut_mesh_triangle_count(mesh) * 3; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[i]];
        fprintf(file, "%s      vertex %.9g %.9g %.9g\n%s",
                i % 3 == 0 ? "  facet normal 0 0 1\n    outer loop\n" : "", (double)v.x, (double)v.y,
                (double)v.z, i % 3 == 2 ? "    endloop\n  endfacet\n" : "");
    }
    fprintf(file, "endsolid bench\n");
    return fclose(file) == 0;
}

static bool write_text_ply(const AbutMesh* mesh, const char* path)
{
    FILE* file = fopen(path, "w");
    if (file == NULL)
    {
        return false;
    }
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex %u\nproperty float x\nproperty float y\nproperty float z\n"
            "element face %u\nproperty list uchar int vertex_indices\nend_header\n",
            abut_mesh_vertex_count(mesh), abut_mesh_triangle_count(mesh));
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        fprintf(file, "%.9g %.9g %.9g\n", (double)v.x, (double)v.y, (double)v.z);
    }
    for (size_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        const uint32_t* corners = abut_mesh_indices(mesh) + 3 * i;
        fprintf(file, "3 %u %u %u\n", corners[0], corners[1], corners[2]);
    }
    return fclose(file) == 0;
}

static const LoadCase load_cases[] = {
    { "OBJ", "mesh.obj", write_by_ending },     { "STL binary", "mesh.stl", write_by_ending },
    { "STL text", "text.stl", write_text_stl }, { "PLY binary", "mesh.ply", write_by_ending },
    { "PLY text", "text.ply", write_text_ply },
};

enum
{
    CASE_COUNT = sizeof(load_cases) / sizeof(load_cases[0])
};

// -----------------------------------------------------------------------------------------------------------
// The two sides
// -----------------------------------------------------------------------------------------------------------

/// Seconds of one load, or a negative number with a message on stderr.
static double time_own(const char* path, uint32_t* triangle_count)
{
    double start = bench_seconds();
    AbutMesh* mesh = NULL;
    if (abut_mesh_load(path, &mesh) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return -1.0;
    }
    double seconds = bench_seconds() - start;
    *triangle_count = abut_mesh_triangle_count(mesh);
    bench_consume(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3));
    abut_mesh_destroy(mesh);
    return seconds;
}

#if defined(BENCH_HAS_ASSIMP)

static double time_assimp(const char* path, uint32_t* triangle_count)
{
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_RVC_FLAGS,
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                   aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_MATERIALS);
    double start = bench_seconds();
    const struct aiScene* scene = aiImportFileExWithProperties(
        path, aiProcess_Triangulate | aiProcess_RemoveComponent | aiProcess_JoinIdenticalVertices, NULL,
        properties);
    double seconds = bench_seconds() - start;
    aiReleasePropertyStore(properties);
    if (scene == NULL)
    {
        fprintf(stderr, "%s: assimp: %s\n", path, aiGetErrorString());
        return -1.0;
    }
    *triangle_count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
    {
        *triangle_count += scene->mMeshes[i]->mNumFaces;
    }
    aiReleaseImport(scene);
    return seconds;
}

#endif

static int compare_seconds(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double seconds[REPEATS])
{
    qsort(seconds, REPEATS, sizeof(double), compare_seconds);
    return seconds[REPEATS / 2];
}

static bool run_case(BenchReport* report, const LoadCase* load_case, const char* path)
{
    double own[REPEATS];
    double peer[REPEATS];
    uint32_t own_count = 0;
    uint32_t peer_count = 0;
    for (int i = -1; i < REPEATS; ++i) // the first round only warms up
    {
        int slot = i < 0 ? 0 : i;
        own[slot] = time_own(path, &own_count);
        peer_count = own_count;
        peer[slot] = 0.0;
#if defined(BENCH_HAS_ASSIMP)
        peer[slot] = time_assimp(path, &peer_count);
#endif
        if (own[slot] < 0.0 || peer[slot] < 0.0)
        {
            return false;
        }
        if (own_count != peer_count)
        {
            fprintf(stderr, "%s: abut reads %u triangles, assimp %u\n", path, own_count, peer_count);
            return false;
        }
    }
    char name[64];
    snprintf(name, sizeof(name), "%s, %u triangles", load_case->name, own_count);
#if defined(BENCH_HAS_ASSIMP)
    bench_report_row(report, name, 1e3 * median(own), "ms", "assimp", 1e3 * median(peer), false);
#else
    bench_report_row(report, name, 1e3 * median(own), "ms", NULL, 0.0, false);
#endif
    return true;
}

static bool run_cases(BenchReport* report, const AbutMesh* mesh, const char* folder)
{
    bool done = true;
    for (size_t i = 0; i < CASE_COUNT && done; ++i)
    {
        char path[PATH_SIZE];
        snprintf(path, sizeof(path), "%s/%s", folder, load_cases[i].file);
        done = load_cases[i].write(mesh, path);
        if (!done)
        {
            fprintf(stderr, "%s: cannot be written\n", path);
        }
        done = done && run_case(report, &load_cases[i], path);
        unlink(path);
    }
    return done;
}

bool bench_load_run(BenchReport* report, int argument_count, char** arguments)
{
    AbutMesh* mesh = NULL;
    AbutResult result = argument_count > 0 ? abut_mesh_load(arguments[0], &mesh)
                                           : abut_mesh_create_sphere(1.0f, SPHERE_DIVISIONS, NULL, &mesh);
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return false;
    }
    char folder[] = "/tmp/abut-bench-XXXXXX";
    if (mkdtemp(folder) == NULL)
    {
        fprintf(stderr, "%s: cannot be created\n", folder);
        abut_mesh_destroy(mesh);
        return false;
    }
    bool done = run_cases(report, mesh, folder);
    rmdir(folder);
    abut_mesh_destroy(mesh);
    return done;
}
