/// @file lower_planes.h
/// For each box of 4 cells a linear function that the field is nowhere under: f(x) ≥ g·(x − m) + c in the
/// box, m being its middle. Along a line it says at once how far the field stays over σ in the box; it is
/// only off by how much the field bends there, where a ball around a middle is off by the way to it.
///
/// Proof: in a cell, f less a linear function is a blend of what it is at the eight nodes, so it is enough
/// that no node of the box is under the function. Order 0 only.
///
/// Eight floors stand side by side per brick that keeps its own nodes (dense: by brick; sparse: by slot), in
/// the order of its boxes of 4 cells (distance_octree.h). A floor has four bytes: x, y and z of g, each (byte
/// − 128)/127, and c, which is (byte − 128)/32 cells. A last byte of 0 says nothing; then the others are 128.
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

/// Fills the section of a block whose nodes are done.
void abut_lower_planes_build(void* block, const AbutHost* host);

#endif
