// abut bench bake [quick] [PART...] [MESH...]: fields from meshes, against Embree, CGAL and OpenVDB.
//
// Parts: dense, workers, mixed, large, sparse, fine; all of them when none is named. Meshes are generated, so
// that no files are needed; those named on the command line come beside them, and those of the folder in
// ABUT_SHARED_MESHES.
#include "bake_cases.h"
#include "peers.h"

#include <abut/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PART_DENSE = 1,
    PART_WORKERS = 2,
    PART_MIXED = 4,
    PART_LARGE = 8,
    PART_SPARSE = 16,
    PART_FINE = 32,
    PART_ALL = 63,
    MOST_MESHES = 16
};

typedef struct Arguments
{
    unsigned parts;
    bool quick;
    const char* files[MOST_MESHES];
    int file_count;
} Arguments;

// -----------------------------------------------------------------------------------------------------------
// Arguments and meshes
// -----------------------------------------------------------------------------------------------------------

static unsigned part_named(const char* name)
{
    static const char* const names[] = { "dense", "workers", "mixed", "large", "sparse", "fine" };
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (strcmp(name, names[i]) == 0)
        {
            return 1u << i;
        }
    }
    return 0;
}

static bool parse(int count, char** arguments, Arguments* out)
{
    for (int i = 0; i < count; ++i)
    {
        unsigned part = part_named(arguments[i]);
        out->parts |= part;
        if (strcmp(arguments[i], "quick") == 0)
        {
            out->quick = true;
        }
        else if (part == 0 && out->file_count == MOST_MESHES)
        {
            fprintf(stderr, "abut: bench bake: more than %d meshes\n", MOST_MESHES);
            return false;
        }
        else if (part == 0)
        {
            out->files[out->file_count++] = arguments[i];
        }
    }
    out->parts = out->parts == 0 ? PART_ALL : out->parts;
    return true;
}

static bool load_mesh(const char* path, BakeMesh* out)
{
    const char* slash = strrchr(path, '/');
    snprintf(out->name, sizeof(out->name), "%.23s", slash != NULL ? slash + 1 : path);
    char* dot = strrchr(out->name, '.');
    if (dot != NULL)
    {
        *dot = '\0';
    }
    if (abut_mesh_load(path, &out->mesh) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench bake: %s\n", abut_last_error());
        return false;
    }
    return true;
}

static bool make_mesh(const char* name, AbutResult (*create)(uint32_t triangle_count, AbutMesh** out),
                      uint32_t triangle_count, BakeMesh* out)
{
    snprintf(out->name, sizeof(out->name), "%s", name);
    if (create(triangle_count, &out->mesh) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench bake: %s: %s\n", name, abut_last_error());
        return false;
    }
    return true;
}

/// Adds a mesh of the folder in ABUT_SHARED_MESHES when it is there.
static void load_shared(const char* file, BakeMesh* meshes, int* count)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", folder != NULL ? folder : ".", file);
    FILE* there = folder != NULL ? fopen(path, "rb") : NULL;
    if (there != NULL)
    {
        fclose(there);
        *count += load_mesh(path, &meshes[*count]) ? 1 : 0;
    }
}

typedef struct MeshList
{
    BakeMesh items[MOST_MESHES + 8];
    int count;
    int fine; // the one that is baked fine: a bunny where there is one
} MeshList;

static bool make_meshes(const Arguments* arguments, MeshList* list)
{
    static const struct
    {
        const char* name;
        uint32_t triangle_count;
    } statues[] = { { "statue 70k", 70000 }, { "statue 4k", 4000 }, { "statue 200k", 200000 } };
    bool ok = true;
    for (int i = 0; i < (arguments->quick ? 1 : 3) && ok; ++i)
    {
        ok = make_mesh(statues[i].name, bake_mesh_create_statue, statues[i].triangle_count,
                       &list->items[list->count]);
        list->count += ok ? 1 : 0;
    }
    int before = list->count;
    load_shared("bunny69k.obj", list->items, &list->count);
    list->fine = list->count > before ? before : 0;
    if (!arguments->quick)
    {
        load_shared("bunny4k.obj", list->items, &list->count);
        load_shared("dragon48k.obj", list->items, &list->count);
    }
    for (int i = 0; i < arguments->file_count && ok; ++i)
    {
        ok = load_mesh(arguments->files[i], &list->items[list->count]);
        list->count += ok ? 1 : 0;
    }
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Parts
// -----------------------------------------------------------------------------------------------------------

static void say_missing(void)
{
    if (bench_trees()[0] == NULL || bench_trees()[1] == NULL || !bench_band_exists())
    {
        fprintf(
            stderr,
            "abut: bench bake: not all peers were there when this program was built (Embree, CGAL, OpenVDB); "
            "tools/install_packages bench installs them\n");
    }
}

static bool run_one(const BakeBench* bench, const char* name,
                    AbutResult (*create)(uint32_t triangle_count, AbutMesh** out), uint32_t triangle_count,
                    uint32_t side)
{
    BakeMesh mesh = { 0 };
    bool ok = make_mesh(name, create, triangle_count, &mesh) && bake_bench_dense(bench, &mesh, &side, 1);
    abut_mesh_destroy(mesh.mesh);
    return ok;
}

static bool run_parts(const BakeBench* bench, unsigned parts, const MeshList* list)
{
    static const uint32_t sides[] = { 64, 128, 256 };
    bool ok = true;
    // First, while the process is small: the peak of memory is the process's.
    if ((parts & PART_FINE) != 0)
    {
        ok = bake_bench_fine(bench, &list->items[list->fine], bench->quick ? 256 : 1024);
    }
    for (int i = 0; i < list->count && ok; ++i)
    {
        const BakeMesh* mesh = &list->items[i];
        ok = (parts & PART_DENSE) == 0 || bake_bench_dense(bench, mesh, sides, bench->quick ? 2 : 3);
        ok = ok && ((parts & PART_WORKERS) == 0 || i > 0 || bake_bench_workers(bench, mesh, 128));
        ok = ok && ((parts & PART_SPARSE) == 0 || bake_bench_sparse(bench, mesh, 256));
        ok = ok && ((parts & PART_SPARSE) == 0 || bench->quick || bake_bench_sparse(bench, mesh, 512));
    }
    if (ok && (parts & PART_MIXED) != 0)
    {
        ok = run_one(bench, "box with statue 200k", bake_mesh_create_mixed, 200000, 128);
    }
    if (ok && (parts & PART_LARGE) != 0)
    {
        ok = run_one(bench, bench->quick ? "statue 1M" : "statue 5M", bake_mesh_create_statue,
                     bench->quick ? 1000000 : 5000000, bench->quick ? 128 : 256);
    }
    return ok;
}

bool bench_bake_run(BenchReport* report, int argument_count, char** arguments)
{
    Arguments parsed = { 0 };
    if (!parse(argument_count, arguments, &parsed))
    {
        return false;
    }
    BakeBench bench = { .report = report, .quick = parsed.quick, .alone = abut_host_default() };
    bench.alone.worker_count = 1;
    MeshList list = { 0 };
    say_missing();
    bool ok = make_meshes(&parsed, &list) && run_parts(&bench, parsed.parts, &list);
    for (int i = 0; i < list.count; ++i)
    {
        abut_mesh_destroy(list.items[i].mesh);
    }
    return ok;
}
