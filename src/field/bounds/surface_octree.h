/// @file surface_octree.h
/// Surface octree: the boxes of a field that its surface may pass through, from coarse to fine.
///
/// Boxes come from the distance octree of the field (field/bounds/distance_octree.h) or, in fields without
/// one, from the pyramid and the nodes. Below boxes of two cells all children count: callers bound these by
/// nodes.
#ifndef ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H
#define ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H

#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"

enum
{
    ABUT_SURFACE_OCTREE_FINEST = 1, // level of boxes of 2¹ cells, the last ones that are left out when empty
    ABUT_SURFACE_OCTREE_BRICK = 3
};

/// A cube of 2^level cells along a side, and its position in units of its own size. Shared by all searches
/// over octrees.
typedef struct AbutOctreeBox
{
    uint32_t index[3];
    int32_t level;
} AbutOctreeBox;

typedef struct AbutSurfaceOctree
{
    void* block;
    const AbutDistanceOctree* octree;  // NULL: the field has none
    int32_t top;                       // level of the root
    const AbutHalfSpaces* half_spaces; // NULL: the field has none
    bool uncertain;                    // signs are uncertain somewhere
    bool inside_counts; // boxes inside of the solid count as surface (abut_field_inside_counts)
    float step;         // unit of the numbers, in cells
} AbutSurfaceOctree;

/// Of a block with its octree and half spaces, whose leaves are NULL where the block has none.
AbutSurfaceOctree abut_surface_octree_make(void* block, const AbutDistanceOctree* octree,
                                           const AbutHalfSpaces* half_spaces);

/// Cells along the side of a box.
static inline float abut_surface_octree_size(int32_t level)
{
    return level >= 0 ? (float)(1u << level) : 1.0f / (float)(1u << -level);
}

/// Half-diagonal of a box, in cells, rounded up.
static inline float abut_surface_octree_radius(int32_t level)
{
    return 0.8660255f * abut_surface_octree_size(level);
}

/// Middle of a box, in cells.
static inline void abut_surface_octree_middle(const AbutOctreeBox* box, float middle[3])
{
    float size = abut_surface_octree_size(box->level);
    middle[0] = ((float)box->index[0] + 0.5f) * size;
    middle[1] = ((float)box->index[1] + 0.5f) * size;
    middle[2] = ((float)box->index[2] + 0.5f) * size;
}

/// Child `corner` of a box, whose bits are x, y and z.
static inline AbutOctreeBox abut_surface_octree_child(const AbutOctreeBox* box, uint32_t corner)
{
    return (AbutOctreeBox){ { 2 * box->index[0] + (corner & 1u), 2 * box->index[1] + (corner >> 1 & 1u),
                              2 * box->index[2] + (corner >> 2) },
                            box->level - 1 };
}

/// The eight children of a box.
typedef struct AbutSurfaceOctreeChildren
{
    // proved distances from their middles to the surface, as in the distance octree
    const int16_t* numbers;
    const uint8_t* half_spaces; // a group of field/bounds/half_spaces.h; NULL: none are stored
} AbutSurfaceOctreeChildren;

/// `made` is storage for numbers that the field does not store.
AbutSurfaceOctreeChildren abut_surface_octree_children(const AbutSurfaceOctree* self,
                                                       const AbutOctreeBox* box, int16_t made[8]);

/// The surface may pass through boxes of a level with numbers from limits[0] to limits[1].
void abut_surface_octree_limits(const AbutSurfaceOctree* self, int32_t level, int limits[2]);

/// False where the nodes do not tell where the surface is: the sign is uncertain in the brick or in a
/// neighbour.
bool abut_surface_octree_is_certain(const AbutSurfaceOctree* self, const AbutOctreeBox* box);

#endif
