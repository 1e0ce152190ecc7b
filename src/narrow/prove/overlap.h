/// @file overlap.h
/// Proof of an overlap from one sample.
#ifndef ABUT_NARROW_PROVE_OVERLAP_H
#define ABUT_NARROW_PROVE_OVERLAP_H

#include "search/pair.h"

/// Proved depth of a point of one solid in the other, ≥ 0: then they touch. Under 0 where sample `i` proves
/// nothing.
///
/// With upper bounds a ≥ b of the two distances: there is a point of A within max(a, 0) of the sample, and
/// the ball of radius −b around the sample is in B. So a point of A is −b − max(a, 0) deep in B.
float abut_prove_depth(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
