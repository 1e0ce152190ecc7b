/// @file query.h
/// Queries of two trees by a transform; the public ones take poses.
#ifndef ABUT_BVH_QUERY_H
#define ABUT_BVH_QUERY_H

#include "bvh/frame.h"

/// As abut_mesh_tree_collide().
AbutMeshTreeTouch abut_tree_collide(const AbutTreePair* pair);

/// As abut_mesh_tree_distance(). Ends at a pair of triangles no further apart than `stop_at`.
AbutMeshTreeDistance abut_tree_distance(const AbutTreePair* pair, double limit, double stop_at);

#endif
