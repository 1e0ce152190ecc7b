/// @file octree_search.h
/// The first touch of a field that moves and turns with any other shape, from the octree of the field.
///
/// Time goes on in strides. At the beginning of one the boxes that the field's surface may pass through are divided from coarse to fine, and each is
/// free for a time of its own: what is known of how far the standing shape is from it, against how fast it comes nearer (octree_bounds.c). A box that
/// is free for as long as others have been found to be is done with. The stride is as long as all are free; and when small boxes gain nothing any
/// more, that is where the two meet. Faces that meet as a whole are not divided to the end: what is gained by that is less than fields
/// are off by.
///
/// Surfaces that do not touch leave the case that a part of one solid is within the other from the start: containment.h.
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
    double free;         // for so long
    double separation;   // what tells so says that it is so far from the standing shape now
} AbutToiOctant;

/// The eight parts of a cube, or fewer.
typedef struct AbutToiOctants
{
    AbutToiOctant octant[8];
    AbutPairBatch in_standing; // middles in the frame of the standing shape
    bool good[8];              // to divide it would gain little
} AbutToiOctants;

/// Times are those of the step, lengths those of the standing shape.
typedef struct AbutToiOctreeSearch
{
    AbutToiSearch* toi;
    AbutOctreeSide side;   // the moving field; its unit is a cell
    double cell;           // of it
    float solid[2][3];     // low and high corner of the box of the field's solid, in cells
    AbutFarNodes standing; // nodes of the standing shape, where it is a field
    double far_solid[6];   // of the standing solid: its box
    AbutMotionSample moment;
    AbutMotionBounds bounds; // from then on
    double limit;            // cubes that are free for so long are done with
    double least;            // of those
    double left;             // and how far they are apart after a stride of `limit`
    double slack;            // times need not be told apart by more than this
    double
        fine_stride; // length of the next one with cubes that are smaller than a cell; 0: these are not needed yet
    uint64_t fine;      // evaluations of those
    AbutToiOctant last; // the one that has set the limit
    AbutToiOctant stack[ABUT_TOI_STACK];
    uint32_t count;
} AbutToiOctreeSearch;

/// True when the moving shape is a field, and something is proved of both.
bool abut_toi_octree_applies(const AbutToiSearch* toi);

/// As abut_toi_search().
bool abut_toi_octree_search(AbutToiSearch* toi, double* until);

/// Lets cubes of one size be free for as long as can be told.
void abut_toi_octree_bound(AbutToiOctreeSearch* self, AbutToiOctants* octants);

#endif
