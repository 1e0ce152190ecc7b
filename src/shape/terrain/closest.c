// Closest features of a terrain (closest.h).
#include "shape/terrain/closest.h"

#include <string.h>

enum
{
    FEW_CELLS = 16, // tested without the pyramid
    LEAF_SIDE = 1 << ABUT_HEIGHT_BLOCK_SHIFT
};

typedef AbutHeightfield Heightfield;

/// Cells to be tested for points.
typedef struct PendingCells
{
    AbutHeightReader* reader;
    AbutTerrainCells cells;
    uint8_t points[ABUT_TERRAIN_BATCH];
    size_t count;
} PendingCells;

/// Blocks or cells, first and last included.
typedef struct Range
{
    uint32_t first_x, last_x, first_z, last_z;
} Range;

/// The cell along one axis that a coordinate is in, or the one nearest to it.
static uint32_t cell_of(double coordinate, double spacing, double last_cell)
{
    return (uint32_t)abut_heightfield_clamp(coordinate / spacing, 0.0, last_cell);
}

double abut_terrain_column(const Heightfield* self, AbutHeightReader* reader, double x, double z)
{
    const AbutTerrainLengths* l = &self->lengths;
    double s = l->spacing, cx = abut_heightfield_clamp(x, 0.0, l->width),
           cz = abut_heightfield_clamp(z, 0.0, l->depth);
    uint32_t i = cell_of(cx, s, l->last_cell[0]), k = cell_of(cz, s, l->last_cell[1]);
    double fx = abut_heightfield_clamp(cx / s - i, 0.0, 1.0),
           fz = abut_heightfield_clamp(cz / s - k, 0.0, 1.0);
    const float* h = abut_height_cell(reader, i, k);
    uint32_t stride = self->tiles.stride;
    double h00 = h[0], h10 = h[1], h01 = h[stride], h11 = h[stride + 1];
    return fx >= fz ? h00 + fx * (h10 - h00) + fz * (h11 - h10) : h00 + fz * (h01 - h00) + fx * (h11 - h01);
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

static inline double outside_of(double value, double low, double high)
{
    double twice = abut_larger(low - value, value - high);
    return 0.5 * (twice + fabs(twice)); // max(·, 0), for which compilers make a branch
}

static inline float lower(float a, float b)
{
    return a < b ? a : b;
}

static inline float higher(float a, float b)
{
    return a > b ? a : b;
}

/// Adds a cell unless its box is too far from the point. Without branches, which would be guesses: the cell
/// is written in any case, and counted where it is close enough.
static inline void add_cell(const Heightfield* self, AbutTerrainPoints* points, size_t i, uint32_t x,
                            uint32_t z, PendingCells* pending)
{
    double s = self->lengths.spacing, from_x = points->x[i] - x * s, from_z = points->z[i] - z * s;
    double y = points->cells.y[i];
    const float* h = abut_height_cell(pending->reader, x, z);
    uint32_t stride = self->tiles.stride;
    float h00 = h[0], h10 = h[1], h01 = h[stride], h11 = h[stride + 1];
    double dx = outside_of(from_x, 0.0, s), dz = outside_of(from_z, 0.0, s);
    double dy = outside_of(y, (double)lower(lower(h00, h10), lower(h01, h11)),
                           (double)higher(higher(h00, h10), higher(h01, h11)));
    AbutTerrainCells* cells = &pending->cells;
    size_t to = pending->count;
    pending->points[to] = (uint8_t)i;
    cells->x[to] = from_x;
    cells->y[to] = y;
    cells->z[to] = from_z;
    cells->heights[0][to] = h00;
    cells->heights[1][to] = h10;
    cells->heights[2][to] = h01;
    cells->heights[3][to] = h11;
    if (isnan(h00 + h10 + h01 + h11)) // not loaded: nothing is known, and no comparison is true any more
    {
        points->cells.squared[i] = NAN;
    }
    unsigned other = (x ^ (uint32_t)points->cell_x[i]) | (z ^ (uint32_t)points->cell_z[i]);
    bool closer = dx * dx + dz * dz + dy * dy < points->cells.squared[i];
    pending->count += (size_t)(closer & (other != 0)); // the cell under the point has been tested
}

static void copy_cell(const AbutTerrainCells* from, size_t i, AbutTerrainCells* to, size_t k)
{
    to->x[k] = from->x[i];
    to->y[k] = from->y[i];
    to->z[k] = from->z[i];
    for (int corner = 0; corner < 4; ++corner)
    {
        to->heights[corner][k] = from->heights[corner][i];
    }
    to->squared[k] = from->squared[i];
    to->feature[k] = from->feature[i];
}

/// Tests the pending cells; of equally close features the first stays.
static void test_cells(const Heightfield* self, PendingCells* pending, AbutTerrainPoints* points)
{
    AbutTerrainCells* cells = &pending->cells;
    if (pending->count == 0)
    {
        return;
    }
    for (size_t i = pending->count; i % 4 != 0; ++i)
    {
        copy_cell(cells, 0, cells, i);
    }
    abut_terrain_kernels()->closest(self->lengths.spacing, cells, pending->count);
    for (size_t i = 0; i < pending->count; ++i)
    {
        size_t point = pending->points[i];
        if (cells->squared[i] < points->cells.squared[point])
        {
            copy_cell(cells, i, &points->cells, point);
        }
    }
    pending->count = 0;
}

/// All cells of the range but the one under the point.
static void add_cells(const Heightfield* self, AbutTerrainPoints* points, size_t i, const Range* range,
                      PendingCells* pending)
{
    for (uint32_t z = range->first_z; z <= range->last_z; ++z)
    {
        for (uint32_t x = range->first_x; x <= range->last_x; ++x)
        {
            add_cell(self, points, i, x, z, pending);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Blocks
// -----------------------------------------------------------------------------------------------------------

/// Cells within the distance of the closest feature so far.
static Range cells_around(const Heightfield* self, const AbutTerrainPoints* points, size_t i)
{
    const AbutTerrainLengths* l = &self->lengths;
    double radius = sqrt(points->cells.squared[i]) + 1e-9 * l->spacing, x = points->x[i], z = points->z[i];
    return (Range){ cell_of(x - radius, l->spacing, l->last_cell[0]),
                    cell_of(x + radius, l->spacing, l->last_cell[0]),
                    cell_of(z - radius, l->spacing, l->last_cell[1]),
                    cell_of(z + radius, l->spacing, l->last_cell[1]) };
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void test_leaf(const Heightfield* self, uint32_t x, uint32_t z, size_t i, PendingCells* pending,
                      AbutTerrainPoints* points)
{
    Range range = cells_around(self, points, i);
    range.first_x = larger(range.first_x, x * LEAF_SIDE);
    range.last_x = smaller(range.last_x, x * LEAF_SIDE + LEAF_SIDE - 1);
    range.first_z = larger(range.first_z, z * LEAF_SIDE);
    range.last_z = smaller(range.last_z, z * LEAF_SIDE + LEAF_SIDE - 1);
    add_cells(self, points, i, &range, pending);
    test_cells(self, pending, points);
}

typedef struct Block
{
    double squared;
    uint32_t x, z;
} Block;

static double squared_distance_to_block(const Heightfield* self, AbutHeightReader* reader, uint32_t level,
                                        uint32_t x, uint32_t z, const AbutTerrainPoints* points, size_t i)
{
    AbutHeightRange range = abut_height_block(reader, level, x, z);
    double size = self->lengths.spacing * (double)(UINT64_C(1) << (ABUT_HEIGHT_BLOCK_SHIFT + level));
    double dx = outside_of(points->x[i], x * size, abut_smaller((x + 1) * size, self->lengths.width));
    double dy = outside_of(points->cells.y[i], (double)range.low, (double)range.high);
    double dz = outside_of(points->z[i], z * size, abut_smaller((z + 1) * size, self->lengths.depth));
    return dx * dx + dy * dy + dz * dz;
}

/// The blocks of a range, two by two at most, nearest first; equal ones in the order of z, then x.
static int sorted_blocks(const Heightfield* self, AbutHeightReader* reader, uint32_t level,
                         const Range* range, const AbutTerrainPoints* points, size_t i, Block blocks[4])
{
    int count = 0;
    for (uint32_t z = range->first_z; z <= range->last_z; ++z)
    {
        for (uint32_t x = range->first_x; x <= range->last_x; ++x)
        {
            Block block = { squared_distance_to_block(self, reader, level, x, z, points, i), x, z };
            int index = count++;
            for (; index > 0 && blocks[index - 1].squared > block.squared; --index)
            {
                blocks[index] = blocks[index - 1];
            }
            blocks[index] = block;
        }
    }
    return count;
}

static void search_blocks(const Heightfield* self, uint32_t level, const Range* range, size_t i,
                          PendingCells* pending, AbutTerrainPoints* points)
{
    Block blocks[4];
    int count = sorted_blocks(self, pending->reader, level, range, points, i, blocks);
    for (int k = 0; k < count && blocks[k].squared < points->cells.squared[i]; ++k)
    {
        uint32_t x = blocks[k].x, z = blocks[k].z;
        if (level == 0)
        {
            test_leaf(self, x, z, i, pending, points);
            continue;
        }
        uint32_t x_count = abut_height_block_count(self->tiles.x_cells, level - 1);
        uint32_t z_count = abut_height_block_count(self->tiles.z_cells, level - 1);
        Range children = { 2 * x, smaller(2 * x + 1, x_count - 1), 2 * z, smaller(2 * z + 1, z_count - 1) };
        search_blocks(self, level - 1, &children, i, pending, points);
    }
}

/// Starts at the lowest level of which two by two blocks cover all closer points.
static void search_pyramid(const Heightfield* self, size_t i, PendingCells* pending,
                           AbutTerrainPoints* points)
{
    Range range = cells_around(self, points, i);
    uint32_t level = 0;
    range.first_x >>= ABUT_HEIGHT_BLOCK_SHIFT;
    range.last_x >>= ABUT_HEIGHT_BLOCK_SHIFT;
    range.first_z >>= ABUT_HEIGHT_BLOCK_SHIFT;
    range.last_z >>= ABUT_HEIGHT_BLOCK_SHIFT;
    while (range.last_x - range.first_x > 1 || range.last_z - range.first_z > 1)
    {
        level += 1;
        range.first_x >>= 1;
        range.last_x >>= 1;
        range.first_z >>= 1;
        range.last_z >>= 1;
    }
    search_blocks(self, level, &range, i, pending, points);
}

// -----------------------------------------------------------------------------------------------------------
// Walls
// -----------------------------------------------------------------------------------------------------------

/// The walls below the border of the surface. Above it, the surface's own edges are nearer.
static void test_walls(const Heightfield* self, AbutHeightReader* reader, AbutTerrainPoints* points, size_t i)
{
    const AbutTerrainLengths* l = &self->lengths;
    double x = points->x[i], y = points->cells.y[i], z = points->z[i];
    double cx = abut_heightfield_clamp(x, 0.0, l->width), cz = abut_heightfield_clamp(z, 0.0, l->depth);
    const double walls[4][2] = { { 0.0, cz }, { l->width, cz }, { cx, 0.0 }, { cx, l->depth } };
    for (int k = 0; k < 4; ++k)
    {
        double dx = x - walls[k][0], dz = z - walls[k][1], squared = dx * dx + dz * dz;
        if (squared < points->cells.squared[i] &&
            y <= abut_terrain_column(self, reader, walls[k][0], walls[k][1]))
        {
            points->cells.squared[i] = squared;
            points->cells.feature[i] = (double)(ABUT_TERRAIN_WALL_X0 + k);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

static void find_closest(const Heightfield* self, AbutTerrainPoints* points, size_t i, PendingCells* pending)
{
    double border = points->border[i];
    if (border < 0.0 || border * border < points->cells.squared[i])
    {
        test_walls(self, pending->reader, points, i);
    }
    Range range = { (uint32_t)points->first_x[i], (uint32_t)points->last_x[i], (uint32_t)points->first_z[i],
                    (uint32_t)points->last_z[i] };
    uint64_t cells =
        (uint64_t)(range.last_x - range.first_x + 1) * (uint64_t)(range.last_z - range.first_z + 1);
    if (cells > FEW_CELLS)
    {
        test_cells(self, pending, points);
        search_pyramid(self, i, pending, points);
    }
    else if (cells > 1)
    {
        if (pending->count + FEW_CELLS >= ABUT_TERRAIN_BATCH)
        {
            test_cells(self, pending, points);
        }
        add_cells(self, points, i, &range, pending);
    }
}

void abut_terrain_find_closest(const Heightfield* self, AbutHeightReader* reader, double band,
                               AbutTerrainPoints* points, size_t count)
{
    PendingCells pending;
    pending.reader = reader;
    pending.count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (points->bound[i] < band)
        {
            find_closest(self, points, i, &pending);
        }
        else
        {
            double far = points->far[i] < band ? band : points->far[i]; // NaN stays
            points->cells.squared[i] = far * far;
            points->cells.feature[i] = (double)ABUT_TERRAIN_NO_FEATURE;
        }
    }
    test_cells(self, &pending, points);
}
