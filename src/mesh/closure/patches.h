/// @file patches.h
/// Patches that close the narrow gaps of a mesh: seams with unequal sides, T-junctions, slits, small holes.
///
/// Let S be the mesh and P the patches. P has border edges of S in the opposite direction, so that they are
/// no border of S ∪ P. Every point of P is within `width` of S. So dist(x, S ∪ P) ≤ dist(x, S) ≤ dist(x, S ∪
/// P) + width for all x, and where no border is left, S ∪ P has integer winding numbers and a well-defined
/// inside (docs/signs.md).
///
/// Narrow gaps are closed first: the tolerance starts at a few roundings and doubles. At each tolerance, the
/// ends of border edges within the tolerance of each other become one point, edges are split where such
/// points lie on them, and pairs of opposite edges are closed by triangles between their old and their new
/// position. Other edges stay unchanged. At last, small loops of the border get a fan around their middle.
/// Triangles of the mesh do not move.
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

/// False for a soup of loose triangles: its winding number is a better inside than patches between the
/// triangles.
bool abut_patches_suit(const AbutHalfEdges* half_edges);

/// Patches within `widest` of the mesh; the triangles of the mesh keep their numbers. A mesh for which
/// abut_patches_suit() is false gets none. Loose pieces smaller than the tolerance are closed only where they
/// are a small fraction of the area: many of them may surround a volume.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED.
AbutResult abut_patches_create(const AbutHost* host, const AbutMesh* mesh, double widest, AbutPatches* out);

#endif
