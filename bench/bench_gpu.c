// abut bench gpu [quick] [worlds] [two_passes] [report] [SCENE...] [DEVICE]: Table 1 of Krayer et al. in
// kind, on every device that is present, beside the processor in the same run; `cpu`: the processor alone.
// The contacts must have the same bytes, or it fails.
//
// two_passes: particles walk twice, as in the paper.
// worlds: instead, the scenes fall for 120 steps of a world; hashes after each step must be equal.
// report: first what the devices are; the output is what to send us from a machine with a GPU.
#include "bench.h"
#include "gpu_worlds.h"
#include "krayer_scenes.h"

#include <abut/gpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RESOLUTIONS = 4,
    SCENES = 3,
    MOST_DEVICES = 16,
    REPEATS = 5
};

static const char* const scene_names[SCENES] = { "statues", "objects", "balls" };
static const uint32_t resolutions[RESOLUTIONS] = { 5, 10, 15, 20 };

/// Milliseconds of the paper's Table 1 on a GTX 1070.
static const double paper[SCENES][RESOLUTIONS] = {
    { 0.31, 0.31, 0.38, 0.47 },
    { 4.10, 15.27, 37.16, 69.97 },
    { 1.72, 5.01, 17.15, 41.21 },
};

typedef struct GpuBench
{
    BenchReport* report;
    KrayerFields fields;
    int repeats, resolution_count;
    unsigned scenes;
    bool worlds, two_passes;
    const char* device; // or NULL: all
    AbutHost all, one;  // workers
} GpuBench;

/// Medians of one step.
typedef struct StepTimes
{
    double wall, cpu, device, wait, transfer; // milliseconds
    uint64_t hash, evaluations, particles;
    size_t contact_count, pair_count;
} StepTimes;

static uint64_t hash_contacts(const AbutCollideResults* results)
{
    return abut_hash(results->contacts, results->contact_count * sizeof(AbutContact), results->pair_count);
}

/// By particles or, with a resolution of 0, by `adaptive`.
static bool time_step(const GpuBench* bench, const AbutHost* host, AbutDevice* device, KrayerScene* scene,
                      uint32_t resolution, StepTimes* out)
{
    double times[5][REPEATS] = { { 0.0 } };
    AbutCollider* collider = NULL;
    AbutCollideSettings settings = abut_collide_settings();
    const AbutPairsInput input = { scene->bodies, scene->body_count, scene->pairs, scene->pair_count };
    AbutCollideResults results = { 0 };
    settings.method = resolution > 0 ? ABUT_COLLIDE_PARTICLES : ABUT_COLLIDE_ADAPTIVE;
    settings.particles.resolution = resolution > 0 ? resolution : settings.particles.resolution;
    bool ok = abut_collider_create(host, &collider) == ABUT_OK;
    if (ok)
    {
        abut_collider_set_device(collider, device);
    }
    for (int i = -1; i < bench->repeats && ok; ++i) // the first is warm-up: fields, pipelines, memory
    {
        int k = i < 0 ? 0 : i;
        abut_collider_reset(collider);
        if (device != NULL)
        {
            abut_device_reset_stats(device);
        }
        double wall = bench_seconds(), cpu = bench_cpu_seconds();
        ok = abut_collide_pairs(collider, &input, &settings, &results) == ABUT_OK;
        times[0][k] = bench_seconds() - wall;
        times[1][k] = bench_cpu_seconds() - cpu;
        if (device != NULL)
        {
            AbutDeviceStats stats = abut_device_stats(device);
            times[2][k] = stats.device_seconds;
            times[3][k] = stats.wait_seconds;
            times[4][k] = stats.transfer_seconds;
            out->particles = stats.particles;
        }
    }
    double* medians[5] = { &out->wall, &out->cpu, &out->device, &out->wait, &out->transfer };
    for (int i = 0; i < 5; ++i)
    {
        *medians[i] = 1e3 * bench_median(times[i], bench->repeats);
    }
    out->hash = ok ? hash_contacts(&results) : 0;
    out->evaluations = results.evaluations;
    out->contact_count = results.contact_count;
    out->pair_count = results.pair_count;
    abut_collider_destroy(collider);
    return ok;
}

