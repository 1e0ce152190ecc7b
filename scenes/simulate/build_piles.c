// Heaps: many bodies that come to rest on each other, on the ground or on hills.
#include "scenes/simulate/build.h"

enum
{
    PILE_BODIES = 60,
    OBJECT_BODIES = 40,
    THOUSAND_BODIES = 1000,
    HEAP_BODIES = 2000
};

static uint32_t count_of(const SceneOptions* options, uint32_t usual)
{
    return options->bodies > 0 ? options->bodies : usual;
}

/// A heap is about as wide as it is high.
static uint32_t columns_for(uint32_t count)
{
    uint64_t side = 3;
    while (side * side * side < count)
    {
        ++side;
    }
    return (uint32_t)side;
}

void scene_build_pile(Scene* scene, const SceneOptions* options)
{
    uint32_t shapes[SCENE_VARIETY];
    scene_add_variety(scene, shapes);
    AbutVec3 center;
    float scale = scene_mesh_scale(options, 0.2, &center);
    if (options->mesh != NULL)
    {
        shapes[0] = scene_add_shape_or_mesh(scene, options, "mesh", "", 64);
    }
    scene_add_ground(scene);
    uint32_t count = count_of(options, PILE_BODIES), side = columns_for(count);
    SceneStack stack = {
        .shapes = shapes,
        .shape_count = options->mesh != NULL ? 1 : SCENE_VARIETY,
        .count = count,
        .columns = { side, side },
        .spacing = { 0.27, 0.27, 0.27 },
        .base = { 0.0, 0.25, 0.0 },
        .jitter = 0.1,
        .random_rotation = true,
        .seed = options->seed,
    };
    uint32_t first = scene_add_stack(scene, &stack);
    for (uint32_t i = first; i < scene->body_count; ++i)
    {
        scene->bodies[i].pose.scale = scale;
    }
    scene->seconds = 6.0;
    scene_look_at(scene, 0.0, 0.1 * side * 0.26, 0.0, 0.55 * side + 0.4);
}

void scene_build_thousand(Scene* scene, const SceneOptions* options)
{
    uint32_t shapes[4];
    shapes[0] = scene_add_shape(scene, "torus", "torus:0.07,0.03", 0);
    shapes[1] = scene_add_shape(scene, "bowl", "bowl:0.09,0.02", 32);
    shapes[2] = scene_add_shape(scene, "bone", scene_text_bone, 0);
    shapes[3] = scene_add_shape(scene, "box", "rounded_box:0.12,0.1,0.08,0.01", 0);
    scene_add_ground(scene);
    uint32_t count = count_of(options, THOUSAND_BODIES), side = columns_for(count);
    SceneStack stack = {
        .shapes = shapes,
        .shape_count = sizeof(shapes) / sizeof(shapes[0]),
        .count = count,
        .columns = { side, side },
        .spacing = { 0.23, 0.23, 0.23 },
        .base = { 0.0, 0.2, 0.0 },
        .jitter = 0.08,
        .random_rotation = true,
        .seed = options->seed,
    };
    scene_add_stack(scene, &stack);
    scene->seconds = 5.0;
    scene_look_at(scene, 0.0, 0.08 * side, 0.0, 0.52 * side + 0.4);
}

void scene_build_heap(Scene* scene, const SceneOptions* options)
{
    uint32_t shapes[5];
    shapes[0] = scene_add_shape(scene, "box", "box:0.12,0.1,0.08", 0);
    shapes[1] = scene_add_shape(scene, "capsule", "capsule:0.035,0.07", 0);
    shapes[2] = scene_add_shape(scene, "stone", "hull(sphere_mesh:0.06,2)", 0);
    shapes[3] = scene_add_shape(scene, "prism", "hull(gear:6,0.02,0.06)", 0);
    shapes[4] = scene_add_shape(scene, "ball", "sphere:0.045", 0);
    scene_add_ground(scene);
    uint32_t count = count_of(options, HEAP_BODIES), side = columns_for(count);
    SceneStack stack = {
        .shapes = shapes,
        .shape_count = sizeof(shapes) / sizeof(shapes[0]),
        .count = count,
        .columns = { side, side },
        .spacing = { 0.19, 0.19, 0.19 },
        .base = { 0.0, 0.15, 0.0 },
        .jitter = 0.06,
        .random_rotation = true,
        .seed = options->seed,
    };
    scene_add_stack(scene, &stack);
    scene->seconds = 5.0;
    scene_look_at(scene, 0.0, 0.06 * side, 0.0, 0.45 * side + 0.4);
}

void scene_build_objects(Scene* scene, const SceneOptions* options)
{
    uint32_t shapes[SCENE_VARIETY];
    uint32_t hills = scene_add_shape(scene, "hills", "terrain:4,0.9,64,5", 0);
    scene_add_variety(scene, shapes);
    scene_add_fixed(scene, "hills", hills, abut_pose_identity())->color[0] = 0.56f;
    float* color = scene->body_count > 0 ? scene->bodies[0].color : scene->spare_body.color;
    color[1] = 0.62f;
    color[2] = 0.46f;
    SceneStack stack = {
        .shapes = shapes,
        .shape_count = SCENE_VARIETY,
        .count = count_of(options, OBJECT_BODIES),
        .columns = { 7, 7 },
        .spacing = { 0.34, 0.3, 0.34 },
        .base = { 0.0, 0.75, 0.0 },
        .jitter = 0.25,
        .random_rotation = true,
        .seed = options->seed,
    };
    scene_add_stack(scene, &stack);
    scene->seconds = 6.0;
    scene_look_at(scene, 0.0, 0.05, 0.0, 3.6);
}

void scene_build_statue(Scene* scene, const SceneOptions* options)
{
    AbutVec3 center;
    float scale = scene_mesh_scale(options, 0.5, &center);
    uint32_t hills = scene_add_shape(scene, "hills", "terrain:4,0.7,64,2", 0);
    uint32_t statue = scene_add_shape_or_mesh(scene, options, "statue", scene_text_statue, 96);
    uint32_t ring = scene_add_shape(scene, "ring", "ring:0.24,0.07,3,1,96", 96);
    SceneBody* ground = scene_add_fixed(scene, "hills", hills, abut_pose_identity());
    ground->color[0] = 0.56f;
    ground->color[1] = 0.62f;
    ground->color[2] = 0.46f;
    SceneBody* falling = scene_add_body(scene, "statue", statue);
    falling->pose = abut_pose_at(-(double)center.x, 0.75 - (double)center.y, -(double)center.z);
    falling->pose.scale = scale;
    falling->angular_velocity = abut_vec3(0.4f, 0.0f, 0.9f);
    falling->color[0] = 0.85f;
    falling->color[1] = 0.82f;
    falling->color[2] = 0.76f;
    SceneBody* above = scene_add_body(scene, "ring", ring);
    above->pose = abut_pose_at(0.03, 1.5, 0.02);
    above->angular_velocity = abut_vec3(0.8f, 0.5f, 0.0f);
    scene->seconds = 5.0;
    scene_look_at(scene, 0.0, 0.35, 0.0, 2.6);
}
