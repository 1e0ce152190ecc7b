/// @file closest_pair_shape.h
/// Closest pair of a field and a shape without an octree.
#ifndef ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SHAPE_H
#define ABUT_NARROW_DISTANCE_CLOSEST_PAIR_SHAPE_H

#include "narrow/distance/closest_pair.h"

/// abut_closest_pair_search() for a field and a shape without an octree, which is sampled instead.
float abut_closest_pair_search_shape(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness);

#endif
