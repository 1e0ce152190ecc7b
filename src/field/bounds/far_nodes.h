/// @file far_nodes.h
/// The nodes of a field for bounds by the triangle inequality, from any frame.
#ifndef ABUT_FIELD_BOUNDS_FAR_NODES_H
#define ABUT_FIELD_BOUNDS_FAR_NODES_H

#include <stdint.h>

typedef struct AbutFarNodes
{
    const void* nodes;
    const uint32_t* slots; // by brick; NULL for a dense field
    uint32_t format;       // AbutFieldFormat
    float cells[3];
    uint32_t bricks[3];
    uint32_t row, slab, fine_start;       // of nodes, as in AbutFieldView
    float value_scale;                    // numbers of nodes to cells
    float relative_error, absolute_error; // of a node's value, in cells
    float to_grid[3][4];                  // a point of the outer frame to cells
    float rotation[3][3];                 // of to_grid alone
    float unit;                           // length of a cell in the outer frame
    float inverse_slope;                  // 1 / slope of the distance that was baked
    float rounding;                       // of lengths in the outer frame
} AbutFarNodes;

/// The nodes of a block as kernels read them, without the members of a frame (from to_grid on, but for
/// inverse_slope).
AbutFarNodes abut_far_nodes_make(void* block);

#endif
