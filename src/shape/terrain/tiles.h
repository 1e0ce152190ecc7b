/// @file tiles.h (internal)
/// Heights of a terrain in square tiles, each with a pyramid of lowest and highest heights over blocks of its
/// cells and bounds of their slopes; the pyramid goes on over the tiles up to one block.
///
/// A tile has the heights of its last corners too, which are the first of its neighbours: every cell is in
/// one tile. Behind the border of the terrain heights are repeated.
#ifndef ABUT_SHAPE_TERRAIN_TILES_H
#define ABUT_SHAPE_TERRAIN_TILES_H

#include <abut/base.h>

#include <stddef.h>
#include <stdint.h>

enum
{
    ABUT_HEIGHT_BLOCK_SHIFT =
        2, // cells along one side of a block of level 0: 4; of the next levels 8, 16, ...
    ABUT_HEIGHT_TILE_SHIFT = 6, // cells along one side of a tile, at most: 64
    ABUT_HEIGHT_TILE_LEVELS = ABUT_HEIGHT_TILE_SHIFT - ABUT_HEIGHT_BLOCK_SHIFT, // in a tile, at most
    ABUT_HEIGHT_LEVELS = 32
};

/// Lowest and highest height of a block of cells.
typedef struct AbutHeightRange
{
    float low, high;
} AbutHeightRange;

/// Blocks of one level over the whole terrain; x runs fastest.
typedef struct AbutHeightLevel
{
    AbutHeightRange* blocks;
    uint32_t x_count, z_count;
} AbutHeightLevel;

typedef struct AbutHeightTiles
{
    AbutHost host;
    uint32_t x_cells, z_cells;
    uint32_t shift;            // cells along one side of a tile: 1 << shift
    uint32_t stride;           // heights along one side of a tile
    uint32_t x_count, z_count; // tiles
    uint32_t tile_levels;      // levels inside of tiles; the next has the tiles themselves as blocks
    size_t cosine_start;       // in floats from the first of a tile
    size_t level_starts[ABUT_HEIGHT_TILE_LEVELS + 1]; // of ranges, alike
    size_t tile_floats;
    float* tiles;                               // all of them
    AbutHeightLevel levels[ABUT_HEIGHT_LEVELS]; // from that of the tiles on
    uint32_t level_count;
} AbutHeightTiles;

/// Sizes and levels; nothing is allocated.
void abut_height_tiles_plan(AbutHeightTiles* self, uint32_t x_count, uint32_t z_count, const AbutHost* host);

/// Tiles and levels from all heights; false without memory. Call abut_height_tiles_free() in any case.
/// *steepest: the largest squared tangent of a slope.
bool abut_height_tiles_build(AbutHeightTiles* self, const float* heights, double spacing, double* steepest);

void abut_height_tiles_free(AbutHeightTiles* self);

size_t abut_height_tiles_bytes(const AbutHeightTiles* self);

/// Range of all heights.
AbutHeightRange abut_height_tiles_range(const AbutHeightTiles* self);

/// Blocks of a level, along x or z.
static inline uint32_t abut_height_block_count(uint32_t cells, uint32_t level)
{
    return ((cells - 1) >> (ABUT_HEIGHT_BLOCK_SHIFT + level)) + 1;
}

/// Floats of the tile at (x, z) in tiles.
static inline const float* abut_height_tile(const AbutHeightTiles* self, uint32_t x, uint32_t z)
{
    return self->tiles + ((size_t)z * self->x_count + x) * self->tile_floats;
}

/// The height of the corner (x, z) of a cell. Those of the others are 1, `stride` and `stride` + 1 behind it.
static inline const float* abut_height_cell(const AbutHeightTiles* self, uint32_t x, uint32_t z)
{
    const float* tile = abut_height_tile(self, x >> self->shift, z >> self->shift);
    uint32_t mask = (UINT32_C(1) << self->shift) - 1;
    return tile + (size_t)(z & mask) * self->stride + (x & mask);
}

/// The height of any corner, also of the last ones.
static inline float abut_height_at(const AbutHeightTiles* self, uint32_t x, uint32_t z)
{
    uint32_t i = x < self->x_cells ? x : x - 1, k = z < self->z_cells ? z : z - 1;
    return abut_height_cell(self, i, k)[(size_t)(z - k) * self->stride + (x - i)];
}

/// 1/√(1 + slope²), rounded down, of the steepest slope within a block of level 0 around the block of a cell.
static inline float abut_height_cosine(const AbutHeightTiles* self, uint32_t x, uint32_t z)
{
    const float* tile = abut_height_tile(self, x >> self->shift, z >> self->shift);
    uint32_t mask = (UINT32_C(1) << self->shift) - 1;
    size_t block_z = (z & mask) >> ABUT_HEIGHT_BLOCK_SHIFT, block_x = (x & mask) >> ABUT_HEIGHT_BLOCK_SHIFT;
    return tile[self->cosine_start + (block_z << self->tile_levels) + block_x];
}

/// The range of a block of a level.
static inline AbutHeightRange abut_height_block(const AbutHeightTiles* self, uint32_t level, uint32_t x,
                                                uint32_t z)
{
    if (level >= self->tile_levels)
    {
        const AbutHeightLevel* blocks = &self->levels[level - self->tile_levels];
        return blocks->blocks[(size_t)z * blocks->x_count + x];
    }
    uint32_t shift = self->tile_levels - level, mask = (UINT32_C(1) << shift) - 1;
    const float* range = abut_height_tile(self, x >> shift, z >> shift) + self->level_starts[level] +
                         2 * (((size_t)(z & mask) << shift) + (x & mask));
    return (AbutHeightRange){ range[0], range[1] };
}

#endif
