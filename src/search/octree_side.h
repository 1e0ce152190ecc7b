/// @file octree_side.h
/// One field of a branch and bound over octrees: its surface octree, its far nodes, and the surface in a box.
///
/// The closest pair searches (narrow/distance) and the time of impact of fields (toi/solids) share the boxes,
/// their half spaces and their supports. Their loops stay apart: each is ten lines around a state, a bound
/// and an order of its own, and a shared loop would put an indirect call into steps of tens of nanoseconds.
#ifndef ABUT_SEARCH_OCTREE_SIDE_H
#define ABUT_SEARCH_OCTREE_SIDE_H

#include "field/bounds/far_nodes.h"
#include "field/bounds/surface_octree.h"
#include "search/pair.h"

enum
{
    ABUT_OCTREE_SIDE_FINEST = -2, // level of quarters of cells, the last one
    ABUT_OCTREE_SIDE_LEVELS =
        ABUT_DISTANCE_OCTREE_LEVELS + ABUT_SURFACE_OCTREE_BRICK - ABUT_OCTREE_SIDE_FINEST + 1
};

typedef struct AbutOctreeSide
{
    AbutSurfaceOctree surface_octree;
    AbutFarNodes nodes;
    float unit; // length of a cell, in the unit of the search
    // Range of the numbers of boxes that the surface may pass through, by level from the finest on.
    int limits[ABUT_OCTREE_SIDE_LEVELS][2];
} AbutOctreeSide;

/// A box, and the half space that holds the surface in it: normal, and offset from the middle of the box.
typedef struct AbutSurfaceBox
{
    AbutOctreeBox box;
    float half_space[4];
} AbutSurfaceBox;

/// All members but `unit`.
void abut_octree_side_init(AbutOctreeSide* self, const AbutPairSide* side);

/// The children of a box that the surface may pass through, in the order of corners; half spaces in cells.
/// Returns their count.
uint32_t abut_octree_side_children(const AbutOctreeSide* side, const AbutSurfaceBox* box,
                                   AbutSurfaceBox children[8]);

/// Support of the surface in a box: the largest offset of its points from the middle along a direction of
/// unit length, from the half space and, for small boxes, from far nodes. −INFINITY for an empty box.
float abut_octree_side_support(const AbutOctreeSide* side, const AbutOctreeBox* box,
                               const float half_space[4], const float direction[3]);

/// Half spaces of the children of a box, as stored.
typedef struct AbutChildHalfSpaces
{
    const uint8_t* group; // a group of field/bounds/half_spaces.h; NULL: the half space of the box holds
    float offset_unit;    // of stored offsets
    float step;           // from the middle of the box to those of its children along each axis
} AbutChildHalfSpaces;

/// Replaces the half space of a box by that of its child `corner`.
static inline void abut_octree_side_half_space(const AbutChildHalfSpaces* children, uint32_t corner,
                                               float half_space[4])
{
    if (children->group != NULL)
    {
        const uint8_t* at = children->group + corner;
        half_space[0] = (float)(at[0] - ABUT_HALF_SPACE_ZERO) * (1.0f / 127.0f);
        half_space[1] = (float)(at[8] - ABUT_HALF_SPACE_ZERO) * (1.0f / 127.0f);
        half_space[2] = (float)(at[16] - ABUT_HALF_SPACE_ZERO) * (1.0f / 127.0f);
        half_space[3] = (float)(at[24] - ABUT_HALF_SPACE_ZERO) * children->offset_unit;
        return;
    }
    float step = children->step;
    half_space[3] -= ((corner & 1u) != 0 ? step : -step) * half_space[0] +
                     ((corner & 2u) != 0 ? step : -step) * half_space[1] +
                     ((corner & 4u) != 0 ? step : -step) * half_space[2];
}

/// Numbers of the bits of `open` (eight at most) by falling lower bound, equal ones by rising number: pushed
/// in this order, the nearest box comes to the top of a stack. Returns their count.
static inline uint32_t abut_octree_side_order(unsigned open, const float low[8], uint32_t order[8])
{
    uint32_t count = 0;
    for (; open != 0; open &= open - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(open), to = count++;
        for (; to > 0 && low[order[to - 1]] < low[i]; --to)
        {
            order[to] = order[to - 1];
        }
        order[to] = i;
    }
    return count;
}

#endif
