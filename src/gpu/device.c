// Devices: the list of them, the choice of one, its creation and its end.
#include "gpu/device.h"

#include "base/memory.h"
#include "gpu/fields.h"
#include "gpu/launch.h"
#include "gpu/memory.h"
#include "gpu/records.h"
#include "gpu/self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_DEVICES = 64,
    MIN_CHUNK = 1 << 10,
    MAX_CHUNK = 1 << 22,
    DEFAULT_CHUNK = 1 << 18
};

#define NO_FAMILY UINT32_MAX

AbutDeviceDef abut_device_def(void)
{
    return (AbutDeviceDef){ .chunk_particles = DEFAULT_CHUNK };
}

const char* abut_device_kind_name(AbutDeviceKind kind)
{
    static const char* const names[ABUT_DEVICE_KIND_COUNT] = { "discrete", "integrated", "virtual", "other",
                                                               "software" };
    return (unsigned)kind < ABUT_DEVICE_KIND_COUNT ? names[kind] : "unknown";
}

// -----------------------------------------------------------------------------------------------------------
// Information
// -----------------------------------------------------------------------------------------------------------

static AbutDeviceKind kind_of(VkPhysicalDeviceType type)
{
    switch (type)
    {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return ABUT_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return ABUT_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return ABUT_DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return ABUT_DEVICE_SOFTWARE;
    default:
        return ABUT_DEVICE_OTHER;
    }
}

static uint64_t largest_heap(const VkPhysicalDeviceMemoryProperties* memory)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; ++i)
    {
        const VkMemoryHeap* heap = &memory->memoryHeaps[i];
        bool local = (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        most = local && heap->size > most ? heap->size : most;
    }
    return most;
}

static AbutDeviceInfo info_of(const AbutVulkan* vulkan, VkPhysicalDevice physical, uint32_t index)
{
    VkPhysicalDeviceProperties basic;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceVulkan12Properties more = { .sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES };
    VkPhysicalDeviceProperties2 all = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                        .pNext = &more };
    vulkan->GetPhysicalDeviceProperties(physical, &basic);
    vulkan->GetPhysicalDeviceMemoryProperties(physical, &memory);
    AbutDeviceInfo info = {
        .index = index,
        .kind = kind_of(basic.deviceType),
        .vulkan_major = VK_API_VERSION_MAJOR(basic.apiVersion),
        .vulkan_minor = VK_API_VERSION_MINOR(basic.apiVersion),
        .memory_bytes = largest_heap(&memory),
        .max_buffer_bytes = basic.limits.maxStorageBufferRange,
        .max_group = basic.limits.maxComputeWorkGroupInvocations,
    };
    snprintf(info.name, sizeof(info.name), "%s", basic.deviceName);
    if (basic.apiVersion >= VK_API_VERSION_1_2)
    {
        vulkan->GetPhysicalDeviceProperties2(physical, &all);
        snprintf(info.driver, sizeof(info.driver), "%.100s %.100s", more.driverName, more.driverInfo);
    }
    abut_text_sanitize(info.name);
    abut_text_sanitize(info.driver);
    return info;
}

/// The first queue family that computes.
static uint32_t compute_family(const AbutVulkan* vulkan, VkPhysicalDevice physical, uint32_t* timestamp_bits)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vulkan->GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; ++i)
    {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0)
        {
            *timestamp_bits = families[i].timestampValidBits;
            return i;
        }
    }
    return NO_FAMILY;
}

/// What a device lacks, or NULL.
static const char* find_lack(const AbutVulkan* vulkan, VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties properties;
    uint32_t bits;
    vulkan->GetPhysicalDeviceProperties(physical, &properties);
    const VkPhysicalDeviceLimits* limits = &properties.limits;
    if (properties.apiVersion < VK_API_VERSION_1_2)
    {
        return "it does not support Vulkan 1.2";
    }
    if (compute_family(vulkan, physical, &bits) == NO_FAMILY)
    {
        return "it has no queue for compute";
    }
    if (limits->maxComputeWorkGroupInvocations < GPU_SCAN_GROUP ||
        limits->maxComputeWorkGroupSize[0] < GPU_SCAN_GROUP)
    {
        return "its workgroups are too small";
    }
    return limits->maxPerStageDescriptorStorageBuffers < ABUT_GPU_BINDINGS ||
                   limits->maxStorageBufferRange < (4u << GPU_PAGE_BITS)
               ? "it binds too few or too small buffers"
               : NULL;
}

static bool has_addresses(const AbutVulkan* vulkan, VkPhysicalDevice physical)
{
    VkPhysicalDeviceVulkan12Features more = { .sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES };
    VkPhysicalDeviceFeatures2 all = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &more };
    vulkan->GetPhysicalDeviceFeatures2(physical, &all);
    return more.bufferDeviceAddress == VK_TRUE;
}

