/// @file surface_octree.h
/// The boxes of a field that its surface may pass through, from coarse to fine.
///
/// They come from the octree of the field (field/bounds/distance_octree.h), or, in fields that do without, from the pyramid and the nodes.
/// Below boxes of two cells all parts count: what is in them is the business of those who ask.
#ifndef ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H
#define ABUT_FIELD_BOUNDS_SURFACE_OCTREE_H

#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"

enum
{
    ABUT_SHELL_FINEST = 1, // boxes of 2¹ cells are the last that are left out when nothing is in them
    ABUT_SHELL_BRICK = 3
};

/// 2^level cells along a side; how many such boxes come before it along each axis.
typedef struct AbutShellBox
{
    uint32_t place[3];
    int32_t level;
} AbutShellBox;

typedef struct AbutShell
{
    void* block;
    const AbutCenters* centers; // NULL: none are kept
    int32_t top;                // level of the box around everything
    const AbutPlates* plates;   // NULL: none are kept
    bool in_doubt;              // signs are in doubt somewhere
    bool inside_counts; // where signs are in doubt, or the grid ends in the solid, it may end anywhere
    float step;         // what a number stands for, in cells
} AbutShell;

/// Of a block with its octree and half spaces, whose leaves are NULL where the block does without.
AbutShell abut_shell_make(void* block, const AbutCenters* centers, const AbutPlates* plates);

/// Cells along the side of a box.
static inline float abut_shell_size(int32_t level)
{
    return level >= 0 ? (float)(1u << level) : 1.0f / (float)(1u << -level);
}

/// Half of the diagonal of a box, in cells, rounded up.
static inline float abut_shell_radius(int32_t level)
{
    return 0.8660255f * abut_shell_size(level);
}

/// In cells.
static inline void abut_shell_middle(const AbutShellBox* box, float middle[3])
{
    float size = abut_shell_size(box->level);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = ((float)box->place[axis] + 0.5f) * size;
    }
}

/// Part `corner` of a box: x, y and z are its bits.
static inline AbutShellBox abut_shell_part(const AbutShellBox* box, uint32_t corner)
{
    return (AbutShellBox){ { 2 * box->place[0] + (corner & 1u), 2 * box->place[1] + (corner >> 1 & 1u),
                             2 * box->place[2] + (corner >> 2) },
                           box->level - 1 };
}

/// The eight parts of a box.
typedef struct AbutShellParts
{
    const int16_t* numbers; // proved distances from their middles to the surface, as centers are kept
    const uint8_t* plates;  // a group of them (field/bounds/half_spaces.h); NULL where none are kept
} AbutShellParts;

/// `made` is room for numbers that are not kept.
AbutShellParts abut_shell_parts(const AbutShell* self, const AbutShellBox* box, int16_t made[8]);

/// The surface may pass through boxes of a level whose number is from limits[0] to limits[1].
void abut_shell_limits(const AbutShell* self, int32_t level, int limits[2]);

/// False where the surface may be where no node tells: in a brick, or beside one, where the sign is in doubt.
bool abut_shell_is_certain(const AbutShell* self, const AbutShellBox* box);

#endif
