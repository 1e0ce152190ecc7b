// abut bench surface: meshing a level; seconds on all workers against one, and peak memory against what a
// dense grid of floats alone would take.
#include "bench.h"

#include <abut/abut.h>
#include <stdatomic.h>
#include <stdio.h>

enum
{
    REPEATS = 3
};

/// Memory of the default host, counted.
typedef struct CountedHost
{
    AbutHost host, base;
    atomic_size_t live, peak;
} CountedHost;

static void* counted_allocate(void* user, size_t size, size_t alignment)
{
    CountedHost* self = user;
    void* memory = self->base.allocate(self->base.user, size, alignment);
    const size_t live = atomic_fetch_add(&self->live, size) + size;
    size_t peak = atomic_load(&self->peak);
    while (live > peak && !atomic_compare_exchange_weak(&self->peak, &peak, live))
    {
    }
    return memory;
}

static void counted_free(void* user, void* memory, size_t size)
{
    CountedHost* self = user;
    atomic_fetch_sub(&self->live, size);
    self->base.free(self->base.user, memory, size);
}

static void counted_host_init(CountedHost* self)
{
    self->base = abut_host_default();
    self->host = self->base;
    self->host.user = self;
    self->host.allocate = counted_allocate;
    self->host.free = counted_free;
    atomic_init(&self->live, 0);
    atomic_init(&self->peak, 0);
}

typedef struct SurfaceRun
{
    const AbutShape* shape;
    AbutSurfaceDef def;
    bool failed;
} SurfaceRun;

static void run_surface(void* context)
{
    SurfaceRun* run = context;
    AbutMesh* mesh = NULL;
    run->failed |= abut_surface_create(&run->def, run->shape, &mesh) != ABUT_OK;
    abut_mesh_destroy(mesh);
}

static bool measure(BenchReport* report, const char* name, const AbutShape* shape, uint32_t resolution)
{
    CountedHost memory;
    counted_host_init(&memory);
    SurfaceRun run = { .shape = shape, .def = abut_surface_def() };
    run.def.resolution = resolution;
    run.def.host = &memory.host;
    const double seconds = bench_median_seconds(run_surface, &run, REPEATS);
    memory.host.worker_count = 1;
    const double seconds_alone = bench_median_seconds(run_surface, &run, REPEATS);
    const double side = (double)resolution + 4.0; // nodes, as the shapes here are as wide as high
    char text[96];
    snprintf(text, sizeof(text), "%s, %u cells, time", name, resolution);
    bench_report_row(report, text, seconds, "s", "one worker", seconds_alone, false);
    snprintf(text, sizeof(text), "%s, %u cells, memory", name, resolution);
    bench_report_row(report, text, (double)atomic_load(&memory.peak) * 1e-6, "MB", "dense grid of floats",
                     side * side * side * sizeof(float) * 1e-6, false);
    return !run.failed;
}

bool bench_surface_run(BenchReport* report, int argument_count, char** arguments)
{
    (void)argument_count;
    (void)arguments;
    AbutShape *sphere = NULL, *box = NULL, *part = NULL;
    bool ok = abut_shape_create_sphere(1.0f, NULL, &sphere) == ABUT_OK &&
              abut_shape_create_box(abut_vec3(1.5f, 1.5f, 2.0f), NULL, &box) == ABUT_OK &&
              abut_shape_create_difference(sphere, box, NULL, &part) == ABUT_OK;
    for (uint32_t resolution = 64; resolution <= 1024 && ok; resolution *= 4)
    {
        ok = measure(report, "sphere", sphere, resolution) &&
             measure(report, "sphere without a box", part, resolution);
    }
    if (!ok)
    {
        fprintf(stderr, "abut: bench surface: %s\n", abut_last_error());
    }
    abut_shape_destroy(part);
    abut_shape_destroy(box);
    abut_shape_destroy(sphere);
    return ok;
}
