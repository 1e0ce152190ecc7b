// Samples of fields on devices, bit by bit against the processor.
#include "support/devices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POINTS = 170000, // of each of six formats: over a million on each device
    SPECIAL = 4096
};

typedef struct Samples
{
    float *x, *y, *z;
    float* values[2][4]; // of the processor and the device: distance and gradient
    size_t count;
} Samples;

static float* allocate(size_t count)
{
    float* values = malloc(count * sizeof(float));
    assert_non_null(values);
    return values;
}

static Samples make_samples(size_t count)
{
    Samples s = { .x = allocate(count), .y = allocate(count), .z = allocate(count), .count = count };
    for (int k = 0; k < 8; ++k)
    {
        s.values[k / 4][k % 4] = allocate(count);
    }
    return s;
}

static void free_samples(Samples* s)
{
    free(s->x);
    free(s->y);
    free(s->z);
    for (int k = 0; k < 8; ++k)
    {
        free(s->values[k / 4][k % 4]);
    }
}

/// In the grid, around it, far away; on nodes and faces, and at displacements from them that squares flush.
static float coordinate(TestRandom* random, const AbutFieldInfo* info, int axis, bool special)
{
    double low = axis == 0 ? info->origin.x : (axis == 1 ? info->origin.y : info->origin.z);
    double side = info->cell_size * (double)info->cell_count[axis];
    if (!special)
    {
        return (float)(low + side * test_random_range(random, -0.2, 1.2));
    }
    static const double tiny[8] = { 0.0, 1e-20, -1e-20, 1e-39, -1e-42, 3e-10, -3e-13, 1e-7 };
    double node = floor(test_random_range(random, 0.0, (double)info->cell_count[axis] + 1.0));
    double offset = tiny[test_random_bits(random) % 8];
    switch (test_random_bits(random) % 6)
    {
    case 0:
        return (float)(low + offset);
    case 1:
        return (float)(low + side + offset);
    case 2:
        return (float)(low + node * info->cell_size);
    case 3:
        return (float)offset;
    case 4:
        return (float)(low + side * test_random_range(random, -1e6, 1e6));
    default:
        return (float)(low + side * test_random_range(random, 0.0, 1.0));
    }
}

static void make_points(Samples* s, const AbutShape* field, uint64_t seed)
{
    TestRandom random = { seed };
    AbutFieldInfo info = abut_field_info(field);
    for (size_t i = 0; i < s->count; ++i)
    {
        bool special = i < SPECIAL;
        s->x[i] = coordinate(&random, &info, 0, special);
        s->y[i] = coordinate(&random, &info, 1, special);
        s->z[i] = coordinate(&random, &info, 2, special);
    }
}

static AbutSamples samples_of(Samples* s, int who)
{
    return (AbutSamples){ s->values[who][0], s->values[who][1], s->values[who][2], s->values[who][3] };
}

static void check_same(const Samples* s, const char* what)
{
    size_t differing = 0;
    for (size_t i = 0; i < s->count; ++i)
    {
        bool same = true;
        for (int k = 0; k < 4; ++k)
        {
            same = same && memcmp(&s->values[0][k][i], &s->values[1][k][i], sizeof(float)) == 0;
        }
        if (!same && differing++ == 0)
        {
            print_error("%s at (%a, %a, %a): processor %a (%a, %a, %a), device %a (%a, %a, %a)\n", what,
                        (double)s->x[i], (double)s->y[i], (double)s->z[i], (double)s->values[0][0][i],
                        (double)s->values[0][1][i], (double)s->values[0][2][i], (double)s->values[0][3][i],
                        (double)s->values[1][0][i], (double)s->values[1][1][i], (double)s->values[1][2][i],
                        (double)s->values[1][3][i]);
        }
    }
    if (differing > 0)
    {
        fail_msg("%s: %zu of %zu samples differ", what, differing, s->count);
    }
}

static void check_field(AbutDevice* device, const AbutShape* field, Samples* s, const char* what)
{
    AbutPoints points = { s->x, s->y, s->z };
    make_points(s, field, 7);
    abut_shape_sample(field, NULL, points, s->count, samples_of(s, 0));
    test_assert_result(abut_device_sample(device, field, points, s->count, samples_of(s, 1)), ABUT_OK);
    check_same(s, what);
}

