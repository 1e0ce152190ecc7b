// Contacts of particles on devices (Algorithm 3), byte by byte against those of the processor.
#include "support/devices.h"
#include "support/gpu_scenes.h"

#include "gpu/device.h"
#include "gpu/fields.h"
#include "gpu/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 40,
    PAIRS = 100
};

/// Everything of a step in one hash and, where that is not enough, in arrays.
typedef struct Step
{
    uint64_t hash;
    AbutCollideResults results;
} Step;

static Step run_step(const GpuScene* scene, AbutCollider* collider)
{
    Step step;
    const AbutPairsInput input = { scene->bodies, scene->body_count, scene->pairs, scene->pair_count };
    test_assert_result(abut_collide_pairs(collider, &input, &scene->settings, &step.results), ABUT_OK);
    step.hash = gpu_scene_hash(&step.results);
    return step;
}

static Step run_on(const GpuScene* scene, AbutDevice* device, AbutCollider** collider)
{
    test_assert_result(abut_collider_create(NULL, collider), ABUT_OK);
    abut_collider_set_device(*collider, device);
    return run_step(scene, *collider);
}

/// The same step by the processor and by the device, which has done the work.
static AbutDeviceStats check_scene(const GpuScene* scene, AbutDevice* device, const char* what)
{
    AbutCollider *processor, *on_device;
    Step expected = run_on(scene, NULL, &processor);
    abut_device_reset_stats(device);
    Step actual = run_on(scene, device, &on_device);
    AbutDeviceStats stats = abut_device_stats(device);
    print_message("%s: %zu contacts of %zu pairs; %llu particles, %llu arrived\n", what,
                  expected.results.contact_count, expected.results.pair_count,
                  (unsigned long long)stats.particles, (unsigned long long)stats.hits);
    if (expected.hash != actual.hash)
    {
        for (size_t i = 0; i < expected.results.contact_count && i < actual.results.contact_count; ++i)
        {
            const AbutContact *a = &expected.results.contacts[i], *b = &actual.results.contacts[i];
            if (memcmp(a, b, sizeof(*a)) != 0)
            {
                fail_msg("%s: contact %zu of %zu (%zu) is at (%a, %a, %a) on the device, (%a, %a, %a) on the "
                         "processor",
                         what, i, actual.results.contact_count, expected.results.contact_count,
                         (double)b->position.x, (double)b->position.y, (double)b->position.z,
                         (double)a->position.x, (double)a->position.y, (double)a->position.z);
            }
        }
        fail_msg("%s: %zu contacts on the device, %zu on the processor, or other states", what,
                 actual.results.contact_count, expected.results.contact_count);
    }
    assert_true(stats.particles > 0 || scene->pair_count == 0);
    abut_collider_destroy(processor);
    abut_collider_destroy(on_device);
    return stats;
}

// -----------------------------------------------------------------------------------------------------------
// Claims
// -----------------------------------------------------------------------------------------------------------

static void check_formats(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, BODIES, PAIRS, false, 0.0);
    check_scene(&scene, device, "all formats");
    scene.settings.particles.quasi_random = true;
    scene.settings.particles.resolution = 7;
    scene.settings.particles.relaxation = 1.3f;
    scene.settings.margin = 0.05f;
    check_scene(&scene, device, "quasi-random, relaxed, with a margin");
    scene.settings.particles.one_per_voxel = true;
    scene.settings.particles.max_contacts = 20;
    check_scene(&scene, device, "the deepest 20 of one per voxel");
    scene.settings.measure_depth = true;
    scene.settings.particles.resolution = 3;
    check_scene(&scene, device, "depths");
    gpu_scene_free(&scene);
}

static void test_contacts_of_all_formats_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_formats);
}

/// Most particles that arrive are left out on the device, and the contacts, totals and states are the same.
static void check_thinning(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, BODIES, PAIRS / 10, true, 0.0);
    scene.settings.particles.resolution = 10;
    scene.settings.particles.max_contacts = 12;
    AbutDeviceStats by_depth = check_scene(&scene, device, "the deepest 12");
    assert_true(4 * by_depth.thinned_hits > 3 * by_depth.hits);
    scene.settings.margin = 0.05f;
    check_scene(&scene, device, "the deepest 12, with a margin");
    scene.settings.particles.max_contacts = 100000;
    assert_int_equal(check_scene(&scene, device, "at most 100000").thinned_hits, 0);
    scene.settings.particles.max_contacts = 0;
    scene.settings.particles.one_per_voxel = true;
    scene.settings.spacing = 0.15f;
    AbutDeviceStats cells = check_scene(&scene, device, "one per voxel, with a margin");
    assert_true(2 * cells.thinned_hits > cells.hits);
    scene.settings.spacing = 0.004f; // doubled, since there are too many voxels
    scene.settings.margin = 0.0f;
    scene.settings.particles.max_contacts = 5;
    check_scene(&scene, device, "the deepest 5 of one per small voxel");
    gpu_scene_free(&scene);
}