static void add_row(const GpuBench* bench, const char* name, const char* what, double value, const char* peer,
                    double peer_value)
{
    char text[96];
    snprintf(text, sizeof(text), "%s, %s", name, what);
    bench_report_row(bench->report, text, value, "ms", peer, peer_value, false);
}

static void name_step(int scene_number, int number, char* out, size_t size)
{
    if (number < RESOLUTIONS)
    {
        snprintf(out, size, "%s N = %" PRIu32, scene_names[scene_number], resolutions[number]);
    }
    else
    {
        snprintf(out, size, "%s, adaptive", scene_names[scene_number]);
    }
}

/// Rows of a step on the device, beside those of the processor.
static void add_step(const GpuBench* bench, const char* name, const StepTimes* on_device,
                     const StepTimes* all, const StepTimes* scalar, double paper_time)
{
    add_row(bench, name, "step", on_device->wall, "abut, all processors", all->wall);
    add_row(bench, name, "on the device", on_device->device, paper_time > 0.0 ? "GTX 1070, the paper" : NULL,
            paper_time);
    add_row(bench, name, "submission", on_device->wait - on_device->device, NULL, 0.0);
    add_row(bench, name, "transfers", on_device->transfer, NULL, 0.0);
    add_row(bench, name, "CPU time", on_device->cpu, "abut, scalar, CPU time", scalar->cpu);
    if (on_device->particles > 0)
    {
        char text[96];
        snprintf(text, sizeof(text), "%s, per particle step", name);
        bench_report_row(bench->report, text, 1e6 * on_device->device / (double)on_device->evaluations, "ns",
                         NULL, 0.0, false);
    }
}

/// One step by the processor and, unless it is NULL, on the device.
static bool run_step(const GpuBench* bench, AbutDevice* device, KrayerScene* scene, int scene_number,
                     int number)
{
    char name[48];
    StepTimes all = { 0 }, scalar = { 0 }, on_device = { 0 };
    uint32_t resolution = number < RESOLUTIONS ? resolutions[number] : 0;
    name_step(scene_number, number, name, sizeof(name));
    char* simd = strdup(abut_simd_name());
    bool ok = simd != NULL && time_step(bench, &bench->all, NULL, scene, resolution, &all);
    ok = ok && abut_simd_force("scalar") == ABUT_OK &&
         time_step(bench, &bench->one, NULL, scene, resolution, &scalar) && abut_simd_force(simd) == ABUT_OK;
    free(simd);
    ok = ok && (device == NULL || time_step(bench, &bench->all, device, scene, resolution, &on_device));
    if (!ok)
    {
        fprintf(stderr, "abut: bench gpu: %s\n", abut_last_error());
        return false;
    }
    if (device == NULL)
    {
        add_row(bench, name, "step", all.wall, "abut, scalar, one thread", scalar.wall);
        return true;
    }
    if (on_device.hash != all.hash || on_device.evaluations != all.evaluations)
    {
        fprintf(stderr, "abut: bench gpu: %s: the device has other contacts than the processor\n", name);
        return false;
    }
    add_step(bench, name, &on_device, &all, &scalar, resolution > 0 ? paper[scene_number][number] : 0.0);
    return true;
}

