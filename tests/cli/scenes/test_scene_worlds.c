// The scenes that come with abut, as builders and as files: each makes a world, starts without overlap, and
// does the same again.
#include "support/support.h"

#include "scenes/simulate/builders.h"
#include "scenes/simulate/scene_file.h"
#include "scenes/simulate/scene_world.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 5,
    MAX_VISUAL_TRIANGLES = 30000
};

static AbutResult make_world(const Scene* scene, bool visuals, SceneWorld* out)
{
    SceneWorldDef def = { .visuals = visuals };
    return scene_world_create(&def, scene, out);
}

static void check_visuals(const Scene* scene, const SceneWorld* world)
{
    for (uint32_t i = 0; i < world->shape_count; ++i)
    {
        const AbutMesh* visual = world->visuals[i];
        AbutMeshReport report;
        AbutMeshInspectDef def = abut_mesh_inspect_def();
        def.skip_self_intersections = true;
        test_assert_result(abut_mesh_inspect(&def, visual, &report), ABUT_OK);
        if (!report.closed || !report.oriented || report.triangle_count > MAX_VISUAL_TRIANGLES ||
            !(report.mass.volume > 0.0))
        {
            fail_msg("%s, %s: %u triangles, closed %d, oriented %d, volume %g", scene->title,
                     scene->shapes[i].name, report.triangle_count, report.closed, report.oriented,
                     report.mass.volume);
        }
    }
}

/// Steps a scene and returns its hash. Nothing may be deep in anything at the start, and nothing may be lost.
static uint64_t step_scene(const Scene* scene, uint32_t steps)
{
    SceneWorld world;
    AbutResult result = make_world(scene, true, &world);
    if (result != ABUT_OK)
    {
        fail_msg("%s", abut_last_error());
    }
    check_visuals(scene, &world);
    for (uint32_t i = 0; i < steps; ++i)
    {
        AbutStepReport report;
        test_assert_result(abut_world_step(world.world, (float)scene->step, &report), ABUT_OK);
        if (i == 0 && report.max_penetration > 0.002f)
        {
            fail_msg("%s starts with an overlap of %g", scene->title, (double)report.max_penetration);
        }
        assert_true(isfinite(report.kinetic_energy));
    }
    uint64_t hash = abut_world_hash(world.world);
    scene_world_destroy(&world);
    return hash;
}

static uint32_t few_bodies(const SceneBuilder* builder)
{
    return builder->takes_bodies ? 12 : 0;
}

static void test_every_builder_makes_a_world_that_steps(void** state)
{
    (void)state;
    for (const SceneBuilder* builder = scene_builders(); builder->name != NULL; ++builder)
    {
        SceneOptions options = { .bodies = few_bodies(builder) };
        Scene scene;
        test_assert_result(scene_build(builder, &options, &scene), ABUT_OK);
        assert_string_equal(scene.title, builder->name);
        assert_true(scene.camera_distance > 0.0);
        step_scene(&scene, STEPS);
        scene_destroy(&scene);
    }
}

static void test_builders_make_the_same_scene_each_time_and_another_for_another_seed(void** state)
{
    (void)state;
    const SceneBuilder* pile = scene_find_builder("pile");
    SceneOptions options = { .bodies = 30 };
    Scene a, b, c;
    test_assert_result(scene_build(pile, &options, &a), ABUT_OK);
    test_assert_result(scene_build(pile, &options, &b), ABUT_OK);
    options.seed = 1;
    test_assert_result(scene_build(pile, &options, &c), ABUT_OK);
    assert_int_equal(a.body_count, 31);
    for (uint32_t i = 0; i < a.body_count; ++i)
    {
        assert_memory_equal(&a.bodies[i].pose, &b.bodies[i].pose, sizeof(AbutPose));
    }
    assert_memory_not_equal(&a.bodies[5].pose, &c.bodies[5].pose, sizeof(AbutPose));
    scene_destroy(&a);
    scene_destroy(&b);
    scene_destroy(&c);
}

