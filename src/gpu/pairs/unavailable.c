// In place of the other files where the library was built without glslang or the headers of Vulkan.
#include "base/fp_env.h"

#include "gpu/pairs/traverse.h"
#include "gpu/pairs/walk.h"

#define REASON "gpu: this library was built without glslang or the headers of Vulkan"

AbutDeviceDef abut_device_def(void)
{
    return (AbutDeviceDef){ .chunk_particles = 1u << 18 };
}

const char* abut_device_kind_name(AbutDeviceKind kind)
{
    static const char* const names[ABUT_DEVICE_KIND_COUNT] = { "discrete", "integrated", "virtual", "other",
                                                               "software" };
    return (unsigned)kind < ABUT_DEVICE_KIND_COUNT ? names[kind] : "unknown";
}

AbutResult abut_device_list(AbutDeviceInfo* infos, uint32_t capacity, uint32_t* count)
{
    (void)infos;
    (void)capacity;
    *count = 0;
    abut_fail(ABUT_UNSUPPORTED, REASON);
    return ABUT_OK;
}

AbutResult abut_device_create(const AbutDeviceDef* def, AbutDevice** out)
{
    (void)def;
    *out = NULL;
    return abut_fail(ABUT_UNSUPPORTED, REASON);
}

// The rest is never called: no device exists.

void abut_device_destroy(AbutDevice* device)
{
    (void)device;
}

AbutDeviceInfo abut_device_info(const AbutDevice* device)
{
    (void)device;
    return (AbutDeviceInfo){ 0 };
}

AbutDeviceStats abut_device_stats(const AbutDevice* device)
{
    (void)device;
    return (AbutDeviceStats){ 0 };
}

void abut_device_reset_stats(AbutDevice* device)
{
    (void)device;
}

AbutResult abut_device_sample(AbutDevice* device, const AbutShape* field, AbutPoints points, size_t count,
                              AbutSamples out)
{
    ABUT_FP_CALL(abut_device_sample, device, field, points, count, out);
    return abut_fail(ABUT_UNSUPPORTED, REASON);
}

void abut_gpu_walk_begin(AbutDevice* device)
{
    (void)device;
}

bool abut_gpu_walk_side(const AbutKernelTransform* transform, float inflate, GpuSide* out)
{
    (void)transform;
    (void)inflate;
    (void)out;
    return false;
}

AbutResult abut_gpu_walk_field(AbutDevice* device, const AbutShape* field, uint32_t* number)
{
    (void)device;
    (void)field;
    (void)number;
    return abut_fail(ABUT_UNSUPPORTED, REASON);
}

AbutResult abut_gpu_walk(AbutDevice* device, const AbutGpuWalk* walk, AbutGpuReceiveFn* receive,
                         void* context)
{
    (void)device;
    (void)walk;
    (void)receive;
    (void)context;
    return abut_fail(ABUT_UNSUPPORTED, REASON);
}

bool abut_gpu_record_octree(const AbutDualOctree* octree, const AbutPair* pair, GpuOctreePair* out)
{
    (void)octree;
    (void)pair;
    (void)out;
    return false;
}

AbutResult abut_gpu_traverse(AbutDevice* device, const GpuOctreePair* pairs, size_t pair_count,
                             AbutGpuTraversal* traversals, AbutGpuTraversed* out)
{
    (void)device;
    (void)pairs;
    (void)pair_count;
    (void)traversals;
    (void)out;
    return abut_fail(ABUT_UNSUPPORTED, REASON);
}

void abut_gpu_traversed_free(const AbutHost* host, AbutGpuTraversed* traversed)
{
    (void)host;
    (void)traversed;
}
