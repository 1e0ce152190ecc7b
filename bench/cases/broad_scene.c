#include "broad_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How many others a box meets, on average: a heap of loose things.
static const double neighbours = 5.0;

/// Of its longest side that a box moves per step, at most: 1 m at 2 m/s, 60 steps per second.
static const double most_motion = 0.033;

static double random_unit(BroadScene* scene)
{
    scene->state += 0x9E3779B97F4A7C15u;
    uint64_t z = scene->state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double random_between(BroadScene* scene, double low, double high)
{
    return low + (high - low) * random_unit(scene);
}

static AbutVec3 random_size(BroadScene* scene)
{
    double size = scene->sized ? pow(1000.0, random_unit(scene)) : 1.0;
    float x = (float)random_between(scene, 0.6 * size, size),
          y = (float)random_between(scene, 0.6 * size, size);
    return abut_vec3(x, y, (float)random_between(scene, 0.6 * size, size));
}

/// Two boxes meet with the probability Π(a + b)/side³, so this many boxes need that much room.
static double world_side(BroadScene* scene)
{
    enum
    {
        SAMPLES = 100000
    };
    double sum = 0.0;
    for (int i = 0; i < SAMPLES; ++i)
    {
        AbutVec3 a = random_size(scene), b = random_size(scene);
        sum += ((double)a.x + (double)b.x) * ((double)a.y + (double)b.y) * ((double)a.z + (double)b.z);
    }
    return cbrt(sum / SAMPLES * scene->count / neighbours);
}

static AbutVec3 random_corner(BroadScene* scene, AbutVec3 size)
{
    const AbutVec3 high = abut_vec3_sub(scene->world.max, size);
    float x = (float)(random_unit(scene) * (double)high.x), y = (float)(random_unit(scene) * (double)high.y);
    return abut_vec3(x, y, (float)(random_unit(scene) * (double)high.z));
}

static void move_box(BroadScene* scene, uint32_t i, AbutVec3 size)
{
    AbutVec3 corner = random_corner(scene, size);
    scene->boxes[i] = abut_box(corner, abut_vec3_add(corner, size));
}

static AbutVec3 random_velocity(BroadScene* scene, AbutVec3 size)
{
    double side = fmax((double)size.x, fmax((double)size.y, (double)size.z)), most = most_motion * side;
    float x = (float)random_between(scene, -most, most), y = (float)random_between(scene, -most, most);
    return abut_vec3(x, y, (float)random_between(scene, -most, most));
}

bool broad_scene_create(uint32_t count, bool sized, bool random, BroadScene* out)
{
    *out = (BroadScene){ .count = count, .sized = sized, .random = random, .state = count };
    out->boxes = malloc(count * sizeof(AbutBox));
    out->velocity = malloc(count * sizeof(AbutVec3));
    if (out->boxes == NULL || out->velocity == NULL)
    {
        fprintf(stderr, "abut: bench broad: no memory for %u boxes\n", count);
        broad_scene_destroy(out);
        return false;
    }
    float side = (float)world_side(out);
    out->world = abut_box(abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(side, side, side));
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 size = random_size(out);
        move_box(out, i, size);
        out->velocity[i] = random_velocity(out, size);
    }
    return true;
}

void broad_scene_destroy(BroadScene* scene)
{
    free(scene->boxes);
    free(scene->velocity);
}

/// Keeps to the world by turning round.
static void bounce(float low, float high, float end, float* velocity)
{
    if ((low < 0.0f && *velocity < 0.0f) || (high > end && *velocity > 0.0f))
    {
        *velocity = -*velocity;
    }
}

void broad_scene_step(BroadScene* scene)
{
    const float end = scene->world.max.x;
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        AbutBox* box = &scene->boxes[i];
        AbutVec3* velocity = &scene->velocity[i];
        if (scene->random)
        {
            move_box(scene, i, abut_box_extents(*box));
            continue;
        }
        bounce(box->min.x, box->max.x, end, &velocity->x);
        bounce(box->min.y, box->max.y, end, &velocity->y);
        bounce(box->min.z, box->max.z, end, &velocity->z);
        box->min = abut_vec3_add(box->min, *velocity);
        box->max = abut_vec3_add(box->max, *velocity);
    }
}
