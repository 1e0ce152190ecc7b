/// @file join_vertices.h
/// Joining of the ends of boundary edges that are nearly equal.
#ifndef ABUT_MESH_REPAIR_JOIN_VERTICES_H
#define ABUT_MESH_REPAIR_JOIN_VERTICES_H

#include "mesh/half_edges.h"

/// A copy of the mesh with the corners of triangles moved to other vertices where ends of its border are at
/// most `tolerance` apart, or NULL without such ends; `half_edges` are the half edges of the mesh. Of several
/// ends the first by position stays.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_join_vertices(const AbutHost* host, const AbutMesh* mesh, const AbutHalfEdges* half_edges,
                              float tolerance, AbutMesh** out, uint32_t* joined_count);

/// For every vertex of the half edges' mesh one vertex of `mesh`, which they were made from, that has its
/// position: the first that a triangle uses.
void abut_find_origins(const AbutMesh* mesh, const AbutHalfEdges* half_edges, uint32_t* origins);

#endif
