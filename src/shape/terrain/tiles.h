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
    float* tiles;                               // all of them, or NULL
    struct AbutTileCache* cache;                // of tiles that are loaded on demand, or NULL (tile_cache.h)
    AbutHeightLevel levels[ABUT_HEIGHT_LEVELS]; // from that of the tiles on
    uint32_t level_count;
} AbutHeightTiles;

/// Sizes and levels; nothing is allocated.
void abut_height_tiles_plan(AbutHeightTiles* self, uint32_t x_count, uint32_t z_count, const AbutHost* host);

/// Heights of a tile and of a block around it; behind the border of the terrain those of the border.
typedef struct AbutHeightRegion
{
    float* heights;
    uint32_t side; // heights along a side
} AbutHeightRegion;

/// The size of a region of these tiles.
uint32_t abut_height_region_side(const AbutHeightTiles* self);

/// From all heights of a terrain.
void abut_height_region_read(const AbutHeightTiles* self, const float* heights, uint32_t x, uint32_t z,
                             const AbutHeightRegion* region);

/// Heights, bounds of slopes and levels of a tile, from its region. Returns the range of the tile; *steepest
/// becomes the squared tangent of its steepest slope where that is larger.
AbutHeightRange abut_height_tile_build(const AbutHeightTiles* self, const AbutHeightRegion* region,
                                       double spacing, float* tile, double* steepest);

/// All tiles and levels from all heights; false without memory. Call abut_height_tiles_free() in any case.
bool abut_height_tiles_build(AbutHeightTiles* self, const float* heights, double spacing, double* steepest);

/// The level of the tiles, without ranges, or NULL.
AbutHeightLevel* abut_height_tiles_add_level(AbutHeightTiles* self, uint32_t x_count, uint32_t z_count);

/// The levels above that of the tiles.
bool abut_height_tiles_build_levels(AbutHeightTiles* self);

void abut_height_tiles_free(AbutHeightTiles* self);

size_t abut_height_tiles_bytes(const AbutHeightTiles* self);

/// Range of all heights.
AbutHeightRange abut_height_tiles_range(const AbutHeightTiles* self);

/// Blocks of a level, along x or z.
static inline uint32_t abut_height_block_count(uint32_t cells, uint32_t level)
{
    return ((cells - 1) >> (ABUT_HEIGHT_BLOCK_SHIFT + level)) + 1;
}

/// Reads heights. A tile that is loaded on demand stays in memory until the next call with the same reader,
/// and pointers with it. A thread has one active reader at a time.
typedef struct AbutHeightReader
{
    const AbutHeightTiles* tiles;
    const float* tile; // that is kept, of a cache
    size_t number;     // of it
    uint32_t slot;     // of it
} AbutHeightReader;

static inline AbutHeightReader abut_height_reader(const AbutHeightTiles* tiles)
{
    return (AbutHeightReader){ .tiles = tiles };
}

/// Keeps another tile of a cache.
const float* abut_height_reader_load(AbutHeightReader* self, size_t number);

/// Lets go of the tile. The reader may be used again.
void abut_height_reader_end(AbutHeightReader* self);

/// Floats of the tile at (x, z) in tiles.
static inline const float* abut_height_tile(AbutHeightReader* self, uint32_t x, uint32_t z)
{
    const AbutHeightTiles* tiles = self->tiles;
    size_t number = (size_t)z * tiles->x_count + x;
    if (tiles->cache == NULL)
    {
        return tiles->tiles + number * tiles->tile_floats;
    }
    return self->tile != NULL && self->number == number ? self->tile : abut_height_reader_load(self, number);
}

/// The height of the corner (x, z) of a cell. Those of the others are 1, `stride` and `stride` + 1 behind it.
/// NaN in a tile that could not be loaded.
static inline const float* abut_height_cell(AbutHeightReader* self, uint32_t x, uint32_t z)
{
    uint32_t shift = self->tiles->shift, mask = (UINT32_C(1) << shift) - 1;
    const float* tile = abut_height_tile(self, x >> shift, z >> shift);
    return tile + (size_t)(z & mask) * self->tiles->stride + (x & mask);
}

/// The height of any corner, also of the last ones.
static inline float abut_height_at(AbutHeightReader* self, uint32_t x, uint32_t z)
{
    const AbutHeightTiles* tiles = self->tiles;
    uint32_t i = x < tiles->x_cells ? x : x - 1, k = z < tiles->z_cells ? z : z - 1;
    return abut_height_cell(self, i, k)[(size_t)(z - k) * tiles->stride + (x - i)];
}

/// 1/√(1 + slope²), rounded down, of the steepest slope within a block of level 0 around the block of a cell.
static inline float abut_height_cosine(AbutHeightReader* self, uint32_t x, uint32_t z)
{
    const AbutHeightTiles* tiles = self->tiles;
    const float* tile = abut_height_tile(self, x >> tiles->shift, z >> tiles->shift);
    uint32_t mask = (UINT32_C(1) << tiles->shift) - 1;
    size_t block_z = (z & mask) >> ABUT_HEIGHT_BLOCK_SHIFT, block_x = (x & mask) >> ABUT_HEIGHT_BLOCK_SHIFT;
    return tile[tiles->cosine_start + (block_z << tiles->tile_levels) + block_x];
}

/// The range of a block of a level.
static inline AbutHeightRange abut_height_block(AbutHeightReader* self, uint32_t level, uint32_t x,
                                                uint32_t z)
{
    const AbutHeightTiles* tiles = self->tiles;
    if (level >= tiles->tile_levels)
    {
        const AbutHeightLevel* blocks = &tiles->levels[level - tiles->tile_levels];
        return blocks->blocks[(size_t)z * blocks->x_count + x];
    }
    uint32_t shift = tiles->tile_levels - level, mask = (UINT32_C(1) << shift) - 1;
    const float* range = abut_height_tile(self, x >> shift, z >> shift) + tiles->level_starts[level] +
                         2 * (((size_t)(z & mask) << shift) + (x & mask));
    return (AbutHeightRange){ range[0], range[1] };
}

#endif
