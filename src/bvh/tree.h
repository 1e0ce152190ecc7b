/// @file tree.h
/// The tree of a mesh that queries traverse: nodes of eight boxes, packs of eight triangles.
///
/// Boxes are about the tree's centre, so that a mesh far from its origin loses nothing; a box may be off by
/// the rounding of one subtraction, which queries add to all boxes with that of their own arithmetic
/// (bvh/frame.h). Corners of triangles are those of the mesh, bit for bit.
#ifndef ABUT_BVH_TREE_H
#define ABUT_BVH_TREE_H

#include <abut/bvh.h>

#include "math/dvec3.h"
#include "mesh/triangle/touch.h"

enum
{
    ABUT_TREE_WIDTH = 8,
    ABUT_TREE_MAX_DEPTH = 96, ///< levels of nodes; the builder's binary tree has fewer
};

/// Children that are packs have this bit.
#define ABUT_TREE_PACK 0x80000000u

/// Lanes without a child are NaN, and overlap nothing.
typedef struct AbutTreeNode
{
    float low[3][ABUT_TREE_WIDTH];
    float high[3][ABUT_TREE_WIDTH];
    uint32_t child[ABUT_TREE_WIDTH]; // node, or pack and ABUT_TREE_PACK
    uint32_t child_count;
    uint32_t unused[7];
} AbutTreeNode;

/// Oriented boxes of the children of a node, about the tree's centre; lanes without a child repeat the first.
/// They may be off by rounding, as the others.
typedef struct AbutOrientedNode
{
    float center[3][ABUT_TREE_WIDTH];
    float axis[3][3][ABUT_TREE_WIDTH]; // by axis, coordinate, lane
    float half[3][ABUT_TREE_WIDTH];    // extents along the axes
    AbutVec3 normal;                   // sum of the triangles' normals, twice their area long
} AbutOrientedNode;

/// Lanes without a triangle are NaN.
typedef struct AbutTrianglePack
{
    float corner[3][3][ABUT_TREE_WIDTH]; // by corner, axis, lane
} AbutTrianglePack;

typedef struct AbutPackIndex
{
    uint32_t vertex[3][ABUT_TREE_WIDTH]; // by corner, lane
    uint32_t triangle[ABUT_TREE_WIDTH];
    uint32_t count;
} AbutPackIndex;

struct AbutMeshTree
{
    AbutHost host;
    AbutTreeNode* nodes;        // node 0 is the root; level by level
    AbutOrientedNode* oriented; // of each node
    AbutTrianglePack* packs;
    AbutPackIndex* index; // of each pack
    uint32_t node_count, pack_count;
    uint32_t triangle_count, vertex_count;
    uint32_t level_count;
    uint32_t level_first[ABUT_TREE_MAX_DEPTH + 1]; // first node of each level, then node_count
    AbutBox bounds;                                // of all triangles, as given
    AbutVec3 center;                               // of the boxes, as of the last build
    float radius;                                  // upper bound of the coordinates about the centre
    float largest;                                 // magnitude of a coordinate
    double built_cost, cost;                       // abut_mesh_tree_quality()
};

static inline AbutDTriangle abut_pack_triangle(const AbutTrianglePack* pack, uint32_t lane)
{
    AbutDTriangle t;
    for (int corner = 0; corner < 3; ++corner)
    {
        t.corners[corner] = abut_dvec3(pack->corner[corner][0][lane], pack->corner[corner][1][lane],
                                       pack->corner[corner][2][lane]);
    }
    return t;
}

/// Positions of all corners, boxes and sums of a tree whose nodes, packs and indices are built; oriented
/// boxes with new axes, or along those that they have.
void abut_tree_refit(AbutMeshTree* tree, const AbutVec3* vertices, bool new_axes);

/// Fits the oriented boxes of all nodes to the corners, bottom up, on the host's workers; with new axes, or
/// along those that they have.
void abut_tree_orient(AbutMeshTree* tree, bool new_axes);

#endif
