/// @file patches.h
/// Patches that close the narrow gaps of a mesh: seams whose two sides do not match, T-junctions, slits,
/// small holes.
///
/// Let S be the mesh and P the patches. P runs through border edges of S the other way, so that they are no
/// border of S ∪ P. Every point of P is within `width` of S. So dist(x, S ∪ P) ≤ dist(x, S) ≤ dist(x, S ∪ P)
/// + width for all x, and where no border is left, S ∪ P has whole winding numbers and an inside without
/// doubt (docs/signs.md).
///
/// Narrow gaps are closed first: the tolerance starts at a few roundings and doubles. At each tolerance, the
/// ends of border edges that are nearer than it become one point, edges are split where such points lie on
/// them, and what then runs both ways is closed: by triangles from the edge to where it went. Other edges
/// stay as they are. At last, loops of the border that fit around a point get a fan. Triangles of the mesh do
/// not move.
#ifndef ABUT_MESH_CLOSURE_PATCHES_H
#define ABUT_MESH_CLOSURE_PATCHES_H

#include "mesh/half_edges.h"

typedef struct AbutPatches
{
    AbutMesh* mesh;           // the mesh, and behind its triangles the patches; NULL when nothing was closed
    uint32_t triangle_count;  // of the patches
    uint32_t open_edge_count; // border edges that are left
    double width;             // the largest distance of the patches from the mesh, at most
} AbutPatches;

/// False for a mesh of loose triangles: a soup, whose winding number tells more than patches between them
/// would.
bool abut_patches_suit(const AbutHalfEdges* half_edges);

/// Patches within `widest` of the mesh, whose triangles keep their numbers. A mesh that they do not suit is
/// left alone. Loose pieces smaller than the tolerance are closed only where they are a small part of the
/// area: many of them may surround something.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED.
AbutResult abut_patches_create(const AbutHost* host, const AbutMesh* mesh, double widest, AbutPatches* out);

#endif
