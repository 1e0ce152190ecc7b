/// @file heightfield.h (internal)
/// Terrain: two triangles per cell, solid below, with vertical walls around the rectangle that extend down
/// infinitely.
///
/// heightfield.c checks and builds, heightfield_closest.c finds the closest point of the surface,
/// heightfield_sample.c makes samples of it. All work is in double and relative to the heightfield's own
/// origin, so that kilometres of terrain keep millimetres.
#ifndef ABUT_SHAPE_HEIGHTFIELD_H
#define ABUT_SHAPE_HEIGHTFIELD_H

#include "shape/shape.h"

enum
{
    ABUT_HEIGHTFIELD_LEAF_CELLS =
        4, // cells along one side of a block of level 0; blocks of the next are twice as wide
    ABUT_HEIGHTFIELD_MAX_LEVELS = 33
};

/// Lowest and highest height of a block of cells.
typedef struct AbutHeightRange
{
    float low, high;
} AbutHeightRange;

typedef struct AbutHeightLevel
{
    AbutHeightRange* blocks; // x runs fastest
    uint32_t x_count, z_count;
} AbutHeightLevel;

typedef struct AbutHeightfield
{
    AbutShape base;
    float* heights;
    uint32_t x_count, z_count; // samples
    AbutDVec3 origin;
    double spacing;
    double width, depth; // of the rectangle, along x and z
    double highest;
    // 1/√(1 + steepest slope²): height above a column times this is at most the distance
    double steepest_cosine;
    AbutHeightLevel levels[ABUT_HEIGHTFIELD_MAX_LEVELS];
    uint32_t level_count;
} AbutHeightfield;

/// The closest point of surface and walls.
typedef struct AbutHeightClosest
{
    double squared; // distance
    double point[3];
    double normal[3]; // upward normal of the triangle or outward normal of the wall; not of unit length
} AbutHeightClosest;

static inline double abut_heightfield_height(const AbutHeightfield* self, uint32_t x, uint32_t z)
{
    return self->heights[(size_t)z * self->x_count + x];
}

/// `value` within [low, high]; low when it is NaN.
static inline double abut_heightfield_clamp(double value, double low, double high)
{
    return value > low ? (value < high ? value : high) : low;
}

/// The sample function of the class.
void abut_heightfield_sample(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out);

#endif
