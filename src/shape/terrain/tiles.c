// Tiles of heights and their pyramid (tiles.h).
#include "shape/terrain/tiles.h"

#include "base/memory.h"
#include "math/dvec3.h"
#include "shape/terrain/tile_cache.h"

#include <math.h>
#include <string.h>

enum
{
    BLOCK_SIDE = 1 << ABUT_HEIGHT_BLOCK_SHIFT // cells
};

void abut_height_tiles_plan(AbutHeightTiles* self, uint32_t x_count, uint32_t z_count, const AbutHost* host)
{
    *self = (AbutHeightTiles){ .host = *host, .x_cells = x_count - 1, .z_cells = z_count - 1 };
    uint32_t cells = self->x_cells > self->z_cells ? self->x_cells : self->z_cells;
    self->shift = ABUT_HEIGHT_BLOCK_SHIFT;
    while (self->shift < ABUT_HEIGHT_TILE_SHIFT && cells >> self->shift > 0)
    {
        self->shift += 1;
    }
    uint32_t side = UINT32_C(1) << self->shift;
    self->stride = side + 1;
    self->x_count = (self->x_cells - 1) / side + 1;
    self->z_count = (self->z_cells - 1) / side + 1;
    self->tile_levels = self->shift - ABUT_HEIGHT_BLOCK_SHIFT;
    self->cosine_start = (size_t)self->stride * self->stride;
    self->tile_floats = self->cosine_start + ((size_t)1 << (2 * self->tile_levels));
    for (uint32_t level = 0; level < self->tile_levels; ++level)
    {
        uint32_t blocks = side >> (ABUT_HEIGHT_BLOCK_SHIFT + level);
        self->level_starts[level] = self->tile_floats;
        self->tile_floats += 2 * (size_t)blocks * blocks;
    }
}

