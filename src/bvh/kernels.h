/// @file kernels.h
/// Eight boxes against eight boxes, eight triangles against eight triangles, in two frames.
///
/// All tests are conservative: pairs that are dropped have no point in common, whatever the rounding of this
/// arithmetic and of the frame.
#ifndef ABUT_BVH_KERNELS_H
#define ABUT_BVH_KERNELS_H

#include "bvh/frame.h"
#include "bvh/tree.h"
#include "simd/dispatch.h"

/// Bit l of hits[k]: lane k of the first and lane l of the second pass all tests.
typedef struct AbutLaneHits
{
    uint8_t hits[ABUT_TREE_WIDTH];
} AbutLaneHits;

/// A pack of B in the frame of a pack of A.
typedef struct AbutPackFrame
{
    AbutVec3 origin_a, origin_b; // corners of the packs, subtracted first
    float linear[3][3];          // of B in A
    float offset[3];             // of origin_b, in A about origin_a
    float radius;                // rounding of moved corners, and the margin
} AbutPackFrame;

/// Three perpendicular directions, the first along the line of the closest points so far: boxes of both trees
/// in a frame where most of them are far apart. Distances in it are rounded down.
typedef struct AbutWitnessFrame
{
    AbutTreeView of_a, of_b; // boxes of both trees in it
} AbutWitnessFrame;

/// Intervals along the three axes of an oriented box.
typedef struct AbutSlabs
{
    float low[3], high[3];
} AbutSlabs;

/// Boxes of the children of a node in both forms.
typedef struct AbutTreeBoxes
{
    const AbutTreeNode* aligned;
    const AbutOrientedNode* oriented;
} AbutTreeBoxes;

/// A point about a tree's centre.
typedef struct AbutBoxPoint
{
    AbutVec3 position;
    float slack; // rounding of its distance from a side of a box
} AbutBoxPoint;

typedef struct AbutTreeKernels
{
    /// Children of two nodes, by the faces of both frames' boxes. Returns whether there is any hit.
    bool (*node_hits)(const AbutTreeNode* a, const AbutTreeNode* b, const AbutTreeFrame* frame,
                      AbutLaneHits* out);

    /// Children of a node of the first tree that hit one box of the second: bits.
    unsigned (*box_hits)(const AbutTreeNode* node, const AbutTreeNode* other, uint32_t other_lane,
                         const AbutTreeView* view);

    /// Triangles of two packs, by boxes and by the sides of both planes. Returns whether there is any hit.
    bool (*pack_hits)(const AbutTrianglePack* a, const AbutTrianglePack* b, const AbutPackFrame* frame,
                      AbutLaneHits* out);

    /// As pack_hits, of two packs of one mesh: triangles that touch in shared vertices alone are dropped,
    /// too.
    bool (*self_hits)(const AbutTrianglePack* a, const AbutPackIndex* index_a, const AbutTrianglePack* b,
                      const AbutPackIndex* index_b, AbutLaneHits* out);

    /// Lower bounds of the squared distances of the children of two nodes, and bits of those under `best`.
    void (*node_bounds)(const AbutTreeBoxes* a, const AbutTreeBoxes* b, const AbutTreeFrame* frame,
                        const AbutWitnessFrame* witness, float best,
                        float bounds[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH], AbutLaneHits* hits);

    /// Bits of the pairs of triangles of two packs that may be closer than `best`, squared, with lower bounds
    /// of their squared distances.
    void (*pack_bounds)(const AbutTrianglePack* a, const AbutTrianglePack* b, const AbutPackFrame* frame,
                        const AbutWitnessFrame* witness, float best,
                        float gaps[ABUT_TREE_WIDTH][ABUT_TREE_WIDTH], AbutLaneHits* hits);

    /// Intervals of a pack's corners about the centre along the axes of a lane of `of`, and of all oriented
    /// boxes of a node.
    void (*pack_slabs)(const AbutTrianglePack* pack, AbutVec3 center, const AbutOrientedNode* of,
                       uint32_t lane, AbutSlabs* out);
    void (*node_slabs)(const AbutOrientedNode* node, const AbutOrientedNode* of, uint32_t lane,
                       AbutSlabs* out);

    /// Lower bounds of the squared distances of a point and the children of a node, and bits of those under
    /// the limit; bits of the triangles of a pack that may be closer.
    unsigned (*point_node)(const AbutTreeNode* node, const AbutBoxPoint* point, float limit,
                           float bounds[ABUT_TREE_WIDTH]);
    unsigned (*point_pack)(const AbutTrianglePack* pack, AbutVec3 center, const AbutBoxPoint* point,
                           float* limit);
} AbutTreeKernels;

ABUT_KERNELS(AbutTreeKernels, abut_tree_kernels)

#endif