static void test_thinning_on_the_device_has_the_same_bytes(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    gpu_each_device(def, check_thinning);
    def.chunk_particles = 2048; // pairs cross the ends of chunks
    AbutDeviceDef twice = def;
    twice.two_passes = true;
    gpu_devices_alternately(def, twice, check_thinning);
}

static void check_poses(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 2, true, 0.0);
    check_scene(&scene, device, "scales");
    gpu_scene_free(&scene);
    scene = gpu_scene_make(4, BODIES, PAIRS / 2, true, 12345.678);
    check_scene(&scene, device, "12 km away");
    gpu_scene_free(&scene);
}

static void test_scales_and_far_positions_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_poses);
}

static void check_chunks(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 10, true, 0.0);
    scene.settings.particles.resolution = 12;
    check_scene(&scene, device, "chunks");
    gpu_scene_free(&scene);
}

static void test_small_chunks_two_passes_and_bound_fields_change_nothing(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    def.chunk_particles = 2048; // pairs cross the ends of chunks
    gpu_each_device(def, check_chunks);
    def.two_passes = true;
    def.bind_fields = true;
    def.stage = true;
    gpu_each_device(def, check_chunks);
}

static void check_counts(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(2, 2, 1, false, 0.0);
    check_scene(&scene, device, "one pair");
    scene.pair_count = 0;
    check_scene(&scene, device, "no pair");
    gpu_scene_free(&scene);

    scene = gpu_scene_make(3, 3, 2, false, 0.0);
    scene.bodies[1].pose.position.x += 100.0; // no particles
    scene.bodies[2].pose.position = scene.bodies[0].pose.position;
    scene.pairs[1] = (AbutBodyPair){ 0, 2 };
    check_scene(&scene, device, "a pair without particles");
    gpu_scene_free(&scene);

    const size_t pairs = test_heavy_count(4) == 4 ? 100000 : 10000;
    scene = gpu_scene_make(4, 2000, (size_t)TEST_ROUNDS(pairs), false, 0.0);
    scene.settings.particles.resolution = 2;
    scene.settings.particles.steps = 4;
    check_scene(&scene, device, "many pairs of few particles");
    gpu_scene_free(&scene);
}

static void test_no_pair_one_pair_and_many_pairs_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_counts);
}

static AbutShape* copy_field(const AbutShape* field)
{
    AbutShape* copy;
    AbutFieldDataDef def = abut_field_data_def();
    def.data = (void*)abut_field_data(field, &def.size); // is copied
    def.skip_checksum = true;
    test_assert_result(abut_field_create_from_data(&def, &copy), ABUT_OK);
    return copy;
}

/// Each body has a field of its own: large ones, of 17 MB, cross the ends of pages of 64 MiB; and small ones.
static void check_fields(AbutDevice* device)
{
    const bool heavy = test_heavy_count(4) == 4;
    const uint32_t large = heavy ? 20 : 5, count = heavy ? 220 : 45;
    GpuScene scene = gpu_scene_make(2, count, count, false, 0.0);
    AbutShape* sphere = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &sphere), ABUT_OK);
    AbutShape* first = gpu_scene_bake(sphere, ABUT_FIELD_FIRST_ORDER, false, 128);
    scene.settings.particles.resolution = 4;
    for (uint32_t i = 0; i < count; ++i)
    {
        scene.bodies[i].shape = copy_field(i < large ? first : scene.fields[i % 2]);
        scene.bodies[i].pose.position = (AbutPosition){ 0.3 * (i % 2), 0.0, 0.0 }; // all touch
    }
    check_scene(&scene, device, "a field for each body");
    AbutDeviceStats stats = abut_device_stats(device);
    print_message("%llu bytes of fields\n", (unsigned long long)stats.field_bytes);
    assert_int_equal(stats.uploaded_fields, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_shape_destroy((AbutShape*)scene.bodies[i].shape);
    }
    abut_shape_destroy(first);
    gpu_scene_free(&scene);
}

static void test_many_and_large_fields_have_the_same_bytes(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def(), bound = def;
    bound.bind_fields = true;
    gpu_devices_alternately(def, bound, check_fields);
    if (test_heavy_count(4) == 4)
    {
        gpu_devices_alternately(bound, def, check_fields);
    }
}

