/// @file distance.h
/// The exact distance from every node of a grid to a mesh, without sign.
///
/// Nodes are handled in tiles of 16³, 8³, 4³ and 2³. Each tile keeps the list of triangles that can be nearest to one of
/// its nodes, filtered from the list of the tile around it by what lies beyond the bisector of a known point of the
/// surface; a tile of 2³ nodes then meets the few that are left, eight nodes at once.
#ifndef ABUT_BAKE_DISTANCE_H
#define ABUT_BAKE_DISTANCE_H

#include "bake/triangle_groups.h"

/// Nodes of a parallel block along one side.
#define ABUT_DISTANCE_BLOCK 16

typedef struct AbutNodeGrid
{
    double origin[3]; // of node 0
    double cell_size;
    uint32_t node_count[3]; // x runs fastest in arrays over the nodes
} AbutNodeGrid;

/// Fills `squared` with squared distances and, unless it is NULL, `nearest` with the number of a nearest triangle in the
/// mesh. Same bytes for any worker count. `progress` may be NULL.
AbutResult abut_bake_distances(const AbutTriangleGroups* groups, const AbutNodeGrid* grid,
                               const AbutHost* host, float* squared, uint32_t* nearest);

#endif
