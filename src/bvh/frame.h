/// @file frame.h
/// The relative pose of two trees, in double for corners and in float for boxes.
#ifndef ABUT_BVH_FRAME_H
#define ABUT_BVH_FRAME_H

#include "bvh/tree.h"
#include "math/transform.h"

/// Boxes of the other tree as seen from a tree's centre: x_here = linear · x_there + offset.
typedef struct AbutTreeView
{
    float linear[3][3];
    float magnitude[3][3]; // |linear|
    float offset[3];
    float slack; // added to moved boxes on every side: rounding, and the margin of the query
} AbutTreeView;

typedef struct AbutTreeFrame
{
    AbutTreeView b_in_a, a_in_b;
    AbutTransform transform; // of B in A, for corners
    float squared_scale;     // of B in A, rounded down
    double radius;           // rounding of a moved corner's coordinates; 0 where nothing moves
} AbutTreeFrame;

/// Two trees and B in the frame of A.
typedef struct AbutTreePair
{
    const AbutMeshTree* a;
    const AbutMeshTree* b;
    AbutTransform transform;
    /// Lengths that the transform was computed from, beside its translation: it is within
    /// ABUT_TRANSFORM_ROUNDING of them all. 0 and the identity: nothing moves.
    double length;
} AbutTreePair;

/// From poses. False with a message for invalid ones.
bool abut_tree_pair(const AbutMeshTreePair* input, AbutTreePair* out);

/// Frame of the trees of a pair, with boxes grown by `margin` (≥ 0, in the unit of A). False with a message
/// for an invalid scale, or a distance over 1e16. `apart` says whether the boxes of the trees are further
/// apart than the margin, at any distance; nothing else is set then. NULL where that does not matter.
bool abut_tree_frame(const AbutTreePair* pair, double margin, AbutTreeFrame* frame, bool* apart);

/// Rounding of the coordinates of B's corners in the frame of A; 0 where nothing moves. `largest`: magnitude
/// of a coordinate of B.
double abut_tree_corner_rounding(const AbutTransform* transform, double largest, double length);

/// Whether B's box in the frame of A is further than the margin from A's, at any distance.
bool abut_tree_boxes_are_apart(const AbutTransform* transform, double length, AbutBox a, AbutBox b,
                               double margin);

/// False with a message for a scale of B in A that is out of range.
bool abut_tree_scale_is_valid(double scale);

/// A triangle of B in the frame of A, rounded.
static inline AbutDTriangle abut_tree_frame_triangle(const AbutTreeFrame* frame, const AbutDTriangle* t)
{
    if (frame->radius == 0.0)
    {
        return *t;
    }
    AbutDTriangle moved;
    for (int corner = 0; corner < 3; ++corner)
    {
        moved.corners[corner] = abut_transform_point(&frame->transform, t->corners[corner]);
    }
    return moved;
}

#endif
