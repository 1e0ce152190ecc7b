/// @file hierarchy.h
/// Hulls of hulls: a binary tree over convex patches, built from the leaves.
///
/// Neighbouring pieces are merged in the order of the concavity of their common hull: the greatest depth of a
/// vertex of the mesh below its surface, at up to 64 vertices of each piece, or distance of the middle of one
/// of its largest faces from the solid; plus a small share of its size, so that among pieces of equal
/// concavity the small ones come first. Pieces without a common edge (components of the mesh) come last, in
/// pairs along a space-filling curve.
#ifndef ABUT_DECOMPOSE_HIERARCHY_H
#define ABUT_DECOMPOSE_HIERARCHY_H

#include "decompose/convex_patches.h"
#include "hull/hull.h"

#define ABUT_PIECE_NONE UINT32_MAX

typedef struct AbutPieceNode
{
    AbutHull* hull;
    uint32_t children[2]; // or ABUT_PIECE_NONE twice: a patch
    uint32_t patch;       // of a leaf
    float concavity;      // of this node or one below it, as merged; 0 for leaves
} AbutPieceNode;

typedef struct AbutHierarchy
{
    AbutPieceNode* nodes; // leaves first, by patch; the last one is the root
    uint32_t node_count;
    uint32_t node_capacity;
} AbutHierarchy;

AbutResult abut_hierarchy_create(const AbutSolid* solid, const AbutConvexPatches* patches,
                                 AbutHierarchy* out);

/// A zeroed hierarchy is ignored.
void abut_hierarchy_destroy(const AbutHost* host, AbutHierarchy* hierarchy);

#endif
