// Launches of shaders: one command buffer, one set of bindings, one queue.
#include "gpu/launch.h"

#include "gpu/clock.h"

enum
{
    PUSH_SIZE = 32,
    BOUND = 8 // bindings beside pages of fields
};

#define TIMEOUT UINT64_C(120000000000) // nanoseconds until a device counts as lost

static uint32_t binding_count(const AbutDevice* device)
{
    return device->addresses ? BOUND : ABUT_GPU_BINDINGS;
}

static VkResult create_layout(AbutDevice* device)
{
    VkDescriptorSetLayoutBinding bindings[ABUT_GPU_BINDINGS];
    for (uint32_t i = 0; i < ABUT_GPU_BINDINGS; ++i)
    {
        bindings[i] = (VkDescriptorSetLayoutBinding){ i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                      VK_SHADER_STAGE_COMPUTE_BIT, NULL };
    }
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = binding_count(device),
        .pBindings = bindings,
    };
    VkResult result =
        device->call.CreateDescriptorSetLayout(device->device, &set_info, NULL, &device->set_layout);
    const VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_SIZE };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &device->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    return result == VK_SUCCESS
               ? device->call.CreatePipelineLayout(device->device, &info, NULL, &device->layout)
               : result;
}

static VkResult create_set(AbutDevice* device)
{
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, binding_count(device) };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkResult result = device->call.CreateDescriptorPool(device->device, &info, NULL, &device->set_pool);
    if (result != VK_SUCCESS)
    {
        return result;
    }
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = device->set_pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &device->set_layout,
    };
    return device->call.AllocateDescriptorSets(device->device, &set, &device->set);
}

static VkResult create_commands(AbutDevice* device)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->family,
    };
    VkResult result = device->call.CreateCommandPool(device->device, &pool, NULL, &device->command_pool);
    if (result != VK_SUCCESS)
    {
        return result;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->command_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    result = device->call.AllocateCommandBuffers(device->device, &info, &device->commands);
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    result = result == VK_SUCCESS ? device->call.CreateFence(device->device, &fence, NULL, &device->fence)
                                  : result;
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2,
    };
    return result == VK_SUCCESS && device->tick > 0.0
               ? device->call.CreateQueryPool(device->device, &queries, NULL, &device->queries)
               : result;
}

AbutResult abut_gpu_create_queue(AbutDevice* device)
{
    VkResult result = create_layout(device);
    result = result == VK_SUCCESS ? create_set(device) : result;
    result = result == VK_SUCCESS ? create_commands(device) : result;
    return result == VK_SUCCESS ? ABUT_OK : abut_vulkan_fail(result, "creation of the queue");
}

void abut_gpu_destroy_queue(AbutDevice* device)
{
    const AbutVulkanDevice* call = &device->call;
    for (int i = 0; i < ABUT_GPU_SHADER_COUNT; ++i)
    {
        for (int kind = 0; kind < ABUT_GPU_KIND_COUNT; ++kind)
        {
            call->DestroyPipeline(device->device, device->pipelines[i][kind], NULL);
        }
    }
    call->DestroyQueryPool(device->device, device->queries, NULL);
    call->DestroyFence(device->device, device->fence, NULL);
    call->DestroyCommandPool(device->device, device->command_pool, NULL);
    call->DestroyDescriptorPool(device->device, device->set_pool, NULL);
    call->DestroyPipelineLayout(device->device, device->layout, NULL);
    call->DestroyDescriptorSetLayout(device->device, device->set_layout, NULL);
}

/// Launches of few samples are not worth pipelines of their own.
static uint32_t kind_of(const AbutDevice* device, AbutGpuShader shader)
{
    return shader == ABUT_GPU_WALK || shader == ABUT_GPU_OCTREE_LEAVES ? device->field_kind
                                                                       : ABUT_GPU_ANY_KIND;
}

static AbutResult create_pipeline(AbutDevice* device, AbutGpuShader shader, uint32_t kind)
{
    size_t size;
    const uint32_t* code = abut_gpu_spirv(shader, device->addresses, &size);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size,
        .pCode = code,
    };
    VkShaderModule module;
    VkResult result = device->call.CreateShaderModule(device->device, &info, NULL, &module);
    if (result != VK_SUCCESS)
    {
        return abut_vulkan_fail(result, "vkCreateShaderModule");
    }
    const VkSpecializationMapEntry entry = { 0, 0, sizeof(kind) }; // field_kind of shaders/field.glsl
    const VkSpecializationInfo constants = { 1, &entry, sizeof(kind), &kind };
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main",
                   .pSpecializationInfo = &constants },
        .layout = device->layout,
    };
    result = device->call.CreateComputePipelines(device->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
                                                 &device->pipelines[shader][kind]);
    device->call.DestroyShaderModule(device->device, module, NULL);
    return result == VK_SUCCESS ? ABUT_OK : abut_vulkan_fail(result, "vkCreateComputePipelines");
}

