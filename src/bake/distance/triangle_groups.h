/// @file triangle_groups.h
/// The triangles of a mesh in an order in which 8, 64, 512, ... neighbours in the list are neighbours in
/// space.
///
/// The tree has no pointers: box i of level l + 1 covers boxes 8i .. 8i + 7 of level l, and level 0 has one
/// box per triangle. Boxes are stored eight at a time, coordinate by coordinate, which is how the kernels
/// read them.
#ifndef ABUT_BAKE_DISTANCE_TRIANGLE_GROUPS_H
#define ABUT_BAKE_DISTANCE_TRIANGLE_GROUPS_H

#include <abut/mesh.h>

#include "bake/distance/kernels.h"

enum
{
    ABUT_GROUP_SIZE = 8,
    ABUT_MAX_GROUP_LEVELS = 12 // 8¹² triangles are more than a mesh can have
};

typedef struct AbutGroupLevel
{
    AbutBoxGroup* groups;
    uint32_t group_count;
} AbutGroupLevel;

typedef struct AbutTriangleGroups
{
    AbutHost host;
    uint32_t triangle_count;   // without degenerate padding
    uint32_t group_count;      // of level 0
    AbutCornerGroup* corners;  // group_count
    AbutTriangleFrame* frames; // 8 · group_count
    AbutGroupLevel levels[ABUT_MAX_GROUP_LEVELS];
    uint32_t level_count; // the last level has one group
} AbutTriangleGroups;

/// The mesh must have triangles. The groups do not refer to it afterwards.
AbutResult abut_triangle_groups_create(const AbutMesh* mesh, const AbutHost* host, AbutTriangleGroups** out);

void abut_triangle_groups_destroy(AbutTriangleGroups* groups);

#endif
