// Heaps: many bodies that come to rest on each other.
#include "scenes/simulate/build.h"

void scene_build_pile(Scene* scene, const SceneOptions* options)
{
    uint32_t ground = scene_add_shape(scene, "ground", "plane", 0);
    const uint32_t shapes[] = {
        scene_add_shape(scene, "bowl", "bowl:0.1,0.02", 48),
        scene_add_shape(scene, "torus", "torus:0.07,0.025", 0),
        scene_add_shape(scene, "gear", "gear:12,0.013,0.05,0.03", 48),
        scene_add_shape(scene, "bone",
                        "union(capsule:0.025,0.12;at(sphere:0.04;0,0.07,0);at(sphere:0.04;0,-0.07,0))", 0),
        scene_add_shape(scene, "ring", "ring:0.07,0.03", 48),
        scene_add_shape(scene, "cup", "difference(cylinder:0.07,0.14;at(cylinder:0.05,0.14;0,0.03,0))", 0),
    };
    scene_add_fixed(scene, "ground", ground, abut_pose_identity());
    SceneStack stack = {
        .shapes = shapes,
        .shape_count = sizeof(shapes) / sizeof(shapes[0]),
        .count = options->bodies > 0 ? options->bodies : 60,
        .columns = { 4, 4 },
        .spacing = { 0.22, 0.22, 0.22 },
        .base = { 0.0, 0.2, 0.0 },
        .jitter = 0.1,
        .turned = true,
        .seed = options->seed,
    };
    scene_add_stack(scene, &stack);
    scene->seconds = 6.0;
    scene->camera_target.y = 0.2;
    scene->camera_distance = 2.2;
}
