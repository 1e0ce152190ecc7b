/// @file boundary_loops.h
/// The edges with a single triangle, joined to loops: the rims of holes.
///
/// At a vertex of several holes a rim follows the fan of triangles, and a rim that passes through a vertex
/// twice is cut there into two; so loops pass through a vertex once. The loops and their order depend on the
/// positions alone, not on the numbers of vertices and triangles.
#ifndef ABUT_MESH_REPAIR_BOUNDARY_LOOPS_H
#define ABUT_MESH_REPAIR_BOUNDARY_LOOPS_H

#include "mesh/half_edges.h"
#include "mesh/vertex_keys.h"

typedef enum AbutBoundaryLoopKind
{
    ABUT_BOUNDARY_LOOP_CLOSED,
    ABUT_BOUNDARY_LOOP_TANGLED,      // a chain that ends where an edge has three or more triangles
    ABUT_BOUNDARY_LOOP_INCONSISTENT, // a chain that ends where neighbours have opposite orientations
} AbutBoundaryLoopKind;

/// A range of indices in AbutBoundaryLoops.
typedef struct AbutBoundaryLoop
{
    uint32_t first, count;
    AbutBoundaryLoopKind kind;
} AbutBoundaryLoop;

typedef struct AbutBoundaryLoops
{
    /// By index. Closed loops have the direction of a cap, against the triangles: from vertices[i] to the
    /// next of the loop. The triangle at that edge is triangles[i].
    uint32_t* vertices;
    uint32_t* triangles;
    uint32_t edge_count; // indices
    AbutBoundaryLoop* loops;
    size_t loop_count, loop_capacity;
} AbutBoundaryLoops;

/// `edges` are the edges of the half edges' mesh, by abut_file_edges().
AbutResult abut_boundary_loops_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      const AbutVertexKeys* edges, AbutBoundaryLoops* out);

/// Gives the memory back to the host it came from. Zeroed loops are ignored.
void abut_boundary_loops_destroy(const AbutHost* host, AbutBoundaryLoops* loops);

#endif
