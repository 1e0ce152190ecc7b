/// @file boundary_loops.h
/// The edges with a single triangle, put together to loops: the rims of holes.
///
/// At a vertex where several holes meet, a rim goes on along the triangles that it came along, and a rim that
/// passes through a vertex twice is cut there into two; so loops pass through a vertex once. What comes out,
/// and in which order, depends on the positions alone, not on how vertices and triangles are numbered.
#ifndef ABUT_MESH_REPAIR_BOUNDARY_LOOPS_H
#define ABUT_MESH_REPAIR_BOUNDARY_LOOPS_H

#include "mesh/half_edges.h"
#include "mesh/vertex_keys.h"

typedef enum AbutBoundaryLoopKind
{
    ABUT_BOUNDARY_LOOP_CLOSED,
    ABUT_BOUNDARY_LOOP_TANGLED,      // a chain that ends where an edge has three or more triangles
    ABUT_BOUNDARY_LOOP_INCONSISTENT, // a chain that ends where neighbours disagree on the way round
} AbutBoundaryLoopKind;

/// A range of the places in AbutBoundaryLoops.
typedef struct AbutBoundaryLoop
{
    uint32_t first, count;
    AbutBoundaryLoopKind kind;
} AbutBoundaryLoop;

typedef struct AbutBoundaryLoops
{
    /// By place. Closed loops run as a cap does, against the triangles: from vertices[i] to the next of the
    /// loop. The triangle at that edge is triangles[i].
    uint32_t* vertices;
    uint32_t* triangles;
    uint32_t edge_count; // places
    AbutBoundaryLoop* loops;
    size_t loop_count, loop_capacity;
} AbutBoundaryLoops;

/// `edges` are those of the half edges' mesh, by abut_file_edges().
AbutResult abut_boundary_loops_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      const AbutVertexKeys* edges, AbutBoundaryLoops* out);

/// Gives the memory back to the host it came from. Zeroed loops are ignored.
void abut_boundary_loops_destroy(const AbutHost* host, AbutBoundaryLoops* loops);

#endif
