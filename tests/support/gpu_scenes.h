/// @file gpu_scenes.h
/// Pairs of fields of all formats, and hashes of their contacts, for tests that compare devices with the
/// processor.
#ifndef ABUT_TEST_GPU_SCENES_H
#define ABUT_TEST_GPU_SCENES_H

#include "support/support.h"

#include <abut/abut.h>

typedef struct GpuScene
{
    AbutShape* fields[8];
    uint32_t field_count;
    AbutCollideBody* bodies;
    size_t body_count;
    AbutBodyPair* pairs;
    size_t pair_count;
    AbutCollideSettings settings; // of particles
} GpuScene;

/// All pairs of neighbours in the list of bodies, each way round, `distance` from the origin.
GpuScene gpu_scene_make(uint32_t field_count, size_t body_count, size_t pair_count, bool scaled,
                        double distance);

void gpu_scene_free(GpuScene* scene);

/// Destroys the shape.
AbutShape* gpu_scene_bake(AbutShape* shape, AbutFieldFormat format, bool sparse, uint32_t resolution);

/// A shared mesh as a field, or NULL where there is none (ABUT_SHARED_MESHES).
AbutShape* gpu_scene_bake_mesh(const char* name, AbutFieldFormat format, bool sparse, uint32_t resolution);

/// Everything of a step in one hash.
uint64_t gpu_scene_hash(const AbutCollideResults* results);

/// Runs a check on each device of this machine. Those of the default definition are of earlier checks.
void gpu_each_device(AbutDeviceDef def, void (*check)(AbutDevice* device));

/// A check of two definitions, each on every other device.
void gpu_devices_alternately(AbutDeviceDef even, AbutDeviceDef odd, void (*check)(AbutDevice* device));

/// The teardown of tests that used it.
int gpu_close_devices(void** state);

#endif
