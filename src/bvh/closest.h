/// @file closest.h
/// The point of a mesh closest to another point.
#ifndef ABUT_BVH_CLOSEST_H
#define ABUT_BVH_CLOSEST_H

#include "bvh/tree.h"

typedef struct AbutTreePoint
{
    AbutDVec3 at;
    double squared; // distance
    uint32_t triangle;
    uint32_t index; // of that triangle in the order of the tree; of equally close ones the first
} AbutTreePoint;

/// No triangle is known.
#define ABUT_TREE_NO_INDEX UINT32_MAX

/// In double; the point in the frame of the tree, with coordinates up to 1e16. No allocation, under 20 KiB of
/// stack. `index`: of a triangle that may be close, such as that of a point nearby, or ABUT_TREE_NO_INDEX;
/// the answer does not depend on it.
AbutTreePoint abut_tree_closest_point(const AbutMeshTree* tree, AbutDVec3 point, uint32_t index);

#endif
