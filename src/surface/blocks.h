/// @file blocks.h
/// The blocks of cells that the surface passes through, found by position.
#ifndef ABUT_SURFACE_BLOCKS_H
#define ABUT_SURFACE_BLOCKS_H

#include "base/assert.h"
#include "surface/grid.h"

/// A block owns the edges that begin at its first 8³ nodes and the surface in its 8³ cells. Vertices are on
/// edges: in the order of the rows of nodes (y fastest), in a row first those of the edges along x, then
/// along y, then along z, each by x.
typedef struct AbutSurfaceBlock
{
    uint32_t key;
    uint32_t first_vertex;
    uint32_t first_triangle;
    uint16_t vertex_count;
    uint16_t triangle_count;
    uint8_t open_faces;                                         // see close_blocks.c
    uint16_t rows[ABUT_BLOCK_NODES * ABUT_BLOCK_NODES];         // bit x of rows[9z + y]: that node is inside
    uint16_t row_vertices[ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS]; // vertices before the row, [8z + y]
} AbutSurfaceBlock;

typedef struct BlockSlot BlockSlot;

/// All blocks in order of arrival, and a hash table from keys to numbers.
typedef struct AbutSurfaceBlocks
{
    AbutSurfaceBlock* items;
    size_t count;
    size_t capacity;
    BlockSlot* slots;
    size_t slot_count; // a power of two, more than twice the count
} AbutSurfaceBlocks;

enum
{
    ABUT_BLOCK_KEY_BITS = 10, // per axis: (4096 + 3 + 2) / 8 blocks at most
    ABUT_BLOCK_NONE = -1,
};

static inline uint32_t abut_surface_key(const uint32_t position[3])
{
    ABUT_ASSERT((position[0] | position[1] | position[2]) < 1u << ABUT_BLOCK_KEY_BITS);
    return position[0] | position[1] << ABUT_BLOCK_KEY_BITS | position[2] << 2 * ABUT_BLOCK_KEY_BITS;
}

static inline uint32_t abut_surface_key_coordinate(uint32_t key, int axis)
{
    ABUT_ASSERT(axis >= 0 && axis < 3);
    return key >> axis * ABUT_BLOCK_KEY_BITS & ((1u << ABUT_BLOCK_KEY_BITS) - 1);
}

/// Adds a copy of a block with a new key.
AbutResult abut_surface_blocks_add(AbutSurfaceBlocks* blocks, const AbutSurfaceBlock* block,
                                   const AbutHost* host);

/// The number of the block with the key, or ABUT_BLOCK_NONE.
int64_t abut_surface_blocks_find(const AbutSurfaceBlocks* blocks, uint32_t key);

void abut_surface_blocks_destroy(AbutSurfaceBlocks* blocks, const AbutHost* host);

/// The nodes of a row that begin an owned edge with ends on different sides, as bits by x; 0 ≤ y, z < 8.
static inline unsigned abut_surface_crossed(const AbutSurfaceBlock* block, int axis, int y, int z)
{
    ABUT_ASSERT(axis >= 0 && axis < 3 && y >= 0 && y < ABUT_BLOCK_CELLS && z >= 0 && z < ABUT_BLOCK_CELLS);
    const uint16_t* row = &block->rows[ABUT_BLOCK_NODES * z + y];
    const unsigned other = axis == 0 ? row[0] >> 1 : row[axis == 1 ? 1 : ABUT_BLOCK_NODES];
    return (row[0] ^ other) & 0xFFu;
}

/// The cells of a row with corners on both sides, as bits by x; 0 ≤ y, z < 8.
static inline unsigned abut_surface_mixed(const AbutSurfaceBlock* block, int y, int z)
{
    ABUT_ASSERT(y >= 0 && y < ABUT_BLOCK_CELLS && z >= 0 && z < ABUT_BLOCK_CELLS);
    const uint16_t* row = &block->rows[ABUT_BLOCK_NODES * z + y];
    const unsigned any = (unsigned)row[0] | row[1] | row[ABUT_BLOCK_NODES] | row[ABUT_BLOCK_NODES + 1];
    const unsigned all = (unsigned)row[0] & row[1] & row[ABUT_BLOCK_NODES] & row[ABUT_BLOCK_NODES + 1];
    return (any | any >> 1) & ~(all & all >> 1) & 0xFFu;
}

/// The number of the case of a cell.
static inline unsigned abut_surface_signs(const AbutSurfaceBlock* block, int x, int y, int z)
{
    const uint16_t* row = &block->rows[ABUT_BLOCK_NODES * z + y];
    return (row[0] >> x & 3u) | (row[1] >> x & 3u) << 2 | (row[ABUT_BLOCK_NODES] >> x & 3u) << 4 |
           (row[ABUT_BLOCK_NODES + 1] >> x & 3u) << 6;
}

static inline unsigned abut_surface_bit_count(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static inline unsigned abut_surface_lowest_bit(unsigned bits)
{
    return (unsigned)__builtin_ctz(bits);
}

#endif
