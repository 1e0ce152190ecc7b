// The closest point of a terrain. The cell under the point gives a first distance; closer points lie within
// that distance around it, and a pyramid of lowest and highest heights over blocks of cells rules out most of
// these.
#include "shape/heightfield_closest.h"

#include "mesh/triangle/closest_point.h"

typedef AbutHeightfield Heightfield;
typedef AbutHeightClosest Nearest;

/// Blocks or cells [x_begin, x_end) by [z_begin, z_end).
typedef struct CellRange
{
    uint32_t x_begin, x_end, z_begin, z_end;
} CellRange;

/// The cell along one axis that holds a coordinate, or the one nearest to it.
static uint32_t cell_of(double coordinate, double spacing, uint32_t sample_count)
{
    double cell = floor(coordinate / spacing);
    return (uint32_t)abut_heightfield_clamp(cell, 0.0, (double)(sample_count - 2));
}

double abut_heightfield_column(const Heightfield* self, double x, double z)
{
    double cx = abut_heightfield_clamp(x, 0.0, self->width), cz = abut_heightfield_clamp(z, 0.0, self->depth);
    uint32_t i = cell_of(cx, self->spacing, self->x_count), k = cell_of(cz, self->spacing, self->z_count);
    double fx = abut_heightfield_clamp(cx / self->spacing - i, 0.0, 1.0);
    double fz = abut_heightfield_clamp(cz / self->spacing - k, 0.0, 1.0);
    double h00 = abut_heightfield_height(self, i, k), h11 = abut_heightfield_height(self, i + 1, k + 1);
    if (fx >= fz)
    {
        double h10 = abut_heightfield_height(self, i + 1, k);
        return h00 + fx * (h10 - h00) + fz * (h11 - h10);
    }
    double h01 = abut_heightfield_height(self, i, k + 1);
    return h00 + fz * (h01 - h00) + fx * (h11 - h01);
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

static void keep_nearer(Nearest* nearest, double squared, AbutDVec3 point, AbutDVec3 normal)
{
    if (squared < nearest->squared)
    {
        nearest->squared = squared;
        abut_dvec3_to_array(point, nearest->point);
        abut_dvec3_to_array(normal, nearest->normal);
    }
}

/// `normal` points up from the triangle; skipped when its plane is too far away.
static void test_triangle(const AbutDVec3 corners[3], AbutDVec3 normal, AbutDVec3 p, Nearest* nearest)
{
    double above = abut_dvec3_dot(abut_dvec3_sub(p, corners[0]), normal);
    if (above * above < nearest->squared * abut_dvec3_squared_length(normal))
    {
        AbutClosestPoint closest = abut_triangle_closest_feature(corners, p);
        keep_nearer(nearest, closest.squared, closest.at, normal);
    }
}

// fmin and fmax are calls into libm, since they define results for NaN, which does not occur here.
static double lower(double a, double b)
{
    return a < b ? a : b;
}

static double higher(double a, double b)
{
    return a > b ? a : b;
}

static double outside_of(double value, double low, double high)
{
    return value < low ? low - value : (value > high ? value - high : 0.0);
}

static void test_cell(const Heightfield* self, uint32_t i, uint32_t k, AbutDVec3 p, Nearest* nearest)
{
    double s = self->spacing, x0 = i * s, x1 = (i + 1) * s, z0 = k * s, z1 = (k + 1) * s;
    double h00 = abut_heightfield_height(self, i, k), h10 = abut_heightfield_height(self, i + 1, k);
    double h01 = abut_heightfield_height(self, i, k + 1), h11 = abut_heightfield_height(self, i + 1, k + 1);
    double dx = outside_of(p.x, x0, x1), dz = outside_of(p.z, z0, z1);
    double dy =
        outside_of(p.y, lower(lower(h00, h10), lower(h01, h11)), higher(higher(h00, h10), higher(h01, h11)));
    if (dx * dx + dy * dy + dz * dz < nearest->squared)
    {
        AbutDVec3 a = abut_dvec3(x0, h00, z0), b = abut_dvec3(x1, h10, z0);
        AbutDVec3 c = abut_dvec3(x1, h11, z1), d = abut_dvec3(x0, h01, z1);
        test_triangle((const AbutDVec3[3]){ a, c, b }, abut_dvec3(h00 - h10, s, h10 - h11), p, nearest);
        test_triangle((const AbutDVec3[3]){ a, d, c }, abut_dvec3(h01 - h11, s, h00 - h01), p, nearest);
    }
}

/// Cells within the distance of the closest point so far.
static CellRange cells_around(const Heightfield* self, AbutDVec3 p, const Nearest* nearest)
{
    double radius = sqrt(nearest->squared);
    return (CellRange){ .x_begin = cell_of(p.x - radius, self->spacing, self->x_count),
                        .x_end = cell_of(p.x + radius, self->spacing, self->x_count) + 1,
                        .z_begin = cell_of(p.z - radius, self->spacing, self->z_count),
                        .z_end = cell_of(p.z + radius, self->spacing, self->z_count) + 1 };
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void test_leaf(const Heightfield* self, uint32_t x, uint32_t z, AbutDVec3 p, Nearest* nearest)
{
    enum
    {
        SIDE = ABUT_HEIGHTFIELD_LEAF_CELLS
    };
    CellRange around = cells_around(self, p, nearest);
    uint32_t x_begin = larger(around.x_begin, x * SIDE), x_end = smaller(around.x_end, x * SIDE + SIDE);
    uint32_t z_begin = larger(around.z_begin, z * SIDE), z_end = smaller(around.z_end, z * SIDE + SIDE);
    for (uint32_t k = z_begin; k < z_end; ++k)
    {
        for (uint32_t i = x_begin; i < x_end; ++i)
        {
            test_cell(self, i, k, p, nearest);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Blocks
// -----------------------------------------------------------------------------------------------------------

static double squared_distance_to_block(const Heightfield* self, uint32_t level, uint32_t x, uint32_t z,
                                        AbutDVec3 p)
{
    const AbutHeightLevel* blocks = &self->levels[level];
    AbutHeightRange range = blocks->blocks[(size_t)z * blocks->x_count + x];
    double size = self->spacing * ABUT_HEIGHTFIELD_LEAF_CELLS * (double)(UINT64_C(1) << level);
    double dx = outside_of(p.x, x * size, lower((x + 1) * size, self->width));
    double dy = outside_of(p.y, range.low, range.high);
    double dz = outside_of(p.z, z * size, lower((z + 1) * size, self->depth));
    return dx * dx + dy * dy + dz * dz;
}

typedef struct Block
{
    double squared;
    uint32_t x, z;
} Block;

/// The blocks of a window, two by two at most, nearest first; equal ones in the order of z, then x.
static int sorted_blocks(const Heightfield* self, uint32_t level, CellRange cells, AbutDVec3 p,
                         Block blocks[4])
{
    int count = 0;
    for (uint32_t z = cells.z_begin; z < cells.z_end; ++z)
    {
        for (uint32_t x = cells.x_begin; x < cells.x_end; ++x)
        {
            Block block = { squared_distance_to_block(self, level, x, z, p), x, z };
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

static void search_blocks(const Heightfield* self, uint32_t level, CellRange cells, AbutDVec3 p,
                          Nearest* nearest)
{
    Block blocks[4];
    int count = sorted_blocks(self, level, cells, p, blocks);
    for (int i = 0; i < count && blocks[i].squared < nearest->squared; ++i)
    {
        uint32_t x = blocks[i].x, z = blocks[i].z;
        if (level == 0)
        {
            test_leaf(self, x, z, p, nearest);
            continue;
        }
        const AbutHeightLevel* below = &self->levels[level - 1];
        CellRange children = { 2 * x, smaller(2 * x + 2, below->x_count), 2 * z,
                               smaller(2 * z + 2, below->z_count) };
        search_blocks(self, level - 1, children, p, nearest);
    }
}

/// Starts at the lowest level of which two by two blocks cover all closer points.
static void search_surface(const Heightfield* self, AbutDVec3 p, Nearest* nearest)
{
    CellRange cells = cells_around(self, p, nearest);
    uint32_t level = 0, x_first = cells.x_begin / ABUT_HEIGHTFIELD_LEAF_CELLS,
             x_last = (cells.x_end - 1) / ABUT_HEIGHTFIELD_LEAF_CELLS,
             z_first = cells.z_begin / ABUT_HEIGHTFIELD_LEAF_CELLS,
             z_last = (cells.z_end - 1) / ABUT_HEIGHTFIELD_LEAF_CELLS;
    while (x_last - x_first > 1 || z_last - z_first > 1)
    {
        level += 1;
        x_first /= 2;
        x_last /= 2;
        z_first /= 2;
        z_last /= 2;
    }
    search_blocks(self, level, (CellRange){ x_first, x_last + 1, z_first, z_last + 1 }, p, nearest);
}

// -----------------------------------------------------------------------------------------------------------
// Walls
// -----------------------------------------------------------------------------------------------------------

/// The walls below the border of the surface. Above it, the surface's own edges are nearer.
static void test_walls(const Heightfield* self, AbutDVec3 p, Nearest* nearest)
{
    double cx = abut_heightfield_clamp(p.x, 0.0, self->width),
           cz = abut_heightfield_clamp(p.z, 0.0, self->depth);
    const double walls[4][4] = { // x and z of the nearest point of the wall's plane, outward normal
                                 { 0.0, cz, -1.0, 0.0 },
                                 { self->width, cz, 1.0, 0.0 },
                                 { cx, 0.0, 0.0, -1.0 },
                                 { cx, self->depth, 0.0, 1.0 }
    };
    for (int i = 0; i < 4; ++i)
    {
        double x = walls[i][0], z = walls[i][1];
        double dx = p.x - x, dz = p.z - z;
        if (dx * dx + dz * dz < nearest->squared && p.y <= abut_heightfield_column(self, x, z))
        {
            keep_nearer(nearest, dx * dx + dz * dz, abut_dvec3(x, p.y, z),
                        abut_dvec3(walls[i][2], 0.0, walls[i][3]));
        }
    }
}

bool abut_heightfield_closest(const Heightfield* self, const double point[3], double limit, Nearest* nearest)
{
    AbutDVec3 p = abut_dvec3_from_array(point);
    nearest->squared = limit * limit;
    test_walls(self, p, nearest);
    test_cell(self, cell_of(p.x, self->spacing, self->x_count), cell_of(p.z, self->spacing, self->z_count), p,
              nearest);
    search_surface(self, p, nearest);
    return nearest->squared < limit * limit;
}
