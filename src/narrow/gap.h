/// @file gap.h
/// How far the surfaces of two fields are apart, from their octrees.
///
/// Pairs of boxes, one of each octree, that the surfaces may pass through are divided from coarse to fine. A pair is done
/// when it is proved to be no nearer than the nearest points that are known, less the tolerance. Boxes alone prove it for
/// most; small ones are cut down to where nodes let a surface be: no point of it is nearer to a node than the distance that
/// is kept there. So grids need not meet, or be near each other, and nothing but the errors of nodes is lost.
#ifndef ABUT_NARROW_GAP_H
#define ABUT_NARROW_GAP_H

#include "narrow/pair.h"
#include "narrow/witness.h"

/// True when a shape is a field, and something is proved of those that are.
bool abut_gap_applies(const AbutPair* pair);

/// A pair of points of the surfaces, and a lower bound of the distance of the surfaces, in the pair's unit: at most `tolerance`
/// less than the distance of the points, where nodes are good enough to prove it. Boxes that wait count when the budget, in numbers
/// and samples looked at, is spent.
float abut_gap_search(AbutPair* pair, float tolerance, uint64_t budget, AbutWitness* witness);

/// The same for a field and a shape that is none. Its samples take the place of the second octree.
float abut_gap_search_shape(AbutPair* pair, float tolerance, uint64_t budget, AbutWitness* witness);

#endif
