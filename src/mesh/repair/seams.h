/// @file seams.h
/// Seams with sides that are split at different points: the T-junctions of solids from CAD programs.
///
/// Each side of such a seam is a rim, and two caps would duplicate the surface between. Instead a border edge
/// with ends of others on it gets triangles of nearly zero height that split it there. Then the two sides
/// match.
#ifndef ABUT_MESH_REPAIR_SEAMS_H
#define ABUT_MESH_REPAIR_SEAMS_H

#include "mesh/half_edges.h"
#include "mesh/vertex_keys.h"

/// Triangles, three vertices of the half edges' mesh each.
typedef struct AbutSeams
{
    uint32_t* indices;
    size_t index_count, index_capacity;
    uint32_t edge_count; // edges that were split
} AbutSeams;

/// Splits edges with one triangle at ends of others that are at most `tolerance` away, where a piece then
/// matches another one. `edges` are the edges of the half edges' mesh, by abut_file_edges().
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_seams_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                             const AbutVertexKeys* edges, double tolerance, AbutSeams* out);

/// Gives the memory back to the host it came from. Zeroed seams are ignored.
void abut_seams_destroy(const AbutHost* host, AbutSeams* seams);

#endif
