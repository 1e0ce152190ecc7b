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

/// Points near each other, which share the way through the tree. About the centre of the ball that they are
/// in, all that is distant becomes one linear function; the rest is a list of nodes and triangles.
typedef struct AbutWindingTile
{
    const AbutWinding* winding;
    double center[3];
    double radius;
    double tightness;       // see abut_winding_at()
    double value, slope[3]; // of what is distant, in units of the mesh
    double error;           // at most, for any point of the ball
    uint32_t far_count, near_count;
    uint32_t far_nodes[ABUT_WINDING_TILE_NODES];
    uint32_t near_leaves[ABUT_WINDING_TILE_NODES];
} AbutWindingTile;

/// For numbers to ±`error`. False when the lists would be too long; then every point has to go its own way.
bool abut_winding_tile_begin(const AbutWinding* winding, const double center[3], double radius, double error,
                             AbutWindingTile* tile);

/// The winding numbers, to ±tile->error, of eight points of the ball, coordinate by coordinate.
void abut_winding_tile_at(const AbutWindingTile* tile, double points[3][ABUT_WINDING_TILE_POINTS],
                          double numbers[ABUT_WINDING_TILE_POINTS]);

#endif