void abut_gpu_bind(AbutDevice* device, const AbutGpuBuffer* const buffers[ABUT_GPU_BINDINGS])
{
    VkDescriptorBufferInfo infos[ABUT_GPU_BINDINGS];
    VkWriteDescriptorSet writes[ABUT_GPU_BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < binding_count(device); ++i)
    {
        if (buffers[i] == NULL || buffers[i]->buffer == VK_NULL_HANDLE)
        {
            continue;
        }
        infos[count] = (VkDescriptorBufferInfo){ buffers[i]->buffer, 0, VK_WHOLE_SIZE };
        writes[count] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = device->set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[count],
        };
        count += 1;
    }
    device->call.UpdateDescriptorSets(device->device, count, writes, 0, NULL);
}

AbutResult abut_gpu_begin(AbutDevice* device)
{
    if (device->lost)
    {
        return abut_vulkan_fail(VK_ERROR_DEVICE_LOST, "launch");
    }
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkResult result = device->call.BeginCommandBuffer(device->commands, &info);
    if (result != VK_SUCCESS)
    {
        return abut_vulkan_fail(result, "vkBeginCommandBuffer");
    }
    if (device->tick > 0.0)
    {
        device->call.CmdResetQueryPool(device->commands, device->queries, 0, 2);
        device->call.CmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, device->queries,
                                       0);
    }
    return ABUT_OK;
}

/// Records what comes before a launch.
static AbutResult prepare(AbutDevice* device, AbutGpuShader shader, const void* push, uint32_t push_size)
{
    uint32_t kind = kind_of(device, shader);
    AbutResult result =
        device->pipelines[shader][kind] != VK_NULL_HANDLE ? ABUT_OK : create_pipeline(device, shader, kind);
    if (result != ABUT_OK)
    {
        device->call.EndCommandBuffer(device->commands);
        return result;
    }
    VkCommandBuffer commands = device->commands;
    device->call.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, device->pipelines[shader][kind]);
    device->call.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, device->layout, 0, 1,
                                       &device->set, 0, NULL);
    device->call.CmdPushConstants(commands, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_size, push);
    return ABUT_OK;
}

AbutResult abut_gpu_dispatch(AbutDevice* device, AbutGpuShader shader, const void* push, uint32_t push_size,
                             uint32_t group_count)
{
    AbutResult result = prepare(device, shader, push, push_size);
    if (result == ABUT_OK)
    {
        device->call.CmdDispatch(device->commands, group_count, 1, 1);
        abut_gpu_barrier(device);
    }
    return result;
}

AbutResult abut_gpu_dispatch_indirect(AbutDevice* device, AbutGpuShader shader, const void* push,
                                      uint32_t push_size, const AbutGpuBuffer* buffer, uint64_t offset)
{
    AbutResult result = prepare(device, shader, push, push_size);
    if (result == ABUT_OK)
    {
        device->call.CmdDispatchIndirect(device->commands, buffer->buffer, offset);
        abut_gpu_barrier(device);
    }
    return result;
}

void abut_gpu_fill_zero(AbutDevice* device, const AbutGpuBuffer* buffer)
{
    device->call.CmdFillBuffer(device->commands, buffer->buffer, 0, VK_WHOLE_SIZE, 0);
    abut_gpu_barrier(device);
}

void abut_gpu_barrier(AbutDevice* device)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkPipelineStageFlags readers = VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                         VK_ACCESS_HOST_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
    };
    if (!device->test_hazard)
    {
        device->call.CmdPipelineBarrier(device->commands, stages, stages | readers, 0, 1, &barrier, 0, NULL,
                                        0, NULL);
    }
}

/// Tests decide that a submission fails.
static VkResult planned_failure(AbutDevice* device)
{
    if (device->fail_after == 0 || --device->fail_after > 0)
    {
        return VK_SUCCESS;
    }
    return device->failure == ABUT_DEVICE_LOST ? VK_ERROR_DEVICE_LOST : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult run(AbutDevice* device)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &device->commands,
    };
    VkResult result = device->call.EndCommandBuffer(device->commands);
    result = result == VK_SUCCESS ? planned_failure(device) : result;
    result = result == VK_SUCCESS ? device->call.ResetFences(device->device, 1, &device->fence) : result;
    result = result == VK_SUCCESS ? device->call.QueueSubmit(device->queue, 1, &info, device->fence) : result;
    return result == VK_SUCCESS
               ? device->call.WaitForFences(device->device, 1, &device->fence, VK_TRUE, TIMEOUT)
               : result;
}

AbutResult abut_gpu_submit(AbutDevice* device, bool launches)
{
    double start = abut_gpu_seconds();
    if (device->tick > 0.0)
    {
        device->call.CmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                       device->queries, 1);
    }
    VkResult result = run(device);
    device->stats.submissions += 1;
    device->lost = device->lost || result == VK_ERROR_DEVICE_LOST || result == VK_TIMEOUT;
    if (result != VK_SUCCESS)
    {
        return abut_vulkan_fail(result, "vkQueueSubmit");
    }
    uint64_t ticks[2];
    if (launches && device->tick > 0.0 &&
        device->call.GetQueryPoolResults(device->device, device->queries, 0, 2, sizeof(ticks), ticks,
                                         sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT) == VK_SUCCESS)
    {
        device->stats.device_seconds += (double)(ticks[1] - ticks[0]) * device->tick;
    }
    device->stats.wait_seconds += launches ? abut_gpu_seconds() - start : 0.0;
    return ABUT_OK;
}
