/// @file overlap.h
/// What one place proves of two solids.
#ifndef ABUT_NARROW_PROVE_OVERLAP_H
#define ABUT_NARROW_PROVE_OVERLAP_H

#include "search/pair.h"

/// Proved: a point of one solid is at least this deep in the other, so at 0 they touch. Under 0 where sample
/// `i` proves nothing.
///
/// With a and b the most that the two distances can be, and a the larger one: there is a point of A within
/// max(a, 0) of the sample, and all within −b of the sample is B. So a point of A is −b − max(a, 0) deep in
/// B.
float abut_prove_depth(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
