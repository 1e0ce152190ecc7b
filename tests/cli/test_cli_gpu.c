// abut info --devices, and --device of other verbs.
#include "support/devices.h"
#include "support/program_json.h"

#include <stdio.h>

static int device_count(void)
{
    if (TEST_SKIPS_DEVICES)
    {
        skip();
    }
    cJSON* document = test_run_json("abut info --devices --json");
    int count = cJSON_GetArraySize(cJSON_GetObjectItem(document, "devices"));
    cJSON_Delete(document);
    if (count == 0)
    {
        skip();
    }
    return count;
}

static void test_devices_are_listed_with_verdicts(void** state)
{
    (void)state;
    int count = device_count();
    cJSON* document = test_run_json("abut info --devices --json");
    const cJSON* devices = cJSON_GetObjectItem(document, "devices");
    for (int i = 0; i < count; ++i)
    {
        const cJSON* device = cJSON_GetArrayItem(devices, i);
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(device, "usable")));
        assert_int_equal((int)test_json_number(device, "index"), i);
        assert_true(test_json_number(device, "memory_bytes") > 0.0);
    }
    cJSON_Delete(document);
    test_check_run("abut info --devices", 0, "self-test           passed", "");
}

static void test_devices_print_the_same_contacts(void** state)
{
    (void)state;
    int count = device_count();
    test_write_text("poses.txt",
                    "0.9,0,0\n0.5,0.1,0.2,0,0.3,0.4,0.86602540378\n9,0,0\n0,0.2,0,0,0,0,1,0.5\n");
    test_check_run(
        "abut bake torus:1,0.3 -o a.abut --res 48 >/dev/null && "
        "abut bake cone:0.7,1.2 -o b.abut --res 32 --order 1 >/dev/null && "
        "abut collide a.abut b.abut --method particles --poses poses.txt --csv > cpu.csv && "
        "abut collide a.abut b.abut --method adaptive --poses poses.txt --csv > cpu_adaptive.csv && "
        "wc -l < cpu.csv",
        0, "", "");
    for (int i = 0; i < count; ++i)
    {
        char line[256];
        snprintf(
            line, sizeof(line),
            "abut collide a.abut b.abut --method particles --poses poses.txt --csv --device %d > gpu.csv && "
            "cmp cpu.csv gpu.csv && test $(wc -l < gpu.csv) -gt 100 && echo same",
            i);
        test_check_run(line, 0, "same", "");
        snprintf(
            line, sizeof(line),
            "abut collide a.abut b.abut --method adaptive --poses poses.txt --csv --device %d > gpu.csv && "
            "cmp cpu_adaptive.csv gpu.csv && test $(wc -l < gpu.csv) -gt 100 && echo same",
            i);
        test_check_run(line, 0, "same", "");
    }
}

static void test_worlds_on_devices_have_the_same_hash(void** state)
{
    (void)state;
    int count = device_count();
    test_check_run("abut simulate pile --bodies 6 --seconds 0.4 --record cpu.json >/dev/null", 0, "", "");
    for (int i = 0; i < count; ++i)
    {
        char line[128];
        snprintf(line, sizeof(line), "abut simulate --replay cpu.json --device %d", i);
        test_check_run(line, 0, "have the recorded hashes", "");
    }
    test_check_run("abut simulate pile --response bullet --device 0", 2, "", "leave out --device");
}

static void test_devices_that_are_not_there_are_named(void** state)
{
    (void)state;
    device_count();
    const char* line = "abut collide gear@16 gear@16 --method particles --device voodoo";
    test_check_run(line, 3, "", "no device is called 'voodoo'");
    test_check_run("ABUT_GPU=voodoo abut collide gear@16 gear@16 --method particles --device gpu", 3, "",
                   "no device is called 'voodoo', as ABUT_GPU wants");
    test_check_run("abut collide gear@16 gear@16 --method hull --device gpu", 2, "", "--method particles");
    test_check_run("abut simulate pile --device voodoo", 3, "", "no device is called 'voodoo'");
    test_check_run("VK_ICD_FILENAMES=/nowhere abut collide gear@16 gear@16 --method particles --device gpu",
                   3, "", "no driver of Vulkan is installed here");
    test_check_run("VK_ICD_FILENAMES=/nowhere abut info --devices", 0, "no device: gpu: ", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_are_listed_with_verdicts),
        cmocka_unit_test(test_devices_print_the_same_contacts),
        cmocka_unit_test(test_worlds_on_devices_have_the_same_hash),
        cmocka_unit_test(test_devices_that_are_not_there_are_named),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