static void check_reuse(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 2, false, 0.0);
    AbutCollider *processor, *on_device;
    scene.settings.particles.reuse = true;
    Step expected = run_on(&scene, NULL, &processor), actual = run_on(&scene, device, &on_device);
    for (int step = 0; step < 3; ++step)
    {
        assert_true(expected.hash == actual.hash);
        for (size_t i = 0; i < scene.body_count; ++i)
        {
            scene.bodies[i].pose.position.y += 0.01 * (double)(i % 7);
        }
        expected = run_step(&scene, processor);
        actual = run_step(&scene, on_device);
    }
    assert_true(expected.hash == actual.hash);
    abut_collider_destroy(processor);
    abut_collider_destroy(on_device);
    gpu_scene_free(&scene);
}

static void test_starts_from_the_last_step_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_reuse);
}

// -----------------------------------------------------------------------------------------------------------
// Failures
// -----------------------------------------------------------------------------------------------------------

static int warning_count;
static char last_warning[512];

static void count_warnings(void* user, AbutLogLevel level, const char* message)
{
    (void)user;
    assert_int_equal(level, ABUT_LOG_WARNING);
    warning_count += 1;
    snprintf(last_warning, sizeof(last_warning), "%s", message);
}

static void check_failure(AbutDevice* device, AbutResult failure)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 16, false, 0.0);
    AbutCollider *processor, *on_device;
    AbutHost host = abut_host_default();
    host.log = count_warnings;
    scene.settings.particles.max_contacts = failure == ABUT_DEVICE_LOST ? 0 : 10; // also while it thins
    Step expected = run_on(&scene, NULL, &processor);
    uint32_t failures = 0;
    for (uint32_t submissions = 1; submissions < 7; ++submissions)
    {
        test_assert_result(abut_collider_create(&host, &on_device), ABUT_OK);
        abut_collider_set_device(on_device, device);
        device->lost = false;
        device->fail_after = submissions;
        device->failure = failure;
        warning_count = 0;
        Step actual = run_step(&scene, on_device);
        bool failed = device->fail_after == 0;
        failures += failed ? 1 : 0;
        assert_int_equal(warning_count, failed ? 1 : 0);
        assert_true(!failed || device->lost == (failure == ABUT_DEVICE_LOST));
        assert_true(expected.hash == actual.hash);
        assert_true(run_step(&scene, on_device).hash != 0); // and goes on
        device->fail_after = 0;
        abut_collider_destroy(on_device);
    }
    assert_true(failures >= 2); // before and after the first chunk
    abut_collider_destroy(processor);
    gpu_scene_free(&scene);
}

static void check_lost(AbutDevice* device)
{
    check_failure(device, ABUT_DEVICE_LOST);
    device->lost = false; // that was a game
}

static void check_memory(AbutDevice* device)
{
    check_failure(device, ABUT_OUT_OF_MEMORY);
}

static void test_a_lost_device_leaves_the_same_bytes_to_the_processor(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    def.chunk_particles = 1024; // several chunks
    gpu_each_device(def, check_lost);
    gpu_each_device(def, check_memory);
}

/// A device as it was before its first step, but for its pipelines.
static void free_device_memory(AbutDevice* device)
{
    AbutGpuBuffer* buffers[] = { &device->pairs,   &device->spans,        &device->starts,
                                 &device->scratch, &device->group_counts, &device->span_counts,
                                 &device->hits,    &device->keys,         &device->table };
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); ++i)
    {
        abut_gpu_free(device, buffers[i]);
    }
    abut_gpu_fields_destroy(device);
    test_assert_result(abut_gpu_fields_create(device), ABUT_OK);
}

/// Each allocation of device memory in a step fails in turn: the processor takes over, and the next step goes
/// on.
static void check_allocations(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, 12, 12, false, 0.0);
    AbutCollider *processor, *on_device;
    AbutHost host = abut_host_default();
    host.log = count_warnings;
    scene.settings.particles.max_contacts = 10;
    Step expected = run_on(&scene, NULL, &processor);
    uint32_t failures = 0;
    for (bool failed = true; failed; failures += failed ? 1 : 0)
    {
        test_assert_result(abut_collider_create(&host, &on_device), ABUT_OK);
        abut_collider_set_device(on_device, device);
        free_device_memory(device);
        device->fail_allocation = failures + 1;
        warning_count = 0;
        assert_true(run_step(&scene, on_device).hash == expected.hash);
        failed = device->fail_allocation == 0;
        device->fail_allocation = 0;
        abut_collider_reset(on_device);
        assert_true(run_step(&scene, on_device).hash == expected.hash);
        assert_int_equal(warning_count, failed ? 1 : 0);
        assert_true(!failed || strstr(last_warning, "out of device memory") != NULL);
        abut_collider_destroy(on_device);
    }
    print_message("%u allocations failed\n", failures);
    assert_true(failures > 6);
    abut_collider_destroy(processor);
    gpu_scene_free(&scene);
}

