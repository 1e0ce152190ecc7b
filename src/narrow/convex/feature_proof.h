/// @file feature_proof.h
/// Proofs from the features of a walk, whatever the walk is worth: a plane between two hulls, or a point of
/// one that is inside of the other.
#ifndef ABUT_NARROW_CONVEX_FEATURE_PROOF_H
#define ABUT_NARROW_CONVEX_FEATURE_PROOF_H

#include "narrow/convex/features.h"

/// A slab between two hulls, in the frame of hull 0.
typedef struct AbutSeparatingPlane
{
    AbutDVec3 normal;      // of unit length, from hull 1 to hull 0
    double side_a, side_b; // normal · x is at least side_a in hull 0 and at most side_b in hull 1
} AbutSeparatingPlane;

/// The slab across the closest points of two features, moved to the supports of both hulls and by the
/// rounding of products of vertices with the normal. The gap side_a − side_b is a bound of the distance of
/// the hulls, if it is over 0; equal to it but for rounding where the features are the closest ones.
AbutSeparatingPlane abut_features_plane(const AbutHullPair* pair, const AbutFeature features[2],
                                        double rounding);

/// Proved depth of a point of one hull in the other, in the unit of hull 0: the vertex, or a point of the
/// edge, of a penetration. At most 0 where nothing is proved.
/// @param rounding of the coordinates of a vertex of either hull in the frame of the other, in units of hull
/// 0
double abut_features_depth(const AbutHullPair* pair, const AbutFeature features[2], double rounding);

#endif
