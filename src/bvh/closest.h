/// @file closest.h
/// The point of a mesh closest to another point.
#ifndef ABUT_BVH_CLOSEST_H
#define ABUT_BVH_CLOSEST_H

#include "bvh/tree.h"

typedef struct AbutTreePoint
{
    AbutDVec3 at;
    double squared;    // distance
    uint32_t triangle; // of equally close ones the first in the order of the tree
} AbutTreePoint;

/// In double; the point in the frame of the tree, with coordinates up to 1e16. No allocation, under 20 KiB of
/// stack.
AbutTreePoint abut_tree_closest_point(const AbutMeshTree* tree, AbutDVec3 point);

#endif
