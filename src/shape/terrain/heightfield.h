/// @file heightfield.h (internal)
/// Terrain: two triangles per cell, solid below, with vertical walls around the rectangle that extend down
/// infinitely.
///
/// heightfield.c checks and builds, tiles.h stores the heights, closest.h finds the closest features, and
/// sample.c makes samples of them. All work is in double and relative to the heightfield's own origin, so
/// that kilometres of terrain keep millimetres.
#ifndef ABUT_SHAPE_TERRAIN_HEIGHTFIELD_H
#define ABUT_SHAPE_TERRAIN_HEIGHTFIELD_H

#include "shape/shape.h"
#include "shape/terrain/kernels.h"
#include "shape/terrain/tiles.h"

typedef struct AbutHeightfield
{
    AbutShape base;
    AbutHeightTiles tiles;
    AbutDVec3 origin;
    AbutTerrainLengths lengths;
} AbutHeightfield;

/// `value` within [low, high]; low when it is NaN.
static inline double abut_heightfield_clamp(double value, double low, double high)
{
    return value > low ? (value < high ? value : high) : low;
}

/// The functions of the class.
void abut_heightfield_sample(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out);
void abut_heightfield_bound(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                            size_t count, float* out);

#endif
