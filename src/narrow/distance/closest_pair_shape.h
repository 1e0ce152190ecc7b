/// @file closest_pair_shape.h
/// Closest pair of a field and a shape without an octree.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SHAPE_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SHAPE_H

#include "narrow/distance/closest_pair.h"

/// The same for a field and a shape that is none. Its samples take the place of the second octree.
float abut_closest_pair_search_shape(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness);

#endif
