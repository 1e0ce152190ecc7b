// Dual octree traversals on devices: answers of `adaptive` and speculative contacts, byte by byte against
// those of the processor.
#include "support/devices.h"
#include "support/gpu_scenes.h"

#include "gpu/device.h"
#include "gpu/pairs/traverse.h"
#include "gpu/pairs/walk.h"
#include "narrow/contacts/contacts.h"
#include "narrow/contacts/project.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 24,
    PAIRS = 60
};

typedef struct Step
{
    uint64_t hash;
    size_t states[ABUT_COLLIDE_STATE_COUNT];
    AbutCollideResults results;
} Step;

/// One step of all pairs; `margin` under 0: proofs and contacts, else speculative contacts.
static Step run_step(const GpuScene* scene, AbutCollider* collider, float margin)
{
    Step step = { .hash = 0 };
    const AbutPairsInput input = { scene->bodies, scene->body_count, scene->pairs, scene->pair_count };
    AbutSpeculativeSettings speculative = abut_speculative_settings();
    speculative.margin = margin;
    AbutResult result = margin < 0.0f ? abut_collide_pairs(collider, &input, &scene->settings, &step.results)
                                      : abut_speculative_pairs(collider, &input, &speculative, &step.results);
    test_assert_result(result, ABUT_OK);
    for (size_t i = 0; i < step.results.pair_count; ++i)
    {
        step.states[step.results.pairs[i].output.state] += 1;
    }
    step.hash = gpu_scene_hash(&step.results);
    return step;
}

static Step run_on(const GpuScene* scene, const AbutHost* host, AbutDevice* device, float margin)
{
    AbutCollider* collider;
    test_assert_result(abut_collider_create(host, &collider), ABUT_OK);
    abut_collider_set_device(collider, device);
    Step step = run_step(scene, collider, margin);
    abut_collider_destroy(collider);
    return step;
}

/// The same step by the processor and by the device, which has done work.
static AbutDeviceStats check_scene(const GpuScene* scene, AbutDevice* device, float margin, const char* what)
{
    Step expected = run_on(scene, NULL, NULL, margin);
    abut_device_reset_stats(device);
    Step actual = run_on(scene, NULL, device, margin);
    AbutDeviceStats stats = abut_device_stats(device);
    print_message("%s: %zu pairs, %zu separated, %zu in contact, %zu contacts; %llu boxes, %llu leaves\n",
                  what, expected.results.pair_count, expected.states[ABUT_COLLIDE_SEPARATED],
                  expected.states[ABUT_COLLIDE_CONTACT], expected.results.contact_count,
                  (unsigned long long)stats.boxes, (unsigned long long)stats.leaves);
    assert_int_equal(actual.results.contact_count, expected.results.contact_count);
    if (actual.hash != expected.hash)
    {
        fail_msg("%s: other bytes on the device", what);
    }
    return stats;
}

static void check_formats(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, BODIES, PAIRS, true, 0.0);
    scene.settings.method = ABUT_COLLIDE_ADAPTIVE;
    AbutDeviceStats stats = check_scene(&scene, device, -1.0f, "proofs and contacts");
    assert_true(stats.boxes > 0 && stats.leaves > 0);
    scene.settings.margin = 0.1f;
    scene.settings.spacing = 0.04f;
    check_scene(&scene, device, -1.0f, "with a margin");
    check_scene(&scene, device, 0.03f, "speculative");
    gpu_scene_free(&scene);
}

static void test_all_formats_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_formats);
}

// -----------------------------------------------------------------------------------------------------------
// Records
// -----------------------------------------------------------------------------------------------------------

/// The record of the search for contacts of a pair; false where its boxes are apart.
static bool record_pair(const GpuScene* scene, size_t i, AbutDevice* device, AbutPair* pair,
                        AbutRecordedOctree* recorded, GpuOctreePair* out)
{
    const AbutCollideBody *a = &scene->bodies[scene->pairs[i].a], *b = &scene->bodies[scene->pairs[i].b];
    const AbutPairDef def = { a->shape, b->shape, a->pose, b->pose, 0.0f, 0.0f };
    AbutDualOctree octree;
    float gap, distance = 0.002f;
    test_assert_result(abut_pair_init(&def, pair, &gap), ABUT_OK);
    if (gap > 0.0f || !abut_narrow_contact_octree(pair, distance, 0.05f, &octree))
    {
        return false;
    }
    assert_true(abut_gpu_record_octree(&octree, pair, out));
    abut_gpu_walk_begin(device);
    test_assert_result(abut_gpu_walk_field(device, a->shape, &out->sides[0].field), ABUT_OK);
    test_assert_result(abut_gpu_walk_field(device, b->shape, &out->sides[1].field), ABUT_OK);
    out->steps = ABUT_CONTACT_PROJECTION_STEPS;
    out->target = distance;
    *recorded =
        (AbutRecordedOctree){ octree.threshold, octree.last_level, out->steps, distance, 0, NULL, NULL };
    return true;
}

