/// @file closest_pair_leaf.h
/// Leaves of a closest pair search: pairs of boxes that octrees do not divide further.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_LEAF_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_LEAF_H

#include "narrow/distance/closest_pair_search.h"

/// Lower bound of the distance of the surfaces in two boxes, from half spaces and nodes; infinite when one of
/// them is empty.
float abut_closest_pair_leaf_bound(const AbutClosestPairSearch* self, const AbutBoxPair* boxes);

/// Searches a closer witness from the middles of two boxes; not where one was started from nearby, unless
/// `again`.
void abut_closest_pair_find_witness(AbutClosestPairSearch* self, const AbutBoxPair* boxes, bool again);

#endif
