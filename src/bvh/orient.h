/// @file orient.h
/// Oriented boxes of a tree, for distances.
#ifndef ABUT_BVH_ORIENT_H
#define ABUT_BVH_ORIENT_H

#include "bvh/tree.h"

/// Fits the oriented boxes of all nodes to the corners, bottom up, on the host's workers; with new axes, or
/// along those that they have.
void abut_tree_orient(AbutMeshTree* tree, bool new_axes);

#endif
