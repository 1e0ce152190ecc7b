#include "support/devices.h"

#include <stdio.h>

uint32_t test_devices(uint32_t indices[TEST_DEVICES_MAX])
{
    static AbutDeviceInfo infos[TEST_DEVICES_MAX];
    static uint32_t count;
    uint32_t usable = 0;
    if (TEST_SKIPS_DEVICES)
    {
        skip();
    }
    if (count == 0) // tested once
    {
        test_assert_result(abut_device_list(infos, TEST_DEVICES_MAX, &count), ABUT_OK);
    }
    for (uint32_t i = 0; i < count && i < TEST_DEVICES_MAX; ++i)
    {
        if (!infos[i].usable)
        {
            fail_msg("%s: %s", infos[i].name, infos[i].verdict);
        }
        indices[usable++] = i;
    }
    if (usable == 0)
    {
        print_message("no device: %s\n", abut_last_error());
        skip();
    }
    return usable;
}

AbutDevice* test_device_open(uint32_t index, AbutDeviceDef def)
{
    AbutDevice* device = NULL;
    char name[16];
    snprintf(name, sizeof(name), "%u", index);
    def.name = name;
    test_assert_result(abut_device_create(&def, &device), ABUT_OK);
    return device;
}
