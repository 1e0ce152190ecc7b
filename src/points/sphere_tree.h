/// @file sphere_tree.h
/// The sphere tree over the points of a set.
#ifndef ABUT_POINTS_SPHERE_TREE_H
#define ABUT_POINTS_SPHERE_TREE_H

#include "points/points.h"

/// Fills order (count) and nodes (abut_point_tree_capacity()). `keys` and `scratch` have a capacity of
/// `count` each.
void abut_point_tree_build(const float* positions, uint32_t count, uint64_t* keys, uint64_t* scratch,
                           AbutPointTree* tree);

#endif
