/// @file border.h
/// The border of a surface after its cracks are closed.
#ifndef ABUT_MESH_BORDER_H
#define ABUT_MESH_BORDER_H

#include "mesh/half_edges.h"

/// The edges have their own points: the ends of the border edges of the mesh, joined within the tolerance.
typedef struct AbutBorder
{
    AbutMesh* points; // its vertices are the points; NULL when the half edges have no border
    AbutBorderEdge* edges;
    size_t edge_capacity;
    uint32_t edge_count;
    double tolerance; // width of the cracks that were closed
} AbutBorder;

/// Width of the cracks and T-junctions that are taken as closed in a mesh with these bounds: a few roundings
/// of the floats that its coordinates were written in.
double abut_border_crack(AbutBox bounds);

/// Closes cracks: joins ends of border edges at most `tolerance` apart, splits edges where ends of others lie
/// on them within the tolerance (T-junctions), and cancels opposite edges. Components of the half edges that
/// this connects become one.
/// @return ABUT_LIMIT_EXCEEDED above 2³⁰ border edges, ABUT_OUT_OF_MEMORY.
AbutResult abut_border_create(const AbutHost* host, AbutHalfEdges* half_edges, double tolerance,
                              AbutBorder* out);

/// Gives the memory back to the host it came from. A zeroed border is ignored.
void abut_border_destroy(const AbutHost* host, AbutBorder* border);

#endif
