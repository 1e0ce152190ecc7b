/// @file device.h
/// A device: its memory, and launches of shaders one after the other. Read device.c first; then
///   vulkan.c     the loader, opened at run time
///   memory.c     buffers, and copies from and to them
///   launch.c     descriptors, pipelines, command buffers, the queue
///   self_test.c  the device against the processor, operation by operation
///   fields.c     fields on the device, shared by all pairs
///   sample.c     samples of a field
///   pairs/       many pairs: walk.c, Algorithm 3; traverse.c, distance octrees
///
/// Everything is recorded in one command buffer, submitted and waited for: what a call records is complete
/// when it returns. So buffers may be freed and descriptors changed between calls.
#ifndef ABUT_GPU_DEVICE_H
#define ABUT_GPU_DEVICE_H

#include <abut/gpu.h>

#include "gpu/vulkan.h"

enum
{
    ABUT_GPU_BINDINGS = 16, // of a shader: 8, and pages of fields
    ABUT_GPU_FIELDS_BINDING = 0,
    ABUT_GPU_FIRST_PAGE = 8,
    ABUT_GPU_ANY_KIND = 6, // GPU_ANY_FIELD
    ABUT_GPU_KIND_COUNT
};

typedef enum AbutGpuShader
{
    ABUT_GPU_SELF_TEST,
    ABUT_GPU_SAMPLE,
    ABUT_GPU_WALK,
    ABUT_GPU_SCAN,
    ABUT_GPU_GATHER,
    ABUT_GPU_THIN,
    ABUT_GPU_OCTREE,
    ABUT_GPU_OCTREE_PLAN,
    ABUT_GPU_OCTREE_LEAVES,
    ABUT_GPU_SHADER_COUNT
} AbutGpuShader;

/// Device memory. All zero: none.
typedef struct AbutGpuBuffer
{
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t size;
    void* mapped; // where the processor can write to it, and read from its cache; or NULL
} AbutGpuBuffer;

struct AbutGpuFields;

struct AbutDevice
{
    AbutHost host;
    AbutVulkan vulkan;
    AbutVulkanDevice call;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkPhysicalDeviceMemoryProperties memory;
    AbutDeviceInfo info;
    AbutDeviceDef def;
    bool addresses;
    double tick; // seconds of a timestamp; 0: the queue has none
    AbutDeviceStats stats;

    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipelines[ABUT_GPU_SHADER_COUNT][ABUT_GPU_KIND_COUNT]; // made at their first use
    uint32_t field_kind; // of all fields of the next launches, or ABUT_GPU_ANY_KIND
    VkDescriptorPool set_pool;
    VkDescriptorSet set;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries;
    AbutGpuBuffer staging;

    struct AbutGpuFields* fields;
    AbutGpuBuffer pairs, spans, starts, scratch, group_counts, span_counts, hits; // of pairs/walk.c
    AbutGpuBuffer keys, table;                                                    // of pairs/thin.c
    AbutGpuBuffer boxes, records, leaves, state; // of pairs/traverse.c, with others of the walk

    bool lost;
    uint32_t fail_after;      // submissions until `failure`; 0: never. For tests
    AbutResult failure;       // ABUT_DEVICE_LOST or ABUT_OUT_OF_MEMORY
    uint32_t fail_allocation; // allocations of device memory until one fails; 0: never. For tests
    uint32_t most_boxes;      // of a chunk of traversals; 0: many. For tests
    bool test_hazard;         // leaves out barriers, so that tests see that validation is on
};

/// A device of an open loader, with queue and memory, but not tested. Takes the loader, also on failure.
AbutResult abut_gpu_device_open(const AbutDeviceDef* def, const AbutHost* host, AbutVulkan* vulkan,
                                VkPhysicalDevice physical, uint32_t index, AbutDevice** out);

#endif