static bool has_portability_subset(const AbutVulkan* vulkan, VkPhysicalDevice physical)
{
    uint32_t count = 0;
    vulkan->EnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    VkExtensionProperties* extensions = calloc(count + 1u, sizeof(*extensions));
    bool present = false;
    if (extensions != NULL &&
        vulkan->EnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) >= 0)
    {
        for (uint32_t i = 0; i < count && !present; ++i)
        {
            present = strcmp(extensions[i].extensionName, "VK_KHR_portability_subset") == 0;
        }
    }
    free(extensions);
    return present;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_device(AbutDevice* device)
{
    const float priority = 1.0f;
    static const char* const extensions[] = { "VK_KHR_portability_subset" };
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = device->addresses ? VK_TRUE : VK_FALSE,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = has_portability_subset(&device->vulkan, device->physical) ? 1 : 0,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = device->vulkan.CreateDevice(device->physical, &info, NULL, &device->device);
    if (result != VK_SUCCESS)
    {
        device->device = VK_NULL_HANDLE;
        return abut_vulkan_fail(result, "vkCreateDevice");
    }
    if (!abut_vulkan_load_device(&device->vulkan, device->device, &device->call))
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: the driver of %s lacks functions of Vulkan 1.2",
                         device->info.name);
    }
    device->call.GetDeviceQueue(device->device, device->family, 0, &device->queue);
    return ABUT_OK;
}

static AbutResult set_up(AbutDevice* device)
{
    const char* lack = find_lack(&device->vulkan, device->physical);
    if (lack != NULL)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: %s cannot be used: %s", device->info.name, lack);
    }
    VkPhysicalDeviceProperties properties;
    uint32_t timestamp_bits = 0;
    device->vulkan.GetPhysicalDeviceProperties(device->physical, &properties);
    device->vulkan.GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    device->family = compute_family(&device->vulkan, device->physical, &timestamp_bits);
    device->tick = timestamp_bits > 0 ? 1e-9 * (double)properties.limits.timestampPeriod : 0.0;
    device->addresses = !device->def.bind_fields && has_addresses(&device->vulkan, device->physical);
    device->info.addresses = device->addresses;
    AbutResult result = create_device(device);
    result = result == ABUT_OK ? abut_gpu_create_queue(device) : result;
    return result == ABUT_OK ? abut_gpu_fields_create(device) : result;
}

AbutResult abut_gpu_device_open(const AbutDeviceDef* def, const AbutHost* host, AbutVulkan* vulkan,
                                VkPhysicalDevice physical, uint32_t index, AbutDevice** out)
{
    *out = NULL;
    AbutDevice* device = abut_memory_allocate_zero(host, 1, sizeof(AbutDevice));
    if (device == NULL)
    {
        abut_vulkan_close(vulkan);
        return ABUT_OUT_OF_MEMORY;
    }
    device->host = *host;
    device->vulkan = *vulkan;
    device->physical = physical;
    device->def = *def;
    device->info = info_of(vulkan, physical, index);
    AbutResult result = set_up(device);
    if (result != ABUT_OK)
    {
        abut_device_destroy(device);
        return result;
    }
    *out = device;
    return ABUT_OK;
}

void abut_device_destroy(AbutDevice* device)
{
    if (device == NULL)
    {
        return;
    }
    if (device->device != VK_NULL_HANDLE && device->call.DestroyDevice != NULL)
    {
        AbutGpuBuffer* buffers[] = { &device->staging,     &device->pairs,   &device->spans,
                                     &device->starts,      &device->scratch, &device->group_counts,
                                     &device->span_counts, &device->hits,    &device->boxes,
                                     &device->records,     &device->leaves,  &device->state,
                                     &device->keys,        &device->table };
        device->call.DeviceWaitIdle(device->device);
        abut_gpu_fields_destroy(device);
        for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); ++i)
        {
            abut_gpu_free(device, buffers[i]);
        }
        abut_gpu_destroy_queue(device);
        device->call.DestroyDevice(device->device, NULL);
    }
    abut_vulkan_close(&device->vulkan);
    AbutHost host = device->host;
    abut_memory_free(&host, device, 1, sizeof(AbutDevice));
}

