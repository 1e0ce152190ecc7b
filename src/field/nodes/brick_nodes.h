/// @file brick_nodes.h
/// The nodes of one brick, and the bounds of the distance that follow from them alone.
#ifndef ABUT_FIELD_NODES_BRICK_NODES_H
#define ABUT_FIELD_NODES_BRICK_NODES_H

#include "field/nodes/format.h"
#include "field/nodes/kernels.h"
#include "field/nodes/node.h"

typedef struct AbutBrickNodes
{
    float value[ABUT_BRICK_NODE_TOTAL]; // in cells of the level
    float gradient[3][ABUT_BRICK_NODE_TOTAL];
    bool thin[ABUT_BRICK_NODE_TOTAL];
    uint32_t side; // nodes along a side: 9, or 2 for a brick of the coarse level
    double cell_size;
} AbutBrickNodes;

/// Values, side and cell size alone.
void abut_field_load_values(void* block, uint32_t brick, AbutBrickNodes* out);

void abut_field_load_brick(void* block, uint32_t brick, AbutBrickNodes* out);

/// Values, in cells, of the nodes of a brick and ABUT_CUBE_MARGIN around it, as bound kernels read them; NaN
/// where the field stores none. `alone`: those of the brick only. Returns the largest size of a value.
float abut_field_load_cube(void* block, uint32_t brick, bool alone, float* cube);

/// The value of node `position` of the fine grid, in cells; NaN where the field stores none.
float abut_field_value_at(void* block, const uint32_t position[3]);

/// The values of the eight nodes of a cell of the fine grid, x fastest, in cells; false where the field
/// stores none.
bool abut_field_cell_values(void* block, const uint32_t cell[3], float values[8]);

/// The eight nodes of a cell of the fine grid, x fastest; false where the field stores none.
bool abut_field_cell_nodes(void* block, const uint32_t cell[3], AbutFieldNode nodes[8]);

/// The value of the node of the coarse level at `position` of the fine grid (multiples of 8), in coarse
/// cells.
float abut_field_coarse_value_at(void* block, const uint32_t position[3]);

/// −1 (inside) or 1 for a brick of the coarse level whose eight nodes agree: the surface does not pass
/// through it. 0 for stored bricks, and where the nodes disagree.
int abut_field_coarse_side(void* block, uint32_t brick);

/// Error of values of this size, in cells: rounding to the format, and the node error of the header on a
/// level with cells of this size.
double abut_field_value_error(const AbutFieldHeader* header, double size, double cell_size);

/// Bounds from the nodes alone: over a cell the distance differs from that at a node by the distance to the
/// node at most, and so does the blend.
AbutFieldBounds abut_field_bound_brick(void* block, uint32_t brick);

/// The same where the sign is uncertain: bounds of the size of the distance hold all the same.
AbutFieldBounds abut_field_uncertain_bounds(AbutFieldBounds bounds);

#endif
