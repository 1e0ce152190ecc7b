/// @file ray_kernels.h
/// Many segments at once through a field. The kernels find out where a segment is free, and where its cells
/// must be looked at one by one; answers come from the test of cells alone (cast/field_cast.h), so that it
/// does not matter how far a kernel gets.
///
/// Lengths are in cells, places are counted from the first node. Everything here rounds: what is called free
/// is free by more than that.
#ifndef ABUT_CAST_RAY_KERNELS_H
#define ABUT_CAST_RAY_KERNELS_H

#include "field/kernels.h"

enum
{
    ABUT_RAYS = 256,        // on their way at once
    ABUT_RAYS_PADDED = 264, // room for the lanes of a kernel behind the last
};

/// What kernels read of a field.
typedef struct AbutRayField
{
    AbutFieldView view;
    int format;            // of nodes
    const int16_t* leaves; // of centers (field/bounds/distance_octree.h)
    const int16_t* bricks; // level 0
    const uint32_t*
        lower_planes; // four bytes each (field/bounds/lower_planes.h); NULL: leaves say how far is free in a brick
    float step;       // what a center's number stands for
    uint32_t group_row, group_slab;
    float cells[3];
    float pad;         // rounding of places
    float deduction;   // from a center's distance: what it must be over σ, and slack
    float iso, margin; // of values in cells: over iso + margin is free
    float
        jump; // what the field may fall beyond a cell at once, per cell of its side; 0 where it has no jumps
    float inverse_slope; // how far is free beyond a cell for what is left
    bool empty_outside;  // nothing is met outside of the grid
} AbutRayField;

/// Segments on their way, in the order of nothing.
typedef struct AbutRays
{
    float from[3][ABUT_RAYS_PADDED], displacement[3][ABUT_RAYS_PADDED];
    float time[ABUT_RAYS_PADDED]; // free until here
    float end[ABUT_RAYS_PADDED];  // and from here on
    float per_length[ABUT_RAYS_PADDED];
    uint32_t id[ABUT_RAYS_PADDED];
    size_t count;
} AbutRays;

/// What a kernel says of a ray; none of these: it goes on.
enum
{
    ABUT_RAY_FREE = 1,  // to its end
    ABUT_RAY_STUCK = 2, // this kernel gets no further
};

typedef uint8_t AbutRayStates[ABUT_RAYS_PADDED];

#endif
