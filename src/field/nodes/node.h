/// @file node.h
/// One node of a field, in any format, for code that reads nodes one by one. Kernels read nodes by the lane
/// (field/cell_lanes.inl).
#ifndef ABUT_FIELD_NODES_NODE_H
#define ABUT_FIELD_NODES_NODE_H

#include "field/nodes/format.h"

typedef struct AbutFieldNode
{
    float value;       // in cells of the node's level
    float gradient[3]; // order 1; zero for order 0
    bool thin;         // order 1: corner of a cell with a feature thinner than the cell
} AbutFieldNode;

/// Bytes of a node in a format.
size_t abut_field_node_bytes(AbutFieldFormat format);

/// Node number `node` of a NODES section, on a level with cells of the given size.
AbutFieldNode abut_field_node(const void* nodes, AbutFieldFormat format, double cell_size, size_t node);

/// Values alone of adjacent nodes, in cells; those of ABUT_FIELD_F32 to the last bit but one.
void abut_field_node_values(const void* nodes, AbutFieldFormat format, double cell_size, size_t first,
                            size_t count, float* out);

/// Gradients and thin bits alone of adjacent nodes of order 1.
void abut_field_node_gradients(const void* nodes, size_t first, size_t count, float* x, float* y, float* z,
                               bool* thin);

/// The two words of a node of order 1, not thin; docs/field_format.md has them bit by bit. `value` is in
/// cells. Components of the gradient are clamped to [−1, 1].
void abut_field_encode_first_order(float value, const float gradient[3], uint32_t words[2]);

/// Index of the first of `count` nodes whose value is NaN, infinite or over ABUT_FIELD_MAX_CELLS cells;
/// `count` when there is none. Any bits are a gradient within 1.0003 of 0.
size_t abut_field_find_invalid_node(const void* nodes, AbutFieldFormat format, double cell_size,
                                    size_t count);

/// Bit of the first word of a node of order 1.
#define ABUT_FIELD_NODE_THIN 1u

#endif
