#include "gpu_worlds.h"

#include "bench.h"

static bool add_bodies(const KrayerScene* scene, AbutWorld* world)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < scene->body_count; ++i)
    {
        AbutBodyId id;
        AbutBodyDef body = abut_body_def();
        body.shape = (AbutShape*)scene->bodies[i].shape; // a reference does not change it
        body.kind = i < scene->fixed_count ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        body.pose = scene->bodies[i].pose;
        ok = abut_body_create(world, &body, &id) == ABUT_OK;
    }
    return ok;
}

bool gpu_world_run(const KrayerScene* scene, const AbutHost* host, AbutDevice* device, GpuWorld* out)
{
    AbutWorld* world = NULL;
    AbutWorldDef def = abut_world_def();
    def.host = host;
    def.device = device;
    bool ok = abut_world_create(&def, &world) == ABUT_OK && add_bodies(scene, world);
    double since = bench_cpu_seconds();
    for (int step = 0; ok && step < GPU_WORLD_STEPS; ++step)
    {
        ok = abut_world_step(world, 1.0f / 60.0f, NULL) == ABUT_OK;
        out->hashes[step] = abut_world_hash(world);
    }
    out->cpu_seconds = bench_cpu_seconds() - since;
    abut_world_destroy(world);
    return ok;
}
