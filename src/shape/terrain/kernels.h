/// @file kernels.h
/// Kernels of terrain: closest features of cells, and samples of points, in lanes of doubles.
#ifndef ABUT_SHAPE_TERRAIN_KERNELS_H
#define ABUT_SHAPE_TERRAIN_KERNELS_H

#include <abut/math.h>

#include "math/transform.h"
#include "simd/dispatch.h"

enum
{
    ABUT_TERRAIN_BATCH = 64 // points, or cells, of one call
};

/// Features of a cell with the corners (x0, z0), (x1, z0), (x0, z1), (x1, z1), and of the border.
typedef enum AbutTerrainFeature
{
    ABUT_TERRAIN_LOWER_FACE, // of (x0, z0), (x1, z0), (x1, z1)
    ABUT_TERRAIN_UPPER_FACE, // of (x0, z0), (x0, z1), (x1, z1)
    ABUT_TERRAIN_EDGE_Z0,    // along x
    ABUT_TERRAIN_EDGE_Z1,
    ABUT_TERRAIN_EDGE_X0, // along z
    ABUT_TERRAIN_EDGE_X1,
    ABUT_TERRAIN_DIAGONAL,
    ABUT_TERRAIN_CORNER_00,
    ABUT_TERRAIN_CORNER_10,
    ABUT_TERRAIN_CORNER_01,
    ABUT_TERRAIN_CORNER_11,
    ABUT_TERRAIN_WALL_X0, // at x = 0
    ABUT_TERRAIN_WALL_X1,
    ABUT_TERRAIN_WALL_Z0,
    ABUT_TERRAIN_WALL_Z1,
    ABUT_TERRAIN_NO_FEATURE // none within the band
} AbutTerrainFeature;

/// Points and one cell each. Arrays have values up to a multiple of four.
typedef struct AbutTerrainCells
{
    double x[ABUT_TERRAIN_BATCH], z[ABUT_TERRAIN_BATCH]; // from the corner (x0, z0) of the cell
    double y[ABUT_TERRAIN_BATCH];                        // from the origin of the heightfield
    float heights[4][ABUT_TERRAIN_BATCH];                // of the corners, as above
    double squared[ABUT_TERRAIN_BATCH];                  // distance to the closest feature
    double feature[ABUT_TERRAIN_BATCH];                  // AbutTerrainFeature
} AbutTerrainCells;

/// Lengths of a heightfield.
typedef struct AbutTerrainLengths
{
    double spacing;
    double width, depth;    // of the rectangle, along x and z
    double highest;         // height
    double steepest_cosine; // 1/√(1 + steepest slope²): height above a column times this is at most the
                            // distance
    double band;
    double last_cell[2]; // index, along x and z
} AbutTerrainLengths;

/// From the frame of the points to that of the heightfield's first corner: matrix · (p − translation) −
/// origin.
typedef struct AbutTerrainFrame
{
    double matrix[3][3];
    AbutDVec3 translation, origin;
    double rotation[3][3]; // for gradients back
    double scale;          // for distances back
} AbutTerrainFrame;

/// Points with the closest feature so far: at first of the cell under each, in the end of all.
typedef struct AbutTerrainPoints
{
    float given[3][ABUT_TERRAIN_BATCH];
    double x[ABUT_TERRAIN_BATCH], z[ABUT_TERRAIN_BATCH];            // from the first corner
    int32_t cell_x[ABUT_TERRAIN_BATCH], cell_z[ABUT_TERRAIN_BATCH]; // under the point, or nearest to it
    AbutTerrainCells cells;
    float cosine[ABUT_TERRAIN_BATCH];  // of the steepest slope around (abut_height_cosine())
    double far[ABUT_TERRAIN_BATCH];    // lower bound of the distance, of slope 1
    double bound[ABUT_TERRAIN_BATCH];  // a sharper one
    double inside[ABUT_TERRAIN_BATCH]; // −1 inside of the solid, else 1
    double border[ABUT_TERRAIN_BATCH]; // to the nearest side of the rectangle; negative outside
    int32_t first_x[ABUT_TERRAIN_BATCH], last_x[ABUT_TERRAIN_BATCH]; // cells that may be closer
    int32_t first_z[ABUT_TERRAIN_BATCH], last_z[ABUT_TERRAIN_BATCH];
    double direction[3][ABUT_TERRAIN_BATCH]; // along the gradient, of any length
} AbutTerrainPoints;

typedef struct AbutTerrainKernels
{
    /// From `given`: x, z, cells under the points, and `cells` but for heights.
    void (*locate)(const AbutTerrainLengths* lengths, const AbutTerrainFrame* frame,
                   AbutTerrainPoints* points, size_t count);

    /// From the heights and cosines of the cells under the points: closest features within the band, signs,
    /// bounds, and the cells that may be closer.
    void (*start)(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t count);

    /// Only bounds of distances, and signs, from the same.
    void (*bound)(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t count);

    /// Closest features of cells.
    void (*closest)(double spacing, AbutTerrainCells* cells, size_t count);

    /// Directions of gradients from the closest features; not for walls and points without a feature.
    void (*directions)(double spacing, AbutTerrainPoints* points, size_t count);

    /// Distances and gradients (out.gradient_x may be NULL) in the frame of the points, NaN where a
    /// coordinate is.
    void (*finish)(const AbutTerrainFrame* frame, const AbutTerrainPoints* points, size_t count,
                   AbutSamples out);
} AbutTerrainKernels;

ABUT_KERNELS(AbutTerrainKernels, abut_terrain_kernels)

#endif
