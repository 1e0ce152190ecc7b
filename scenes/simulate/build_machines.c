// Parts that are made for each other.
#include "scenes/simulate/build.h"

#include <math.h>

enum
{
    CHAIN_LINKS = 17,
    DRIVER_TEETH = 18,
    DRIVEN_TEETH = 27
};

/// The nut stands some pitches up its bolt and spins down under its weight: the friction is under the slope
/// of the thread, which is 0.06.
void scene_build_nut(Scene* scene, const SceneOptions* options)
{
    (void)options;
    const double pitch = 0.15;
    uint32_t bolt = scene_add_shape(scene, "bolt", "bolt:0.4,0.15,1.5,48", 160);
    uint32_t nut = scene_add_shape(scene, "nut", "nut:0.4,0.15,0.4,0.012,48", 112);
    scene_add_fixed(scene, "bolt", bolt, abut_pose_identity())->material.friction = 0.01f;
    SceneBody* body = scene_add_body(scene, "nut", nut);
    body->pose = abut_pose_at(0.0, 6.0 * pitch, 0.0);
    body->material.friction = 0.01f;
    body->never_sleeps = true;
    scene->seconds = 12.0; // all the way down
    scene_look_at(scene, 0.0, 0.6, 0.0, 3.6);
}

void scene_build_peg(Scene* scene, const SceneOptions* options)
{
    (void)options;
    uint32_t block = scene_add_shape(scene, "block", "difference(box:0.4,0.3,0.4;cylinder:0.0515,0.5)", 0);
    uint32_t peg = scene_add_shape(scene, "peg", "cylinder:0.05,0.34", 0);
    scene_add_ground(scene);
    scene_add_fixed(scene, "block", block, abut_pose_at(0.0, 0.15, 0.0));
    SceneBody* body = scene_add_body(scene, "peg", peg);
    body->pose = abut_pose_at(0.0006, 0.42, 0.0003); // a little askew, but free
    body->pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.3f, 0.0f, 1.0f), 0.006f);
    body->material.friction = 0.2f;
    scene->seconds = 2.0;
    scene_look_at(scene, 0.0, 0.25, 0.0, 1.5);
}

/// A motor turns the small gear; the large one can turn about its axle alone.
void scene_build_gears(Scene* scene, const SceneOptions* options)
{
    (void)options;
    const double pi = 3.14159265358979323846, module = 0.05;
    uint32_t small = scene_add_shape(scene, "small gear", "gear:18,0.05,0.2,0.15,0.004", 160);
    uint32_t large = scene_add_shape(scene, "large gear", "gear:27,0.05,0.2,0.2,0.004", 192);
    SceneBody* driver = scene_add_body(scene, "driver", small);
    driver->kind = ABUT_BODY_KINEMATIC;
    driver->angular_velocity = abut_vec3(0.0f, 2.0f, 0.0f);
    driver->color[0] = 0.36f;
    driver->color[1] = 0.57f;
    driver->color[2] = 0.82f;
    SceneBody* driven = scene_add_body(scene, "driven", large);
    driven->pose = abut_pose_at(0.5 * module * (DRIVER_TEETH + DRIVEN_TEETH), 0.0, 0.0);
    driven->pose.rotation =
        abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)(pi + pi / DRIVEN_TEETH));
    driven->locked = ABUT_LOCK_LINEAR | ABUT_LOCK_ANGULAR_X | ABUT_LOCK_ANGULAR_Z;
    driven->material.friction = 0.05f;
    driven->never_sleeps = true;
    scene->gravity = abut_vec3(0.0f, 0.0f, 0.0f);
    scene->margin = 0.004f;
    scene->seconds = 6.0;
    scene->camera_pitch = 50.0;
    scene_look_at(scene, 0.55, 0.0, 0.0, 3.2);
}

/// Links hang between two that stand still.
void scene_build_chain(Scene* scene, const SceneOptions* options)
{
    const double radius = 0.1, spacing = 1.33 * radius;
    uint32_t link = scene_add_shape(scene, "link", "torus:0.1,0.03", 0);
    uint32_t count = options->bodies > 0 ? options->bodies + 2 : CHAIN_LINKS;
    for (uint32_t i = 0; i < count && !scene->too_many && !scene->out_of_memory; ++i)
    {
        SceneBody* body = scene_add_body(scene, NULL, link);
        body->pose = abut_pose_at((i - 0.5 * (count - 1)) * spacing, 1.2, 0.0);
        body->pose.rotation =
            abut_quat_from_axis_angle(abut_vec3(1.0f, 0.0f, 0.0f), i % 2 == 0 ? 0.0f : 1.57079633f);
        body->kind = i == 0 || i == count - 1 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC;
        body->material.friction = 0.3f;
    }
    scene->seconds = 5.0;
    scene->margin = 0.006f;
    scene->step = 1.0 / 120.0;
    scene->camera_yaw = 20.0;
    scene->camera_pitch = 15.0;
    scene_look_at(scene, 0.0, 0.95, 0.0, 0.15 * count + 0.6);
}
