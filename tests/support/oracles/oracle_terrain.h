/// @file oracle_terrain.h
/// Terrains by brute force in double: every triangle and every wall, sign by the column.
#ifndef ABUT_TEST_ORACLE_TERRAIN_H
#define ABUT_TEST_ORACLE_TERRAIN_H

#include "support/support.h"

typedef struct OracleTerrain
{
    float* heights;
    uint32_t x_count, z_count;
    double spacing;
} OracleTerrain;

typedef double OracleHeightFn(TestRandom* random, uint32_t x, uint32_t z);

OracleTerrain oracle_terrain_make(uint32_t x_count, uint32_t z_count, double spacing, OracleHeightFn* height,
                                  uint64_t seed);
void oracle_terrain_free(OracleTerrain* terrain);

/// Its shape, with heights[0] at `origin`.
AbutShape* oracle_terrain_shape(const OracleTerrain* terrain, AbutPosition origin, float band);

/// Signed distance at a point relative to heights[0]; all triangles and walls that can be nearest are looked
/// at.
double oracle_terrain_distance(const OracleTerrain* terrain, const double p[3]);

/// Height of the surface in the column of (x, z), which must be over the rectangle.
double oracle_terrain_height(const OracleTerrain* terrain, double x, double z);

#endif
