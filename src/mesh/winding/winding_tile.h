/// @file winding_tile.h
/// Winding numbers of points near each other, which share one traversal of the tree.
#ifndef ABUT_MESH_WINDING_WINDING_TILE_H
#define ABUT_MESH_WINDING_WINDING_TILE_H

#include "mesh/winding/winding.h"

enum
{
    ABUT_WINDING_TILE_POINTS = 8,
    ABUT_WINDING_TILE_NODES = 1024, // most nodes of the list
};

/// A ball around the points. About its centre all distant nodes together are one linear function; the other
/// nodes and leaves are in lists.
typedef struct AbutWindingTile
{
    const AbutWinding* winding;
    AbutDVec3 center;
    double radius;
    double tightness; // see abut_winding_at()
    double value;     // of the distant nodes at the centre
    AbutDVec3 slope;  // of the distant nodes, in units of the mesh
    double error;     // at most, for any point of the ball
    uint32_t far_count, near_count;
    uint32_t far_nodes[ABUT_WINDING_TILE_NODES];
    uint32_t near_leaves[ABUT_WINDING_TILE_NODES];
} AbutWindingTile;

/// For numbers to ±`error`. False when a list is full; then every point needs its own traversal.
bool abut_winding_tile_begin(const AbutWinding* winding, AbutDVec3 center, double radius, double error,
                             AbutWindingTile* tile);

/// The winding numbers, to ±tile->error, of eight points of the ball, coordinate by coordinate.
void abut_winding_tile_at(const AbutWindingTile* tile, double points[3][ABUT_WINDING_TILE_POINTS],
                          double numbers[ABUT_WINDING_TILE_POINTS]);

#endif
