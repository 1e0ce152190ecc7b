/// @file lin_canny.h
/// Lin-Canny: the closest features of two convex polyhedra by a walk over closest points (M. Lin and J.
/// Canny, "A fast algorithm for incremental distance calculation", ICRA 1991).
///
/// In each step the closest points of the two features are computed, and each is tested against the Voronoi
/// region of the feature of the other; where it is outside of a plane, the feature is replaced by its
/// neighbour across that plane. For separated polyhedra the distance decreases with every move, so that the
/// walk ends. For penetrating ones it does not, and the walk comes back to where it was: the cycle detector
/// ends it as ABUT_FEATURES_CYCLE, which says nothing of the pair; another method has to.
#ifndef ABUT_NARROW_CONVEX_LIN_CANNY_H
#define ABUT_NARROW_CONVEX_LIN_CANNY_H

#include "narrow/convex/features.h"

/// Walks from a pair of features of both hulls. Never ABUT_FEATURES_PENETRATION.
AbutFeatureResult abut_lin_canny(const AbutHullPair* pair, const AbutFeature start[2]);

#endif
