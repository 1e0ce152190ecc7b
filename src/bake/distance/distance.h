/// @file distance.h
/// The exact distance from every node of a grid to a mesh, without sign.
///
/// Nodes are handled in tiles of 16³, 8³, 4³ and 2³. Each tile keeps the list of triangles that can be
/// nearest to one of its nodes, filtered from the list of the tile around it by the bisector with a known
/// point of the surface; a tile of 2³ nodes then tests the few triangles that are left, eight nodes at once.
#ifndef ABUT_BAKE_DISTANCE_DISTANCE_H
#define ABUT_BAKE_DISTANCE_DISTANCE_H

#include "bake/distance/node_grid.h"
#include "bake/distance/triangle_groups.h"

typedef struct AbutDistanceScratch AbutDistanceScratch;

/// Scratch of one worker, used again for block after block; NULL with a message when memory is out.
AbutDistanceScratch* abut_distance_scratch_create(const AbutHost* host);

/// NULL is ignored.
void abut_distance_scratch_destroy(AbutDistanceScratch* scratch);

/// Results per node.
typedef struct AbutNodeDistances
{
    float* squared;
    uint32_t* nearest; // a triangle's number in the mesh; may be NULL
    /// Unit vectors from the nearest point to the node, to about 1e-4; zero where that would take more than
    /// floats. May be NULL, all or none.
    float* direction[3];
} AbutNodeDistances;

/// For a grid of at most ABUT_NODE_BLOCK nodes along a side. On the calling thread. The only failure is
/// ABUT_OUT_OF_MEMORY.
AbutResult abut_distance_block(const AbutTriangleGroups* groups, const AbutNodeGrid* block,
                               AbutDistanceScratch* scratch, const AbutNodeDistances* out);

#endif
