/// @file vulkan.h
/// The functions of Vulkan that are used, from a loader that is opened at run time.
#ifndef ABUT_GPU_VULKAN_H
#define ABUT_GPU_VULKAN_H

#include <abut/base.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#define ABUT_GPU_INSTANCE_FUNCTIONS(X)                                                                       \
    X(DestroyInstance)                                                                                       \
    X(EnumeratePhysicalDevices)                                                                              \
    X(GetPhysicalDeviceProperties)                                                                           \
    X(GetPhysicalDeviceProperties2)                                                                          \
    X(GetPhysicalDeviceFeatures2)                                                                            \
    X(GetPhysicalDeviceMemoryProperties)                                                                     \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                                \
    X(EnumerateDeviceExtensionProperties)                                                                    \
    X(CreateDevice)                                                                                          \
    X(GetDeviceProcAddr)

#define ABUT_GPU_DEVICE_FUNCTIONS(X)                                                                         \
    X(DestroyDevice)                                                                                         \
    X(DeviceWaitIdle)                                                                                        \
    X(GetDeviceQueue)                                                                                        \
    X(CreateBuffer)                                                                                          \
    X(DestroyBuffer)                                                                                         \
    X(GetBufferMemoryRequirements)                                                                           \
    X(AllocateMemory)                                                                                        \
    X(FreeMemory)                                                                                            \
    X(BindBufferMemory)                                                                                      \
    X(MapMemory)                                                                                             \
    X(GetBufferDeviceAddress)                                                                                \
    X(CreateShaderModule)                                                                                    \
    X(DestroyShaderModule)                                                                                   \
    X(CreateDescriptorSetLayout)                                                                             \
    X(DestroyDescriptorSetLayout)                                                                            \
    X(CreatePipelineLayout)                                                                                  \
    X(DestroyPipelineLayout)                                                                                 \
    X(CreateComputePipelines)                                                                                \
    X(DestroyPipeline)                                                                                       \
    X(CreateDescriptorPool)                                                                                  \
    X(DestroyDescriptorPool)                                                                                 \
    X(AllocateDescriptorSets)                                                                                \
    X(UpdateDescriptorSets)                                                                                  \
    X(CreateCommandPool)                                                                                     \
    X(DestroyCommandPool)                                                                                    \
    X(AllocateCommandBuffers)                                                                                \
    X(BeginCommandBuffer)                                                                                    \
    X(EndCommandBuffer)                                                                                      \
    X(CmdBindPipeline)                                                                                       \
    X(CmdBindDescriptorSets)                                                                                 \
    X(CmdPushConstants)                                                                                      \
    X(CmdDispatch)                                                                                           \
    X(CmdDispatchIndirect)                                                                                   \
    X(CmdPipelineBarrier)                                                                                    \
    X(CmdCopyBuffer)                                                                                         \
    X(CmdFillBuffer)                                                                                         \
    X(CreateQueryPool)                                                                                       \
    X(DestroyQueryPool)                                                                                      \
    X(CmdResetQueryPool)                                                                                     \
    X(CmdWriteTimestamp)                                                                                     \
    X(GetQueryPoolResults)                                                                                   \
    X(CreateFence)                                                                                           \
    X(DestroyFence)                                                                                          \
    X(ResetFences)                                                                                           \
    X(WaitForFences)                                                                                         \
    X(QueueSubmit)

#define ABUT_GPU_MEMBER(name) PFN_vk##name name;

/// A loader and an instance of it. All zero: none.
typedef struct AbutVulkan
{
    void* library;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    const AbutHost* log; // of messages of the validation layer
    PFN_vkGetInstanceProcAddr get;
    ABUT_GPU_INSTANCE_FUNCTIONS(ABUT_GPU_MEMBER)
} AbutVulkan;

/// The functions of one device.
typedef struct AbutVulkanDevice
{
    ABUT_GPU_DEVICE_FUNCTIONS(ABUT_GPU_MEMBER)
} AbutVulkanDevice;

/// `log` receives the messages of the validation layer, and must stay; NULL: without the layer.
/// @return ABUT_UNSUPPORTED with a message where there is no loader, or none for Vulkan 1.2, or no layer
AbutResult abut_vulkan_open(const AbutHost* log, AbutVulkan* out);

void abut_vulkan_close(AbutVulkan* vulkan);

/// False where a function is missing.
bool abut_vulkan_load_device(const AbutVulkan* vulkan, VkDevice device, AbutVulkanDevice* out);

/// A failed call as a result, with a message.
AbutResult abut_vulkan_fail(VkResult result, const char* call);

#endif
