// Buffers of a device. Where the processor can map device memory and read it from its cache, as on integrated
// and software devices, it copies itself; elsewhere through a staging buffer.
#include "gpu/memory.h"

#include "gpu/clock.h"
#include "gpu/launch.h"

#include <string.h>

#define STAGING_SIZE (UINT64_C(8) << 20)

enum
{
    HOST_MEMORY = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    MAPPED_MEMORY = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_MEMORY | VK_MEMORY_PROPERTY_HOST_CACHED_BIT
};

/// A type of memory with all of the properties; UINT32_MAX for none.
static uint32_t find_type(const AbutDevice* device, uint32_t allowed, VkMemoryPropertyFlags properties)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; ++i)
    {
        if ((allowed >> i & 1u) != 0 &&
            (device->memory.memoryTypes[i].propertyFlags & properties) == properties)
        {
            return i;
        }
    }
    return UINT32_MAX;
}

/// The best type for device memory, or for staging: cached, if there is such.
static uint32_t choose_type(const AbutDevice* device, uint32_t allowed, bool staging)
{
    VkMemoryPropertyFlags choices[2] = { MAPPED_MEMORY, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT };
    if (staging)
    {
        choices[0] = HOST_MEMORY | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        choices[1] = HOST_MEMORY;
    }
    uint32_t type = device->def.stage && !staging ? UINT32_MAX : find_type(device, allowed, choices[0]);
    return type != UINT32_MAX ? type : find_type(device, allowed, choices[1]);
}

static AbutResult allocate(AbutDevice* device, bool staging, AbutGpuBuffer* buffer)
{
    VkMemoryRequirements needed;
    device->call.GetBufferMemoryRequirements(device->device, buffer->buffer, &needed);
    uint32_t type = choose_type(device, needed.memoryTypeBits, staging);
    if (type == UINT32_MAX)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: %s has no memory of a kind that is needed",
                         device->info.name);
    }
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = device->addresses ? &flags : NULL,
        .allocationSize = needed.size,
        .memoryTypeIndex = type,
    };
    bool fails = device->fail_allocation > 0 && --device->fail_allocation == 0;
    VkResult result = fails ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                            : device->call.AllocateMemory(device->device, &info, NULL, &buffer->memory);
    if (result != VK_SUCCESS)
    {
        return abut_vulkan_fail(result, "vkAllocateMemory");
    }
    result = device->call.BindBufferMemory(device->device, buffer->buffer, buffer->memory, 0);
    VkMemoryPropertyFlags properties = device->memory.memoryTypes[type].propertyFlags;
    bool map = staging || (!device->def.stage && (properties & MAPPED_MEMORY) == MAPPED_MEMORY);
    if (result == VK_SUCCESS && map)
    {
        result = device->call.MapMemory(device->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
    }
    return result == VK_SUCCESS ? ABUT_OK : abut_vulkan_fail(result, "vkMapMemory");
}

static AbutResult create(AbutDevice* device, uint64_t size, bool staging, AbutGpuBuffer* buffer)
{
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage | (device->addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0u),
    };
    VkResult created = device->call.CreateBuffer(device->device, &info, NULL, &buffer->buffer);
    if (created != VK_SUCCESS)
    {
        return abut_vulkan_fail(created, "vkCreateBuffer");
    }
    AbutResult result = allocate(device, staging, buffer);
    if (result != ABUT_OK)
    {
        abut_gpu_free(device, buffer);
        return result;
    }
    buffer->size = size;
    device->stats.scratch_bytes += size;
    return ABUT_OK;
}

AbutResult abut_gpu_reserve(AbutDevice* device, uint64_t size, AbutGpuBuffer* buffer)
{
    if (buffer->size >= size && buffer->size > 0)
    {
        return ABUT_OK;
    }
    uint64_t twice = 2 * buffer->size;
    abut_gpu_free(device, buffer);
    return create(device, size > twice ? (size + 255) / 256 * 256 : twice, false, buffer);
}

void abut_gpu_free(AbutDevice* device, AbutGpuBuffer* buffer)
{
    if (buffer->buffer != VK_NULL_HANDLE)
    {
        device->call.DestroyBuffer(device->device, buffer->buffer, NULL);
    }
    if (buffer->memory != VK_NULL_HANDLE)
    {
        device->call.FreeMemory(device->device, buffer->memory, NULL); // and unmaps it
    }
    device->stats.scratch_bytes -= buffer->size;
    *buffer = (AbutGpuBuffer){ 0 };
}

uint64_t abut_gpu_address(const AbutDevice* device, const AbutGpuBuffer* buffer)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer->buffer,
    };
    return device->call.GetBufferDeviceAddress(device->device, &info);
}

/// One copy through the staging buffer.
static AbutResult stage(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, uint64_t size,
                        bool upload)
{
    AbutResult result = abut_gpu_begin(device);
    if (result != ABUT_OK)
    {
        return result;
    }
    const VkBufferCopy region = { upload ? 0 : offset, upload ? offset : 0, size };
    device->call.CmdCopyBuffer(device->commands, upload ? device->staging.buffer : buffer->buffer,
                               upload ? buffer->buffer : device->staging.buffer, 1, &region);
    abut_gpu_barrier(device);
    return abut_gpu_submit(device, false);
}

static AbutResult transfer(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, void* out,
                           const void* data, uint64_t size)
{
    if (device->lost)
    {
        return abut_vulkan_fail(VK_ERROR_DEVICE_LOST, "copy");
    }
    if (buffer->mapped != NULL)
    {
        if (data != NULL)
        {
            memcpy((char*)buffer->mapped + offset, data, size);
        }
        else
        {
            memcpy(out, (const char*)buffer->mapped + offset, size);
        }
        return ABUT_OK;
    }
    AbutResult result =
        device->staging.size > 0 ? ABUT_OK : create(device, STAGING_SIZE, true, &device->staging);
    for (uint64_t done = 0; result == ABUT_OK && done < size;)
    {
        uint64_t piece = size - done < STAGING_SIZE ? size - done : STAGING_SIZE;
        if (data != NULL)
        {
            memcpy(device->staging.mapped, (const char*)data + done, piece);
        }
        result = stage(device, buffer, offset + done, piece, data != NULL);
        if (result == ABUT_OK && data == NULL)
        {
            memcpy((char*)out + done, device->staging.mapped, piece);
        }
        done += piece;
    }
    return result;
}

AbutResult abut_gpu_write(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, const void* data,
                          uint64_t size)
{
    double start = abut_gpu_seconds();
    AbutResult result = size > 0 ? transfer(device, buffer, offset, NULL, data, size) : ABUT_OK;
    device->stats.transfer_seconds += abut_gpu_seconds() - start;
    device->stats.uploaded_bytes += size;
    return result;
}

AbutResult abut_gpu_read(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, void* out,
                         uint64_t size)
{
    double start = abut_gpu_seconds();
    AbutResult result = size > 0 ? transfer(device, buffer, offset, out, NULL, size) : ABUT_OK;
    device->stats.transfer_seconds += abut_gpu_seconds() - start;
    device->stats.downloaded_bytes += size;
    return result;
}
