/// @file lower_planes.h
/// Lower planes: for each box of 4 cells a linear function under the field, f(x) ≥ g·(x − m) + c in the box
/// with its middle m. Along a line it gives at once how far the field stays over σ in the box; its error is
/// the curvature of the field, where that of a ball around the middle is the distance to the middle.
///
/// Proof: in a cell, f less a linear function is a blend of its values at the eight nodes, so it suffices
/// that no node of the box is under the function. Order 0 only.
///
/// Eight planes are adjacent per brick with nodes of its own (dense: by brick; sparse: by slot), in the order
/// of its boxes of 4 cells (distance_octree.h). A plane has four bytes: x, y and z of g, each (byte −
/// 128)/127, and c, (byte − 128)/32 cells. A last byte of 0 means no plane; then the others are 128.
#ifndef ABUT_FIELD_BOUNDS_LOWER_PLANES_H
#define ABUT_FIELD_BOUNDS_LOWER_PLANES_H

#include "field/nodes/format.h"

enum
{
    ABUT_LOWER_PLANE_BYTES = 4,
    ABUT_LOWER_PLANE_GROUP = 8 * ABUT_LOWER_PLANE_BYTES, // per brick
    ABUT_LOWER_PLANE_ZERO = 128,
    ABUT_LOWER_PLANE_SLOPE = 127, // steps of a slope of 1
    ABUT_LOWER_PLANE_UNIT = 32,   // steps of a cell
    ABUT_LOWER_PLANE_CELLS = 4    // along the side of a box
};

/// Bytes of the section; 0 for fields without.
uint64_t abut_lower_planes_bytes(const AbutFieldHeader* header);

/// NULL: the field has none.
const uint8_t* abut_lower_planes_data(void* block);

/// Fills the section of a block with nodes.
void abut_lower_planes_build(void* block, const AbutHost* host);

#endif
