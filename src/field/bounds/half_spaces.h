/// @file half_spaces.h
/// Half spaces: for each box of the octree a half space that holds all of the surface in the box. A bound of
/// the distance of two surfaces from boxes alone is too small by the size of the boxes; from half spaces, by
/// the curvature of the surfaces over the boxes.
///
/// Eight half spaces are adjacent, as the numbers of the same boxes are (distance_octree.h; boxes of 2 cells
/// have none): first 8 per brick with nodes of its own, then those of the levels above. A group of eight has
/// 32 bytes: x, y and z of the normals, each (byte − 128)/127, and eight offsets. All d from the middle of
/// the box to the surface in it have normal · d ≤ (byte − 128)/127 · r with the half-diagonal r of the box. A
/// normal of 0 means no half space.
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

/// Fills the section of a block with nodes, pyramid and distance octree.
void abut_half_spaces_build(void* block, const AbutHost* host);

/// True where a solid may end without a surface in the nodes: signs are uncertain, or the grid ends in the
/// solid. Then all boxes with a part of the inside count as boxes of the surface.
bool abut_field_inside_counts(void* block);

#endif
