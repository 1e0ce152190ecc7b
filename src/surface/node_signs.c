// From nodes to signs: the samples of one block, and what follows from them alone.
#include "surface/node_signs.h"

#include "shape/formula/callback.h"

#include "shape/shape.h"

void abut_surface_record_error(AbutSurfaceScratch* scratch, AbutSurfaceErrorKind kind, uint32_t number,
                               AbutVec3 position)
{
    AbutSurfaceError* error = &scratch->error;
    if (error->kind == ABUT_SURFACE_NO_ERROR || number < error->number)
    {
        *error = (AbutSurfaceError){ kind, number, position };
    }
}

bool abut_surface_sample(const AbutSurfaceExtraction* extraction, size_t count, uint32_t number,
                         AbutSurfaceScratch* scratch)
{
    AbutPoints points = { scratch->x, scratch->y, scratch->z };
    abut_shape_sample_signs(extraction->shape, points, count, scratch->value);
    for (size_t i = 0; i < count; ++i)
    {
        if (isnan(scratch->value[i]))
        {
            abut_surface_record_error(scratch, ABUT_SURFACE_ERROR_NAN, number,
                                      abut_vec3(scratch->x[i], scratch->y[i], scratch->z[i]));
            return false;
        }
    }
    return true;
}

static void fill_nodes(const AbutSurfaceGrid* grid, const uint32_t first[3], AbutSurfaceScratch* scratch)
{
    const float* x = grid->axes[0].nodes + first[0];
    size_t i = 0;
    for (int row = 0; row < ABUT_BLOCK_NODES * ABUT_BLOCK_NODES; ++row)
    {
        const float y = grid->axes[1].nodes[first[1] + (uint32_t)(row % ABUT_BLOCK_NODES)];
        const float z = grid->axes[2].nodes[first[2] + (uint32_t)(row / ABUT_BLOCK_NODES)];
        for (int k = 0; k < ABUT_BLOCK_NODES; ++k, ++i)
        {
            scratch->x[i] = x[k];
            scratch->y[i] = y;
            scratch->z[i] = z;
        }
    }
}

/// Bits for the nodes of a block along one axis that are nodes of the box.
static unsigned box_nodes(const AbutSurfaceAxis* axis, uint32_t first)
{
    unsigned bits = 0;
    for (unsigned k = 0; k < ABUT_BLOCK_NODES; ++k)
    {
        bits |= (unsigned)abut_surface_axis_has(axis, first + k) << k;
    }
    return bits;
}

/// The level itself counts as inside. Returns false when all nodes are on one side.
static bool fill_rows(const AbutSurfaceExtraction* extraction, const uint32_t first[3], const float* value,
                      AbutSurfaceBlock* block)
{
    const AbutSurfaceGrid* grid = &extraction->grid;
    const unsigned in_box[3] = { box_nodes(&grid->axes[0], first[0]), box_nodes(&grid->axes[1], first[1]),
                                 box_nodes(&grid->axes[2], first[2]) };
    unsigned any = 0, all = ~0u;
    for (int row = 0; row < ABUT_BLOCK_NODES * ABUT_BLOCK_NODES; ++row, value += ABUT_BLOCK_NODES)
    {
        unsigned bits = 0;
        for (unsigned k = 0; k < ABUT_BLOCK_NODES; ++k)
        {
            bits |= (unsigned)(value[k] <= extraction->iso) << k;
        }
        const unsigned row_in_box =
            (in_box[1] >> row % ABUT_BLOCK_NODES) & (in_box[2] >> row / ABUT_BLOCK_NODES) & 1u;
        bits &= row_in_box != 0 ? in_box[0] : 0;
        block->rows[row] = (uint16_t)bits;
        any |= bits;
        all &= bits;
    }
    return any != 0 && all != (1u << ABUT_BLOCK_NODES) - 1;
}

static void count_row(const AbutSurfaceExtraction* extraction, int y, int z, AbutSurfaceBlock* block)
{
    unsigned vertex_count = abut_surface_bit_count(abut_surface_crossed(block, 0, y, z)) +
                            abut_surface_bit_count(abut_surface_crossed(block, 1, y, z)) +
                            abut_surface_bit_count(abut_surface_crossed(block, 2, y, z));
    unsigned triangle_count = 0;
    for (unsigned mixed = abut_surface_mixed(block, y, z); mixed != 0; mixed &= mixed - 1)
    {
        const int x = (int)abut_surface_lowest_bit(mixed);
        triangle_count += extraction->cases[abut_surface_signs(block, x, y, z)].triangle_count;
    }
    block->row_vertices[ABUT_BLOCK_CELLS * z + y] = block->vertex_count;
    block->vertex_count = (uint16_t)(block->vertex_count + vertex_count);
    block->triangle_count = (uint16_t)(block->triangle_count + triangle_count);
}

bool abut_surface_sample_block(const AbutSurfaceExtraction* extraction, uint32_t key, uint32_t number,
                               AbutSurfaceScratch* scratch, AbutSurfaceBlock* block)
{
    const uint32_t first[3] = { abut_surface_key_coordinate(key, 0) * ABUT_BLOCK_CELLS, // node
                                abut_surface_key_coordinate(key, 1) * ABUT_BLOCK_CELLS,
                                abut_surface_key_coordinate(key, 2) * ABUT_BLOCK_CELLS };
    fill_nodes(&extraction->grid, first, scratch);
    if (!abut_surface_sample(extraction, ABUT_BLOCK_NODE_COUNT, number, scratch) ||
        !fill_rows(extraction, first, scratch->value, block))
    {
        return false;
    }
    block->key = key;
    block->vertex_count = 0;
    block->triangle_count = 0;
    for (int row = 0; row < ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS; ++row)
    {
        count_row(extraction, row % ABUT_BLOCK_CELLS, row / ABUT_BLOCK_CELLS, block);
    }
    return true;
}