static void test_a_saved_scene_steps_to_the_same_hash(void** state)
{
    (void)state;
    SceneOptions options = { .bodies = 10 };
    Scene scene, again;
    test_assert_result(scene_build(scene_find_builder("pile"), &options, &scene), ABUT_OK);
    char path[] = "/tmp/abut_scene_XXXXXX";
    FILE* file = fdopen(mkstemp(path), "w");
    assert_true(scene_write(&scene, file));
    fclose(file);
    test_assert_result(scene_load(path, 100, &again), ABUT_OK);
    remove(path);
    assert_true(step_scene(&scene, 40) == step_scene(&again, 40));
    scene_destroy(&scene);
    scene_destroy(&again);
}

static void test_every_file_of_scenes_is_loaded_and_steps(void** state)
{
    (void)state;
    const char* folder = getenv("ABUT_SCENES");
    if (folder == NULL)
    {
        skip();
    }
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (const struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        const char* ending = strchr(entry->d_name, '.'); // of scene.schema.json another one
        if (ending == NULL || strcmp(ending, ".json") != 0)
        {
            continue;
        }
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        Scene scene;
        if (scene_load(path, 10000, &scene) != ABUT_OK)
        {
            fail_msg("%s", abut_last_error());
        }
        step_scene(&scene, STEPS);
        scene_destroy(&scene);
        ++count;
    }
    closedir(directory);
    assert_true(count >= 4);
}

static void test_options_that_a_builder_does_not_take_are_refused(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(scene_build(scene_find_builder("nut"), &(SceneOptions){ .bodies = 3 }, &scene),
                       ABUT_INVALID_ARGUMENT);
    test_assert_result(scene_build(scene_find_builder("pipe"), &(SceneOptions){ .mesh = "a.obj" }, &scene),
                       ABUT_INVALID_ARGUMENT);
    assert_null(scene_find_builder("piel"));
}

static void test_a_missing_mesh_is_named_with_its_shape(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(
        scene_build(scene_find_builder("bunny"), &(SceneOptions){ .mesh = "/nowhere/b.obj" }, &scene),
        ABUT_OK);
    SceneWorld world;
    test_assert_result(make_world(&scene, false, &world), ABUT_NOT_FOUND);
    assert_non_null(strstr(abut_last_error(), "bunny: shape \"bunny\": /nowhere/b.obj"));
    scene_destroy(&scene);
}

/// Meshes of any size and place fall as the generated ones do.
static void test_a_real_mesh_replaces_the_generated_one(void** state)
{
    (void)state;
    const char* path = test_shared_mesh("bunny4k.obj");
    if (path == NULL)
    {
        skip();
    }
    Scene scene;
    test_assert_result(scene_build(scene_find_builder("bunny"), &(SceneOptions){ .mesh = path }, &scene),
                       ABUT_OK);
    SceneWorld world;
    test_assert_result(make_world(&scene, true, &world), ABUT_OK);
    AbutBox box = abut_shape_info(world.shapes[scene.bodies[1].shape]).bounds;
    AbutBox posed = abut_pose_transform_box(&scene.bodies[1].pose, box);
    test_assert_near(abut_vec3_length(abut_box_extents(posed)), 0.28, 0.08);
    test_assert_near(0.5f * (posed.min.y + posed.max.y), 0.13, 0.02);
    step_scene(&scene, STEPS);
    scene_world_destroy(&world);
    scene_destroy(&scene);
}

static bool stop_at_half(void* user, float done)
{
    (void)user;
    return done < 0.5f;
}

static void test_making_a_world_can_be_cancelled(void** state)
{
    (void)state;
    Scene scene;
    test_assert_result(scene_build(scene_find_builder("peg"), &(SceneOptions){ 0 }, &scene), ABUT_OK);
    SceneWorldDef def = { .progress = stop_at_half };
    SceneWorld world;
    test_assert_result(scene_world_create(&def, &scene, &world), ABUT_CANCELLED);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_builder_makes_a_world_that_steps),
        cmocka_unit_test(test_builders_make_the_same_scene_each_time_and_another_for_another_seed),
        cmocka_unit_test(test_a_saved_scene_steps_to_the_same_hash),
        cmocka_unit_test(test_every_file_of_scenes_is_loaded_and_steps),
        cmocka_unit_test(test_options_that_a_builder_does_not_take_are_refused),
        cmocka_unit_test(test_a_missing_mesh_is_named_with_its_shape),
        cmocka_unit_test(test_a_real_mesh_replaces_the_generated_one),
        cmocka_unit_test(test_making_a_world_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
