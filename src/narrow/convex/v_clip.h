/// @file v_clip.h
/// V-Clip: the closest features of two convex polyhedra by a walk over neighbouring features (B. Mirtich,
/// "V-Clip: fast and robust polyhedral collision detection", ACM Transactions on Graphics 17, 1998).
///
/// Two features have the closest points of both polyhedra when each of these points is in the Voronoi region
/// of the feature of the other. Where a plane of a region is violated, the feature is replaced by its
/// neighbour across that plane, and the distance decreases. Edges are clipped by the planes of a region
/// instead of being represented by a closest point: signs of products decide, not quotients.
///
/// A vertex under the plane of a face and inside of all planes of its region is a local minimum of the walk,
/// though the polyhedra may be separated: the face is on the far side. The walk continues from the face of
/// the greatest signed distance; where that is not over zero, the vertex is inside. An edge that passes
/// through a face is the other form of penetration.
#ifndef ABUT_NARROW_CONVEX_V_CLIP_H
#define ABUT_NARROW_CONVEX_V_CLIP_H

#include "narrow/convex/features.h"

/// Walks from a pair of features of both hulls. The distance of the result does not depend on the start
/// beyond rounding; the choice among features at the same distance does.
AbutFeatureResult abut_v_clip(const AbutHullPair* pair, const AbutFeature start[2]);

#endif
