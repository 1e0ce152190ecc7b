/// @file octree_bounds.h
/// For how long the surface of a moving field in a cube is free of the standing shape.
#ifndef ABUT_TOI_SOLIDS_OCTREE_BOUNDS_H
#define ABUT_TOI_SOLIDS_OCTREE_BOUNDS_H

#include "toi/solids/octree_search.h"

/// Extends the free times of cubes of one size as far as they can be proved.
void abut_toi_octree_bound(AbutToiOctreeSearch* self, AbutToiOctants* octants);

#endif
