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

/// Even over the unit disc without its middle, in `out`; returns the square of the distance to the middle.
static inline double scene_random_disc(SceneRandom* random, double out[2])
{
    for (;;)
    {
        out[0] = scene_random_range(random, -1.0, 1.0);
        out[1] = scene_random_range(random, -1.0, 1.0);
        double square = out[0] * out[0] + out[1] * out[1];
        if (square > 1e-12 && square < 1.0)
        {
            return square;
        }
    }
}

/// Even over all rotations (Marsaglia 1972: two points in the disc; no sine, whose last bit is the C
/// library's).
static inline AbutQuat scene_random_rotation(SceneRandom* random)
{
    double a[2], b[2];
    double s = scene_random_disc(random, a), t = scene_random_disc(random, b);
    double scale = sqrt((1.0 - s) / t);
    AbutQuat q = { (float)a[0], (float)a[1], (float)(b[0] * scale), (float)(b[1] * scale) };
    return abut_quat_normalize(q);
}

/// Even over the unit sphere (Marsaglia 1972).
static inline Double3 scene_random_direction(SceneRandom* random)
{
    double a[2], s = scene_random_disc(random, a);
    double r = 2.0 * sqrt(1.0 - s);
    return double3(r * a[0], r * a[1], 1.0 - 2.0 * s);
}

/// Any direction, length in [low, high).
static inline Double3 scene_random_vector(SceneRandom* random, double low, double high)
{
    Double3 direction = scene_random_direction(random);
    return double3_scale(direction, scene_random_range(random, low, high));
}

#endif
