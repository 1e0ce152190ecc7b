/// @file random.h (internal to scenes)
/// Seeded random numbers, the same on every machine (splitmix64).
#ifndef ABUT_SCENES_RANDOM_H
#define ABUT_SCENES_RANDOM_H

#include "scenes/double3.h"

#include <stdint.h>

typedef struct SceneRandom
{
    uint64_t state;
} SceneRandom;

static inline double scene_random_unit(SceneRandom* random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double scene_random_range(SceneRandom* random, double low, double high)
{
    return low + (high - low) * scene_random_unit(random);
}

/// Even over all rotations (Shoemake).
static inline AbutQuat scene_random_rotation(SceneRandom* random)
{
    const double turn = 6.283185307179586;
    double u = scene_random_unit(random), v = turn * scene_random_unit(random),
           w = turn * scene_random_unit(random);
    AbutQuat q = { (float)(sqrt(1.0 - u) * sin(v)), (float)(sqrt(1.0 - u) * cos(v)),
                   (float)(sqrt(u) * sin(w)), (float)(sqrt(u) * cos(w)) };
    return abut_quat_normalize(q);
}

/// Even over the unit sphere.
static inline Double3 scene_random_direction(SceneRandom* random)
{
    double z = scene_random_range(random, -1.0, 1.0),
           angle = scene_random_range(random, 0.0, 6.283185307179586);
    double r = sqrt(1.0 - z * z);
    return double3(r * cos(angle), r * sin(angle), z);
}

#endif