/// The projection of a device is that of the processor.
static void check_sample(AbutPair* pair, const float middle[3], const AbutRecordedSample* sample)
{
    AbutPairBatch batch;
    batch.count = 1;
    abut_pair_batch_set(&batch, 0, abut_vec3(middle[0], middle[1], middle[2]));
    uint64_t before = pair->evaluations;
    abut_narrow_project(pair, &batch, ABUT_CONTACT_PROJECTION_STEPS, 0.002f);
    assert_int_equal(pair->evaluations - before, sample->samples);
    for (int side = 0; side < 2; ++side)
    {
        assert_memory_equal(&batch.distance[side][0], &sample->distance[side], sizeof(float));
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_memory_equal(&batch.gradient[side][axis][0], &sample->gradient[side][axis], sizeof(float));
            assert_memory_equal(&batch.at[axis][0], &sample->at[axis], sizeof(float));
        }
    }
}

/// A traversal with records gives the same boxes as one without, and divides none itself.
static size_t check_traversal(AbutPair* pair, const AbutRecordedOctree* recorded)
{
    AbutDualOctree plain, replayed;
    AbutOctreeBox boxes[2][8];
    bool hits[2];
    size_t count = 0;
    assert_true(abut_narrow_contact_octree(pair, 0.002f, 0.05f, &plain));
    pair->recorded = recorded;
    pair->recorded_count = 1;
    assert_true(abut_narrow_contact_octree(pair, 0.002f, 0.05f, &replayed));
    pair->recorded_count = 0;
    assert_ptr_equal(replayed.recorded, recorded);
    plain.surface_only = replayed.surface_only = true;
    for (uint32_t more = 1; more > 0; count += more)
    {
        more = abut_dual_octree_next(&plain, boxes[0], &hits[0]);
        assert_int_equal(abut_dual_octree_next(&replayed, boxes[1], &hits[1]), more);
        assert_memory_equal(boxes[0], boxes[1], more * sizeof(boxes[0][0]));
        for (uint32_t i = 0; i < more; ++i)
        {
            float middle[3];
            abut_dual_octree_middle(&plain, &boxes[0][i], middle);
            assert_non_null(replayed.samples[i]);
            check_sample(pair, middle, replayed.samples[i]);
        }
    }
    float bounds[2] = { abut_dual_octree_lower_bound(&plain), abut_dual_octree_lower_bound(&replayed) };
    assert_memory_equal(&bounds[0], &bounds[1], sizeof(float));
    assert_int_equal(replayed.evaluations, plain.evaluations);
    assert_int_equal(replayed.missing, 0);
    return count;
}

static void check_records(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(6, BODIES, PAIRS / 2, true, 0.0);
    AbutGpuTraversed traversed = { 0 };
    size_t count = 0;
    for (size_t i = 0; i < scene.pair_count; ++i)
    {
        AbutPair pair;
        AbutRecordedOctree recorded;
        GpuOctreePair record;
        AbutGpuTraversal traversal;
        if (record_pair(&scene, i, device, &pair, &recorded, &record))
        {
            test_assert_result(abut_gpu_traverse(device, &record, 1, &traversal, &traversed), ABUT_OK);
            recorded.root = traversal.root;
            recorded.records = traversed.records + traversal.first_record;
            recorded.samples = traversed.samples + traversal.first_sample;
            count += check_traversal(&pair, &recorded);
        }
    }
    print_message("%zu boxes\n", count);
    assert_true(count > 1000);
    abut_gpu_traversed_free(&device->host, &traversed);
    gpu_scene_free(&scene);
}

static void test_records_are_what_the_processor_would_compute(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_records);
}

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

static void check_poses(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 2, true, 12345.678);
    scene.settings.method = ABUT_COLLIDE_AUTOMATIC;
    check_scene(&scene, device, -1.0f, "12 km away");
    check_scene(&scene, device, 0.05f, "speculative, 12 km away");
    for (size_t i = 0; i < scene.body_count; ++i)
    {
        AbutPosition* at = &scene.bodies[i].pose.position;
        *at = (AbutPosition){ (at->x - 12345.678) * 1e-3, at->y * 1e-3, at->z * 1e-3 };
        scene.bodies[i].pose.scale *= 1e-3f;
        scene.bodies[i].pose.rotation = abut_pose_identity().rotation; // parallel faces
    }
    check_scene(&scene, device, -1.0f, "a thousandth of the size");
    scene.settings.spacing = 2e-6f; // too fine: it doubles
    scene.pair_count = 6;
    check_scene(&scene, device, -1.0f, "a spacing that doubles");
    gpu_scene_free(&scene);
}

static void test_poses_and_scales_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_poses);
}

/// Bodies with the shapes of meshes, of one size, in one place.
static GpuScene mesh_scene;

