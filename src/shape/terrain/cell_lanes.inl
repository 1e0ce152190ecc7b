// The closest feature of a cell of terrain: of its two triangles, in lanes of doubles.
//
// A face counts where the foot of the perpendicular is in the triangle, an edge where the foot is between its
// ends, and corners always. Lengths of perpendiculars come from products of differences, not from closest
// points: cliffs with slopes of 1e15 lose nothing.
#ifndef ABUT_SHAPE_TERRAIN_CELL_LANES_INL
#define ABUT_SHAPE_TERRAIN_CELL_LANES_INL

#include "shape/terrain/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

/// A point and a cell, relative to the corner (x0, z0); heights relative to the point.
typedef struct TerrainCell
{
    WideDouble spacing;
    WideDouble x, z; // of the point
    WideDouble h00, h10, h01, h11;
    WideDouble y00, y10, y01, y11; // of the point above the corners
} TerrainCell;

typedef struct TerrainClosest
{
    WideDouble squared, feature;
} TerrainClosest;

KERNEL_INLINE WideDouble load_doubles(const double* p)
{
    WideDouble lanes;
    memcpy(&lanes, p, sizeof(lanes));
    return lanes;
}

KERNEL_INLINE void store_doubles(double* p, WideDouble lanes)
{
    memcpy(p, &lanes, sizeof(lanes));
}

KERNEL_INLINE TerrainCell load_cell(double spacing, const AbutTerrainCells* cells, size_t i)
{
    TerrainCell cell = { .spacing = wide_double_splat(spacing),
                         .x = load_doubles(cells->x + i),
                         .z = load_doubles(cells->z + i),
                         .h00 = wide_double_from_floats(cells->heights[0] + i),
                         .h10 = wide_double_from_floats(cells->heights[1] + i),
                         .h01 = wide_double_from_floats(cells->heights[2] + i),
                         .h11 = wide_double_from_floats(cells->heights[3] + i) };
    WideDouble y = load_doubles(cells->y + i);
    cell.y00 = y - cell.h00;
    cell.y10 = y - cell.h10;
    cell.y01 = y - cell.h01;
    cell.y11 = y - cell.h11;
    return cell;
}

KERNEL_INLINE void keep_closer(TerrainClosest* closest, WideDoubleMask counts, WideDouble squared,
                               AbutTerrainFeature feature)
{
    WideDoubleMask closer = counts & (squared < closest->squared);
    closest->squared = wide_double_select(closer, squared, closest->squared);
    closest->feature = wide_double_select(closer, wide_double_splat((double)feature), closest->feature);
}

/// The upward normal (nx, spacing, nz) of both faces, and the height of the point above their planes times
/// the spacing.
typedef struct TerrainFace
{
    WideDouble nx, nz, above;
} TerrainFace;

KERNEL_INLINE TerrainFace lower_face(const TerrainCell* cell, WideDouble x, WideDouble z)
{
    WideDouble nx = cell->h00 - cell->h10, nz = cell->h10 - cell->h11;
    return (TerrainFace){ nx, nz, x * nx + cell->y00 * cell->spacing + z * nz };
}

KERNEL_INLINE TerrainFace upper_face(const TerrainCell* cell, WideDouble x, WideDouble z)
{
    WideDouble nx = cell->h01 - cell->h11, nz = cell->h00 - cell->h01;
    return (TerrainFace){ nx, nz, x * nx + cell->y00 * cell->spacing + z * nz };
}

/// The triangle is 0 ≤ inner ≤ outer ≤ spacing, in coordinates x and z in some order.
KERNEL_INLINE void test_face(const TerrainCell* cell, const TerrainFace* face, bool lower,
                             TerrainClosest* closest)
{
    WideDouble squared_normal = face->nx * face->nx + cell->spacing * cell->spacing + face->nz * face->nz;
    WideDouble t = face->above / squared_normal;
    WideDouble x = cell->x - t * face->nx, z = cell->z - t * face->nz;
    WideDouble inner = lower ? z : x, outer = lower ? x : z;
    keep_closer(closest, (inner >= 0.0) & (inner <= outer) & (outer <= cell->spacing), face->above * t,
                lower ? ABUT_TERRAIN_LOWER_FACE : ABUT_TERRAIN_UPPER_FACE);
}

/// An edge along x or z that rises by `rise`; the point is `along` and `y` from its first corner, and `aside`
/// of its vertical plane.
KERNEL_INLINE void test_edge(const TerrainCell* cell, WideDouble rise, WideDouble along, WideDouble y,
                             WideDouble aside, AbutTerrainFeature feature, TerrainClosest* closest)
{
    WideDouble squared_length = cell->spacing * cell->spacing + rise * rise;
    WideDouble foot = along * cell->spacing + y * rise;
    WideDouble area = along * rise - y * cell->spacing;
    keep_closer(closest, (foot > 0.0) & (foot < squared_length), area * area / squared_length + aside * aside,
                feature);
}

KERNEL_INLINE void test_diagonal(const TerrainCell* cell, TerrainClosest* closest)
{
    WideDouble s = cell->spacing, rise = cell->h11 - cell->h00;
    WideDouble squared_length = 2.0 * (s * s) + rise * rise;
    WideDouble foot = (cell->x + cell->z) * s + cell->y00 * rise;
    WideDouble a = cell->y00 * s - cell->z * rise, b = (cell->z - cell->x) * s;
    WideDouble c = cell->x * rise - cell->y00 * s;
    keep_closer(closest, (foot > 0.0) & (foot < squared_length), (a * a + b * b + c * c) / squared_length,
                ABUT_TERRAIN_DIAGONAL);
}

KERNEL_INLINE TerrainClosest closest_of_cell(const TerrainCell* cell, const TerrainFace* lower,
                                             const TerrainFace* upper)
{
    TerrainClosest closest = { wide_double_splat(INFINITY),
                               wide_double_splat((double)ABUT_TERRAIN_NO_FEATURE) };
    WideDouble x = cell->x, z = cell->z, x1 = x - cell->spacing, z1 = z - cell->spacing;
    test_face(cell, lower, true, &closest);
    test_face(cell, upper, false, &closest);
    test_edge(cell, cell->h10 - cell->h00, x, cell->y00, z, ABUT_TERRAIN_EDGE_Z0, &closest);
    test_edge(cell, cell->h11 - cell->h01, x, cell->y01, z1, ABUT_TERRAIN_EDGE_Z1, &closest);
    test_edge(cell, cell->h01 - cell->h00, z, cell->y00, x, ABUT_TERRAIN_EDGE_X0, &closest);
    test_edge(cell, cell->h11 - cell->h10, z, cell->y10, x1, ABUT_TERRAIN_EDGE_X1, &closest);
    test_diagonal(cell, &closest);
    WideDoubleMask all = wide_double_splat(0.0) == 0.0;
    keep_closer(&closest, all, x * x + cell->y00 * cell->y00 + z * z, ABUT_TERRAIN_CORNER_00);
    keep_closer(&closest, all, x1 * x1 + cell->y10 * cell->y10 + z * z, ABUT_TERRAIN_CORNER_10);
    keep_closer(&closest, all, x * x + cell->y01 * cell->y01 + z1 * z1, ABUT_TERRAIN_CORNER_01);
    keep_closer(&closest, all, x1 * x1 + cell->y11 * cell->y11 + z1 * z1, ABUT_TERRAIN_CORNER_11);
    return closest;
}

#endif