/// The scene falls, by the processor and on the device.
static bool run_world(const GpuBench* bench, AbutDevice* device, const KrayerScene* scene, int scene_number)
{
    static GpuWorld all, on_device;
    char text[96];
    bool ok = gpu_world_run(scene, &bench->all, NULL, &all) &&
              (device == NULL || gpu_world_run(scene, &bench->all, device, &on_device));
    if (!ok)
    {
        fprintf(stderr, "abut: bench gpu: %s\n", abut_last_error());
        return false;
    }
    int same = 0;
    while (device != NULL && same < GPU_WORLD_STEPS && all.hashes[same] == on_device.hashes[same])
    {
        same += 1;
    }
    if (device != NULL && same < GPU_WORLD_STEPS)
    {
        fprintf(stderr, "abut: bench gpu: %s: another world after %d steps on the device\n",
                scene_names[scene_number], same + 1);
        return false;
    }
    snprintf(text, sizeof(text), "%s, %d steps, hash %016" PRIx64 ", CPU time", scene_names[scene_number],
             GPU_WORLD_STEPS, all.hashes[GPU_WORLD_STEPS - 1]);
    bench_report_row(bench->report, text, device != NULL ? on_device.cpu_seconds : all.cpu_seconds, "s",
                     device != NULL ? "abut, CPU time" : NULL, all.cpu_seconds, false);
    return true;
}

/// What the fields of a scene and the steps took on the device.
static void add_memory(const GpuBench* bench, const AbutDeviceStats* stats, const KrayerScene* scene,
                       const char* name)
{
    char text[64];
    uint64_t chunk = abut_device_def().chunk_particles;
    double together = (double)(stats->particles < chunk ? stats->particles : chunk);
    snprintf(text, sizeof(text), "%s, fields on the device, each", name);
    bench_report_row(bench->report, text, (double)stats->field_bytes / (double)scene->shape_count, "bytes",
                     NULL, 0.0, false);
    snprintf(text, sizeof(text), "%s, other memory of the device", name);
    bench_report_row(bench->report, text, (double)stats->scratch_bytes, "bytes", NULL, 0.0, false);
    snprintf(text, sizeof(text), "%s, the same per million particles of a launch", name);
    bench_report_row(bench->report, text, 1e6 * (double)stats->scratch_bytes / together, "bytes", NULL, 0.0,
                     false);
}

/// All steps of a scene, on a device or, where it is NULL, by the processor alone.
static bool run_steps(const GpuBench* bench, AbutDevice* device, KrayerScene* scene, int number)
{
    bool ok = true;
    for (int i = 0; i < bench->resolution_count && ok; ++i)
    {
        ok = run_step(bench, device, scene, number, i);
    }
    AbutDeviceStats stats = device != NULL ? abut_device_stats(device) : (AbutDeviceStats){ 0 };
    ok = ok && run_step(bench, device, scene, number, RESOLUTIONS);
    if (ok && device != NULL)
    {
        add_memory(bench, &stats, scene, scene_names[number]);
    }
    return ok;
}

static bool run_scene(const GpuBench* bench, AbutDevice* device, int number)
{
    static bool (*const create[SCENES])(const KrayerFields*, KrayerScene*) = { krayer_scene_statues,
                                                                               krayer_scene_objects,
                                                                               krayer_scene_balls };
    KrayerScene* scene = calloc(1, sizeof(KrayerScene));
    bool ok = scene != NULL && create[number](&bench->fields, scene);
    ok = ok &&
         (bench->worlds ? run_world(bench, device, scene, number) : run_steps(bench, device, scene, number));
    if (scene != NULL)
    {
        krayer_scene_destroy(scene);
    }
    free(scene);
    return ok;
}

static bool run_scenes(const GpuBench* bench, AbutDevice* device)
{
    bool ok = true;
    for (int i = 0; i < SCENES && ok; ++i)
    {
        ok = (bench->scenes >> i & 1u) == 0 || run_scene(bench, device, i);
    }
    return ok;
}

static void print_device(const AbutDeviceInfo* info)
{
    printf("%" PRIu32 " %s, %s, %s, Vulkan %" PRIu32 ".%" PRIu32 ", %" PRIu64 " MiB, %s\n   %s\n",
           info->index, info->name, abut_device_kind_name(info->kind), info->driver, info->vulkan_major,
           info->vulkan_minor, info->memory_bytes >> 20,
           info->addresses ? "fields by address" : "fields bound", info->verdict);
}