static void check_meshes(AbutDevice* device)
{
    GpuScene* scene = &mesh_scene;
    scene->settings.method = ABUT_COLLIDE_ADAPTIVE;
    check_scene(scene, device, -1.0f, "meshes");
    check_scene(scene, device, 0.02f, "meshes, speculative");
    AbutCollider* colliders[2];
    AbutCollideResults results[2];
    scene->settings.method = ABUT_COLLIDE_PARTICLES;
    scene->settings.particles.resolution = 5;
    const AbutPairsInput input = { scene->bodies, scene->body_count, scene->pairs, scene->pair_count };
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_collider_create(NULL, &colliders[i]), ABUT_OK);
        abut_collider_set_device(colliders[i], i == 0 ? NULL : device);
        test_assert_result(abut_collide_pairs(colliders[i], &input, &scene->settings, &results[i]), ABUT_OK);
    }
    assert_true(results[0].contact_count > 100);
    assert_true(gpu_scene_hash(&results[0]) == gpu_scene_hash(&results[1]));
    abut_collider_destroy(colliders[0]);
    abut_collider_destroy(colliders[1]);
}

static void test_meshes_have_the_same_bytes(void** state)
{
    (void)state;
    static const struct
    {
        const char* name;
        AbutFieldFormat format;
        bool sparse;
    } meshes[] = {
        { "bunny4k.obj", ABUT_FIELD_F32, false },
        { "factory_nut_m16_loose_subdiv_3x.obj", ABUT_FIELD_FIRST_ORDER, true },
        { "factory_gear_small_space_5e-4.obj", ABUT_FIELD_F16, true },
        { "factory_round_hole_8mm_subdiv_3x.obj", ABUT_FIELD_FIRST_ORDER, false },
    };
    enum
    {
        MESHES = sizeof(meshes) / sizeof(meshes[0])
    };
    TestRandom random = { 77 };
    mesh_scene = gpu_scene_make(0, 16, 40, true, 0.0);
    for (uint32_t i = 0; i < MESHES; ++i)
    {
        mesh_scene.fields[i] = gpu_scene_bake_mesh(meshes[i].name, meshes[i].format, meshes[i].sparse, 48);
        if (mesh_scene.fields[i] == NULL)
        {
            gpu_scene_free(&mesh_scene);
            print_message("no shared meshes\n");
            skip();
        }
        mesh_scene.field_count = i + 1;
    }
    for (size_t i = 0; i < mesh_scene.body_count; ++i)
    {
        AbutCollideBody* body = &mesh_scene.bodies[i];
        body->shape = mesh_scene.fields[i % MESHES];
        AbutBox box = abut_shape_info(body->shape).bounds;
        AbutVec3 extents = abut_box_extents(box);
        float size = fmaxf(extents.x, fmaxf(extents.y, extents.z));
        body->pose.scale = 1.0f / size;
        body->pose.position = test_random_position(&random, 0.35);
        body->pose.rotation = test_random_rotation(&random);
    }
    gpu_each_device(abut_device_def(), check_meshes);
    gpu_scene_free(&mesh_scene);
}

/// Many pairs of few boxes, pairs far apart, one pair and none.
static void check_counts(AbutDevice* device)
{
    const size_t pairs = test_heavy_count(4) == 4 ? 100000 : 5000;
    GpuScene scene = gpu_scene_make(3, 600, (size_t)TEST_ROUNDS(pairs), false, 0.0);
    scene.settings.method = ABUT_COLLIDE_ADAPTIVE;
    for (size_t i = 0; i < scene.body_count; ++i)
    {
        scene.bodies[i].pose.position.x += (double)(i % 40);
    }
    check_scene(&scene, device, 0.01f, "many pairs, speculative");
    scene.pair_count = 1;
    check_scene(&scene, device, -1.0f, "one pair");
    scene.bodies[scene.pairs[0].b].pose.position.y += 100.0;
    check_scene(&scene, device, -1.0f, "far apart");
    scene.pair_count = 0;
    check_scene(&scene, device, -1.0f, "no pair");
    gpu_scene_free(&scene);
}

static void test_many_pairs_one_and_none_have_the_same_bytes(void** state)
{
    (void)state;
    gpu_each_device(abut_device_def(), check_counts);
}

/// Room for few boxes: what is left over is divided by the processor.
static void check_small_capacity(AbutDevice* device)
{
    GpuScene scene = gpu_scene_make(4, BODIES, PAIRS / 4, false, 0.0);
    scene.settings.method = ABUT_COLLIDE_ADAPTIVE;
    for (device->most_boxes = 16; device->most_boxes < 10000; device->most_boxes *= 21)
    {
        check_scene(&scene, device, -1.0f, "little room");
        check_scene(&scene, device, 0.02f, "speculative, little room");
    }
    gpu_scene_free(&scene);
}

static void test_little_capacity_changes_nothing(void** state)
{
    (void)state;
    AbutDeviceDef def = abut_device_def();
    def.bind_fields = true;
    def.stage = true;
    gpu_each_device(def, check_small_capacity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_what_the_processor_would_compute),
        cmocka_unit_test(test_all_formats_have_the_same_bytes),
        cmocka_unit_test(test_poses_and_scales_have_the_same_bytes),
        cmocka_unit_test(test_meshes_have_the_same_bytes),
        cmocka_unit_test(test_many_pairs_one_and_none_have_the_same_bytes),
        cmocka_unit_test(test_little_capacity_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, gpu_close_devices);
}
