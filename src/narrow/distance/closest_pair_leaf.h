/// @file closest_pair_leaf.h
/// Leaves of a closest pair search: pairs of boxes that octrees do not divide further.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_LEAF_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_LEAF_H

#include "narrow/distance/closest_pair_search.h"

/// A lower bound of how far what is in two boxes is apart, from plates and nodes; infinite when one of them
/// is empty.
float abut_closest_pair_leaf_bound(const AbutClosestPairSearch* self, const AbutBoxPair* boxes);

/// Looks for points of the surfaces that are nearer than those that are known, from where two boxes are; only
/// where none was looked for from nearby unless told to.
void abut_closest_pair_find_witness(AbutClosestPairSearch* self, const AbutBoxPair* boxes, bool again);

#endif
