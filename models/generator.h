/// @file generator.h
/// What the generators share: checks of their arguments, points of a circle, surfaces of revolution.
#ifndef ABUT_MODELS_GENERATOR_H
#define ABUT_MODELS_GENERATOR_H

#include "arena.h"
#include "builder.h"

#define ABUT_PI 3.14159265358979323846

/// Lengths whose products fit a float, above and below.
#define ABUT_LENGTH_MIN 1e-18
#define ABUT_LENGTH_MAX 1e18

/// The thinnest wall or tube that is made, as a part of the size of the whole: 128 or more steps of a float.
#define ABUT_MIN_THICKNESS_RATIO (1.0 / 65536.0)

/// A number handed in, and where it may lie: in [low, high], or in [low, high) when `open`.
typedef struct AbutArgument
{
    const char* name;
    double value;
    double low;
    double high;
    bool open;
} AbutArgument;

/// ABUT_INVALID_ARGUMENT with name, value and range of the first one that is out of its range or NaN.
AbutResult abut_generate_check(const char* generator, const AbutArgument* arguments, size_t count);

#define ABUT_GENERATE_CHECK(generator, arguments)                                                            \
    abut_generate_check(generator, arguments, sizeof(arguments) / sizeof((arguments)[0]))

typedef struct AbutDirection
{
    double cos, sin;
} AbutDirection;

/// Cosine and sine of index/count of a turn, with exact zeros, ones and mirror images.
AbutDirection abut_generate_direction(uint64_t index, uint64_t count);

/// `count` points of the unit circle, counter-clockwise from (1, 0); NULL when memory runs out.
double (*abut_generate_circle(AbutModelArena* arena, uint32_t count))[2];

/// Turns a sound profile (see abut_mesh_create_revolution) of (radius, height) around y.
AbutResult abut_generate_revolution(const char* name, const double (*profile)[2], uint32_t point_count,
                                    uint32_t divisions, const AbutHost* host, AbutMesh** out);

#endif
