// The triangles of each cell, from the table of cases. A cell at the far faces of its block has vertices on
// edges that a neighbour owns.
#include "surface/cell_triangles.h"

#include "mesh/mesh.h"

/// A block and the seven after it along the axes; bit i of the index is a step along axis i. NULL where there
/// is no crossed edge.
typedef struct Neighbourhood
{
    const AbutSurfaceBlock* blocks[8];
} Neighbourhood;

static Neighbourhood find_neighbors(const AbutSurfaceExtraction* extraction, const AbutSurfaceBlock* block)
{
    Neighbourhood around = { { block } };
    for (unsigned i = 1; i < 8; ++i)
    {
        const uint32_t position[3] = { abut_surface_key_coordinate(block->key, 0) + (i & 1u),
                                       abut_surface_key_coordinate(block->key, 1) + (i >> 1 & 1u),
                                       abut_surface_key_coordinate(block->key, 2) + (i >> 2) };
        const int64_t number = abut_surface_blocks_find(&extraction->blocks, abut_surface_key(position));
        around.blocks[i] = number == ABUT_BLOCK_NONE ? NULL : &extraction->blocks.items[number];
    }
    return around;
}

/// The number of the vertex on the edge that begins at a node of the block and runs along `axis`.
static uint32_t vertex_on(const Neighbourhood* around, int axis, const unsigned node[3])
{
    const unsigned x = node[0] % ABUT_BLOCK_CELLS;
    const int y = (int)(node[1] % ABUT_BLOCK_CELLS), z = (int)(node[2] % ABUT_BLOCK_CELLS);
    const AbutSurfaceBlock* owner =
        around->blocks[node[0] / ABUT_BLOCK_CELLS | node[1] / ABUT_BLOCK_CELLS << 1 |
                       node[2] / ABUT_BLOCK_CELLS << 2];
    uint32_t vertex = owner->first_vertex + owner->row_vertices[ABUT_BLOCK_CELLS * z + y];
    for (int i = 0; i < axis; ++i)
    {
        vertex += abut_surface_bit_count(abut_surface_crossed(owner, i, y, z));
    }
    return vertex + abut_surface_bit_count(abut_surface_crossed(owner, axis, y, z) & ((1u << x) - 1));
}

static uint32_t* emit_cell(const AbutSurfaceCase* surface_case, const Neighbourhood* around,
                           const unsigned cell[3], uint32_t* indices)
{
    uint32_t vertices[ABUT_CELL_EDGES];
    for (unsigned bits = surface_case->edges; bits != 0; bits &= bits - 1)
    {
        const unsigned edge = abut_surface_lowest_bit(bits), corner = abut_surface_edge_corner(edge);
        const unsigned node[3] = { cell[0] + (corner & 1u), cell[1] + (corner >> 1 & 1u),
                                   cell[2] + (corner >> 2) };
        vertices[edge] = vertex_on(around, (int)(edge / 4), node);
    }
    for (int i = 0; i < surface_case->triangle_count; ++i)
    {
        *indices++ = vertices[surface_case->triangles[i][0]];
        *indices++ = vertices[surface_case->triangles[i][1]];
        *indices++ = vertices[surface_case->triangles[i][2]];
    }
    return indices;
}

static void emit_block(AbutSurfaceExtraction* extraction, uint32_t number, AbutSurfaceScratch* scratch)
{
    (void)scratch;
    const AbutSurfaceBlock* block = &extraction->blocks.items[number];
    const Neighbourhood around = find_neighbors(extraction, block);
    uint32_t* indices = extraction->mesh->indices + 3 * (size_t)block->first_triangle;
    for (unsigned row = 0; row < ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS; ++row)
    {
        const unsigned y = row % ABUT_BLOCK_CELLS, z = row / ABUT_BLOCK_CELLS;
        for (unsigned bits = abut_surface_mixed(block, (int)y, (int)z); bits != 0; bits &= bits - 1)
        {
            const unsigned cell[3] = { abut_surface_lowest_bit(bits), y, z };
            const unsigned signs = abut_surface_signs(block, (int)cell[0], (int)y, (int)z);
            indices = emit_cell(&extraction->cases[signs], &around, cell, indices);
        }
    }
}

AbutResult abut_surface_emit_triangles(AbutSurfaceExtraction* extraction)
{
    return abut_surface_for_blocks(extraction, emit_block, 0, ABUT_SURFACE_VERTICES_END, 1.0);
}
