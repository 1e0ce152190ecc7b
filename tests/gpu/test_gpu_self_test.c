// The self-test of devices: quotients and roots are right with guesses that are 3 units in the last place
// worse, and a device with other bits is refused. The shaders are those of the library with an error added.
#include "support/devices.h"

#include "gpu/device.h"
#include "gpu/self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// SPIR-V that the build made, or NULL where it has none.
static uint32_t* read_spirv(const char* name, size_t* size)
{
    char path[512];
    const char* folder = getenv("ABUT_TEST_SHADERS");
    if (folder == NULL)
    {
        return NULL;
    }
    snprintf(path, sizeof(path), "%s/%s.spv", folder, name);
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    uint32_t* words = malloc(1 << 20);
    assert_non_null(words);
    *size = fread(words, 1, 1 << 20, file);
    fclose(file);
    return words;
}

/// The device computes its self-test by another shader from now on.
static void replace_shader(AbutDevice* device, const char* name)
{
    size_t size = 0;
    uint32_t* words = read_spirv(name, &size);
    if (words == NULL)
    {
        skip();
    }
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size,
        .pCode = words,
    };
    VkShaderModule module;
    assert_int_equal(device->call.CreateShaderModule(device->device, &info, NULL, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main" },
        .layout = device->layout,
    };
    VkPipeline* mine = &device->pipelines[ABUT_GPU_SELF_TEST][ABUT_GPU_ANY_KIND];
    device->call.DestroyPipeline(device->device, *mine, NULL);
    assert_int_equal(
        device->call.CreateComputePipelines(device->device, VK_NULL_HANDLE, 1, &pipeline, NULL, mine),
        VK_SUCCESS);
    device->call.DestroyShaderModule(device->device, module, NULL);
    free(words);
}

static void check_each(const char* shader, AbutResult expected, const char* message)
{
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    for (uint32_t i = 0; i < count; ++i)
    {
        char verdict[256];
        AbutDevice* device = test_device_open(indices[i], abut_device_def());
        replace_shader(device, shader);
        test_assert_result(abut_gpu_self_test(device, verdict, sizeof(verdict)), expected);
        if (expected != ABUT_OK && strstr(abut_last_error(), message) == NULL)
        {
            fail_msg("the message has no '%s': %s", message, abut_last_error());
        }
        abut_device_destroy(device);
    }
}

static void test_worse_guesses_give_the_same_bits(void** state)
{
    (void)state;
    check_each("self_test_above", ABUT_OK, "");
    check_each("self_test_below", ABUT_OK, "");
}

static void test_other_bits_are_refused_with_the_operation(void** state)
{
    (void)state;
    check_each("self_test_wrong", ABUT_UNSUPPORTED, "is refused: a root has other bits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worse_guesses_give_the_same_bits),
        cmocka_unit_test(test_other_bits_are_refused_with_the_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
