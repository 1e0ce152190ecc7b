/// @file half_edges.h
/// Topology of a mesh after equal vertices are joined: neighbours, connected components, and border edges.
///
/// A half edge is a corner (3 · triangle + 0, 1 or 2) with the edge that runs from it to the next corner.
/// Triangles collapsed by joining have no half edges.
#ifndef ABUT_MESH_HALF_EDGES_H
#define ABUT_MESH_HALF_EDGES_H

#include "mesh/mesh.h"

#define ABUT_NO_TWIN UINT32_MAX

/// An edge with more triangles in one direction than in the other, by `count`.
typedef struct AbutBorderEdge
{
    uint32_t from, to;
    uint32_t count;
    uint32_t triangle; // one that has the edge
} AbutBorderEdge;

typedef struct AbutHalfEdges
{
    AbutMesh* mesh; // joined; its triangles have their old numbers
    // by corner: the opposite half edge, when the edge has no other; else ABUT_NO_TWIN
    uint32_t* twins;
    uint32_t* components;   // by triangle: a union-find forest of the triangles that edges connect
    AbutBorderEdge* border; // edges whose directions do not cancel
    uint32_t border_count;
    size_t border_capacity;
    bool closed; // every edge has two triangles, in opposite directions
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
