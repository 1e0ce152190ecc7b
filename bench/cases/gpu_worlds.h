/// @file gpu_worlds.h (internal to bench gpu)
/// Worlds of the scenes of Krayer et al. (krayer_scenes.h), with and without a device.
#ifndef ABUT_BENCH_GPU_WORLDS_H
#define ABUT_BENCH_GPU_WORLDS_H

#include "krayer_scenes.h"

enum
{
    GPU_WORLD_STEPS = 120
};

/// A world of a scene.
typedef struct GpuWorld
{
    double cpu_seconds;               // of all steps
    uint64_t hashes[GPU_WORLD_STEPS]; // after each
} GpuWorld;

/// The bodies of a scene fall for GPU_WORLD_STEPS of a sixtieth; NULL: without a device.
bool gpu_world_run(const KrayerScene* scene, const AbutHost* host, AbutDevice* device, GpuWorld* out);

#endif
