/// @file octree_search.h
/// The first contact of a field that moves and rotates with any other shape, from the octree of the field.
///
/// Time advances in strides. At the beginning of a stride the boxes with a part of the field's surface are
/// divided from coarse to fine, and each is free for a time of its own: the distance of the standing shape
/// against the approach speed (octree_bounds.c). A box that is free for as long as the present limit of the
/// stride is dropped. The stride is as long as all boxes are free; small boxes without progress are the
/// contact. Faces in contact as a whole are not divided to the end: the gain would be less than the errors of
/// fields.
///
/// Surfaces without contact leave the case of a part of one solid within the other from the start:
/// containment.h.
#ifndef ABUT_TOI_SOLIDS_OCTREE_SEARCH_H
#define ABUT_TOI_SOLIDS_OCTREE_SEARCH_H

#include "search/octree_side.h"
#include "toi/solids/solids.h"

enum
{
    ABUT_TOI_STACK = 8 * ABUT_OCTREE_SIDE_LEVELS
};

typedef struct AbutToiOctant
{
    AbutOctreeBox box;
    float half_space[4]; // in cells of the field
    double free;         // time
    double separation;   // lower bound now, from the bound behind `free`
} AbutToiOctant;

/// The children of a cube, eight or fewer.
typedef struct AbutToiOctants
{
    AbutToiOctant octant[8];
    AbutPairBatch in_standing; // middles in the frame of the standing shape
    bool good[8];              // division would gain little
} AbutToiOctants;

/// Times are those of the step, lengths those of the standing shape.
typedef struct AbutToiOctreeSearch
{
    AbutToiSearch* toi;
    AbutOctreeSide side;     // the moving field; its unit is a cell
    double cell;             // its size
    float solid[2][3];       // low and high corner of the box of the field's solid, in cells
    AbutFarNodes standing;   // nodes of the standing shape, where it is a field
    double far_solid[6];     // box of the standing solid
    AbutMotionSample sample; // at the beginning of the stride
    AbutMotionBounds bounds; // from then on
    double limit;            // cubes that are free for this time are dropped
    double least;            // free time of dropped cubes
    double left;             // and lower bound of their separation after a stride of `limit`
    double slack;            // resolution of times
    // Length of the next stride with cubes smaller than a cell; 0 while these are not needed.
    double fine_stride;
    uint64_t fine;      // evaluations of such cubes
    AbutToiOctant last; // the cube that determines the limit
    AbutToiOctant stack[ABUT_TOI_STACK];
    uint32_t count;
} AbutToiOctreeSearch;

/// True for a moving shape that is a field, and proved bounds of both shapes.
bool abut_toi_octree_applies(const AbutToiSearch* toi);

/// As abut_toi_search().
bool abut_toi_octree_search(AbutToiSearch* toi, double* until);

#endif