static bool run_device(const GpuBench* bench, const AbutDeviceInfo* info)
{
    AbutDevice* device = NULL;
    char index[16];
    AbutDeviceDef def = abut_device_def();
    snprintf(index, sizeof(index), "%" PRIu32, info->index);
    def.name = index;
    def.two_passes = bench->two_passes;
    if (abut_device_create(&def, &device) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench gpu: %s\n", abut_last_error());
        return false;
    }
    fprintf(stderr, "%s\n", info->name);
    char text[64];
    snprintf(text, sizeof(text), "device %" PRIu32 ": %.48s", info->index, info->name);
    bench_report_row(bench->report, text, (double)(info->memory_bytes >> 20), "MiB", NULL, 0.0, true);
    bool ok = run_scenes(bench, device);
    abut_device_destroy(device);
    return ok;
}

static void read_arguments(GpuBench* bench, int count, char** arguments, bool* report)
{
    for (int i = 0; i < count; ++i)
    {
        bool known = false;
        for (int k = 0; k < SCENES; ++k)
        {
            bool same = strcmp(arguments[i], scene_names[k]) == 0;
            bench->scenes |= same ? 1u << k : 0;
            known = known || same;
        }
        if (strcmp(arguments[i], "quick") == 0)
        {
            bench->repeats = 1;
            bench->resolution_count = 2;
            bench->fields.resolution = 64;
        }
        else if (strcmp(arguments[i], "worlds") == 0)
        {
            bench->worlds = true;
        }
        else if (strcmp(arguments[i], "two_passes") == 0)
        {
            bench->two_passes = true;
        }
        else if (strcmp(arguments[i], "report") == 0)
        {
            *report = true;
        }
        else if (!known)
        {
            bench->device = arguments[i];
        }
    }
    bench->scenes = bench->scenes != 0 ? bench->scenes : (1u << SCENES) - 1u;
}

static bool is_wanted(const GpuBench* bench, const AbutDeviceInfo* info)
{
    char index[16];
    snprintf(index, sizeof(index), "%" PRIu32, info->index);
    return bench->device == NULL || strcmp(bench->device, "gpu") == 0 || strcmp(bench->device, index) == 0 ||
           strstr(info->name, bench->device) != NULL;
}

static bool run_devices(const GpuBench* bench, bool report)
{
    AbutDeviceInfo infos[MOST_DEVICES];
    uint32_t count, run = 0;
    if (bench->device != NULL && strcmp(bench->device, "cpu") == 0)
    {
        return run_scenes(bench, NULL);
    }
    if (abut_device_list(infos, MOST_DEVICES, &count) != ABUT_OK)
    {
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < count && i < MOST_DEVICES && ok; ++i)
    {
        if (report)
        {
            print_device(&infos[i]);
        }
        if (infos[i].usable && is_wanted(bench, &infos[i]))
        {
            ok = run_device(bench, &infos[i]);
            run += 1;
        }
    }
    if (run == 0)
    {
        fprintf(stderr, "abut: bench gpu: no device%s%s: %s\n", bench->device != NULL ? " " : "",
                bench->device != NULL ? bench->device : "", abut_last_error());
    }
    return ok && run > 0;
}

bool bench_gpu_run(BenchReport* report, int argument_count, char** arguments)
{
    GpuBench bench = { .report = report,
                       .fields = { ABUT_FIELD_FIRST_ORDER, 128 }, // as in the paper
                       .repeats = REPEATS,
                       .resolution_count = RESOLUTIONS };
    bool with_report = false;
    read_arguments(&bench, argument_count, arguments, &with_report);
    AbutWorkers *all = NULL, *one = NULL;
    bool ok = abut_workers_create(0, NULL, &all) == ABUT_OK && abut_workers_create(1, NULL, &one) == ABUT_OK;
    if (ok)
    {
        bench.all = abut_workers_host(all);
        bench.one = abut_workers_host(one);
        ok = run_devices(&bench, with_report);
    }
    abut_workers_destroy(all);
    abut_workers_destroy(one);
    return ok;
}
