/// @file prove.h
/// Proof whether two solids touch: the first half of a collision query.
#ifndef ABUT_NARROW_PROVE_PROVE_H
#define ABUT_NARROW_PROVE_PROVE_H

#include <abut/narrow.h>

#include "search/box_search.h"
#include "search/dual_octree.h"

/// The traversal of two fields that the proof begins with; false where it begins with samples.
bool abut_prove_octree(const AbutPair* pair, AbutDualOctree* out);

/// The state of a pair; *gap is a lower bound of the distance of separated solids. `search` is scratch.
AbutCollideState abut_prove_state(AbutPair* pair, AbutBoxSearch* search, float tolerance, uint32_t budget,
                                  float* gap);

#endif
