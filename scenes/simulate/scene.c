#include "scenes/simulate/scene.h"

#include "scenes/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODY_LIMIT = 1 << 20,
    NAME_SIZE = 128
};

void scene_init(Scene* scene, const char* title)
{
    AbutWorldDef def = abut_world_def();
    memset(scene, 0, sizeof(*scene));
    scene->title = strdup(title);
    scene->out_of_memory = scene->title == NULL;
    if (scene->title != NULL)
    {
        abut_text_sanitize(scene->title); // it may be the name of a file, with anything in it
    }
    scene->response = def.response;
    scene->gravity = def.gravity;
    scene->step = 1.0 / 60.0;
    scene->seconds = 10.0;
    scene->substeps = def.substep_count;
    scene->margin = def.margin;
    scene->sleep_speed = def.sleep_speed;
    scene->camera_yaw = 30.0;
    scene->camera_pitch = 25.0;
    scene->body_limit = BODY_LIMIT;
}

void scene_destroy(Scene* scene)
{
    for (uint32_t i = 0; i < scene->shape_count; ++i)
    {
        free(scene->shapes[i].name);
        free(scene->shapes[i].text);
        free(scene->shapes[i].visual);
    }
    for (uint32_t i = 0; i < scene->body_count; ++i)
    {
        free(scene->bodies[i].name);
    }
    free(scene->title);
    free(scene->file);
    free(scene->shapes);
    free(scene->bodies);
    free(scene->hashes);
    memset(scene, 0, sizeof(*scene));
}

/// Room for one more.
static bool grow(void** items, uint32_t count, uint32_t* capacity, size_t size)
{
    if (count < *capacity)
    {
        return true;
    }
    uint32_t larger = 2 * *capacity + 16;
    void* memory = realloc(*items, larger * size);
    if (memory == NULL)
    {
        return false;
    }
    *items = memory;
    *capacity = larger;
    return true;
}

uint32_t scene_add_shape(Scene* scene, const char* name, const char* text, uint32_t resolution)
{
    SceneShape shape = { .name = strdup(name), .text = strdup(text), .resolution = resolution };
    if (shape.name == NULL || shape.text == NULL ||
        !grow((void**)&scene->shapes, scene->shape_count, &scene->shape_capacity, sizeof(SceneShape)))
    {
        free(shape.name);
        free(shape.text);
        scene->out_of_memory = true;
        return 0;
    }
    scene->shapes[scene->shape_count] = shape;
    return scene->shape_count++;
}

void scene_set_visual(Scene* scene, uint32_t shape, const char* text)
{
    if (shape < scene->shape_count)
    {
        free(scene->shapes[shape].visual);
        scene->shapes[shape].visual = strdup(text);
        scene->out_of_memory = scene->out_of_memory || scene->shapes[shape].visual == NULL;
    }
}

static void set_defaults(SceneBody* body, uint32_t shape)
{
    AbutBodyDef def = abut_body_def();
    memset(body, 0, sizeof(*body));
    body->shape = shape;
    body->kind = def.kind;
    body->pose = def.pose;
    body->density = def.density;
    body->material = def.material;
    body->group = def.group;
    body->mask = def.mask;
    body->color[0] = -1.0f;
}

static char* name_body(const Scene* scene, const char* name, uint32_t shape)
{
    char made[NAME_SIZE];
    if (name == NULL && shape < scene->shape_count)
    {
        snprintf(made, sizeof(made), "%.100s %u", scene->shapes[shape].name, scene->body_count);
    }
    return strdup(name != NULL ? name : made);
}

SceneBody* scene_add_body(Scene* scene, const char* name, uint32_t shape)
{
    set_defaults(&scene->spare_body, shape);
    if (scene->body_count >= scene->body_limit)
    {
        scene->too_many = true;
        return &scene->spare_body;
    }
    char* copy = shape < scene->shape_count ? name_body(scene, name, shape) : NULL;
    if (copy == NULL ||
        !grow((void**)&scene->bodies, scene->body_count, &scene->body_capacity, sizeof(SceneBody)))
    {
        free(copy);
        scene->out_of_memory = true;
        return &scene->spare_body;
    }
    SceneBody* body = &scene->bodies[scene->body_count++];
    set_defaults(body, shape);
    body->name = copy;
    return body;
}

static double stack_coordinate(const SceneStack* stack, SceneRandom* random, int axis, double cell)
{
    double off = stack->jitter * scene_random_range(random, -0.5, 0.5);
    return (cell + off) * stack->spacing[axis];
}

static void put_in_stack(const SceneStack* stack, uint32_t index, SceneRandom* random, AbutPose* pose)
{
    uint32_t layer = stack->columns[0] * stack->columns[1];
    uint32_t x = index % stack->columns[0], z = index % layer / stack->columns[0], y = index / layer;
    pose->position.x = stack->base.x + stack_coordinate(stack, random, 0, x - 0.5 * (stack->columns[0] - 1));
    pose->position.y = stack->base.y + stack_coordinate(stack, random, 1, y);
    pose->position.z = stack->base.z + stack_coordinate(stack, random, 2, z - 0.5 * (stack->columns[1] - 1));
    if (stack->random_rotation)
    {
        pose->rotation = scene_random_rotation(random);
    }
}

uint32_t scene_add_stack(Scene* scene, const SceneStack* stack)
{
    SceneRandom random = { stack->seed };
    uint32_t first = scene->body_count;
    for (uint32_t i = 0; i < stack->count && !scene->too_many && !scene->out_of_memory; ++i)
    {
        uint32_t shape = stack->shapes[i % stack->shape_count];
        SceneBody* body = scene_add_body(scene, NULL, shape);
        if (stack->like != NULL)
        {
            char* name = body->name;
            *body = *stack->like;
            body->name = name;
            body->shape = shape;
        }
        put_in_stack(stack, i, &random, &body->pose);
    }
    return first;
}

int64_t scene_find_shape(const Scene* scene, const char* name)
{
    for (uint32_t i = 0; i < scene->shape_count; ++i)
    {
        if (strcmp(scene->shapes[i].name, name) == 0)
        {
            return i;
        }
    }
    return SCENE_NO_SHAPE;
}

AbutResult scene_check(const Scene* scene)
{
    const char* title = scene->title != NULL ? scene->title : "scene";
    if (scene->out_of_memory)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "%s: no memory for its bodies", title);
    }
    if (scene->too_many)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: more than %u bodies", title, scene->body_limit);
    }
    return ABUT_OK;
}

void scene_body_color(const Scene* scene, uint32_t index, float out[3])
{
    // Of even lightness, told apart by those who do not see red and green apart, too.
    static const float colors[][3] = {
        { 0.36f, 0.57f, 0.82f }, { 0.93f, 0.60f, 0.24f }, { 0.42f, 0.70f, 0.48f }, { 0.84f, 0.42f, 0.42f },
        { 0.61f, 0.52f, 0.78f }, { 0.94f, 0.79f, 0.36f }, { 0.36f, 0.70f, 0.72f }, { 0.80f, 0.55f, 0.70f },
    };
    static const float fixed[3] = { 0.72f, 0.72f, 0.70f };
    const SceneBody* body = &scene->bodies[index];
    const float* color =
        body->kind == ABUT_BODY_DYNAMIC ? colors[index % (sizeof(colors) / sizeof(colors[0]))] : fixed;
    memcpy(out, body->color[0] < 0.0f ? color : body->color, 3 * sizeof(float));
}