static AbutHeightRange merge_ranges(AbutHeightRange a, AbutHeightRange b)
{
    // Not fminf() and fmaxf(), which are calls.
    return (AbutHeightRange){ a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
}

static const AbutHeightRange EMPTY_RANGE = { INFINITY, -INFINITY };

// -----------------------------------------------------------------------------------------------------------
// One tile
// -----------------------------------------------------------------------------------------------------------

static AbutHeightRange range_of_cells(const float* heights, uint32_t stride, uint32_t x, uint32_t z,
                                      uint32_t side)
{
    AbutHeightRange range = EMPTY_RANGE;
    for (uint32_t k = z; k <= z + side; ++k)
    {
        for (uint32_t i = x; i <= x + side; ++i)
        {
            float height = heights[(size_t)k * stride + i];
            range = merge_ranges(range, (AbutHeightRange){ height, height });
        }
    }
    return range;
}

static AbutHeightRange range_of_blocks(const float* below, uint32_t side, uint32_t x, uint32_t z)
{
    AbutHeightRange range = EMPTY_RANGE;
    for (uint32_t k = 2 * z; k < 2 * z + 2; ++k)
    {
        for (uint32_t i = 2 * x; i < 2 * x + 2; ++i)
        {
            const float* block = below + 2 * ((size_t)k * side + i);
            range = merge_ranges(range, (AbutHeightRange){ block[0], block[1] });
        }
    }
    return range;
}

/// The levels inside of a tile, from its heights; returns the range of the whole tile.
static AbutHeightRange build_tile_levels(const AbutHeightTiles* self, float* tile)
{
    for (uint32_t level = 0; level < self->tile_levels; ++level)
    {
        uint32_t side = UINT32_C(1) << (self->tile_levels - level);
        float* blocks = tile + self->level_starts[level];
        for (uint32_t i = 0; i < side * side; ++i)
        {
            uint32_t x = i % side, z = i / side;
            AbutHeightRange range =
                level == 0 ? range_of_cells(tile, self->stride, x << ABUT_HEIGHT_BLOCK_SHIFT,
                                            z << ABUT_HEIGHT_BLOCK_SHIFT, BLOCK_SIDE)
                           : range_of_blocks(tile + self->level_starts[level - 1], 2 * side, x, z);
            blocks[2 * i] = range.low;
            blocks[2 * i + 1] = range.high;
        }
    }
    return self->tile_levels > 0 ? range_of_blocks(tile + self->level_starts[self->tile_levels - 1], 2, 0, 0)
                                 : range_of_cells(tile, self->stride, 0, 0, self->stride - 1);
}

static uint32_t clamp_index(int64_t index, uint32_t last)
{
    return (uint32_t)(index < 0 ? 0 : (index > last ? last : index));
}

uint32_t abut_height_region_side(const AbutHeightTiles* self)
{
    return self->stride + 2 * BLOCK_SIDE;
}

void abut_height_region_read(const AbutHeightTiles* self, const float* heights, uint32_t x, uint32_t z,
                             const AbutHeightRegion* region)
{
    for (uint32_t k = 0; k < region->side; ++k)
    {
        uint32_t from_z = clamp_index(((int64_t)z << self->shift) + k - BLOCK_SIDE, self->z_cells);
        for (uint32_t i = 0; i < region->side; ++i)
        {
            uint32_t from_x = clamp_index(((int64_t)x << self->shift) + i - BLOCK_SIDE, self->x_cells);
            region->heights[(size_t)k * region->side + i] =
                heights[(size_t)from_z * (self->x_cells + 1) + from_x];
        }
    }
}

static double squared_slope(double rise_x, double rise_z)
{
    return rise_x * rise_x + rise_z * rise_z;
}

/// The largest sum of squared rises of a triangle along x and z in a block of cells.
static double steepest_of_block(const AbutHeightRegion* region, uint32_t x, uint32_t z)
{
    double steepest = 0.0;
    for (uint32_t k = z * BLOCK_SIDE; k < z * BLOCK_SIDE + BLOCK_SIDE; ++k)
    {
        const float* h = region->heights + (size_t)k * region->side + x * BLOCK_SIDE;
        for (uint32_t i = 0; i < BLOCK_SIDE; ++i)
        {
            double h00 = h[i], h10 = h[i + 1], h01 = h[region->side + i], h11 = h[region->side + i + 1];
            double lower = squared_slope(h10 - h00, h11 - h10), upper = squared_slope(h11 - h01, h01 - h00);
            steepest = abut_larger(steepest, abut_larger(lower, upper));
        }
    }
    return steepest;
}

/// The largest of each block and of those around it.
static void build_cosines(const AbutHeightTiles* self, const AbutHeightRegion* region, double spacing,
                          float* cosines, double* steepest)
{
    enum
    {
        MOST = (1 << ABUT_HEIGHT_TILE_LEVELS) + 2
    };
    double blocks[MOST * MOST];
    uint32_t count = UINT32_C(1) << self->tile_levels, wide = count + 2;
    for (uint32_t i = 0; i < wide * wide; ++i)
    {
        blocks[i] = steepest_of_block(region, i % wide, i / wide) / (spacing * spacing);
    }
    for (uint32_t i = 0; i < count * count; ++i)
    {
        double largest = 0.0;
        for (uint32_t k = 0; k < 9; ++k)
        {
            largest = abut_larger(largest, blocks[(i / count + k / 3) * wide + i % count + k % 3]);
        }
        *steepest = abut_larger(*steepest, largest);
        cosines[i] = (float)((1.0 - 1e-6) / sqrt(1.0 + largest));
    }
}

AbutHeightRange abut_height_tile_build(const AbutHeightTiles* self, const AbutHeightRegion* region,
                                       double spacing, float* tile, double* steepest)
{
    for (uint32_t k = 0; k < self->stride; ++k)
    {
        memcpy(tile + (size_t)k * self->stride,
               region->heights + (size_t)(k + BLOCK_SIDE) * region->side + BLOCK_SIDE,
               self->stride * sizeof(float));
    }
    build_cosines(self, region, spacing, tile + self->cosine_start, steepest);
    return build_tile_levels(self, tile);
}

// -----------------------------------------------------------------------------------------------------------
// All tiles
// -----------------------------------------------------------------------------------------------------------

static AbutHeightRange parent_range(const AbutHeightLevel* below, uint32_t x, uint32_t z)
{
    AbutHeightRange range = EMPTY_RANGE;
    for (uint32_t k = 2 * z; k < 2 * z + 2 && k < below->z_count; ++k)
    {
        for (uint32_t i = 2 * x; i < 2 * x + 2 && i < below->x_count; ++i)
        {
            range = merge_ranges(range, below->blocks[(size_t)k * below->x_count + i]);
        }
    }
    return range;
}

AbutHeightLevel* abut_height_tiles_add_level(AbutHeightTiles* self, uint32_t x_count, uint32_t z_count)
{
    AbutHeightRange* blocks =
        abut_memory_allocate(&self->host, (size_t)x_count * z_count, sizeof(AbutHeightRange));
    if (blocks == NULL)
    {
        return NULL;
    }
    AbutHeightLevel* level = &self->levels[self->level_count++];
    *level = (AbutHeightLevel){ blocks, x_count, z_count };
    return level;
}

bool abut_height_tiles_build_levels(AbutHeightTiles* self)
{
    while (self->levels[self->level_count - 1].x_count > 1 || self->levels[self->level_count - 1].z_count > 1)
    {
        const AbutHeightLevel* below = &self->levels[self->level_count - 1];
        AbutHeightLevel* level =
            abut_height_tiles_add_level(self, (below->x_count + 1) / 2, (below->z_count + 1) / 2);
        if (level == NULL)
        {
            return false;
        }
        for (uint32_t z = 0; z < level->z_count; ++z)
        {
            for (uint32_t x = 0; x < level->x_count; ++x)
            {
                level->blocks[(size_t)z * level->x_count + x] = parent_range(below, x, z);
            }
        }
    }
    return true;
}

static void build_tiles(AbutHeightTiles* self, const float* heights, double spacing,
                        const AbutHeightRegion* region, AbutHeightRange* ranges, double* steepest)
{
    for (size_t i = 0; i < (size_t)self->x_count * self->z_count; ++i)
    {
        abut_height_region_read(self, heights, (uint32_t)(i % self->x_count), (uint32_t)(i / self->x_count),
                                region);
        ranges[i] =
            abut_height_tile_build(self, region, spacing, self->tiles + i * self->tile_floats, steepest);
    }
}

bool abut_height_tiles_build(AbutHeightTiles* self, const float* heights, double spacing, double* steepest)
{
    AbutHeightRegion region = { .side = abut_height_region_side(self) };
    size_t region_floats = (size_t)region.side * region.side;
    self->tiles = abut_memory_allocate(&self->host, (size_t)self->x_count * self->z_count * self->tile_floats,
                                       sizeof(float));
    AbutHeightLevel* level =
        self->tiles != NULL ? abut_height_tiles_add_level(self, self->x_count, self->z_count) : NULL;
    region.heights = level != NULL ? abut_memory_allocate(&self->host, region_floats, sizeof(float)) : NULL;
    if (region.heights == NULL)
    {
        return false;
    }
    *steepest = 0.0;
    build_tiles(self, heights, spacing, &region, level->blocks, steepest);
    abut_memory_free(&self->host, region.heights, region_floats, sizeof(float));
    return abut_height_tiles_build_levels(self);
}

void abut_height_tiles_free(AbutHeightTiles* self)
{
    size_t count = (size_t)self->x_count * self->z_count;
    abut_memory_free(&self->host, self->tiles, count * self->tile_floats, sizeof(float));
    abut_tile_cache_destroy(self);
    for (uint32_t i = 0; i < self->level_count; ++i)
    {
        AbutHeightLevel* level = &self->levels[i];
        abut_memory_free(&self->host, level->blocks, (size_t)level->x_count * level->z_count,
                         sizeof(AbutHeightRange));
    }
}

size_t abut_height_tiles_bytes(const AbutHeightTiles* self)
{
    size_t count = (size_t)self->x_count * self->z_count;
    size_t bytes =
        self->cache != NULL ? abut_tile_cache_bytes(self) : count * self->tile_floats * sizeof(float);
    for (uint32_t i = 0; i < self->level_count; ++i)
    {
        bytes += (size_t)self->levels[i].x_count * self->levels[i].z_count * sizeof(AbutHeightRange);
    }
    return bytes;
}

AbutHeightRange abut_height_tiles_range(const AbutHeightTiles* self)
{
    return self->levels[self->level_count - 1].blocks[0];
}
