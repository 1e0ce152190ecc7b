// The shaders, compiled by the build (tools/cmake/AbutShaders.cmake).
#include "gpu/launch.h"

#include <abut_shaders.h>

typedef struct Spirv
{
    const uint32_t* code;
    size_t size;
} Spirv;

#define SPIRV(name)                                                                                          \
    {                                                                                                        \
        { abut_spirv_##name, sizeof(abut_spirv_##name) },                                                    \
        {                                                                                                    \
            abut_spirv_##name##_addresses, sizeof(abut_spirv_##name##_addresses)                             \
        }                                                                                                    \
    }

static const Spirv shaders[ABUT_GPU_SHADER_COUNT][2] = {
    [ABUT_GPU_SELF_TEST] = SPIRV(self_test),
    [ABUT_GPU_SAMPLE] = SPIRV(sample),
    [ABUT_GPU_WALK] = SPIRV(walk),
    [ABUT_GPU_SCAN] = SPIRV(scan),
    [ABUT_GPU_GATHER] = SPIRV(gather),
    [ABUT_GPU_THIN] = SPIRV(thin),
    [ABUT_GPU_OCTREE] = SPIRV(octree),
    [ABUT_GPU_OCTREE_PLAN] = SPIRV(octree_plan),
    [ABUT_GPU_OCTREE_LEAVES] = SPIRV(octree_leaves),
};

const uint32_t* abut_gpu_spirv(AbutGpuShader shader, bool addresses, size_t* size)
{
    const Spirv* spirv = &shaders[shader][addresses ? 1 : 0];
    *size = spirv->size;
    return spirv->code;
}

const char* abut_gpu_shader_name(AbutGpuShader shader)
{
    static const char* const names[ABUT_GPU_SHADER_COUNT] = {
        "self_test", "sample", "walk", "scan", "gather", "thin", "octree", "octree_plan", "octree_leaves",
    };
    return names[shader];
}
