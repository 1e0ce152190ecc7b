#include "scenes/simulate/build.h"

#include "scenes/simulate/shape_path.h"

#include <abut/io.h>
#include <math.h>
#include <stdlib.h>

const char scene_text_bone[] =
    "union(capsule:0.022,0.13;at(sphere:0.035;0.022,0.075,0);at(sphere:0.035;-0.022,0.075,0);"
    "at(sphere:0.035;0.022,-0.075,0);at(sphere:0.035;-0.022,-0.075,0))";

const char scene_text_cup[] = "union(difference(cylinder:0.07,0.14;at(cylinder:0.056,0.14;0,0.02,0));"
                              "at(torus:0.04,0.012;0.075,0,0,0.7071,0,0,0.7071))";

/// Body, chest, head, two ears, tail and feet, blended.
#define BUNNY                                                                                                \
    "smooth(smooth(smooth(smooth(smooth(smooth("                                                             \
    "at(sphere:0.06;-0.02,0,0);"                                                                             \
    "at(sphere:0.046;0.035,0.015,0);0.03);"                                                                  \
    "at(sphere:0.038;0.065,0.06,0);0.02);"                                                                   \
    "at(capsule:0.012,0.065;0.048,0.118,0.02,0.12,0,0.2,0.9724);0.01);"                                      \
    "at(capsule:0.012,0.065;0.048,0.118,-0.02,-0.12,0,0.2,0.9724);0.01);"                                    \
    "at(sphere:0.02;-0.082,0.01,0);0.01);"                                                                   \
    "union(at(capsule:0.015,0.06;-0.01,-0.05,0.035,0,0,0.7071,0.7071);"                                      \
    "at(capsule:0.015,0.06;-0.01,-0.05,-0.035,0,0,0.7071,0.7071));0.015)"

/// A body that bends to and fro from tail to head, with legs, horns and wings.
#define DRAGON                                                                                               \
    "smooth(smooth(smooth(smooth(smooth("                                                                    \
    "at(capsule:0.03,0.07;0.01,0,0,0,0,0.7071,0.7071);"                                                      \
    "at(capsule:0.02,0.06;0.075,0.04,0.005,0,0,-0.3827,0.9239);0.03);"                                       \
    "at(capsule:0.02,0.045;0.125,0.075,0.01,0,0.1,0.7,0.7071);0.02);"                                        \
    "at(capsule:0.018,0.08;-0.075,-0.005,0.015,0,0.17,0.686,0.7071);0.03);"                                  \
    "at(capsule:0.011,0.07;-0.145,0.015,0.02,0,-0.15,0.6,0.7858);0.03);"                                     \
    "union(at(capsule:0.008,0.035;0.1,0.1,0.018,0.2,0,0.35,0.9152);"                                         \
    "at(capsule:0.008,0.035;0.1,0.1,-0.008,-0.2,0,0.35,0.9152);"                                             \
    "at(capsule:0.012,0.05;0.045,-0.035,0.03);at(capsule:0.012,0.05;0.045,-0.035,-0.03);"                    \
    "at(capsule:0.012,0.05;-0.03,-0.035,0.03);at(capsule:0.012,0.05;-0.03,-0.035,-0.03);"                    \
    "at(rounded_box:0.07,0.018,0.11,0.009;-0.005,0.05,0.07,-0.35,0.1,0,0.9314);"                             \
    "at(rounded_box:0.07,0.018,0.11,0.009;-0.005,0.05,-0.07,0.35,-0.1,0,0.9314));0.012)"

const char scene_text_bunny[] = BUNNY;
const char scene_text_dragon[] = DRAGON;

/// A figure on a pedestal, as if turned on a lathe: foot, waist, shoulders, neck and head.
const char scene_text_statue[] =
    "revolution:48,0,-0.25,0.13,-0.25,0.13,-0.21,0.1,-0.19,0.1,-0.16,0.05,-0.13,0.045,-0.05,0.075,0.02,0.085,"
    "0.07,"
    "0.06,0.11,0.028,0.125,0.03,0.14,0.052,0.165,0.055,0.195,0.04,0.225,0.015,0.24,0.012,0.26,0,0.262";

SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose)
{
    SceneBody* body = scene_add_body(scene, name, shape);
    body->kind = ABUT_BODY_STATIC;
    body->pose = pose;
    return body;
}

void scene_add_ground(Scene* scene)
{
    scene_add_fixed(scene, "ground", scene_add_shape(scene, "ground", "plane", 0), abut_pose_identity());
}

uint32_t scene_add_shape_or_mesh(Scene* scene, const SceneOptions* options, const char* name,
                                 const char* text, uint32_t resolution)
{
    if (options->mesh == NULL)
    {
        return scene_add_shape(scene, name, text, resolution);
    }
    char* path = scene_shape_path(NULL, options->mesh);
    uint32_t shape = 0;
    if (path != NULL)
    {
        shape = scene_add_shape(scene, name, path, resolution);
    }
    scene->out_of_memory = scene->out_of_memory || path == NULL;
    free(path);
    return shape;
}

float scene_mesh_scale(const SceneOptions* options, double size, AbutVec3* center)
{
    AbutMesh* mesh = NULL;
    *center = abut_vec3(0.0f, 0.0f, 0.0f);
    if (options->mesh == NULL || abut_mesh_load(options->mesh, &mesh) != ABUT_OK)
    {
        return 1.0f;
    }
    AbutBox box = abut_mesh_bounds(mesh);
    AbutVec3 extents = abut_box_extents(box);
    float longest = fmaxf(extents.x, fmaxf(extents.y, extents.z));
    abut_mesh_destroy(mesh);
    float scale = (float)size / longest;
    if (!(scale > 1e-12f && scale < 1e12f))
    {
        return 1.0f;
    }
    *center = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f * scale);
    return scale;
}

void scene_add_variety(Scene* scene, uint32_t out[SCENE_VARIETY])
{
    const struct
    {
        const char* name;
        const char* text;
        uint32_t resolution;
    } things[SCENE_VARIETY] = {
        { "bowl", "bowl:0.1,0.02", 48 },
        { "torus", "torus:0.075,0.026", 0 },
        { "gear", "gear:12,0.014,0.06,0.03", 48 },
        { "bone", scene_text_bone, 0 },
        { "ring", "ring:0.075,0.035,3,1,72", 48 },
        { "cup", scene_text_cup, 48 },
        { "bunny", "at(" BUNNY ";0,-0.04,0,0,0,0,1,0.9)", 48 },
        { "nut", "nut:0.06,0.025,0.07", 48 },
        { "link", "link:0.08,0.05,0.02,24", 48 },
        { "dragon", "at(" DRAGON ";0,0,0,0,0,0,1,0.6)", 64 },
    };
    for (uint32_t i = 0; i < SCENE_VARIETY; ++i)
    {
        out[i] = scene_add_shape(scene, things[i].name, things[i].text, things[i].resolution);
    }
}

void scene_look_at(Scene* scene, double x, double y, double z, double distance)
{
    scene->camera_target = (AbutPosition){ x, y, z };
    scene->camera_distance = distance;
}
