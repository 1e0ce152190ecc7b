// The validation layer of Vulkan, with synchronization validation, has nothing to say about devices, and is
// shown to be on by an error made on purpose.
#include "support/devices.h"

#include "gpu/device.h"

#include <string.h>

enum
{
    POINTS = 1000
};

static int message_count;

static void count_message(void* user, AbutLogLevel level, const char* message)
{
    (void)user;
    (void)level;
    message_count += 1;
    print_message("%.200s\n", message);
}

static AbutShape* make_field(void)
{
    AbutShape *torus, *field;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 32;
    def.sparse = true;
    test_assert_result(abut_shape_create_torus(1.0f, 0.3f, NULL, &torus), ABUT_OK);
    test_assert_result(abut_bake_shape(&def, torus, &field), ABUT_OK);
    abut_shape_destroy(torus);
    return field;
}

/// `most` contacts, one per voxel or not: thinning on the device; 0: none.
static void collide(AbutDevice* device, const AbutShape* field, AbutCollideMethod method, uint32_t most,
                    bool one_per_voxel)
{
    AbutCollider* collider;
    AbutCollideResults results;
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = method;
    settings.particles.max_contacts = most;
    settings.particles.one_per_voxel = one_per_voxel;
    AbutCollideBody bodies[2] = { { field, abut_pose_identity() }, { field, abut_pose_identity() } };
    bodies[1].pose.position.x = 0.8;
    const AbutBodyPair pair = { 0, 1 };
    const AbutPairsInput input = { bodies, 2, &pair, 1 };
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    abut_collider_set_device(collider, device);
    test_assert_result(abut_collide_pairs(collider, &input, &settings, &results), ABUT_OK);
    assert_true(results.contact_count > 0);
    abut_collider_destroy(collider);
}

static void use_device(AbutDevice* device, const AbutShape* field, AbutCollideMethod method)
{
    static float x[POINTS], y[POINTS], z[POINTS], distance[POINTS];
    TestRandom random = { 1 };
    for (int i = 0; i < POINTS; ++i)
    {
        AbutVec3 at = test_random_point(&random, 2.0);
        x[i] = at.x;
        y[i] = at.y;
        z[i] = at.z;
    }
    const AbutSamples out = { .distance = distance };
    test_assert_result(abut_device_sample(device, field, (AbutPoints){ x, y, z }, POINTS, out), ABUT_OK);
    collide(device, field, method, 0, false);
    collide(device, field, method, 10, false);
    collide(device, field, method, 10, true);
}

static void check_variant(uint32_t index, AbutDeviceDef def, const AbutShape* field)
{
    message_count = 0;
    AbutDevice* device = test_device_open(index, def);
    static const AbutCollideMethod methods[2] = { ABUT_COLLIDE_PARTICLES, ABUT_COLLIDE_ADAPTIVE };
    for (int i = 0; i < 2; ++i)
    {
        use_device(device, field, methods[i]);
        assert_int_equal(message_count, 0);
        device->test_hazard = true;
        collide(device, field, methods[i], 0, false);
        device->test_hazard = false;
        assert_true(message_count > 0);
        message_count = 0;
    }
    abut_device_destroy(device);
    assert_int_equal(message_count, 0);
}

static void test_validation_is_silent_and_on(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    AbutHost host = abut_host_default();
    AbutShape* field = make_field();
    AbutDevice* probe = NULL;
    host.log = count_message;
    def.host = &host;
    def.validate = true;
    if (abut_device_create(&def, &probe) == ABUT_UNSUPPORTED && strstr(abut_last_error(), "not installed"))
    {
        abut_shape_destroy(field);
        skip();
    }
    abut_device_destroy(probe);
    for (uint32_t i = 0; i < count; ++i)
    {
        check_variant(indices[i], def, field);
        def.two_passes = def.bind_fields = def.stage = i == 0; // and the other ways on the second device
    }
    abut_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validation_is_silent_and_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
