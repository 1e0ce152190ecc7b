// Worlds with a device: the same bytes after 120 steps as without, also when the device is lost on the way.
#include "support/devices.h"
#include "support/gpu_scenes.h"

#include "gpu/device.h"

#include <math.h>
#include <string.h>

enum
{
    STEPS = 120,
    LOST_AT = 12, // steps before a device is lost, and after that
    LOST_STEPS = 20,
    FIELDS = 6,
    BODIES = 5
};

static int warning_count;

static void count_warnings(void* user, AbutLogLevel level, const char* message)
{
    (void)user;
    (void)message;
    warning_count += level == ABUT_LOG_WARNING ? 1 : 0;
}

typedef struct WorldScene
{
    AbutShape* fields[FIELDS]; // of all formats
    float size;                // of dynamic bodies, along their longest side; 0: as their fields
    uint64_t hashes[STEPS];    // after each step of the processor
} WorldScene;

/// What makes the longest side of a field as long as the scene wants.
static float scale_of(const WorldScene* scene, const AbutShape* field)
{
    AbutVec3 extents = abut_box_extents(abut_shape_info(field).bounds);
    float longest = fmaxf(extents.x, fmaxf(extents.y, extents.z));
    return scene->size > 0.0f ? scene->size / longest : 1.0f;
}

/// Bodies of all formats fall on a larger one. Stores the hashes after the steps; in the step `lost_at` the
/// device fails.
static void run_world(const WorldScene* scene, AbutDevice* device, uint32_t steps, uint32_t lost_at,
                      AbutResult failure, uint64_t* hashes)
{
    TestRandom random = { 5 };
    AbutWorld* world;
    AbutHost host = abut_host_default();
    host.log = count_warnings;
    AbutWorldDef def = abut_world_def();
    def.host = &host;
    def.device = device;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    for (uint32_t i = 0; i <= BODIES; ++i)
    {
        AbutBodyId id;
        AbutBodyDef body = abut_body_def();
        body.shape = scene->fields[i % FIELDS];
        body.kind = i == BODIES ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        body.pose.rotation = test_random_rotation(&random);
        body.pose.position = test_random_position(&random, 0.2);
        body.pose.position.y = i == BODIES ? -0.8 : 0.5 * i;
        body.pose.scale = (i == BODIES ? 2.0f : 1.0f) * scale_of(scene, body.shape);
        test_assert_result(abut_body_create(world, &body, &id), ABUT_OK);
    }
    for (uint32_t step = 0; step < steps; ++step)
    {
        if (step == lost_at)
        {
            device->fail_after = 1;
            device->failure = failure;
        }
        test_assert_result(abut_world_step(world, 1.0f / 60.0f, NULL), ABUT_OK);
        hashes[step] = abut_world_hash(world);
    }
    abut_world_destroy(world);
}

static WorldScene shared;

/// The scene, made for the first device.
static const WorldScene* the_scene(void)
{
    for (uint32_t i = 0; shared.fields[FIELDS - 1] == NULL && i < FIELDS; ++i)
    {
        AbutShape* shape;
        AbutResult result = i % 3 == 0 ? abut_shape_create_torus(0.6f, 0.2f, NULL, &shape)
                            : i % 3 == 1
                                ? abut_shape_create_capsule(0.3f, 0.6f, NULL, &shape)
                                : abut_shape_create_box((AbutVec3){ 0.8f, 0.4f, 0.6f }, NULL, &shape);
        test_assert_result(result, ABUT_OK);
        shared.fields[i] = gpu_scene_bake(shape, (AbutFieldFormat)(i % 3), i >= 3, 24);
        if (i == FIELDS - 1)
        {
            run_world(&shared, NULL, STEPS, STEPS, ABUT_OK, shared.hashes);
        }
    }
    return &shared;
}

static int free_scene(void** state)
{
    for (uint32_t i = 0; i < FIELDS; ++i)
    {
        abut_shape_destroy(shared.fields[i]);
    }
    return gpu_close_devices(state);
}

