#include "support/gpu_scenes.h"

#include "support/devices.h"

#include <abut/io.h>

#include <stdlib.h>
#include <string.h>

uint64_t gpu_scene_hash(const AbutCollideResults* results)
{
    uint64_t hash = abut_hash(results->contacts, results->contact_count * sizeof(AbutContact), 1);
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutCollideOutput* output = &results->pairs[i].output;
        const uint64_t numbers[6] = { results->pairs[i].a,   results->pairs[i].b,   (uint64_t)output->state,
                                      output->contact_count, output->contact_total, output->evaluations };
        const float lengths[3] = { output->gap, output->uncertainty, output->spacing };
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = abut_hash(lengths, sizeof(lengths), hash);
    }
    return hash;
}

AbutShape* gpu_scene_bake(AbutShape* shape, AbutFieldFormat format, bool sparse, uint32_t resolution)
{
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.format = format;
    def.sparse = sparse;
    def.resolution = resolution;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

AbutShape* gpu_scene_bake_mesh(const char* name, AbutFieldFormat format, bool sparse, uint32_t resolution)
{
    const char* path = test_shared_mesh(name);
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.format = format;
    def.sparse = sparse;
    def.resolution = resolution;
    if (path == NULL)
    {
        return NULL;
    }
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

static AbutShape* make_field(uint32_t kind)
{
    AbutShape* shape = NULL;
    AbutResult result = kind % 4 == 0   ? abut_shape_create_torus(0.6f, 0.2f, NULL, &shape)
                        : kind % 4 == 1 ? abut_shape_create_box((AbutVec3){ 1.0f, 0.4f, 0.7f }, NULL, &shape)
                        : kind % 4 == 2 ? abut_shape_create_cone(0.5f, 0.1f, 1.1f, NULL, &shape)
                                        : abut_shape_create_capsule(0.3f, 1.0f, NULL, &shape);
    test_assert_result(result, ABUT_OK);
    return gpu_scene_bake(shape, (AbutFieldFormat)(kind % 3), kind / 3 % 2 != 0, 40 + 4 * kind);
}

static AbutPose random_pose(TestRandom* random, double half, bool scaled)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, half);
    pose.rotation = test_random_rotation(random);
    pose.scale = scaled ? (float)test_random_range(random, 0.5, 1.8) : 1.0f;
    return pose;
}

/// All pairs of neighbours in the list, each way round.
GpuScene gpu_scene_make(uint32_t field_count, size_t body_count, size_t pair_count, bool scaled,
                        double distance)
{
    TestRandom random = { 11 };
    GpuScene scene = { .field_count = field_count,
                       .bodies = calloc(body_count, sizeof(AbutCollideBody)),
                       .body_count = body_count,
                       .pairs = calloc(pair_count + 1, sizeof(AbutBodyPair)),
                       .pair_count = pair_count,
                       .settings = abut_collide_settings() };
    assert_non_null(scene.bodies);
    assert_non_null(scene.pairs);
    scene.settings.method = ABUT_COLLIDE_PARTICLES;
    for (uint32_t i = 0; i < field_count; ++i)
    {
        scene.fields[i] = make_field(i);
    }
    for (size_t i = 0; i < body_count; ++i)
    {
        scene.bodies[i].shape = field_count > 0 ? scene.fields[i % field_count] : NULL;
        scene.bodies[i].pose = random_pose(&random, 0.9, scaled);
        scene.bodies[i].pose.position.x += distance;
    }
    for (size_t i = 0; i < pair_count; ++i)
    {
        uint32_t a = (uint32_t)(i % body_count), b = (uint32_t)((i + 1 + i / body_count) % body_count);
        scene.pairs[i] = (AbutBodyPair){ a, b };
    }
    return scene;
}

void gpu_scene_free(GpuScene* scene)
{
    for (uint32_t i = 0; i < scene->field_count; ++i)
    {
        abut_shape_destroy(scene->fields[i]);
    }
    free(scene->bodies);
    free(scene->pairs);
}

/// Devices of the default definition stay open: drivers take long to compile shaders.
static AbutDevice* default_devices[TEST_DEVICES_MAX];

int gpu_close_devices(void** state)
{
    (void)state;
    for (int i = 0; i < TEST_DEVICES_MAX; ++i)
    {
        abut_device_destroy(default_devices[i]);
        default_devices[i] = NULL;
    }
    return 0;
}

static AbutDevice* default_device(uint32_t i, uint32_t index)
{
    if (default_devices[i] == NULL)
    {
        default_devices[i] = test_device_open(index, abut_device_def());
    }
    return default_devices[i];
}

void gpu_each_device(AbutDeviceDef def, void (*check)(AbutDevice* device))
{
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    const AbutDeviceDef plain = abut_device_def();
    bool is_default = memcmp(&def, &plain, sizeof(def)) == 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDevice* device = is_default ? default_device(i, indices[i]) : test_device_open(indices[i], def);
        print_message("%s\n", abut_device_info(device).name);
        check(device);
        if (!is_default)
        {
            abut_device_destroy(device);
        }
    }
}

void gpu_devices_alternately(AbutDeviceDef even, AbutDeviceDef odd, void (*check)(AbutDevice* device))
{
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDevice* device = test_device_open(indices[i], i % 2 == 0 ? even : odd);
        print_message("%s\n", abut_device_info(device).name);
        check(device);
        abut_device_destroy(device);
    }
}
