/// @file surface_octree.h
/// The boxes of a field that its surface may pass through, from coarse to fine.
///
/// They come from the octree of the field (field/bounds/distance_octree.h), or, in fields that do without,
/// from the pyramid and the nodes. Below boxes of two cells all parts count: what is in them is the business
/// of those who ask.
#ifndef ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H
#define ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H

#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"

enum
{
    ABUT_SURFACE_OCTREE_FINEST =
        1, // boxes of 2¹ cells are the last that are left out when nothing is in them
    ABUT_SURFACE_OCTREE_BRICK = 3
};

/// 2^level cells along a side; how many such boxes come before it along each axis.
typedef struct AbutOctreeBox
{
    uint32_t index[3];
    int32_t level;
} AbutOctreeBox;

typedef struct AbutSurfaceOctree
{
    void* block;
    const AbutDistanceOctree* octree;  // NULL: none are kept
    int32_t top;                       // level of the box around everything
    const AbutHalfSpaces* half_spaces; // NULL: none are kept
    bool uncertain;                    // signs are in doubt somewhere
    bool inside_counts; // where signs are in doubt, or the grid ends in the solid, it may end anywhere
    float step;         // what a number stands for, in cells
} AbutSurfaceOctree;

/// Of a block with its octree and half spaces, whose leaves are NULL where the block does without.
AbutSurfaceOctree abut_surface_octree_make(void* block, const AbutDistanceOctree* octree,
                                           const AbutHalfSpaces* half_spaces);

/// Cells along the side of a box.
static inline float abut_surface_octree_size(int32_t level)
{
    return level >= 0 ? (float)(1u << level) : 1.0f / (float)(1u << -level);
}

/// Half of the diagonal of a box, in cells, rounded up.
static inline float abut_surface_octree_radius(int32_t level)
{
    return 0.8660255f * abut_surface_octree_size(level);
}

/// In cells.
static inline void abut_surface_octree_middle(const AbutOctreeBox* box, float middle[3])
{
    float size = abut_surface_octree_size(box->level);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = ((float)box->index[axis] + 0.5f) * size;
    }
}

/// Part `corner` of a box: x, y and z are its bits.
static inline AbutOctreeBox abut_surface_octree_child(const AbutOctreeBox* box, uint32_t corner)
{
    return (AbutOctreeBox){ { 2 * box->index[0] + (corner & 1u), 2 * box->index[1] + (corner >> 1 & 1u),
                              2 * box->index[2] + (corner >> 2) },
                            box->level - 1 };
}

/// The eight parts of a box.
typedef struct AbutSurfaceOctreeChildren
{
    const int16_t* numbers;     // proved distances from their middles to the surface, as centers are kept
    const uint8_t* half_spaces; // a group of them (field/bounds/half_spaces.h); NULL where none are kept
} AbutSurfaceOctreeChildren;

/// `made` is room for numbers that are not kept.
AbutSurfaceOctreeChildren abut_surface_octree_children(const AbutSurfaceOctree* self,
                                                       const AbutOctreeBox* box, int16_t made[8]);

/// The surface may pass through boxes of a level whose number is from limits[0] to limits[1].
void abut_surface_octree_limits(const AbutSurfaceOctree* self, int32_t level, int limits[2]);

/// False where the surface may be where no node tells: in a brick, or beside one, where the sign is in doubt.
bool abut_surface_octree_is_certain(const AbutSurfaceOctree* self, const AbutOctreeBox* box);

#endif
