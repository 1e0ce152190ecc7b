#include "scenes/simulate/build.h"

SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose)
{
    SceneBody* body = scene_add_body(scene, name, shape);
    body->kind = ABUT_BODY_STATIC;
    body->pose = pose;
    return body;
}
