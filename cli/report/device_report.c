#include "device_report.h"

#include "json.h"
#include "report_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_DEVICES = 64
};

static cJSON* device_json(const AbutDeviceInfo* info)
{
    char version[32];
    cJSON* device = cJSON_CreateObject();
    snprintf(version, sizeof(version), "%" PRIu32 ".%" PRIu32, info->vulkan_major, info->vulkan_minor);
    cJSON_AddNumberToObject(device, "index", info->index);
    cJSON_AddStringToObject(device, "name", info->name);
    cJSON_AddStringToObject(device, "kind", abut_device_kind_name(info->kind));
    cJSON_AddStringToObject(device, "driver", info->driver);
    cJSON_AddStringToObject(device, "vulkan", version);
    cJSON_AddNumberToObject(device, "memory_bytes", (double)info->memory_bytes);
    cJSON_AddNumberToObject(device, "max_buffer_bytes", (double)info->max_buffer_bytes);
    cJSON_AddNumberToObject(device, "max_group", info->max_group);
    cJSON_AddBoolToObject(device, "addresses", info->addresses);
    cJSON_AddBoolToObject(device, "usable", info->usable);
    cJSON_AddStringToObject(device, "verdict", info->verdict);
    return device;
}

static void print_device(const AbutDeviceInfo* info)
{
    printf("%" PRIu32 "  ", info->index);
    print_text(info->name);
    putchar('\n');
    print_row("kind", "%s", abut_device_kind_name(info->kind));
    print_row("driver", "%s", info->driver);
    print_row("Vulkan", "%" PRIu32 ".%" PRIu32, info->vulkan_major, info->vulkan_minor);
    print_row("memory", "%" PRIu64 " bytes, %" PRIu64 " of a buffer", info->memory_bytes,
              info->max_buffer_bytes);
    print_row("workgroups", "%" PRIu32 " invocations", info->max_group);
    print_row("fields", "%s", info->addresses ? "by address" : "bound");
    print_row("self-test", "%s", info->verdict);
}

ExitCode device_report(bool json)
{
    AbutDeviceInfo infos[MOST_DEVICES];
    uint32_t count;
    if (abut_device_list(infos, MOST_DEVICES, &count) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    if (json)
    {
        cJSON* document = cJSON_CreateObject();
        cJSON* devices = cJSON_AddArrayToObject(document, "devices");
        for (uint32_t i = 0; i < count; ++i)
        {
            cJSON_AddItemToArray(devices, device_json(&infos[i]));
        }
        return json_print(document);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        print_device(&infos[i]);
    }
    if (count == 0)
    {
        printf("no device: %s\n", abut_last_error());
    }
    return EXIT_DONE;
}

bool device_open(const char* option, const AbutHost* host, AbutDevice** out)
{
    *out = NULL;
    if (option == NULL || strcmp(option, "cpu") == 0)
    {
        return true;
    }
    AbutDeviceDef def = abut_device_def();
    def.host = host;
    def.name = option;
    if (abut_device_create(&def, out) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return false;
    }
    return true;
}
