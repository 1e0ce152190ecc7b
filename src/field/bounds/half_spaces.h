/// @file half_spaces.h
/// For each box of the octree a half space that holds all of the surface in the box: what boxes alone say of
/// how near two surfaces may be to each other is too little by the size of the boxes, and half spaces are
/// only off by how much a surface bends over a box.
///
/// Eight plates stand side by side, as the centers of the same boxes do (distance_octree.h; boxes of 2 cells
/// have none): first 8 per brick that keeps its own nodes, then those of the levels above. A group of eight
/// has 32 bytes: x, y and z of the normals, each (byte − 128)/127, and eight offsets. All d from the middle
/// of the box to the surface in it have normal · d ≤ (byte − 128)/127 · r, r being half of the diagonal of
/// the box. A normal of 0 says nothing.
#ifndef ABUT_FIELD_BOUNDS_HALF_SPACES_H
#define ABUT_FIELD_BOUNDS_HALF_SPACES_H

#include "field/bounds/distance_octree.h"

enum
{
    ABUT_HALF_SPACE_GROUP = 32, // bytes
    ABUT_HALF_SPACE_ZERO = 128
};

typedef struct AbutHalfSpaces
{
    const uint8_t* leaves; // NULL: the field has none
    const uint8_t* levels[ABUT_DISTANCE_OCTREE_LEVELS];
} AbutHalfSpaces;

/// Bytes of the section; 0 for fields without.
uint64_t abut_half_spaces_bytes(const AbutFieldHeader* header);

AbutHalfSpaces abut_half_spaces_make(void* block);

/// Fills the section of a block whose nodes, pyramid and centers are done.
void abut_half_spaces_build(void* block, const AbutHost* host);

/// True where a solid may end without a surface that nodes tell of: signs are in doubt, or the grid ends in
/// it. Then all boxes with something of the inside count as boxes with something of the surface.
bool abut_field_inside_counts(void* block);

#endif
