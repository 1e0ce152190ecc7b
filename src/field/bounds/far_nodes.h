/// @file far_nodes.h
/// A field as seen from another frame: what kernels read of its nodes, wherever they are.
#ifndef ABUT_FIELD_BOUNDS_FAR_NODES_H
#define ABUT_FIELD_BOUNDS_FAR_NODES_H

#include <stdint.h>

/// A field as seen from another frame.
typedef struct AbutFarNodes
{
    const void* nodes;
    const uint32_t* slots; // of bricks; NULL for a dense field
    uint32_t format;       // AbutFieldFormat
    float cells[3];
    uint32_t bricks[3];
    uint32_t row, slab, fine_start;       // of nodes, as in AbutFieldView
    float value_scale;                    // numbers of nodes to cells
    float relative_error, absolute_error; // of a node's value, in cells
    float to_grid[3][4];                  // a point of the outer frame to cells
    float rotation[3][3];                 // the rotation of it alone
    float unit;                           // length of a cell in the outer frame
    float inverse_slope;                  // of what the field is of
    float rounding;                       // of lengths in the outer frame
} AbutFarNodes;

#endif
