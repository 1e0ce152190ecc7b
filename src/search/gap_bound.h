/// @file gap_bound.h
/// Boxes between two surfaces that run side by side: clear although both are near.
///
/// A distance changes by at most the way that one goes, so a point n that is away from a solid says of all others that they
/// are at least f(n) − |x − n| from it. Seen from a small box a few of its sizes away that is nearly a plane, and it hardly says
/// less than there is to say when n lies where the distance grows to. Where two surfaces face each other the sum of what two such
/// points say, one for each solid, hardly changes over the box, though both distances do; and it is concave, so its least value is at
/// a corner. Where the sum is over 0 no point is in both.
#ifndef ABUT_SEARCH_GAP_BOUND_H
#define ABUT_SEARCH_GAP_BOUND_H

#include "field/bounds/far_nodes.h"
#include "search/pair.h"

/// Lower bounds of the larger of both distances over the boxes of half sides half · scale[i] around those points of a batch
/// (with gradients) that are wanted; NaN or −INFINITY where nothing is known. The arrays have room for the whole batch.
void abut_gap_bound(const AbutPair* pair, AbutPairBatch* batch, const uint8_t* wanted, const float half[3],
                    const float* scale, float* low);

/// Two fields as kernels look between them; false when one is no field, or has places where its sign is in doubt.
bool abut_gap_bound_fields(const AbutPair* pair, AbutFarNodes far[2]);

#endif
