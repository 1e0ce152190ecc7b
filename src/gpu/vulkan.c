// The Vulkan loader, opened at run time, and an instance.
#include "gpu/vulkan.h"

#include <dlfcn.h>
#include <string.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

static void* open_library(void)
{
    static const char* const names[] = { "libvulkan.so.1", "libvulkan.so", "libvulkan.1.dylib",
                                         "libMoltenVK.dylib" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        void* library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
        {
            return library;
        }
    }
    return NULL;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL report(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* user)
{
    (void)types;
    const AbutHost* host = user;
    host->log(host->user,
              severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? ABUT_LOG_ERROR : ABUT_LOG_WARNING,
              data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(const AbutHost* log)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = report,
        .pUserData = (void*)log,
    };
}

static bool has_layer(const AbutVulkan* vulkan)
{
    PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)vulkan->get(NULL, "vkEnumerateInstanceLayerProperties");
    VkLayerProperties layers[64];
    uint32_t count = 64;
    if (enumerate == NULL || enumerate(&count, layers) < 0)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strcmp(layers[i].layerName, VALIDATION_LAYER) == 0)
        {
            return true;
        }
    }
    return false;
}

/// Of layers on top of Vulkan that are not complete (MoltenVK).
static bool has_portability(const AbutVulkan* vulkan)
{
    PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)vulkan->get(NULL,
                                                                "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties extensions[128];
    uint32_t count = 128;
    if (enumerate == NULL || enumerate(NULL, &count, extensions) < 0)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strcmp(extensions[i].extensionName, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME) == 0)
        {
            return true;
        }
    }
    return false;
}

static AbutResult create_instance(const AbutHost* log, AbutVulkan* vulkan)
{
    PFN_vkEnumerateInstanceVersion version =
        (PFN_vkEnumerateInstanceVersion)vulkan->get(NULL, "vkEnumerateInstanceVersion");
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)vulkan->get(NULL, "vkCreateInstance");
    uint32_t available = VK_API_VERSION_1_0;
    if (create == NULL || version == NULL || version(&available) != VK_SUCCESS ||
        available < VK_API_VERSION_1_2)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: the Vulkan loader is older than Vulkan 1.2");
    }
    if (log != NULL && !has_layer(vulkan))
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: %s is not installed", VALIDATION_LAYER);
    }
    static const char* const layers[] = { VALIDATION_LAYER };
    const char* extensions[2];
    uint32_t extension_count = 0;
    bool portability = has_portability(vulkan);
    if (portability)
    {
        extensions[extension_count++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    }
    VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(log);
    VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = &enabled,
    };
    if (log != NULL)
    {
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "abut",
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = log != NULL ? &features : NULL,
        .flags = portability ? VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0,
        .pApplicationInfo = &application,
        .enabledLayerCount = log != NULL ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = create(&info, NULL, &vulkan->instance);
    return result == VK_SUCCESS ? ABUT_OK : abut_vulkan_fail(result, "vkCreateInstance");
}

static bool load_instance(AbutVulkan* vulkan)
{
    bool complete = true;
#define LOAD(name)                                                                                           \
    vulkan->name = (PFN_vk##name)vulkan->get(vulkan->instance, "vk" #name);                                  \
    complete = complete && vulkan->name != NULL;
    ABUT_GPU_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return complete;
}

static void create_messenger(const AbutHost* log, AbutVulkan* vulkan)
{
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vulkan->get(vulkan->instance, "vkCreateDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(log);
    if (create == NULL || create(vulkan->instance, &info, NULL, &vulkan->messenger) != VK_SUCCESS)
    {
        vulkan->messenger = VK_NULL_HANDLE;
    }
}

AbutResult abut_vulkan_open(const AbutHost* log, AbutVulkan* out)
{
    *out = (AbutVulkan){ .library = open_library() };
    if (out->library == NULL)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: there is no Vulkan loader (libvulkan.so.1)");
    }
    // POSIX has functions in void pointers, ISO C has not.
    void* get = dlsym(out->library, "vkGetInstanceProcAddr");
    memcpy(&out->get, &get, sizeof(get));
    AbutResult result = get != NULL
                            ? create_instance(log, out)
                            : abut_fail(ABUT_UNSUPPORTED, "gpu: libvulkan has no vkGetInstanceProcAddr");
    if (result == ABUT_OK && !load_instance(out))
    {
        result = abut_fail(ABUT_UNSUPPORTED, "gpu: the Vulkan loader lacks functions of Vulkan 1.2");
    }
    if (result != ABUT_OK)
    {
        abut_vulkan_close(out);
        return result;
    }
    if (log != NULL)
    {
        create_messenger(log, out);
    }
    return ABUT_OK;
}

void abut_vulkan_close(AbutVulkan* vulkan)
{
    if (vulkan->messenger != VK_NULL_HANDLE)
    {
        PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)vulkan->get(
            vulkan->instance, "vkDestroyDebugUtilsMessengerEXT");
        destroy(vulkan->instance, vulkan->messenger, NULL);
    }
    if (vulkan->instance != VK_NULL_HANDLE && vulkan->DestroyInstance != NULL)
    {
        vulkan->DestroyInstance(vulkan->instance, NULL);
    }
    if (vulkan->library != NULL)
    {
        dlclose(vulkan->library);
    }
    *vulkan = (AbutVulkan){ 0 };
}

bool abut_vulkan_load_device(const AbutVulkan* vulkan, VkDevice device, AbutVulkanDevice* out)
{
    bool complete = true;
#define LOAD(name)                                                                                           \
    out->name = (PFN_vk##name)vulkan->GetDeviceProcAddr(device, "vk" #name);                                 \
    complete = complete && out->name != NULL;
    ABUT_GPU_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return complete;
}

AbutResult abut_vulkan_fail(VkResult result, const char* call)
{
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "gpu: %s: out of %s memory", call,
                         result == VK_ERROR_OUT_OF_HOST_MEMORY ? "host" : "device");
    }
    if (result == VK_ERROR_DEVICE_LOST || result == VK_TIMEOUT)
    {
        return abut_fail(ABUT_DEVICE_LOST, "gpu: %s: the device %s", call,
                         result == VK_TIMEOUT ? "does not answer" : "is lost");
    }
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: %s: no driver of Vulkan is installed here", call);
    }
    return abut_fail(ABUT_UNSUPPORTED, "gpu: %s failed with VkResult %d", call, (int)result);
}
