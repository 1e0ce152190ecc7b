/// @file half_edges.h
/// How the triangles of a mesh hang together after equal vertices are joined: who is whose neighbour, what
/// the connected parts are, and which edges are left over.
///
/// A half edge is a corner (3 · triangle + 0, 1 or 2) with the edge that runs from it to the next corner.
/// Triangles that joining has made an edge or a point have no half edges.
#ifndef ABUT_MESH_HALF_EDGES_H
#define ABUT_MESH_HALF_EDGES_H

#include "mesh/mesh.h"

#define ABUT_NO_TWIN UINT32_MAX

/// An edge that more triangles run through one way than the other: `count` of them.
typedef struct AbutBorderEdge
{
    uint32_t from, to;
    uint32_t count;
    uint32_t triangle; // one that has the edge
} AbutBorderEdge;

typedef struct AbutHalfEdges
{
    AbutMesh* mesh; // joined; its triangles have their old numbers
    // by corner: the one half edge that runs the other way, when there are no others on the edge
    uint32_t* twins;
    uint32_t* components;   // by triangle: a union-find forest of the triangles that edges connect
    AbutBorderEdge* border; // what does not cancel
    uint32_t border_count;
    size_t border_capacity;
    bool closed; // all edges have two triangles that run opposite ways
} AbutHalfEdges;

/// The mesh has at most ABUT_VERTEX_KEYS_MAX_TRIANGLES triangles.
AbutResult abut_half_edges_create(const AbutHost* host, const AbutMesh* mesh, AbutHalfEdges* out);

/// Gives the memory back to the host it came from. Zeroed half edges are ignored.
void abut_half_edges_destroy(const AbutHost* host, AbutHalfEdges* half_edges);

static inline uint32_t abut_next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

#endif