static AbutShape* bake(const AbutShape* shape, AbutFieldFormat format, bool sparse, uint32_t resolution)
{
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.format = format;
    def.sparse = sparse;
    def.resolution = resolution;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

/// A plate with a hole beside a thin fin, off the origin.
static AbutShape* make_shape(void)
{
    AbutShape *ring = NULL, *fin = NULL, *shifted = NULL, *both = NULL;
    AbutPose pose = abut_pose_identity();
    pose.position = (AbutPosition){ 1.3, 0.2, -0.4 };
    test_assert_result(abut_shape_create_torus(1.0f, 0.3f, NULL, &ring), ABUT_OK);
    test_assert_result(abut_shape_create_box((AbutVec3){ 0.4f, 0.9f, 0.015f }, NULL, &fin), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(fin, &pose, NULL, &shifted), ABUT_OK);
    AbutShape* const children[2] = { ring, shifted };
    test_assert_result(abut_shape_create_union(children, 2, NULL, &both), ABUT_OK);
    abut_shape_destroy(ring);
    abut_shape_destroy(fin);
    abut_shape_destroy(shifted);
    return both;
}

static void check_formats(uint32_t index, AbutDeviceDef def, size_t count)
{
    static const char* const names[6] = { "f32 dense",  "f32 sparse",        "f16 dense",
                                          "f16 sparse", "first order dense", "first order sparse" };
    AbutShape* shape = make_shape();
    AbutDevice* device = test_device_open(index, def);
    Samples samples = make_samples(count);
    print_message("%s\n", abut_device_info(device).name);
    for (int k = 0; k < 6; ++k)
    {
        AbutShape* field = bake(shape, (AbutFieldFormat)(k / 2), k % 2 != 0, 64);
        check_field(device, field, &samples, names[k]);
        abut_shape_destroy(field);
    }
    free_samples(&samples);
    abut_device_destroy(device);
    abut_shape_destroy(shape);
}

static void test_samples_of_a_million_points_have_the_same_bits(void** state)
{
    (void)state;
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    for (uint32_t i = 0; i < count; ++i)
    {
        check_formats(indices[i], abut_device_def(), (size_t)TEST_ROUNDS(POINTS));
    }
}

static void test_bound_pages_and_staging_have_the_same_bits(void** state)
{
    (void)state;
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    AbutDeviceDef def = abut_device_def();
    def.bind_fields = true;
    def.stage = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        check_formats(indices[i], def, 2 * SPECIAL);
    }
}

typedef struct Sampling
{
    uint32_t index; // of the device
    AbutShape* field;
} Sampling;

static AbutResult create_and_sample(void* context, const AbutHost* host)
{
    const Sampling* self = context;
    const float at[1] = { 0.25f };
    float distance[1];
    AbutDevice* device = NULL;
    char name[16];
    snprintf(name, sizeof(name), "%u", self->index);
    AbutDeviceDef def = abut_device_def();
    def.host = host;
    def.name = name;
    AbutResult result = abut_device_create(&def, &device);
    if (result == ABUT_OK)
    {
        const AbutSamples out = { .distance = distance };
        result = abut_device_sample(device, self->field, (AbutPoints){ at, at, at }, 1, out);
    }
    abut_device_destroy(device);
    return result;
}

/// Each allocation of the host fails in turn; nothing stays behind, not even on a device that works.
static void test_devices_survive_every_failing_allocation(void** state)
{
    (void)state;
    uint32_t indices[TEST_DEVICES_MAX], count = test_devices(indices);
    AbutShape* shape = make_shape();
    for (uint32_t i = 0; i < count; ++i)
    {
        Sampling sampling = { indices[i], bake(shape, ABUT_FIELD_F32, true, 24) };
        uint64_t allocations = test_fail_every_allocation(create_and_sample, &sampling);
        print_message("%llu allocations\n", (unsigned long long)allocations);
        abut_shape_destroy(sampling.field);
    }
    abut_shape_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_of_a_million_points_have_the_same_bits),
        cmocka_unit_test(test_bound_pages_and_staging_have_the_same_bits),
        cmocka_unit_test(test_devices_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