static void check_hash(AbutDevice* device)
{
    const WorldScene* scene = the_scene();
    uint64_t hashes[STEPS];
    warning_count = 0;
    abut_device_reset_stats(device);
    run_world(scene, device, STEPS, STEPS, ABUT_OK, hashes);
    AbutDeviceStats stats = abut_device_stats(device);
    print_message("hash %016llx; %llu boxes, %llu leaves in %llu submissions\n",
                  (unsigned long long)hashes[STEPS - 1], (unsigned long long)stats.boxes,
                  (unsigned long long)stats.leaves, (unsigned long long)stats.submissions);
    assert_memory_equal(hashes, scene->hashes, sizeof(hashes));
    assert_true(stats.boxes > 1000 && stats.leaves > 1000 && warning_count == 0);
}

static void test_worlds_have_the_same_hash(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_hash);
}

static WorldScene meshes;
static uint32_t mesh_steps;

static void check_mesh_hash(AbutDevice* device)
{
    uint64_t hashes[STEPS];
    abut_device_reset_stats(device);
    run_world(&meshes, device, mesh_steps, STEPS, ABUT_OK, hashes);
    AbutDeviceStats stats = abut_device_stats(device);
    print_message("hash %016llx after %u steps; %llu boxes, %llu leaves\n",
                  (unsigned long long)hashes[mesh_steps - 1], mesh_steps, (unsigned long long)stats.boxes,
                  (unsigned long long)stats.leaves);
    assert_memory_equal(hashes, meshes.hashes, mesh_steps * sizeof(hashes[0]));
    assert_true(stats.boxes > 1000 && stats.leaves > 1000);
}

/// Worlds of the shared meshes.
static void test_worlds_of_meshes_have_the_same_hash(void** state)
{
    (void)state;
    static const char* const names[FIELDS] = { "bunny4k.obj",
                                               "factory_gear_small_space_5e-4.obj",
                                               "factory_nut_m16_loose_subdiv_3x.obj",
                                               "factory_gear_medium_space_5e-4.obj",
                                               "factory_bolt_m16_loose.obj",
                                               "factory_round_hole_8mm_subdiv_3x.obj" };
    uint32_t indices[TEST_DEVICES_MAX];
    test_devices(indices);
    for (uint32_t i = 0; i < FIELDS; ++i)
    {
        meshes.fields[i] = gpu_scene_bake_mesh(names[i], (AbutFieldFormat)(i % 3), i >= 3, 32);
        if (meshes.fields[i] == NULL)
        {
            print_message("no shared meshes\n");
            skip();
        }
    }
    meshes.size = 1.0f;
    mesh_steps = (uint32_t)test_heavy_count(STEPS);
    run_world(&meshes, NULL, mesh_steps, STEPS, ABUT_OK, meshes.hashes);
    gpu_each_device(abut_device_def(), check_mesh_hash);
    for (uint32_t i = 0; i < FIELDS; ++i)
    {
        abut_shape_destroy(meshes.fields[i]);
    }
}

static void check_failure(AbutDevice* device, AbutResult failure)
{
    const WorldScene* scene = the_scene();
    uint64_t hashes[LOST_STEPS];
    warning_count = 0;
    run_world(scene, device, LOST_STEPS, LOST_AT, failure, hashes);
    assert_memory_equal(hashes, scene->hashes, sizeof(hashes));
    assert_int_equal(warning_count, 1);
    assert_int_equal(device->fail_after, 0);
    assert_true(device->lost == (failure == ABUT_DEVICE_LOST));
    device->lost = false; // that was a game
}

static void check_lost(AbutDevice* device)
{
    check_failure(device, ABUT_DEVICE_LOST);
    check_failure(device, ABUT_OUT_OF_MEMORY);
}

static void test_devices_lost_in_a_step_change_nothing(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_lost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds_have_the_same_hash),
        cmocka_unit_test(test_worlds_of_meshes_have_the_same_hash),
        cmocka_unit_test(test_devices_lost_in_a_step_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, free_scene);
}