/// Opens device `index` of a fresh loader, and tests it.
static AbutResult open_index(const AbutDeviceDef* def, const AbutHost* host, uint32_t index, AbutDevice** out)
{
    *out = NULL;
    AbutVulkan vulkan;
    VkPhysicalDevice devices[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    // Messages of the layer go to the caller's host, which must outlive the device.
    AbutResult result =
        abut_vulkan_open(def->validate ? (def->host != NULL ? def->host : host) : NULL, &vulkan);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (vulkan.EnumeratePhysicalDevices(vulkan.instance, &count, devices) < 0 || index >= count)
    {
        abut_vulkan_close(&vulkan);
        return abut_fail(ABUT_UNSUPPORTED, "gpu: there is no device %u any more", index);
    }
    result = abut_gpu_device_open(def, host, &vulkan, devices[index], index, out);
    if (result == ABUT_OK)
    {
        result = abut_gpu_self_test(*out, (*out)->info.verdict, sizeof((*out)->info.verdict));
        (*out)->info.usable = result == ABUT_OK;
        abut_device_reset_stats(*out);
    }
    if (result != ABUT_OK)
    {
        abut_device_destroy(*out);
        *out = NULL;
    }
    return result;
}

/// Information on all devices, without their self-tests.
static AbutResult scan(AbutDeviceInfo infos[MAX_DEVICES], uint32_t* count)
{
    AbutVulkan vulkan;
    VkPhysicalDevice devices[MAX_DEVICES];
    *count = 0;
    AbutResult result = abut_vulkan_open(NULL, &vulkan);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t available = MAX_DEVICES;
    if (vulkan.EnumeratePhysicalDevices(vulkan.instance, &available, devices) < 0)
    {
        available = 0;
    }
    for (uint32_t i = 0; i < available; ++i)
    {
        infos[i] = info_of(&vulkan, devices[i], i);
        infos[i].addresses = has_addresses(&vulkan, devices[i]);
    }
    abut_vulkan_close(&vulkan);
    *count = available;
    return available > 0 ? ABUT_OK : abut_fail(ABUT_UNSUPPORTED, "gpu: Vulkan has no device here");
}

AbutResult abut_device_list(AbutDeviceInfo* infos, uint32_t capacity, uint32_t* count)
{
    AbutHost host = abut_host_resolve(NULL);
    AbutDeviceInfo all[MAX_DEVICES];
    AbutDeviceDef def = abut_device_def();
    if (scan(all, count) != ABUT_OK)
    {
        return ABUT_OK; // the message stays
    }
    for (uint32_t i = 0; i < *count && i < capacity; ++i)
    {
        AbutDevice* device = NULL;
        infos[i] = all[i];
        AbutResult result = open_index(&def, &host, i, &device);
        if (result == ABUT_OUT_OF_MEMORY)
        {
            return result;
        }
        if (result == ABUT_OK)
        {
            infos[i] = device->info;
        }
        else
        {
            snprintf(infos[i].verdict, sizeof(infos[i].verdict), "%s", abut_last_error());
        }
        abut_device_destroy(device);
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Choice
// -----------------------------------------------------------------------------------------------------------

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool contains(const char* text, const char* piece)
{
    for (; *text != '\0'; ++text)
    {
        size_t i = 0;
        while (piece[i] != '\0' && lower(text[i]) == lower(piece[i]))
        {
            i += 1;
        }
        if (piece[i] == '\0')
        {
            return true;
        }
    }
    return false;
}

static bool is_automatic(const char* name)
{
    return name == NULL || name[0] == '\0' || strcmp(name, "gpu") == 0;
}

/// The index of a device, or `count`.
static uint32_t choose(const AbutDeviceInfo* infos, uint32_t count, const char* name)
{
    uint32_t best = count;
    if (!is_automatic(name) && strspn(name, "0123456789") == strlen(name))
    {
        unsigned long index = strtoul(name, NULL, 10);
        return index < count ? (uint32_t)index : count;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        bool fits = is_automatic(name) || contains(infos[i].name, name);
        if (fits && (best == count || infos[i].kind < infos[best].kind))
        {
            best = i;
        }
    }
    return best;
}

AbutResult abut_device_create(const AbutDeviceDef* def, AbutDevice** out)
{
    *out = NULL;
    AbutDeviceInfo infos[MAX_DEVICES];
    uint32_t count;
    AbutHost host = abut_host_resolve(def->host);
    if (def->chunk_particles < MIN_CHUNK || def->chunk_particles > MAX_CHUNK)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "gpu: %u particles of a launch; it must be %d to %d",
                         def->chunk_particles, MIN_CHUNK, MAX_CHUNK);
    }
    const char* name = is_automatic(def->name) ? getenv("ABUT_GPU") : def->name;
    AbutResult result = scan(infos, &count);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t index = choose(infos, count, name);
    if (index == count)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: no device is called '%s'%s; abut info --devices lists them",
                         name, is_automatic(def->name) ? ", as ABUT_GPU wants" : "");
    }
    return open_index(def, &host, index, out);
}

AbutDeviceInfo abut_device_info(const AbutDevice* device)
{
    return device->info;
}

AbutDeviceStats abut_device_stats(const AbutDevice* device)
{
    return device->stats;
}

void abut_device_reset_stats(AbutDevice* device)
{
    device->stats = (AbutDeviceStats){
        .field_bytes = device->stats.field_bytes,
        .scratch_bytes = device->stats.scratch_bytes,
    };
}
