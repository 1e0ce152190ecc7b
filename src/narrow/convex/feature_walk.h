/// @file feature_walk.h
/// Moves that walks over features have in common: from a feature to the neighbour across a violated plane of
/// its Voronoi region, and clipping of an edge by the planes of a region.
#ifndef ABUT_NARROW_CONVEX_FEATURE_WALK_H
#define ABUT_NARROW_CONVEX_FEATURE_WALK_H

#include "narrow/convex/features.h"

typedef struct AbutFeatureWalk
{
    const AbutHullPair* pair;
    AbutFeature features[2];
} AbutFeatureWalk;

/// From features of the caller; faces of both sides, which are no state of a walk, become an edge and a face.
AbutFeatureWalk abut_feature_walk(const AbutHullPair* pair, const AbutFeature start[2]);

/// From a vertex to the edge of steepest descent towards a point, all in the frame of its hull. False, and no
/// move, when the point is in the region of the vertex. Likewise below.
bool abut_feature_leave_vertex(AbutFeatureWalk* walk, int side, AbutDVec3 point);

/// From an edge to the vertex or face across the first plane that the point violates.
bool abut_feature_leave_edge(AbutFeatureWalk* walk, int side, AbutDVec3 point);

/// From a face to the edge whose plane the point violates most; its height over the face does not count.
bool abut_feature_leave_face(AbutFeatureWalk* walk, int side, AbutDVec3 point);

/// The interval of an edge inside of planes, each shared with a neighbour.
typedef struct AbutEdgeClip
{
    AbutDVec3 ends[2]; // of the edge, in the frame of the planes
    double low, high;  // fractions from the first end to the second
    AbutFeature low_neighbor, high_neighbor;
    bool low_is_clipped, high_is_clipped;
    bool is_excluded;        // the interval is empty
    bool is_simply_excluded; // by one plane alone: that of low_neighbor
} AbutEdgeClip;

/// The edge of `side`, in the frame of the other hull, not clipped yet.
AbutEdgeClip abut_edge_clip(const AbutFeatureWalk* walk, int side);

/// Clips by a plane with products of both ends, of any scale, negative on the side of the neighbour. False
/// when nothing is left.
bool abut_edge_clip_by(AbutEdgeClip* clip, double first, double second, AbutFeature neighbor);

/// Clips by the planes of a face across its edges.
void abut_edge_clip_by_face(AbutEdgeClip* clip, const AbutHull* hull, uint32_t face);

/// An edge against a face, one step: the face moves to the feature of its border that is closest to the edge
/// where the edge is outside of its region; else the face or the edge moves towards the end of the interval
/// that is closer to the face. False when the edge passes through the face or touches it.
bool abut_feature_step_edge_face(AbutFeatureWalk* walk, int edge_side);

#endif
