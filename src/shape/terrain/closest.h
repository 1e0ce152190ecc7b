/// @file closest.h (internal)
/// Closest features of a terrain.
///
/// The cell under a point gives a first distance. Closer features lie within that distance around the point:
/// few cells are tested at once, in lanes; of many, the pyramid of lowest and highest heights rules out most.
#ifndef ABUT_SHAPE_TERRAIN_CLOSEST_H
#define ABUT_SHAPE_TERRAIN_CLOSEST_H

#include "shape/terrain/heightfield.h"

/// Loads the four heights of a cell to index `to`.
static inline void abut_terrain_load_cell(AbutHeightReader* reader, uint32_t x, uint32_t z,
                                          AbutTerrainCells* cells, size_t to)
{
    const float* h = abut_height_cell(reader, x, z);
    cells->heights[0][to] = h[0];
    cells->heights[1][to] = h[1];
    cells->heights[2][to] = h[reader->tiles->stride];
    cells->heights[3][to] = h[reader->tiles->stride + 1];
}

/// Height of the surface in the column nearest to (x, z).
double abut_terrain_column(const AbutHeightfield* self, AbutHeightReader* reader, double x, double z);

/// From the features of the cells under the points (the kernel `start`) to the closest ones. Points beyond
/// the band get their bound.
void abut_terrain_find_closest(const AbutHeightfield* self, AbutHeightReader* reader, double band,
                               AbutTerrainPoints* points, size_t count);

/// Directions of the gradients of all points.
void abut_terrain_find_directions(const AbutHeightfield* self, AbutTerrainPoints* points, size_t count);

/// The closest feature of one point, at any distance.
typedef struct AbutTerrainClosestPoint
{
    double distance;    // negative inside
    AbutDVec3 gradient; // unit
    AbutTerrainFeature feature;
    double from_corner_x, from_corner_z; // of the point, from the first corner of the cell of the feature
} AbutTerrainClosestPoint;

/// `p` is relative to the origin of the heightfield.
AbutTerrainClosestPoint abut_terrain_closest_point(const AbutHeightfield* self, AbutDVec3 p);

/// Lower bound of the distance of such a point; negative inside.
double abut_terrain_distance_bound(const AbutHeightfield* self, AbutDVec3 p);

#endif
