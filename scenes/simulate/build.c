#include "scenes/simulate/build.h"

#include "scenes/random.h"

SceneBody* scene_add_fixed(Scene* scene, const char* name, uint32_t shape, AbutPose pose)
{
    SceneBody* body = scene_add_body(scene, name, shape);
    body->kind = ABUT_BODY_STATIC;
    body->pose = pose;
    return body;
}

static double place(const SceneStack* stack, SceneRandom* random, int axis, double cell)
{
    double off = stack->jitter * scene_random_range(random, -0.5, 0.5);
    return stack->base[axis] + (cell + off) * stack->spacing[axis];
}

uint32_t scene_add_stack(Scene* scene, const SceneStack* stack)
{
    SceneRandom random = { stack->seed };
    uint32_t first = scene->body_count;
    uint32_t layer = stack->columns[0] * stack->columns[1];
    for (uint32_t i = 0; i < stack->count && !scene->too_many && !scene->out_of_memory; ++i)
    {
        SceneBody* body = scene_add_body(scene, NULL, stack->shapes[i % stack->shape_count]);
        uint32_t x = i % stack->columns[0], z = i % layer / stack->columns[0], y = i / layer;
        body->pose.position.x = place(stack, &random, 0, x - 0.5 * (stack->columns[0] - 1));
        body->pose.position.y = place(stack, &random, 1, y);
        body->pose.position.z = place(stack, &random, 2, z - 0.5 * (stack->columns[1] - 1));
        if (stack->turned)
        {
            body->pose.rotation = scene_random_rotation(&random);
        }
    }
    return first;
}
