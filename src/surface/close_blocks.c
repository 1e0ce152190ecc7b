// Closes the set of blocks: where a crossed edge lies in the face of a block, the block beyond that face is
// in the set too. With a true slope bound that holds from the start. A callback with too low a bound would
// tear holes into the surface where the search left out a block; following the surface into that block keeps
// the mesh closed. (A component that no sampled block touches is lost.)
#include "surface/close_blocks.h"

#include "base/memory.h"
#include "surface/node_signs.h"

enum
{
    LAST = ABUT_BLOCK_NODES - 1
};

/// The nodes of one face of a block, as rows of bits.
typedef struct Side
{
    uint16_t rows[ABUT_BLOCK_NODES];
} Side;

static Side make_side(const AbutSurfaceBlock* block, int axis, int at)
{
    Side side = { { 0 } };
    for (int i = 0; i < ABUT_BLOCK_NODES; ++i)
    {
        if (axis == 0)
        {
            for (int y = 0; y < ABUT_BLOCK_NODES; ++y)
            {
                const unsigned bit = block->rows[ABUT_BLOCK_NODES * i + y] >> at & 1u;
                side.rows[i] = (uint16_t)(side.rows[i] | bit << y);
            }
        }
        else
        {
            side.rows[i] = block->rows[axis == 1 ? ABUT_BLOCK_NODES * i + at : ABUT_BLOCK_NODES * at + i];
        }
    }
    return side;
}

static bool is_crossed(const Side* side)
{
    unsigned any = 0, all = ~0u;
    for (int i = 0; i < ABUT_BLOCK_NODES; ++i)
    {
        any |= side->rows[i];
        all &= side->rows[i];
    }
    return any != 0 && all != (1u << ABUT_BLOCK_NODES) - 1;
}

static bool is_same(const Side* a, const Side* b)
{
    unsigned difference = 0;
    for (int i = 0; i < ABUT_BLOCK_NODES; ++i)
    {
        difference |= (unsigned)(a->rows[i] ^ b->rows[i]);
    }
    return difference == 0;
}

/// Crossed faces are never at the end of the grid, where all nodes are outside.
static uint32_t neighbour_key(uint32_t key, int axis, int at)
{
    const uint32_t step = 1u << axis * ABUT_BLOCK_KEY_BITS;
    return at == LAST ? key + step : key - step;
}

static AbutVec3 block_corner(const AbutSurfaceExtraction* extraction, uint32_t key)
{
    const AbutSurfaceGrid* grid = &extraction->grid;
    return abut_vec3(grid->axes[0].nodes[abut_surface_key_coordinate(key, 0) * ABUT_BLOCK_CELLS],
                     grid->axes[1].nodes[abut_surface_key_coordinate(key, 1) * ABUT_BLOCK_CELLS],
                     grid->axes[2].nodes[abut_surface_key_coordinate(key, 2) * ABUT_BLOCK_CELLS]);
}

/// Checks the neighbours of a block in the set. Missing ones go to `open_faces`, which has a bit per face.
static void check_faces(AbutSurfaceExtraction* extraction, uint32_t number, AbutSurfaceScratch* scratch)
{
    AbutSurfaceBlock* block = &extraction->blocks.items[number];
    block->open_faces = 0;
    for (int i = 0; i < 6; ++i)
    {
        const int axis = i / 2, at = i % 2 == 0 ? 0 : LAST;
        const Side side = make_side(block, axis, at);
        if (!is_crossed(&side))
        {
            continue;
        }
        const int64_t other =
            abut_surface_blocks_find(&extraction->blocks, neighbour_key(block->key, axis, at));
        if (other == ABUT_BLOCK_NONE)
        {
            block->open_faces = (uint8_t)(block->open_faces | 1u << i);
            continue;
        }
        const Side other_side = make_side(&extraction->blocks.items[other], axis, LAST - at);
        if (!is_same(&side, &other_side))
        {
            abut_surface_record_error(scratch, ABUT_SURFACE_ERROR_INCONSISTENT, number,
                                      block_corner(extraction, block->key));
        }
    }
}

static AbutResult add_neighbours(AbutSurfaceExtraction* extraction, size_t first, size_t end)
{
    AbutResult result = ABUT_OK;
    for (size_t number = first; number < end; ++number)
    {
        const AbutSurfaceBlock block = extraction->blocks.items[number];
        for (int i = 0; i < 6 && result == ABUT_OK; ++i)
        {
            const uint32_t key = neighbour_key(block.key, i / 2, i % 2 == 0 ? 0 : LAST);
            if ((block.open_faces >> i & 1u) != 0 &&
                abut_surface_blocks_find(&extraction->blocks, key) == ABUT_BLOCK_NONE)
            {
                result = abut_surface_blocks_add(&extraction->blocks, &(AbutSurfaceBlock){ .key = key },
                                                 &extraction->host);
            }
        }
    }
    return result;
}

/// A neighbour across a crossed face has that crossing as well.
static void sample_added(AbutSurfaceExtraction* extraction, uint32_t number, AbutSurfaceScratch* scratch)
{
    AbutSurfaceBlock* block = &extraction->blocks.items[number];
    if (!abut_surface_sample_block(extraction, block->key, number, scratch, block))
    {
        abut_surface_record_error(scratch, ABUT_SURFACE_ERROR_INCONSISTENT, number,
                                  block_corner(extraction, block->key));
    }
}

AbutResult abut_surface_close_blocks(AbutSurfaceExtraction* extraction)
{
    size_t first = 0;
    AbutResult result = ABUT_OK;
    while (first < extraction->blocks.count && result == ABUT_OK)
    {
        const size_t end = extraction->blocks.count;
        result = abut_surface_for_blocks(extraction, check_faces, first, ABUT_SURFACE_FIND_END,
                                         ABUT_SURFACE_CLOSE_END);
        if (result == ABUT_OK)
        {
            result = add_neighbours(extraction, first, end);
        }
        if (result == ABUT_OK)
        {
            result = abut_surface_for_blocks(extraction, sample_added, end, ABUT_SURFACE_CLOSE_END,
                                             ABUT_SURFACE_CLOSE_END);
        }
        first = end;
    }
    return result;
}
