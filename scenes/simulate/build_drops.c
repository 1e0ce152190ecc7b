// One thing falls on another: copies of a model, balls into a pipe, cards on cards.
#include "scenes/simulate/build.h"

#include "scenes/random.h"

enum
{
    PIPE_BALLS = 16,
    CARDS = 24
};

/// A model falls on a copy of itself that stands still.
static void drop_on_copy(Scene* scene, const SceneOptions* options, const char* name, const char* text,
                         uint32_t resolution)
{
    AbutVec3 center;
    float scale = scene_mesh_scale(options, 0.2, &center);
    uint32_t shape = scene_add_shape_or_mesh(scene, options, name, text, resolution);
    scene_add_ground(scene);
    SceneBody* below =
        scene_add_fixed(scene, "fixed copy", shape,
                        abut_pose_at(-(double)center.x, 0.13 - (double)center.y, -(double)center.z));
    below->pose.scale = scale;
    SceneBody* above = scene_add_body(scene, name, shape);
    above->pose = abut_pose_at(0.015 - (double)center.x, 0.46 - (double)center.y, 0.01 - (double)center.z);
    above->pose.scale = scale;
    above->angular_velocity = abut_vec3(0.5f, 0.3f, 0.8f);
    scene->seconds = 3.0;
    scene_look_at(scene, 0.0, 0.22, 0.0, 0.9);
}

void scene_build_bunny(Scene* scene, const SceneOptions* options)
{
    drop_on_copy(scene, options, "bunny", scene_text_bunny, 96);
}

void scene_build_bowl(Scene* scene, const SceneOptions* options)
{
    drop_on_copy(scene, options, "bowl", "bowl:0.1,0.012,48", 96);
}

void scene_build_dragon(Scene* scene, const SceneOptions* options)
{
    drop_on_copy(scene, options, "dragon", scene_text_dragon, 96);
}

void scene_build_pipe(Scene* scene, const SceneOptions* options)
{
    uint32_t pipe = scene_add_shape(scene, "pipe", "pipe:0.07,0.02,0.35,0.5,1.5,64", 160);
    uint32_t feeder = scene_add_shape(scene, "feeder", "difference(cylinder:0.09,1.4;cylinder:0.066,1.5)", 0);
    uint32_t bowl = scene_add_shape(scene, "bowl", "bowl:0.36,0.03,48", 96);
    uint32_t ball = scene_add_shape(scene, "ball", "sphere:0.04", 0);
    scene_set_visual(scene, pipe, "pipe:0.07,0.02,0.35,0.5,1.5,36");
    scene->shapes[pipe < scene->shape_count ? pipe : 0].sparse = true;
    scene_add_ground(scene);
    // The mouth of the pipe is at (0.35, 1.59, 0.27) in its frame, its end at (−0.35, −0.11, 0.49), where it
    // leads to z.
    scene_add_fixed(scene, "pipe", pipe, abut_pose_at(0.0, 0.62, 0.0));
    scene_add_fixed(scene, "feeder", feeder, abut_pose_at(0.35, 2.211 + 0.7, 0.272));
    scene_add_fixed(scene, "bowl", bowl, abut_pose_at(-0.35, 0.36, 0.86));
    SceneRandom random = { options->seed };
    uint32_t count = options->bodies > 0 ? options->bodies : PIPE_BALLS;
    for (uint32_t i = 0; i < count && !scene->too_many && !scene->out_of_memory; ++i)
    {
        SceneBody* body = scene_add_body(scene, NULL, ball);
        // One after the other: the order in which arguments are computed is the compiler's.
        double x = scene_random_range(&random, -0.01, 0.01), z = scene_random_range(&random, -0.01, 0.01);
        body->pose = abut_pose_at(0.35 + x, 2.291 + 0.088 * i, 0.272 + z);
        body->material.friction = 0.25f;
        body->material.restitution = 0.2f;
    }
    scene->seconds = 12.0;
    scene->camera_yaw = -35.0;
    scene->camera_pitch = 12.0;
    scene_look_at(scene, -0.05, 1.55, 0.35, 5.2);
}

void scene_build_cards(Scene* scene, const SceneOptions* options)
{
    uint32_t card = scene_add_shape(scene, "card", "box:0.16,0.003,0.1", 0);
    uint32_t ball = scene_add_shape(scene, "ball", "sphere:0.035", 0);
    scene_add_ground(scene);
    SceneRandom random = { options->seed };
    uint32_t count = options->bodies > 0 ? options->bodies : CARDS;
    for (uint32_t i = 0; i < count && !scene->too_many && !scene->out_of_memory; ++i)
    {
        SceneBody* body = scene_add_body(scene, NULL, card);
        float angle = (float)scene_random_range(&random, -0.5, 0.5);
        double x = scene_random_range(&random, -0.03, 0.03), z = scene_random_range(&random, -0.03, 0.03);
        body->pose = abut_pose_at(x, 0.06 + 0.035 * i, z);
        AbutVec3 axis = abut_vec3((float)scene_random_range(&random, -0.3, 0.3), 1.0f, 0.0f);
        axis.z = (float)scene_random_range(&random, -0.3, 0.3);
        body->pose.rotation = abut_quat_from_axis_angle(axis, angle);
    }
    SceneBody* body = scene_add_body(scene, "ball", ball);
    body->pose = abut_pose_at(0.02, 0.4 + 0.035 * count, 0.01);
    body->color[0] = 0.2f;
    body->color[1] = 0.2f;
    body->color[2] = 0.24f;
    scene->seconds = 5.0;
    scene->margin = 0.004f;
    scene_look_at(scene, 0.0, 0.12, 0.0, 1.2);
}