static void test_failing_device_memory_leaves_the_same_bytes(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def(), bound = def;
    bound.bind_fields = true;
    gpu_devices_alternately(def, bound, check_allocations);
}

static void check_budget(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, BODIES, PAIRS / 4, false, 0.0);
    AbutCollider *processor, *on_device;
    AbutHost host = abut_host_default();
    host.log = count_warnings;
    warning_count = 0;
    Step expected = run_on(&scene, NULL, &processor);
    test_assert_result(abut_collider_create(&host, &on_device), ABUT_OK);
    abut_collider_set_device(on_device, device);
    assert_true(run_step(&scene, on_device).hash == expected.hash);
    assert_int_equal(warning_count, 1);
    assert_non_null(strstr(last_warning, "does not fit beside"));
    AbutDeviceStats stats = abut_device_stats(device);
    assert_true(stats.field_bytes <= device->def.memory_budget && stats.uploaded_fields > 0);
    abut_collider_destroy(processor);
    abut_collider_destroy(on_device);
    gpu_scene_free(&scene);
}

static void test_fields_over_the_budget_stay_with_the_processor(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    def.memory_budget = 1000000;
    gpu_each_device(def, check_budget);
}

/// Three scenes of two fields each fit the budget one at a time, in turn: the fields of one make room for
/// those of the next.
static void check_eviction(AbutDevice* device)
{
    AbutCollider *processor, *on_device;
    AbutHost host = abut_host_default();
    host.log = count_warnings;
    warning_count = 0;
    uint64_t evicted = 0, uploaded = 0;
    GpuScene scene = gpu_scene_make(6, 20, 20, false, 0.0);
    test_assert_result(abut_collider_create(&host, &on_device), ABUT_OK);
    abut_collider_set_device(on_device, device);
    for (size_t number = 0; number < 4; ++number)
    {
        for (size_t i = 0; i < scene.body_count; ++i)
        {
            scene.bodies[i].shape = scene.fields[i % 2 + 2 * (number % 3)];
        }
        abut_device_reset_stats(device);
        Step expected = run_on(&scene, NULL, &processor), actual = run_step(&scene, on_device);
        AbutDeviceStats stats = abut_device_stats(device);
        print_message("%llu bytes of fields, %llu evicted\n", (unsigned long long)stats.field_bytes,
                      (unsigned long long)stats.evicted_fields);
        assert_true(expected.hash == actual.hash && expected.results.contact_count > 0);
        assert_true(stats.particles > 0 && stats.field_bytes <= device->def.memory_budget);
        evicted += stats.evicted_fields;
        uploaded += stats.uploaded_fields;
        abut_collider_destroy(processor);
    }
    assert_true(evicted >= 5 && uploaded == 8 && warning_count == 0);
    abut_collider_destroy(on_device);
    gpu_scene_free(&scene);
}

static void test_fields_are_evicted_for_others(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    def.memory_budget = 1450000;
    AbutDeviceDef bound = def;
    bound.bind_fields = true;
    gpu_devices_alternately(def, bound, check_eviction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_all_formats_have_the_same_bytes),
        cmocka_unit_test(test_thinning_on_the_device_has_the_same_bytes),
        cmocka_unit_test(test_scales_and_far_positions_have_the_same_bytes),
        cmocka_unit_test(test_small_chunks_two_passes_and_bound_fields_change_nothing),
        cmocka_unit_test(test_no_pair_one_pair_and_many_pairs_have_the_same_bytes),
        cmocka_unit_test(test_many_and_large_fields_have_the_same_bytes),
        cmocka_unit_test(test_starts_from_the_last_step_have_the_same_bytes),
        cmocka_unit_test(test_a_lost_device_leaves_the_same_bytes_to_the_processor),
        cmocka_unit_test(test_failing_device_memory_leaves_the_same_bytes),
        cmocka_unit_test(test_fields_over_the_budget_stay_with_the_processor),
        cmocka_unit_test(test_fields_are_evicted_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, gpu_close_devices);
}
