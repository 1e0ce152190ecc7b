/// @file ray_kernels.h
/// Many segments at once through a field. The kernels prove intervals of a segment free; cells with a
/// possible crossing are tested one by one. Results come from the test of cells alone (cast/field_cast.h), so
/// they do not depend on the progress of a kernel.
///
/// Lengths are in cells, positions are relative to the first node. All is rounded to float: a free interval
/// is free by more than the rounding.
#ifndef ABUT_CAST_RAY_KERNELS_H
#define ABUT_CAST_RAY_KERNELS_H

#include "field/kernels.h"

enum
{
    ABUT_RAYS = 256,        // in progress
    ABUT_RAYS_PADDED = 264, // with padding for the lanes of a kernel
};

typedef struct AbutRayField
{
    AbutFieldView view;
    int format;            // of nodes
    const int16_t* leaves; // of the distance octree (field/bounds/distance_octree.h)
    const int16_t* bricks; // its level 0
    // Four bytes each (field/bounds/lower_planes.h); NULL: free intervals in a brick come from leaves.
    const uint32_t* lower_planes;
    float step; // distance per number of the octree
    uint32_t group_row, group_slab;
    float cells[3];
    float pad;           // rounding of positions
    float deduction;     // from a distance of the octree: center_iso and slack
    float iso, margin;   // of values in cells: over iso + margin is free
    float jump;          // bound of a jump of the field beyond a cell, per cell of its side; 0 without jumps
    float inverse_slope; // free displacement beyond a cell per value left
    bool empty_outside;  // no crossing is possible outside of the grid
} AbutRayField;

/// Segments in progress, in no order.
typedef struct AbutRays
{
    float from[3][ABUT_RAYS_PADDED], displacement[3][ABUT_RAYS_PADDED];
    float time[ABUT_RAYS_PADDED]; // free until this time
    float end[ABUT_RAYS_PADDED];  // and from this time on
    float per_length[ABUT_RAYS_PADDED];
    uint32_t id[ABUT_RAYS_PADDED];
    size_t count;
} AbutRays;

/// Verdicts of a kernel on a ray; none: it goes on.
enum
{
    ABUT_RAY_FREE = 1,  // to its end
    ABUT_RAY_STUCK = 2, // no further progress by this kernel
};

typedef uint8_t AbutRayStates[ABUT_RAYS_PADDED];

#endif
