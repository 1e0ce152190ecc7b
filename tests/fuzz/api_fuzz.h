/// @file api_fuzz.h
/// What the fuzz target of the public API reads its calls from: numbers that are hostile now and then, shapes
/// that lie, and a host whose memory ends.
#ifndef ABUT_FUZZ_API_H
#define ABUT_FUZZ_API_H

#include "field_fuzz.h"

#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// The bytes of a case. Past the end all of them are 0.
typedef struct Bytes
{
    const uint8_t* at;
    size_t left;
} Bytes;

static inline unsigned read_byte(Bytes* bytes)
{
    if (bytes->left == 0)
    {
        return 0;
    }
    bytes->left -= 1;
    return *bytes->at++;
}

/// Most are plain numbers from −2 to 2; the others are where formulas break.
static inline float read_number(Bytes* bytes)
{
    static const float hostile[] = { NAN,     INFINITY, -INFINITY, 0.0f,   -0.0f,  FLT_MAX, -FLT_MAX, FLT_MIN,
                                     1e-42f,  -1e-42f,  1e30f,     -1e30f, 1e20f,  1e12f,   -1e12f,   1e10f,
                                     -1e10f,  1e7f,     -1e7f,     1e4f,   1e-4f,  1e-7f,   1e-12f,   1e-20f,
                                     -1e-20f, 1e-30f,   1e15f,     1e38f,  -1e38f, 0.5f,    1.0f,     -1.0f };
    unsigned key = read_byte(bytes);
    if (key < 208)
    {
        return ((float)key - 100.0f) / 50.0f;
    }
    if (key < 208 + sizeof(hostile) / sizeof(hostile[0]))
    {
        return hostile[key - 208];
    }
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i)
    {
        bits = bits << 8 | read_byte(bytes);
    }
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline float read_size(Bytes* bytes)
{
    return fabsf(read_number(bytes));
}

static inline AbutVec3 read_vector(Bytes* bytes)
{
    float x = read_number(bytes);
    float y = read_number(bytes);
    float z = read_number(bytes);
    return abut_vec3(x, y, z);
}

static inline AbutPose read_pose(Bytes* bytes)
{
    AbutVec3 p = read_vector(bytes);
    AbutPose pose = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
    unsigned kind = read_byte(bytes);
    if (kind >= 128)
    {
        AbutVec3 axis = read_vector(bytes);
        pose.rotation = abut_quat_from_axis_angle(axis, read_number(bytes));
    }
    if (kind >= 224)
    {
        pose.scale = read_number(bytes);
    }
    if (kind >= 250)
    {
        pose.rotation.w = read_number(bytes);
        pose.position.x *= 1e280;
    }
    return pose;
}

/// Shapes of callbacks: the user pointer is one of these numbers.
typedef enum Liar
{
    LIAR_NONE,     // a ball
    LIAR_NAN,      // nowhere a number
    LIAR_NAN_HALF, // a ball that is no number beyond a plane
    LIAR_INFINITE, // a ball that is infinite outside and minus infinite inside
    LIAR_STEEP,    // a hundred times as steep as declared
    LIAR_NOISE,    // a sign that nobody can predict
    LIAR_FULL,     // solid everywhere
    LIAR_EMPTY,    // and nowhere
    LIAR_COUNT
} Liar;

static inline float lie(Liar liar, float x, float y, float z)
{
    float ball = sqrtf(x * x + y * y + z * z) - 0.5f;
    uint32_t bits;
    switch (liar)
    {
    case LIAR_NAN:
        return NAN;
    case LIAR_NAN_HALF:
        return x > 0.2f ? NAN : ball;
    case LIAR_INFINITE:
        return ball > 0.0f ? INFINITY : -INFINITY;
    case LIAR_STEEP:
        return 100.0f * ball;
    case LIAR_NOISE:
        memcpy(&bits, &x, sizeof(bits));
        return (bits * 2654435761u >> 20 & 1u) != 0 ? ball : -ball;
    case LIAR_FULL:
        return -1.0f;
    case LIAR_EMPTY:
        return 1.0f;
    default:
        return ball;
    }
}

static inline void sample_liar(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const Liar* liar = user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = lie(*liar, points.x[i], points.y[i], points.z[i]);
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = *liar == LIAR_NAN ? NAN : points.x[i];
            out.gradient_y[i] = points.y[i];
            out.gradient_z[i] = *liar == LIAR_NOISE ? INFINITY : points.z[i];
        }
    }
}

/// A host whose allocation number `fail_at` (counted from 1; 0: none) and all after it fail.
typedef struct ApiHost
{
    FuzzHost memory; // first: its functions see it alone
    uint64_t count, fail_at;
} ApiHost;

static inline void* api_allocate(void* user, size_t size, size_t alignment)
{
    ApiHost* self = user;
    self->count += 1;
    return self->fail_at > 0 && self->count >= self->fail_at ? NULL : fuzz_allocate(user, size, alignment);
}

static inline void api_host_init(ApiHost* self, size_t limit, uint64_t fail_at)
{
    fuzz_host_init(&self->memory, limit);
    self->memory.host.user = self;
    self->memory.host.allocate = api_allocate;
    self->count = 0;
    self->fail_at = fail_at;
}

/// Says what is wrong and stops.
static inline void require(bool good, const char* what)
{
    if (!good)
    {
        fprintf(stderr, "fuzz_api: %s\n", what);
        abort();
    }
}

#endif
