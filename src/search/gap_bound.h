/// @file gap_bound.h
/// Gap bound: boxes between two surfaces side by side, which are separated although both surfaces are near.
///
/// A distance has slope 1 at most, so a far point n with distance f(n) from a solid bounds the distance of
/// all x by f(n) − |x − n|. A few box sizes away that bound is nearly linear over the box, and nearly sharp
/// when n lies along the gradient. Between two surfaces that face each other the sum of two such bounds, one
/// for each solid, is nearly constant over the box, though both distances vary; and it is concave, so its
/// minimum is at a corner. Where the sum is over 0 no point is in both solids.
#ifndef ABUT_SEARCH_GAP_BOUND_H
#define ABUT_SEARCH_GAP_BOUND_H

#include "field/bounds/far_nodes.h"
#include "search/pair.h"

/// Lower bounds of the larger of both distances over the boxes of half sides half · scale[i] around the
/// wanted points of a batch (with gradients); NaN or −INFINITY where nothing is known. Arrays have the
/// capacity of the whole batch.
void abut_gap_bound(const AbutPair* pair, AbutPairBatch* batch, const uint8_t* wanted, const float half[3],
                    const float* scale, float* low);

/// Far nodes of two fields for kernels; false when a shape is not a field, or its sign is uncertain
/// somewhere.
bool abut_gap_bound_fields(const AbutPair* pair, AbutFarNodes far[2]);

#endif
